"""The statistics of the exact omnibus test, of any labels: what does not see labels is done once.

Kernel errors at five bandwidths; the score of a temperature; the class mix; of three and more classes, kernel
errors of the confidence at two bandwidths. See :mod:`calibcore.hypothesis_tests.omnibus`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore import _compiled
from calibcore.engine import TWO_CLASSES, in_order
from calibcore.estimators import Labels, Progress, _line
from calibcore.estimators._label_blocks import CHUNK, drawn_block, thresholds
from calibcore.estimators._omnibus_parts import (
    ALIKE,
    BANDWIDTHS,
    OF_CONFIDENCE,
    Confidence,
    Others,
    bandwidths_of,
)
from calibcore.estimators._partitions import BLOCK, TREES, Partitions
from calibcore.estimators._redraws import picked_sums
from calibcore.estimators.skce import SKCE
from calibcore.kernels import Kernel, with_bandwidth
from calibcore.predictions import Float, Predictions
from calibcore.resampling import first_class_chances

NAMES = (*(f"kernel-{j + 1}" for j in range(BANDWIDTHS)), "temperature", "class-mix")
MORE_NAMES = tuple(f"confidence-{j + 1}" for j in range(len(OF_CONFIDENCE)))
PAIRS_UP_TO = 500
"""Up to so many cases of three and more classes every pair is looked at; above, random partitions."""


class Statistics(ABC):
    """The statistics of fixed predictions, in the order of ``names``.

    Attributes
    ----------
    names : :data:`NAMES`; of three and more classes, then :data:`MORE_NAMES`
    how : "line", "pairs" or "partitions": what stands for the kernel
    bandwidths : (5,) falling
    """

    how: str
    bandwidths: tuple[float, ...]
    names: tuple[str, ...] = (*NAMES, *MORE_NAMES)

    @abstractmethod
    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        """(S, n) labels -> (C, S)."""

    @abstractmethod
    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        """(C, size) of labels drawn from ``probs (n, m)``, the predictions or others.

        A generator in the same state draws from the same numbers, whatever the probabilities.
        """


def statistics_of(predictions: Predictions, kernel: Kernel, trees: int = TREES) -> Statistics:
    """``kernel``: family, metric and class matrix; its bandwidth is not used.

    Cost O(n log n) for two classes and the exponential kernel; for more O(n²m), with the exponential kernel
    above :data:`PAIRS_UP_TO` cases O(trees·nm·log n).
    """
    g = predictions.probs
    bandwidths = bandwidths_of(g, kernel.metric)
    kernels = [with_bandwidth(kernel, nu) for nu in bandwidths]
    for one in kernels:
        one.check(predictions.m)
    if _line.applies(kernel, predictions.m):
        return _OnLine(kernels, g, bandwidths)
    if kernel.kind == "exponential" and predictions.n > PAIRS_UP_TO:
        factor = kernel.factor(predictions.m)
        partitions = Partitions.of(g, kernel.metric, bandwidths, factor, trees)
        return _InCells(partitions, Confidence.of(partitions.probs, kernel.metric), bandwidths)
    return _OfPairs(kernels, predictions, bandwidths)


def temperature_score(predictions: Predictions) -> float:
    """``Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)``: negative where the model is too sure.

    −∞ where a label was given probability 0.
    """
    others = Others.of(predictions.probs)
    labels = predictions.labels[None]
    if others.impossible is not None and picked_sums(others.impossible, labels)[0] > 0:
        return -math.inf
    return float(picked_sums(others.logs, labels)[0] - others.expected)


class _OnLine(Statistics):
    """Two classes with the exponential kernel: all seven in one pass over the sorted cases."""

    how = "line"
    names = NAMES

    def __init__(self, kernels: Sequence[Kernel], g: Float, bandwidths: tuple[float, ...]) -> None:
        self.bandwidths = bandwidths
        factor = kernels[0].factor(2)
        L = np.eye(2) if factor is None else factor
        base = (np.array([1.0, 0.0]) - g) @ L
        step = np.broadcast_to(np.array([-1.0, 1.0]) @ L, base.shape)
        # Of rows that sum to 1 one number says both.
        if factor is None and np.abs(base.sum(axis=1)).max() <= ALIKE:
            base, step = math.sqrt(2) * base[:, :1], math.sqrt(2) * step[:, :1]
        self.others = others = Others.of(g)
        impossible = np.zeros(g.shape) if others.impossible is None else others.impossible
        # What a label 1 adds to Σ log g_i(y_i), to impossible labels, and to their number.
        linear = np.column_stack([np.diff(others.logs), np.diff(impossible), np.ones(len(g))])
        self.points = base, np.ascontiguousarray(step), linear
        self.lines = _line.Lines.of(kernels, g)

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        work = partial(_line.Lines.sums, self.lines, *self.points, labels)
        return self._of(work, range(0, len(labels), _line.BLOCK), len(labels), progress)

    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        work = partial(_line.Lines.drawn_sums, self.lines, *self.points, first_class_chances(probs))
        return self._of(work, rng.spawn(-(-size // _line.BLOCK)), size, progress)

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        n = len(self.lines.order)
        cost = float(n) * size * TWO_CLASSES * BANDWIDTHS
        parts = list(in_order(work, items, progress, n, cost))
        pairs, sums = (np.concatenate(some, axis=1)[:, :size] for some in zip(*parts, strict=True))
        logs = self.others.logs[:, 0].sum() + sums[0]
        never = self.others.impossible
        impossible = None if never is None else never[:, 0].sum() + sums[1]
        counts = np.column_stack([n - sums[2], sums[2]])
        return np.vstack([pairs / (n * (n - 1) / 2), self.others.of_sums(logs, impossible, counts)])


class _InCells(Statistics):
    """The exponential kernel as random partitions."""

    how = "partitions"

    def __init__(self, partitions: Partitions, confidence: Confidence, bandwidths: tuple[float, ...]) -> None:
        self.partitions, self.confidence, self.bandwidths = partitions, confidence, bandwidths
        self.others = Others.of(partitions.probs)

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        work = partial(_InCells._given, self, labels)
        return self._of(work, range(0, len(labels), BLOCK), len(labels), progress)

    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        work = partial(_InCells._drawn, self, thresholds(probs[self.partitions.cases]))
        return self._of(work, rng.spawn(-(-size // BLOCK)), size, progress)

    def _given(self, labels: Labels, first: int) -> tuple[Float, Float]:
        return self._block(self.partitions.held(labels[first : first + BLOCK]))

    def _drawn(self, edges: NDArray[np.uint32], rng: np.random.Generator) -> tuple[Float, Float]:
        return self._block(drawn_block(edges, rng))

    def _block(self, held: Any) -> tuple[Float, Float]:
        """(7, BLOCK) sums over pairs, and (2 + m, BLOCK): logs, impossible labels, labels of each class."""
        m = self.partitions.probs.shape[1]
        sums = np.zeros((2 + m, BLOCK))
        _add_labels(self.others.logs, held, sums)
        if self.others.impossible is not None:
            _add_picked(self.others.impossible, held, sums[1])
        return np.vstack([self.partitions.pairs(held), self.confidence.pairs(held)]), sums

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        n = len(self.partitions.cases)
        cost = float(n) * size * self.partitions.trees * 4
        parts = list(in_order(work, items, progress, n, cost))
        pairs, sums = (np.concatenate(some, axis=1)[:, :size] for some in zip(*parts, strict=True))
        impossible = None if self.others.impossible is None else sums[1]
        others = self.others.of_sums(sums[0], impossible, np.ascontiguousarray(sums[2:].T))
        pairs /= n * (n - 1) / 2
        return np.vstack([pairs[:BANDWIDTHS], others, pairs[BANDWIDTHS:]])


class _OfPairs(Statistics):
    """Any kernel, pair by pair; above 20,000 cases of low rank, as :class:`.SKCE`."""

    how = "pairs"

    def __init__(
        self, kernels: Sequence[Kernel], predictions: Predictions, bandwidths: tuple[float, ...]
    ) -> None:
        self.bandwidths = bandwidths
        self.others = Others.of(predictions.probs)
        self.kernels = [SKCE(kernel).prepared(predictions) for kernel in kernels]
        self.confidence = None
        if predictions.m > 2:
            self.confidence = Confidence.of(predictions.probs, kernels[0].metric)
        else:
            self.names = NAMES

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        def share(j: int) -> Progress | None:
            return None if progress is None else lambda fraction: progress((j + fraction) / BANDWIDTHS)

        kernels = [kernel(labels, share(j)) for j, kernel in enumerate(self.kernels)]
        more = [] if self.confidence is None else [self.confidence(labels)]
        return np.vstack([*kernels, self.others(labels), *more])

    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        edges, parts = thresholds(probs), []
        streams = rng.spawn(-(-size // BLOCK))
        together = max(1, CHUNK // BLOCK)
        for first in range(0, len(streams), together):
            labels = np.concatenate([drawn_block(edges, one).T for one in streams[first : first + together]])
            done = first * BLOCK

            def report(fraction: float, done: int = done, many: int = len(labels)) -> None:
                if progress is not None:
                    progress(min(1.0, (done + fraction * many) / size))

            parts.append(self.evaluate(labels[: size - done], report))
        return np.hstack(parts)


@_compiled.compiled
def _add_labels(logs: Any, labels: Any, out: Any) -> None:
    """To ``out[0, s]`` the logs of the labels, to ``out[2 + y, s]`` how many are y."""
    for i in range(len(logs)):
        for s in range(BLOCK):
            y = labels[i, s]
            out[0, s] += logs[i, y]
            out[2 + y, s] += 1.0


@_compiled.compiled
def _add_picked(values: Any, labels: Any, out: Any) -> None:
    for i in range(len(values)):
        for s in range(BLOCK):
            out[s] += values[i, labels[i, s]]
