"""Random partitions of the cases themselves, and everything else that is taken on the labels on the way.

Over many classes no table as large as the predictions is kept beside them, and labels of some hundred label
sets are drawn a case at a time, so that a row of many probabilities is read once for all of them.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._label_blocks import RowByRow, drawn_block, thresholds
from calibcore.estimators._omnibus_parts import Confidence, Others
from calibcore.estimators._partitions import Partitions
from calibcore.numerics import loops, picking
from calibcore.numerics.types import Float, Labels

TOGETHER = 16
"""Blocks of label sets that are drawn together at most, over many classes."""
_CHUNK = 128


@dataclass(frozen=True, eq=False)
class Cells:
    """``g`` (n, m) the predictions in the order given.

    Over few classes tables of :class:`.Others` in the order of the partitions.
    """

    g: Float
    partitions: Partitions
    confidence: Confidence
    logs: Float | None
    impossible: Float | None

    @classmethod
    def of(
        cls,
        g: Float,
        metric: str,
        bandwidths: tuple[float, ...],
        factor: Float | None,
        trees: int,
        rest: Others,
    ) -> "Cells":
        """Cost O(trees·nm)."""
        partitions = Partitions.of(g, metric, bandwidths, factor, trees)
        confidence = Confidence.of(g, metric).in_order(partitions.cases)
        tables = (
            None if table is None else table[partitions.cases] for table in (rest.logs, rest.impossible)
        )
        return cls(g, partitions, confidence, *tables)

    @property
    def together(self) -> int:
        """How many blocks :meth:`of_draws` is best given: how many changes no number."""
        return TOGETHER if self.logs is None else 1

    def chances(self, probs: Float | RowByRow) -> Float | RowByRow | NDArray[np.uint32]:
        """What :meth:`of_draws` takes."""
        if self.logs is None:
            return probs
        probs = probs.whole() if isinstance(probs, RowByRow) else probs
        return thresholds(probs[self.partitions.cases])

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """(S ≤ BLOCK, n) labels -> (7, BLOCK) sums over pairs, and (2 + m, BLOCK): logs, impossible labels,
        labels of each class."""
        return self._of(self.partitions.in_order(labels)[None])

    def of_draws(self, chances: Any, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """The same of :data:`BLOCK` label sets a generator, drawn from ``chances``."""
        if self.logs is None:
            return self._of(_drawn_together(chances, self.partitions.cases, streams))
        (rng,) = streams
        return self._of(drawn_block(chances, rng)[None])

    def _of(self, labels: NDArray[Any]) -> tuple[Float, Float]:
        """Of labels (blocks, n, BLOCK) in the order of the partitions."""
        sums = np.zeros((len(labels), 2 + self.g.shape[1], BLOCK))
        if self.logs is None:
            _add_logs(self.g, self.partitions.cases, labels, sums)
        else:
            for part, into in zip(labels, sums, strict=True):
                _add_labels(self.logs, self.impossible, part, into)
        pairs = [np.vstack([self.partitions.pairs(part), self.confidence.pairs(part)]) for part in labels]
        return np.hstack(pairs), np.hstack(list(sums))


def _drawn_together(
    probs: Float | RowByRow, order: NDArray[np.int32], streams: list[np.random.Generator]
) -> NDArray[np.int16]:
    """(blocks, n, BLOCK) labels of cases in that order, a generator a block."""
    n = len(order)
    labels, made = np.empty((len(streams), n, BLOCK), np.int16), isinstance(probs, RowByRow)
    place = np.arange(n, dtype=np.int32) % _CHUNK if made else order
    for start in range(0, n, _CHUNK):
        size = min(_CHUNK, n - start)
        bits = np.stack([rng.integers(2**64, size=size * BLOCK // 2, dtype=np.uint64) for rng in streams])
        cases = order[start : start + size].astype(np.int64)
        rows = probs.rows(cases) if isinstance(probs, RowByRow) else probs
        _draw(rows, place, start, bits.view(np.uint32).reshape(len(streams), size, BLOCK), labels)
    return labels


@loops.compiled_with_arrays
def _draw(probs: Any, order: Any, start: int, bits: Any, out: Any) -> None:
    """``out[b, start + i, s] = #{inner edges of case order[start + i] ≤ bits[b, i, s]·2⁻³²}``."""
    m = probs.shape[1]
    edges = picking.row_to_halve(m - 1)
    uniform, place = np.empty(picking.LANES), np.empty(picking.LANES, np.int64)
    for i in range(bits.shape[1]):
        row = probs[order[start + i]]
        total = 0.0
        for k in range(m - 1):
            total += row[k]
            edges[k] = total
        total += row[m - 1]
        for k in range(m - 1):
            edges[k] /= total
        for b in range(bits.shape[0]):
            for first in range(0, BLOCK, picking.LANES):
                for s in range(picking.LANES):
                    uniform[s] = bits[b, i, first + s] * 2.0**-32
                picking.halve(edges, uniform, place)
                for s in range(picking.LANES):
                    out[b, start + i, first + s] = place[s]


@loops.part_in_any_order
def _total(row: Any) -> float:
    total = 0.0
    for k in range(len(row)):
        total += row[k]
    return total


@loops.compiled_with_arrays
def _add_logs(g: Any, order: Any, labels: Any, out: Any) -> None:
    """To ``out[b, 0]`` the labels' logs, to ``out[b, 1]`` impossible ones, to ``out[b, 2 + y]`` those of y.

    A log is taken when a label first needs it.
    """
    m = g.shape[1]
    logs, known = np.empty(m), np.full(m, -1, np.int64)
    for i in range(len(order)):
        row = g[order[i]]
        total, zero = _total(row), False
        for b in range(labels.shape[0]):
            of_case, sums = labels[b, i], out[b, 0]
            for s in range(BLOCK):
                y = of_case[s]
                if known[y] != i:
                    known[y] = i
                    logs[y] = math.log(row[y] / total) if row[y] > 0 else 0.0
                    zero |= row[y] == 0
                sums[s] += logs[y]
        if zero:
            for b in range(labels.shape[0]):
                for s in range(BLOCK):
                    out[b, 1, s] += row[labels[b, i, s]] == 0
    # Label sets of one block at a time: what is counted then stays in the processor's cache.
    counts = np.empty((m, BLOCK), np.int32)
    for b in range(labels.shape[0]):
        counts[:] = 0
        for i in range(len(order)):
            of_case = labels[b, i]
            for s in range(BLOCK):
                counts[of_case[s], s] += 1
        for k in range(m):
            for s in range(BLOCK):
                out[b, 2 + k, s] += counts[k, s]


@loops.compiled
def _add_labels(logs: Any, impossible: Any, labels: Any, out: Any) -> None:
    """:func:`_add_logs` of one block from tables in its order; ``impossible`` is None where nothing is."""
    for i in range(len(logs)):
        for s in range(BLOCK):
            y = labels[i, s]
            out[0, s] += logs[i, y]
            out[2 + y, s] += 1.0
        if impossible is not None:
            for s in range(BLOCK):
                out[1, s] += impossible[i, labels[i, s]]
