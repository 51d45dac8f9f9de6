"""Bootstrap intervals of an estimate. They promise no coverage."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.bins import bins_of
from calibcore.errors import InputError
from calibcore.estimators import Progress
from calibcore.estimators.ece import ECE
from calibcore.numerics import distances
from calibcore.numerics.poisson_binomial import check_level
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Int

LABEL = "approximate, promises no coverage"
_COUNTS_BYTES = 32_000_000


@dataclass(frozen=True)
class BootstrapInterval:
    """Percentile interval at ``level``; ``label`` says what it promises: nothing.

    A calibration error is biased (upwards where the model is calibrated), and a bootstrap sample,
    with its cases drawn twice, more so: the interval may lie above the truth, and even above the estimate.
    """

    low: float
    high: float
    level: float
    n_resamples: int
    label: str = LABEL


def bootstrap_interval(
    estimator: Callable[[Predictions], float],
    predictions: Predictions,
    n_resamples: int,
    rng: Seed,
    level: float = 0.95,
    progress: Progress | None = None,
) -> BootstrapInterval:
    """Cases resampled with replacement, the estimator computed anew, percentiles (Efron 1979).

    Of pairs of a case and a label all those of a case come along with it. Cost: ``n_resamples`` estimates;
    for an ECE with bins that do not depend on the cases, O(nm) each.

    Raises
    ------
    InputError : fewer than 2 resamples, a level outside 0..1, weights, or what the estimator raises.
    """
    check_level(level)
    refuse_weights(predictions)
    rng = generator_of(rng)
    if n_resamples < 2:
        raise InputError(f"The number of resamples is {n_resamples}; expected 2 or more.")
    draw = _Draw(predictions)
    if isinstance(estimator, ECE) and not estimator.binning.adaptive:
        resampled = _resampled_ece(estimator, predictions, draw, n_resamples, rng, progress)
    else:
        resampled = np.empty(n_resamples)
        for b in range(n_resamples):
            resampled[b] = estimator(predictions.with_rows(draw.rows(rng)))
            if progress is not None:
                progress((b + 1) / n_resamples)
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(low), float(high), level, n_resamples)


class _Draw:
    """Which rows are drawn: each by itself, or all pairs of a case together."""

    def __init__(self, predictions: Predictions) -> None:
        self.n, self._case_of = predictions.n, None
        if predictions.case_of is not None:
            cases, self._case_of = np.unique(predictions.case_of, return_inverse=True)
            self._order = np.argsort(self._case_of, kind="stable")
            self._sizes = np.bincount(self._case_of)
            self._starts = np.cumsum(self._sizes) - self._sizes
            self.n = len(cases)

    def rows(self, rng: np.random.Generator) -> Int:
        """The rows that are drawn, those drawn twice twice."""
        drawn = rng.integers(self.n, size=self.n)
        if self._case_of is None:
            return drawn
        sizes = self._sizes[drawn]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.asarray(self._order[np.repeat(self._starts[drawn], sizes) + within])

    def times(self, rng: np.random.Generator) -> Int:
        """(rows,) how often each row is drawn."""
        times = np.bincount(rng.integers(self.n, size=self.n), minlength=self.n)
        return times if self._case_of is None else times[self._case_of]


def _resampled_ece(
    ece: ECE,
    predictions: Predictions,
    draw: _Draw,
    n_resamples: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> Float:
    """The same from how often each case was drawn: sums over bins are one sparse product."""
    n, m = predictions.n, predictions.m
    bins = bins_of(predictions.probs, ece.binning)
    cases = np.arange(n)
    predicted_sums = [(bins.index * (2 * m) + k, cases, predictions.probs[:, k]) for k in range(m)]
    outcomes = (bins.index * (2 * m) + m + predictions.labels, cases, np.ones(n))
    cells, columns, values = (np.concatenate(part) for part in zip(*predicted_sums, outcomes, strict=True))
    sums = csr_array((values, (cells, columns)), shape=(bins.n_bins * 2 * m, n))
    d = distances.distance(ece.distance)
    out = np.empty(n_resamples)
    block = max(1, _COUNTS_BYTES // (8 * max(n, sums.shape[0])))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        counts = np.empty((n, size))
        for b in range(size):
            counts[:, b] = draw.times(rng)
        parts = (sums @ counts).T.reshape(size, bins.n_bins, 2, m)
        numbers = parts[:, :, 1].sum(axis=-1)
        means = parts / np.maximum(numbers, 1)[:, :, None, None]
        gaps = (numbers * d(means[:, :, 1], means[:, :, 0])).sum(axis=1)
        out[start : start + size] = gaps / numbers.sum(axis=1)
        if progress is not None:
            progress((start + size) / n_resamples)
    return out
