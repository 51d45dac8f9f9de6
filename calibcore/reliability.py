"""Reliability: one row per bin, what was predicted beside what happened (V19 §4.4).

For a two-class problem a bin deviates by ``observed − predicted`` of the first
class, and its consistency bar comes from the exact Poisson-binomial law or from
redraws. For more classes the deviation is the total variation distance in the
bin, and the bar comes from redraws.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibcore import _compiled
from calibcore.binning import Binning, intervals
from calibcore.distances import total_variation
from calibcore.predictions import Float, InputError, Int, Predictions
from calibcore.resampling import first_class_chances, hits_distribution, quantile_of_counts, redrawn_labels


@dataclass(frozen=True, eq=False)
class Bins:
    """Cases per bin: everything a binned statistic needs that does not see labels.

    ``index (n,)`` is the row of each case's bin among the bins that hold cases;
    ``counts (n_bins,)``, ``mean_prediction (n_bins, m)``, ``numbers (n_bins,)``
    the binning's own numbers.
    """

    index: Int
    numbers: Int
    counts: Int
    mean_prediction: Float

    @property
    def n_bins(self) -> int:
        """Number of bins that hold cases."""
        return len(self.counts)

    def frequencies(self, labels: NDArray[np.integer]) -> Float:
        """(…, n) labels -> (…, n_bins, m) how often each class happened in each bin."""
        m = self.mean_prediction.shape[1]
        sets = _compiled.read_only(labels.reshape(-1, len(self.index)))
        hits = np.zeros((len(sets), self.n_bins, m), np.int64)
        _compiled.add_hits(_compiled.read_only(self.index), sets, hits)
        return hits.reshape(*labels.shape[:-1], self.n_bins, m) / self.counts[:, None]

    def frequencies_of_hits(self, hits: Int) -> Float:
        """(…, n_bins) cases of the first of two classes -> (…, n_bins, 2), as :meth:`frequencies` has it."""
        return np.asarray(np.stack([hits, self.counts - hits], axis=-1) / self.counts[:, None])

    def in_parts(self, labels: NDArray[np.integer]) -> list[NDArray[np.integer]]:
        """(B, n) labels in parts whose :meth:`frequencies` stay in the processor's cache, or one set."""
        cells = len(labels) * max(len(self.index), self.mean_prediction.size)
        return np.array_split(labels, max(1, min(len(labels), -(-cells // _CELLS))))

    @cached_property
    def rows(self) -> Int:
        """(n,) row numbers, bin by bin."""
        narrow = self.index.astype(np.uint16) if self.n_bins < 2**16 else self.index  # sorted by radix
        return np.argsort(narrow, kind="stable")

    @cached_property
    def starts(self) -> Int:
        """(n_bins,) where each bin begins among :attr:`rows`."""
        return np.cumsum(self.counts) - self.counts

    def hit_laws(self, chances: Float) -> list[Float]:
        """Per bin the law of its number of hits, ``chances (n,)`` case by case. Cost O(n log n)."""
        p = chances[self.rows]

        def some(bins: Int) -> list[Float]:
            return [hits_distribution(p[self.starts[b] :][: self.counts[b]]) for b in bins]

        groups = np.array_split(np.arange(self.n_bins), min(self.n_bins, 32))
        return [law for laws in _compiled.in_threads(some, groups) for law in laws]


def bins_of(probs: Float, binning: Binning) -> Bins:
    """(n, m) predictions -> their bins. Cost O(nm) beside the binning's own."""
    return bins_by_number(probs, binning.assign(probs))


def bins_by_number(probs: Float, number: Int) -> Bins:
    """(n, m) predictions and the (n,) number of each one's bin -> the bins that hold cases."""
    n, m = probs.shape
    g, number = _compiled.read_only(probs), _compiled.read_only(number)
    if number.max() < 4 * n + 1000:
        held = np.bincount(number)
        numbers, place = np.flatnonzero(held), np.cumsum(held > 0) - 1
        counts = held[numbers]
    else:
        numbers, number, counts = np.unique(number, return_inverse=True, return_counts=True)
        number, place = _compiled.read_only(number), np.arange(len(numbers))
    index = np.empty(n, np.int64)
    # Small tables are added up block by block, in threads; large ones would cost more than the rows.
    parts = _compiled.blocks(n) if 4 * len(numbers) * m < _compiled.ROWS else [slice(n)]
    sums = np.zeros((len(parts), len(numbers), m))

    def add(b: int) -> None:
        rows = parts[b]
        _compiled.add_rows(number[rows], place, g[rows], index[rows], sums[b])

    _compiled.in_threads(add, range(len(parts)))
    return Bins(index, numbers.astype(np.int64), counts, sums.sum(axis=0) / counts[:, None])


@dataclass(frozen=True, eq=False)
class Reliability:
    """One entry per bin that holds cases, in the order of the bins' first-class prediction.

    Attributes
    ----------
    class_names : m names
    counts : (n_bins,) cases
    lowest, highest : (n_bins,) smallest and largest first-class prediction in the bin
    mean_prediction, observed : (n_bins, m)
    deviation : (n_bins,) observed − predicted of the first class; total variation for m ≥ 3
    low, high : (n_bins,) where the deviation lies under calibration, at the interval's levels
    outside : (n_bins,) whether the deviation lies strictly outside; for m ≥ 3 only above, as a small
        total variation speaks for calibration
    histogram : (40,) cases by first-class prediction, in 40 equal intervals of [0, 1]
    expected_outside : how many bins chance alone puts outside
    interval : the two levels
    bars : "exact" (Poisson-binomial) or "resampled"
    """

    class_names: tuple[str, ...]
    counts: Int
    lowest: Float
    highest: Float
    mean_prediction: Float
    observed: Float
    deviation: Float
    low: Float
    high: Float
    outside: NDArray[np.bool_]
    histogram: Int
    expected_outside: float
    interval: tuple[float, float]
    bars: str

    @property
    def n_bins(self) -> int:
        """Number of bins that hold cases."""
        return len(self.counts)

    def only(self, bins: Int) -> "Reliability":
        """The same with only ``bins``, in that order; the summary numbers stay those of all."""
        per_bin = {name: getattr(self, name)[bins] for name in COLUMNS if name != "histogram"}
        return replace(self, **per_bin)


COLUMNS = (
    "counts", "lowest", "highest", "mean_prediction", "observed", "deviation", "low", "high", "outside",
    "histogram",
)  # fmt: skip
HISTOGRAM_BINS = 40
_CELLS = 200_000
BARS = ("exact", "resampled")


def check_bars(bars: str) -> None:
    """Raises :class:`InputError` for an unknown kind of consistency bars."""
    if bars not in BARS:
        raise InputError(f"There are no {bars!r} bars; expected one of {', '.join(BARS)}.")


def check_interval(interval: tuple[float, float]) -> None:
    """Raises :class:`InputError` unless 0 < low < high < 1."""
    low, high = interval
    if not 0 < low < high < 1:
        raise InputError(f"The interval is {low:g} to {high:g}; expected 0 < low < high < 1.")


def reliability(
    predictions: Predictions,
    binning: Binning,
    interval: tuple[float, float] = (0.05, 0.95),
    bars: str = "exact",
    n_resamples: int = 999,
    rng: np.random.Generator | None = None,
) -> Reliability:
    """Bin the predictions and say where each bin's deviation would lie under calibration.

    Parameters
    ----------
    interval : levels of the consistency bars; the bar is [q(low), q(high)]
    bars : "exact" for two classes; "resampled" redraws labels from the fixed predictions
        (always so for m ≥ 3). Cost O(n log n) exact, O(nm) a redraw.
    rng : for the redraws; that of seed 0 if left out

    Raises
    ------
    InputError : an interval that is none, an unknown kind of bars, fewer than 1 redraw.
    """
    check_interval(interval)
    check_bars(bars)
    if n_resamples < 1:
        raise InputError(f"The number of redraws is {n_resamples}; expected 1 or more.")
    p = predictions.probs
    bins = bins_of(p, binning)
    observed = bins.frequencies(predictions.labels)
    two = predictions.m == 2
    if two and bars == "exact":
        deviation = observed[:, 0] - bins.mean_prediction[:, 0]
        low, high, outside, expected = _exact_bars(predictions, bins, interval)
    else:
        deviation = _deviation(observed, bins)
        low, high, outside, expected = _resampled_bars(
            predictions, bins, deviation, interval, n_resamples, rng or np.random.default_rng(0)
        )
        bars = "resampled"
    first_class = p[bins.rows, 0]
    lowest = np.minimum.reduceat(first_class, bins.starts)
    highest = np.maximum.reduceat(first_class, bins.starts)
    order = np.lexsort((bins.numbers, bins.mean_prediction[:, 0]))
    return Reliability(
        predictions.class_names,
        bins.counts[order],
        lowest[order],
        highest[order],
        bins.mean_prediction[order],
        observed[order],
        deviation[order],
        low[order],
        high[order],
        outside[order],
        _histogram(p),
        expected,
        interval,
        bars,
    )


def _histogram(probs: Float) -> Int:
    """(40,) cases by first-class prediction; an interval holds its left end, the last one both."""
    inner = np.arange(1, HISTOGRAM_BINS) / HISTOGRAM_BINS
    below = np.nextafter(inner, 0.0)  # edge ≤ p just where the double before it is < p
    return np.bincount(intervals(probs, below), minlength=HISTOGRAM_BINS).astype(np.int64)


def _deviation(observed: Float, bins: Bins) -> Float:
    if observed.shape[-1] == 2:
        return np.asarray(observed[..., 0] - bins.mean_prediction[:, 0])
    return total_variation(observed, bins.mean_prediction)


Bars = tuple[Float, Float, NDArray[np.bool_], float]


def _exact_bars(predictions: Predictions, bins: Bins, interval: tuple[float, float]) -> Bars:
    """Quantiles of the Poisson-binomial number of hits; outside is decided on whole counts."""
    hits = np.bincount(bins.index[predictions.labels == 0], minlength=bins.n_bins)
    quantiles = np.empty((bins.n_bins, 2), np.int64)
    expected = 0.0
    for b, law in enumerate(bins.hit_laws(first_class_chances(predictions.probs))):
        below, above = (quantile_of_counts(law, level) for level in interval)
        quantiles[b] = below, above
        expected += float(law[:below].sum() + law[above + 1 :].sum())
    low, high = (quantiles / bins.counts[:, None] - bins.mean_prediction[:, :1]).T
    outside = (hits < quantiles[:, 0]) | (hits > quantiles[:, 1])
    return low, high, outside, expected


def _resampled_bars(
    predictions: Predictions,
    bins: Bins,
    deviation: Float,
    interval: tuple[float, float],
    n_resamples: int,
    rng: np.random.Generator,
) -> Bars:
    """Quantiles over redraws of the labels from the fixed predictions."""
    drawn = np.concatenate(
        [
            part
            for block in redrawn_labels(predictions, n_resamples, rng)
            for part in _compiled.in_threads(
                lambda labels: _deviation(bins.frequencies(labels), bins), bins.in_parts(block)
            )
        ]
    )
    low, high = np.quantile(drawn, interval, axis=0, method="inverted_cdf")
    slack = 1e-12  # the same count gives the same deviation up to rounding

    def outside(found: Float) -> NDArray[np.bool_]:
        above = np.asarray(found > high + slack)
        below = np.asarray(found < low - slack)
        return above | below if predictions.m == 2 else above

    return low, high, outside(deviation), float(outside(drawn).mean(axis=0).sum())
