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

from calibcore import _compiled
from calibcore.estimators import Labels
from calibcore.estimators._tessellations import cut_along_axes, tessellate
from calibcore.predictions import Float

TREES = 16
BLOCK = 32
"""Label sets that are worked on side by side."""
MOST_DIMENSIONS = 32
"""Euclidean distances over more classes are taken in so many random directions."""
MOST_CLASSES = 32
"""Residuals of more classes are taken in :data:`SIGNS` directions."""
SIGNS = 8
FEW_CLASSES = 6
"""Up to so many classes comparing with each is faster than finding a label's place."""
_SEED = 20190916  # Fixed: partitions are a property of the predictions, not of a run.
Held = NDArray[np.int8] | NDArray[np.int16]
"""(n, BLOCK) labels of some label sets, case by case."""


@dataclass(frozen=True, eq=False)
class Partitions:
    """Nested partitions of n predictions, a tree after the other. Cases stand in the order of the first tree.

    Attributes
    ----------
    cases : (n,) the cases in that order; everything below numbers them by it
    probs : (n, m) their predictions
    order : (trees, n) the cases in the order of the tree
    opens : (trees, n) the coarsest level at which a cell begins with that case; ``levels`` where none does
    joins : (trees, n) the finest level at which the case shares its cell; −1 where it never does
    shared : (n, levels) share of the trees in which the case shares its cell at that level
    directions : (trees, m, q) S of each tree, with ``S Sᵀ`` standing for M; None: M is the identity, as it is
    expected : (trees, n, q) ``Sᵀg_i``; None likewise
    """

    cases: NDArray[np.int32]
    probs: Float
    order: NDArray[np.int32]
    opens: NDArray[np.int8]
    joins: NDArray[np.int8]
    shared: Float
    directions: Float | None
    expected: Float | None

    @classmethod
    def of(
        cls,
        g: Float,
        metric: str,
        bandwidths: Sequence[float],
        factor: Float | None = None,
        trees: int = TREES,
    ) -> "Partitions":
        """``bandwidths`` fall; ``factor`` (m, r) as :meth:`.Kernel.factor`, None for M = I.

        Cost O(trees·n·m·depth), some 3 s for 1,000,000 × 3 on two cores.
        """
        times = 1 / np.asarray(bandwidths, np.float64)
        points = _points(g, metric)
        n, m = g.shape
        order = np.empty((trees, n), np.int32)
        opens = np.empty((trees, n), np.int8)

        def grow(tree: int) -> None:
            rng = np.random.default_rng([_SEED, tree])
            if metric == "euclidean":
                mean = _mean_projection(points.shape[1])
                tessellate(points, times, mean, rng, order[tree], opens[tree])
            else:
                cut_along_axes(points, times, rng, order[tree], opens[tree])

        _compiled.in_threads(grow, range(trees))
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
        probs = np.ascontiguousarray(g[cases], np.float64)
        towards = _directions(m, factor, trees)
        expected = None if towards is None else np.stack([probs @ some for some in towards])
        return cls(cases, probs, order, opens, joins, shared / trees, towards, expected)

    @property
    def trees(self) -> int:
        """How many there are."""
        return len(self.order)

    @property
    def levels(self) -> int:
        """How many bandwidths."""
        return int(self.shared.shape[1])

    def held(self, labels: Labels) -> Held:
        """(S ≤ BLOCK, n) labels of all cases as :meth:`pairs` takes them."""
        held = np.zeros((labels.shape[1], BLOCK), np.int8 if self.probs.shape[1] <= 127 else np.int16)
        held[:, : len(labels)] = labels[:, self.cases].T
        return held

    def pairs(self, held: Held) -> Float:
        """(levels, BLOCK) ``Σ_{i<j} κ_ij ⟨r_i, M r_j⟩`` with the κ of the trees, of each label set.

        Cost O(trees·n) a label set, about 1 ns each; 4 ns in directions.
        """
        out, own = np.zeros((self.levels, BLOCK)), np.zeros((self.levels, BLOCK))
        for tree in range(self.trees):
            place = self.order[tree], self.opens[tree], self.joins[tree]
            if self.directions is None or self.expected is None:
                _add_cells(self.probs, *place, held, out)
            else:
                _add_cells_towards(self.expected[tree], self.directions[tree], *place, held, out, own)
        if self.directions is None:
            _add_own(self.probs, self.shared, held, own)
            own *= self.trees
        return np.asarray(0.5 / self.trees * (out - own))


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
    centred = g - g.mean(axis=1, keepdims=True)
    if m - 1 <= MOST_DIMENSIONS:
        return np.ascontiguousarray(centred)
    rng = np.random.default_rng(_SEED)
    directions = rng.standard_normal((m, MOST_DIMENSIONS))
    directions -= directions.mean(axis=0)
    directions = np.linalg.qr(directions)[0] * math.sqrt((m - 1) / MOST_DIMENSIONS)
    return np.ascontiguousarray(centred @ directions)


