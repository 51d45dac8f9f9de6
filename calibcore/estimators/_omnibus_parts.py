"""What the omnibus test looks at beside its kernels, and at which bandwidths it looks."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators import _line
from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._label_blocks import label_block
from calibcore.estimators._redraws import picked_sums
from calibcore.kernels import SAME, ExponentialKernel
from calibcore.kernels.bandwidths import distances
from calibcore.numerics import loops
from calibcore.numerics.engine import in_order
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int, Labels

BANDWIDTHS = 5
NARROWER = 4.0
"""Each bandwidth is so many times the next."""
OF_CONFIDENCE = (1, 3)
"""Which of the bandwidths of the confidence lens are taken for three and more classes."""
ALIKE = 1e-12
_ROWS = 4_096
_SETS = 512


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


@dataclass(frozen=True, eq=False)
class Others:
    """Temperature and class mix."""

    logs: Float | None
    """(n, m) log g, of row/sum; 0 where g is 0. None where it was not asked for."""
    impossible: Float | None
    """(n, m) 1 where g is 0; None where it never is, or was not asked for."""
    expected: float
    """``Σ_i Σ_k g_ik log g_ik``."""
    mix: Float
    """(m,) ``Σ_i g_i``."""
    inverse: Float
    """(m, m) a generalised inverse of ``V = Σ_i (diag g_i − g_i g_iᵀ)``, in whose range S always lies."""

    @classmethod
    def of(cls, g: Float, tables: bool = True) -> "Others":
        """Without ``tables`` some cases at a time: for :meth:`of_sums` alone. Cost O(nm² + m³)."""
        n, m = g.shape
        mix, square, expected = np.zeros(m), np.zeros((m, m)), 0.0
        log_table = impossible = None

        def of_some(rows: slice) -> tuple[Float, Float, float, Float | None, Float | None]:
            part = g[rows] / g[rows].sum(axis=1, keepdims=True)
            possible = part > 0
            logs = np.log(part, out=np.zeros(part.shape), where=possible)
            zero = (~possible).astype(np.float64) if tables and not possible.all() else None
            sums = part.sum(axis=0), part.T @ part, float(np.vdot(part, logs))
            return *sums, logs if tables else None, zero

        for of_part in in_order(of_some, loops.blocks(n, n if tables else _ROWS)):
            mix += of_part[0]
            square += of_part[1]
            expected += of_part[2]
            log_table, impossible = of_part[3:]
        variance = np.diag(mix) - square
        # Rare classes beside common ones: of correlations the inverse keeps more digits than of covariances.
        scale = np.sqrt(np.maximum(np.diag(variance), 0.0))
        scale = np.divide(1.0, scale, out=np.zeros(len(scale)), where=scale > 0)
        outer = np.outer(scale, scale)
        inverse = outer * np.linalg.pinv(variance * outer, ALIKE, hermitian=True)
        return cls(log_table, impossible, expected, mix, np.asarray(inverse, np.float64))

    def __call__(self, labels: Labels) -> Float:
        """(S, n) -> (2, S)."""
        assert self.logs is not None
        impossible = None if self.impossible is None else picked_sums(self.impossible, labels)
        return self.of_sums(picked_sums(self.logs, labels), impossible, _counts(labels, len(self.mix)))

    def of_sums(self, logs: Float, impossible: Float | None, counts: Float) -> Float:
        """(S,) ``Σ log g_i(y_i)``, (S,) labels given probability 0, and (S, m) labels -> (2, S)."""
        score = np.abs(logs - self.expected)
        if impossible is not None:
            score[impossible > 0.5] = math.inf

        def square(rows: slice) -> Float:
            off = counts[rows] - self.mix
            return np.asarray(np.einsum("sk,sk->s", off @ self.inverse, off))

        return np.stack([score, np.concatenate(loops.in_threads(square, loops.blocks(len(counts), _SETS)))])


def _counts(labels: Labels, m: int) -> Float:
    """(S, n) -> (S, m)"""
    cells = labels + (m * np.arange(len(labels)))[:, None]
    return np.bincount(cells.ravel(), minlength=m * len(labels)).reshape(-1, m).astype(np.float64)


def confidence_kernels(pairs: Float, metric: str) -> list[ExponentialKernel]:
    """(n, 2) confidences and the rest -> the kernels of :class:`Confidence`."""
    widths = bandwidths_of(pairs, metric)
    return [ExponentialKernel(widths[j], metric) for j in OF_CONFIDENCE]


@dataclass(frozen=True, eq=False)
class Confidence:
    """Whether the likeliest class happened, along a line of how likely it was said to be.

    The unbiased SKCE of the confidence lens, with the exponential kernel whatever the kernel of the test.
    """

    likeliest: Int
    """(n,) the first of equals."""
    confidence: Float
    """(n,)"""
    lines: _line.Lines

    @classmethod
    def of(cls, g: Float, metric: str) -> "Confidence":
        top = likeliest(g)
        confidence = g[np.arange(len(g)), top]
        pairs = np.column_stack([confidence, g.sum(axis=1) - confidence])
        return cls(top, confidence, _line.Lines.of(confidence_kernels(pairs, metric), pairs))

    def in_order(self, cases: NDArray[np.int32]) -> "Confidence":
        """Of the same cases, numbered as ``cases`` says."""
        number = np.empty(len(cases), np.int64)
        number[cases] = np.arange(len(cases))
        lines = _line.Lines(number[self.lines.order], self.lines.decay)
        return Confidence(self.likeliest[cases], self.confidence[cases], lines)

    def pairs(self, labels: NDArray[Any]) -> Float:
        """(n, BLOCK) labels -> (2, BLOCK) sums over pairs."""
        state, out = np.zeros((2, len(OF_CONFIDENCE), BLOCK))
        cases = self.lines.order, self.lines.decay, self.likeliest, self.confidence, labels
        _add_along(*cases, np.empty(BLOCK), state, out)
        return np.asarray(2 * out)

    def __call__(self, labels: Labels) -> Float:
        """(S, n) labels -> (2, S) estimates."""
        n, parts = labels.shape[1], []
        for first in range(0, len(labels), BLOCK):
            block = labels[first : first + BLOCK]
            parts.append(self.pairs(label_block(block, np.arange(n)))[:, : len(block)])
        return np.asarray(np.hstack(parts) / (n * (n - 1) / 2))


@loops.compiled
def _add_along(
    order: Any, decay: Any, likeliest: Any, confidence: Any, labels: Any, d: Any, state: Any, out: Any
) -> None:
    """To ``out[j, s]``: ``Σ_{i<k} κ_j(i, k) d_i d_k`` of d, hit or not less the confidence."""
    for i in range(len(order)):
        case = order[i]
        first, chance = likeliest[case], confidence[case]
        for s in range(BLOCK):
            d[s] = (labels[case, s] == first) - chance
        for j in range(out.shape[0]):
            w = decay[i, j]
            for s in range(BLOCK):
                before = state[j, s] * w
                out[j, s] += d[s] * before
                state[j, s] = before + d[s]
