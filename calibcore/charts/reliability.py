"""The reliability diagram (V19 Fig. 4): deviations, consistency bars, and how predictions are spread.

A cross is the larger the more of the cases its bin holds; beyond the scale it is a triangle at the edge.
"""

from dataclasses import dataclass

import numpy as np

from calibcore.charts.deviation_scale import DeviationScale
from calibcore.charts.probability_axis import ProbabilityAxis
from calibcore.charts.style import short
from calibcore.diagram.curves import Curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import HISTOGRAM_BINS, Reliability
from calibcore.diagram.spread import Spread
from calibcore.numerics.types import Float
from calibcore.wording import count, percent, plural
from calibcore.words.diagram import interval_words
from calibcore.words.phrases import WEIGHTED, exact_percent, points, top_bins

HAPPENED = "How often it happened"
DISTANCE = "Distance between predicted and observed in the bin, points"
SMALLEST, LARGEST = 7.0, 18.0
"""Pixels of a cross whose bin holds hardly a case, and of one that holds all."""
WIDEST, NARROWEST = 0.03, 0.006
"""Of bars, as shares of the axis: wider than most crosses, so that a thin one is seen beside its cross."""


def cross_sizes(diagram: Reliability) -> Float:
    """(n_bins,) sides of the crosses in pixels: their area grows with the share of the cases."""
    share = diagram.counts / max(1, diagram.n_cases)
    return np.asarray(np.sqrt(SMALLEST**2 + (LARGEST**2 - SMALLEST**2) * share))


@dataclass(frozen=True, eq=False)
class Shares:
    """How predictions are spread: K bars.

    x, width : their middles (K,) and how wide they are, in the units of the axis
    shares (K,) : of all cases
    words : where each lies
    holds (K, 3) : the predictions that it holds, from and to, and how many; None where a bar is a place
    """

    x: Float
    width: Float | float
    shares: Float
    words: list[str]
    holds: Float | None = None


def histogram(diagram: Reliability, scale: float = 1.0) -> Shares:
    """How the first-class predictions are spread, on an even axis ``scale`` long."""
    low, step = np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS, 1 / HISTOGRAM_BINS
    shares = diagram.histogram / max(1, diagram.histogram.sum())
    words = [f"{percent(edge)} to {percent(edge + step)}" for edge in low]
    x, width = scale * (low + 0.5 / HISTOGRAM_BINS), scale / HISTOGRAM_BINS
    return Shares(x, width, shares, words, np.column_stack([low, low + step, diagram.histogram]))


def spread_histogram(spread: Spread, axis: ProbabilityAxis) -> Shares:
    """How the predictions are spread, on an axis in log-odds; the outermost bars hold all beyond."""
    places, last = axis.place(spread.edges), len(spread.counts) - 1
    words = [
        f"{'up' if i == 0 else share_words(spread.edges[i])} "
        f"{f'to {share_words(spread.edges[i + 1])}' if i < last else 'and more'}"
        for i in range(last + 1)
    ]
    x, width = (places[:-1] + places[1:]) / 2, np.diff(places)
    holds = np.column_stack([spread.edges[:-1], spread.edges[1:], spread.counts])
    return Shares(x, width, spread.counts / spread.n, words, holds)


def share_words(probability: float) -> str:
    """With so many digits that what is nearly sure is told apart: "99.97 %", "0.03 %"."""
    nearest = min(probability, 1 - probability)
    digits = next((d for d in (1, 2, 3) if 100 * nearest >= 10 ** (1 - d)), 4)
    return percent(probability, digits)


def share_of(noun: str) -> str:
    """What the axis of the histogram says."""
    return f"Share of {plural(noun)}"


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
    predicted = diagram.mean_prediction[:, 0] if len(diagram.class_names) == 2 else np.zeros(diagram.n_bins)
    return scale.thick_enough(low, high, -100 * predicted, 100 * (1 - predicted))


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


def drawn_intervals(intervals: FrequencyIntervals | None, whiskers: bool) -> FrequencyIntervals | None:
    """The intervals of frequencies that are drawn as ``whiskers``, if there are any."""
    return intervals if whiskers and intervals is not None and not intervals.withheld else None


def hover(
    diagram: Reliability, b: int, noun: str, frequencies: FrequencyIntervals | None = None
) -> tuple[str, ...]:
    """What a cross says, in lines: predicted, happened, its interval, where it lies if calibrated."""
    noun = short(noun)
    if len(diagram.class_names) > 2:
        return _hover_of_many(diagram, b, noun)
    low, high = diagram.lowest[b], diagram.highest[b]
    predicted = percent(low) if high == low else f"{percent(low)} to {percent(high)}"
    mean, seen = diagram.mean_prediction[b, 0], diagram.observed[b, 0]
    cases = count(int(diagram.counts[b]), noun)
    lines = [f"Model said {predicted}, {percent(mean)} on average"]
    if not diagram.has_bars:
        return (*lines, f"Happened {percent(seen)}{WEIGHTED[diagram.bars]} ({cases})")
    lines.append(f"Happened {percent(seen)} ({round(float(diagram.counts[b] * seen)):,} of {cases})")
    if frequencies is not None and (interval := interval_words(frequencies, b)):
        lines.append(interval)
    lines.append(f"If calibrated: {percent(mean + diagram.low[b])} to {percent(mean + diagram.high[b])}")
    return tuple(lines)


def _hover_of_many(diagram: Reliability, b: int, noun: str) -> tuple[str, ...]:
    names = tuple(map(short, diagram.class_names))
    lines = (
        f"Predicted: {top_bins(diagram.mean_prediction[b].tolist(), names)}",
        f"Happened: {top_bins(diagram.observed[b].tolist(), names)}",
        f"{count(int(diagram.counts[b]), noun)}, deviation {points(diagram.deviation[b])}",
    )
    if not diagram.has_bars:
        return lines
    return (*lines, f"If calibrated: {100 * diagram.low[b]:.1f} to {points(diagram.high[b])}")


def curve_ends(curve: Curve, base: Float | float) -> tuple[Float, Float, Float]:
    """In points above ``base`` the curve, and the ends of its band."""
    return 100 * (curve.observed - base), 100 * (curve.low - base), 100 * (curve.high - base)


def curve_name(curve: Curve) -> str:
    """What the key says of the line."""
    return f"{curve.kind} curve"


def band_name(curve: Curve) -> str:
    """What the key says of the band."""
    low, high = curve.interval
    return f"curve if calibrated, at each point about {percent(high - low, 0)} of the time"
