"""Cases per bin: what every binned statistic and diagram is made of, without labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, UniformBinning
from calibcore.numerics import loops, picking
from calibcore.numerics.distances import DEFAULT, distance
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.numerics.resampling import distances_of, first_class_chances
from calibcore.numerics.types import Float, Int, Labels

_CACHED, _CELLS = 200_000, 2_000_000
DEVIATION = "deviation"
"""Beside the names of distances: the observed frequency of the first class less the predicted one."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells that all hold cases: ``index (n,)`` the cell of each, from 0, and ``counts (cells,)``."""

    index: Int
    counts: Int

    @cached_property
    def rows(self) -> Int:
        """(n,) row numbers, cell by cell."""
        narrow = self.index.astype(np.uint16) if len(self.counts) < 2**16 else self.index  # sorted by radix
        return np.argsort(narrow, kind="stable")

    @cached_property
    def starts(self) -> Int:
        """(cells,) where each begins among :attr:`rows`."""
        return np.cumsum(self.counts) - self.counts

    @property
    def groups(self) -> list[Int]:
        """The row numbers of each cell."""
        return np.split(self.rows, self.starts[1:])

    def sums(self, values: NDArray[np.generic]) -> Float:
        """(…, n) -> (…, cells), for any number of label sets. Cost O(n) a set."""
        kind = np.float64 if values.dtype.kind == "f" else np.int64
        return np.asarray(np.add.reduceat(values[..., self.rows], self.starts, axis=-1, dtype=kind), float)


@dataclass(frozen=True, eq=False)
class Bins(Cells):
    """Cases per bin: everything a binned statistic needs that does not see labels.

    ``numbers (n_bins,)`` are the binning's own, of the bins that hold cases; ``mean_prediction (n_bins, m)``.
    """

    numbers: Int
    mean_prediction: Float

    @property
    def n_bins(self) -> int:
        """Number of bins that hold cases."""
        return len(self.counts)

    def frequencies(self, labels: Labels) -> Float:
        """(…, n) labels -> (…, n_bins, m) how often each class happened in each bin."""
        m = self.mean_prediction.shape[1]
        sets = loops.read_only(labels.reshape(-1, len(self.index)))
        hits = np.zeros((len(sets), self.n_bins, m), np.int64)
        loops.add_hits(loops.read_only(self.index), sets, hits)
        return hits.reshape(*labels.shape[:-1], self.n_bins, m) / self.counts[:, None]

    @property
    def measure(self) -> str:
        """What bars are about: the deviation of two classes, the total variation of more."""
        return DEVIATION if self.mean_prediction.shape[1] == 2 else DEFAULT

    def distances(self, frequencies: Float, name: str) -> Float:
        """(…, n_bins, m) frequencies -> (…, n_bins) distances from the mean predictions, or deviations."""
        if name == DEVIATION:
            return np.asarray(frequencies[..., 0] - self.mean_prediction[:, 0])
        return distance(name)(frequencies, self.mean_prediction)

    def of_distances(self, labels: Labels, work: Callable[[Float], Float], name: str) -> Float:
        """(S, n) labels -> (S, …) what ``work`` makes of (s, n_bins) distances to the mean predictions.

        Some label sets at a time, in threads. Cost O(n + n_bins·m) a set; total variation over many classes
        O(n), as :func:`.loops.add_distances`.
        """
        sparse = name == DEFAULT and self.mean_prediction.shape[1] > picking.FEW_EDGES

        def of_some(labels: Labels) -> Float:
            if sparse:
                return work(distances_of(labels, self.rows, self.starts, self.counts, self.mean_prediction))
            return work(self.distances(self.frequencies(labels), name))

        return np.concatenate(loops.in_threads(of_some, self.in_parts(labels, tables=not sparse)))

    def frequencies_of_hits(self, hits: Int) -> Float:
        """(…, n_bins) cases of the first of two classes -> (…, n_bins, 2), as :meth:`frequencies` has it."""
        return np.asarray(np.stack([hits, self.counts - hits], axis=-1) / self.counts[:, None])

    def in_parts(self, labels: Labels, tables: bool = True) -> list[Labels]:
        """(B, n) labels in parts that stay in the processor's cache, or one set.

        ``tables``: with their :meth:`frequencies`.
        """
        return in_parts(labels, self.mean_prediction.size if tables else 0, _CACHED)

    def hit_laws(self, chances: Float) -> list[Float]:
        """Per bin the law of its number of hits, ``chances (n,)`` case by case. Cost O(n log n)."""
        p = chances[self.rows]

        def laws_of(bins: Int) -> list[Float]:
            return [hits_distribution(p[self.starts[b] :][: self.counts[b]]) for b in bins]

        groups = np.array_split(np.arange(self.n_bins), min(self.n_bins, 32))
        return [law for laws in loops.in_threads(laws_of, groups) for law in laws]


