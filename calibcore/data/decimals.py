"""Digits that probabilities were rounded to, and what rounding alone explains."""

import numpy as np
from scipy.special import pdtrc

from calibcore.numerics import loops
from calibcore.numerics.types import Float

MOST_DECIMALS = 9
"""Digits at most that a probability is taken to be rounded to."""
_SAME_DECIMAL = 1e-12
_FIRST = 1_000
"""Rows that are looked at before all are."""
_NUMBERS = 1 << 20
"""Numbers that are looked at together."""


def rest_to_1(p: Float) -> Float:
    """1 − p; of decimals the decimal itself: 0.1 of 0.9, as one who writes both columns has it."""
    decimals = rounded_to(p[:, None])
    return 1 - p if decimals is None else np.round(1 - p, decimals)


def parts_of_rows(g: Float) -> list[Float]:
    """Some rows after the other, so many at a time that what is made of them needs little memory."""
    return [g[rows] for rows in loops.blocks(len(g), max(1, _NUMBERS // g.shape[1]))]


def decimals_used(g: Float) -> int | None:
    """Smallest d in 1..6 with every value a multiple of 10^-d; None if there is none. Cost O(nm)."""
    return _decimals(parts_of_rows(g), 6, 1e-9)


def rounded_to(g: Float) -> int | None:
    """Smallest d in 1..9 with every value a multiple of 10^-d; None if there is none.

    None for zeros and ones alone, which are answers and no rounded chances. Cost O(nm) where the first rows
    are rounded.
    """
    parts = parts_of_rows(g)
    if all(((part == 0) | (part == 1)).all() for part in parts):
        return None
    return _decimals([g[:_FIRST], *parts], MOST_DECIMALS, _SAME_DECIMAL)


def expected_at_zero(probs: Float, decimals: int | None) -> float:
    """How many outcomes rounding puts at a 0 at most on average: half of the last digit for each 0."""
    return 0.0 if decimals is None else float(np.count_nonzero(probs == 0)) * 0.5 * 10.0**-decimals


def rounding_pvalue(outcomes: int, expected: float) -> float:
    """A bound of the p of so many at a rounded 0, where at most so many are expected (Hoeffding 1956)."""
    return 1.0 if outcomes < expected + 1 else float(pdtrc(outcomes - 1, expected))


def _decimals(parts: list[Float], most: int, tolerance: float) -> int | None:
    def holds(values: Float, decimals: int) -> bool:
        return bool((np.abs(values - np.round(values, decimals)) <= tolerance).all())

    return next((d for d in range(1, most + 1) if all(holds(part, d) for part in parts)), None)
