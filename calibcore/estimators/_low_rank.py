"""κ ≈ ΦΦᵀ by pivoted Cholesky, for so many cases that all pairs take too long.

Pivots are chosen one after another where least of κ(g, g) = 1 is captured, ties to
the first, among at most :data:`CANDIDATES` predictions spread evenly over their
order of concentration ‖g‖². Labels are not seen, so that an exact test keeps its
level. Φ is not stored: n × rank numbers would be gigabytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from calibcore.estimators import Progress, _compiled, _pairs, _tiles
from calibcore.estimators._compiled import EVERYWHERE, LANES, PRODUCT, WIDTH, compiled, compiled_part
from calibcore.kernels import Kernel
from calibcore.numerics import engine
from calibcore.numerics.draws import Draws
from calibcore.numerics.resampling import class_edges
from calibcore.numerics.types import Float, Int, Labels

R = TypeVar("R")

FROM = 20_000
"""Redraws of more cases than this are evaluated with the low rank (except on a line)."""
RANK = 400
CANDIDATES = 8_192
_CAPTURED = 1e-10
"""Where no more than this is left anywhere, no further pivot is taken."""
ROWS = 4_096
_REDRAWS = 16
Rows = tuple[int, int]
"""first ≤ i < last"""
SUMS_BYTES = 128_000_000
DRAWING = 4
"""Cost of drawing a label, as :mod:`.engine` counts."""


@dataclass(frozen=True, eq=False)
class LowRank:
    """Φ of n predictions, row by row ``φ_i = L⁻¹ κ(pivots, g_i)``; built by :meth:`of`."""

    features: "Features"
    norms: Float
    """(n,) ``‖φ_i‖²``, at most 1."""
    expected: Float
    """(m, rank) ``GᵀΦ``."""

    @classmethod
    def of(cls, kernel: Kernel, g: Float) -> "LowRank":
        """Cost O(n·rank·(m + rank)) time, O(n + CANDIDATES·rank) memory."""
        rows, lower = pivots(kernel, g)
        inverse = solve_triangular(lower, np.eye(len(rows)), lower=True)
        kappa = _tiles.Kappa.of(kernel, g)
        features = Features(kappa, kappa.points[rows], _tiles.filled(inverse, "float64"), len(rows))
        return cls(features, *features.norms_and_sums(g))

    @property
    def trace_left(self) -> float:
        """The share of the trace of κ that ΦΦᵀ does not capture."""
        return float(1 - self.norms.mean())

    def squares(self, labels: Labels, factor: Float | None, progress: Progress | None = None) -> Float:
        """(B, n) labels -> (B,) ``‖Φᵀ(E_y − G)L‖²`` with M = LLᵀ. Cost O(n·rank·B) additions."""
        m, width = self.expected.shape

        def work(redraws: range) -> "partial[Float]":
            return partial(Features.class_sums, self.features, m, labels[redraws.start : redraws.stop])

        parts = self._over_rows(work, len(labels), width, progress)
        return np.concatenate([self.of_class_sums(sums, factor) for sums in parts])

    def drawn_squares(
        self,
        g: Float,
        M: Float | None,
        factor: Float | None,
        n_resamples: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> tuple[Float, Float, Float]:
        """(B,) each: :meth:`squares`, ``Σ_i ‖φ_i‖²⟨r_i, Mr_i⟩`` and ``Σ_i ⟨r_i, Mr_i⟩`` of redrawn labels.

        Those are the ones of :func:`.redrawn_labels`, drawn where each block of Φ meets them, and never kept.
        Cost O(n·rank·B) additions.
        """
        (n, m), width = g.shape, self.expected.shape[1]
        draws, weights = Draws(rng), np.stack([self.norms, np.ones(n)])

        def work(redraws: range) -> "partial[tuple[Float, Float]]":
            return partial(_drawn_sums, self.features, g, M, weights, draws, redraws)

        squares, own = [], []
        for sums, own_sums in self._over_rows(work, n_resamples, width + DRAWING + m, progress):
            squares.append(self.of_class_sums(sums, factor))
            own.append(own_sums)
        draws.passed(n * n_resamples)
        return np.concatenate(squares), *np.concatenate(own, axis=1)

    def _over_rows(
        self, work: "Callable[[range], partial[R]]", n_resamples: int, each: float, progress: Progress | None
    ) -> Iterator[R]:
        """What ``work`` of some redraws makes of all rows, for as many as :data:`SUMS_BYTES` hold at a time.

        ``each`` is what a case costs in a redraw, as :mod:`.engine` counts.
        """
        n, (m, width) = len(self.norms), self.expected.shape
        size = max(1, SUMS_BYTES // (8 * m * width))
        for first in range(0, n_resamples, size):
            redraws = range(first, min(first + size, n_resamples))

            def inner(fraction: float, redraws: range = redraws) -> None:
                if progress is not None:
                    progress((redraws.start + len(redraws) * fraction) / n_resamples)

            cost = self.features.cost(n) + float(n) * len(redraws) * each
            rows, part = engine.ranges(n, ROWS, cost), work(redraws)
            yield engine.summed(part, rows, inner, cost=cost) if len(rows) > 1 else part(rows[0], inner)

    def of_class_sums(self, sums: Float, factor: Float | None) -> Float:
        """(B, m, width) ``Σ φ_i`` over the cases of each class -> (B,) ``‖Φᵀ(E_y − G)L‖²``."""
        out = np.empty(len(sums))
        for b, by_class in enumerate(sums):
            deviation = by_class - self.expected
            weighted = deviation if factor is None else np.einsum("cr,cq->qr", deviation, factor)
            out[b] = np.square(weighted).sum()
        return out


@dataclass(frozen=True, eq=False)
class Features:
    """Φ, worked out anew each time, of all or of some rows, first ≤ i < last."""

    kappa: _tiles.Kappa
    pivots: NDArray[Any]
    inverse: Float
    rank: int

    def cost(self, n: int) -> float:
        """Of working out n rows, as :mod:`.engine` counts."""
        return n * self.rank * (int(self.pivots.shape[1]) + self.rank / 2)

    def norms_and_sums(self, values: Float) -> tuple[Float, Float]:
        """(n, q) values -> (n,) ``‖φ_i‖²`` and (q, width) ``Σ_i v_i φ_iᵀ``."""
        cost = self.cost(len(values))
        work = partial(Features._norms_and_sums, self, np.ascontiguousarray(values))
        parts = list(engine.in_order(work, engine.ranges(len(values), ROWS, cost), cost=cost))
        return np.concatenate([norms for norms, _ in parts]), np.sum([sums for _, sums in parts], axis=0)

    def _norms_and_sums(self, values: Float, rows: Rows) -> tuple[Float, Float]:
        norms, sums = np.empty(rows[1] - rows[0]), np.zeros((values.shape[1], self.inverse.shape[0]))
        for part, phi in self.blocks(rows):
            norms[part.start - rows[0] : part.stop - rows[0]] = np.einsum("ij,ij->i", phi, phi)
            _add_weighted(phi, values[part], sums)
        return norms, sums

    def class_sums(self, m: int, labels: Labels, rows: Rows, progress: Progress | None = None) -> Float:
        """(B, n) labels -> (B, m, width) ``Σ φ_i`` over the cases of each class."""
        sums = np.zeros((len(labels), m, self.inverse.shape[0]))
        for part, phi in self.blocks(rows):
            work = partial(_some_redraws, phi, np.ascontiguousarray(labels[:, part], np.int16), sums)
            for _ in engine.in_order(work, range(0, len(labels), _REDRAWS)):
                pass
            if progress is not None:
                progress((part.stop - rows[0]) / (rows[1] - rows[0]))
        return sums

    def blocks(self, rows: Rows) -> Iterator[tuple[slice, Float]]:
        """Φ, some rows at a time: which rows, and (rows, width)."""
        points = self.kappa.points
        for start in range(*rows, ROWS):
            part = points[start : start + ROWS]
            phi = np.empty((len(part), self.inverse.shape[0]))
            for _ in engine.in_order(partial(self._fill, part, phi), range(0, len(part), _tiles.STRIP)):
                pass
            stop = min(start + ROWS, rows[1])
            yield slice(start, stop), phi[: stop - start]

    def _fill(self, rows: NDArray[Any], phi: Float, start: int) -> None:
        part = slice(start, min(start + _tiles.STRIP, len(rows)))
        codes = self.kappa.between(rows[part], self.pivots)
        _features(*codes, self.pivots, self.inverse, self.rank, phi[part])


def _some_redraws(phi: Float, labels: Labels, sums: Float, first: int) -> None:
    add_by_class(phi, labels, first, min(first + _REDRAWS, len(labels)), sums)


def _drawn_sums(
    features: Features,
    g: Float,
    M: Float | None,
    weights: Float,
    draws: Draws,
    redraws: range,
    rows: Rows,
    progress: Progress | None = None,
) -> tuple[Float, Float]:
    """(B, m, width) ``Σ φ_i`` over the cases of each class, (2, B) ``Σ_i w_i⟨r_i, Mr_i⟩``; of some rows."""
    n, m = g.shape
    sums = np.zeros((len(redraws), m, features.inverse.shape[0]))
    own = np.zeros((2, len(redraws)))
    for block, phi in features.blocks(rows):
        part = np.ascontiguousarray(g[block])
        weighted = part if M is None else part @ M
        table = (1.0 if M is None else np.diag(M)) - 2 * weighted
        tables = [np.ascontiguousarray(w[block, None] * table) for w in weights]
        np.add(own, (weights[:, block] @ np.einsum("ij,ij->i", part, weighted))[:, None], out=own)

        def use(
            _cases: slice, b: int, labels: Labels, phi: Float = phi, tables: list[Float] = tables
        ) -> None:
            place = slice(b - redraws.start, b - redraws.start + len(labels))
            small = labels.astype(np.int16)
            add_by_class(phi, small, 0, len(small), sums[place])
            for out, values in zip(own, tables, strict=True):
                chosen = np.empty(len(small))
                _pairs.picked(values, small, 0, len(small), chosen)
                out[place] += chosen

        draws.labels(block.start, n, class_edges(part), redraws, use, [slice(0, len(part))])
        if progress is not None:
            progress((block.stop - rows[0]) / (rows[1] - rows[0]))
    return sums, own


def pivots(kernel: Kernel, g: Float) -> tuple[Int, Float]:
    """(rank,) numbers of the pivots and (rank, rank) the Cholesky factor of κ among them."""
    order = np.argsort(np.square(g).sum(axis=1), kind="stable")
    candidates = order[np.linspace(0, len(g) - 1, min(len(g), CANDIDATES)).astype(np.int64)]
    points = g[candidates]
    phi = np.zeros((len(points), RANK), order="F")
    left = np.ones(len(points))
    chosen: list[int] = []
    while len(chosen) < min(RANK, len(points)):
        p, k = int(left.argmax()), len(chosen)
        if left[p] <= _CAPTURED:
            break
        column = kernel.matrix(points, points[p : p + 1])[:, 0] - phi[:, :k] @ phi[p, :k]
        phi[:, k] = column / np.sqrt(left[p])
        left -= np.square(phi[:, k])
        left[p] = 0.0
        chosen.append(p)
    return candidates[chosen], np.tril(phi[chosen, : len(chosen)])


@compiled
def _features(
    shape: int, metric: int, numbers: Any, rows: Any, pivots: Any, inverse: Any, rank: int, phi: Any
) -> None:  # fmt: skip
    """``phi[i] = L⁻¹ κ(pivots, g_i)`` for a strip of rows."""
    n, width = phi.shape
    blocks = (width + WIDTH - 1) // WIDTH
    panel = np.empty(WIDTH * WIDTH)
    tile = np.empty(n * WIDTH)
    kappa = np.zeros((n, blocks * WIDTH))
    sums = np.empty(LANES * WIDTH)
    for j0 in range(0, rank, WIDTH):
        _compiled.kappa_tile(shape, metric, numbers, rows, 0, n, pivots, j0, rank, EVERYWHERE, panel, tile)
        for i in range(n):
            for j in range(WIDTH):
                kappa[i, j0 + j] = tile[i * WIDTH + j]
    for c0 in range(0, width, WIDTH):
        for i in range(0, n, LANES):
            for c in range(c0, min(c0 + WIDTH, width)):
                for r in range(LANES):
                    phi[i + r, c] = 0.0
        # L⁻¹ is lower triangular: columns beyond the row's own number are zero.
        for first in range(0, min(c0 + WIDTH, width), WIDTH):
            last = min(first + WIDTH, width)
            _compiled.pack(inverse, c0, first, last, panel)
            for i in range(0, n, LANES):
                _compiled.clear(sums)
                _compiled.fold(PRODUCT, kappa, i, first, last - first, panel, sums)
                for r in range(LANES):
                    for c in range(c0, min(c0 + WIDTH, width)):
                        phi[i + r, c] += sums[r * WIDTH + c - c0]


@compiled
def add_by_class(phi: Any, labels: Any, b0: int, b1: int, sums: Any) -> None:
    """``sums[b, y_bi] += φ_i`` for b0 ≤ b < b1, four rows of a class at a time."""
    m = sums.shape[1]
    ends = np.empty(m, np.int64)
    rows = np.empty(WIDTH, np.int64)
    for start in range(0, phi.shape[0], WIDTH):
        stop = min(start + WIDTH, phi.shape[0])
        for b in range(b0, b1):
            for y in range(m):
                ends[y] = 0
            for i in range(start, stop):
                ends[labels[b, i]] += 1
            for y in range(1, m):
                ends[y] += ends[y - 1]
            for i in range(stop - 1, start - 1, -1):  # a counting sort; ends become beginnings
                ends[labels[b, i]] -= 1
                rows[ends[labels[b, i]]] = i
            for y in range(m):
                k, end = ends[y], stop - start if y == m - 1 else ends[y + 1]
                while k + 4 <= end:
                    _add_four(phi, rows[k], rows[k + 1], rows[k + 2], rows[k + 3], sums, b, y)
                    k += 4
                while k < end:
                    for c in range(phi.shape[1]):
                        sums[b, y, c] += phi[rows[k], c]
                    k += 1


@compiled_part
def _add_four(phi: Any, p: int, q: int, r: int, s: int, sums: Any, b: int, y: int) -> None:
    for c in range(phi.shape[1]):
        sums[b, y, c] += phi[p, c] + phi[q, c] + phi[r, c] + phi[s, c]


@compiled
def _add_weighted(phi: Any, g: Any, out: Any) -> None:
    """``out[k] += Σ_i g_ik φ_i``."""
    for i in range(phi.shape[0]):
        for k in range(g.shape[1]):
            w = g[i, k]
            for c in range(phi.shape[1]):
                out[k, c] += w * phi[i, c]
