"""Bins of cases that come in slices, and for two classes the law of each bin's number of hits."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, UniformBinning
from calibcore.diagram.bins import Bins, bins_by_number
from calibcore.diagram.reliability import HISTOGRAM_BINS, first_class_range, histogram
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.poisson_binomial import hits_window
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.types import Float, Int

MOST_BINS = 10_000
"""Bins that may hold cases: each is kept with its redraws."""
_DROPPED = 1e-14
Law = tuple[int, Float]
"""The smallest count of hits, and the probabilities from there on."""


@dataclass(frozen=True, eq=False)
class Binned:
    """All bins that hold cases.

    bins : as :func:`~calibcore.diagram.bins.bins_of` makes them, but for ``index``, which is empty
    hits : (n_bins, m) how often each class happened
    lowest, highest : (n_bins,) first-class predictions
    histogram : (40,) as in :class:`~calibcore.diagram.reliability.Reliability`
    laws : of the number of hits, bin by bin; empty unless there are two classes
    """

    bins: Bins
    hits: Int
    lowest: Float
    highest: Float
    histogram: Int
    laws: tuple[Law, ...]


def tuples(probs: Float, binning: UniformBinning) -> Int:
    """(n, w) each tuple of intervals as w whole numbers that rise with it; w = 1 unless m is large.

    The numbers of :meth:`UniformBinning.assign` depend on which bins hold cases; these do not.
    """
    m = probs.shape[1]
    together = next(k for k in range(m, 0, -1) if binning.n_bins**k <= 2**62)
    keys = np.zeros((-(-m // together), len(probs)), np.int64)
    g = loops.read_only(probs)
    for word, first in zip(keys, range(0, m, together), strict=True):
        loops.interval_keys(g, first, min(first + together, m), binning.inner_edges, word)
    return np.ascontiguousarray(keys.T)


class BinTable:
    """Bins that fill up slice by slice; ``n_slices`` says into how many parts an error may be divided.

    Memory O(n_bins·m); the laws take O(√n) for each of the log₂(n_slices) that wait to be convolved.
    """

    def __init__(self, binning: Binning, m: int, n_slices: int) -> None:
        if binning.adaptive:
            raise InputError(
                f"{binning.kind} bins look at all predictions at once, which a file read in slices does not "
                "give. Take uniform or simplex bins."
            )
        self._binning, self._m, self._n_slices = binning, m, n_slices
        self._ids: dict[bytes, int] = {}
        self._counts = np.zeros(0, np.int64)
        self._sums, self._hits = np.zeros((0, m)), np.zeros((0, m), np.int64)
        self._lowest, self._highest = np.zeros(0), np.zeros(0)
        self._histogram = np.zeros(HISTOGRAM_BINS, np.int64)
        self._laws: list[list[tuple[int, Law]]] = []
        self._order = np.zeros(0, np.int64)

    def add(self, induced: Predictions) -> None:
        """A slice, as the lens shows it. Cost O(cm), and a sort of c."""
        g = induced.probs
        bins = bins_by_number(g, self._numbers(g, grow=True))
        numbers = bins.numbers
        hits = np.zeros((1, bins.n_bins, self._m), np.int64)
        index = loops.read_only(bins.index)
        loops.add_hits(index, loops.read_only(induced.labels[None]), hits)
        lowest, highest = first_class_range(g, bins)
        self._counts[numbers] += bins.counts
        self._sums[numbers] += bins.mean_prediction * bins.counts[:, None]
        self._hits[numbers] += hits[0]
        self._lowest[numbers] = np.minimum(self._lowest[numbers], lowest)
        self._highest[numbers] = np.maximum(self._highest[numbers], highest)
        self._histogram += histogram(g)
        if self._m == 2:
            self._add_laws(first_class_chances(g)[bins.rows], bins)

    def _numbers(self, probs: Float, grow: bool) -> Int:
        """(c,) the number of each prediction's bin, in the order in which bins were first seen."""
        binning = self._binning
        if isinstance(binning, UniformBinning) and self._m > 2:
            keys = tuples(probs, binning)
        else:
            keys = binning.assign(probs)[:, None]
        axis = None if keys.shape[1] == 1 else 0
        distinct, inverse = np.unique(keys, axis=axis, return_inverse=True)
        distinct = distinct.reshape(-1, keys.shape[1]).astype(">i8")  # bytes that rise as the numbers do
        ids = [self._id(key.tobytes(), grow) for key in distinct]
        if grow:
            self._make_room()
        return np.asarray(ids, np.int64)[inverse.ravel()]

    def _id(self, key: bytes, grow: bool) -> int:
        if grow and key not in self._ids:
            self._ids[key] = len(self._ids)
            if len(self._ids) > MOST_BINS:
                raise InputError(
                    f"More than {MOST_BINS:,} bins hold cases; a stream takes {MOST_BINS:,} at most. "
                    "Use fewer bins, or a lens with fewer classes."
                )
        return self._ids[key]

    def _make_room(self) -> None:
        more = len(self._ids) - len(self._counts)
        if not more:
            return
        self._counts = np.append(self._counts, np.zeros(more, np.int64))
        self._sums = np.vstack([self._sums, np.zeros((more, self._m))])
        self._hits = np.vstack([self._hits, np.zeros((more, self._m), np.int64)])
        self._lowest = np.append(self._lowest, np.full(more, np.inf))
        self._highest = np.append(self._highest, np.full(more, -np.inf))
        self._laws += [[] for _ in range(more)]

    def _add_laws(self, chances: Float, bins: Bins) -> None:
        p = loops.read_only(chances)
        dropped = _DROPPED / (2 * self._n_slices)

        def law(b: int) -> Law:
            start = bins.starts[b]
            return hits_window(p[start : start + bins.counts[b]], dropped)

        for number, own in zip(bins.numbers, loops.in_threads(law, range(bins.n_bins)), strict=True):
            waiting = self._laws[number]
            waiting.append((1, own))
            while len(waiting) > 1 and waiting[-1][0] == waiting[-2][0]:
                (size, left), (_, other) = waiting.pop(), waiting.pop()
                waiting.append((2 * size, self._convolved(left, other)))

    def _convolved(self, left: Law, other: Law) -> Law:
        first, law = left[0] + other[0], np.convolve(left[1], other[1])
        end = _DROPPED / (4 * self._n_slices)
        low = int(np.searchsorted(np.cumsum(law), end, side="right"))
        high = int(np.searchsorted(np.cumsum(law[::-1]), end, side="right"))
        return first + low, law[low : len(law) - high].copy()

    def finish(self) -> Binned:
        """The bins in the order of their keys, after the last slice."""
        order = np.asarray([self._ids[key] for key in sorted(self._ids)], np.int64)
        self._order = np.argsort(order)
        counts = self._counts[order]
        mean = self._sums[order] / counts[:, None]
        bins = Bins(np.empty(0, np.int64), counts, np.arange(len(order)), mean)
        laws = []
        for b in order if self._m == 2 else ():
            first, law = reduce(self._convolved, [law for _, law in reversed(self._laws[b])])
            laws.append((first, law / law.sum()))
        return Binned(
            bins, self._hits[order], self._lowest[order], self._highest[order], self._histogram, tuple(laws)
        )

    def index(self, probs: Float) -> Int:
        """(c,) the bins of a slice that was added before, by their places in :meth:`finish`."""
        return np.asarray(self._order[self._numbers(probs, grow=False)])
