"""Maps that are linear in the logarithms of the probabilities: one number for all (Guo et al.
2017), one pair of numbers a class, or a matrix."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import logsumexp

from calibcore.bounds import Length, Shape, Within
from calibcore.data.parts import contents
from calibcore.numerics import loops
from calibcore.numerics.tempering import (
    LEAST,
    MOST,
    WIDTH,
    Powers,
    exp_below,
    logarithms,
    side_by_side,
    smallest_of,
)
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, Parameter, Smallest, SoftmaxMap, rows_of
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

    a: Annotated[tuple[Parameter, ...], Shape("classes"), Length(2)]
    b: Annotated[tuple[Parameter, ...], Shape("classes"), Length(2)]
    smallest: Smallest

    @property
    def m(self) -> int:
        """Of as many classes as it has numbers."""
        return len(self.b)

    @classmethod
    def why_not(cls, n: int, m: int) -> str:
        """It has 2m parameters, and a step of its fit takes their square."""
        return f"it is made for up to {MOST_CLASSES} classes" if m > MOST_CLASSES else ""

    @classmethod
    def fit(cls, probs: ArrayLike, labels: ArrayLike, penalty: float | None = None) -> Self:
        """As of every map; λ = 1/n unless ``penalty`` says otherwise."""
        g = rows_of(probs)
        return cls._fit(*contents(g, labels, g.shape[1]), penalty)

    @classmethod
    def _fit(cls, probs: Float, labels: Int, penalty: float | None = None) -> Self:
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
    redrawn = False

    weights: Annotated[tuple[tuple[Parameter, ...], ...], Shape("classes", "classes"), Length(2)]
    b: Annotated[tuple[Parameter, ...], Shape("classes"), Length(2)]
    smallest: Smallest

    @property
    def m(self) -> int:
        """Of as many classes as it has rows."""
        return len(self.b)

    @classmethod
    def why_not(cls, n: int, m: int) -> str:
        """It has m² parameters."""
        if m == 2:
            return "with two outcomes the beta map does the same with fewer numbers"
        needed = CASES_A_PARAMETER * m * m
        return "" if n >= needed else f"it needs {needed:,} cases or more for {m:,} classes"

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Cost O(nm²) a step of L-BFGS."""
        n, m = probs.shape
        smallest = smallest_of(probs)
        panels, happened = side_by_side(logarithms(probs, smallest)), loops.read_only(labels)
        start = np.concatenate([np.eye(m).ravel(), np.zeros(m)])
        tasks = loops.blocks(len(panels), max(1, _PRODUCTS // (WIDTH * m**2)))

        def loss(x: Float) -> tuple[float, Float]:
            def part_loss(part: slice) -> Float:
                out = np.zeros(1 + len(x))
                _add_matrix_loss(panels, happened, x, part.start, min(part.stop, len(panels)), out)
                return out

            total = np.sum(loops.in_threads(part_loss, tasks), axis=0) / n
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
        return f"""weights = np.array({list(map(list, self.weights))!r})
    b = np.array({list(self.b)!r})
    scores = np.log(np.maximum(probs, {self.smallest!r})) @ weights.T + b"""

    def torch_scores(self) -> str:
        """Two lines."""
        return f"""weights = logs.new_tensor({list(map(list, self.weights))!r})
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


_GRID = 400
_NUMBERS = 1 << 20
"""Probabilities that are mapped together."""


@MAPS.enter
@dataclass(frozen=True)
class Temperature(SoftmaxMap):
    r"""$q_k \propto g_k^{1/T}$: above 1 for a model that is too sure of itself.

    temperature : in 1/20 … 20; at a bound the log loss would fall further beyond it
    smallest : what a probability of 0 counts as
    """

    kind = "temperature"
    label = "Temperature"
    help = "One number makes all probabilities less or more extreme."

    temperature: Annotated[float, Within(LEAST, MOST)]
    smallest: Smallest

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """The least log loss: the root of its derivative in b = 1/T. Cost O(nm) a step, some six steps."""
        powers = Powers.of(probs)
        return cls(1 / powers.fitted(powers.happened(labels)), powers.smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """Of labels only Σ log g_i(y_i) in each fold counts; the rest is tabulated over b = 1/T.

        Cost O(nm) for each of :data:`_GRID` temperatures, then O(n) a label set.
        """
        smallest = smallest_of(probs)
        parts = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
        of_parts = [Powers.of(probs[rows], smallest) for rows in parts]
        grid = np.exp(np.linspace(math.log(1 / MOST), math.log(1 / LEAST), _GRID))
        values = np.array([[powers.at(b) for b in grid.tolist()] for powers in of_parts])
        normalisers, means = values[:, :, 0], values[:, :, 1]
        before = np.array([powers.at(1.0).value for powers in of_parts])

        def gains(labels: Labels) -> Float:
            sums = np.empty((len(labels), len(parts)))
            for f, rows in enumerate(parts):
                drawn = labels[:, rows].astype(np.int64)
                sums[:, f] = of_parts[f].said(drawn).sum(axis=1)
            total = np.zeros(len(labels))
            for f in range(len(parts)):
                rest = [g for g in range(len(parts)) if g != f]
                b = np.interp(sums[:, rest].sum(axis=1), means[rest].sum(axis=0), grid)
                total += (b - 1) * sums[:, f] - _between(b, grid, normalisers[f], means[f]) + before[f]
            return total / len(probs)

        return gains

    def scores(self, logs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return logs / self.temperature

    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m), some rows at a time."""
        out = np.empty(probs.shape)
        for rows in loops.blocks(len(probs), max(1, _NUMBERS // probs.shape[1])):
            out[rows] = super()._mapped(probs[rows])
        return out

    def title(self) -> str:
        """With its number."""
        return f"Temperature {self.temperature:.6g}"

    def numpy_scores(self) -> str:
        """A line."""
        return f"scores = np.log(np.maximum(probs, {self.smallest!r})) / {self.temperature!r}"

    def torch_scores(self) -> str:
        """A line."""
        return f"scores = logs / {self.temperature!r}"


def _between(b: Float, grid: Float, values: Float, slopes: Float) -> Float:
    """Values at ``b`` between those on the grid, by cubics that have the slopes there too."""
    place = np.clip(np.searchsorted(grid, b, side="right") - 1, 0, len(grid) - 2)
    width = grid[place + 1] - grid[place]
    t = (b - grid[place]) / width
    left, right = values[place], values[place + 1]
    rise = (1 + 2 * t) * (1 - t) ** 2 * left + t**2 * (3 - 2 * t) * right
    return np.asarray(rise + width * t * (1 - t) * ((1 - t) * slopes[place] - t * slopes[place + 1]))
