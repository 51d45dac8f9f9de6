"""Counts and weights of rows, as they are given."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore import limits
from calibcore.data.arrays import as_array, numbers_in
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

MOST_UNEVEN = 1e9
"""The largest weight may be so many times the smallest."""


def _numbers(values: ArrayLike, n: int, what: str) -> NDArray[np.generic]:
    """(n,) numbers, as given."""
    array = numbers_in(as_array(values, f"{what}s"))
    if array.shape != (n,):
        raise InputError(f"The {what}s have shape {array.shape}; expected ({n:,},), one a row.")
    if array.dtype.kind not in "fiub":
        raise InputError(f"The {what}s are of type {array.dtype}; expected numbers.")
    return array


def whole_counts(counts: ArrayLike, n: int) -> tuple[Int, str]:
    """(n,) how often each row is repeated, and the sentence that says so."""
    numbers = _numbers(counts, n, "count").astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0) & (numbers == np.round(numbers))))
    if len(bad):
        rows = list_rows(bad, lambda i: f"has count {numbers[i]:.6g}")
        raise InputError(
            f"{rows} Expected whole numbers from 0 up; other numbers are weights.", leaving_out(bad, n)
        )
    total = numbers.sum()
    if total < 1:
        raise InputError("All counts are 0; expected at least one case.")
    most = limits.LIMITS.max_rows
    if total > most:
        raise InputError(
            f"The counts add up to {total:,.0f} cases; the limit is {most:,} (CALIBLENS_MAX_ROWS). "
            "Use fewer cases, drawn at random, or raise the limit."
        )
    which = "1 row stands" if n == 1 else f"{n:,} rows stand"
    return numbers.astype(
        np.int64
    ), f"{which} for {total:,.0f} independent cases: each was repeated by its count."


def normalised_weights(weights: ArrayLike, n: int) -> tuple[Float | None, str]:
    """(n,) weights with mean 1, None if they are all equal; and the sentence that says so."""
    numbers = _numbers(weights, n, "weight").astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers > 0)))
    if len(bad):
        rows = list_rows(bad, lambda i: f"has weight {numbers[i]:.6g}")
        raise InputError(f"{rows} Expected numbers above 0.", leaving_out(bad, n))
    low, high = float(numbers.min()), float(numbers.max())
    if low == high:
        return None, "The weights are all equal, so they change nothing."
    if high > MOST_UNEVEN * low:
        raise InputError(
            f"The weights go from {low:.3g} to {high:.3g}; expected the largest to be at most "
            f"{MOST_UNEVEN:,.0f} times the smallest."
        )
    scaled = numbers / high
    return scaled / scaled.mean(), "The cases are weighted: weights give estimates only, no tests."
