"""Two figures of one kind to be held against each other: the same axes, the same colours."""

import numpy as np
import plotly.graph_objects as go

from calibcore.figures.reliability import reliability_figure
from calibcore.reliability import Reliability

Pair = tuple[Reliability, Reliability]


def most_share(pair: Pair) -> float:
    """The largest share of its cases that a bin of either holds: where both scales of colours end."""
    return max(float(found.counts.max() / found.n_cases) for found in pair)


def reliability_figures(
    pair: Pair, nouns: tuple[str, str] = ("case", "case"), theme: str = "light"
) -> tuple[go.Figure, go.Figure]:
    """Two reliability diagrams with one range of deviations and one of shares of cases."""
    figures = [reliability_figure(found, noun, theme) for found, noun in zip(pair, nouns, strict=True)]
    two = len(pair[0].class_names) == 2
    top = 1.08 * max(_reach(found) for found in pair)
    share = 1.05 * max(float(found.histogram.max() / found.n_cases) for found in pair)
    for figure in figures:
        figure.update_layout(yaxis={"range": [-top if two else 0, top], "autorange": False})
        if two:
            figure.update_layout(yaxis2={"range": [0, share], "autorange": False})
    return figures[0], figures[1]


def _reach(found: Reliability) -> float:
    """Points from 0 to the farthest cross or end of a bar."""
    ends = np.concatenate([found.deviation, found.low, found.high])
    return 100 * float(np.nanmax(np.abs(ends), initial=0.001))
