"""The statistics of the exact omnibus test, of any labels: what does not see labels is done once.

Kernel errors at five bandwidths; the score of a temperature; the class mix; of three and more classes, kernel
errors of the confidence at two bandwidths. See :mod:`calibcore.hypothesis_tests.omnibus`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore import _compiled
from calibcore.engine import TWO_CLASSES, in_order
from calibcore.estimators import Labels, Progress, _line
from calibcore.estimators._partitions import BLOCK, TREES, Partitions
from calibcore.estimators._redraws import picked_sums
from calibcore.estimators.skce import SKCE
from calibcore.kernels import SAME, ExponentialKernel, Kernel, distances, with_bandwidth
from calibcore.predictions import Float, Int, Predictions
from calibcore.resampling import class_edges, first_class_chances

BANDWIDTHS = 5
NARROWER = 4.0
"""Each bandwidth is so many times the next."""
NAMES = (*(f"kernel-{j + 1}" for j in range(BANDWIDTHS)), "temperature", "class-mix")
OF_CONFIDENCE = (1, 3)
"""Which of the bandwidths of the confidence lens are taken for three and more classes."""
MORE_NAMES = tuple(f"confidence-{j + 1}" for j in range(len(OF_CONFIDENCE)))
PAIRS_UP_TO = 500
"""Up to so many cases of three and more classes every pair is looked at; above, random partitions."""
_ALIKE = 1e-12
_CHUNK = 2_048
_NEVER = 2**32 - 1
_FEW_EDGES = 32


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
        return _InCells(partitions, _Confidence.of(partitions.probs, kernel.metric), bandwidths)
    return _OfPairs(kernels, predictions, bandwidths)


def bandwidths_of(g: Float, metric: str) -> tuple[float, ...]:
    """(5,) ``D·4⁻ʲ``: D the range of two-class predictions, else twice the farthest from their mean.

    Labels are not seen. 1 where all predictions are one: κ is then 1 whatever the bandwidth. Cost O(nm).
    """
    if g.shape[1] == 2:
        span = float(np.ptp(g[:, 0])) * float(distances(np.eye(2)[:1], np.eye(2)[1:], metric)[0, 0])
    else:
        span = 2 * float(distances(g, g.mean(axis=0, keepdims=True), metric).max())
    if span <= SAME:
        span = 1.0
    return tuple(span * NARROWER**-j for j in range(BANDWIDTHS))


def temperature_score(predictions: Predictions) -> float:
    """``Σ_i (log g_i(y_i) − Σ_k g_ik log g_ik)``: negative where the model is too sure.

    −∞ where a label was given probability 0.
    """
    others = _Others.of(predictions.probs)
    labels = predictions.labels[None]
    if others.impossible is not None and picked_sums(others.impossible, labels)[0] > 0:
        return -math.inf
    return float(picked_sums(others.logs, labels)[0] - others.expected)


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
    """(m, m) a generalised inverse of ``V = Σ_i (diag g_i − g_i g_iᵀ)``, in whose range S always lies."""

    @classmethod
    def of(cls, g: Float) -> "_Others":
        g = g / g.sum(axis=1, keepdims=True)
        possible = g > 0
        logs = np.log(g, out=np.zeros(g.shape), where=possible)
        mix = g.sum(axis=0)
        variance = np.diag(mix) - g.T @ g
        # Rare classes beside common ones: of correlations the inverse keeps more digits than of covariances.
        scale = np.sqrt(np.maximum(np.diag(variance), 0.0))
        scale = np.divide(1.0, scale, out=np.zeros(len(scale)), where=scale > 0)
        outer = np.outer(scale, scale)
        inverse = outer * np.linalg.pinv(variance * outer, _ALIKE, hermitian=True)
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
        return np.stack([score, np.einsum("sk,sk->s", off @ self.inverse, off)])


def _counts(labels: Labels, m: int) -> Float:
    """(S, n) -> (S, m)"""
    at = labels + (m * np.arange(len(labels)))[:, None]
    return np.bincount(at.ravel(), minlength=m * len(labels)).reshape(-1, m).astype(np.float64)


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
        if factor is None and np.abs(base.sum(axis=1)).max() <= _ALIKE:
            base, step = math.sqrt(2) * base[:, :1], math.sqrt(2) * step[:, :1]
        self.others = others = _Others.of(g)
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


@dataclass(frozen=True, eq=False)
class _Confidence:
    """Whether the likeliest class happened, along a line of how likely it was said to be.

    The unbiased SKCE of the confidence lens, with the exponential kernel whatever the kernel of the test.
    """

    likeliest: Int
    """(n,) the first of equals."""
    confidence: Float
    """(n,)"""
    lines: _line.Lines

    @classmethod
    def of(cls, g: Float, metric: str) -> "_Confidence":
        likeliest = g.argmax(axis=1)
        confidence = g[np.arange(len(g)), likeliest]
        pairs = np.column_stack([confidence, g.sum(axis=1) - confidence])
        widths = bandwidths_of(pairs, metric)
        kernels = [ExponentialKernel(widths[j], metric) for j in OF_CONFIDENCE]
        return cls(likeliest, confidence, _line.Lines.of(kernels, pairs))

    def pairs(self, held: NDArray[Any]) -> Float:
        """(n, BLOCK) labels -> (2, BLOCK) sums over pairs."""
        out = np.zeros((len(OF_CONFIDENCE), BLOCK))
        _add_along(self.lines.order, self.lines.decay, self.likeliest, self.confidence, held, out)
        return np.asarray(2 * out)

    def __call__(self, labels: Labels) -> Float:
        """(S, n) labels -> (2, S) estimates."""
        n, parts = labels.shape[1], []
        for first in range(0, len(labels), BLOCK):
            some = labels[first : first + BLOCK]
            held = np.zeros((n, BLOCK), labels.dtype)
            held[:, : len(some)] = some.T
            parts.append(self.pairs(held)[:, : len(some)])
        return np.asarray(np.hstack(parts) / (n * (n - 1) / 2))


class _InCells(Statistics):
    """The exponential kernel as random partitions."""

    how = "partitions"

    def __init__(
        self, partitions: Partitions, confidence: _Confidence, bandwidths: tuple[float, ...]
    ) -> None:
        self.partitions, self.confidence, self.bandwidths = partitions, confidence, bandwidths
        self.others = _Others.of(partitions.probs)

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
        self.others = _Others.of(predictions.probs)
        self.kernels = [SKCE(kernel).prepared(predictions) for kernel in kernels]
        self.confidence = None
        if predictions.m > 2:
            self.confidence = _Confidence.of(predictions.probs, kernels[0].metric)
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
        together = max(1, _CHUNK // BLOCK)
        for first in range(0, len(streams), together):
            labels = np.concatenate([drawn_block(edges, one).T for one in streams[first : first + together]])
            done = first * BLOCK

            def report(fraction: float, done: int = done, many: int = len(labels)) -> None:
                if progress is not None:
                    progress(min(1.0, (done + fraction * many) / size))

            parts.append(self.evaluate(labels[: size - done], report))
        return np.hstack(parts)


def thresholds(probs: Float) -> NDArray[np.uint32]:
    """(n, m) -> (n, m − 1) :func:`.class_edges` in steps of 2⁻³²; what has probability 0 is never drawn."""
    return np.minimum(np.ceil(class_edges(probs) * 2.0**32), _NEVER).astype(np.uint32)


def drawn_block(edges: NDArray[np.uint32], rng: np.random.Generator) -> NDArray[Any]:
    """(n, BLOCK) labels of :data:`BLOCK` label sets, 32 random bits each. Cost O(nm) a set, 2 ns a label."""
    n = len(edges)
    out = np.empty((n, BLOCK), np.int8 if edges.shape[1] < 127 else np.int16)
    for start in range(0, n, _CHUNK):
        some = edges[start : start + _CHUNK]
        bits = rng.integers(2**64, size=len(some) * BLOCK // 2, dtype=np.uint64).view(np.uint32)
        place = _place if edges.shape[1] <= _FEW_EDGES else _find
        place(some, bits.reshape(len(some), BLOCK), out[start : start + _CHUNK])
    return out


@_compiled.compiled
def _place(edges: Any, bits: Any, out: Any) -> None:
    """``out[i, s] = #{edges[i] ≤ bits[i, s]}``; the largest number of all stands for the one below."""
    found = np.empty(BLOCK, np.uint32)
    for i in range(len(edges)):
        for s in range(BLOCK):
            found[s] = 0
        for k in range(edges.shape[1]):
            edge = edges[i, k]
            for s in range(BLOCK):
                found[s] += (bits[i, s] >= edge) & (edge != np.uint32(_NEVER))
        for s in range(BLOCK):
            out[i, s] = found[s]


