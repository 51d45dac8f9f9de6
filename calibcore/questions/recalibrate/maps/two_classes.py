"""Logistic regressions of two classes, and what they gain fold by fold: few numbers, fitted exactly."""

import math
from collections.abc import Callable

import numpy as np

from calibcore.estimators.scores import SMALLEST
from calibcore.numerics import loops
from calibcore.numerics.tempering import exp_below
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import set_by_set

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
        whole = fit(features, hits, start)
        after = 0.0
        for (inside, outside), (left_out, others) in zip(parts, cut, strict=True):
            scores = left_out @ fit(others, hits[outside], whole)
            losses = np.logaddexp(0, scores) - hits[inside] * scores
            after += float(np.minimum(losses, _MOST_LOSS).sum())
        return (float(before[rows, labels].sum()) - after) / len(rows)

    return set_by_set(gain)


def newton(features: Float, hits: Float, target: Float, start: Float) -> Float:
    """Coefficients (k,) of a logistic regression of ``hits (n,)`` on ``features (n, k)``.

    With a penalty of :data:`PENALTY` a case on their squared distance from ``target``. Newton's method from
    ``start``; steps are halved until the loss falls.
    """
    at = start.astype(np.float64)
    _newton(
        loops.read_only(features), loops.read_only(hits.astype(np.float64)), target, PENALTY * len(hits), at
    )
    return at


@loops.compiled
def _newton(features: Float, hits: Float, target: Float, weight: float, at: Float) -> None:
    k = len(at)
    gradient, curvature, step = np.empty(k), np.empty((k, k)), np.empty(k)
    for _ in range(_STEPS):
        _derivatives(features, hits, at, gradient, curvature)
        for j in range(k):
            gradient[j] += 2 * weight * (at[j] - target[j])
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
            value = _loss(features, hits, target, weight, at)
            while size > 1e-10 and not (
                _loss(features, hits, target, weight, at - size * step) <= value - 1e-4 * size * decrement
            ):
                size /= 2
            if size <= 1e-10:
                return
        for j in range(k):
            at[j] -= size * step[j]


@loops.compiled
def _derivatives(features: Float, hits: Float, at: Float, gradient: Float, curvature: Float) -> None:
    """Of the log loss, before the penalty; the curvature's upper half."""
    k = len(at)
    gradient[:] = 0.0
    curvature[:] = 0.0
    for i in range(len(hits)):
        score = 0.0
        for j in range(k):
            score += features[i, j] * at[j]
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


@loops.compiled
def _loss(features: Float, hits: Float, target: Float, weight: float, at: Float) -> float:
    value = 0.0
    for j in range(len(at)):
        value += weight * (at[j] - target[j]) ** 2
    for i in range(len(hits)):
        score = 0.0
        for j in range(len(at)):
            score += features[i, j] * at[j]
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
