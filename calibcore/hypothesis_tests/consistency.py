"""Consistency resampling: predictions resampled, labels drawn from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.diagram.bins import Bins, bins_of
from calibcore.estimators import Progress
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.result import TestResult, monte_carlo_pvalue
from calibcore.numerics import loops
from calibcore.numerics.resampling import check_redraws, class_edges, draw_labels, first_class_chances
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Int

_GROUP = 512
_TOGETHER = 8
_GROUPS = 64
_CELLS = 500_000


@dataclass(frozen=True)
class ConsistencyTest:
    """Consistency resampling (Bröcker & Smith 2007; V19 §4.2): predictions resampled, labels drawn.

    No promise: with sparse bins it rejects every calibrated model (W19 Fig. 2).
    For comparison with the literature. Cost: B estimates; over bins that do not
    depend on the other cases O(nm) a resample, and two classes a few ns a case.

    >>> import numpy as np
    >>> from calibcore import ECE, ConsistencyTest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> ConsistencyTest(ECE(), n_resamples=99)(p, np.random.default_rng(0))
    TestResult(statistic=0.4, pvalue=0.01, method='consistency resampling', promise='none', n_resamples=99)
    """

    estimator: ECE | MCE | SKCE
    n_resamples: int = 999

    def __call__(
        self, predictions: Predictions, rng: Seed = None, progress: Progress | None = None
    ) -> TestResult:
        """Promise "none". Of pooled predictions the cases are resampled; weighted ones are refused."""
        check_redraws(self.n_resamples)
        refuse_untested(predictions)
        rng = generator_of(rng)
        # The bandwidth is found once, on the predictions as given.
        estimator = self.estimator
        estimator = estimator.resolved(predictions) if isinstance(estimator, SKCE) else estimator
        parts = []
        done = 0
        for part in _drawn(estimator, predictions, self.n_resamples, rng):
            parts.append(part)
            done += len(part)
            if progress is not None:
                progress(done / self.n_resamples)
        null = np.concatenate(parts)
        statistic = estimator(predictions)
        pvalue = monte_carlo_pvalue(statistic, null)
        return TestResult(statistic, pvalue, "consistency resampling", "none", null, self.n_resamples)


def _drawn(
    estimator: ECE | MCE | SKCE, predictions: Predictions, n_resamples: int, rng: np.random.Generator
) -> Iterator[Float]:
    """The null distribution in parts."""
    if isinstance(estimator, SKCE) or estimator.binning.adaptive or not predictions.rows_are_cases:
        cases = predictions.cases
        for _ in range(n_resamples):
            rows = rng.integers(cases.n, size=cases.n)
            labels = draw_labels(cases.chances[rows], rng)
            yield np.array([estimator(predictions.with_cases(rows, labels))])
        return
    bins = bins_of(predictions.probs, estimator.binning)
    if predictions.m == 2 and not len(predictions.kept):
        drawn = resampled_pairs(predictions.probs, bins, n_resamples, rng)
    else:
        drawn = resampled_rows(predictions.probs, bins, n_resamples, rng, predictions.chances)
    for part in drawn:
        parts = loops.blocks(len(part.counts), max(1, _CELLS // part.sums[0].size // 4))
        yield np.concatenate(loops.in_threads(partial(_of_resampled, estimator, part), parts))


def _of_resampled(estimator: ECE | MCE, resampled: "Resampled", part: slice) -> Float:
    counts = resampled.counts[part]
    cases = np.maximum(counts, 1)[..., None]
    return estimator.of_bins(resampled.hits[part] / cases, resampled.sums[part] / cases, counts)


@dataclass(frozen=True, eq=False)
class Resampled:
    """R resamples of all cases over fixed bins, and labels drawn from them.

    ``counts (R, n_bins)`` cases, ``sums (R, n_bins, m)`` of their predictions, ``hits (R, n_bins, m)``
    labels; a bin without cases has zeros.
    """

    counts: Int
    sums: Float
    hits: Int


def resampled_rows(
    probs: Float, bins: Bins, n_resamples: int, rng: np.random.Generator, chances: Float | None = None
) -> Iterator[Resampled]:
    """Cases with replacement, then labels from them or from their (n, m) ``chances``; O(nm) a resample."""
    n, m = probs.shape
    index, g = loops.read_only(bins.index), loops.read_only(probs)
    edges = loops.read_only(class_edges(probs if chances is None else chances))
    block = max(4, _CELLS // max(n, bins.n_bins * m))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        rows, u = np.empty((size, n), np.int64), np.empty((size, n))
        for r in range(size):
            rows[r], u[r] = rng.integers(n, size=n), rng.random(n)
        counts = np.zeros((size, bins.n_bins), np.int64)
        sums, hits = np.zeros((size, bins.n_bins, m)), np.zeros((size, bins.n_bins, m), np.int64)
        numbers = (rows, u, counts, sums, hits)
        loops.in_threads(
            lambda part, numbers=numbers: loops.add_resampled(  # type: ignore[misc]
                index, g, edges, *(array[part] for array in numbers)
            ),
            loops.blocks(size, max(1, loops.ROWS // n)),
        )
        yield Resampled(counts, sums, hits)


def resampled_pairs(
    probs: Float, bins: Bins, n_resamples: int, rng: np.random.Generator
) -> Iterator[Resampled]:
    """The same law for two classes: how many cases of every group, then which and with what label.

    A group is at most 512 cases of one bin, which the processor's cache holds over eight resamples,
    and these have a stream of their own, spawned from ``rng``. A 32-bit number draws a case and its
    label: the chance of each is off by less than 512/2³². The predictions that are added up are
    row/sum, to 32 bits. Cost O(n) a resample.
    """
    n = len(probs)
    chances = np.rint(first_class_chances(probs)[bins.rows] * 2.0**32).astype(np.uint64)
    groups = -(-bins.counts // _GROUP)
    first = np.cumsum(groups) - groups
    place = np.arange(n) - np.repeat(bins.starts, bins.counts)
    sizes = np.bincount(np.repeat(first, bins.counts) + place // _GROUP)
    starts = np.cumsum(sizes) - sizes

    def pairs_of(size: int, stream: np.random.Generator) -> Resampled:
        draws = stream.multinomial(n, sizes / n, size=size)
        out = np.empty((size, len(sizes), 2), np.int64)
        for part in loops.blocks(len(sizes), _GROUPS):
            words = stream.integers(2**64, size=(draws[:, part].sum() + 1) // 2, dtype=np.uint64)
            loops.add_drawn_pairs(
                words.view(np.uint32), starts[part], sizes[part], draws[:, part], chances, out[:, part]
            )
        out = np.add.reduceat(out, first, axis=1)
        counts, hits, sums = np.add.reduceat(draws, first, axis=1), out[..., 0], out[..., 1] / 2.0**32
        return Resampled(
            counts, np.stack([sums, counts - sums], axis=-1), np.stack([hits, counts - hits], axis=-1)
        )

    left = [min(_TOGETHER, n_resamples - start) for start in range(0, n_resamples, _TOGETHER)]
    streams = list(zip(left, rng.spawn(len(left)), strict=True))
    for start in range(0, len(streams), _TOGETHER):
        yield from loops.in_threads(lambda args: pairs_of(*args), streams[start : start + _TOGETHER])
