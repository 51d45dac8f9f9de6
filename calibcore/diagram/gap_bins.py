"""The bins of the typical gap: its own, made of predictions alone, never those of a diagram."""

import math

import numpy as np
from numpy.typing import NDArray

from calibcore.diagram.binning import MedianVarianceBinning
from calibcore.diagram.bins import bins_of
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int

SMALLEST_BIN = 20
"""Cases that splitting a bin of three and more classes leaves on either side, where there are enough."""
FEWEST_BINS = 5
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
    order = np.argsort(p, kind="stable")
    if p.mean() > 0.5:
        order = np.ascontiguousarray(order[::-1])
    sorted_p = p[order]
    first = np.flatnonzero(np.diff(sorted_p, prepend=np.nan) != 0)
    unsure = np.minimum(sorted_p, 1 - sorted_p)
    total = float(unsure.sum())
    share = by_cases * first / n
    if total > 0:
        share += (1 - by_cases) * (np.cumsum(unsure) - unsure)[first] / total
    number = np.floor(n_bins * share + ROUNDING)
    return order, np.append(first[np.flatnonzero(np.diff(number, prepend=-1.0))], n)


def smallest_bin(n: int) -> int:
    """Cases that splitting a bin of three and more classes leaves on either side, of ``n``."""
    return max(2, min(SMALLEST_BIN, n // 5))


def parts_of(probs: Float, least: int, together: int = 1) -> list[Int]:
    """The rows of each bin of three or more classes, which share the likeliest class.

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
