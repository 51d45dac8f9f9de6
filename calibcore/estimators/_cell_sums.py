"""Squared sums of residuals over the cells of a random partition, compiled, many label sets side by side."""

from typing import Any

import numpy as np

from calibcore.numerics.fetching import fetch
from calibcore.numerics.loops import compiled, compiled_part, compiled_with_arrays

BLOCK = 64
"""Label sets that are worked on side by side; loops over fewer are unrolled before they become vectors."""
SIGNS = 8
"""Directions that stand for many classes; their signs fit a byte."""
_HALF = 1 << SIGNS // 2
"""Ways in which half of the signs can fall."""
AHEAD = 8
"""So many cases before they are needed labels are fetched; with 16 and more it took a third longer."""
FEW = 255
"""So many cases of a cell are counted in bytes, of which a processor adds the most at once."""


@compiled_part
def add_up(counts: Any, into: Any) -> None:
    """``counts (m, BLOCK)`` go into others, and are 0 then."""
    for k in range(counts.shape[0]):
        row, sums = counts[k], into[k]
        for s in range(BLOCK):
            sums[s] += row[s]
        for s in range(BLOCK):
            row[s] = 0


@compiled_part
def end_cells(few: Any, many: Any, cases: Any, opened: Any, sums: Any, place: Any, out: Any) -> None:
    """Cells from the finest level to ``opened`` end: ``out`` gets the squares of counts − ``sums``.

    Those above get their counts; the row before the coarsest level's gets what nobody looks at. A level's are
    in ``few`` up to :data:`FEW` cases, else in ``many``. ``sums (cells, m)``, a level's from ``place`` on.
    """
    for level in range(len(out) - 1, opened - 1, -1):
        size, above = cases[1 + level], cases[level]
        if size == 0:
            continue
        counts, more = few[1 + level], many[1 + level]
        squares, expected = out[level], sums[place[level]]
        place[level] += 1
        for k in range(len(expected)):
            e, row, wide = expected[k], counts[k], more[k]
            if size <= FEW:
                for s in range(BLOCK):
                    gap = row[s] - e
                    squares[s] += gap * gap
            else:
                for s in range(BLOCK):
                    gap = wide[s] - e
                    squares[s] += gap * gap
        if above + size <= FEW:
            add_up(counts, few[level])
        else:
            if above <= FEW:
                add_up(few[level], many[level])
            if size <= FEW:
                add_up(counts, many[level])
            else:
                add_up(more, many[level])
        cases[level] = above + size
        cases[1 + level] = 0


def add_cells(sums: Any, first: Any, order: Any, opens: Any, joins: Any, labels: Any, out: Any) -> None:
    """To ``out[level, s]`` the squared sums of residuals of the cells of one tree.

    ``sums (cells, m)`` of the predictions, of each level from ``first[level]`` on; ``labels (n, BLOCK)``.
    """
    shape = 1 + len(out), sums.shape[1], BLOCK
    few, many, cases = np.zeros(shape, np.uint8), np.zeros(shape, np.int32), np.zeros(shape[0], np.int64)
    _add_cells(sums, first.copy(), order, opens, joins, labels, few, many, cases, out)


@compiled
def _add_cells(
    sums: Any, place: Any, order: Any, opens: Any, joins: Any, labels: Any, few: Any, many: Any, cases: Any,
    out: Any,
) -> None:  # fmt: skip
    m, levels = sums.shape[1], len(out)
    for i in range(len(order)):
        if opens[i] < levels:
            end_cells(few, many, cases, np.int64(opens[i]), sums, place, out)
        level = 1 + joins[i]
        if level == 0:
            continue
        size, case_labels, counts = cases[level], labels[order[i]], many[level]
        cases[level] += 1
        if size < FEW:
            # Comparing with each class, in bytes: as vectors faster than finding the place of each label.
            for k in range(m):
                row, label = few[level, k], np.int8(k)
                for s in range(BLOCK):
                    row[s] += np.uint8(case_labels[s] == label)
        else:
            if size == FEW:
                add_up(few[level], counts)
            for s in range(BLOCK):
                counts[np.int64(case_labels[s]), s] += 1
    end_cells(few, many, cases, np.int64(0), sums, place, out)


@compiled_with_arrays
def add_cells_of_groups(
    sums: Any, first: Any, order: Any, opens: Any, joins: Any, sizes: Any, hits: Any, out: Any
) -> None:
    """:func:`add_cells` of groups of ``sizes (G,)`` cases, :data:`FEW` at most.

    Of them ``hits (G, m, BLOCK)`` are of each class."""
    m, levels = sums.shape[1], len(out)
    few = np.zeros((1 + levels, m, BLOCK), np.uint8)
    many = np.zeros((1 + levels, m, BLOCK), np.int32)
    cases, place = np.zeros(1 + levels, np.int64), first.copy()
    for i in range(len(order)):
        if i + AHEAD < len(order):
            fetch(hits, order[i + AHEAD])
        if opens[i] < levels:
            end_cells(few, many, cases, np.int64(opens[i]), sums, place, out)
        level, group = 1 + joins[i], order[i]
        if level == 0:
            continue
        before, more = cases[level], hits[group]
        cases[level] += sizes[group]
        if cases[level] <= FEW:
            for k in range(m):
                row, own = few[level, k], more[k]
                for s in range(BLOCK):
                    row[s] += own[s]
        else:
            if before <= FEW:
                add_up(few[level], many[level])
            for k in range(m):
                wide, own = many[level, k], more[k]
                for s in range(BLOCK):
                    wide[s] += own[s]
    end_cells(few, many, cases, np.int64(0), sums, place, out)


