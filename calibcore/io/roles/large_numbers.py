"""Numbers that are too large for probabilities and for scores: what they look like instead."""

import numpy as np

from calibcore.numerics.types import Float

_LARGE = 10_000.0
"""Scores of a model are smaller: their logistic function is 0 or 1 long before."""
_SECONDS, _MILLISECONDS = (1e9, 2e9), (1e12, 2e12)
"""Since 1970, of the years 2001 to 2033."""


def as_something_else(values: Float) -> str:
    """What numbers look like that are too large for scores: times, numbers that name cases, amounts; "" for
    others."""
    finite = values[np.isfinite(values)]
    if not len(finite) or np.median(np.abs(finite)) <= _LARGE:
        return ""
    integral = bool((finite == np.floor(finite)).all())
    for (first, last), unit in ((_SECONDS, "seconds"), (_MILLISECONDS, "milliseconds")):
        if first <= finite.min() and finite.max() <= last:
            return f"times in {unit} since 1970"
    if integral and len(np.unique(finite)) == len(finite):
        return "numbers that name cases, or amounts"
    return "amounts"
