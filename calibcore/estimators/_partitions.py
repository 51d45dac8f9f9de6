"""Exponential kernels at several bandwidths as random partitions of the predictions: O(n) a label set.

A stable tessellation cuts a cell by random hyperplanes until its time is up; two points share a cell at
time 1/ν with probability ``e^{−d/ν}`` (Nagel & Weiss 2005; with cuts along the axes, a Mondrian process:
Roy & Teh 2009). The mean over some trees of "same cell" stands for κ. Cells at later times lie in those at
earlier ones, so that one tree serves all bandwidths, and a pass over the cases in the tree's order meets
every cell as one run. Predictions alone and a fixed seed make the trees: exact tests keep their level.

Over many classes, and with a class matrix, residuals are taken in few directions: ``⟨r_i, M r_j⟩`` is the
mean of ``⟨Sᵀr_i, Sᵀr_j⟩`` over random signs S, other ones for each tree.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import (
    BLOCK,
    SIGNS,
    add_cells,
    add_cells_by_signs,
    add_cells_towards,
    add_own,
)
from calibcore.estimators._label_blocks import LabelBlock, label_block, label_kind
from calibcore.estimators._tessellations import tessellate
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int, Labels

TREES, MOST_TREES = 16, 96
_TREES_TIMES_CASES = 160_000
MOST_DIMENSIONS = 32
"""Euclidean distances over more classes are taken in so many random directions."""
MOST_CLASSES = 32
"""Residuals of more classes are taken in :data:`SIGNS` directions."""
_SEED = 20190916  # Fixed: partitions are a property of the predictions, not of a run.
_APART = 1_000_000


@dataclass(frozen=True, eq=False)
class Partitions:
    """Nested partitions of n predictions, a tree after the other. Cases stand in the order of the first tree.

    Attributes
    ----------
    cases : (n,) the cases in that order; everything below numbers them by it
    classes : m
    probs : (n, m) their predictions; None where there are directions
    sums : of each tree (cells, m or q) the sums of the predictions, or of ``expected``, in its cells of two
        and more cases, level after level
    first : (trees, levels) the number of a level's first such cell
    order : (trees, n) the cases in the order of the tree
    opens : (trees, n) the coarsest level at which a cell begins with that case; ``levels`` where none does
    joins : (trees, n) the finest level at which the case shares its cell; −1 where it never does
    shared : (n, levels) share of the trees in which the case shares its cell at that level
    directions : (trees, m, q) S of each tree, with ``S Sᵀ`` standing for M; None: M is the identity, as it is
    expected : (trees, n, q) ``Sᵀg_i``, or with ``codes`` that of S's positive signs, cases in the order of
        the tree; None likewise
    codes : (trees, m) of each class the bits that say which of its signs are positive; None where M is given
    """

    cases: NDArray[np.int32]
    classes: int
    probs: Float | None
    sums: tuple[Float, ...]
    first: NDArray[np.int64]
    order: NDArray[np.int32]
    opens: NDArray[np.int8]
    joins: NDArray[np.int8]
    shared: Float
    directions: Float | None
    expected: Float | None
    codes: NDArray[np.uint8] | None

    @classmethod
    def of(
        cls,
        g: Float,
        metric: str,
        bandwidths: Sequence[float],
        factor: Float | None = None,
        trees: int = TREES,
        sums: Float | None = None,
    ) -> "Partitions":
        """``bandwidths`` fall; ``factor`` (m, r) as :meth:`.Kernel.factor`, None for M = I; ``sums`` (n, m)
        those of the predictions of groups, of which ``g`` are the means.

        Cost O(trees·n·m·depth), some 3 s for 1,000,000 × 3 on two cores.
        """
        times = 1 / np.asarray(bandwidths, np.float64)
        points = _points(g, metric)
        n, m = g.shape
        order = np.empty((trees, n), np.int32)
        opens = np.empty((trees, n), np.int8)

        def grow(tree: int) -> None:
            _grow(points, metric, times, tree, order[tree], opens[tree])

        loops.in_threads(grow, range(trees))
        cases = order[0].copy()
        number = np.empty(n, np.int32)
        number[cases] = np.arange(n, dtype=np.int32)
        order = number[order]
        closes = np.zeros((trees, n), np.int8)
        closes[:, :-1] = opens[:, 1:]
        # A case shares its cell at a level with the one before, or after, unless a cell begins between them.
        joins = (np.maximum(opens, closes) - 1).astype(np.int8)
        shared = np.zeros((n, len(times)))
        for tree in range(trees):
            for level in range(len(times)):
                shared[order[tree], level] += joins[tree] >= level
        towards = _directions(m, factor, trees)
        added = g if sums is None else sums
        probs = expected = codes = None
        if towards is None:
            probs = np.ascontiguousarray(g[cases], np.float64)
        else:
            if factor is None:
                codes = np.packbits(towards > 0, axis=2, bitorder="little")[..., 0]
            columns = np.hstack(list(towards if codes is None else (towards > 0).astype(np.float64)))
            added, expected = g @ columns, np.empty((trees, n, towards.shape[2]))

        def cells_of(tree: int) -> tuple[Float, NDArray[np.int64]]:
            rows = cases[order[tree]]
            if expected is None:
                return _in_cells(len(times), opens[tree], added[rows])
            q = expected.shape[2]
            expected[tree] = added[rows, tree * q : (tree + 1) * q]
            return _in_cells(len(times), opens[tree], expected[tree])

        each, first = zip(*loops.in_threads(cells_of, range(trees)), strict=True)
        return cls(
            cases, m, probs, each, np.array(first), order, opens, joins, shared / trees,
            towards, expected, codes,
        )  # fmt: skip

    @property
    def trees(self) -> int:
        """How many there are."""
        return len(self.order)

    @property
    def levels(self) -> int:
        """How many bandwidths."""
        return int(self.shared.shape[1])

    def in_order(self, labels: Labels) -> LabelBlock:
        """(S ≤ BLOCK, n) labels of all cases as :meth:`pairs` takes them."""
        return label_block(labels, self.cases, label_kind(self.classes))

    def pairs(self, block: LabelBlock) -> Float:
        """(levels, BLOCK) ``Σ_{i<j} κ_ij ⟨r_i, M r_j⟩`` with the κ of the trees, of each label set.

        Cost O(trees·n) a label set, below 1 ns each; 4 ns in directions of a class matrix.
        """
        out, own = np.zeros((self.levels, BLOCK)), np.zeros((self.levels, BLOCK))
        for tree in range(self.trees):
            place = self.order[tree], self.opens[tree], self.joins[tree]
            if self.probs is not None:
                add_cells(self.sums[tree], self.first[tree], *place, block, out)
            elif self.codes is not None and self.expected is not None:
                signs = self.expected[tree], self.codes[tree]
                add_cells_by_signs(self.sums[tree], self.first[tree], *signs, *place, block, out, own)
            elif self.expected is not None and self.directions is not None:
                add_cells_towards(self.expected[tree], self.directions[tree], *place, block, out, own)
        if self.codes is not None:
            out, own = out * 4 / SIGNS, own * 4 / SIGNS
        if self.probs is not None:
            add_own(self.probs, self.shared, block, own)
            own *= self.trees
        return np.asarray(0.5 / self.trees * (out - own))


def trees_of(n: int) -> int:
    """Many where they cost little: few cases have no power to lose."""
    return min(MOST_TREES, max(TREES, _TREES_TIMES_CASES // n))


def one_tree(g: Float, metric: str, time: float) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """A tree that no :class:`Partitions` has: its order, and 0 where a cell at ``time`` begins."""
    order, opens = np.empty(len(g), np.int32), np.empty(len(g), np.int8)
    _grow(_points(g, metric), metric, np.array([time]), _APART, order, opens)
    return order, opens


def _grow(points: Float, metric: str, times: Float, tree: int, order: Any, opens: Any) -> None:
    rng = np.random.default_rng([_SEED, tree])
    mean = _mean_projection(points.shape[1]) if metric == "euclidean" else None
    tessellate(points, times, mean, rng, order, opens)


def _in_cells(levels: int, opens: NDArray[np.int8], rows: Float) -> tuple[Float, Int]:
    """Of (n, m) rows in the order of a tree: their sums in its cells of two and more, level after level; and
    the number of each level's first."""
    columns, each = np.ascontiguousarray(rows.T), list[Float]()
    for level in range(levels):
        cell = np.cumsum(opens <= level)
        several = np.bincount(cell) > 1
        each.append(np.column_stack([np.bincount(cell, column)[several] for column in columns]))
    return np.concatenate(each), np.cumsum([0, *map(len, each[:-1])])