@compiled_part
def close(sums: Any, cases: Any, opened: Any, out: Any) -> None:
    """Cells from the finest level to ``opened`` end: ``out`` gets the squares of their sums, those above get
    the sums."""
    for level in range(len(sums) - 1, opened - 1, -1):
        if cases[level] == 0:
            continue
        squares = out[level]
        for k in range(sums.shape[1]):
            row = sums[level, k]
            for s in range(BLOCK):
                squares[s] += row[s] * row[s]
        if level > 0:
            add_up(sums[level], sums[level - 1])
            cases[level - 1] += cases[level]
        else:
            sums[level] = 0.0
        cases[level] = 0


@compiled_with_arrays
def add_cells_towards(
    expected: Any, towards: Any, order: Any, opens: Any, joins: Any, labels: Any, out: Any, own: Any
) -> None:
    """:func:`add_cells` of ``towards[y] − expected``; to ``own`` the squares of those that share a cell.

    ``expected`` stands in the order of the tree.
    """
    q, levels = expected.shape[1], out.shape[0]
    sums = np.zeros((levels, q, BLOCK))
    cases = np.zeros(levels, np.int64)
    squares = np.empty(BLOCK)
    for i in range(len(order)):
        if opens[i] < levels:
            close(sums, cases, np.int64(opens[i]), out)
        finest = joins[i]
        if finest < 0:
            continue
        cases[finest] += 1
        case_labels = labels[order[i]]
        for s in range(BLOCK):
            squares[s] = 0.0
        for k in range(q):
            e, row = expected[i, k], sums[finest, k]
            for s in range(BLOCK):
                off = towards[case_labels[s], k] - e
                row[s] += off
                squares[s] += off * off
        for level in range(finest + 1):
            for s in range(BLOCK):
                own[level, s] += squares[s]
    close(sums, cases, np.int64(0), out)


@compiled_with_arrays
def add_cells_by_signs(
    sums: Any,
    first: Any,
    expected: Any,
    codes: Any,
    order: Any,
    opens: Any,
    joins: Any,
    labels: Any,
    out: Any,
    own: Any,
) -> None:
    """:func:`add_cells_towards` of 0 and 1 for the signs of a label, ``codes (m,)``.

    ``sums`` and ``first`` as in :func:`add_cells`; ``expected`` stands in the order of the tree. Labels do
    not, and over many classes they take more than a processor's cache: they are fetched ahead.
    """
    levels = len(out)
    few = np.zeros((1 + levels, SIGNS, BLOCK), np.uint8)
    many = np.zeros((1 + levels, SIGNS, BLOCK), np.int32)
    cases, place = np.zeros(1 + levels, np.int64), first.copy()
    code, lows, highs = np.empty(BLOCK, np.uint8), np.zeros((AHEAD, _HALF)), np.zeros((AHEAD, _HALF))
    finest = np.zeros((levels, BLOCK))
    for start in range(0, len(order), AHEAD):
        stop = min(start + AHEAD, len(order))
        for i in range(start, stop):
            if i + AHEAD < len(order):
                fetch(labels, order[i + AHEAD])
            # What signs add to the squares of a case, looked up by half of them at a time; some cases' tables
            # at once, as what was just written is slow to read.
            means, low, high = expected[i], lows[i - start], highs[i - start]
            low[0] = 0.0
            for k in range(SIGNS):
                low[0] += means[k] ** 2
            for k in range(SIGNS // 2):
                e, f = means[k], means[SIGNS // 2 + k]
                for below in range(1 << k):
                    low[(1 << k) + below] = low[below] + 1 - 2 * e
                    high[(1 << k) + below] = high[below] + 1 - 2 * f
        for i in range(start, stop):
            if opens[i] < levels:
                end_cells(few, many, cases, np.int64(opens[i]), sums, place, out)
            level = 1 + joins[i]
            if level == 0:
                continue
            size, case_labels = cases[level], labels[order[i]]
            cases[level] += 1
            for s in range(BLOCK):
                code[s] = codes[np.uint16(case_labels[s])]
            if size == FEW:
                add_up(few[level], many[level])
            for k in range(SIGNS):
                bit, hits, counts = np.uint8(1 << k), few[level, k], many[level, k]
                if size < FEW:
                    for s in range(BLOCK):
                        hits[s] += np.uint8((code[s] & bit) != 0)
                else:
                    for s in range(BLOCK):
                        counts[s] += np.int32((code[s] & bit) != 0)
            squares, low, high = finest[level - 1], lows[i - start], highs[i - start]
            for s in range(BLOCK):
                squares[s] += low[code[s] % _HALF] + high[code[s] // _HALF]
    end_cells(few, many, cases, np.int64(0), sums, place, out)
    for level in range(levels):
        for below in range(level, levels):
            for s in range(BLOCK):
                own[level, s] += finest[below, s]


def add_own(probs: Any, shared: Any, labels: Any, out: Any) -> None:
    """To ``out[level, s]``: ``Σ_i shared[i, level]·‖r_i‖²``."""
    _add_own(probs, shared, labels, np.empty(BLOCK), out)


@compiled
def _add_own(probs: Any, shared: Any, labels: Any, own: Any, out: Any) -> None:
    n, m = probs.shape
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
