"""Logistic recalibration of two classes: Cox's and Platt's, and the beta map (Kull et al. 2017).

They have few numbers: what they gain fold by fold is fitted exactly.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from scipy.special import expit

from calibcore.bounds import Within
from calibcore.estimators.scores import SMALLEST
from calibcore.numerics import loops
from calibcore.numerics.tempering import exp_below, logarithms, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import (
    MAPS,
    MOST_PARAMETER,
    Parameter,
    RecalibrationMap,
    Smallest,
    set_by_set,
)


class _OfLogOdds(RecalibrationMap):
    """A map of two classes whose log-odds are a sum of features with coefficients: its fields but the last.

    unchanged : (k,) coefficients of the map that changes nothing
    rising : whether all but the intercept are 0 at the least
    smallest : what a probability of 0 counts as
    """

    two_classes = True
    unchanged: ClassVar[Float]
    rising: ClassVar[bool] = False

    smallest: Smallest

    @staticmethod
    @abstractmethod
    def features(logs: Float) -> Float:
        """(n, 2) logarithms -> (n, k), the first of which are 1."""

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Maximum likelihood by Newton's method. Cost O(n) a step."""
        smallest = smallest_of(probs)
        features = cls.features(logarithms(probs, smallest))
        made: Callable[..., Self] = cls
        return made(*map(float, cls._fitted(features, labels == 0, cls.unchanged)), smallest)

    @classmethod
    def _fitted(cls, features: Float, hits: Float, start: Float) -> Float:
        """(k,) coefficients: one after the other that would be below 0 and must not be is 0."""
        used, coefficients = list(range(len(start))), np.zeros(len(start))
        while True:
            fitted = newton(features[:, used], hits, cls.unchanged[used], start[used])
            below = [k for k, value in zip(used, fitted, strict=True) if cls.rising and k and value < 0]
            if not below:
                coefficients[used] = fitted
                return coefficients
            used.remove(min(below, key=lambda k: fitted[used.index(k)]))

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.two_classes`."""
        logs = logarithms(probs, smallest_of(probs))
        return gains_of(cls.features(logs), folds, -logs, cls._fitted, cls.unchanged)

    def _mapped(self, probs: Float) -> Float:
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

    kind = "logistic"
    label = "Logistic (Platt)"
    help = "Shifts and stretches the log-odds of two classes."
    unchanged = np.array([0.0, 1.0])

    intercept: Parameter
    slope: Parameter
    smallest: Smallest

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

    kind = "beta"
    label = "Beta"
    help = "As the logistic map, with another stretch on either side."
    unchanged = np.array([0.0, 1.0, 1.0])
    rising = True

    intercept: Parameter
    a: Annotated[float, Within(0, MOST_PARAMETER)]
    b: Annotated[float, Within(0, MOST_PARAMETER)]
    smallest: Smallest

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


PENALTY = 1e-10
"""Holds the coefficients where a value separates the outcomes; elsewhere it changes nothing that is shown."""
_MOST_LOSS = -math.log(SMALLEST)
"""Of a case, as everywhere."""
_STEPS = 200
_NEAR = 0.1
"""Newton decrement below which a step needs no look at the loss: it falls."""

Fit = Callable[[Float, Float, Float], Float]
"""``fit(features (n, k), hits (n,), from (k,)) -> (k,)`` coefficients."""


def gains_of(features: Float, folds: Int, before: Float, fit: Fit, start: Float) -> Callable[[Labels], Float]:
    """``gains(labels (B, n)) -> (B,)`` the mean gain in log loss of ``fit``, made anew without each fold.

    ``before`` (n, 2) are the losses of either label as it is. Every fit starts at the one to all cases of its
    label set, which changes its way and not its end. Cost O(nk²) a step, some 20 steps a set.
    """
    features = loops.read_only(features)
    rows = np.arange(len(features))
    parts = [(folds == fold, folds != fold) for fold in np.unique(folds)]
    cut = [
        (loops.read_only(features[inside]), loops.read_only(features[outside])) for inside, outside in parts
    ]

    def gain(labels: Int) -> float:
        hits = (labels == 0).astype(np.float64)
        full = fit(features, hits, start)
        after = 0.0
        for (inside, outside), (left_out, rest) in zip(parts, cut, strict=True):
            scores = left_out @ fit(rest, hits[outside], full)
            losses = np.logaddexp(0, scores) - hits[inside] * scores
            after += float(np.minimum(losses, _MOST_LOSS).sum())
        return (float(before[rows, labels].sum()) - after) / len(rows)

    return set_by_set(gain)


def newton(features: Float, hits: Float, target: Float, start: Float) -> Float:
    """Coefficients (k,) of a logistic regression of ``hits (n,)`` on ``features (n, k)``.

    With a penalty of :data:`PENALTY` a case on their squared distance from ``target``. Newton's method from
    ``start``; steps are halved until the loss falls.
    """
    point = start.astype(np.float64)
    _newton(
        loops.read_only(features),
        loops.read_only(hits.astype(np.float64)),
        target,
        PENALTY * len(hits),
        point,
    )
    return point


@loops.compiled_with_arrays
def _newton(features: Float, hits: Float, target: Float, weight: float, point: Float) -> None:
    k = len(point)
    gradient, curvature, step = np.empty(k), np.empty((k, k)), np.empty(k)
    for _ in range(_STEPS):
        _derivatives(features, hits, point, gradient, curvature)
        for j in range(k):
            gradient[j] += 2 * weight * (point[j] - target[j])
            curvature[j, j] += 2 * weight
        step[:] = gradient
        _solve(curvature, step)
        decrement = 0.0
        for j in range(k):
            decrement += gradient[j] * step[j]
        if not decrement > 1e-13:
            return
        size = 1.0
        if decrement > _NEAR:
            value = _loss(features, hits, target, weight, point)
            while size > 1e-10 and not (
                _loss(features, hits, target, weight, point - size * step) <= value - 1e-4 * size * decrement
            ):
                size /= 2
            if size <= 1e-10:
                return
        for j in range(k):
            point[j] -= size * step[j]


@loops.compiled_part
def _derivatives(features: Float, hits: Float, point: Float, gradient: Float, curvature: Float) -> None:
    """Of the log loss, before the penalty; the curvature's upper half."""
    k = len(point)
    gradient[:] = 0.0
    curvature[:] = 0.0
    for i in range(len(hits)):
        score = 0.0
        for j in range(k):
            score += features[i, j] * point[j]
        e = exp_below(-abs(score))
        p = (1.0 if score >= 0 else e) / (1.0 + e)
        spread = e / ((1.0 + e) * (1.0 + e))
        for j in range(k):
            gradient[j] += (p - hits[i]) * features[i, j]
            for o in range(j, k):
                curvature[j, o] += spread * features[i, j] * features[i, o]
    for j in range(k):
        for o in range(j):
            curvature[j, o] = curvature[o, j]


@loops.compiled_part
def _loss(features: Float, hits: Float, target: Float, weight: float, point: Float) -> float:
    value = 0.0
    for j in range(len(point)):
        value += weight * (point[j] - target[j]) ** 2
    for i in range(len(hits)):
        score = 0.0
        for j in range(len(point)):
            score += features[i, j] * point[j]
        value += max(score, 0.0) + np.log1p(np.exp(-abs(score))) - hits[i] * score
    return value


@loops.compiled
def _solve(a: Float, x: Float) -> None:
    """``x ← a⁻¹x`` in place, by elimination with pivots; along what is as good as flat no step is made."""
    k = len(x)
    largest = 0.0
    for j in range(k):
        largest = max(largest, a[j, j])
    for j in range(k):
        pivot = j
        for i in range(j + 1, k):
            if abs(a[i, j]) > abs(a[pivot, j]):
                pivot = i
        for o in range(k):
            a[j, o], a[pivot, o] = a[pivot, o], a[j, o]
        x[j], x[pivot] = x[pivot], x[j]
        if abs(a[j, j]) <= 1e-15 * largest:
            continue
        for i in range(j + 1, k):
            factor = a[i, j] / a[j, j]
            for o in range(j, k):
                a[i, o] -= factor * a[j, o]
            x[i] -= factor * x[j]
    for j in range(k - 1, -1, -1):
        for o in range(j + 1, k):
            x[j] -= a[j, o] * x[o]
        x[j] = x[j] / a[j, j] if abs(a[j, j]) > 1e-15 * largest else 0.0
