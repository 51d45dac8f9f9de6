"""The marks of a reliability diagram: crosses with what their hover says, bars, whiskers, histogram, curve.

A cross is the larger the more of the cases its bin holds; beyond the scale it is a triangle at the edge.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import HISTOGRAM_BINS, Reliability
from calibcore.diagram.spread import Spread
from calibcore.figures import marks, style
from calibcore.figures.deviation_scale import DeviationScale
from calibcore.figures.probability_axis import ProbabilityAxis
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, percent, plural
from calibcore.words.diagram import beyond_words, interval_words
from calibcore.words.phrases import WEIGHTED, exact_percent, points

_PERCENT = "\N{NO-BREAK SPACE}%"
SMALLEST, LARGEST = 7.0, 18.0
"""Pixels of a cross whose bin holds hardly a case, and of one that holds all."""
WIDEST, NARROWEST = 0.03, 0.006
"""Of bars, as shares of the axis: wider than most crosses, so that a thin one is seen beside its cross."""


def cross_sizes(diagram: Reliability) -> Float:
    """(n_bins,) sides of the crosses in pixels: their area grows with the share of the cases."""
    share = diagram.counts / max(1, diagram.n_cases)
    return np.asarray(np.sqrt(SMALLEST**2 + (LARGEST**2 - SMALLEST**2) * share))


def histogram(diagram: Reliability, noun: str, theme: str, scale: float = 1.0) -> go.Bar:
    """How the first-class predictions are spread, ``scale`` long."""
    edges = np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS
    x, width = scale * (edges + 0.5 / HISTOGRAM_BINS), scale / HISTOGRAM_BINS
    shares = diagram.histogram / max(1, diagram.histogram.sum())
    words = [f"{percent(edge)} to {percent(edge + 1 / HISTOGRAM_BINS)}" for edge in edges]
    numbers = np.column_stack([edges, edges + 1 / HISTOGRAM_BINS, diagram.histogram])
    return _shares(x, shares, width, words, numbers, noun, theme)


def spread_histogram(spread: Spread, axis: ProbabilityAxis, noun: str, theme: str) -> go.Bar:
    """How the predictions are spread, on an axis in log-odds; the outermost bars hold all beyond."""
    places, last = axis.place(spread.edges), len(spread.counts) - 1
    words = [
        f"{'up' if i == 0 else share_words(spread.edges[i])} "
        f"{f'to {share_words(spread.edges[i + 1])}' if i < last else 'and more'}"
        for i in range(last + 1)
    ]
    x, width = (places[:-1] + places[1:]) / 2, np.diff(places)
    numbers = np.column_stack([spread.edges[:-1], spread.edges[1:], spread.counts])
    return _shares(x, spread.counts / spread.n, width, words, numbers, noun, theme)


def _shares(
    x: Float, y: Float, width: Float | float, words: list[str], numbers: Float, noun: str, theme: str
) -> go.Bar:
    """A bar for each of the intervals in ``words``; ``numbers`` (K, 3) are their ends and their cases."""
    return go.Bar(
        x=x,
        y=y,
        width=width,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        name="predicted",
        showlegend=False,
        text=words,
        textposition="none",
        customdata=numbers,
        hovertemplate=f"%{{text}}<br>%{{customdata[2]:,}} {plural(noun)}<extra></extra>",
    )


def share_words(probability: float) -> str:
    """With so many digits that what is nearly sure is told apart: "99.97 %", "0.03 %"."""
    nearest = min(probability, 1 - probability)
    digits = next((d for d in (1, 2, 3) if 100 * nearest >= 10 ** (1 - d)), 4)
    return percent(probability, digits)


def widths(x: Float, span: float = 1.0) -> Float:
    """Bars a little narrower than to the closest neighbour of each, within what is seen of ``span``."""
    order = np.argsort(x, kind="stable")
    gaps = np.diff(x[order], prepend=-np.inf, append=np.inf)
    closest = np.empty(len(x))
    closest[order] = np.minimum(gaps[:-1], gaps[1:])
    return np.clip(0.8 * closest, NARROWEST * span, WIDEST * span)


def bar_ends(diagram: Reliability, base: Float | float, scale: DeviationScale | None) -> tuple[Float, Float]:
    """(n_bins,) where the bars on top of ``base`` begin and end as they are drawn, in points."""
    low, high = 100 * (base + diagram.low), 100 * (base + diagram.high)
    if scale is None:
        return low, high
    said = diagram.mean_prediction[:, 0] if len(diagram.class_names) == 2 else np.zeros(diagram.n_bins)
    return scale.thick_enough(low, high, -100 * said, 100 * (1 - said))


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
    bars = marks.chance_bars(x, low, high - low, widths, bar_name(diagram), unselected=marks.AS_IT_IS)
    if outlined:
        bars.marker.color = "rgba(0,0,0,0)"
    return [bars]


def bar_name(diagram: Reliability) -> str:
    """What the key says of the bars."""
    low, high = diagram.interval
    if len(diagram.class_names) > 2:
        return f"if calibrated; above it at most {exact_percent(1 - high)} of the time"
    at_least = "at least" if diagram.bars == "exact" else "about"
    return f"if calibrated, {at_least} {exact_percent(high - low)} of the time"


def cross_name(diagram: Reliability, outside: bool) -> str:
    """What the key says of the crosses that are drawn strong, ``outside``, and of the pale ones."""
    if not diagram.has_bars:
        return "observed"
    where = "within" if not outside else "above" if len(diagram.class_names) > 2 else "outside"
    return f"observed, {where} what chance allows"


def crosses(
    x: Float,
    y: Float,
    diagram: Reliability,
    hovers: list[str],
    numbers: Int | None = None,
    whiskers: FrequencyIntervals | None = None,
    scale: DeviationScale | None = None,
    noun: str = "case",
) -> list[go.Scatter]:
    """A cross a bin; ``numbers`` are the bins' own where not all are drawn, ``whiskers`` their intervals.

    What lies beyond the ``scale`` of deviations is a triangle at its edge, and the key says how far.
    """
    own = np.arange(diagram.n_bins) if numbers is None else numbers
    sizes = cross_sizes(diagram)
    far = np.zeros(diagram.n_bins, np.bool_) if scale is None else scale.beyond(100 * y)

    def dots(chosen: Int, name: str, marker: dict[str, Any], places: Float, **how: Any) -> go.Scatter:
        texts, pale = [hovers[b] for b in chosen], {"marker": {"opacity": style.PALE}}
        bins = own[chosen][:, None]
        return marks.dots(
            x[chosen], places[chosen], marker, texts, name=name, customdata=bins, unselected=pale, **how
        )

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
        some = bool(len(chosen))
        traces.append(dots(chosen, name, marker, 100 * y, opacity=opacity, showlegend=some, error_y=error))
    if scale is not None and far.any():
        chosen = np.flatnonzero(far)
        marker = {
            "symbol": np.where(y[chosen] > 0, "triangle-up", "triangle-down").tolist(),
            "size": 11,
            "color": style.OBSERVED,
            "opacity": np.where(diagram.outside[chosen], 1.0, style.WITHIN).tolist(),
        }
        words = beyond_words(diagram, chosen, noun)
        traces.append(dots(chosen, words, marker, scale.placed(100 * y), cliponaxis=False))
    return traces


def drawn_intervals(intervals: FrequencyIntervals | None, whiskers: bool) -> FrequencyIntervals | None:
    """The intervals of frequencies that are drawn as ``whiskers``, if there are any."""
    return intervals if whiskers and intervals is not None and not intervals.withheld else None


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


def hover(diagram: Reliability, b: int, noun: str, frequencies: FrequencyIntervals | None = None) -> str:
    """What a cross says, two classes: predicted, happened, its interval, where it lies if calibrated."""
    low, high = diagram.lowest[b], diagram.highest[b]
    predicted = percent(low) if high == low else f"{percent(low)} to {percent(high)}"
    mean, seen = diagram.mean_prediction[b, 0], diagram.observed[b, 0]
    cases = count(int(diagram.counts[b]), noun)
    lines = [f"Model said {predicted}, {percent(mean)} on average"]
    if not diagram.has_bars:
        return "<br>".join([*lines, f"Happened {percent(seen)}{WEIGHTED[diagram.bars]} ({cases})"])
    lines.append(f"Happened {percent(seen)} ({round(float(diagram.counts[b] * seen)):,} of {cases})")
    if frequencies is not None and (interval := interval_words(frequencies, b)):
        lines.append(interval)
    lines.append(f"If calibrated: {percent(mean + diagram.low[b])} to {percent(mean + diagram.high[b])}")
    return "<br>".join(lines)


def hover_end(diagram: Reliability, b: int, noun: str) -> str:
    """The last lines of what a cross says, three or more classes."""
    cases = f"{count(int(diagram.counts[b]), noun)}, deviation {points(diagram.deviation[b])}"
    if not diagram.has_bars:
        return cases
    return f"{cases}<br>If calibrated: {100 * diagram.low[b]:.1f} to {points(diagram.high[b])}"


def curve_traces(curve: Curve | None, axis: ProbabilityAxis | None = None) -> list[go.Scatter]:
    """Band and line, as deviations in points over an ``axis``, or without one both in percent (classical)."""
    if curve is None:
        return []
    base = 0.0 if axis is None else curve.predicted
    x = 100 * curve.predicted if axis is None else axis.place(curve.predicted)
    seen, low, high = (100 * (ends - base) for ends in (curve.observed, curve.low, curve.high))
    one = len(x) == 1
    band = marks.band(x, low, high, band_name(curve), edge=6 if one else 0)
    line = go.Scatter(
        x=x,
        y=seen,
        mode="lines+markers" if one else "lines",
        line={"color": style.OBSERVED, "width": 2},
        marker={"color": style.OBSERVED, "size": 7},
        name=curve_name(curve),
        customdata=100 * np.column_stack([curve.predicted, curve.observed, curve.low, curve.high]),
        hovertemplate=f"{curve.kind.capitalize()} curve: predicted %{{customdata[0]:.1f}}{_PERCENT}, "
        f"observed %{{customdata[1]:.1f}}{_PERCENT}<br>If calibrated: %{{customdata[2]:.1f}}{_PERCENT} to "
        f"%{{customdata[3]:.1f}}{_PERCENT}<extra></extra>",
    )
    return [band, line]


def curve_name(curve: Curve) -> str:
    """What the key says of the line."""
    return f"{curve.kind} curve"


def band_name(curve: Curve) -> str:
    """What the key says of the band."""
    low, high = curve.interval
    return f"curve if calibrated, at each point about {percent(high - low, 0)} of the time"
