"""The redrawn statistics of a diagnosis, gathered slice by slice in as many passes as fit a budget."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.diagram.bins import Bins, bins_by_number
from calibcore.hypothesis_tests.asymptotic import Terms
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.distances import total_variation
from calibcore.numerics.draws import Draws, Use, chunks_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.streaming.blocks import BlockPairs

_CELLS = 4_000_000
"""Counts that are made frequencies at a time."""


@dataclass(frozen=True, eq=False)
class Slice:
    """A slice in the passes that redraw: as the lens shows it, its first case, edges and places of bins."""

    first: int
    induced: Predictions
    edges: Float
    index: Int


class Job(ABC):
    """Something that is redrawn."""

    bytes_a_redraw = 0
    """What one redraw keeps during a pass; 0 if a pass with few redraws is no cheaper."""

    def __init__(self, n_resamples: int) -> None:
        self.n_resamples = n_resamples
        self._redraws = range(0)

    def begin(self, redraws: range) -> None:
        """A pass begins, for these redraws."""
        self._redraws = redraws

    @abstractmethod
    def add(self, part: Slice) -> None:
        """The next slice."""

    def end(self) -> None:
        """The pass is over."""
        self._redraws = range(0)


def _counting(index: Int, hits: NDArray[Any], redraws: range) -> Use:
    """Counts labels of cases in the bins ``index``; ``hits (B, n_bins, m)`` of these redraws."""

    def use(cases: slice, b: int, labels: Labels) -> None:
        loops.add_hits(index[cases], labels, hits[b - redraws.start : b - redraws.start + len(labels)])

    return use


class BinJob(Job):
    """How often each class happens in each bin -> what ``statistics`` make of (B, n_bins, m) frequencies.

    ``values`` has it by name, (B, …).
    """

    def __init__(
        self,
        draws: Draws,
        bins: Bins,
        n: int,
        n_resamples: int,
        statistics: Mapping[str, Callable[[Float], Float]],
    ) -> None:
        super().__init__(n_resamples)
        self._draws, self._bins, self._n, self._statistics = draws, bins, n, statistics
        self.values = {
            name: np.empty((n_resamples, *statistic(bins.mean_prediction[None]).shape[1:]))
            for name, statistic in statistics.items()
        }
        self._kind = np.dtype(np.int32 if n < 2**31 else np.int64)
        self.bytes_a_redraw = bins.mean_prediction.size * self._kind.itemsize

    def begin(self, redraws: range) -> None:
        super().begin(redraws)
        self._hits = np.zeros((len(redraws), *self._bins.mean_prediction.shape), self._kind)

    def add(self, part: Slice) -> None:
        use = _counting(loops.read_only(part.index), self._hits, self._redraws)
        self._draws.labels(part.first, self._n, part.edges, self._redraws, use, chunks_of(part.induced.n))

    def end(self) -> None:
        for part in loops.blocks(len(self._hits), max(1, _CELLS // self._bins.mean_prediction.size)):
            frequencies = self._hits[part] / self._bins.counts[:, None]
            redraws = self._redraws[part]
            for name, statistic in self._statistics.items():
                self.values[name][redraws.start : redraws.stop] = statistic(frequencies)
        del self._hits


class SingleBinsJob(Job):
    """The total variation distance of each bin, its labels drawn bin by bin in the order of the diagram.

    ``values (n_bins, 1 + B)``, in that order, the observed ones first.
    """

    def __init__(self, draws: Draws, bins: Bins, hits: Int, order: Int, n_resamples: int) -> None:
        super().__init__(n_resamples)
        self._draws, self._bins, self._order = draws, bins, order
        self.bytes_a_redraw = bins.mean_prediction.size * 8
        self._base = np.empty(bins.n_bins, np.int64)
        counts = bins.counts[order]
        self._base[order] = n_resamples * (np.cumsum(counts) - counts)
        self.values = np.empty((bins.n_bins, 1 + n_resamples))
        self.values[:, 0] = total_variation(hits / bins.counts[:, None], bins.mean_prediction)[order]

    def begin(self, redraws: range) -> None:
        super().begin(redraws)
        n_bins, m = self._bins.mean_prediction.shape
        self._cases = np.zeros(n_bins, np.int64)
        self._hits = np.zeros((n_bins, len(redraws), 1, m), np.int64)

    def add(self, part: Slice) -> None:
        bins = bins_by_number(part.induced.probs, part.index)
        for b, offset, count in zip(bins.numbers.tolist(), bins.starts, bins.counts, strict=True):
            edges = part.edges[bins.rows[offset : offset + count]]
            use = _counting(loops.read_only(np.zeros(count, np.int64)), self._hits[b], self._redraws)
            base = int(self._base[b] + self._cases[b])
            self._draws.labels(base, int(self._bins.counts[b]), edges, self._redraws, use, chunks_of(count))
            self._cases[b] += count

    def end(self) -> None:
        redraws = slice(1 + self._redraws.start, 1 + self._redraws.stop)
        for i, b in enumerate(self._order):
            frequencies = self._hits[b, :, 0] / self._bins.counts[b]
            self.values[i, redraws] = total_variation(frequencies, self._bins.mean_prediction[b])
        del self._hits


class BlocksJob(Job):
    """The block estimates of some sizes, on the same redraws: ``values[size]`` (1 + B,), the observed first.

    ``terms[size]`` sums up the blocks; a size of which there is no block is left out. Without ``draws``
    nothing is redrawn.
    """

    def __init__(
        self, draws: Draws | None, kernel: Kernel, sizes: tuple[int, ...], n: int, n_resamples: int
    ) -> None:
        super().__init__(n_resamples)
        self._draws, self._kernel, self._n = draws, kernel, n
        redrawn = n_resamples if draws is not None else 0
        self._sums = {size: np.zeros(1 + redrawn) for size in sizes if n >= size}
        self.terms: dict[int, Terms] = {}

    def add(self, part: Slice) -> None:
        """Cases behind the last whole block of a size are left out."""
        p = part.induced
        chunks = chunks_of(p.n, math.lcm(*self._sums))
        prepared = loops.in_threads(lambda cases: self._prepared(p, cases), chunks)
        for blocks, observed, terms in chain(*prepared):
            size = blocks.size
            self._sums[size][0] += observed
            self.terms[size] = self.terms[size] + terms if size in self.terms else terms
        if self._draws is None:
            return
        by_start = {cases.start: part for cases, part in zip(chunks, prepared, strict=True)}

        def use(cases: slice, b: int, labels: Labels) -> None:
            for blocks, _, _ in by_start[cases.start]:
                sums = self._sums[blocks.size][1 + b : 1 + b + len(labels)]
                sums += blocks.sums(loops.read_only(labels[:, : len(blocks.own)]))

        self._draws.labels(part.first, self._n, part.edges, self._redraws, use, chunks)

    def _prepared(self, p: Predictions, cases: slice) -> list[tuple[BlockPairs, float, Terms]]:
        """Of each size its pairs, and of the observed labels their sum and terms."""
        g, labels = p.probs[cases], p.labels[cases]
        prepared = []
        for size in self._sums:
            full = len(g) - len(g) % size
            if full:
                pairs, y = BlockPairs.of(g[:full], self._kernel, size), labels[:full]
                small: Labels = y[None].astype(np.int8) if p.m <= 127 else y[None].astype(np.int16)
                observed = pairs.sums(loops.read_only(small))
                prepared.append((pairs, float(observed[0]), Terms.of(pairs.terms(y))))
        return prepared

    @property
    def values(self) -> dict[int, Float]:
        """(1 + B,) estimates by size."""
        full = {size: self._n - self._n % size for size in self._sums}
        return {size: sums / (full[size] * (size - 1) // 2) for size, sums in self._sums.items()}
