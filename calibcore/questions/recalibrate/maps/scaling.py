"""Maps that are linear in the logarithms of the probabilities: one pair of numbers a class, or a matrix."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from calibcore.numerics import loops
from calibcore.numerics.tempering import WIDTH, exp_below, logarithms, side_by_side, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.documents import written
from calibcore.questions.recalibrate.maps.map import MAPS, SoftmaxMap
from calibcore.questions.recalibrate.maps.steps import StepGains, curvature

CASES_A_PARAMETER = 50
"""Cases that a matrix map needs for each of its m² parameters."""
MOST_CLASSES = 100
_STEPS = 100
_PRODUCTS = 1 << 22
"""Products of a task."""


@MAPS.enter
@dataclass(frozen=True)
class Vector(SoftmaxMap):
    r"""$q_k \propto \exp(a_k \log g_k + b_k)$ with the penalty λ(‖a − 1‖² + ‖b‖²) on the mean log loss."""

    kind = "vector"
    label = "Vector scaling"
    help = "As the temperature, with a stretch and a shift for each class."
    every_number = True

    a: tuple[float, ...]
    b: tuple[float, ...]
    smallest: float

    @classmethod
    def why_not(cls, n: int, m: int) -> str:
        """It has 2m parameters, and a step of its fit takes their square."""
        return f"it is made for up to {MOST_CLASSES} classes" if m > MOST_CLASSES else ""

    @classmethod
    def fit(cls, probs: Float, labels: Int, penalty: float | None = None) -> Self:
        """λ = 1/n unless ``penalty`` says otherwise. Newton's method, O(nm²) a step, some five steps."""
        n, m = probs.shape
        smallest = smallest_of(probs)
        logs = logarithms(probs, smallest)
        rows, weight = np.arange(n), 1 / n if penalty is None else penalty
        start = np.concatenate([np.ones(m), np.zeros(m)])

        def loss(x: Float) -> tuple[float, Float]:
            scores = x[:m] * logs + x[m:]
            normaliser = logsumexp(scores, axis=1)
            off = x - start
            value = float((normaliser - scores[rows, labels]).mean()) + weight * float(off @ off)
            return value, np.exp(scores - normaliser[:, None])

        x = start
        value, q = loss(x)
        for _ in range(_STEPS):
            residual = q.copy()
            residual[rows, labels] -= 1
            gradient = np.concatenate([(residual * logs).mean(axis=0), residual.mean(axis=0)])
            gradient += 2 * weight * (x - start)
            step = np.linalg.solve(curvature(logs, x) / n + 2 * weight * np.eye(2 * m), gradient)
            decrement, size = float(gradient @ step), 1.0
            if decrement <= 1e-15:
                break
            while True:
                new, after = loss(x - size * step)
                if new <= value - 1e-4 * size * decrement or size < 1e-10:
                    break
                size /= 2
            x, value, q = x - size * step, new, after
        return cls(tuple(map(float, x[:m])), tuple(map(float, x[m:])), smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """By :mod:`.steps`. Cost O(nm) a label set."""
        return StepGains(probs, folds, np.arange(2 * probs.shape[1]), penalty=1.0)

    def scores(self, logs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return np.asarray(np.array(self.a) * logs + np.array(self.b))

    def numpy_scores(self) -> str:
        """Three lines."""
        return f"""a = np.array({list(self.a)!r})
    b = np.array({list(self.b)!r})
    scores = a * np.log(np.maximum(probs, {self.smallest!r})) + b"""

    def torch_scores(self) -> str:
        """Two lines."""
        return f"""a, b = logs.new_tensor({list(self.a)!r}), logs.new_tensor({list(self.b)!r})
    scores = a * logs + b"""


@MAPS.enter
@dataclass(frozen=True)
class Matrix(SoftmaxMap):
    r"""$q \propto \exp(W \log g + b)$ with the penalty λ(‖W − I‖² + ‖b‖²), λ = 1/n (Kull et al. 2019)."""

    kind = "matrix"
    label = "Matrix (Dirichlet)"
    help = "Every class looks at the probabilities of all."
    most_resamples = 0

    weights: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    smallest: float

    @classmethod
    def why_not(cls, n: int, m: int) -> str:
        """It has m² parameters."""
        if m == 2:
            return "of two classes the beta map does the same with fewer numbers"
        needed = CASES_A_PARAMETER * m * m
        return "" if n >= needed else f"it needs {needed:,} cases or more for {m:,} classes"

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """Cost O(nm²) a step of L-BFGS."""
        n, m = probs.shape
        smallest = smallest_of(probs)
        panels, happened = side_by_side(logarithms(probs, smallest)), loops.read_only(labels)
        start = np.concatenate([np.eye(m).ravel(), np.zeros(m)])
        tasks = loops.blocks(len(panels), max(1, _PRODUCTS // (WIDTH * m**2)))

        def loss(x: Float) -> tuple[float, Float]:
            def some(part: slice) -> Float:
                out = np.zeros(1 + len(x))
                _add_matrix_loss(panels, happened, x, part.start, min(part.stop, len(panels)), out)
                return out

            total = np.sum(loops.in_threads(some, tasks), axis=0) / n
            off = x - start
            return float(total[0] + off @ off / n), total[1:] + 2 * off / n

        x = _least(loss, start)
        weights = tuple(tuple(map(float, row)) for row in x[: m * m].reshape(m, m))
        return cls(weights, tuple(map(float, x[m * m :])), smallest)

    def scores(self, logs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return np.asarray(logs @ np.array(self.weights).T + np.array(self.b))

    def numpy_scores(self) -> str:
        """Three lines."""
        return f"""weights = np.array({written(self.weights)!r})
    b = np.array({list(self.b)!r})
    scores = np.log(np.maximum(probs, {self.smallest!r})) @ weights.T + b"""

    def torch_scores(self) -> str:
        """Two lines."""
        return f"""weights = logs.new_tensor({written(self.weights)!r})
    scores = logs @ weights.T + logs.new_tensor({list(self.b)!r})"""


def _least(loss: Any, start: Float) -> Float:
    options: Any = {"maxiter": 500, "ftol": 1e-12, "gtol": 1e-8}
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)


@loops.compiled_in_any_order
def _add_matrix_loss(panels: Float, labels: Int, x: Float, first: int, last: int, out: Float) -> None:
    """Log loss of some panels of cases at x = (W row by row, b), and its gradient.

    No BLAS, whose own threads would compete: with others at work it takes 17 times as long.
    """
    m, n = panels.shape[1], len(labels)
    q, top, total = np.empty((m, WIDTH)), np.empty(WIDTH), np.empty(WIDTH)
    for p in range(first, last):
        logs, rows = panels[p], min(WIDTH, n - p * WIDTH)
        for r in range(WIDTH):
            top[r], total[r] = -np.inf, 0.0
        for k in range(m):
            scores = q[k]
            for r in range(WIDTH):
                scores[r] = x[m * m + k]
            for j in range(m):
                weight, of_class = x[k * m + j], logs[j]
                for r in range(WIDTH):
                    scores[r] += weight * of_class[r]
            for r in range(WIDTH):
                top[r] = scores[r] if scores[r] > top[r] else top[r]
        for r in range(rows):
            out[0] += top[r] - q[labels[p * WIDTH + r], r]
        for k in range(m):
            scores = q[k]
            for r in range(WIDTH):
                e = exp_below(scores[r] - top[r])
                scores[r] = e
                total[r] += e
        for r in range(rows):
            out[0] += np.log(total[r])
            total[r] = 1.0 / total[r]
        for r in range(rows, WIDTH):
            total[r] = 0.0
        for k in range(m):
            for r in range(WIDTH):
                q[k, r] *= total[r]
        for r in range(rows):
            q[labels[p * WIDTH + r], r] -= 1.0
        for k in range(m):
            residuals, added = q[k], 0.0
            for r in range(WIDTH):
                added += residuals[r]
            out[1 + m * m + k] += added
            for j in range(m):
                of_class, added = logs[j], 0.0
                for r in range(WIDTH):
                    added += residuals[r] * of_class[r]
                out[1 + k * m + j] += added
