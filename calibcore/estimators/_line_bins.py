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
    Chances,
    Fill,
    Lines,
    draw_fill,
    halved,
    label_fill,
    residual_terms,
)
from calibcore.estimators._omnibus_parts import ALIKE, Others
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.lanes import lanes, next_words, number_at
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.types import Float, Int, Labels

PART = 255
"""Cases whose labels are counted in a byte."""
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
    columns : (n, q) in that order: what a label 1 adds to ``fixed``, in whole ``units``
    units : (q,)
    bases : (bins, r) sums of ``base``
    step : (r,)
    own : ``Σ‖base_i‖²``
    owns : (bins,) what a label 1 adds to it, ``Σ‖d_i‖²``, on average
    """

    bin: NDArray[np.int32]
    lines: Lines
    columns: NDArray[np.int32]
    units: Float
    bases: Float
    step: Float
    own: float
    owns: Float

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float, rest: Others) -> "Bins":
        """(n, 2) predictions. Cost O(n log n)."""
        base, step, linear, fixed = _terms(kernels[0], g, rest)
        x = g[:, 0]
        low, width = x.min(), np.ptp(x)
        place = np.zeros(len(x), np.uint16)  # numbers that short are sorted in linear time
        if width > 0:
            place = np.minimum((x - low) * (BINS / width), BINS - 1).astype(np.uint16)
        order = np.argsort(place, kind="stable")
        sizes = np.bincount(place)
        sizes = sizes[sizes > 0]
        number = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        means = np.column_stack([np.bincount(number, g[order, k]) / sizes for k in range(2)])
        bases: Float = np.column_stack([np.bincount(number, column) for column in base[order].T])
        owns = 2 * (bases * step[0]).sum(axis=1) / sizes + (step[0] ** 2).sum()
        own = float((base**2).sum())
        # Sums of so many cases stay within 32 bits. Powers of two, so that impossible labels count as ones.
        most = np.maximum(np.abs(linear).max(axis=0), 1e-300) * (PART / (2**31 - 1 - PART))
        units = 2.0 ** np.ceil(np.log2(most))
        columns = np.rint(linear[order] / units).astype(np.int32)
        return cls(order, fixed, number, Lines.of(kernels, means), columns, units, bases, step[0], own, owns)

    def chances(self, probs: Float) -> Chances:
        """What ``of_draws`` takes: in steps of 2⁻⁸, and what is left of them in units of a step."""
        scaled = first_class_chances(probs)[self.order] * _STEPS
        floor = np.minimum(np.floor(scaled), _STEPS - 1)
        return floor.astype(np.uint8), scaled - floor

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """As of :class:`Points`."""
        hits, sums = self._empty()
        _count(label_block(labels, self.order, np.int8), self.bin, self.columns, hits, sums)
        return self._of(hits, sums)

    def of_draws(self, chances: Chances, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """As of :class:`Points`; a random byte for each label, and a number where that decides nothing."""
        (rng,), (threshold, rest) = streams, chances
        hits, sums = self._empty()
        _draw(lanes(rng), threshold, rest, self.bin, self.columns, hits, sums)
        return self._of(hits, sums)

    def _empty(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        many = len(self.lines.order)
        return np.zeros((many, BLOCK), np.int32), np.zeros((self.columns.shape[1], BLOCK), np.int64)

    def _of(self, hits: NDArray[np.int32], sums: NDArray[np.int64]) -> tuple[Float, Float]:
        steps = np.ascontiguousarray(np.broadcast_to(self.step, self.bases.shape))
        numbers = hits[self.lines.order].astype(np.float64)
        pairs = self.lines.pairs(self.bases, steps, lambda start, stop: numbers[start:stop].ravel())
        squares = sum(
            ((b[:, None] + c * hits.astype(np.float64)) ** 2).sum(axis=0)
            for b, c in zip(self.bases.T, self.step, strict=True)
        )
        own = self.owns @ hits + self.own
        return pairs + 0.5 * (squares - own), self._by_class(
            np.vstack([sums * self.units[:, None], hits.sum(axis=0)])
        )


_STEPS = 2**8


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
                out[s] += add if row[s] > 0 else 0


@loops.compiled_with_arrays
def _draw(lanes: Any, threshold: Any, rest: Any, number: Any, columns: Any, hits: Any, sums: Any) -> None:
    """:func:`_count` of labels that are 1 where a random byte is above the threshold; where it is equal, if
    another number reaches the rest.

    Whatever the chances are, the numbers of a label are the same.
    """
    few, part = np.zeros(BLOCK, np.uint8), np.zeros((columns.shape[1], BLOCK), np.int32)
    words, further = np.empty((PART, BLOCK // 8), np.uint64), np.empty(PART, np.uint64)
    places = words.view(np.uint8)
    for begin in range(0, len(number), PART):
        size = min(PART, len(number) - begin)
        next_words(lanes, words[:size], further)
        now = number[begin]
        for i in range(size):
            case, row = begin + i, places[i]
            t = threshold[case]
            if number[case] != now:
                for s in range(BLOCK):
                    hits[now, s] += few[s]
                    few[s] = 0
                now = number[case]
            for s in range(BLOCK):
                few[s] += row[s] > t
            for k in range(columns.shape[1]):
                add, out = columns[case, k], part[k]
                for s in range(BLOCK):
                    out[s] += add if row[s] > t else np.int32(0)
            equal = 0
            for s in range(BLOCK):
                equal += row[s] == t
            if equal > 0:
                for s in range(BLOCK):
                    if row[s] == t and number_at(further[i], s) >= rest[case]:
                        few[s] += 1
                        for k in range(columns.shape[1]):
                            part[k, s] += columns[case, k]
        for s in range(BLOCK):
            hits[now, s] += few[s]
            few[s] = 0
        for k in range(columns.shape[1]):
            for s in range(BLOCK):
                sums[k, s] += part[k, s]
                part[k, s] = 0
