"""The redraws of a test counted in bars, which the observed value parts as it parts the redraws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import TestResult, deviation, tie_slack
from calibcore.numerics.types import Float, Int

MOST_BARS = 30
FAR = 3
"""What was observed so many widths of all bars beyond them would press them into a sliver."""
_STEPS = 10
"""An infinite value stands beyond the finite ones by their range over so many."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """``edges (b + 1,)`` of b bars, ``counts (b,)`` of redraws, ``beyond (b,)``: as large as observed.

    ``observed`` is where the observed value stands: an infinite one, of an outcome that was called
    impossible, beyond all finite redraws.
    """

    edges: Float
    counts: Int
    beyond: NDArray[np.bool_]
    observed: float


def histogram(result: TestResult) -> Histogram:
    """At most :data:`MOST_BARS` + 1 bars of one width. Those ``beyond`` hold the redraws that p counts.

    Raises
    ------
    InputError : the test made no redraws.
    """
    null = result.null_distribution
    if null is None or not len(null):
        raise InputError(f"The test by {result.method} has no redraws to count.")
    finite = null[np.isfinite(null)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    far = high + ((high - low) / _STEPS or 1.0)
    null = np.where(np.isfinite(null), null, far)
    observed = result.statistic if np.isfinite(result.statistic) else far
    cut = observed - tie_slack(observed, float(null.std()))
    edges = _edges(null, cut)
    return Histogram(edges, np.histogram(null, edges)[0], edges[:-1] >= cut, observed)


def far_out(edges: Float, observed: float) -> bool:
    """Whether what was observed lies :data:`FAR` beyond all bars, so that an axis is broken before it."""
    span = float(edges[-1] - edges[0])
    return max(observed - float(edges[-1]), float(edges[0]) - observed) > FAR * span


def as_large_from(result: TestResult) -> float:
    """From where on a redraw counts as at least as large as what was observed: ties do."""
    assert result.null_distribution is not None
    return result.statistic - tie_slack(result.statistic, deviation(result.null_distribution))


def _edges(null: Float, cut: float) -> Float:
    """Edges of bars of one width over all redraws, one of them at ``cut`` if that lies among them."""
    low, high = float(null.min()), float(null.max())
    bars = min(MOST_BARS, max(1, round(2 * len(null) ** 0.5)))
    width = (high - low) / bars
    if width <= 1e-9 * max(abs(low), abs(high), 1e-300):  # all redraws are alike
        width = 0.05 * max(abs(high), abs(high - cut), 1e-9)
    first, last = np.floor((low - cut) / width), np.floor((high - cut) / width) + 1
    edges = cut + width * np.arange(first, last + 1)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return np.asarray(edges)
