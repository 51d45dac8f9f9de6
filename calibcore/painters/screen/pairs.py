"""Two figures of one kind to be held against each other: the same axes."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.deviation_scale import scale_of
from calibcore.diagram.reliability import Reliability
from calibcore.painters.screen import canvas, marks
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.questions.compare import SharedBin
from calibcore.questions.compare.charts import IF_CALIBRATED, place_in_bin
from calibcore.questions.compare.words import bin_hover

Pair = tuple[Reliability, Reliability]
_BINS_HIGH = 380


def reliability_figures(
    pair: Pair, nouns: tuple[str, str] = ("case", "case"), theme: str = "light"
) -> tuple[go.Figure, go.Figure]:
    """Two reliability diagrams with one range of deviations and one of shares of cases."""
    first, second = (
        scaled_figure(diagram, pair, noun, theme) for diagram, noun in zip(pair, nouns, strict=True)
    )
    return first, second


def scaled_figure(
    diagram: Reliability, among: Sequence[Reliability], noun: str = "case", theme: str = "light"
) -> go.Figure:
    """A reliability diagram on axes that have room for all of ``among``."""
    figure = reliability_figure(diagram, noun, theme, scale=scale_of(among))
    if len(diagram.class_names) == 2:
        share = 1.05 * max(float(diagram.histogram.max() / diagram.n_cases) for diagram in among)
        figure.update_layout(yaxis2={"range": [0, share], "autorange": False})
    return figure


def bins_figure(bins: Sequence[SharedBin], names: tuple[str, str]) -> go.Figure:
    """The deviations of two models in the bins that they share, each before its bar of chance."""
    bars, dots = [], []
    for which, short in enumerate(map(style.short, names)):
        x, sides, hovers = [], [], []
        for shared in bins:
            side = shared.b if which else shared.a
            place = place_in_bin(shared, which)
            if side is not None and place is not None:
                x.append(place)
                sides.append(side)
                hovers.append(canvas.hover(bin_hover(shared, side, short)))
        chance = [end for side in sides for end in (100 * side.low, 100 * side.high, None)]
        thrice = [position for position in x for _ in range(3)]
        key: dict[str, Any] = {"name": IF_CALIBRATED, "showlegend": not which, "legendgroup": "chance"}
        bars.append(marks.stroke(thrice, chance, style.CHANCE_FILL, 10, **key))
        opacity = [1.0 if side.outside else style.WITHIN for side in sides]
        marker = marks.observed(2, symbol=marks.PAIR[which], size=11, opacity=opacity)
        y, name = [100 * side.deviation for side in sides], canvas.hover([short])
        dots.append(marks.dots(x, y, marker, hovers, name=name))
    return go.Figure([*bars, *dots], marks.deviations(_BINS_HIGH, (-0.02, 1.02)))
