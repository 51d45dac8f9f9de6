r"""Probabilities made more or less extreme: powers of them, divided by their sums.

With l = log g and b = 1/T, all that a temperature needs are sums over cases of
$A(b) = \log \sum_k e^{b l_k}$ and its derivatives, which are the mean and the variance of l under the
probabilities at b. One pass over the cases tells all three, without anything kept of it.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from calibcore.numerics import engine, loops, picking
from calibcore.numerics.draws import Draws
from calibcore.numerics.types import Float, Int

LEAST, MOST = 1 / 20, 20.0
"""Bounds of a temperature."""
WIDTH = 64
"""Cases of a panel, side by side in memory, so that loops over them become vectors."""
LINE = 8
"""Cases of a line of the cache."""
_NUMBERS = 1 << 18
"""Probabilities of a task."""
_FEW = 33
"""Classes up to which edges are compared one by one."""
_CASES = 8_192
"""Cases whose redraws are made together, at most."""
_UNIFORMS = 1 << 19, 1 << 21
"""Numbers that a task draws, of few classes and of many, whose edges are worth keeping for all redraws."""
_CLOSE = 1e-14
"""How near the root is known, on a scale of logarithms."""
_STEPS = 100


def smallest_of(probs: Float) -> float:
    """What a probability of 0 counts as: the smallest positive one of the cases."""
    return float(probs.min(where=probs > 0, initial=1.0))


def logarithms(probs: Float, smallest: float) -> Float:
    """(n, m) logarithms, with ``smallest`` in place of what is below it."""
    return np.asarray(np.log(np.maximum(probs, smallest)))


def softmax(scores: Float) -> Float:
    """(n, m) exp, rows divided by their sums, without overflow."""
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def side_by_side(values: Float) -> Float:
    """(n, m) -> (⌈n/64⌉, m, 64), zeros where there are no more cases. Cost O(nm)."""
    panels = np.zeros((-(-len(values) // WIDTH), values.shape[1], WIDTH))
    _fill(loops.read_only(values), 0, panels)
    return loops.read_only(panels)


class Normaliser(NamedTuple):
    """Σ_i A_i(b), and its first two derivatives: the mean and the variance of Σ l(y) at b."""

    value: float
    mean: float
    variance: float


@dataclass(frozen=True, eq=False)
class Powers:
    """Predictions (n, m), to be looked at under many temperatures. Memory: as much again.

    Logarithms l are those of g less the largest of the case. That changes no probability and no difference of
    log losses, and makes sums exact where a model is nearly always right.

    Attributes
    ----------
    smallest : what a probability below it counts as
    panels : (⌈n/64⌉, m, 64) of l, cases side by side
    """

    probs: Float
    smallest: float
    panels: Float

    @classmethod
    def of(cls, probs: Float, smallest: float | None = None) -> Self:
        """Probabilities below ``smallest``, the smallest positive one, count as that. Cost O(nm)."""
        least = smallest_of(probs) if smallest is None else smallest
        n, m = probs.shape
        panels = np.zeros((-(-n // WIDTH), m, WIDTH))

        def fill(rows: slice) -> None:
            logs = logarithms(probs[rows], least)
            logs -= logs.max(axis=1, keepdims=True)
            _fill(loops.read_only(logs), rows.start, panels)

        list(engine.in_order(fill, _rows(n, m), None, n))
        return cls(loops.read_only(probs), least, loops.read_only(panels))

    def happened(self, labels: Int) -> float:
        """``Σ_i l_i(y_i)``."""
        return float(self.said(labels).sum())

    def said(self, labels: Int) -> Float:
        """(…, n) ``l_i(y_i)`` of (…, n) labels."""
        rows = np.arange(len(self.probs))
        return self.panels[rows // WIDTH, labels, rows % WIDTH]

    def expected(self) -> float:
        """``Σ_ik g_ik l_ik`` of rows divided by their sums: what has no probability counts for nothing."""

        def of_some(rows: slice) -> float:
            g = self.probs[rows]
            logs = logarithms(g, self.smallest)
            return float((g / g.sum(axis=1, keepdims=True) * (logs - logs.max(axis=1, keepdims=True))).sum())

        n, m = self.probs.shape
        return sum(engine.in_order(of_some, _rows(n, m), None, n))

    def at(self, b: float) -> Normaliser:
        """One pass over the cases: 2 ns a probability and core."""
        n, m = self.probs.shape
        each = np.empty((len(self.panels), 3))

        def normalise(rows: slice) -> None:
            _normalise(self.panels, n, b, rows.start, rows.stop, np.empty((3, WIDTH)), each)

        list(engine.in_order(normalise, loops.blocks(len(self.panels), _panels_of(m)), n=n))
        return Normaliser(*each.sum(axis=0).tolist())

    def fitted(self, observed: float) -> float:
        """b = 1/T at which the mean is ``observed``; at a bound where none is, 1 where all do the same.

        Newton's method on the logarithm of b, between bounds that close in. Cost: some six passes.
        """
        low, high, b = 1 / MOST, 1 / LEAST, 1.0
        for _ in range(_STEPS):
            _, mean, variance = self.at(b)
            off = mean - observed
            if off == variance == 0:
                break
            low, high = (low, b) if off > 0 else (b, high)
            step = -off / (b * variance) if variance > 0 else math.copysign(math.inf, -off)
            if low == high or abs(step) <= _CLOSE:
                break
            aim = b * math.exp(min(max(step, -2.0), 2.0))
            if not low < aim < high:  # a bound that was not looked at is looked at itself
                beyond = 1 / MOST if off > 0 else 1 / LEAST
                aim = beyond if beyond in (low, high) else math.sqrt(low * high)
            if aim == b:
                break
            b = aim
        return b

    def redrawn(self, b: float, draws: Draws, n_resamples: int) -> Float:
        """(B,) ``Σ_i l_i(label)`` of labels drawn at b, by the numbers ``draws`` (B, n) row by row.

        At b = 1 from the probabilities as they are, so that what has none never happens. Cost O(nm + nB):
        4 ns a label and core.
        """
        n, m = self.probs.shape
        few = m <= _FEW
        cases = min(_CASES, n) if few else min(_CASES, n, max(WIDTH, _UNIFORMS[1] // n_resamples))
        chunks = loops.blocks(n, -(-cases // WIDTH) * WIDTH)
        many = min(n_resamples, max(WIDTH, _UNIFORMS[0] // cases)) if few else n_resamples
        tasks = [(rows, first) for rows in chunks for first in range(0, n_resamples, many)]
        out = np.zeros(n_resamples)

        def sums(task: tuple[slice, int]) -> Float:
            rows, first = task
            cases = range(rows.start, min(rows.stop, n))
            redraws = range(first, min(first + many, n_resamples))
            u, totals = draws.numbers(0, n, redraws, cases), np.zeros(len(redraws))
            if few:
                edges, each = np.zeros((m, WIDTH)), np.zeros((len(u), WIDTH))
                edges[-1] = 1.0
                _add_few(self.panels, self.probs, b, cases.start, u, edges, np.empty(WIDTH), each, totals)
            else:
                _add_many(self.panels, self.probs, b, cases.start, u, totals)
            return totals

        for (_, first), totals in zip(tasks, engine.in_order(sums, tasks, None, n), strict=True):
            out[first : first + len(totals)] += totals
        return out


def _panels_of(m: int) -> int:
    """Panels of a task."""
    return max(1, _NUMBERS // (WIDTH * m))


def _rows(n: int, m: int) -> list[slice]:
    return loops.blocks(n, WIDTH * _panels_of(m))


_LOG2_E, _LN_2 = 1 / math.log(2), math.log(2)
_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12 = (1 / math.factorial(k) for k in range(1, 13))
_FLOOR = -1020.0
_SHIFT = 1.5 * 2.0**52
"""Adding it moves the integer part of a number to the lowest bits of its mantissa."""


@loops.compiled
def exp_below(x: float) -> float:
    """``e^x`` for x ≤ 0, to a few units in the last place; about 0 where it is next to none. No branches."""
    x *= _LOG2_E
    x = _FLOOR if x < _FLOOR else x
    k = np.floor(x + 0.5)
    r = (x - k) * _LN_2
    p = r * _12 + _11
    p = (p * r + _10) * r + _9
    p = (p * r + _8) * r + _7
    p = (p * r + _6) * r + _5
    p = (p * r + _4) * r + _3
    p = (p * r + _2) * r + _1
    power = (np.float64(k + _SHIFT).view(np.int64) << 52) + np.int64(1023 << 52)
    value: float = (p * r + 1.0) * np.int64(power).view(np.float64)
    return value


@loops.compiled_where_it_pays()
def _fill(values: Float, start: int, panels: Float) -> None:
    """Eight cases at a time, as a whole line of the cache."""
    n, m = values.shape
    for first in range(0, n, LINE):
        rows, column = min(LINE, n - first), first % WIDTH
        panel = panels[(start + first) // WIDTH]
        for k in range(m):
            for r in range(rows):
                panel[k, column + r] = values[first + r, k]


@loops.compiled
def _normalise(panels: Float, n: int, b: float, first: int, last: int, room: Float, out: Float) -> None:
    m = panels.shape[1]
    total, mean, square = room[0], room[1], room[2]
    for p in range(first, min(last, len(panels))):
        for r in range(WIDTH):
            total[r] = mean[r] = square[r] = 0.0
        for k in range(m):
            row = panels[p, k]
            for r in range(WIDTH):
                x = row[r]
                e = exp_below(b * x)
                total[r] += e
                mean[r] += e * x
                square[r] += e * x * x
        values = means = variances = 0.0
        for r in range(min(WIDTH, n - p * WIDTH)):
            ratio = mean[r] / total[r]
            values += np.log(total[r])
            means += ratio
            variances += max(square[r] / total[r] - ratio * ratio, 0.0)
        out[p, 0], out[p, 1], out[p, 2] = values, means, variances


@loops.compiled_part
def _edges(panel: Float, probs: Float, b: float, start: int, edges: Float) -> None:
    """(m, 64) edges of the classes of a panel's cases; exactly 1 from the last possible class on."""
    m, rows = edges.shape[0], min(WIDTH, len(probs) - start)
    if b == 1.0:
        for k in range(m):
            for r in range(rows):
                edges[k, r] = probs[start + r, k]
    else:
        for k in range(m):
            for r in range(WIDTH):
                edges[k, r] = exp_below(b * panel[k, r])
    for k in range(1, m):
        for r in range(WIDTH):
            edges[k, r] += edges[k - 1, r]
    for k in range(m):
        for r in range(WIDTH):
            edges[k, r] /= edges[m - 1, r]


