"""Many points on a line, a thousand bins of them: what kernels at several bandwidths need of each label set.

Neighbours within a fraction of the narrowest bandwidth count as one point; what is linear in labels is summed
case by case. Bins look at predictions only, so exact tests keep their level; see :data:`BINS` for the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._line import BLOCK, Chances, Lines, number_fill
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
    """n points in at most :data:`BINS` equally wide bins, with ``d_i = base_i + x_i·step`` of labels x.

    Attributes
    ----------
    order : (n,) cases, bin after bin
    bin : (n,) of each in that order
    lines : the bins, as points at their mean predictions
    columns : (n, q + 1) in that order: what a label 1 adds to the sums, last to ``Σ‖d_i‖²``
    bases : (bins, r) sums of ``base``
    step : (r,)
    own : ``Σ‖base_i‖²``
    """

    order: Int
    bin: NDArray[np.int32]
    lines: Lines
    columns: Float
    bases: Float
    step: Float
    own: float

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float, base: Float, step: Float, linear: Float) -> "Bins":
        """(n, 2) predictions; the others as of :meth:`.Lines.sums`, all rows of ``step`` being one.

        Cost O(n log n).
        """
        x = g[:, 0]
        low, width = x.min(), np.ptp(x)
        place = np.zeros(len(x), np.int64)
        if width > 0:
            place = np.minimum(((x - low) * (BINS / width)).astype(np.int64), BINS - 1)
        order = np.argsort(place, kind="stable")
        number = np.unique(place[order], return_inverse=True)[1].astype(np.int32)
        sizes = np.bincount(number)
        means = np.column_stack([np.bincount(number, g[order, k]) / sizes for k in range(2)])
        columns = np.column_stack([linear, 2 * (base * step).sum(axis=1) + (step[0] ** 2).sum()])[order]
        bases: Float = np.column_stack([np.bincount(number, one) for one in base[order].T])
        return cls(order, number, Lines.of(kernels, means), columns, bases, step[0], float((base**2).sum()))

    def sums(self, x: NDArray[np.integer], first: int) -> tuple[Float, Float]:
        """As :meth:`.Lines.sums`."""
        block = np.zeros((BLOCK, len(self.order)), np.int8)
        some = x[first : first + BLOCK]
        block[: len(some)] = some[:, self.order]
        hits, sums = self._empty()
        _count(self.bin, np.ascontiguousarray(block.T), self.columns, hits, sums)
        pairs, sums = self._of(hits, sums)
        return pairs[:, : len(some)], sums[:, : len(some)]

    def drawn_sums(self, chances: Chances, rng: np.random.Generator) -> tuple[Float, Float]:
        """As :meth:`.Lines.drawn_sums`."""
        threshold, rest = chances
        hits, sums = self._empty()
        for start in range(0, len(self.order), _CHUNK):
            some = slice(start, start + _CHUNK)
            size = len(threshold[some])
            bits = rng.integers(2**64, size=size * BLOCK // 4, dtype=np.uint64).view(np.uint16)
            row, into = bits.reshape(size, BLOCK), (self.bin[some], self.columns[some], hits, sums)
            undecided = _draw(row, threshold[some], *into)
            if undecided:
                _decide(row, threshold[some], rest[some], rng.random(undecided), *into)
        return self._of(hits, sums)

    def _empty(self) -> tuple[NDArray[np.int32], Float]:
        many = len(self.lines.order)
        return np.zeros((many, BLOCK), np.int32), np.zeros((self.columns.shape[1], BLOCK))

    def _of(self, hits: NDArray[np.int32], sums: Float) -> tuple[Float, Float]:
        steps = np.ascontiguousarray(np.broadcast_to(self.step, self.bases.shape))
        pairs = self.lines.pairs(self.bases, steps, number_fill(hits[self.lines.order].astype(np.float64)))
        squares = sum(
            ((b[:, None] + c * hits.astype(np.float64)) ** 2).sum(axis=0)
            for b, c in zip(self.bases.T, self.step, strict=True)
        )
        own = sums[-1] + self.own
        return pairs + 0.5 * (squares - own), np.vstack([sums[:-1], hits.sum(axis=0)])


@loops.compiled
def _draw(bits: Any, threshold: Any, number: Any, columns: Any, hits: Any, sums: Any) -> int:
    """Labels that are 1 where the bits are above the threshold; how often they are it."""
    undecided = 0
    for i in range(len(threshold)):
        t, row, bin_hits = threshold[i], bits[i], hits[number[i]]
        equal = 0
        for s in range(BLOCK):
            bin_hits[s] += row[s] > t
        for s in range(BLOCK):
            equal += row[s] == t
        for k in range(columns.shape[1]):
            add, out = columns[i, k], sums[k]
            for s in range(BLOCK):
                out[s] += add if row[s] > t else 0.0
        undecided += equal
    return undecided


@loops.compiled
def _decide(
    bits: Any, threshold: Any, rest: Any, uniform: Any, number: Any, columns: Any, hits: Any, sums: Any
) -> None:
    """Labels of bits that are the threshold: 1 where the uniform numbers, one for each, reach the rest."""
    used = 0
    for i in range(len(threshold)):
        t, row = threshold[i], bits[i]
        equal = 0
        for s in range(BLOCK):
            equal += row[s] == t
        if equal == 0:
            continue
        for s in range(BLOCK):
            if row[s] == t:
                if uniform[used] >= rest[i]:
                    hits[number[i], s] += 1
                    for k in range(columns.shape[1]):
                        sums[k, s] += columns[i, k]
                used += 1


@loops.compiled
def _count(number: Any, labels: Any, columns: Any, hits: Any, sums: Any) -> None:
    """:func:`_draw` of given ``labels (n, BLOCK)``."""
    for i in range(len(number)):
        row, bin_hits = labels[i], hits[number[i]]
        for s in range(BLOCK):
            bin_hits[s] += row[s]
        for k in range(columns.shape[1]):
            add, out = columns[i, k], sums[k]
            for s in range(BLOCK):
                out[s] += add if row[s] > 0 else 0.0
