"""Sums over pairs of points on a line with the exponential kernel, in one pass over the sorted points.

``e^{−|x − z|/ν}`` is Markov on a line: with ``s ← s·e^{−Δ/ν} + d`` from point to point,
``Σ_{i<j} κ_ij d_i d_j = Σ_j d_j·(s before j)·e^{−Δ/ν}``. No pair is looked at.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError
from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._compiled import compiled
from calibcore.kernels import Kernel
from calibcore.numerics.types import Float, Int

CHUNK = 1024
"""Cases whose labels are held at a time, for one block of redraws."""
_PIECES = 2**16
Chances = tuple[NDArray[np.uint16], Float]
"""What :func:`halved` makes."""
Fill = Callable[[int, int], Float]
"""First and last point -> their labels, flat, :data:`BLOCK` numbers a point."""


def applies(kernel: Kernel, m: int) -> bool:
    """Whether predictions over m classes lie on a line on which κ is Markov."""
    return m == 2 and kernel.kind == "exponential"


@dataclass(frozen=True, eq=False)
class Line:
    """n points in rising order.

    ``order (n,)`` sorts the cases; ``decay (n,)`` is κ of each and the one before, 0 for the first.
    """

    order: Int
    decay: Float

    @classmethod
    def of(cls, kernel: Kernel, g: Float) -> "Line":
        """(n, 2) predictions. Cost O(n log n)."""
        if isinstance(kernel.bandwidth, str):
            raise InputError(f"The bandwidth is the rule {kernel.bandwidth!r}; resolve the kernel first.")
        order = np.argsort(g[:, 0], kind="stable")
        scale = math.sqrt(2) if kernel.metric == "euclidean" else 1.0
        decay = np.zeros(len(g))
        with np.errstate(over="ignore"):  # a tiny bandwidth: κ is then 0
            decay[1:] = np.exp(-np.diff(g[order, 0]) * scale / kernel.bandwidth)
        return cls(order, decay)

    def pair_sum(self, r: Float) -> float:
        """``Σ_{i<j} κ_ij ⟨r_i, r_j⟩``. Cost O(nq) for residuals (n, q)."""
        return float(self.sums(r, np.zeros_like(r), np.zeros((1, len(r)), np.int8), 0)[0][0])

    def row_sums(self, r: Float) -> Float:
        """(n,) ``Σ_{j≠i} κ_ij ⟨r_i, r_j⟩``. Cost O(nq)."""
        return np.asarray((self.products(r) * r).sum(axis=1))

    def products(self, values: Float) -> Float:
        """(n, q) ``Σ_{j≠i} κ_ij v_j``. Cost O(nq)."""
        out = np.zeros(values.shape)
        _both_ways(self.decay, self.order, np.ascontiguousarray(values), out)
        return out

    def sums(self, base: Float, step: Float, x: NDArray[np.integer], first: int) -> tuple[Float, Float]:
        """With ``d_i = base_i + x_bi·step_i``: ``Σ_{i<j} κ_ij ⟨d_i, d_j⟩`` and ``Σ_i ‖d_i‖²``.

        base, step : (n, q); x : (B, n) labels or counts, of which :data:`BLOCK` rows from ``first``
        on are taken, fewer at the end; two arrays with one number for each. Cost O(nq) a row.
        """
        block = np.ascontiguousarray(x[first : first + BLOCK], np.int16)
        return self._run(base, step, label_fill(self.order, block), len(block))

    def drawn_sums(
        self, base: Float, step: Float, chances: "Chances", rng: np.random.Generator
    ) -> tuple[Float, Float]:
        """As :meth:`sums` for :data:`BLOCK` draws of all labels, 0 with ``chances``, or 1.

        Those are :func:`halved`, in the order of the line. A label takes 16 random bits. Where they do not
        decide, a uniform number does, so that the law is that of the probabilities in double precision.
        """
        return self._run(base, step, draw_fill(chances, rng), BLOCK)

    def _run(self, base: Float, step: Float, fill: Fill, size: int) -> tuple[Float, Float]:
        state, pairs, squares = np.zeros(base.shape[1] * BLOCK), np.zeros(BLOCK), np.zeros(BLOCK)
        for start in range(0, len(base), CHUNK):
            stop = min(start + CHUNK, len(base))
            rows = self.order[start:stop]
            _advance(self.decay[start:stop], base[rows], step[rows], fill(start, stop), state, pairs, squares)
        return pairs[:size], squares[:size]


@dataclass(frozen=True, eq=False)
class Lines:
    """The same points with several bandwidths: all pair sums in one pass.

    ``order (n,)`` as of :class:`Line`; ``decay (n, J)`` of each bandwidth.
    """

    order: Int
    decay: Float

    @classmethod
    def of(cls, kernels: Sequence[Kernel], g: Float) -> "Lines":
        """(n, 2) predictions. Cost O(n log n)."""
        lines = [Line.of(kernel, g) for kernel in kernels]
        return cls(lines[0].order, np.column_stack([line.decay for line in lines]))

    def sums(self, base: Float, step: Float, linear: Float, fill: Fill) -> tuple[Float, Float]:
        """As :meth:`Line.sums` of :data:`BLOCK` label sets: (J, BLOCK) over pairs, (q + 1, BLOCK) linear.

        That is ``Σ_i x_bi·linear_i``, linear (n, q), and ``Σ_i x_bi``.
        """
        many = self.decay.shape[1]
        state, pairs = np.zeros((many, base.shape[1] * BLOCK)), np.zeros((many, BLOCK))
        sums = np.zeros((linear.shape[1] + 1, BLOCK))
        d = np.empty(BLOCK)
        for start in range(0, len(base), CHUNK):
            stop = min(start + CHUNK, len(base))
            rows = self.order[start:stop]
            _advance_all(
                self.decay[start:stop], base[rows], step[rows], linear[rows], fill(start, stop), d, state,
                pairs, sums,
            )  # fmt: skip
        return pairs, sums

    def pairs(self, base: Float, step: Float, fill: Fill) -> Float:
        """(J, BLOCK) sums over pairs alone."""
        return self.sums(base, step, np.zeros((len(base), 0)), fill)[0]


def residual_terms(kernel: Kernel, g: Float) -> tuple[Float, Float]:
    """(n, q) ``Lᵀ(e_0 − g_i)``, M = LLᵀ, of two classes: residuals of labels 0, and what a label 1 adds."""
    factor = kernel.factor(2)
    L = np.eye(2) if factor is None else factor
    base = (np.array([1.0, 0.0]) - g) @ L
    return base, np.broadcast_to(np.array([-1.0, 1.0]) @ L, base.shape)


def label_fill(order: Int, block: NDArray[np.int16]) -> Fill:
    """Labels (b ≤ BLOCK, n) as numbers, some points of the line at a time."""
    numbers = np.zeros(CHUNK * BLOCK)

    def fill(start: int, stop: int) -> Float:
        _gather(block, order[start:stop], numbers)
        return numbers

    return fill


def halved(first_class: Float) -> Chances:
    """Chances in the order of the line: in steps of 2⁻¹⁶, and what is left of them in units of a step."""
    scaled = first_class * _PIECES
    floor = np.minimum(np.floor(scaled), _PIECES - 1)
    return floor.astype(np.uint16), scaled - floor


def draw_fill(chances: Chances, rng: np.random.Generator) -> Fill:
    """:data:`BLOCK` draws of all labels, as in :meth:`Line.drawn_sums`."""
    threshold, rest = chances
    labels = np.empty(CHUNK * BLOCK)

    def fill(start: int, stop: int) -> Float:
        bits, undecided = compared(threshold[start:stop], rng, labels)
        if undecided:
            _decide(bits, threshold[start:stop], rest[start:stop], rng.random(undecided), labels)
        return labels

    return fill


def compared(
    threshold: NDArray[np.uint16], rng: np.random.Generator, out: NDArray[Any]
) -> tuple[NDArray[np.uint16], int]:
    """Labels from 16 random bits each, those bits, and how many of them decide nothing."""
    bits = rng.integers(2**64, size=len(threshold) * BLOCK // 4, dtype=np.uint64).view(np.uint16)
    return bits, _compare(bits, threshold, out)


@compiled
def _advance(decay: Any, base: Any, step: Any, x: Any, state: Any, pairs: Any, squares: Any) -> None:
    """Some points further along the line, for :data:`BLOCK` redraws; x flat, BLOCK numbers a point."""
    for i in range(len(decay)):
        w, o = decay[i], i * BLOCK
        for k in range(base.shape[1]):
            p, a, c = k * BLOCK, base[i, k], step[i, k]
            for b in range(BLOCK):
                d = a + c * x[o + b]
                s = state[p + b] * w
                pairs[b] += d * s
                squares[b] += d * d
                state[p + b] = s + d


@compiled
def _advance_all(
    decay: Any, base: Any, step: Any, linear: Any, x: Any, d: Any, state: Any, pairs: Any, sums: Any
) -> None:
    """:func:`_advance` for several decays, without the squares; ``sums`` gets ``x·linear``, then x."""
    last = linear.shape[1]
    for i in range(len(decay)):
        o = i * BLOCK
        for b in range(BLOCK):
            sums[last, b] += x[o + b]
        for k in range(linear.shape[1]):
            c = linear[i, k]
            for b in range(BLOCK):
                sums[k, b] += c * x[o + b]
        for k in range(base.shape[1]):
            p, a, c = k * BLOCK, base[i, k], step[i, k]
            for b in range(BLOCK):
                d[b] = a + c * x[o + b]
            for j in range(decay.shape[1]):
                w = decay[i, j]
                for b in range(BLOCK):
                    s = state[j, p + b] * w
                    pairs[j, b] += d[b] * s
                    state[j, p + b] = s + d[b]


@compiled
def _both_ways(decay: Any, order: Any, values: Any, out: Any) -> None:
    n = len(decay)
    for k in range(values.shape[1]):
        s = 0.0
        for i in range(n):
            s *= decay[i]
            out[order[i], k] += s
            s += values[order[i], k]
        s = 0.0
        for i in range(n - 1, -1, -1):
            out[order[i], k] += s
            s = (s + values[order[i], k]) * decay[i]


@compiled
def _gather(x: Any, order: Any, out: Any) -> None:
    """``out[i·BLOCK + b] = x[b, order[i]]``."""
    for b in range(x.shape[0]):
        for i in range(len(order)):
            out[i * BLOCK + b] = x[b, order[i]]


@compiled
def _compare(bits: Any, threshold: Any, out: Any) -> int:
    """1 where the bits are above the threshold, 0 below; how often they are equal."""
    equal = 0
    for i in range(len(threshold)):
        t, o = threshold[i], i * BLOCK
        same = 0
        for b in range(BLOCK):
            out[o + b] = 1.0 if bits[o + b] > t else 0.0
            same += bits[o + b] == t
        equal += same
    return equal


@compiled
def _decide(bits: Any, threshold: Any, rest: Any, uniform: Any, out: Any) -> None:
    """Where the bits are the threshold: 0 with probability ``rest``, else 1."""
    used = 0
    for i in range(len(threshold)):
        for b in range(i * BLOCK, (i + 1) * BLOCK):
            if bits[b] == threshold[i]:
                out[b] = 0.0 if uniform[used] < rest[i] else 1.0
                used += 1