@_compiled.compiled
def _find(edges: Any, bits: Any, out: Any) -> None:
    """:func:`_place` by halving."""
    for i in range(len(edges)):
        last = edges.shape[1]
        while last > 0 and edges[i, last - 1] == np.uint32(_NEVER):
            last -= 1
        for s in range(BLOCK):
            low, high = 0, last
            while low < high:
                middle = (low + high) // 2
                if edges[i, middle] <= bits[i, s]:
                    low = middle + 1
                else:
                    high = middle
            out[i, s] = low


@_compiled.compiled
def _add_along(order: Any, decay: Any, likeliest: Any, confidence: Any, labels: Any, out: Any) -> None:
    """To ``out[j, s]``: ``Σ_{i<k} κ_j(i, k) d_i d_k`` of d, hit or not less the confidence."""
    state = np.zeros((out.shape[0], BLOCK))
    d = np.empty(BLOCK)
    for i in range(len(order)):
        case = order[i]
        first, said = likeliest[case], confidence[case]
        for s in range(BLOCK):
            d[s] = (labels[case, s] == first) - said
        for j in range(out.shape[0]):
            w = decay[i, j]
            for s in range(BLOCK):
                before = state[j, s] * w
                out[j, s] += d[s] * before
                state[j, s] = before + d[s]


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
