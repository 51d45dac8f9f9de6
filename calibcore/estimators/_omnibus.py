"""The seven statistics of the exact omnibus test, of any labels: what does not see labels is done once.

Kernel errors at five bandwidths; the score of a temperature; the class mix. See
:mod:`calibcore.hypothesis_tests.omnibus`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from calibcore.engine import TWO_CLASSES, in_order
from calibcore.estimators import Labels, Progress, _line
from calibcore.estimators._partitions import TREES, Partitions
from calibcore.estimators._redraws import picked_sums
from calibcore.estimators.skce import SKCE
from calibcore.kernels import SAME, Kernel, distances, with_bandwidth
from calibcore.predictions import Float, Predictions
from calibcore.resampling import first_class_chances

BANDWIDTHS = 5
NARROWER = 4.0
"""Each bandwidth is so many times the next."""
NAMES = (*(f"kernel-{j + 1}" for j in range(BANDWIDTHS)), "temperature", "class-mix")
PAIRS_UP_TO = 500
"""Up to so many cases of three and more classes every pair is looked at; above, random partitions."""
_ALIKE = 1e-12


@dataclass(frozen=True, eq=False)
class Statistics:
    """(S, n) labels -> (7, S) statistics of fixed predictions, in the order of :data:`NAMES`.

    Attributes
    ----------
    draw : B, generator -> (7, B) with labels drawn from the predictions; None where labels come from outside
    how : "line", "pairs" or "partitions": what stands for the kernel
    bandwidths : (5,) falling
    """

    evaluate: Callable[[Labels, Progress | None], Float]
    draw: "Callable[[int, np.random.Generator, Progress | None], Float] | None"
    how: str
    bandwidths: tuple[float, ...]

    @classmethod
    def of(cls, predictions: Predictions, kernel: Kernel, trees: int = TREES) -> "Statistics":
        """``kernel``: family, metric and class matrix; its bandwidth is not used.

        Cost O(n log n) for two classes and the exponential kernel; for more O(n²m), above
        :data:`PAIRS_UP_TO` cases O(trees·nm·log n).
        """
        g = predictions.probs
        bandwidths = bandwidths_of(g, kernel.metric)
        kernels = [with_bandwidth(kernel, nu) for nu in bandwidths]
        for one in kernels:
            one.check(predictions.m)
        others = _Others.of(g)
        if _line.applies(kernel, predictions.m):
            on_line = _OnLine.of(kernels, g, others)
            return cls(on_line.evaluate, on_line.draw, "line", bandwidths)
        n, how = predictions.n, "pairs"
        by_kernel: Callable[[Labels, Progress | None], Float]
        if kernel.kind == "exponential" and kernel.class_matrix is None and n > PAIRS_UP_TO:
            how = "partitions"
            partitions = Partitions.of(g, kernel.metric, bandwidths, trees)

            def by_kernel(labels: Labels, progress: Progress | None) -> Float:
                return partitions.pairs(labels, progress) / (n * (n - 1) / 2)
        else:
            prepared = [SKCE(one).prepared(predictions) for one in kernels]

            def by_kernel(labels: Labels, progress: Progress | None) -> Float:
                return np.stack([one(labels, _share(progress, j)) for j, one in enumerate(prepared)])

        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            return np.vstack([by_kernel(labels, progress), others(labels)])

        return cls(evaluate, None, how, bandwidths)


def temperature_score(predictions: Predictions) -> float:
    """``Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)``: negative where the model is too sure.

    −∞ where a label was given probability 0.
    """
    others = _Others.of(predictions.probs)
    labels = predictions.labels[None]
    if others.impossible is not None and picked_sums(others.impossible, labels)[0] > 0:
        return -math.inf
    return float(picked_sums(others.logs, labels)[0] - others.expected)


def bandwidths_of(g: Float, metric: str) -> tuple[float, ...]:
    """(5,) ``D·4⁻ʲ``: D the range of two-class predictions, else twice the largest distance from their mean.

    Labels are not seen. 1 where all predictions are one: κ is then 1 whatever the bandwidth. Cost O(nm).
    """
    if g.shape[1] == 2:
        span = float(np.ptp(g[:, 0])) * float(distances(np.eye(2)[:1], np.eye(2)[1:], metric)[0, 0])
    else:
        span = 2 * float(distances(g, g.mean(axis=0, keepdims=True), metric).max())
    if span <= SAME:
        span = 1.0
    return tuple(span * NARROWER**-j for j in range(BANDWIDTHS))


def _share(progress: Progress | None, j: int) -> Progress | None:
    return None if progress is None else lambda fraction: progress((j + fraction) / BANDWIDTHS)


@dataclass(frozen=True, eq=False)
class _Others:
    """Temperature and class mix."""

    logs: Float
    """(n, m) log g, of row/sum; 0 where g is 0."""
    impossible: Float | None
    """(n, m) 1 where g is 0; None where it never is."""
    expected: float
    """``Σ_i Σ_k g_ik log g_ik``."""
    mix: Float
    """(m,) ``Σ_i g_i``."""
    inverse: Float
    """(m, m) V⁺, ``V = Σ_i (diag g_i − g_i g_iᵀ)``."""

    @classmethod
    def of(cls, g: Float) -> "_Others":
        g = g / g.sum(axis=1, keepdims=True)
        possible = g > 0
        logs = np.log(g, out=np.zeros(g.shape), where=possible)
        mix = g.sum(axis=0)
        inverse = np.linalg.pinv(np.diag(mix) - g.T @ g, _ALIKE, hermitian=True)
        impossible = None if possible.all() else (~possible).astype(np.float64)
        return cls(logs, impossible, float(np.vdot(g, logs)), mix, np.asarray(inverse, np.float64))

    def __call__(self, labels: Labels) -> Float:
        """(S, n) -> (2, S)."""
        impossible = None if self.impossible is None else picked_sums(self.impossible, labels)
        return self.of_sums(picked_sums(self.logs, labels), impossible, _counts(labels, len(self.mix)))

    def of_sums(self, logs: Float, impossible: Float | None, counts: Float) -> Float:
        """(S,) ``Σ log g_i(y_i)``, (S,) labels given probability 0, and (S, m) labels -> (2, S)."""
        score = np.abs(logs - self.expected)
        if impossible is not None:
            score[impossible > 0.5] = math.inf
        off = counts - self.mix
        return np.stack([score, np.einsum("sk,kl,sl->s", off, self.inverse, off)])


def _counts(labels: Labels, m: int) -> Float:
    """(S, n) -> (S, m)"""
    at = labels + (m * np.arange(len(labels)))[:, None]
    return np.bincount(at.ravel(), minlength=m * len(labels)).reshape(-1, m).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _OnLine:
    """Two classes with the exponential kernel: all seven in one pass over the sorted cases."""

    lines: _line.Lines
    base: Float
    step: Float
    linear: Float
    """(n, 3) what a label 1 adds to ``Σ log g_i(y_i)``, to impossible labels, and 1."""
    first_class: Float
    others: _Others

    @classmethod
    def of(cls, kernels: list[Kernel], g: Float, others: _Others) -> "_OnLine":
        factor = kernels[0].factor(2)
        L = np.eye(2) if factor is None else factor
        base = (np.array([1.0, 0.0]) - g) @ L
        step = np.broadcast_to(np.array([-1.0, 1.0]) @ L, base.shape)
        # Of rows that sum to 1 one number says both.
        if factor is None and np.abs(base.sum(axis=1)).max() <= _ALIKE:
            base, step = math.sqrt(2) * base[:, :1], math.sqrt(2) * step[:, :1]
        impossible = np.zeros(g.shape) if others.impossible is None else others.impossible
        linear = np.column_stack([np.diff(others.logs), np.diff(impossible), np.ones(len(g))])
        lines = _line.Lines.of(kernels, g)
        return cls(lines, base, np.ascontiguousarray(step), linear, first_class_chances(g), others)

    def evaluate(self, labels: Labels, progress: Progress | None) -> Float:
        """(S, n) -> (7, S)"""
        work = partial(_line.Lines.sums, self.lines, self.base, self.step, self.linear, labels)
        return self._of(work, range(0, len(labels), _line.BLOCK), len(labels), progress)

    def draw(self, size: int, rng: np.random.Generator, progress: Progress | None = None) -> Float:
        """(7, size) of labels drawn from the predictions."""
        work = partial(
            _line.Lines.drawn_sums, self.lines, self.base, self.step, self.linear, self.first_class
        )
        return self._of(work, rng.spawn(-(-size // _line.BLOCK)), size, progress)

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        n = len(self.first_class)
        cost = float(n) * size * TWO_CLASSES * BANDWIDTHS
        parts = list(in_order(work, items, progress, n, cost))
        pairs, sums = (np.concatenate(some, axis=1)[:, :size] for some in zip(*parts, strict=True))
        logs = self.others.logs[:, 0].sum() + sums[0]
        never = self.others.impossible
        impossible = None if never is None else never[:, 0].sum() + sums[1]
        counts = np.column_stack([n - sums[2], sums[2]])
        return np.vstack([pairs / (n * (n - 1) / 2), self.others.of_sums(logs, impossible, counts)])