@loops.compiled
def _add_few(
    panels: Float, probs: Float, b: float, start: int, u: Float, edges: Float, row_probs: Float, sums: Float,
    out: Float,
) -> None:  # fmt: skip
    """To ``out`` (redraws,) what the labels of ``u`` (redraws, cases) say, cases from ``start`` on.

    ``edges`` (m, 64) are 0, the last row 1, and ``sums`` (redraws, 64) are 0.
    """
    m, many = panels.shape[1], u.shape[1]
    for first in range(0, many, WIDTH):
        panel, rows = panels[(start + first) // WIDTH], min(WIDTH, many - first)
        _edges(panel, probs, b, start + first, edges)
        for s in range(u.shape[0]):
            numbers = u[s, first : first + rows]
            for r in range(rows):
                row_probs[r] = panel[0, r]
            for k in range(m - 1):
                edge, beyond = edges[k], panel[k + 1]
                for r in range(rows):
                    before, after = row_probs[r], beyond[r]
                    row_probs[r] = after if edge[r] <= numbers[r] else before
            for r in range(rows):
                sums[s, r] += row_probs[r]
    for s in range(u.shape[0]):
        for r in range(WIDTH):
            out[s] += sums[s, r]


@loops.compiled_with_arrays
def _add_many(panels: Float, probs: Float, b: float, start: int, u: Float, out: Float) -> None:
    """:func:`_add_few` of many classes: a table says how many edges lie below about where a number is."""
    m, many = panels.shape[1], u.shape[1]
    size = 4
    while size < 4 * m:
        size *= 2
    edges = np.ones((m, WIDTH))
    row, row_probs, below = np.empty((LINE, m)), np.empty((LINE, m)), np.empty((LINE, size), np.int16)
    numbers = np.empty((LINE, u.shape[0]))
    for first in range(0, many, LINE):
        panel, column = panels[(start + first) // WIDTH], first % WIDTH
        if column == 0:
            _edges(panel, probs, b, start + first, edges)
        rows = min(LINE, many - first)
        for k in range(m):
            for r in range(LINE):
                row[r, k], row_probs[r, k] = edges[k, column + r], panel[k, column + r]
        for s in range(u.shape[0]):
            for r in range(rows):
                numbers[r, s] = u[s, first + r]
        below[:] = 0
        picking.guide(row, below)
        for r in range(rows):
            for s in range(u.shape[0]):
                x = numbers[r, s]
                k = int(below[r, int(x * size)])
                while k < m - 1 and row[r, k] <= x:
                    k += 1
                out[s] += row_probs[r, k]
