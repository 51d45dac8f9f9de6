"""Many points on a line, a thousand bins of them: what kernels at several bandwidths need of each label set.

Neighbours within a fraction of the narrowest bandwidth count as one point; what is linear in labels is summed
case by case. Bins look at predictions only, so exact tests keep their level; see :data:`BINS` for the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._line import BLOCK, Lines, given_from, halved
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

BINS = 1_024
"""A bin is as wide as a quarter of the narrowest of five bandwidths, whose sums then are off by about 1 %."""
FROM = 4_096
"""Up to so many cases every case is a point of its own."""
_CHUNK = 1_024


@dataclass(frozen=True, eq=False)
class Bins:
    """n points in at most :data:`BINS` equally wide bins.

    Attributes
    ----------
    order : (n,) cases, bin after bin
    bin : (n,) of each in that order
    lines : the bins, as points at their mean predictions
    """

    order: Int
    bin: NDArray[np.int32]
    lines: Lines

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float) -> "Bins":
        """(n, 2) predictions. Cost O(n log n)."""
        x = g[:, 0]
        low, width = x.min(), np.ptp(x)
        place = np.zeros(len(x), np.int64)
        if width > 0:
            place = np.minimum(((x - low) * (BINS / width)).astype(np.int64), BINS - 1)
        order = np.argsort(place, kind="stable")
        number = np.unique(place[order], return_inverse=True)[1].astype(np.int32)
        sizes = np.bincount(number)
        means = np.column_stack([np.bincount(number, g[order, k]) / sizes for k in range(2)])
        return cls(order, number, Lines.of(kernels, means))

    def sums(
        self, base: Float, step: Float, linear: Float, x: NDArray[np.integer], first: int
    ) -> tuple[Float, Float]:
        """As :meth:`.Lines.sums`; ``step`` is one and the same for all cases."""
        block = np.zeros((BLOCK, len(self.order)), np.int8)
        some = x[first : first + BLOCK]
        block[: len(some)] = some
        columns = self._columns(base, step, linear)
        hits, sums = self._empty(columns)
        _count(self.order, self.bin, np.ascontiguousarray(block.T), columns, hits, sums)
        pairs, sums = self._of(base, step, hits, sums)
        return pairs[:, : len(some)], sums[:, : len(some)]

    def drawn_sums(
        self, base: Float, step: Float, linear: Float, first_class: Float, rng: np.random.Generator
    ) -> tuple[Float, Float]:
        """As :meth:`.Lines.drawn_sums`."""
        threshold, rest = halved(first_class[self.order])
        columns = self._columns(base, step, linear)[self.order]
        hits, sums = self._empty(columns)
        for start in range(0, len(self.order), _CHUNK):
            some = slice(start, start + _CHUNK)
            size = len(threshold[some])
            bits = rng.integers(2**64, size=size * BLOCK // 4, dtype=np.uint64).view(np.uint16)
            chosen = threshold[some], rest[some], self.bin[some], columns[some]
            _draw(bits.reshape(size, BLOCK), *chosen, rng, hits, sums)
        return self._of(base, step, hits, sums)

    def _columns(self, base: Float, step: Float, linear: Float) -> Float:
        """What a label 1 adds to the sums, last to ``Σ‖d_i‖²``."""
        return np.column_stack([linear, 2 * (base * step).sum(axis=1) + (step[0] ** 2).sum()])

    def _empty(self, columns: Float) -> tuple[NDArray[np.int32], Float]:
        return np.zeros((len(self.lines.order), BLOCK), np.int32), np.zeros((columns.shape[1], BLOCK))

    def _of(self, base: Float, step: Float, hits: NDArray[np.int32], sums: Float) -> tuple[Float, Float]:
        many = len(hits)
        bases: Float = np.column_stack([np.bincount(self.bin, one, many) for one in base[self.order].T])
        steps = np.ascontiguousarray(np.broadcast_to(step[0], bases.shape))
        pairs = self.lines.pairs(bases, steps, given_from(hits[self.lines.order].astype(np.float64)))
        squares = sum(
            ((b[:, None] + c * hits.astype(np.float64)) ** 2).sum(axis=0)
            for b, c in zip(bases.T, step[0], strict=True)
        )
        own = sums[-1] + (base**2).sum()
        return pairs + 0.5 * (squares - own), np.vstack([sums[:-1], hits.sum(axis=0)])


@loops.compiled
def _draw(
    bits: Any, threshold: Any, rest: Any, number: Any, columns: Any, rng: Any, hits: Any, sums: Any
) -> None:
    """Labels that are 1 where the bits are above the threshold, or are it and chance says so."""
    for i in range(len(threshold)):
        t, row, mine = threshold[i], bits[i], hits[number[i]]
        equal = 0
        for s in range(BLOCK):
            mine[s] += row[s] > t
        for s in range(BLOCK):
            equal += row[s] == t
        for k in range(columns.shape[1]):
            add, out = columns[i, k], sums[k]
            for s in range(BLOCK):
                out[s] += add if row[s] > t else 0.0
        if equal:
            for s in range(BLOCK):
                if row[s] == t and rng.random() >= rest[i]:
                    mine[s] += 1
                    for k in range(columns.shape[1]):
                        sums[k, s] += columns[i, k]


@loops.compiled
def _count(order: Any, number: Any, labels: Any, columns: Any, hits: Any, sums: Any) -> None:
    """:func:`_draw` of given ``labels (n, BLOCK)``."""
    for i in range(len(order)):
        row, mine = labels[order[i]], hits[number[i]]
        for s in range(BLOCK):
            mine[s] += row[s]
        for k in range(columns.shape[1]):
            add, out = columns[order[i], k], sums[k]
            for s in range(BLOCK):
                out[s] += add if row[s] > 0 else 0.0
