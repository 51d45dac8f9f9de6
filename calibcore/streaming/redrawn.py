"""The redrawn statistics of a diagnosis, gathered slice by slice in as many passes as fit a budget."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibcore import _compiled
from calibcore.bins import Bins, bins_by_number
from calibcore.distances import total_variation
from calibcore.estimators.ece import ECE, MCE
from calibcore.hypothesis_tests.asymptotic import Terms
from calibcore.kernels import Kernel
from calibcore.predictions import Float, Int, Predictions
from calibcore.reliability import deviations
from calibcore.resampling import Labels
from calibcore.streaming.blocks import BlockPairs, pairs_in_blocks
from calibcore.streaming.draws import Draws

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

    @property
    def bytes_a_redraw(self) -> int:
        """What one redraw keeps during a pass; 0 if a pass with few redraws is no cheaper."""
        ...


def _count_type(n: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if n < 2**31 else np.int64


Counts = NDArray[Any]


class BinJob:
    """How often each class happens in each bin -> what ``wanted`` makes of it, redraw by redraw.

    ``wanted`` is an estimator, found (B,), or "deviations", found (B, n_bins).
    """

    def __init__(self, draws: Draws, bins: Bins, n: int, n_resamples: int, wanted: ECE | MCE | str) -> None:
        self._draws, self._bins, self._n, self._wanted = draws, bins, n, wanted
        shape = (n_resamples,) if isinstance(wanted, ECE | MCE) else (n_resamples, bins.n_bins)
        self.found = np.empty(shape)
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
        index, hits, start = _compiled.read_only(part.index), self._hits, self._redraws.start

        def use(cases: slice, b: int, labels: Labels) -> None:
            _compiled.add_hits(index[cases], labels, hits[b - start : b - start + len(labels)])

        self._draws.labels(part.first, self._n, part.edges, self._redraws, use)

    def end(self) -> None:
        some = max(1, _CELLS // self._bins.mean_prediction.size)
        for start in range(0, len(self._redraws), some):
            hits = self._hits[start : start + some]
            at = slice(self._redraws.start + start, self._redraws.start + start + len(hits))
            self.found[at] = of_hits(hits, self._bins, self._wanted)
        self._hits = np.empty(0, np.int32)


def of_hits(hits: Counts, bins: Bins, wanted: ECE | MCE | str) -> Float:
    """(B, n_bins, m) counts -> (B,) estimates or (B, n_bins) deviations."""
    frequencies = hits / bins.counts[:, None]
    if isinstance(wanted, ECE | MCE):
        return wanted.of_bins(frequencies, bins.mean_prediction, bins.counts)
    return deviations(frequencies, bins)


class SingleBinsJob:
    """The total variation distance of each bin, its labels drawn bin by bin in the order of the diagram.

    ``found (n_bins, 1 + B)``, in that order, the observed ones first.
    """

    def __init__(self, draws: Draws, bins: Bins, hits: Int, order: Int, n_resamples: int) -> None:
        self._draws, self._bins, self._order = draws, bins, order
        self._base = np.empty(bins.n_bins, np.int64)
        counts = bins.counts[order]
        self._base[order] = n_resamples * (np.cumsum(counts) - counts)
        self.found = np.empty((bins.n_bins, 1 + n_resamples))
        self.found[:, 0] = total_variation(hits / bins.counts[:, None], bins.mean_prediction)[order]
        self._redraws = range(0)
        self._seen = np.zeros(bins.n_bins, np.int64)
        self._hits: Counts = np.empty(0, np.int32)

    @property
    def bytes_a_redraw(self) -> int:
        return self._bins.mean_prediction.size * 8

    def begin(self, redraws: range) -> None:
        n_bins, m = self._bins.mean_prediction.shape
        self._redraws = redraws
        self._seen[:] = 0
        self._hits = np.zeros((n_bins, len(redraws), 1, m), np.int64)

    def add(self, part: Slice) -> None:
        here = bins_by_number(part.induced.probs, part.index)
        start = self._redraws.start
        for b, at, count in zip(here.numbers.tolist(), here.starts, here.counts, strict=True):
            edges = part.edges[here.rows[at : at + count]]
            index, hits = _compiled.read_only(np.zeros(count, np.int64)), self._hits[b]

            def use(cases: slice, first: int, labels: Labels, index: Int = index, hits: Int = hits) -> None:
                _compiled.add_hits(index[cases], labels, hits[first - start : first - start + len(labels)])

            base = int(self._base[b] + self._seen[b])
            self._draws.labels(base, int(self._bins.counts[b]), edges, self._redraws, use)
            self._seen[b] += count

    def end(self) -> None:
        at = slice(1 + self._redraws.start, 1 + self._redraws.stop)
        for i, b in enumerate(self._order):
            frequencies = self._hits[b, :, 0] / self._bins.counts[b]
            self.found[i, at] = total_variation(frequencies, self._bins.mean_prediction[b])
        self._hits = np.empty(0, np.int64)


class BlocksJob:
    """The block estimate, ``found (1 + B,)`` with the observed one first, and ``terms`` of the blocks.

    Without ``draws`` the observed one alone.
    """

    def __init__(self, draws: Draws | None, kernel: Kernel, size: int, n: int, n_resamples: int) -> None:
        self._draws, self._kernel, self.size, self._n = draws, kernel, size, n
        self._sums = np.zeros(1 + (n_resamples if draws is not None else 0))
        self.terms: Terms | None = None
        self._redraws = range(0)

    bytes_a_redraw = 0

    def begin(self, redraws: range) -> None:
        self._redraws = redraws

    def add(self, part: Slice) -> None:
        p = part.induced
        if p.n < self.size:  # the rest, less than a block
            return
        pairs = BlockPairs.of(p.probs, self._kernel, self.size)
        whole = slice(0, pairs.cases)
        if self._redraws.start == 0:
            terms = Terms.of(pairs.terms(p.labels[whole]))
            self.terms = terms if self.terms is None else self.terms + terms
            labels = p.labels[None, whole]
            observed: Labels = labels.astype(np.int16) if p.m > 127 else labels.astype(np.int8)
            self._sums[0] += pairs.sums(whole, observed)[0]
        if self._draws is None:
            return

        def use(cases: slice, b: int, labels: Labels) -> None:
            whole = slice(cases.start, cases.start + labels.shape[1])
            self._sums[1 + b : 1 + b + len(labels)] += pairs.sums(whole, labels)

        edges = part.edges[whole]
        self._draws.labels(part.first, self._n, edges, self._redraws, use, self.size)

    def end(self) -> None:
        pass

    @property
    def found(self) -> Float:
        """(1 + B,) estimates."""
        return np.asarray(self._sums / pairs_in_blocks(self._n, self.size))
