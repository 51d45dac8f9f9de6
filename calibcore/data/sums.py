"""Rows have to sum to 1: how far each may be off, and which are divided by their sum."""

from collections.abc import Callable

import numpy as np

from calibcore.data.decimals import decimals_used, parts_of_rows
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.numerics.types import Float

SUM_AS_IS = 1e-5
"""Rows whose sum is this close to 1 are used as they come (float32 softmax)."""
SUM_ALIKE, ENOUGH_ALIKE = 0.02, 10
"""Sums so far from 1 are divided where all rows, at least so many, have the same: all share one factor."""
SUM_IS_1 = 1e-12
"""Rows whose sum is this close to 1 are never divided: adding floats leaves as much."""
SUM_REPAIRABLE = 1e-3
"""Rows whose sum is this close to 1 are divided by it, and that is said."""
SUM_BFLOAT16 = 2.0**-8
"""Rows of bfloat16, which keeps 8 binary digits of a number, may be so far from 1."""
SUM_ROUNDED = 0.2
"""Rows of rounded numbers may be so far from 1: with many classes of few decimals rounding alone could
explain any sum, and a class that is missing would not be seen."""
SUM_ABOUT_1 = 0.1
"""Rows whose sum is this close to 1 are taken for probabilities; votes, counts and scores are others."""
SOFTMAX = Remedy("These look like logits: apply softmax", {"values": "logits"})
DIVIDE = Remedy("Divide every row by its sum", {"renormalise": True})


def highest_divided(values: Float, most: float = 1.0) -> float:
    """What a value may be at most where rows are divided by their sums: of probabilities no more than a sum
    of about 1, or of ``most``, as what lies above is a mistake; of scores anything."""
    return most * (1 + SUM_ABOUT_1) if _are_probabilities(values, most) else np.inf


def _are_probabilities(values: Float, most: float) -> bool:
    """Whether most of the (n, m) rows sum to about ``most``. Whole numbers are counts."""
    with np.errstate(over="ignore", invalid="ignore"):
        near = np.abs(values.sum(axis=1, dtype=np.float64) / most - 1) <= SUM_ABOUT_1
    if 2 * np.count_nonzero(near) <= len(values):
        return False
    return any(bool((part != np.floor(part)).any()) for part in parts_of_rows(values / most))


def check_sums(g: Float, renormalise: bool) -> tuple[str, ...]:
    """Divide, in place, the rows that may be; returns what was done, in sentences."""
    return divided_note(*divide_rows(g, renormalise, lambda: decimals_used(g)), len(g))


def divided_note(changed: int, furthest: float, n: int) -> tuple[str, ...]:
    """The sentence on what :func:`divide_rows` did to ``n`` rows, if it did anything."""
    if not changed:
        return ()
    which = "1 row was" if changed == 1 else f"{changed:,} of {n:,} rows were"
    return (f"{which} divided by the row's sum, to sum to 1 (the furthest summed to {furthest:.6g}).",)


def divide_rows(
    g: Float,
    renormalise: bool,
    decimals_of: Callable[[], int | None],
    alike_of: Callable[[], bool] | None = None,
) -> tuple[int, float]:
    """Divide, in place, the rows that may be; returns how many, and the sum furthest from 1.

    Where a sum is off by much, ``decimals_of`` is asked for :func:`decimals_used` of all rows, and
    ``alike_of`` for :func:`all_alike` of them (default: of these).
    """
    n, m = g.shape
    sums = g.sum(axis=1)
    off = np.abs(sums - 1)
    if renormalise:
        empty = np.flatnonzero(sums <= 0)
        if len(empty):
            raise InputError(
                f"{list_rows(empty, lambda _: 'sums to 0')} A row of zeros cannot be made to sum to 1.",
                leaving_out(empty, n),
            )
        changed = np.flatnonzero(off > SUM_IS_1)
    else:
        changed = np.flatnonzero(off > SUM_AS_IS + 1e-9)
        tolerance = np.full(n, SUM_REPAIRABLE)
        if len(changed) and off.max() > SUM_REPAIRABLE:
            if are_bfloat16(g):
                tolerance[:] = SUM_BFLOAT16
            decimals = decimals_of()
            if decimals is not None:
                # Rounding up makes no zeros: a sum above 1 is explained by the other values only.
                rounded = np.where(sums > 1, np.count_nonzero(g, axis=1), m)
                explained = np.minimum(rounded * 0.5 * 10.0**-decimals, SUM_ROUNDED)
                tolerance = np.maximum(tolerance, explained)
        refused = np.flatnonzero((off > tolerance + 1e-9) | (sums <= 0))
        if len(refused) and (alike_of() if alike_of else all_alike(n, sums.min(), sums.max())):
            changed = np.arange(n)
        elif len(refused):
            rows = list_rows(refused, lambda i: f"sums to {sums[i]:.6g}")
            divide = (DIVIDE,) if (sums > 0).all() else ()
            remedies = (SOFTMAX, *divide) if 2 * len(refused) > n else (*divide, *leaving_out(refused, n))
            raise InputError(f"{rows} Rows must sum to 1.", remedies)
    if not len(changed):
        return 0, 1.0
    g[changed] /= sums[changed, None]
    return len(changed), float(sums[changed[np.argmax(off[changed])]])


def are_bfloat16(g: Float) -> bool:
    """Whether all values, in rows one behind the other, have 8 binary digits at most."""
    parts = map(np.ascontiguousarray, parts_of_rows(g))
    return not any((part.view(np.uint64) & _BELOW_BFLOAT16).any() for part in parts)


_BELOW_BFLOAT16 = np.uint64((1 << 45) - 1)


def all_alike(n: int, least: float, most: float) -> bool:
    """Whether n rows, whose sums go from ``least`` to ``most``, all sum to the same, near 1."""
    return bool(n >= ENOUGH_ALIKE and most - least <= SUM_AS_IS and max(1 - least, most - 1) <= SUM_ALIKE)
