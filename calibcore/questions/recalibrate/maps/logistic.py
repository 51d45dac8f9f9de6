"""Logistic recalibration of two classes: Cox's and Platt's, and the beta map (Kull et al. 2017)."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit

from calibcore.numerics.tempering import logarithms, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.two_classes import gains_of, newton


class _OfLogOdds(RecalibrationMap):
    """A map of two classes whose log-odds are a sum of features with coefficients: its fields but the last.

    unchanged : (k,) coefficients of the map that changes nothing
    rising : whether all but the intercept are 0 at the least
    smallest : what a probability of 0 counts as
    """

    two_classes = True
    unchanged: ClassVar[Float]
    rising: ClassVar[bool] = False

    smallest: float

    @staticmethod
    @abstractmethod
    def features(logs: Float) -> Float:
        """(n, 2) logarithms -> (n, k), the first of which are 1."""

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """Maximum likelihood by Newton's method. Cost O(n) a step."""
        smallest = smallest_of(probs)
        features = cls.features(logarithms(probs, smallest))
        made: Callable[..., Self] = cls
        return made(*map(float, cls._fitted(features, labels == 0, cls.unchanged)), smallest)

    @classmethod
    def _fitted(cls, features: Float, hits: Float, start: Float) -> Float:
        """(k,) coefficients: one after the other that would be below 0 and must not be is 0."""
        used, found = list(range(len(start))), np.zeros(len(start))
        while True:
            fitted = newton(features[:, used], hits, cls.unchanged[used], start[used])
            below = [k for k, value in zip(used, fitted, strict=True) if cls.rising and k and value < 0]
            if not below:
                found[used] = fitted
                return found
            used.remove(min(below, key=lambda k: fitted[used.index(k)]))

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.two_classes`."""
        logs = logarithms(probs, smallest_of(probs))
        return gains_of(cls.features(logs), folds, -logs, cls._fitted, cls.unchanged)

    def __call__(self, probs: Float) -> Float:
        """(n, 2) -> (n, 2). Neither is 1 less the other, which would be 0 where the other is nearly 1."""
        features = self.features(logarithms(probs, self.smallest))
        scores = sum(value * feature for value, feature in zip(astuple(self), features.T, strict=False))
        return np.column_stack([expit(scores), expit(-scores)])

    def about(self) -> str:
        """What its code says of itself."""
        return "Rows of two probabilities in, rows of two probabilities out."


@MAPS.enter
@dataclass(frozen=True)
class Logistic(_OfLogOdds):
    """``logit q = intercept + slope·logit g`` of the first class."""

    kind: ClassVar[str] = "logistic"
    label: ClassVar[str] = "Logistic (Platt)"
    help: ClassVar[str] = "Shifts and stretches the log-odds of two classes."
    unchanged: ClassVar[Float] = np.array([0.0, 1.0])

    intercept: float
    slope: float
    smallest: float

    @staticmethod
    def features(logs: Float) -> Float:
        """(n, 2) 1 and the log-odds."""
        return np.column_stack([np.ones(len(logs)), logs[:, 0] - logs[:, 1]])

    def body(self) -> str:
        """Three lines of NumPy."""
        return f"""    logs = np.log(np.maximum(probs, {self.smallest!r}))
    first = 1 / (1 + np.exp(-({self.intercept!r} + {self.slope!r} * (logs[:, 0] - logs[:, 1]))))
    return np.column_stack([first, 1 - first])
"""


@MAPS.enter
@dataclass(frozen=True)
class Beta(_OfLogOdds):
    """``logit q = intercept + a·log g − b·log(1 − g)`` of the first class, a and b not below 0."""

    kind: ClassVar[str] = "beta"
    label: ClassVar[str] = "Beta"
    help: ClassVar[str] = "As the logistic map, with another stretch on either side."
    unchanged: ClassVar[Float] = np.array([0.0, 1.0, 1.0])
    rising: ClassVar[bool] = True

    intercept: float
    a: float
    b: float
    smallest: float

    @staticmethod
    def features(logs: Float) -> Float:
        """(n, 3) 1 and both logarithms."""
        return np.column_stack([np.ones(len(logs)), logs[:, 0], -logs[:, 1]])

    def body(self) -> str:
        """Four lines of NumPy."""
        return f"""    logs = np.log(np.maximum(probs, {self.smallest!r}))
    score = {self.intercept!r} + {self.a!r} * logs[:, 0] - {self.b!r} * logs[:, 1]
    first = 1 / (1 + np.exp(-score))
    return np.column_stack([first, 1 - first])
"""
