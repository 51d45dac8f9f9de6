"""Many cases of few classes: groups of neighbours, whose labels are counted, before the random partitions.

A group lies within a fraction of the narrowest bandwidth and has one likeliest class; in it the kernel counts
as 1. Partitions then are of groups. What is linear in labels is summed case by case. Groups look at
predictions only, so exact tests keep their level. A group's labels are counted in bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators import _line
from calibcore.estimators._cell_sums import BLOCK, FEW, add_cells_of_groups
from calibcore.estimators._label_blocks import CHUNK, label_block
from calibcore.estimators._omnibus_parts import Others, confidence_kernels
from calibcore.estimators._partitions import MOST_CLASSES, TREES, Partitions, one_tree
from calibcore.numerics import loops
from calibcore.numerics.lanes import lanes, next_words, number_at
from calibcore.numerics.resampling import class_edges
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
"""Groups times classes at most: their counts are held for a block of label sets, 64 bytes each."""
_STEPS = 2**8
Chances = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""Edges of the classes in steps of 2⁻⁸, (n, m − 1), and what is left of them in units of a step."""


@dataclass(frozen=True, eq=False)
class Groups:
    """n cases in G groups.

    Attributes
    ----------
    order : (n,) cases, group after group
    sizes : (G,) its cases, :data:`.FEW` at most
    sums : (G, m) their predictions' sums
    likeliest : (G,) its cases' likeliest class
    columns : (n, 3 or 4, m − 1) what a label k + 1 adds, beyond a label k, to ``Σ log g_i(y_i)``,
        ``Σ‖r_i‖²``, the squares of :class:`.Confidence` and the number of impossible labels; whole ``units``
    units : (3 or 4,)
    partitions : of the groups' mean predictions
    line : their mean confidences, with the kernels of :class:`.Confidence`
    fixed : what labels of class 0 add up to
    """

    order: Int
    sizes: NDArray[np.int32]
    sums: Float
    columns: NDArray[np.int32]
    units: Float
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
        if sizes.max() > FEW:
            number = _in_bytes(number, sizes, g.max(axis=1))
            sizes = np.bincount(number)
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
        columns, units, fixed = _linear(g[cases], likeliest, rest, cases)
        few = sizes.astype(np.int32)
        return cls(cases, few, sums, columns, units, fixed, partitions, group_class, line)

    def chances(self, probs: Float) -> Chances:
        """What :meth:`of_draws` takes."""
        n, m = probs.shape
        steps, rest = np.empty((n, m - 1), np.uint8), np.empty((n, m - 1), np.float32)

        def fill(rows: slice) -> None:
            scaled = class_edges(probs[self.order[rows]]) * _STEPS
            steps[rows] = np.minimum(scaled, _STEPS - 1)
            rest[rows] = scaled - steps[rows]

        loops.in_threads(fill, loops.blocks(n))
        return steps, rest

    def of_labels(self, labels: NDArray[Any]) -> tuple[Float, Float]:
        """(S ≤ BLOCK, n) labels -> (7, BLOCK) sums over pairs; (2 or 3 + m, BLOCK), see :meth:`_of`."""
        counts, added = self._empty()
        _count(label_block(labels, self.order, np.int8), self.sizes, self.columns, counts, added)
        return self._of(counts, added)

    def of_draws(self, chances: Chances, streams: list[np.random.Generator]) -> tuple[Float, Float]:
        """The same of :data:`BLOCK` label sets: a random byte for each label, and a number where that decides
        nothing."""
        (rng,), (steps, rest) = streams, chances
        counts, added = self._empty()
        _draw(lanes(rng), steps, rest, self.sizes, self.columns, counts, added)
        return self._of(counts, added)

    def _empty(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        counts = np.zeros((*self.sums.shape, BLOCK), np.uint8)
        return counts, np.zeros((self.columns.shape[1], BLOCK), np.int64)

    def _of(self, counts: NDArray[np.uint8], added: NDArray[np.int64]) -> tuple[Float, Float]:
        """Sums over pairs; logs, impossible labels (0 where none is), labels of each class."""
        sums: Float = self.fixed[:, None] + added * self.units[:, None]
        trees, shared = self.partitions.trees, self.partitions.shared
        cells, own = np.zeros((shared.shape[1], BLOCK)), np.zeros((shared.shape[1] + 1, BLOCK))
        totals = np.zeros((counts.shape[1], BLOCK))
        _add_own(self.sums, shared, counts, own, totals)
        each = self.partitions
        for tree in zip(each.sums, each.first, each.order, each.opens, each.joins, strict=True):
            add_cells_of_groups(*tree, self.sizes, counts, cells)
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


def _in_bytes(number: Int, sizes: Int, by: Float) -> Int:
    """(n,) groups of :data:`FEW` cases at most: larger ones in parts, along ``by``."""
    order = np.lexsort((by, number))
    place = np.arange(len(number)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    parts = -(-sizes // FEW)
    out = np.empty_like(number)
    out[order] = np.repeat(np.cumsum(parts) - parts, sizes) + place // FEW
    return out


def hits_of(counts: NDArray[np.uint8], rows: Int, likeliest: Int) -> Float:
    """How often the likeliest class of some groups happened, (·, BLOCK)."""
    return counts[rows, likeliest].astype(np.float64)


def _linear(g: Float, likeliest: Int, rest: Others, order: Int) -> tuple[NDArray[np.int32], Float, Float]:
    """``columns``, ``units`` and ``fixed`` of cases in the order of the groups."""
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
    columns = np.stack([np.diff(sums, axis=1) for sums in each], axis=1)
    # Sums of a byte of cases stay within 32 bits. Powers of two, so that impossible labels count as ones.
    most = np.maximum(np.abs(columns).sum(axis=2).max(axis=0), 1e-300) * (
        FEW / (2**31 - 1 - FEW * g.shape[1])
    )
    units = 2.0 ** np.ceil(np.log2(most))
    return np.rint(columns / units[:, None]).astype(np.int32), units, fixed


@loops.compiled_part
def _add_case(label: Any, columns: Any, above: Any, part: Any) -> None:
    """To ``above[k]`` the labels ``(BLOCK,)`` that are above k; what they add to ``part``."""
    for k in range(columns.shape[1]):
        row, least = above[k], np.int8(k)
        for s in range(BLOCK):
            row[s] += np.uint8(label[s] > least)
        for q in range(columns.shape[0]):
            add, out = columns[q, k], part[q]
            for s in range(BLOCK):
                out[s] += add if label[s] > least else np.int32(0)


@loops.compiled_part
def _end_group(cases: Any, above: Any, counts: Any) -> None:
    """Of ``cases`` how many are of each class to ``counts``; ``above`` is 0 then."""
    for s in range(BLOCK):
        counts[0, s] = np.uint8(cases)
    for k in range(len(above)):
        row, before, own = above[k], counts[k], counts[k + 1]
        for s in range(BLOCK):
            before[s] -= row[s]
            own[s] = row[s]
            row[s] = 0


@loops.compiled_part
def _end_part(part: Any, sums: Any) -> None:
    for q in range(len(sums)):
        row, into = part[q], sums[q]
        for s in range(BLOCK):
            into[s] += row[s]
            row[s] = 0


@loops.compiled_with_arrays
def _count(labels: Any, sizes: Any, columns: Any, counts: Any, sums: Any) -> None:
    """To ``counts[group, k]`` the labels ``(n, BLOCK)`` that are k; what they add to ``sums``."""
    part, above = np.zeros((len(sums), BLOCK), np.int32), np.zeros((columns.shape[2], BLOCK), np.uint8)
    case = 0
    for group in range(len(sizes)):
        for _ in range(sizes[group]):
            _add_case(labels[case], columns[case], above, part)
            case += 1
        _end_group(sizes[group], above, counts[group])
        _end_part(part, sums)


@loops.compiled_with_arrays
def _draw(lanes: Any, steps: Any, rest: Any, sizes: Any, columns: Any, counts: Any, sums: Any) -> None:
    """:func:`_count` of labels: how many edges a random byte is above. Where it is equal to one, another
    number decides.

    Whatever the chances are, the numbers of a label are the same.
    """
    last = steps.shape[1]
    part, above = np.zeros((len(sums), BLOCK), np.int32), np.zeros((last, BLOCK), np.uint8)
    words, further = np.empty((FEW, BLOCK // 8), np.uint64), np.empty(FEW, np.uint64)
    places, label, equal = words.view(np.uint8), np.empty(BLOCK, np.int8), np.empty(BLOCK, np.uint8)
    undecided = equal.view(np.uint64)
    begin = 0
    for group in range(len(sizes)):
        size = sizes[group]
        next_words(lanes, words[:size], further)
        for i in range(size):
            case, row = begin + i, places[i]
            for s in range(BLOCK):
                label[s] = 0
                equal[s] = 0
            for k in range(last):
                t = steps[case, k]
                for s in range(BLOCK):
                    label[s] += np.int8(row[s] > t)
                    equal[s] |= np.uint8(row[s] == t)
            for word in range(len(undecided)):
                if undecided[word] == 0:
                    continue
                for s in range(8 * word, 8 * word + 8):
                    if equal[s] > 0:
                        number, reached = number_at(further[i], s), 0
                        for k in range(last):
                            t = steps[case, k]
                            reached += row[s] > t or (row[s] == t and number >= rest[case, k])
                        label[s] = reached
            _add_case(label, columns[case], above, part)
        _end_group(size, above, counts[group])
        _end_part(part, sums)
        begin += size


@loops.compiled_with_arrays
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
