"""What rows of numbers sum to."""

import numpy as np

from calibcore.data.checks import snapped
from calibcore.data.decimals import decimals_used
from calibcore.numerics.types import Float

MOST = 0.9
"""Share of the rows that add up in a table of probabilities, or have exactly one 1 where labels are one-hot.
A few bad rows are for a sentence later."""
NEAR = 0.02
"""How far from 1 the sum of a row may be that is looked at as probabilities."""


def share_that_adds_up(sample: Float, scale: int) -> float:
    """Share of the finite rows of (r, m) that sum to about ``scale``, without negative values."""
    rows = snapped(
        sample[(np.abs(sample) < 1e9).all(axis=1)]
    )  # NaN and what would overflow are no probabilities
    if not len(rows):
        return 0.0
    decimals = decimals_used(rows / scale)
    rounding = rows.shape[1] * 0.5 * 10.0**-decimals if decimals else 0.0
    near = np.abs(rows.sum(axis=1) / scale - 1) <= max(NEAR, min(rounding, 0.25))
    return float(np.mean(near & (rows >= 0).all(axis=1)))


def share_of_logarithms(sample: Float) -> float:
    """Share of the finite rows of (r, m) that are logarithms of probabilities summing to 1."""
    finite = sample[np.isfinite(sample)]
    if not len(finite) or (finite > 0).any() or not (finite < 0).any():
        return 0.0
    with np.errstate(under="ignore"):
        sums = np.exp(sample).sum(axis=1)
    known = ~np.isnan(sums)
    return float(np.mean(np.abs(sums[known] - 1) <= NEAR)) if known.any() else 0.0


def share_of_probabilities(sample: Float) -> float:
    """The largest share of the rows of (r, m) that sum to 1 or 100, or are logarithms of what sums to 1."""
    return max(*(share_that_adds_up(sample, scale) for scale in (1, 100)), share_of_logarithms(sample))


def scale_of(sample: Float) -> int | None:
    """1 or 100 if at least half of the rows of (r, m) sum to about that."""
    return next((scale for scale in (1, 100) if share_that_adds_up(sample, scale) >= 0.5), None)
