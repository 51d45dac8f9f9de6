"""The bins of the typical gap: its own, made of predictions alone, never those of a diagram."""

import math
from bisect import bisect_left
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from calibcore.diagram.binning import MedianVarianceBinning
from calibcore.diagram.bins import bins_of
from calibcore.numerics.largest import likeliest
from calibcore.numerics.loops import in_threads
from calibcore.numerics.types import Float, Int

SMALLEST_BIN = 20
"""Cases that splitting a bin in which models are compared leaves on either side, where there are enough."""
LEAST_MASS = 12
"""What :func:`parts_by_mass` leaves on either side of a split, in cases of a mean mass."""
FEWEST_CASES = 4
"""And how many cases at least, however unsure."""
FEWEST_BINS = 5
NEAR = 0.05
"""Beside ties: so close are the predictions of a few cases to those of the bin that they join. Simulated, as
the next, see docs/statistics/typical-gap.md."""
MOST_SHARES = 2.5
"""Beside ties: so many times the cases of a usual bin both have at most."""
_IN_THREADS_FROM = 11
"""Of fewer classes steps are short, and threads would wait for each other."""
ROUNDING = 1e-9
"""A share of the whole that falls short of a bin's edge by so little lies on it."""


def number_of_bins(n: int) -> int:
    """How many bins ``n`` cases have along one probability: 0.8·n^0.6, 5 at least."""
    return max(FEWEST_BINS, round(0.8 * math.pow(n, 0.6)))


def bins_along(p: Float, n_bins: int, by_cases: float = 0.5) -> tuple[Int, Int]:
    """(n,) rows by rising or falling probability, and where each bin begins among them, n at the end.

    The bin of a case is ``⌊k·(½·#{j before i}/n + ½·W_i/W)⌋``, W_i the sum of ``min(p_j, 1 − p_j)`` over the
    cases before i, W over all: half of the bins go by cases, half by uncertainty. Those by cases alone look
    away where a sure model is unsure, those by uncertainty alone where it is sure. Equal values share a bin.
    Cases stand in the order that makes a class and its complement have the same bins: rising where the
    probability is ½ or less on average. Cost O(n log n).

    n_bins : k
    by_cases : share of the bins that go by cases; with 1 they are equal-mass bins
    """
    n = len(p)
    order, sorted_p, first = _equal_together(p)
    unsure = np.minimum(sorted_p, 1 - sorted_p)
    total = float(unsure.sum())
    share = by_cases * first / n
    if total > 0:
        share += (1 - by_cases) * (np.cumsum(unsure) - unsure)[first] / total
    number = np.floor(n_bins * share + ROUNDING)
    return order, np.append(first[np.flatnonzero(np.diff(number, prepend=-1.0))], n)


def bins_beside_ties(p: Float, n_bins: int, least: int) -> tuple[Int, Int]:
    """Equal-mass bins that stop at heavy ties: (n,) rows by probability, and where each begins, n at the end.

    A value of more than n/k cases is a bin of its own. Between two such values stand bins of equally many
    cases, as many as n/k and ``least`` cases in each allow. Fewer than ``least`` there join the nearer
    such value, where that is within :data:`NEAR` and both together are at most :data:`MOST_SHARES`·n/k cases
    and a quarter of all. Else they stay alone: a few cases never vanish among many. Order as in
    :func:`bins_along`, whose bins by cases these are where no values are equal. Cost O(n log n).

    n_bins : k
    least : at most n/k
    """
    n = len(p)
    order, sorted_p, first = _equal_together(p)
    sizes, share = np.diff(first, append=n), n / n_bins
    heavy = sizes > share
    edges = np.flatnonzero(heavy | np.append(True, heavy[:-1]))  # where a heavy value or a stretch begins
    begins = np.concatenate(
        [
            start + _of_equal_mass(sizes[start:end], share, least)
            for start, end in pairwise([*edges.tolist(), len(sizes)])
        ]
    )
    starts = np.append(first[begins], n)
    return order, _without_small(starts, sorted_p, min(MOST_SHARES * share, n / 4), least)


def _equal_together(p: Float) -> tuple[Int, Float, Int]:
    """(n,) rows by rising or falling probability, their probabilities, and where each value begins."""
    order = np.argsort(p)
    # A stable order takes seven times as long, and matters to equals alone.
    if (np.diff(p[order]) == 0).any():
        order = np.argsort(p, kind="stable")
    if p.mean() > 0.5:
        order = np.ascontiguousarray(order[::-1])
    sorted_p = p[order]
    return order, sorted_p, np.flatnonzero(np.diff(sorted_p, prepend=np.nan) != 0)


def _of_equal_mass(sizes: Int, share: float, least: int) -> Int:
    """Where bins of ``share`` cases or more begin among groups that stay together, ``least`` in each."""
    total = int(sizes.sum())
    middles = np.cumsum(sizes) - (sizes + 1) / 2
    for number in range(int(total / share + ROUNDING), 1, -1):
        begins = np.flatnonzero(np.diff(np.floor(number * middles / total + ROUNDING), prepend=-1.0))
        if np.add.reduceat(sizes, begins).min() >= least:
            return begins
    return np.zeros(1, np.int64)


