"""The statistics of the exact omnibus test, of any labels: what does not see labels is done once.

Kernel errors at five bandwidths; the score of a temperature; the class mix; of three and more classes, kernel
errors of the confidence at two bandwidths. See :mod:`calibcore.hypothesis_tests.omnibus`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators import Progress, _line
from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._cells import Cells
from calibcore.estimators._groups import Groups
from calibcore.estimators._label_blocks import CHUNK, drawn_block, thresholds
from calibcore.estimators._line_bins import FROM, Bins
from calibcore.estimators._many_classes import ManyClasses
from calibcore.estimators._omnibus_parts import (
    ALIKE,
    BANDWIDTHS,
    OF_CONFIDENCE,
    Confidence,
    Others,
    bandwidths_of,
)
from calibcore.estimators._partitions import MOST_CLASSES, TREES, trees_of
from calibcore.estimators.skce import SKCE
from calibcore.kernels import Kernel
from calibcore.numerics import loops
from calibcore.numerics.engine import TWO_CLASSES, in_order
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.types import Float, Labels

NAMES = (*(f"kernel-{j + 1}" for j in range(BANDWIDTHS)), "temperature", "class-mix")
MORE_NAMES = tuple(f"confidence-{j + 1}" for j in range(len(OF_CONFIDENCE)))
PAIRS_UP_TO = 500
"""Up to so many cases of three and more classes every pair is looked at; above, random partitions."""

_NUMBERS = 1 << 22
"""Predictions times classes of which logs are held at a time."""

_prepared: WeakKeyDictionary[Predictions, tuple[Any, "Statistics"]] = WeakKeyDictionary()
"""Over many classes preparing takes seconds: what a test used is kept as long as its predictions."""


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


def statistics_of(predictions: Predictions, kernel: Kernel, trees: int | None = None) -> Statistics:
    """``kernel``: family, metric and class matrix; its bandwidth is not used. ``trees``: :func:`.trees_of`.

    Cost O(n log n) for two classes and the exponential kernel; for more O(n²m), with the exponential kernel
    above :data:`PAIRS_UP_TO` cases O(trees·nm·log n).
    """
    g, trees = predictions.probs, trees or trees_of(predictions.n)
    bandwidths = bandwidths_of(g, kernel.metric)
    kernels = [replace(kernel, bandwidth=nu) for nu in bandwidths]
    for one in kernels:
        one.check(predictions.m)
    if _line.applies(kernel, predictions.m):
        return _OnLine(kernels, g, bandwidths)
    if kernel.kind == "exponential" and predictions.n > PAIRS_UP_TO:
        factor = kernel.factor(predictions.m)
        if predictions.m <= MOST_CLASSES:
            return _InCells(g, kernel.metric, bandwidths, factor, trees)
        like = replace(kernel, bandwidth=1.0), trees
        known, prepared = _prepared.get(predictions, (None, None))
        if prepared is None or known != like:
            prepared = _InCells(g, kernel.metric, bandwidths, factor, trees)
            _prepared[predictions] = like, prepared
        return prepared
    return _OfPairs(kernels, predictions, bandwidths)


def temperature_score(predictions: Predictions) -> float:
    """``Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)``: negative where the model is too sure.

    −∞ where a label was given probability 0; where probabilities were rounded such a case counts for nothing,
    as its 0 may stand for more (:mod:`calibcore.assessment.impossible` counts them).
    """
    score = 0.0
    for some in loops.blocks(predictions.n, min(loops.ROWS, max(1, _NUMBERS // predictions.m))):
        g = predictions.probs[some] / predictions.probs[some].sum(axis=1, keepdims=True)
        chances = g[np.arange(len(g)), predictions.labels[some]]
        if predictions.decimals is not None:
            g, chances = g[chances > 0], chances[chances > 0]
        if not chances.all():
            return -math.inf
        logs = np.log(g, out=np.zeros(g.shape), where=g > 0)
        score += float(np.log(chances).sum() - np.vdot(g, logs))
    return score


class _OnLine(Statistics):
    """Two classes with the exponential kernel: all seven in one pass over the sorted cases.

    Above :data:`.FROM` cases in bins of neighbours.
    """

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
        # What a label 1 adds to Σ log g_i(y_i), and to impossible labels.
        assert others.logs is not None
        linear = np.diff(others.logs)
        if others.impossible is not None:
            linear = np.hstack([linear, np.diff(others.impossible)])
        points = base, np.ascontiguousarray(step), linear
        self.lines: _line.Lines | Bins
        if len(g) > FROM:
            self.lines = bins = Bins.of(kernels, g, *points)
            self.of_labels, self.of_draws = partial(Bins.sums, bins), partial(Bins.drawn_sums, bins)
        else:
            self.lines = lines = _line.Lines.of(kernels, g)
            self.of_labels = partial(_line.Lines.sums, lines, *points)
            self.of_draws = partial(_line.Lines.drawn_sums, lines, *points)

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        work = partial(self.of_labels, labels)
        return self._of(work, range(0, len(labels), _line.BLOCK), len(labels), progress)

    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        work = partial(self.of_draws, _line.halved(first_class_chances(probs)[self.lines.order]))
        return self._of(work, rng.spawn(-(-size // _line.BLOCK)), size, progress)

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        n = len(self.lines.order)
        cost = float(n) * size * TWO_CLASSES * BANDWIDTHS
        parts = list(in_order(work, items, progress, n, cost))
        pairs, sums = (np.concatenate(some, axis=1)[:, :size] for some in zip(*parts, strict=True))
        assert self.others.logs is not None
        logs = self.others.logs[:, 0].sum() + sums[0]
        never = self.others.impossible
        impossible = None if never is None else never[:, 0].sum() + sums[1]
        counts = np.column_stack([n - sums[-1], sums[-1]])
        return np.vstack([pairs / (n * (n - 1) / 2), self.others.of_sums(logs, impossible, counts)])


class _InCells(Statistics):
    """The exponential kernel as random partitions; of many cases that lie close, in groups."""

    how = "partitions"

    def __init__(
        self, g: Float, metric: str, bandwidths: tuple[float, ...], factor: Float | None, trees: int
    ) -> None:
        self.bandwidths, self.n = bandwidths, len(g)
        self.cells: Cells | Groups | ManyClasses
        if g.shape[1] > MOST_CLASSES:
            self.others = Others.of(g, tables=False)
            self.cells = ManyClasses.of(g, metric, bandwidths, factor, trees)
            return
        self.others = Others.of(g)
        groups = None if factor is not None else Groups.of(g, metric, bandwidths, self.others, trees)
        self.cells = groups or Cells.of(g, metric, bandwidths, factor, trees, self.others)

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        work = partial(_of_labels, self.cells, labels)
        return self._of(work, range(0, len(labels), BLOCK), len(labels), progress)

    def draw(
        self, probs: Float, size: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> Float:
        work = partial(_of_draws, self.cells, self.cells.chances(probs))
        return self._of(work, self.cells.items(rng.spawn(-(-size // BLOCK))), size, progress)

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        cost = float(self.n) * size * 4 * TREES
        parts = list(in_order(work, items, progress, self.n, cost))
        pairs, sums = (np.concatenate(some, axis=1)[:, :size] for some in zip(*parts, strict=True))
        others = self.others.of_sums(sums[0], sums[1], np.ascontiguousarray(sums[2:].T))
        pairs /= self.n * (self.n - 1) / 2
        return np.vstack([pairs[:BANDWIDTHS], others, pairs[BANDWIDTHS:]])


def _of_labels(cells: "Cells | Groups | ManyClasses", labels: Labels, first: int) -> tuple[Float, Float]:
    return cells.of_labels(labels[first : first + BLOCK])


def _of_draws(cells: "Cells | Groups | ManyClasses", chances: Any, item: Any) -> tuple[Float, Float]:
    return cells.of_draws(chances, item)


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
