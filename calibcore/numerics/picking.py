"""Which label a number between 0 and 1 draws: how many of a case's edges lie at or below it, compiled.

Counting all edges is fastest for few, halving for many, and a guide for many numbers a case.
"""

import math

import numpy as np

from calibcore.numerics.loops import compiled, compiled_with_arrays, for_both
from calibcore.numerics.types import Float, Int, Labels

FEW_EDGES = 32
"""Up to so many edges comparing with each is faster than searching."""
LANES = 32
"""Numbers that are searched for side by side."""


def pick(edges: Float, u: Float, out: Labels, cases: slice | None = None) -> None:
    """``out[s, i] = #{edges[i] ≤ u[s, i]}``, edges rising; of all cases i or some.

    Arrays are given whole, as compiled loops are other ones for what is not contiguous.
    """
    few = edges.shape[1] <= FEW_EDGES or len(u) < LANES
    first, last = (0, len(edges)) if cases is None else (cases.start, min(cases.stop, len(edges)))
    (_count_edges if few else _find_edges)(edges, u, out, first, last)


@compiled
def _count_edges(edges: Float, u: Float, out: Labels, begin: int, end: int) -> None:
    """:func:`pick` by counting all: a search would guess its branches wrong."""
    for s in range(u.shape[0]):
        for i in range(begin, end):
            index = 0
            for k in range(edges.shape[1]):
                index += edges[i, k] <= u[s, i]
            out[s, i] = index


@for_both
def row_to_halve(last: int) -> Float:
    """Room for ``last`` edges, filled up with infinite ones as :func:`halve` takes them."""
    size = 2
    while size <= last:
        size *= 2
    row = np.empty(size)
    row[last:] = np.inf
    return row


@compiled
def halve(row: Float, wanted: Float, place: Int) -> None:
    """``place[s] = #{row ≤ wanted[s]}`` of :data:`LANES` numbers side by side, without branches."""
    for s in range(LANES):
        place[s] = 0
    half = len(row) // 2
    while half > 0:
        for s in range(LANES):
            place[s] += half * (row[place[s] + half - 1] <= wanted[s])
        half //= 2


@compiled_with_arrays
def _find_edges(edges: Float, u: Float, out: Labels, begin: int, end: int) -> None:
    """:func:`pick` by halving: 10 ns a label of 1,000 classes."""
    last = edges.shape[1]
    row = row_to_halve(last)
    place, wanted = np.empty(LANES, np.int64), np.zeros(LANES)
    for i in range(begin, end):
        for k in range(last):
            row[k] = edges[i, k]
        for first in range(0, u.shape[0], LANES):
            many = min(LANES, u.shape[0] - first)
            for s in range(many):
                wanted[s] = u[first + s, i]
            halve(row, wanted, place)
            for s in range(many):
                out[first + s, i] = place[s]


def guided(edges: Float) -> Labels:
    """(n, m − 1) edges -> what :func:`pick_guided` takes: ``[i, c]`` how many are at or below ``c/size``.

    Four times as many cells as classes, so that most hold no edge. Cost 2 µs for a case of 1,000 classes.
    """
    out = np.zeros((len(edges), 4 << edges.shape[1].bit_length()), np.int16)
    guide(edges, out)
    return out


@compiled
def guide(edges: Float, out: Labels) -> None:
    """:func:`guided` into zeros. The size is a power of two, so that what it multiplies stays exact."""
    size = out.shape[1]
    for i in range(edges.shape[0]):
        row = out[i]
        for k in range(edges.shape[1]):
            cell = math.ceil(edges[i, k] * size)
            if cell < size:
                row[cell] += 1
        below = row[0]
        for c in range(1, size):
            below += row[c]
            row[c] = below


@compiled
def pick_guided(guides: Labels, edges: Float, u: Float, out: Labels) -> None:
    """:func:`pick` for more label sets than there are classes: 3 ns a label."""
    size, last = guides.shape[1], edges.shape[1]
    for i in range(edges.shape[0]):
        row, start = edges[i], guides[i]
        for s in range(u.shape[0]):
            k = np.int64(start[int(u[s, i] * size)])
            while k < last and row[k] <= u[s, i]:
                k += 1
            out[s, i] = k