def _mean_projection(d: int) -> float:
    """``E|u·e|`` of a random direction u in d dimensions."""
    return math.exp(math.lgamma(d / 2) - math.lgamma((d + 1) / 2)) / math.sqrt(math.pi)


@_compiled.compiled
def _add_cells(probs: Any, order: Any, opens: Any, joins: Any, labels: Any, out: Any) -> None:
    """To ``out[level, s]`` the squared sums of residuals of the cells of one tree; ``labels (n, BLOCK)``."""
    m, levels = probs.shape[1], out.shape[0]
    hits = np.zeros((levels, m * BLOCK), np.int32)
    expected = np.zeros((levels, m))
    cases = np.zeros(levels, np.int64)
    for i in range(len(order) + 1):
        opened = opens[i] if i < len(order) else 0
        for level in range(levels - 1, opened - 1, -1):
            if cases[level] == 0:
                continue
            for k in range(m):
                e, o = expected[level, k], k * BLOCK
                for s in range(BLOCK):
                    gap = hits[level, o + s] - e
                    out[level, s] += gap * gap
            if level > 0:
                for o in range(m * BLOCK):
                    hits[level - 1, o] += hits[level, o]
                for k in range(m):
                    expected[level - 1, k] += expected[level, k]
                cases[level - 1] += cases[level]
            for o in range(m * BLOCK):
                hits[level, o] = 0
            for k in range(m):
                expected[level, k] = 0.0
            cases[level] = 0
        if i < len(order) and joins[i] >= 0:
            case, level = order[i], joins[i]
            cases[level] += 1
            for k in range(m):
                expected[level, k] += probs[case, k]
            if m <= FEW_CLASSES:
                for k in range(m):
                    o = k * BLOCK
                    for s in range(BLOCK):
                        hits[level, o + s] += labels[case, s] == k
            else:
                for s in range(BLOCK):
                    hits[level, np.int64(labels[case, s]) * BLOCK + s] += 1


@_compiled.compiled
def _add_cells_towards(
    expected: Any, towards: Any, order: Any, opens: Any, joins: Any, labels: Any, out: Any, own: Any
) -> None:
    """:func:`_add_cells` of ``towards[y] − expected``; to ``own`` the squares of those that share a cell."""
    q, levels = expected.shape[1], out.shape[0]
    sums = np.zeros((levels, q * BLOCK))
    cases = np.zeros(levels, np.int64)
    squares = np.empty(BLOCK)
    for i in range(len(order) + 1):
        opened = opens[i] if i < len(order) else 0
        for level in range(levels - 1, opened - 1, -1):
            if cases[level] == 0:
                continue
            for k in range(q):
                o = k * BLOCK
                for s in range(BLOCK):
                    out[level, s] += sums[level, o + s] ** 2
            if level > 0:
                for o in range(q * BLOCK):
                    sums[level - 1, o] += sums[level, o]
                cases[level - 1] += cases[level]
            for o in range(q * BLOCK):
                sums[level, o] = 0.0
            cases[level] = 0
        if i < len(order) and joins[i] >= 0:
            case, finest = order[i], joins[i]
            cases[finest] += 1
            for s in range(BLOCK):
                squares[s] = 0.0
            for k in range(q):
                e, o = expected[case, k], k * BLOCK
                for s in range(BLOCK):
                    off = towards[labels[case, s], k] - e
                    sums[finest, o + s] += off
                    squares[s] += off * off
            for level in range(finest + 1):
                for s in range(BLOCK):
                    own[level, s] += squares[s]


@_compiled.compiled
def _add_own(probs: Any, shared: Any, labels: Any, out: Any) -> None:
    """To ``out[level, s]``: ``Σ_i shared[i, level]·‖r_i‖²``."""
    n, m = probs.shape
    own = np.empty(BLOCK)
    for i in range(n):
        square = 1.0
        for k in range(m):
            square += probs[i, k] ** 2
        for s in range(BLOCK):
            own[s] = square - 2 * probs[i, labels[i, s]]
        for level in range(out.shape[0]):
            w = shared[i, level]
            for s in range(BLOCK):
                out[level, s] += w * own[s]
