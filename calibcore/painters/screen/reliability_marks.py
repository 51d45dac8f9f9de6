"""The marks of a reliability diagram on the screen: crosses, bars, whiskers, histogram, curve."""

from collections.abc import Collection
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.deviation_scale import DeviationScale
from calibcore.charts.probability_axis import ProbabilityAxis
from calibcore.charts.reliability import (
    Shares,
    band_name,
    bar_ends,
    bar_name,
    cross_name,
    cross_sizes,
    curve_ends,
    curve_name,
    hover,
)
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.types import Float, Int
from calibcore.painters.screen import canvas, marks
from calibcore.wording import plural
from calibcore.words.diagram import beyond_words
from calibcore.words.phrases import exact_percent

_AROUND = 10
"""Pixels that a ring is wider than its cross."""
_PERCENT = "\N{NO-BREAK SPACE}%"


def histogram(shares: Shares, noun: str, theme: str) -> go.Bar:
    """How predictions are spread."""
    return go.Bar(
        x=shares.x,
        y=shares.shares,
        width=shares.width,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        name="predicted",
        showlegend=False,
        text=[canvas.hover([words]) for words in shares.words],
        textposition="none",
        customdata=shares.holds,
        hovertemplate=f"%{{text}}<br>%{{customdata[2]:,}} {canvas.hover([plural(noun)])}<extra></extra>",
    )


def bars(
    x: Float,
    diagram: Reliability,
    widths: Float,
    base: Float | float = 0.0,
    outlined: bool = False,
    scale: DeviationScale | None = None,
) -> list[go.Bar]:
    """The consistency bars, on top of ``base``, ``outlined`` beside a band; weighted cases have none.

    On a ``scale`` none is too thin to be seen; the hover of its cross has the numbers.
    """
    if not diagram.has_bars:
        return []
    low, high = bar_ends(diagram, base, scale)
    bars = marks.chance_bars(x, low, high - low, widths, bar_name(diagram))
    if outlined:
        bars.marker.color = "rgba(0,0,0,0)"
    return [bars]


def crosses(
    x: Float,
    y: Float,
    diagram: Reliability,
    noun: str,
    frequencies: FrequencyIntervals | None = None,
    numbers: Int | None = None,
    whiskers: FrequencyIntervals | None = None,
    scale: DeviationScale | None = None,
) -> list[go.Scatter]:
    """A cross a bin, whose hover tells ``frequencies`` too; ``numbers`` are the bins' own where not all are
    drawn, ``whiskers`` their intervals.

    What lies beyond the ``scale`` of deviations is a triangle at its edge, and the key says how far.
    """
    own = np.arange(diagram.n_bins) if numbers is None else numbers
    sizes = cross_sizes(diagram)
    far = np.zeros(diagram.n_bins, np.bool_) if scale is None else scale.beyond(100 * y)

    def dots(chosen: Int, name: str, marker: dict[str, Any], places: Float, **how: Any) -> go.Scatter:
        texts = [canvas.hover(hover(diagram, b, noun, frequencies)) for b in chosen.tolist()]
        bins = own[chosen][:, None]
        return marks.dots(x[chosen], places[chosen], marker, texts, name=name, customdata=bins, **how)

    traces = []
    for outside, opacity in ((True, 1.0), (False, style.WITHIN)):
        chosen = np.flatnonzero((diagram.outside == outside) & ~far)
        marker = {
            "symbol": "x-thin",
            "size": sizes[chosen],
            "opacity": 1,  # of many sizes plotly would make them pale
            "line": {"color": style.OBSERVED, "width": 3 if outside else 2},
        }
        error, name = None, cross_name(diagram, outside)
        if whiskers is not None:
            error = _whiskers(whiskers, y, chosen)
            name += f", {exact_percent(whiskers.level)} interval"
        any_chosen = bool(len(chosen))
        traces.append(
            dots(chosen, name, marker, 100 * y, opacity=opacity, showlegend=any_chosen, error_y=error)
        )
    if scale is not None and far.any():
        chosen = np.flatnonzero(far)
        marker = {
            "symbol": np.where(y[chosen] > 0, "triangle-up", "triangle-down").tolist(),
            "size": 11,
            "color": style.OBSERVED,
            "opacity": np.where(diagram.outside[chosen], 1.0, style.WITHIN).tolist(),
        }
        words = canvas.hover([beyond_words(diagram, chosen, noun)])
        traces.append(dots(chosen, words, marker, scale.placed(100 * y), cliponaxis=False))
    return traces


def rings(
    x: Float,
    y: Float,
    diagram: Reliability,
    chosen: Collection[int],
    theme: str,
    numbers: Int | None = None,
    scale: DeviationScale | None = None,
) -> list[go.Scatter]:
    """Around the crosses of the bins ``chosen``, by their own ``numbers`` where not all are drawn."""
    own = np.arange(diagram.n_bins) if numbers is None else numbers
    ringed = np.flatnonzero(np.isin(own, list(chosen)))
    if not len(ringed):
        return []
    places = 100 * y if scale is None else scale.placed(100 * y)
    marker = {
        "symbol": "circle-open",
        "size": cross_sizes(diagram)[ringed] + _AROUND,
        "opacity": 1,  # of many sizes plotly would make them pale
        "color": style.TEXT[theme],
        "line": {"width": 2},
    }
    how = {"name": "chosen", "hoverinfo": "skip", "showlegend": False, "cliponaxis": False}
    return [go.Scatter(x=x[ringed], y=places[ringed], mode="markers", marker=marker, **how)]


def _whiskers(intervals: FrequencyIntervals, y: Float, chosen: Int) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": 100 * (intervals.high - y)[chosen],
        "arrayminus": 100 * (y - intervals.low)[chosen],
        "color": style.OBSERVED,
        "thickness": 1,
        "width": 3,
    }


def curve_traces(curve: Curve | None, axis: ProbabilityAxis | None = None) -> list[go.Scatter]:
    """Band and line, as deviations in points over an ``axis``, or without one both in percent (classical)."""
    if curve is None:
        return []
    base = 0.0 if axis is None else curve.predicted
    x = 100 * curve.predicted if axis is None else axis.place(curve.predicted)
    seen, low, high = curve_ends(curve, base)
    single = len(x) == 1
    band = marks.band(x, low, high, band_name(curve), edge=6 if single else 0)
    line = go.Scatter(
        x=x,
        y=seen,
        mode="lines+markers" if single else "lines",
        line={"color": style.OBSERVED, "width": 2},
        marker={"color": style.OBSERVED, "size": 7},
        name=curve_name(curve),
        customdata=100 * np.column_stack([curve.predicted, curve.observed, curve.low, curve.high]),
        hovertemplate=f"{curve.kind.capitalize()} curve: predicted %{{customdata[0]:.1f}}{_PERCENT}, "
        f"observed %{{customdata[1]:.1f}}{_PERCENT}<br>If calibrated: %{{customdata[2]:.1f}}{_PERCENT} to "
        f"%{{customdata[3]:.1f}}{_PERCENT}<extra></extra>",
    )
    return [band, line]
