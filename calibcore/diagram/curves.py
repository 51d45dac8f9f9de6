"""What happened as a curve over what was predicted, without bins, and where it lies if calibrated.

Two curves. Isotonic: the rising steps that fit the outcomes best (CORP; Dimitriadis, Gneiting & Jordan
2021). Smooth: the lowess line whose mean distance from the diagonal is the ICI (Austin & Steyerberg 2019);
its span is fixed and sees no outcome, so that it is linear in them. As a curve, and in each redraw, it ends
at 0 and 1, as frequencies do.

The band is a consistency band, not a confidence band: labels are redrawn from the fixed predictions, the
same curve is fitted to each set, and at each prediction the band holds the quantiles of these fits. It says
point by point where the curve of a calibrated model lies; over all points together it is left more often.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagram.bars import check_interval
from calibcore.diagram.bins import Bins, bins_by_number
from calibcore.diagram.two_classes import first_component, tied
from calibcore.errors import InputError
from calibcore.numerics.engine import look_up
from calibcore.numerics.lowess import Smoother
from calibcore.numerics.progress import Report
from calibcore.numerics.resampling import check_redraws, drawn_counts, first_class_chances
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Int
from calibcore.transforms.redraws import redrawn_labels

KINDS = ("isotonic", "smooth")
MOST_VALUES = 1_000
"""With more distinct predictions neighbours are pooled: this many groups of equally many cases …"""
PLACES = 200
"""… none of them wider than 1/200. From a fit to every prediction the isotonic curve then differs, on average
over the cases, by 2 to 5 % of its band's width (more at its steps), the smooth one by 0.2 points at most."""
_BLOCK = 500
"""Redraws fitted at a time."""
_SLACK = 1e-12
"""The same outcomes give the same curve up to rounding."""

Fit = Callable[[Float], Float]


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve at k predictions of the first class, and where it lies under calibration.

    Attributes
    ----------
    kind : "isotonic" or "smooth"
    counts : (k,) cases with that prediction
    predicted : (k,) rising
    observed : (k,) the curve: how often it happened, cut at 0 and 1
    low, high : (k,) where it lies under calibration, point by point, at the interval's levels
    outside : (k,) whether the curve lies strictly outside
    expected_outside : share of the cases where chance alone puts the curve outside, on average
    most_outside : the same at the upper level: chance puts more outside at most so much of the time; far
        above the average, as a curve leaves its band for many neighbours or for none
    interval : the two levels
    n_resamples : redraws
    """

    kind: str
    counts: Int
    predicted: Float
    observed: Float
    low: Float
    high: Float
    outside: NDArray[np.bool_]
    expected_outside: float
    most_outside: float
    interval: tuple[float, float]
    n_resamples: int

    @property
    def share_outside(self) -> float:
        """Share of the cases where the curve lies outside its band."""
        return float(self.counts @ self.outside / self.counts.sum())


def reliability_curve(
    predictions: Predictions,
    kind: str,
    interval: tuple[float, float] = (0.05, 0.95),
    n_resamples: int = 999,
    rng: Seed = 0,
    progress: Report | None = None,
) -> Curve:
    """The curve of what happened, two classes, with its consistency band.

    Exact up to 1,000 distinct predictions; with more, neighbours are pooled (:data:`MOST_VALUES`) before the
    curve is fitted, alike for what was observed and what is redrawn. Hits are drawn from their exact law.
    Cost O(n log n) and O(1,200) a redraw for the isotonic curve, O(200·1,200) for the smooth one; of
    pooled pairs O(n) a redraw.

    Parameters
    ----------
    kind : "isotonic" or "smooth"
    interval : levels of the band, point by point
    rng : for the redraws
    progress : is told which fraction is done; may raise to stop

    Raises
    ------
    InputError : an unknown kind, more than two classes, weighted cases, no interval, fewer than 1 redraw.
    """
    if kind not in KINDS:
        raise InputError(f"There is no curve {shown(kind)}; expected one of {', '.join(KINDS)}.")
    check_interval(interval)
    check_redraws(n_resamples)
    x = first_component(predictions, "A curve")
    cells = bins_by_number(predictions.probs, _cell_numbers(x))
    if kind == "isotonic":
        fit = _isotonic(cells)
    else:
        line = Smoother(cells.mean_prediction[:, 0], cells.counts, x).curve

        def fit(hits: Float) -> Float:
            return np.clip(line(hits), 0.0, 1.0)

    hits = np.bincount(cells.index, predictions.labels == 0).astype(np.float64)
    observed = fit(hits[None])[0]
    report = progress or look_up
    rng = generator_of(rng)
    hits = _drawn_hits(predictions, cells, n_resamples, rng, lambda done: report(done / 2))
    out = np.empty(hits.shape)
    for start in range(0, n_resamples, _BLOCK):
        out[start : start + _BLOCK] = fit(hits[start : start + _BLOCK])
        report(0.5 + min(start + _BLOCK, n_resamples) / n_resamples / 2)
    # A redraw is one of those that make its band, what was observed is not: against the others' band a
    # redraw is outside from one place further in.
    step = 0.999 / n_resamples
    levels = np.clip([*interval, interval[0] + step, interval[1] - step], 0, 1)
    low, high, *inner = np.quantile(out, levels, axis=0, method="inverted_cdf")
    shares = _outside(out, *inner) @ cells.counts / cells.counts.sum()
    return Curve(
        kind,
        cells.counts,
        cells.mean_prediction[:, 0],
        observed,
        low,
        high,
        _outside(observed, low, high),
        float(shares.mean()),
        float(np.quantile(shares, interval[1], method="inverted_cdf")),
        interval,
        n_resamples,
    )


def _outside(curves: Float, low: Float, high: Float) -> NDArray[np.bool_]:
    return np.asarray((curves < low - _SLACK) | (curves > high + _SLACK))


def _cell_numbers(x: Float) -> Int:
    """(n,) the number, rising with the prediction, of the group that each case is pooled into."""
    values, index, counts = tied(x)
    if len(values) <= MOST_VALUES:
        return index
    ranks = MOST_VALUES * (np.cumsum(counts) - counts) // len(x)
    places = (PLACES * values).astype(np.int64)
    return np.asarray((ranks + places)[index])  # both rise: the sum stays where both stay


def _isotonic(cells: Bins) -> Fit:
    counts = cells.counts.astype(np.float64)

    def fit(hits: Float) -> Float:
        rows = [isotonic_regression(row / counts, weights=counts).x for row in hits]
        return np.clip(rows, 0.0, 1.0)

    return fit


def _drawn_hits(
    predictions: Predictions, cells: Bins, n_resamples: int, rng: np.random.Generator, report: Report
) -> Float:
    """(B, k) hits of each cell with labels redrawn from the fixed predictions."""
    if predictions.rows_are_cases:
        laws = cells.hit_laws(first_class_chances(predictions.chances))
        return drawn_counts([np.cumsum(law) for law in laws], n_resamples, rng).astype(np.float64)
    out = np.empty((n_resamples, cells.n_bins))
    done = 0
    for block in redrawn_labels(predictions, n_resamples, rng):  # a case's pairs are drawn together
        out[done : done + len(block)] = cells.frequencies(block)[..., 0] * cells.counts
        done += len(block)
        report(done / n_resamples)
    return out
