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
from calibcore.estimators._label_blocks import CHUNK, RowByRow, drawn_block, thresholds
from calibcore.estimators._line_bins import Bins, Points
from calibcore.estimators._omnibus_parts import (
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
from calibcore.numerics.engine import TWO_CLASSES, in_order, threads
from calibcore.numerics.types import Float, Labels

NAMES = (*(f"kernel-{j + 1}" for j in range(BANDWIDTHS)), "temperature", "class-mix")
MORE_NAMES = tuple(f"confidence-{j + 1}" for j in range(len(OF_CONFIDENCE)))
POINTS_UP_TO = 4_096
"""Up to so many cases of two classes every case is a point of its own; above, in bins of neighbours."""
PAIRS_UP_TO = 500
"""Up to so many cases of three and more classes every pair is looked at; above, random partitions."""

_NUMBERS = 1 << 22
"""Predictions times classes of which logs are held at a time."""

_prepared: WeakKeyDictionary[Predictions, tuple[Any, "Statistics"]] = WeakKeyDictionary()
"""What a test used is kept as long as its predictions where preparing takes long, over many classes, or where
it is small: what could have been seen is found with the same."""
_SMALL = 1 << 20
"""Predictions times classes of what is small."""


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
        self,
        probs: Float | RowByRow,
        size: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Float:
        """(C, size) of labels drawn from ``probs (n, m)``, the predictions or others.

        A generator in the same state draws from the same numbers, whatever the probabilities.
        """


def statistics_of(predictions: Predictions, kernel: Kernel, trees: int | None = None) -> Statistics:
    """``kernel``: family, metric and class matrix; its bandwidth is not used. ``trees``: :func:`.trees_of`.

    Cost O(n log n) for two classes and the exponential kernel; for more O(n²m), with the exponential kernel
    above :data:`PAIRS_UP_TO` cases O(trees·nm·log n).
    """
    g, trees = predictions.probs, trees_of(predictions.n) if trees is None else trees
    bandwidths = bandwidths_of(g, kernel.metric)
    kernels = [replace(kernel, bandwidth=nu) for nu in bandwidths]
    for each in kernels:
        each.check(predictions.m)
    if _line.applies(kernel, predictions.m):
        rest, points = Others.of(g), Bins if predictions.n > POINTS_UP_TO else Points
        return _InBlocks("line", points.of(kernels, g, rest), rest, predictions, bandwidths)
    if kernel.kind == "exponential" and predictions.n > PAIRS_UP_TO:
        like = replace(kernel, bandwidth=1.0), trees
        known, prepared = _prepared.get(predictions, (None, None))
        if prepared is not None and known == like:
            return prepared
        few, factor = predictions.m <= MOST_CLASSES, kernel.factor(predictions.m)
        rest = Others.of(g, tables=few)
        groups = Groups.of(g, kernel.metric, bandwidths, rest, trees) if few and factor is None else None
        cells = groups or Cells.of(g, kernel.metric, bandwidths, factor, trees, rest)
        prepared = _InBlocks("partitions", cells, rest, predictions, bandwidths)
        if not few or g.size <= _SMALL:
            _prepared[predictions] = like, prepared
        return prepared
    return _OfPairs(kernels, predictions, bandwidths)


def temperature_score(predictions: Predictions) -> float:
    """``Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)``: negative where the model is too sure.

    −∞ where a label was given probability 0; where probabilities were rounded such a case counts for nothing,
    as its 0 may stand for more (:mod:`calibcore.assessment.impossible` counts them).
    """

    def of_some(part: slice) -> float:
        g = predictions.probs[part] / predictions.probs[part].sum(axis=1, keepdims=True)
        chances = g[np.arange(len(g)), predictions.labels[part]]
        if predictions.rounding is not None:
            g, chances = g[chances > 0], chances[chances > 0]
        if not chances.all():
            return -math.inf
        logs = np.log(g, out=np.zeros(g.shape), where=g > 0)
        return float(np.log(chances).sum() - np.vdot(g, logs))

    rows = min(loops.ROWS, max(1, _NUMBERS // predictions.m))
    return math.fsum(loops.in_threads(of_some, loops.blocks(predictions.n, rows)))


Blocks = Points | Bins | Groups | Cells
"""What stands for the cases, and takes :data:`BLOCK` label sets at a time, as :class:`.Cells` says."""


class _InBlocks(Statistics):
    """The exponential kernel along a line, or as random partitions; many cases that lie close, together."""

    def __init__(
        self, how: str, cells: Blocks, rest: Others, predictions: Predictions, bandwidths: tuple[float, ...]
    ) -> None:
        self.how, self.cells, self.others, self.bandwidths = how, cells, rest, bandwidths
        self.n = predictions.n
        if predictions.m == 2:
            self.names = NAMES

    def evaluate(self, labels: Labels, progress: Progress | None = None) -> Float:
        work = partial(_of_labels, self.cells, labels)
        return self._of(work, range(0, len(labels), BLOCK), len(labels), progress)

    def draw(
        self,
        probs: Float | RowByRow,
        size: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Float:
        if isinstance(self.cells, Cells):
            chances: Any = self.cells.chances(probs)
        else:
            chances = self.cells.chances(probs.whole() if isinstance(probs, RowByRow) else probs)
        work = partial(_of_draws, self.cells, chances)
        streams = rng.spawn(-(-size // BLOCK))
        # So many times for each thread: a last one would be alone for as long as all work side by side.
        each = -(-len(streams) // (self.cells.together * threads()))
        together = -(-len(streams) // (each * threads()))
        items = [streams[first : first + together] for first in range(0, len(streams), together)]
        return self._of(work, items, size, progress)

    def _of(
        self, work: "partial[tuple[Float, Float]]", items: Sequence[Any], size: int, progress: Progress | None
    ) -> Float:
        cost = float(self.n) * size * (TWO_CLASSES * BANDWIDTHS if self.how == "line" else 4 * TREES)
        parts = list(in_order(work, items, progress, self.n, cost))
        pairs, sums = (np.concatenate(blocks, axis=1)[:, :size] for blocks in zip(*parts, strict=True))
        rest = self.others.of_sums(sums[0], sums[1], np.ascontiguousarray(sums[2:].T))
        pairs /= self.n * (self.n - 1) / 2
        return np.vstack([pairs[:BANDWIDTHS], rest, pairs[BANDWIDTHS:]])


def _of_labels(cells: Blocks, labels: Labels, first: int) -> tuple[Float, Float]:
    return cells.of_labels(labels[first : first + BLOCK])


def _of_draws(cells: Blocks, chances: Any, streams: list[np.random.Generator]) -> tuple[Float, Float]:
    return cells.of_draws(chances, streams)


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
        self,
        probs: Float | RowByRow,
        size: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Float:
        edges, parts = thresholds(probs.whole() if isinstance(probs, RowByRow) else probs), []
        streams = rng.spawn(-(-size // BLOCK))
        together = max(1, CHUNK // BLOCK)
        for first in range(0, len(streams), together):
            labels = np.concatenate(
                [drawn_block(edges, stream).T for stream in streams[first : first + together]]
            )
            done = first * BLOCK

            def report(fraction: float, done: int = done, many: int = len(labels)) -> None:
                if progress is not None:
                    progress(min(1.0, (done + fraction * many) / size))

            parts.append(self.evaluate(labels[: size - done], report))
        return np.hstack(parts)
