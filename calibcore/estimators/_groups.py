"""Many cases of few classes: groups of neighbours, whose labels are counted, before the random partitions.

A group lies within a fraction of the narrowest bandwidth and has one likeliest class; in it the kernel counts
as 1. Partitions then are of groups. What is linear in labels is summed case by case. Groups look at
predictions only, so exact tests keep their level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators import _line
from calibcore.estimators._cell_sums import BLOCK, add_cells
from calibcore.estimators._label_blocks import CHUNK, drawn_parts, label_block, thresholds
from calibcore.estimators._omnibus_parts import Others, confidence_kernels
from calibcore.estimators._partitions import MOST_CLASSES, TREES, Partitions, one_tree
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

FROM = 20_000
"""Up to so many cases partitions are of cases."""
FINER = 3.0
"""A group is narrower than the narrowest bandwidth by this factor, on average."""
TREES_OF_GROUPS = 2
"""Groups being few, so many times the trees."""
_FULL = 4
"""So many cases a group at least, on average: else groups save nothing."""
_MOST = 400_000
"""Groups times classes at most: their counts are held for a block of label sets, 256 bytes each."""


@dataclass(frozen=True, eq=False)
class Groups:
    """n cases in G groups.

    Attributes
    ----------
    order : (n,) cases, group after group
    number : (n,) group of each in that order
    sums : (G, m) their predictions' sums
    likeliest : (G,) its cases' likeliest class
    columns : (n, 3 or 4, m − 1) what a label k + 1 adds, beyond a label k, to ``Σ log g_i(y_i)``,
        ``Σ‖r_i‖²``, the squares of :class:`.Confidence` and the number of impossible labels
    partitions : of the groups' mean predictions
    line : their mean confidences, with the kernels of :class:`.Confidence`
    fixed : what labels of class 0 add up to
    """

    order: Int
    number: NDArray[np.int32]
    sums: Float
    columns: Float
    fixed: Float
    partitions: Partitions
    likeliest: Int
    line: _line.Lines
    together: ClassVar[int] = 1

    @classmethod
    def of(
        cls, g: Float, metric: str, bandwidths: Sequence[float], rest: Others, trees: int = TREES
    ) -> "Groups | None":
        """None where cases have too few neighbours. Cost O(nm log n)."""
        n, m = g.shape
        if n <= FROM or m > MOST_CLASSES:
            return None
        order, opens = one_tree(g, metric, FINER / bandwidths[-1])
        cells = np.empty(n, np.int64)
        cells[order] = np.cumsum(opens == 0)
        likeliest = g.argmax(axis=1)
        distinct = np.unique(cells * m + likeliest, return_inverse=True, return_counts=True)
        number, sizes = distinct[1], distinct[2]
        if len(sizes) * _FULL > n or len(sizes) * m > _MOST:
            return None
        sums: Float = np.column_stack([np.bincount(number, g[:, k]) for k in range(m)])
        means = sums / sizes[:, None]
        partitions = Partitions.of(means, metric, bandwidths, None, TREES_OF_GROUPS * trees, sums)
        rank = np.empty(len(sizes), np.int32)
        rank[partitions.cases] = np.arange(len(sizes), dtype=np.int32)
        place = rank[number]
        sums, sizes = sums[partitions.cases], sizes[partitions.cases]
        cases = np.argsort(place, kind="stable")
        place, likeliest = place[cases], likeliest[cases]
        group_class = likeliest[np.searchsorted(place, np.arange(len(sizes)))]
        # Both numbers of the two classes "happened" and "not", of cases for the bandwidths and of groups.
        pairs = np.column_stack([g.max(axis=1), g.sum(axis=1) - g.max(axis=1)])
        hit = sums[np.arange(len(sizes)), group_class]
        means = np.column_stack([hit, sums.sum(axis=1) - hit]) / sizes[:, None]
        line = _line.Lines.of(confidence_kernels(pairs, metric), means)
        columns, fixed = _linear(g[cases], likeliest, rest, cases)
        return cls(cases, place, sums, columns, fixed, partitions, group_class, line)

    def chances(self, probs: Float) -> NDArray[np.uint32]:
        """What :meth:`of_draws` takes."""
        return thresholds(probs[self.order])

    def of_labels(self, labels: NDArray[Any]) -> tuple[Float, Float]:
        """(S ≤ BLOCK, n) labels -> (7, BLOCK) sums over pairs; (2 or 3 + m, BLOCK), see :meth:`_of`."""
        counts, sums = self._empty()
        _count(label_block(labels, self.order), self.number, self.columns, counts, sums)
        return self._of(counts, sums)

    def of_draws(self, edges: NDArray[np.uint32], streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """The same of :data:`BLOCK` label sets drawn from ``edges`` in the order of the groups."""
        (rng,) = streams
        counts, sums = self._empty()
        for part, labels in drawn_parts(edges, rng):
            _count(labels, self.number[part], self.columns[part], counts, sums)
        return self._of(counts, sums)

    def _empty(self) -> tuple[NDArray[np.int32], Float]:
        counts = np.zeros((*self.sums.shape, BLOCK), np.int32)
        return counts, np.repeat(self.fixed[:, None], BLOCK, axis=1)

    def _of(self, counts: NDArray[np.int32], sums: Float) -> tuple[Float, Float]:
        """Sums over pairs; logs, impossible labels (0 where none is), labels of each class."""
        trees, shared = self.partitions.trees, self.partitions.shared
        cells, own = np.zeros((shared.shape[1], BLOCK)), np.zeros((shared.shape[1] + 1, BLOCK))
        totals = np.zeros((counts.shape[1], BLOCK))
        _add_own(self.sums, shared, counts, own, totals)
        each = self.partitions
        for tree in zip(each.sums, each.first, each.order, each.opens, each.joins, strict=True):
            add_cells(*tree, counts, cells)
        # Within a group every pair counts.
        pairs = 0.5 * (cells / trees - own[:-1] + own[-1] - sums[1])
        base = -self.sums[np.arange(len(self.sums)), self.likeliest][:, None]

        def hits(start: int, stop: int) -> Float:
            rows = self.line.order[start:stop]
            return hits_of(counts, rows, self.likeliest[rows]).ravel()

        along = self.line.pairs(base, np.ones_like(base), hits)
        squares = np.zeros(BLOCK)
        for part in np.array_split(np.arange(len(base)), -(-len(base) // CHUNK)):
            squares += ((hits_of(counts, part, self.likeliest[part]) + base[part]) ** 2).sum(axis=0)
        confidence = 2 * along + squares - sums[2]
        impossible = sums[3] if len(sums) > 3 else np.zeros(BLOCK)
        return np.vstack([pairs, confidence]), np.vstack([sums[0], impossible, totals])


def hits_of(counts: NDArray[np.int32], rows: Int, likeliest: Int) -> Float:
    """How often the likeliest class of some groups happened, (·, BLOCK)."""
    return counts[rows, likeliest].astype(np.float64)


def _linear(g: Float, likeliest: Int, rest: Others, order: Int) -> tuple[Float, Float]:
    """``columns`` and ``fixed`` of cases in the order of the groups."""
    confidence = g[np.arange(len(g)), likeliest]
    squares = np.zeros(g.shape)
    squares[np.arange(len(g)), likeliest] = 1 - 2 * confidence
    assert rest.logs is not None
    each = [rest.logs[order], -2 * g, squares]
    if rest.impossible is not None:
        each.append(rest.impossible[order])
    fixed = np.array([sums[:, 0].sum() for sums in each])
    fixed[1] += len(g) + (g**2).sum()
    fixed[2] += (confidence**2).sum()
    return np.stack([np.diff(sums, axis=1) for sums in each], axis=1), fixed


@loops.compiled
def _count(labels: Any, number: Any, columns: Any, counts: Any, sums: Any) -> None:
    """To ``counts[group, k]`` the labels ``(n, BLOCK)`` that are k; what they add to ``sums``."""
    for i in range(len(labels)):
        row, counts_of_group = labels[i], counts[number[i]]
        for s in range(BLOCK):
            counts_of_group[0, s] += 1
        for k in range(columns.shape[2]):
            before, after = counts_of_group[k], counts_of_group[k + 1]
            for s in range(BLOCK):
                before[s] -= row[s] > k
            for s in range(BLOCK):
                after[s] += row[s] > k
            for q in range(columns.shape[1]):
                add, out = columns[i, q, k], sums[q]
                for s in range(BLOCK):
                    out[s] += add if row[s] > k else 0.0


@loops.compiled
def _add_own(expected: Any, shared: Any, counts: Any, own: Any, totals: Any) -> None:
    """To ``own[level, s]`` ``Σ_g shared[g, level]·‖D_g‖²``, to its last row ``Σ_g ‖D_g‖²``.

    To ``totals`` the labels of each class.
    """
    square = np.empty(BLOCK)
    levels = shared.shape[1]
    for g in range(len(expected)):
        for s in range(BLOCK):
            square[s] = 0.0
        for k in range(expected.shape[1]):
            e, hits, out = expected[g, k], counts[g, k], totals[k]
            for s in range(BLOCK):
                gap = hits[s] - e
                square[s] += gap * gap
                out[s] += hits[s]
        for level in range(levels + 1):
            w, into = shared[g, level] if level < levels else 1.0, own[level]
            for s in range(BLOCK):
                into[s] += w * square[s]