def _directions(m: int, factor: Float | None, trees: int) -> Float | None:
    if factor is None and m <= MOST_CLASSES:
        return None
    if factor is not None and factor.shape[1] <= MOST_CLASSES:
        return np.ascontiguousarray(np.broadcast_to(factor, (trees, *factor.shape)))
    rank = m if factor is None else factor.shape[1]
    signs = np.random.default_rng(_SEED).choice([-1.0, 1.0], (trees, rank, SIGNS)) / math.sqrt(SIGNS)
    return signs if factor is None else np.ascontiguousarray(factor @ signs)


def _points(g: Float, metric: str) -> Float:
    """(n, d) in which distances are those of the predictions, or nearly, over many classes."""
    if metric != "euclidean":
        return np.ascontiguousarray(g, np.float64)
    m = g.shape[1]
    if m - 1 <= MOST_DIMENSIONS:
        return np.ascontiguousarray(g - g.mean(axis=1, keepdims=True))
    rng = np.random.default_rng(_SEED)
    directions = rng.standard_normal((m, MOST_DIMENSIONS))
    directions -= directions.mean(axis=0)
    directions = np.linalg.qr(directions)[0] * math.sqrt((m - 1) / MOST_DIMENSIONS)
    return np.ascontiguousarray(g @ directions)


def _mean_projection(d: int) -> float:
    """``E|u·e|`` of a random direction u in d dimensions."""
    return math.exp(math.lgamma(d / 2) - math.lgamma((d + 1) / 2)) / math.sqrt(math.pi)
