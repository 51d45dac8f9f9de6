"""The redrawn statistics of a diagnosis, gathered slice by slice in as many passes as fit a budget."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.diagram.bins import Bins, bins_by_number
from calibcore.estimators.ece import ECE, MCE
from calibcore.hypothesis_tests.asymptotic import Terms
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.distances import total_variation
from calibcore.numerics.draws import Draws, chunks_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.streaming.blocks import BlockPairs, pairs_in_blocks

_CELLS = 4_000_000
"""Counts that are made frequencies at a time."""


@dataclass(frozen=True, eq=False)
class Slice:
    """A slice in the passes that redraw: as the lens shows it, its first case, edges and places of bins."""

    first: int
    induced: Predictions
    edges: Float
    index: Int


class Job(Protocol):
    """Something that is redrawn."""

    def begin(self, redraws: range) -> None:
        """A pass begins, for these redraws."""
        ...

    def add(self, part: Slice) -> None:
        """The next slice."""
        ...

    def end(self) -> None:
        """The pass is over."""
        ...

    n_resamples: int

    @property
    def bytes_a_redraw(self) -> int:
        """What one redraw keeps during a pass; 0 if a pass with few redraws is no cheaper."""
        ...


def _count_type(n: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if n < 2**31 else np.int64


Counts = NDArray[Any]


class BinJob:
    """How often each class happens in each bin -> what each of ``statistics`` makes of it, redraw by redraw.

    An estimator has (B,) values, "deviations" (B, n_bins).
    """

    def __init__(
        self, draws: Draws, bins: Bins, n: int, n_resamples: int, statistics: Mapping[str, ECE | MCE | str]
    ) -> None:
        self._draws, self._bins, self._n, self._statistics = draws, bins, n, statistics
        self.n_resamples = n_resamples
        self.values = {
            name: np.empty((n_resamples,) if isinstance(one, ECE | MCE) else (n_resamples, bins.n_bins))
            for name, one in statistics.items()
        }
        self._redraws = range(0)
        self._hits: Counts = np.empty(0, np.int32)

    @property
    def bytes_a_redraw(self) -> int:
        return self._bins.mean_prediction.size * np.dtype(_count_type(self._n)).itemsize

    def begin(self, redraws: range) -> None:
        self._redraws = redraws
        shape = (len(redraws), *self._bins.mean_prediction.shape)
        self._hits = np.zeros(shape, _count_type(self._n))

    def add(self, part: Slice) -> None:
        index, hits, start = loops.read_only(part.index), self._hits, self._redraws.start

        def use(cases: slice, b: int, labels: Labels) -> None:
            loops.add_hits(index[cases], labels, hits[b - start : b - start + len(labels)])

        self._draws.labels(part.first, self._n, part.edges, self._redraws, use, chunks_of(part.induced.n))

    def end(self) -> None:
        some = max(1, _CELLS // self._bins.mean_prediction.size)
        for start in range(0, len(self._redraws), some):
            hits = self._hits[start : start + some]
            redraws = slice(self._redraws.start + start, self._redraws.start + start + len(hits))
            for name, one in self._statistics.items():
                self.values[name][redraws] = of_hits(hits, self._bins, one)
        self._hits = np.empty(0, np.int32)


def of_hits(hits: Counts, bins: Bins, statistic: ECE | MCE | str) -> Float:
    """(B, n_bins, m) counts -> (B,) estimates or (B, n_bins) deviations."""
    frequencies = hits / bins.counts[:, None]
    if isinstance(statistic, ECE | MCE):
        return statistic.of_bins(frequencies, bins.mean_prediction, bins.counts)
    return bins.distances(frequencies, bins.measure)


class SingleBinsJob:
    """The total variation distance of each bin, its labels drawn bin by bin in the order of the diagram.

    ``values (n_bins, 1 + B)``, in that order, the observed ones first.
    """

    def __init__(self, draws: Draws, bins: Bins, hits: Int, order: Int, n_resamples: int) -> None:
        self._draws, self._bins, self._order = draws, bins, order
        self.n_resamples = n_resamples
        self._base = np.empty(bins.n_bins, np.int64)
        counts = bins.counts[order]
        self._base[order] = n_resamples * (np.cumsum(counts) - counts)
        self.values = np.empty((bins.n_bins, 1 + n_resamples))
        self.values[:, 0] = total_variation(hits / bins.counts[:, None], bins.mean_prediction)[order]
        self._redraws = range(0)
        self._cases = np.zeros(bins.n_bins, np.int64)
        self._hits: Counts = np.empty(0, np.int32)

    @property
    def bytes_a_redraw(self) -> int:
        return self._bins.mean_prediction.size * 8

    def begin(self, redraws: range) -> None:
        n_bins, m = self._bins.mean_prediction.shape
        self._redraws = redraws
        self._cases[:] = 0
        self._hits = np.zeros((n_bins, len(redraws), 1, m), np.int64)

    def add(self, part: Slice) -> None:
        bins = bins_by_number(part.induced.probs, part.index)
        start = self._redraws.start
        for b, offset, count in zip(bins.numbers.tolist(), bins.starts, bins.counts, strict=True):
            edges = part.edges[bins.rows[offset : offset + count]]
            index, hits = loops.read_only(np.zeros(count, np.int64)), self._hits[b]

            def use(cases: slice, first: int, labels: Labels, index: Int = index, hits: Int = hits) -> None:
                loops.add_hits(index[cases], labels, hits[first - start : first - start + len(labels)])

            base = int(self._base[b] + self._cases[b])
            self._draws.labels(
                base, int(self._bins.counts[b]), edges, self._redraws, use, chunks_of(len(edges))
            )
            self._cases[b] += count

    def end(self) -> None:
        redraws = slice(1 + self._redraws.start, 1 + self._redraws.stop)
        for i, b in enumerate(self._order):
            frequencies = self._hits[b, :, 0] / self._bins.counts[b]
            self.values[i, redraws] = total_variation(frequencies, self._bins.mean_prediction[b])
        self._hits = np.empty(0, np.int64)


class BlocksJob:
    """The block estimates of some sizes, on the same redraws: ``values[size]`` (1 + B,), the observed first.

    ``terms[size]`` sums up the blocks; a size of which there is no block is left out. Without ``draws``
    nothing is redrawn.
    """

    bytes_a_redraw = 0

    def __init__(
        self, draws: Draws | None, kernel: Kernel, sizes: tuple[int, ...], n: int, n_resamples: int
    ) -> None:
        self._draws, self._kernel, self._n = draws, kernel, n
        self.n_resamples = n_resamples
        self._sizes = tuple(size for size in dict.fromkeys(sizes) if n >= size)
        redrawn = n_resamples if draws is not None else 0
        self._sums = {size: np.zeros(1 + redrawn) for size in self._sizes}
        self._redraws = range(0)
        self.terms: dict[int, Terms] = {}

    def begin(self, redraws: range) -> None:
        self._redraws = redraws

    def add(self, part: Slice) -> None:
        """Cases behind the last whole block of a size are left out."""
        p = part.induced
        chunks = chunks_of(p.n, math.lcm(*self._sizes))
        prepared = loops.in_threads(lambda cases: self._prepared(p, cases), chunks)
        for _, observed_by_size in prepared:
            for size, (observed, terms) in observed_by_size.items():
                self._sums[size][0] += observed
                self.terms[size] = self.terms[size] + terms if size in self.terms else terms
        if self._draws is None:
            return
        pairs = {cases.start: blocks for cases, (blocks, _) in zip(chunks, prepared, strict=True)}

        def use(cases: slice, b: int, labels: Labels) -> None:
            for blocks in pairs[cases.start]:
                sums = self._sums[blocks.size][1 + b : 1 + b + len(labels)]
                sums += blocks.sums(loops.read_only(labels[:, : len(blocks.own)]))

        self._draws.labels(part.first, self._n, part.edges, self._redraws, use, chunks)

    def _prepared(
        self, p: Predictions, cases: slice
    ) -> tuple[list[BlockPairs], dict[int, tuple[float, Terms]]]:
        """Pairs by size, and of the observed labels their sum and terms."""
        g, labels = p.probs[cases], p.labels[cases]
        blocks = [
            BlockPairs.of(g[: len(g) - len(g) % size], self._kernel, size)
            for size in self._sizes
            if len(g) >= size
        ]
        observed = {}
        for pairs in blocks:
            y = labels[: len(pairs.own)]
            small: Labels = y[None].astype(np.int16) if p.m > 127 else y[None].astype(np.int8)
            observed[pairs.size] = float(pairs.sums(loops.read_only(small))[0]), Terms.of(pairs.terms(y))
        return blocks, observed

    def end(self) -> None:
        pass

    @property
    def values(self) -> dict[int, Float]:
        """(1 + B,) estimates by size."""
        return {size: sums / pairs_in_blocks(self._n, size) for size, sums in self._sums.items()}
