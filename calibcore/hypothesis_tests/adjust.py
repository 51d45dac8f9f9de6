"""p-values of several tests, adjusted for their number."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import TIE, tie_slack
from calibcore.numerics.types import Float


def holm(pvalues: Sequence[float] | Float) -> Float:
    """Holm's adjusted p-values (1979): the k-th smallest of L times L − k + 1, kept rising, at most 1."""
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def step_down_of_independent(pvalues: Sequence[float] | Float) -> Float:
    """Step-down minimum p of independent tests (Holland & Copenhaver 1987), never above :func:`holm`.

    The k-th smallest becomes ``1 − (1 − p)^(L − k + 1)``, kept rising.
    """
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    with np.errstate(divide="ignore"):
        steps = -np.expm1(np.arange(len(p), 0, -1) * np.log1p(-p[order]))
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(np.maximum(steps, p[order]))
    return adjusted


def benjamini_hochberg(pvalues: Sequence[float] | Float) -> Float:
    """Adjusted p-values of Benjamini & Hochberg (1995): the k-th smallest of L times L/k, kept rising.

    They bound the expected share of false rejections, not the chance of one, and only for tests
    that are independent or positively dependent (Benjamini & Yekutieli 2001).
    """
    from scipy.stats import false_discovery_control  # half a second to import, which a start would take too

    p = np.asarray(pvalues, dtype=np.float64)
    return np.asarray(false_discovery_control(p, method="bh")) if len(p) else p


def smallest_adjusted(pvalues: Float, adjusted: Float, n_resamples: int) -> NDArray[np.bool_]:
    """(L,) whether an adjusted Monte Carlo p is as small as so many redraws allow.

    It is where the p itself is, and where keeping the order has made it no larger than one of those: by
    Holm's method at L/(B + 1).
    """
    least = np.asarray(pvalues) <= (1 + TIE) / (n_resamples + 1)
    if not least.any():
        return least
    values = np.asarray(adjusted)
    return np.asarray(values <= values[least].max() * (1 + TIE))


def step_down_min_p(statistics: Float) -> tuple[Float, Float]:
    """Step-down minimum p over redraws that L statistics share (Westfall & Young 1993, algorithm 2.8).

    Every column, observed or redrawn, gets its p-values in the same set of 1 + B columns, so
    under the hypothesis all columns are exchangeable and the chance of any false rejection is
    at most α at any B, however the statistics depend on each other. (That some hypotheses are
    false leaves it so if the statistics of the true ones vary together as in the redraws.)

    Parameters
    ----------
    statistics : (L, 1 + B), the observed ones first; large ones count against the hypothesis

    Returns
    -------
    (L,) p-values and (L,) adjusted p-values, multiples of 1/(B + 1). Cost O(L B log B), memory that of
    the statistics.
    """
    t = np.asarray(statistics, dtype=np.float64)
    if t.ndim != 2 or t.shape[1] < 2:
        raise InputError(
            f"The statistics have shape {t.shape}; expected (L, 1 + B), the observed ones and redraws."
        )
    counts = np.empty(t.shape, np.int32)
    for row, out in zip(t, counts, strict=True):
        out[:] = _at_least(row)
    order = np.argsort(-counts[:, 0], kind="stable")  # the least significant first
    smallest = np.full(t.shape[1], t.shape[1], np.int32)
    adjusted = np.empty(len(t))
    for j in order:
        np.minimum(smallest, counts[j], out=smallest)
        adjusted[j] = np.count_nonzero(smallest <= counts[j, 0])
    falling = order[::-1]
    adjusted[falling] = np.maximum.accumulate(adjusted[falling])
    return counts[:, 0] / t.shape[1], adjusted / t.shape[1]


def _at_least(row: Float) -> Float:
    """(1 + B,) how many of the row are at least as large, itself counted, ties as in Monte Carlo tests."""
    slack = tie_slack(float(np.abs(row).max()), float(row.std()))
    return np.asarray(len(row) - np.searchsorted(np.sort(row), row - slack))
