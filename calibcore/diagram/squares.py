"""Estimates of a mean square gap from below, and their variance where rows belong together."""

import math
from dataclasses import dataclass

import numpy as np

from calibcore.diagram.gap_sizes import NORMAL, wider
from calibcore.numerics.types import Float, Int


@dataclass(frozen=True)
class Square:
    """An estimate of a mean square gap from below, which may be negative, and its variance."""

    value: float
    variance: float

    @property
    def half(self) -> float:
        """Half the width of the approximate 95 % interval."""
        return NORMAL * math.sqrt(self.variance)


def across_units(off: Float, order: Int, starts: Int, unit: Int) -> tuple[float, Float]:
    """U over pairs of rows of different units, and (units,) how far it moves without each of them.

    ``off (n, q)`` residuals; bins are slices of ``order`` and keep their shares. Cost O(n·q + n log n).
    """
    n, many = len(off), int(unit.max()) + 1
    bins = np.empty(n, np.int64)
    bins[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    cells, cell = np.unique(bins * many + unit, return_inverse=True)
    of_bin, of_unit = cells // many, cells % many
    sizes, cases = np.bincount(cell).astype(np.float64), np.diff(starts).astype(np.float64)
    sums = np.column_stack([np.bincount(cell, column) for column in off.T])
    total = np.column_stack([np.bincount(of_bin, column) for column in sums.T])
    own, alike = np.square(sums).sum(axis=1), np.square(sizes)
    all_own, all_alike = np.bincount(of_bin, own), np.bincount(of_bin, alike)
    pairs, number = np.square(total).sum(axis=1) - all_own, np.square(cases) - all_alike
    means = np.divide(pairs, number, out=np.zeros(len(cases)), where=number > 0)
    share = np.where(number > 0, cases / n, 0.0)
    without = np.square(total[of_bin] - sums).sum(axis=1) - (all_own[of_bin] - own)
    left = np.square(cases[of_bin] - sizes) - (all_alike[of_bin] - alike)
    less = np.divide(without, left, out=means[of_bin], where=left > 0)
    moved = np.bincount(of_unit, share[of_bin] * (less - means[of_bin]), minlength=many)
    return float(share @ means), np.asarray(moved, np.float64)


def of_units(of_rows: Square, value: float, moved: Float) -> Square:
    """U between units, with the jackknife's variance over them or, if larger, that of single rows."""
    many = len(moved)
    apart = moved - moved.mean()
    jackknife = wider(many) * (many - 1) / many * float(np.square(apart).sum())
    return Square(value, max(of_rows.variance, jackknife))
