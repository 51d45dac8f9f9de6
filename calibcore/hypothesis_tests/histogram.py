"""The redraws of a test counted in bars, which the observed value parts as it parts the redraws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.hypothesis_tests.result import TestResult, tie_slack
from calibcore.predictions import Float, InputError, Int

MOST_BARS = 30


@dataclass(frozen=True, eq=False)
class Histogram:
    """``edges (b + 1,)`` of b bars, ``counts (b,)`` of redraws, ``beyond (b,)``: as large as observed."""

    edges: Float
    counts: Int
    beyond: NDArray[np.bool_]


def histogram(result: TestResult) -> Histogram:
    """At most :data:`MOST_BARS` + 1 bars of one width. Those ``beyond`` hold the redraws that p counts.

    Raises
    ------
    InputError : the test made no redraws.
    """
    null = result.null_distribution
    if null is None or not len(null):
        raise InputError(f"The test by {result.method} has no redraws to count.")
    cut = as_large_from(result)
    edges = _edges(null, cut)
    return Histogram(edges, np.histogram(null, edges)[0], edges[:-1] >= cut)


def as_large_from(result: TestResult) -> float:
    """From where on a redraw counts as at least as large as what was observed: ties do."""
    assert result.null_distribution is not None
    return result.statistic - tie_slack(result.statistic, float(result.null_distribution.std()))


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
