"""The reliability diagram (V19 Fig. 4): deviations, consistency bars, and how predictions are spread."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION, DeviationScale, fullest_bins, scale_of
from calibcore.charts.probability_axis import TITLE, ProbabilityAxis, axis_of
from calibcore.charts.reliability import (
    DISTANCE,
    HAPPENED,
    drawn_intervals,
    share_of,
    spread_histogram,
    widths,
)
from calibcore.charts.reliability import histogram as shares_of
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.painters.screen import canvas
from calibcore.painters.screen.marks import level, stroke
from calibcore.painters.screen.reliability_marks import bars, crosses, curve_traces, histogram, rings

_TWO_PANELS, _SQUARE = 460, 660
_PANEL_FOOT, _STRIP = 0.289, 0.189
"""Of the height: where the panel of deviations begins, and where the histogram below it ends."""


def reliability_figure(
    diagram: Reliability,
    noun: str = "case",
    theme: str = "light",
    classical: bool = False,
    curve: Curve | None = None,
    frequencies: FrequencyIntervals | None = None,
    whiskers: bool = False,
    spread: Spread | None = None,
    scale: DeviationScale | None = None,
    chosen: Collection[int] = (),
) -> go.Figure:
    """Two classes: deviation against prediction. More: total variation by bin, the fullest bins first.

    The scale is that of well-filled bins, see :mod:`.deviation_scale`, unless a ``scale`` is given.
    For two classes only: ``classical`` draws what happened against what was predicted; ``curve`` is drawn
    with its band; ``frequencies`` are told by the hover and, with ``whiskers``, drawn in the classical view.
    With a ``spread`` the axis of deviations is in log-odds. The bins ``chosen`` have a ring.
    """
    noun = style.short(noun)
    scale = scale_of([diagram], curve) if scale is None else scale
    if len(diagram.class_names) > 2:
        return _many_classes(diagram, noun, theme, scale, chosen)
    if classical:
        return _classical(diagram, noun, theme, curve, frequencies, whiskers, chosen)
    axis = axis_of(diagram, spread)
    x = axis.place(diagram.mean_prediction[:, 0])
    above = [
        *bars(x, diagram, widths(x, axis.span), outlined=curve is not None, scale=scale),
        *curve_traces(curve, axis),
        *crosses(x, diagram.deviation, diagram, noun, frequencies, scale=scale),
        *rings(x, diagram.deviation, diagram, chosen, theme, scale=scale),
    ]
    for trace in above:
        trace.xaxis, trace.yaxis = "x", "y"
    shares = shares_of(diagram) if spread is None else spread_histogram(spread, axis)
    below = histogram(shares, noun, theme)
    below.xaxis, below.yaxis = "x2", "y2"
    layout = two_panels(noun, axis)
    layout["yaxis"]["range"] = [scale.low, scale.high]
    return go.Figure([*above, below], layout)


def _classical(
    diagram: Reliability,
    noun: str,
    theme: str,
    curve: Curve | None,
    frequencies: FrequencyIntervals | None,
    whiskers: bool,
    chosen: Collection[int],
) -> go.Figure:
    x, y = diagram.mean_prediction[:, 0], diagram.observed[:, 0]
    above = [
        stroke([0, 100], [0, 100], style.CHANCE, 1, showlegend=False),
        *bars(100 * x, diagram, 100 * widths(x), x, outlined=curve is not None),
        *curve_traces(curve),
        *crosses(100 * x, y, diagram, noun, frequencies, whiskers=drawn_intervals(frequencies, whiskers)),
        *rings(100 * x, y, diagram, chosen, theme),
    ]
    below = histogram(shares_of(diagram, 100.0), noun, theme)
    below.xaxis, below.yaxis = "x", "y2"
    return go.Figure([*above, below], _square(noun))


def bins_chosen(points: Sequence[Mapping[str, Any]]) -> list[int]:
    """The bins whose crosses are among ``points``, as the browser reports what was clicked or framed.

    What is written as a row of numbers comes back as a list or as ``{"0": …}``.
    """
    bins = set()
    for point in points:
        data = point.get("customdata") or ()
        own = list(data.values() if isinstance(data, Mapping) else data)
        if len(own) == 1:
            bins.add(int(own[0]))
    return sorted(bins)


def two_panels(noun: str, axis: ProbabilityAxis) -> dict[str, Any]:
    """The deviations above, the histogram below, on one axis of probabilities."""
    x = canvas.AXIS | {"domain": [0.0, 1.0], "range": list(axis.ends)}
    if axis.log_odds:
        x |= dict(zip(("tickvals", "ticktext"), axis.ticks(), strict=True))
    else:
        x |= canvas.PERCENTS
    return canvas.layout(_TWO_PANELS) | {
        "xaxis": x | {"anchor": "y", "matches": "x2", "showticklabels": False},
        "yaxis": canvas.AXIS | {"anchor": "x", "domain": [_PANEL_FOOT, 1.0], "tickformat": ".1~f"},
        "xaxis2": x | {"anchor": "y2", "title": {"text": axis.title}},
        "yaxis2": canvas.AXIS | {"anchor": "x2", "domain": [0.0, _STRIP], **canvas.PERCENTS, "nticks": 3},
        "shapes": [level(0)],
        "annotations": [
            canvas.axis_label(DEVIATION, 1.0),
            canvas.axis_label(canvas.hover([share_of(noun)]), 0.228),
        ],
    }


def _square(noun: str) -> dict[str, Any]:
    """Equal scales; one x axis for both panels, so that they keep in line when it is narrowed."""
    scale = {"range": [-2, 102], "constrain": "domain", "ticksuffix": "\N{NO-BREAK SPACE}%", "dtick": 20}
    return canvas.layout(_SQUARE) | {
        "xaxis": canvas.AXIS | scale | {"constraintoward": "left", "anchor": "y2", "title": {"text": TITLE}},
        "yaxis": canvas.AXIS | scale | {"scaleanchor": "x", "domain": [0.24, 1]},
        "yaxis2": canvas.AXIS | {"domain": [0, 0.16], **canvas.PERCENTS, "nticks": 3, "anchor": "x"},
        "annotations": [
            canvas.axis_label(HAPPENED, 1.0, "y"),
            canvas.axis_label(canvas.hover([share_of(noun)]), 1.0, "y2"),
        ],
    }


def _many_classes(
    diagram: Reliability, noun: str, theme: str, scale: DeviationScale, chosen: Collection[int]
) -> go.Figure:
    fullest, words = fullest_bins(diagram)
    part = diagram.only(fullest)
    x = np.arange(1.0, len(fullest) + 1)
    layout = canvas.layout(420) | {
        "xaxis": canvas.AXIS | {"title": {"text": words}, "showgrid": False, "nticks": 10},
        "yaxis": canvas.AXIS | {"range": [scale.low, scale.high]},
        "annotations": [canvas.axis_label(DISTANCE, 1.0)],
    }
    marks = crosses(x, part.deviation, part, noun, numbers=fullest, scale=scale)
    marks += rings(x, part.deviation, part, chosen, theme, fullest, scale)
    return go.Figure([*bars(x, part, np.full(len(fullest), 0.55), scale=scale), *marks], layout)
