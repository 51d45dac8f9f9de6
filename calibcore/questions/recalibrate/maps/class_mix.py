"""Another mix of the classes: probabilities tilted so that each class is expected as often as it happened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from calibcore.bounds import Length, Within
from calibcore.numerics.tempering import smallest_of, softmax
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.steps import StepGains

_STEPS = 200
MOST_TILT = 1e3
"""Of θ: e to the power of more is no double."""


@MAPS.enter
@dataclass(frozen=True)
class ClassMix(RecalibrationMap):
    r"""$q_k \propto g_k e^{\theta_k}$ with $\sum_i q_{ik}$ the number of cases of class k.

    ``tilt`` is θ, which sums to 0; a class that never happened counts as half a case. A 0 counts as
    ``smallest``.
    """

    kind = "class-mix"
    label = "Class mix"
    help = "Corrects how common each class is, and nothing else."

    tilt: Annotated[tuple[Annotated[float, Within(-MOST_TILT, MOST_TILT)], ...], Length(2)]
    smallest: Annotated[float, Within(0, 1)] = 0.0

    @property
    def m(self) -> int:
        """Of as many classes as it has numbers."""
        return len(self.tilt)

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Newton's method on a convex function. Cost O(nm²) a step, some six steps."""
        counts = np.bincount(labels, minlength=probs.shape[1]).astype(np.float64)
        counts = np.maximum(counts, 0.5)
        smallest = smallest_of(probs)
        tilt = tilt_of(np.maximum(probs, smallest), counts * (len(probs) / counts.sum()))
        return cls(tuple(map(float, tilt)), smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.steps`. Cost O(nm) a label set."""
        m = probs.shape[1]
        return StepGains(probs, folds, np.concatenate([np.full(m, -1), np.arange(m)]), least=0.5)

    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return tilted(np.maximum(probs, self.smallest), np.array(self.tilt))

    def body(self) -> str:
        """Some lines of NumPy."""
        return f"""    weights = np.exp(np.array({list(self.tilt)!r}))
    tilted = np.maximum(probs, {self.smallest!r}) * weights
    return tilted / tilted.sum(axis=1, keepdims=True)
"""


def tilted(probs: Float, tilt: Float) -> Float:
    """(n, m) ``g_k e^{θ_k}``, rows divided by their sums."""
    with np.errstate(divide="ignore"):
        return softmax(np.log(probs) + tilt)


def tilt_of(probs: Float, counts: Float | Sequence[float]) -> Float:
    """(m,) θ with ``Σ_i ĝ_ik = counts_k``, which sum to n and are above 0; it sums to 0."""
    wanted = np.asarray(counts, np.float64)
    n, m = probs.shape
    theta = np.zeros(m)
    with np.errstate(divide="ignore"):
        logs = np.log(probs)

    def loss(t: Float) -> float:
        scores = logs + t
        top = scores.max(axis=1)
        return float((top + np.log(np.exp(scores - top[:, None]).sum(axis=1))).sum() - wanted @ t)

    value = loss(theta)
    for _ in range(_STEPS):
        q = softmax(logs + theta)
        gradient = q.sum(axis=0) - wanted
        curvature = np.diag(q.sum(axis=0)) - q.T @ q
        step = np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        step -= step.mean()
        decrement, size = float(gradient @ step), 1.0
        if decrement <= 1e-15 * n:
            theta = theta - step
            break
        while size > 1e-10 and (new := loss(theta - size * step)) > value - 1e-4 * size * decrement:
            size /= 2
        theta, value = theta - size * step, min(value, new)
    return np.asarray(theta - theta.mean())
