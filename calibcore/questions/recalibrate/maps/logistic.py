"""Logistic recalibration of two classes: Cox's and Platt's, and the beta map (Kull et al. 2017)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit

from calibcore.numerics.tempering import logarithms, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.steps import StepGains

PENALTY = 1e-10
"""Holds the coefficients where a value separates the outcomes; elsewhere it changes nothing that is shown."""
_STEPS = 200


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
        features = np.column_stack([np.ones(len(logs)), logs[:, 0] - logs[:, 1]])
        intercept, slope = newton(features, labels == 0, np.array([0.0, 1.0]))
        return cls(float(intercept), float(slope), smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.steps`. Cost O(n) a label set."""
        return StepGains(probs, folds, np.array([1, 1, 0, -1]))

    def __call__(self, probs: Float) -> Float:
        """(n, 2) -> (n, 2)."""
        logs = logarithms(probs, self.smallest)
        return _both(expit(self.intercept + self.slope * (logs[:, 0] - logs[:, 1])))

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
        features = np.column_stack([np.ones(len(logs)), logs[:, 0], -logs[:, 1]])
        used, found = [0, 1, 2], np.zeros(3)
        while True:
            fitted = newton(features[:, used], labels == 0, np.array([0.0, 1.0, 1.0])[used])
            below = [k for k, value in zip(used, fitted, strict=True) if k and value < 0]
            if not below:
                found[used] = fitted
                intercept, a, b = map(float, found)
                return cls(intercept, a, b, smallest)
            used.remove(min(below, key=lambda k: fitted[used.index(k)]))

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.steps`. Cost O(n) a label set."""
        return StepGains(probs, folds, np.array([1, 2, 0, -1]), rising=True)

    def __call__(self, probs: Float) -> Float:
        """(n, 2) -> (n, 2)."""
        logs = logarithms(probs, self.smallest)
        return _both(expit(self.intercept + self.a * logs[:, 0] - self.b * logs[:, 1]))

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


def _both(first: Float) -> Float:
    return np.column_stack([first, 1 - first])


def newton(features: Float, hits: Float, start: Float) -> Float:
    """Coefficients (k,) of a logistic regression of ``hits (n,)`` on ``features (n, k)``, from ``start``.

    With a penalty of :data:`PENALTY` a case on their squared distance from ``start``. Steps are halved until
    the loss falls.
    """
    n, y = len(features), np.asarray(hits, np.float64)
    weight = PENALTY * n

    def loss(coefficients: Float) -> float:
        scores = features @ coefficients
        off = coefficients - start
        return float(np.logaddexp(0, scores).sum() - y @ scores + weight * (off @ off))

    at, value = start.astype(np.float64), loss(start)
    for _ in range(_STEPS):
        p = expit(features @ at)
        gradient = features.T @ (p - y) + 2 * weight * (at - start)
        curvature = (features * (p * (1 - p))[:, None]).T @ features + 2 * weight * np.eye(len(at))
        step = np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        decrement, size = float(gradient @ step), 1.0
        if decrement <= 1e-13 * max(1.0, abs(value)):
            return at - step
        while size > 1e-10 and (new := loss(at - size * step)) > value - 1e-4 * size * decrement:
            size /= 2
        at, value = at - size * step, min(value, new)
    return at
