"""Two figures of one kind to be held against each other: the same axes, the same colours."""

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.reliability import Reliability
from calibcore.figures.reliability import reliability_figure

Pair = tuple[Reliability, Reliability]


def most_share(pair: Pair) -> float:
    """The largest share of its cases that a bin of either holds: where both scales of colours end."""
    return max(float(diagrams.counts.max() / diagrams.n_cases) for diagrams in pair)


def reliability_figures(
    pair: Pair, nouns: tuple[str, str] = ("case", "case"), theme: str = "light"
) -> tuple[go.Figure, go.Figure]:
    """Two reliability diagrams with one range of deviations and one of shares of cases."""
    figures = [reliability_figure(diagram, noun, theme) for diagram, noun in zip(pair, nouns, strict=True)]
    two = len(pair[0].class_names) == 2
    low, high = (end(_reach(diagram)[i] for diagram in pair) for i, end in enumerate((min, max)))
    room = 0.06 * (high - low)
    share = 1.05 * max(float(diagram.histogram.max() / diagram.n_cases) for diagram in pair)
    for figure in figures:
        ends = [low - room if low < 0 else 0, high + room]
        figure.update_layout(yaxis={"range": ends, "autorange": False})
        if two:
            figure.update_layout(yaxis2={"range": [0, share], "autorange": False})
    return figures[0], figures[1]


def _reach(diagram: Reliability) -> tuple[float, float]:
    """The lowest and the highest cross or end of a bar, in points, 0 among them."""
    ends = np.concatenate([diagram.deviation, diagram.low, diagram.high, [0.0]])
    if len(diagram.class_names) > 2:  # their bars are drawn from 0 or above
        ends = np.maximum(ends, 0.0)
    return 100 * float(np.nanmin(ends)), 100 * float(np.nanmax(ends))
