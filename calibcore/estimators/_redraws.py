"""The kernel calibration error of redrawn labels: what does not see labels is done once.

Expanded in the labels, ``⟨r_i, M r_j⟩ = M[y_i, y_j] − (Mg_j)[y_i] − (Mg_i)[y_j] + ⟨g_i, M g_j⟩``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from calibcore.estimators import Draw, Prepared, Progress, _line, _pairs, _tiles
from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._low_rank import FROM, LowRank
from calibcore.kernels import Kernel
from calibcore.numerics.engine import TWO_CLASSES, in_order
from calibcore.numerics.types import Float, Int, Labels

_REDRAWS = 64
"""Redraws that one thread works on at a time."""


def quadratic(g: Float, kernel: Kernel, biased: bool, precision: str) -> Prepared:
    """The unbiased or biased estimate of redrawn labels; ``kernel`` with a number as bandwidth."""
    n, m = g.shape

    def estimate(pairs: Float, squares: Float) -> Float:
        return np.asarray((2 * pairs + squares) / n**2 if biased else pairs / (n * (n - 1) / 2))

    if _line.applies(kernel, m):
        return _on_a_line(g, kernel, estimate)
    details: dict[str, float | int | str] = {}
    draw: Draw | None = None
    if n > FROM:
        low_rank = LowRank.of(kernel, g)
        details = {"rank": low_rank.features.rank, "trace_left": low_rank.trace_left}
        pairs, draw = _low_rank_pairs(g, kernel, low_rank), _low_rank_draw(g, kernel, low_rank, estimate)
    else:
        pairs = _all_pairs(g, kernel, precision)
    squares = _squares(g, kernel) if biased else None

    def evaluate(labels: Labels, progress: Progress | None) -> Float:
        sums = pairs(labels, progress)
        return estimate(sums, np.zeros(len(labels)) if squares is None else squares(labels))

    return Prepared(evaluate, details, draw, spread=True)


def _all_pairs(g: Float, kernel: Kernel, precision: str) -> Callable[[Labels, Progress | None], Float]:
    weighted = _times_matrix(g, kernel)
    kappa_g = _tiles.off_diagonal_product(kernel, g, weighted, precision)
    constant = 0.5 * float(np.vdot(kappa_g, g))

    def pairs(labels: Labels, progress: Progress | None) -> Float:
        agreements = _tiles.agreement_sums(kernel, g, labels, progress, precision)
        return agreements - picked_sums(kappa_g, labels) + constant

    return pairs


def _low_rank_pairs(
    g: Float, kernel: Kernel, low_rank: LowRank
) -> Callable[[Labels, Progress | None], Float]:
    """``½(‖Φᵀr‖² − Σ_i ‖φ_i‖²‖r_i‖²)``: the sum over pairs alone, so that its mean stays 0."""
    factor, own = kernel.factor(g.shape[1]), _squares(g, kernel, low_rank.norms)
    return lambda labels, progress: 0.5 * (low_rank.squares(labels, factor, progress) - own(labels))


def _low_rank_draw(
    g: Float, kernel: Kernel, low_rank: LowRank, estimate: Callable[[Float, Float], Float]
) -> Draw:
    M, factor = kernel.matrix_array(g.shape[1]), kernel.factor(g.shape[1])

    def draw(size: int, rng: np.random.Generator, progress: Progress | None = None) -> Float:
        squares, own, diagonal = low_rank.drawn_squares(g, M, factor, size, rng, progress)
        return estimate(0.5 * (squares - own), diagonal)

    return draw


def _times_matrix(g: Float, kernel: Kernel) -> Float:
    """(n, m) ``Mg_i``."""
    M = kernel.matrix_array(g.shape[1])
    return g if M is None else np.asarray(g @ M)


def _squares(g: Float, kernel: Kernel, weights: Float | None = None) -> Callable[[Labels], Float]:
    """(B, n) labels -> (B,) ``Σ_i w_i ⟨r_i, M r_i⟩``, w = 1 unless given."""
    M, weighted = kernel.matrix_array(g.shape[1]), _times_matrix(g, kernel)
    w = np.ones(len(g)) if weights is None else weights
    table = w[:, None] * ((1.0 if M is None else np.diag(M)) - 2 * weighted)
    constant = float(w @ np.einsum("ij,ij->i", g, weighted))
    return lambda labels: picked_sums(table, labels) + constant


def _on_a_line(g: Float, kernel: Kernel, estimate: Callable[[Float, Float], Float]) -> Prepared:
    line = _line.Line.of(kernel, g)
    base, step = _line.residual_terms(kernel, g)
    chances = _line.halved((g[:, 0] / g.sum(axis=1))[line.order])

    def evaluate(labels: Labels, progress: Progress | None) -> Float:
        blocks = range(0, len(labels), BLOCK)
        work = partial(_line.Line.sums, line, base, step, labels)
        parts = in_order(work, blocks, progress, len(g), labels.size * TWO_CLASSES)
        return estimate(*np.concatenate(list(parts), axis=1))

    def draw(size: int, rng: np.random.Generator, progress: Progress | None = None) -> Float:
        streams = rng.spawn(-(-size // BLOCK))
        work = partial(_line.Line.drawn_sums, line, base, step, chances)
        parts = in_order(work, streams, progress, len(g), len(g) * size * TWO_CLASSES)
        return estimate(*np.concatenate(list(parts), axis=1)[:, :size])

    return Prepared(evaluate, draw=draw, spread=True)


def picked_sums(values: Float, labels: Labels) -> Float:
    """(n, m) values, (B, n) labels -> (B,) ``Σ_i values[i, labels[b, i]]``."""
    return _by_redraw(_pairs.picked, labels, np.ascontiguousarray(values))


def within_blocks(last: int, block_size: int, lag: int) -> Int:
    """Numbers i < last of the cases whose block holds case i + lag too."""
    i = np.arange(last)
    return i[i % block_size < block_size - lag]


def in_blocks(g: Float, kernel: Kernel, block_size: int) -> Prepared:
    """The block estimate of redrawn labels: O(n·block_size) each; ``kernel`` with a number as bandwidth."""
    last = len(g) - len(g) % block_size
    weighted = _times_matrix(g, kernel)
    M = kernel.matrix_array(g.shape[1])
    entries = np.eye(g.shape[1]) if M is None else M
    kappa_g = np.zeros(g.shape)
    constant = 0.0
    for lag in range(1, block_size):
        left = within_blocks(last, block_size, lag)
        kappa = kernel.paired(g[left], g[left + lag])
        kappa_g[left] += kappa[:, None] * weighted[left + lag]
        kappa_g[left + lag] += kappa[:, None] * weighted[left]
        constant += float(kappa @ np.einsum("ij,ij->i", g[left], weighted[left + lag]))
    pairs = last * (block_size - 1) / 2

    def evaluate(labels: Labels, progress: Progress | None) -> Float:
        total = constant - picked_sums(kappa_g, labels)
        for lag in range(1, block_size):
            left = within_blocks(last, block_size, lag)
            kappa = kernel.paired(g[left], g[left + lag])
            total += _by_redraw(_pairs.lagged, labels, kappa, left, lag, entries, M is None)
            if progress is not None:
                progress(lag / (block_size - 1))
        return total / pairs

    # A look-up a case, and a multiplication and an addition for each of (s − 1)/2 pairs a case.
    return Prepared(evaluate, {"block_size": block_size}, cost=block_size)


def _by_redraw(work: Callable[..., None], labels: Labels, *fixed: Any) -> Float:
    """(B,) from ``work(*fixed, labels, b0, b1, out)``, some redraws a thread."""
    out, labels = np.zeros(len(labels)), np.ascontiguousarray(labels, np.int16)

    def redraw(b: int) -> None:
        work(*fixed, labels, b, min(b + _REDRAWS, len(labels)), out)

    for _ in in_order(redraw, range(0, len(labels), _REDRAWS), n=labels.shape[1]):
        pass
    return out
