"""The binnings of V19 Appendix B, slowly and literally: bins are lists of row numbers.

Probabilities come as exact fractions, so that 0.1 + 0.2 is 0.3 and means and variances have no
rounding of their own; two variances within 1e-12 of each other (relative) count as equal.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

Rows = Sequence[Sequence[Fraction]]
Partition = set[frozenset[int]]
CLOSE = Fraction(1, 10**12)


def by_key(keys: Sequence[object]) -> Partition:
    """Rows with equal keys share a bin."""
    return {frozenset(i for i, other in enumerate(keys) if other == key) for key in keys}


def interval(p: Fraction, n_bins: int) -> int:
    """The smallest k ≥ 1 with p ≤ k/b."""
    k = 1
    while p > Fraction(k, n_bins) + CLOSE:
        k += 1
    return k


def uniform(g: Rows, n_bins: int) -> Partition:
    """One interval of a 2-class prediction, a tuple of intervals of all components of others."""
    return by_key([tuple(interval(p, n_bins) for p in (row[:1] if len(row) == 2 else row)) for row in g])


def equal_mass(g: Rows, n_bins: int) -> Partition:
    """Bin ⌊b·#{j: x_j < x_i}/n⌋ of the first component."""
    x = [row[0] for row in g]
    return by_key([floor(Fraction(n_bins * sum(other < value for other in x), len(x))) for value in x])


def equally_uncertain(g: Rows, n_bins: int) -> Partition:
    """Bin ⌊b·W(x_i)/W⌋ of the first component, W(x) the less likely outcomes expected below x."""
    x = [row[0] for row in g]
    expected = [min(value, 1 - value) for value in x]
    whole = sum(expected, Fraction(0))
    if whole == 0:
        return by_key([0 for _ in x])
    below = [
        sum((w for w, other in zip(expected, x, strict=True) if other < value), Fraction(0)) for value in x
    ]
    return by_key([min(n_bins - 1, floor(n_bins * w / whole)) for w in below])


def simplex(row: Sequence[Fraction], k: int) -> tuple[int, int, str]:
    """The triangle that a point lies in: column, place in the column, up or down."""
    a = min(floor(k * row[0]), k - 1)
    b = min(floor(k * row[1]), k - 1 - a)
    up = a + b == k - 1 or (k * row[0] - a) + (k * row[1] - b) <= 1
    return a, b, "up" if up else "down"


def variance(values: Sequence[Fraction]) -> Fraction:
    """Sample variance with n − 1; 0 for a single value."""
    if len(values) < 2:
        return Fraction(0)
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / (len(values) - 1)


def widest(g: Rows, rows: Sequence[int]) -> tuple[Fraction, int]:
    """The largest variance of a component and the first component that has it."""
    components = range(1 if len(g[0]) == 2 else len(g[0]))
    variances = [variance([g[i][c] for i in rows]) for c in components]
    largest = max(variances)
    return largest, next(c for c in components if variances[c] >= largest * (1 - CLOSE))


def median_variance(g: Rows, min_size: int, max_bins: int | None = None) -> Partition:
    """Split the bin of largest variance at the upper median while a split may be made."""
    splittable = [list(range(len(g)))]  # in the order of their creation
    final: list[list[int]] = []
    while splittable and (max_bins is None or len(splittable) + len(final) < max_bins):
        largest = max(widest(g, rows)[0] for rows in splittable)
        rows = next(rows for rows in splittable if widest(g, rows)[0] >= largest * (1 - CLOSE))
        splittable.remove(rows)
        component = widest(g, rows)[1]
        median = sorted(g[i][component] for i in rows)[len(rows) // 2]
        below = [i for i in rows if g[i][component] < median]
        rest = [i for i in rows if g[i][component] >= median]
        if len(below) < min_size or len(rest) < min_size:
            final.append(rows)
        else:
            splittable += [below, rest]
    return {frozenset(rows) for rows in splittable + final}


def mean_variance(g: Rows, threshold: int) -> Partition:
    """Split every bin of at least ``threshold`` cases at the mean, until a side would be empty."""

    def split(rows: list[int]) -> Partition:
        component = widest(g, rows)[1]
        mean = sum((g[i][component] for i in rows), Fraction(0)) / len(rows)
        below = [i for i in rows if g[i][component] < mean - CLOSE]
        rest = [i for i in rows if i not in below]
        if len(rows) < threshold or not below or not rest:
            return {frozenset(rows)}
        return split(below) | split(rest)

    return split(list(range(len(g))))
