"""What every test returns, and the Monte Carlo p-value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from calibcore.predictions import Float

_TIE = 1e-9
ROUNDING = 1e-12
_NOISE = 1e-14


@dataclass(frozen=True, eq=False)
class TestResult:
    """What a test found, with SciPy's names.

    ``null_distribution (n_resamples,)`` holds the statistic under the null
    hypothesis, None for tests by formula. ``pvalue`` is NaN where it is not defined.
    """

    __test__ = False  # not a test case of pytest

    statistic: float
    pvalue: float
    method: str
    promise: str
    null_distribution: Float | None = None
    n_resamples: int = 0
    confidence_interval: tuple[float, float] | None = None
    """Of the population value, two-sided 95 %, where the test has one."""
    details: Mapping[str, float | int | str] = field(default_factory=dict)
    """What else was decided on the way: block size, degrees of freedom, rank and trace left, …"""


def monte_carlo_pvalue(statistic: float, null_distribution: Float) -> float:
    """``(1 + #{T_b ≥ T}) / (B + 1)``, never 0; T_b counts as ≥ from 1e-9 null deviations below T.

    Also from 1e-12·|T| + 1e-14 below, so that rounding does not order redraws that are all equal.
    """
    slack = _TIE * float(null_distribution.std()) + ROUNDING * abs(statistic) + _NOISE
    as_extreme = int(np.count_nonzero(null_distribution >= statistic - slack))
    return (1 + as_extreme) / (len(null_distribution) + 1)
