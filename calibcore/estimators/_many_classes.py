"""Random partitions over many classes: labels of some hundred label sets are drawn a case at a time.

A row of many probabilities is then read once for all of them, and no table as large as the predictions is
kept beside them.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._omnibus_parts import Confidence
from calibcore.estimators._partitions import Partitions
from calibcore.numerics import loops, picking
from calibcore.numerics.engine import threads
from calibcore.numerics.types import Float, Labels

TOGETHER = 8
"""Blocks of label sets that are drawn together at most."""
_CHUNK = 512


@dataclass(frozen=True, eq=False)
class ManyClasses:
    """``g`` (n, m) the predictions, in the order in which they came."""

    g: Float
    partitions: Partitions
    confidence: Confidence

    @classmethod
    def of(
        cls, g: Float, metric: str, bandwidths: tuple[float, ...], factor: Float | None, trees: int
    ) -> "ManyClasses":
        """Cost O(trees·nm)."""
        partitions = Partitions.of(g, metric, bandwidths, factor, trees)
        return cls(g, partitions, Confidence.of(g, metric).in_order(partitions.cases))

    def chances(self, probs: Float) -> Float:
        """What :meth:`of_draws` takes."""
        return probs

    def items(self, streams: list[np.random.Generator]) -> list[list[np.random.Generator]]:
        """The blocks' generators, some together: how many changes no number."""
        size = min(TOGETHER, -(-len(streams) // threads()))
        return [streams[start : start + size] for start in range(0, len(streams), size)]

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """As :meth:`.Cells.of_labels`."""
        return self._of(self.partitions.in_order(labels)[None])

    def of_draws(self, probs: Float, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """As :meth:`.Cells.of_draws`, of a block a generator."""
        order, n = self.partitions.cases, len(self.g)
        labels = np.empty((len(streams), n, BLOCK), np.int16)
        for start in range(0, n, _CHUNK):
            size = min(_CHUNK, n - start)
            bits = np.stack([rng.integers(2**64, size=size * BLOCK // 2, dtype=np.uint64) for rng in streams])
            some = bits.view(np.uint32).reshape(len(streams), size, BLOCK)
            _draw(probs, order, start, some, labels)
        return self._of(labels)

    def _of(self, labels: NDArray[Any]) -> tuple[Float, Float]:
        sums = np.zeros((len(labels), 2 + self.g.shape[1], BLOCK))
        _add_logs(self.g, self.partitions.cases, labels, sums)
        pairs = [np.vstack([self.partitions.pairs(one), self.confidence.pairs(one)]) for one in labels]
        return np.hstack(pairs), np.hstack(list(sums))


@loops.compiled
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


@loops.compiled
def _add_logs(g: Any, order: Any, labels: Any, out: Any) -> None:
    """To ``out[b, 0]`` the labels' logs, to ``out[b, 1]`` impossible ones, to ``out[b, 2 + y]`` those of y.

    A log is taken when a label first needs it.
    """
    m = g.shape[1]
    logs, known = np.empty(m), np.full(m, -1, np.int64)
    for i in range(len(order)):
        row = g[order[i]]
        total = 0.0
        for k in range(m):
            total += row[k]
        for b in range(labels.shape[0]):
            for s in range(BLOCK):
                y = labels[b, i, s]
                if known[y] != i:
                    known[y] = i
                    logs[y] = math.log(row[y] / total) if row[y] > 0 else 0.0
                out[b, 0, s] += logs[y]
                out[b, 1, s] += row[y] == 0
                out[b, 2 + y, s] += 1.0