def _without_small(starts: Int, sorted_p: Float, most: float, least: int) -> Int:
    """Bins of fewer than ``least`` cases, the smallest first, join the nearer neighbour that allows it."""
    edges = starts.tolist()
    for start in starts[:-1][np.argsort(np.diff(starts), kind="stable")].tolist():
        i = bisect_left(edges, start)
        if edges[i] != start or edges[i + 1] - start >= least:
            continue
        own = float(sorted_p[start : edges[i + 1]].mean())
        beside = [
            (abs(float(sorted_p[edges[j] : edges[j + 1]].mean()) - own), max(i, j))
            for j in (i - 1, i + 1)
            if 0 <= j < len(edges) - 1 and max(edges[i + 1], edges[j + 1]) - min(start, edges[j]) <= most
        ]
        if beside and min(beside)[0] <= NEAR + ROUNDING:
            del edges[min(beside)[1]]
    return np.array(edges, np.int64)


def parts_by_mass(probs: Float) -> list[Int]:
    """The rows of each bin of three or more classes, which share the likeliest class.

    A case has the mass ``½·1/n + ½·u_i/Σu`` with ``u_i = 1 − ‖g_i‖²``: half of the bins go by cases, half by
    uncertainty. Bins of a sure model that go by cases alone are coarse where it is unsure, and errors average
    out there. A bin is split between two values of the component of the largest variance, by mass, where both
    sides keep a mass of 12 mean cases (of fewer than 60 cases a fifth of them) and 4 cases; else of the next
    one. Of such places it is that nearest the median of mass. Classes that are the likeliest of one case
    alone share a bin. Cost O(nm log n).
    """
    n = len(probs)
    unsure = np.maximum(1 - np.square(probs).sum(axis=1), 0.0)
    total = float(unsure.sum())
    mass = 0.5 + 0.5 * n * unsure / total if total > 0 else np.ones(n)
    least = max(2.0, min(float(LEAST_MASS), n / 5))
    first = likeliest(probs)
    first[np.bincount(first, minlength=probs.shape[1])[first] <= 1] = -1
    order = np.argsort(first, kind="stable")

    def split(waiting: list[Int]) -> list[Int]:
        final = []
        while waiting:
            rows = waiting.pop()
            below = _side_by_mass(probs[rows], mass[rows], least)
            if below is None:
                final.append(rows)
            else:
                waiting += [rows[below], rows[~below]]
        return final

    alike = np.split(order, np.flatnonzero(np.diff(first[order])) + 1)
    tasks = [alike] if probs.shape[1] < _IN_THREADS_FROM else [[rows] for rows in alike]
    return list(chain.from_iterable(in_threads(split, tasks)))


def _side_by_mass(g: Float, mass: Float, least: float) -> NDArray[np.bool_] | None:
    """(n,) which side of a split, of the widest component that leaves enough on both."""
    n, total = len(g), float(mass.sum())
    if n < 2 * FEWEST_CASES or total < 2 * least - ROUNDING:
        return None
    spread = mass @ np.square(g - mass @ g / total)
    if not spread.max() > 0:
        return None
    # Rounded, as the order in which cases are summed is none of a tie's business.
    for c in np.argsort(-np.round(spread / spread.max(), 9), kind="stable"):
        x = g[:, c]
        order = np.argsort(x, kind="stable")
        before = np.cumsum(mass[order])
        after = np.arange(FEWEST_CASES, n - FEWEST_CASES + 1)
        below = before[after - 1]
        may = x[order[after]] > x[order[after - 1]]
        may &= (below >= least - ROUNDING) & (total - below >= least - ROUNDING)
        if may.any():
            after, below = after[may], below[may]
            nearest = np.argmin(np.round(np.abs(below / total - 0.5), 9))
            return np.asarray(x < x[order[after[nearest]]])
    return None


def smallest_bin(n: int) -> int:
    """Cases that splitting a bin of :func:`parts_of` leaves on either side, of ``n``."""
    return max(2, min(SMALLEST_BIN, n // 5))


def parts_of(probs: Float, least: int, together: int = 1) -> list[Int]:
    """The rows of each bin in which models of three or more classes are compared; they share the likeliest.

    They are median-variance bins that keep ``least`` cases on either side, split between equal values too.
    Classes that are the likeliest of ``together`` cases or fewer share a bin. Cost O(nm log n).
    """
    first = likeliest(probs)
    first[np.bincount(first, minlength=probs.shape[1])[first] <= together] = -1
    order = np.argsort(first, kind="stable")
    alike = np.split(order, np.flatnonzero(np.diff(first[order])) + 1)
    return [rows[part] for rows in alike for part in _split(probs[rows], least)]


def _split(probs: Float, least: int) -> list[Int]:
    """The rows of median-variance bins, and of their parts where equal values at the median stopped them."""
    waiting, final = bins_of(probs, MedianVarianceBinning(least)).groups, []
    while waiting:
        rows = waiting.pop()
        below = _side(probs[rows], least)
        if below is None:
            final.append(rows)
        else:
            waiting += [rows[below], rows[~below]]
    return final


def _side(g: Float, least: int) -> NDArray[np.bool_] | None:
    """(n,) which side of a split beside the median, of the widest component that leaves ``least`` on both."""
    n = len(g)
    if n < 2 * least:
        return None
    for c in np.argsort(-g.var(axis=0), kind="stable"):
        median = np.partition(g[:, c], n // 2)[n // 2]
        for below in (g[:, c] < median, g[:, c] <= median):
            if least <= np.count_nonzero(below) <= n - least:
                return np.asarray(below)
    return None
