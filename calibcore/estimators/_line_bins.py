"""Two classes along a line: what kernels at several bandwidths need of each label set.

Many cases fall into a thousand bins: neighbours within a fraction of the narrowest bandwidth count as one
point; what is linear in labels is summed case by case. Bins look at predictions only, so exact tests keep
their level; see :data:`BINS` for the rest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._label_blocks import label_block
from calibcore.estimators._line import (
    CHUNK,
    Chances,
    Fill,
    Lines,
    compared,
    draw_fill,
    halved,
    label_fill,
    residual_terms,
)
from calibcore.estimators._omnibus_parts import ALIKE, Others
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.types import Float, Int, Labels

BINS = 1_024
"""A bin is as wide as a quarter of the narrowest of five bandwidths, whose sums then are off by about 1 %."""


@dataclass(frozen=True, eq=False)
class _TwoClasses:
    """n cases with ``d_i = base_i + x_i·step_i`` of labels x.

    order : (n,) the cases in the order in which labels are taken
    fixed : what labels 0 add up to: ``Σ log g_i(0)`` and, unless there are none, impossible labels
    """

    order: Int
    fixed: Float
    together: ClassVar[int] = 1

    def chances(self, probs: Float) -> Chances:
        """What ``of_draws`` takes."""
        return halved(first_class_chances(probs)[self.order])

    def _by_class(self, sums: Float) -> Float:
        """As of :meth:`.Cells.of_labels`, from what labels 1 add to ``fixed`` and how many they are."""
        linear, ones = sums[:-1] + self.fixed[:, None], sums[-1:]
        return np.vstack([linear, np.zeros((2 - len(linear), BLOCK)), len(self.order) - ones, ones])


def _terms(kernel: Kernel, g: Float, rest: Others) -> tuple[Float, Float, Float, Float]:
    """``base``, ``step``, what a label 1 adds to ``fixed``, and that; (n, 2) predictions."""
    base, step = residual_terms(kernel, g)
    # Of rows that sum to 1 one number says both.
    if kernel.class_matrix is None and np.abs(base.sum(axis=1)).max() <= ALIKE:
        base, step = math.sqrt(2) * base[:, :1], math.sqrt(2) * step[:, :1]
    tables = [table for table in (rest.logs, rest.impossible) if table is not None]
    linear = np.hstack([np.diff(table) for table in tables])
    return base, np.ascontiguousarray(step), linear, np.array([table[:, 0].sum() for table in tables])


@dataclass(frozen=True, eq=False)
class Points(_TwoClasses):
    """Every case a point of ``lines``; ``linear (n, q)`` what a label 1 adds to ``fixed``."""

    lines: Lines
    base: Float
    step: Float
    linear: Float

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float, rest: Others) -> "Points":
        """(n, 2) predictions. Cost O(n log n)."""
        base, step, linear, fixed = _terms(kernels[0], g, rest)
        lines = Lines.of(kernels, g)
        return cls(lines.order, fixed, lines, base, step, linear)

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """As :meth:`.Cells.of_labels`, sums over pairs of each kernel."""
        return self._of(label_fill(self.order, np.ascontiguousarray(labels, np.int16)))

    def of_draws(self, chances: Chances, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """The same of :data:`BLOCK` draws as in :meth:`.Line.drawn_sums`."""
        (rng,) = streams
        return self._of(draw_fill(chances, rng))

    def _of(self, fill: Fill) -> tuple[Float, Float]:
        pairs, sums = self.lines.sums(self.base, self.step, self.linear, fill)
        return pairs, self._by_class(sums)


@dataclass(frozen=True, eq=False)
class Bins(_TwoClasses):
    """n points in at most :data:`BINS` equally wide bins, all ``step_i`` being one.

    Attributes
    ----------
    bin : (n,) of each case, bin after bin
    lines : the bins, as points at their mean predictions
    columns : (n, q + 1) in that order: what a label 1 adds to ``fixed``, last to ``Σ‖d_i‖²``
    bases : (bins, r) sums of ``base``
    step : (r,)
    own : ``Σ‖base_i‖²``
    """

    bin: NDArray[np.int32]
    lines: Lines
    columns: Float
    bases: Float
    step: Float
    own: float

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float, rest: Others) -> "Bins":
        """(n, 2) predictions. Cost O(n log n)."""
        base, step, linear, fixed = _terms(kernels[0], g, rest)
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
        bases: Float = np.column_stack([np.bincount(number, column) for column in base[order].T])
        own = float((base**2).sum())
        return cls(order, fixed, number, Lines.of(kernels, means), columns, bases, step[0], own)

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """As of :class:`Points`."""
        hits, sums = self._empty()
        _count(label_block(labels, self.order, np.int8), self.bin, self.columns, hits, sums)
        return self._of(hits, sums)

    def of_draws(self, chances: Chances, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """As of :class:`Points`."""
        (rng,), (threshold, rest) = streams, chances
        hits, sums = self._empty()
        labels = np.empty((CHUNK, BLOCK), np.int8)
        for part in loops.blocks(len(self.order), CHUNK):
            into = self.bin[part], self.columns[part], hits, sums
            bits, undecided = compared(threshold[part], rng, labels.reshape(-1))
            _count(labels[: len(threshold[part])], *into)
            if undecided:
                _decide(bits.reshape(-1, BLOCK), threshold[part], rest[part], rng.random(undecided), *into)
        return self._of(hits, sums)

    def _empty(self) -> tuple[NDArray[np.int32], Float]:
        many = len(self.lines.order)
        return np.zeros((many, BLOCK), np.int32), np.zeros((self.columns.shape[1], BLOCK))

    def _of(self, hits: NDArray[np.int32], sums: Float) -> tuple[Float, Float]:
        steps = np.ascontiguousarray(np.broadcast_to(self.step, self.bases.shape))
        numbers = hits[self.lines.order].astype(np.float64)
        pairs = self.lines.pairs(self.bases, steps, lambda start, stop: numbers[start:stop].ravel())
        squares = sum(
            ((b[:, None] + c * hits.astype(np.float64)) ** 2).sum(axis=0)
            for b, c in zip(self.bases.T, self.step, strict=True)
        )
        own = sums[-1] + self.own
        return pairs + 0.5 * (squares - own), self._by_class(np.vstack([sums[:-1], hits.sum(axis=0)]))


@loops.compiled
def _count(labels: Any, number: Any, columns: Any, hits: Any, sums: Any) -> None:
    """To ``hits[bin, s]`` the ``labels (n, BLOCK)`` that are 1; what they add to ``sums``."""
    for i in range(len(number)):
        row, bin_hits = labels[i], hits[number[i]]
        for s in range(BLOCK):
            bin_hits[s] += row[s]
        for k in range(columns.shape[1]):
            add, out = columns[i, k], sums[k]
            for s in range(BLOCK):
                out[s] += add if row[s] > 0 else 0.0


@loops.compiled
def _decide(
    bits: Any, threshold: Any, rest: Any, uniform: Any, number: Any, columns: Any, hits: Any, sums: Any
) -> None:
    """:func:`_count` where bits are the threshold: 1 if the uniform numbers, one for each, reach the rest."""
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
