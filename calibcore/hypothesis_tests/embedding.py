"""The chi-squared test at test locations."""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests.conditions import needs_independent_rows
from calibcore.hypothesis_tests.result import ROUNDING, TestResult

_SINGULAR = 1e-10


@dataclass(frozen=True)
class AsymptoticCMETest:
    """``n·d̄ᵀ S⁻¹ d̄`` against χ²_J (CalibrationTests.jl `AsymptoticCMETest`).

    d̄ (J,) and S (J, J), with n − 1, are the mean and the covariance of the deviations at the J
    test locations of ``estimator``. Slow to become right, as S is estimated: on W19's M1 it rejects
    7 % at the level of 5 % with 1,000 cases and 10 locations, 5.3 % with 10,000; with three classes 21 %
    with 200 cases and 9 % with 1,000; with two classes, whose locations say nearly the same, up to 65 %
    with 200 and 8 % with 10,000. The exact test of the same estimator has no such flaw. Cost O(nJ(m + J)).

    >>> import numpy as np
    >>> from calibcore import UCME, AsymptoticCMETest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> result = AsymptoticCMETest(UCME(n_locations=1))(p, np.random.default_rng(0))
    >>> round(result.statistic, 2), result.pvalue < 1e-12
    (52.56, True)
    """

    estimator: UCME = UCME()

    def __call__(self, predictions: Predictions, rng: np.random.Generator | None = None) -> TestResult:
        """Promise "asymptotic"; draws nothing. Refused unless n > J and S can be inverted."""
        needs_independent_rows(predictions, "asymptotic CME")
        d = self.estimator.deviations(predictions)
        n, J = d.shape
        if n <= J:
            raise InputError(
                f"There are {n} cases and {J} test locations; expected more cases than locations."
            )
        mean, spread = d.mean(axis=0), d.std(axis=0, ddof=1)
        if not (spread > ROUNDING * np.abs(d).max(axis=0)).all():
            raise InputError(_NO_INVERSE)
        # Of unit variances: the statistic does not change, and what is nearly singular can be told.
        scaled = mean / spread
        values, vectors = np.linalg.eigh(np.atleast_2d(np.cov((d - mean) / spread, rowvar=False)))
        if values[0] < _SINGULAR * values[-1]:
            raise InputError(_NO_INVERSE)
        statistic = n * float(np.square(vectors.T @ scaled) @ (1 / values))
        details = {"degrees_of_freedom": J}
        return TestResult(
            statistic,
            float(chdtrc(J, statistic)),
            "chi-squared approximation",
            "asymptotic",
            details=details,
        )


_NO_INVERSE = (
    "The deviations at the test locations have a singular covariance: some locations say the same, or "
    "nothing; take fewer or other locations."
)