def in_parts(labels: Labels, width: int, cells: int | None = None) -> list[Labels]:
    """(B, n) labels in parts of so many ``cells``, by default 16 MB, at ``width`` a set, or of one set."""
    parts = -(-len(labels) * max(labels.shape[1], width) // (_CELLS if cells is None else cells))
    return np.array_split(labels, max(1, min(len(labels), parts)))


_LAWS: "WeakKeyDictionary[Predictions, dict[Binning, list[Float]]]" = WeakKeyDictionary()


def hit_laws(predictions: Predictions, binning: Binning, bins: Bins) -> list[Float]:
    """Per bin the law of its number of hits, of two classes, kept as long as predictions are: several ask."""
    laws = _LAWS.setdefault(predictions, {})
    if binning not in laws and predictions.pooled_from is not None:
        laws[binning] = [hits_distribution(chances) for chances in pooled_hit_chances(predictions, bins)]
    elif binning not in laws:
        laws[binning] = bins.hit_laws(first_class_chances(predictions.chances))
    return laws[binning]


def pooled_hit_chances(predictions: Predictions, bins: Bins) -> list[Float]:
    """Per bin the chance of each case to have its hit there; the hits of a bin are a sum of these Bernoullis.

    A case hits exactly one of its pairs, so its chances of all that lie in one bin add up. Cost O(n log n).
    """
    every = predictions.chances / predictions.chances.sum(axis=1, keepdims=True)
    chances = every.ravel()[bins.rows]
    case = bins.rows // (predictions.n // predictions.cases.n)
    blocks = []
    for start, end in zip(bins.starts, bins.starts + bins.counts, strict=True):
        first = np.flatnonzero(np.diff(case[start:end], prepend=-1))
        blocks.append(np.minimum(np.add.reduceat(chances[start:end], first), 1.0))
    return blocks


_RECENT: "list[tuple[ref[Float], Binning, Bins]]" = []
"""The bins of the last predictions that cannot change: a diagnosis asks for the same ones some ten times."""


def bins_of(probs: Float, binning: Binning) -> Bins:
    """(n, m) predictions -> their bins. Cost O(nm) beside the binning's own, once where asked for again."""
    for array, other, bins in _RECENT:
        if array() is probs and other == binning:
            return bins
    numbered = bins_by_number(probs, binning.assign(probs))
    if not probs.flags.writeable:
        _RECENT[:] = [(ref(probs), binning, numbered)]
    return numbered


def bins_by_number(probs: Float, number: Int) -> Bins:
    """(n, m) predictions and the (n,) number of each one's bin -> the bins that hold cases."""
    n, m = probs.shape
    g, number = loops.read_only(probs), loops.read_only(number)
    if number.max() < 4 * n + 1000:
        cases = np.bincount(number)
        numbers, place = np.flatnonzero(cases), np.cumsum(cases > 0) - 1
        counts = cases[numbers]
    else:
        numbers, number, counts = np.unique(number, return_inverse=True, return_counts=True)
        number, place = loops.read_only(number), np.arange(len(numbers))
    index = np.empty(n, np.int64)
    # Small tables are added up block by block, in threads; large ones would cost more than the rows.
    parts = loops.blocks(n) if 4 * len(numbers) * m < loops.ROWS else [slice(n)]
    sums = np.zeros((len(parts), len(numbers), m))

    def add(b: int) -> None:
        rows = parts[b]
        loops.add_rows(number[rows], place, g[rows], index[rows], sums[b])

    loops.in_threads(add, range(len(parts)))
    return Bins(index, counts, numbers.astype(np.int64), sums.sum(axis=0) / counts[:, None])


def uniform_pairs(predictions: Predictions, binning: UniformBinning) -> tuple[Int, Float, Float]:
    """Two classes in one pass: (b,) cases, (b, 2) mean predictions and frequencies of bins that hold cases.

    For a single look; a million rows need no more than a table a block of rows.
    """
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    parts = loops.blocks(predictions.n)
    tables = np.zeros((len(parts), binning.n_bins, 4))

    def add(b: int) -> None:
        loops.add_pairs(g[parts[b]], y[parts[b]], binning.inner_edges, tables[b])

    loops.in_threads(add, range(len(parts)))
    table = tables.sum(axis=0)
    table = table[table[:, 0] > 0]
    counts, hits = table[:, 0], table[:, 3]
    observed = np.column_stack([hits, counts - hits]) / counts[:, None]
    return counts.astype(np.int64), table[:, 1:3] / counts[:, None], observed


def bins_and_frequencies(predictions: Predictions, binning: Binning) -> tuple[Bins, Float]:
    """The bins that hold cases and (n_bins, m) how often each class happened; means of weighted cases."""
    if predictions.weights is not None:
        return weighted_bins(predictions, predictions.weights, binning)[:2]
    bins = bins_of(predictions.probs, binning)
    return bins, bins.frequencies(predictions.labels)


def weighted_bins(predictions: Predictions, weights: Float, binning: Binning) -> tuple[Bins, Float, Float]:
    """The bins that hold cases, (n_bins, m) frequencies and (n_bins,) shares of all weight.

    Predictions and frequencies are weighted means; weights do not move the edges of bins, and nothing says
    how the outcomes of weighted cases vary together. Cost O(nm) beside the binning's own.
    """
    numbers, index = np.unique(binning.assign(predictions.probs), return_inverse=True)
    mass = np.bincount(index, weights)

    def means(values: Float) -> Float:
        return np.column_stack([np.bincount(index, weights * column) for column in values.T]) / mass[:, None]

    counts = np.bincount(index).astype(np.int64)
    bins = Bins(index.astype(np.int64), counts, numbers, means(predictions.probs))
    return bins, means(predictions.onehot()), mass / mass.sum()


def rows_of_bins(predictions: Predictions, binning: Binning, entries: Sequence[int]) -> Int:
    """Rising row numbers, from 0, of these entries of :class:`Reliability` of the same predictions and bins.

    Cost O(nm) beside the binning's own. Raises :class:`IndexError` where there is no such entry.
    """
    bins, _ = bins_and_frequencies(predictions, binning)
    wanted = np.zeros(bins.n_bins, np.bool_)
    wanted[diagram_order(bins)[np.asarray(entries, np.int64)]] = True
    return np.flatnonzero(wanted[bins.index])


def diagram_order(bins: Bins) -> Int:
    """The bins by their mean first-class prediction, then by number: the order of :class:`Reliability`."""
    return np.lexsort((bins.numbers, bins.mean_prediction[:, 0]))
