"""Spiegelhalter's z: is the Brier score what it would be under calibration?"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtr

from calibcore.data.predictions import Predictions
from calibcore.diagram.two_classes import chance_of_first
from calibcore.hypothesis_tests.conditions import needs_independent_rows
from calibcore.hypothesis_tests.result import TestResult

_NO_VARIANCE = 1e-20


@dataclass(frozen=True)
class SpiegelhalterTest:
    """``z = Σ(y − p)(1 − 2p) / √Σ(1 − 2p)²p(1 − p)`` against a normal law, two-sided (Spiegelhalter 1986).

    It is the Brier score less its mean under calibration, so it sees over- and
    underconfidence, and is blind to predictions that are wrong by nothing on average
    of ``(1 − 2p)``. z > 0: the score is worse than the model says of itself.

    Predictions of 0, ½ and 1 alone leave no variance: z = 0 and p = 1 if every
    certain one came true, otherwise neither is defined (NaN). Cost O(n).
    """

    kind: ClassVar[str] = "spiegelhalter"
    two_classes_only: ClassVar[bool] = True

    def __call__(self, predictions: Predictions, rng: np.random.Generator | None = None) -> TestResult:
        """Promise "asymptotic"; draws nothing."""
        return self.of_sums(*self.sums(predictions), predictions.n)

    def sums(self, predictions: Predictions) -> tuple[float, float]:
        """``Σ(y − p)(1 − 2p)`` and ``Σ(1 − 2p)²p(1 − p)``."""
        needs_independent_rows(predictions, "Spiegelhalter")
        p = chance_of_first(predictions, "Spiegelhalter's test")
        tilt = 1 - 2 * p
        excess = float((((predictions.labels == 0) - p) * tilt).sum())
        return excess, float((np.square(tilt) * p * (1 - p)).sum())

    def of_sums(self, excess: float, variance: float, n: int) -> TestResult:
        """The test from :meth:`sums` of ``n`` cases, added up."""
        if variance > _NO_VARIANCE * n:
            z = excess / variance**0.5
            pvalue = float(2 * ndtr(-abs(z)))
        else:
            z, pvalue = (0.0, 1.0) if abs(excess) < 0.5 else (float("nan"), float("nan"))
        details = {} if z == z else {"undefined": "a certain prediction did not come true"}
        return TestResult(z, pvalue, "normal approximation, two-sided", "asymptotic", details=details)
