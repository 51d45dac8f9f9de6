"""Logistic recalibration of two classes: Cox's and Platt's, and the beta map (Kull et al. 2017)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit

from calibcore.numerics.tempering import logarithms, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.two_classes import gains_of, newton

_UNCHANGED, _UNCHANGED_BETA = np.array([0.0, 1.0]), np.array([0.0, 1.0, 1.0])
"""Coefficients of the maps that change nothing."""


@MAPS.enter
@dataclass(frozen=True)
class Logistic(RecalibrationMap):
    """``logit q = intercept + slope·logit g`` of the first class."""

    kind: ClassVar[str] = "logistic"
    label: ClassVar[str] = "Logistic (Platt)"
    help: ClassVar[str] = "Shifts and stretches the log-odds of two classes."
    two_classes: ClassVar[bool] = True

    intercept: float
    slope: float
    smallest: float

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """Maximum likelihood by Newton's method. Cost O(n) a step."""
        smallest = smallest_of(probs)
        logs = logarithms(probs, smallest)
        intercept, slope = newton(_logit(logs), labels == 0, _UNCHANGED)
        return cls(float(intercept), float(slope), smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.two_classes`."""
        logs = logarithms(probs, smallest_of(probs))

        def fit(features: Float, hits: Float, start: Float) -> Float:
            return newton(features, hits, _UNCHANGED, start)

        return gains_of(_logit(logs), folds, -logs, fit, _UNCHANGED)

    def __call__(self, probs: Float) -> Float:
        """(n, 2) -> (n, 2)."""
        logs = logarithms(probs, self.smallest)
        return _both(self.intercept + self.slope * (logs[:, 0] - logs[:, 1]))

    def code(self) -> str:
        """Ten lines of NumPy."""
        return f'''import numpy as np


def recalibrate(probs):
    """Rows of two probabilities in, rows of two probabilities out."""
    logs = np.log(np.maximum(probs, {self.smallest!r}))
    first = 1 / (1 + np.exp(-({self.intercept!r} + {self.slope!r} * (logs[:, 0] - logs[:, 1]))))
    return np.column_stack([first, 1 - first])
'''


@MAPS.enter
@dataclass(frozen=True)
class Beta(RecalibrationMap):
    """``logit q = intercept + a·log g − b·log(1 − g)`` of the first class, a and b not below 0."""

    kind: ClassVar[str] = "beta"
    label: ClassVar[str] = "Beta"
    help: ClassVar[str] = "As the logistic map, with another stretch on either side."
    two_classes: ClassVar[bool] = True

    intercept: float
    a: float
    b: float
    smallest: float

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """Maximum likelihood; a coefficient that would be below 0 is 0. Cost O(n) a step."""
        smallest = smallest_of(probs)
        logs = logarithms(probs, smallest)
        intercept, a, b = map(float, _rising(_both_logs(logs), labels == 0, _UNCHANGED_BETA))
        return cls(intercept, a, b, smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.two_classes`."""
        logs = logarithms(probs, smallest_of(probs))
        return gains_of(_both_logs(logs), folds, -logs, _rising, _UNCHANGED_BETA)

    def __call__(self, probs: Float) -> Float:
        """(n, 2) -> (n, 2)."""
        logs = logarithms(probs, self.smallest)
        return _both(self.intercept + self.a * logs[:, 0] - self.b * logs[:, 1])

    def code(self) -> str:
        """Ten lines of NumPy."""
        return f'''import numpy as np


def recalibrate(probs):
    """Rows of two probabilities in, rows of two probabilities out."""
    logs = np.log(np.maximum(probs, {self.smallest!r}))
    score = {self.intercept!r} + {self.a!r} * logs[:, 0] - {self.b!r} * logs[:, 1]
    first = 1 / (1 + np.exp(-score))
    return np.column_stack([first, 1 - first])
'''


def _both(scores: Float) -> Float:
    """Neither is 1 less the other, which would be 0 where the other is nearly 1."""
    return np.column_stack([expit(scores), expit(-scores)])


def _logit(logs: Float) -> Float:
    return np.column_stack([np.ones(len(logs)), logs[:, 0] - logs[:, 1]])


def _both_logs(logs: Float) -> Float:
    return np.column_stack([np.ones(len(logs)), logs[:, 0], -logs[:, 1]])


def _rising(features: Float, hits: Float, start: Float) -> Float:
    """Coefficients (3,) of the beta map: one after the other that would be below 0 is 0."""
    used, found = [0, 1, 2], np.zeros(3)
    while True:
        fitted = newton(features[:, used], hits, _UNCHANGED_BETA[used], start[used])
        below = [k for k, value in zip(used, fitted, strict=True) if k and value < 0]
        if not below:
            found[used] = fitted
            return found
        used.remove(min(below, key=lambda k: fitted[used.index(k)]))
