"""Digits that probabilities were rounded to, and what rounding alone explains."""

import math
from typing import NamedTuple

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
_LOOKED_AT = 1 << 18
"""Numbers, of rows spread over all, by which :func:`rounding_of` tells what a 0 stands for."""
_BINARY = 2**11
"""Half precision has so many steps between one half and one, doubled."""
_ENOUGH, _DISTINCT, _STEPS = 20, 10, 5
"""Numbers, on one side of one half, of which the half tells the steps; different decimals that are no
accident among numbers that are none; different numbers that show steps wider than one of the last digit."""
_SHARE, _COARSE = 0.01, 5
"""Of decimals among other numbers, from which on a 0 may be one of them; digits up to which that matters."""


class Rounding(NamedTuple):
    """How probabilities were rounded.

    decimals : digits that they have
    at_zero : what a 0 stands for at most
    """

    decimals: int
    at_zero: float


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


def rounding_of(g: Float) -> Rounding | None:
    """What a 0 of (n, m) probabilities stands for at most; None where nothing shows that they were rounded.

    That is half a step. Steps are those of the digits that half of the decimals have, or wider ones, as 5 %,
    that all keep to. Decimals may stand among numbers that were not rounded, and numbers of half precision
    are rounded as well. With two classes a 0 is also what 1 leaves, and steps near 1 may be wider than near
    0: of three significant digits, or in half precision. Cost O(nm), of 260,000 numbers at most.
    """
    n, m = g.shape
    rows = g[:: max(1, n * m // _LOOKED_AT)]
    sides = [rows[rows[:, k] >= 0.5, k] for k in range(2)] if m == 2 else [rows]
    inside = [side[(side > 0) & (side < 1)] for side in sides]
    if any(len(side) < _ENOUGH for side in inside):
        inside = [np.concatenate(inside)]
    roundings = [rounding for side in inside if len(side) and (rounding := _steps_of(side))]
    # None of answers alone, too, which are no rounded chances.
    return max(roundings, key=lambda rounding: rounding.at_zero, default=None)


def _steps_of(values: Float) -> Rounding | None:
    """Of numbers between 0 and 1."""
    few = len(np.unique(values)) < _STEPS
    steps = np.rint(values * _BINARY)
    if not few and (steps == values * _BINARY).all():
        step = float(np.gcd.reduce(steps.astype(np.int64)) / _BINARY)
        return Rounding(math.ceil(-math.log10(step)), step / 2)
    units = np.rint(values * 10**MOST_DECIMALS)
    decimal = (units > 0) & (np.abs(values - units / 10**MOST_DECIMALS) <= _SAME_DECIMAL)
    in_units = units[decimal].astype(np.int64)
    if not decimal.all() and (decimal.mean() < _SHARE or len(np.unique(in_units)) < _DISTINCT):
        return None
    units_of = (10 ** (MOST_DECIMALS - d) for d in range(1, MOST_DECIMALS + 1))
    share = 0.5 if len(in_units) >= _ENOUGH else 1.0
    decimals, unit = next((d, u) for d, u in enumerate(units_of, 1) if np.mean(in_units % u == 0) >= share)
    if not decimal.all() and decimals > _COARSE:
        return None
    if not few and decimal.all() and (in_units % unit == 0).all():
        unit = int(np.gcd.reduce(in_units))
    return Rounding(decimals, unit / 10**MOST_DECIMALS / 2)


def expected_at_zero(probs: Float, rounding: Rounding | None) -> float:
    """How many outcomes rounding puts at a 0 at most on average."""
    return 0.0 if rounding is None else float(np.count_nonzero(probs == 0)) * rounding.at_zero


def rounding_pvalue(outcomes: int, expected: float) -> float:
    """A bound of the p of so many at a rounded 0, where at most so many are expected (Hoeffding 1956)."""
    return 1.0 if outcomes < expected + 1 else float(pdtrc(outcomes - 1, expected))


def _decimals(parts: list[Float], most: int, tolerance: float) -> int | None:
    def holds(values: Float, decimals: int) -> bool:
        return bool((np.abs(values - np.round(values, decimals)) <= tolerance).all())

    return next((d for d in range(1, most + 1) if all(holds(part, d) for part in parts)), None)
