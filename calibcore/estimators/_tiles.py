"""Sums over all pairs of cases, a strip of rows at a time, in threads or on a cluster (:mod:`.engine`).

n × n is never stored: a strip holds tiles of :data:`STRIP` × 128. Results do not
depend on the number of threads, as the strips' sums are added in one order, and
no BLAS is called, whose own threads would compete. Two classes and the exponential
kernel need no pairs at all, see :mod:`_line`.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError
from calibcore.estimators import Progress, _compiled, _line, _pairs
from calibcore.estimators._cell_sums import BLOCK
from calibcore.kernels import Kernel
from calibcore.kernels.bandwidths import deciding_columns
from calibcore.numerics.engine import TWO_CLASSES, in_order, summed
from calibcore.numerics.types import Float, Labels

STRIP = 128
"""Rows of a strip, a multiple of 4."""
FEW = 2_000
"""Cases up to which one sum over pairs takes a tenth of a second without compiled loops, which take three
seconds to compile."""
PRECISIONS = ("float64", "float32")
_STEEPEST = 1e15
"""The largest 1/ν: κ of different predictions is 0 long before, and single precision does not overflow."""
Strip = tuple[int, int]
Codes = tuple[int, int, NDArray[Any], NDArray[Any]]
"""Shape, metric, the numbers of the shape, and points or κ, as the compiled sums take them."""


@dataclass(frozen=True, eq=False)
class Kappa:
    """κ among some cases as compiled sums over pairs take it, a strip of rows at a time.

    ``points`` are filled up. Of a kernel without a compiled shape the strips hold κ itself, as its ``_shape``
    gives it: 128 × n numbers, and some five times the time.
    """

    kernel: Kernel
    m: int
    points: NDArray[Any]
    codes: tuple[int, int, NDArray[Any]]

    @classmethod
    def of(cls, kernel: Kernel, g: Float, precision: str = "float64") -> "Kappa":
        """Raises :class:`InputError` for a bandwidth that is still a rule."""
        m = g.shape[1]
        kernel.check(m)
        if isinstance(kernel.bandwidth, str):
            raise InputError(f"The bandwidth is the rule {kernel.bandwidth!r}; resolve the kernel first.")
        if kernel.compiled is None:
            codes = _compiled.NO_SHAPE, _compiled.SQUARED, np.zeros(4, precision)
            return cls(kernel, m, filled(g, precision), codes)
        shape, factor = kernel.compiled
        metric, scale = _compiled.SQUARED, 1.0
        if m == 2:
            metric, scale = _compiled.ABSOLUTE, math.sqrt(2) if kernel.metric == "euclidean" else 1.0
        elif kernel.metric == "total-variation":
            metric, scale = _compiled.ABSOLUTE, 0.5
        steepness = factor * scale * min(1 / kernel.bandwidth, _STEEPEST)
        numbers = np.array([steepness, 1.0, math.log2(math.e), 1 / 3], precision)
        return cls(kernel, m, filled(deciding_columns(g), precision), (shape, metric, numbers))

    def between(self, rows: NDArray[Any], columns: NDArray[Any]) -> Codes:
        """For some filled-up rows against other points: the rows, or κ in their place."""
        shape, metric, numbers = self.codes
        if shape != _compiled.NO_SHAPE:
            return shape, metric, numbers, rows
        kappa = self.kernel.matrix(
            rows[:, : self.m].astype(np.float64), columns[:, : self.m].astype(np.float64)
        )
        return shape, metric, numbers, np.ascontiguousarray(kappa, numbers.dtype)

    def strip(self, strip: Strip) -> Codes:
        """For the pairs of a strip of rows with all cases."""
        if self.codes[0] != _compiled.NO_SHAPE:
            return *self.codes, self.points
        return self.between(self.points[slice(*strip)], self.points)


def filled(values: Float, precision: str) -> NDArray[Any]:
    """(n, m) -> rows and columns filled up with zeros to multiples of 4."""
    n, m = values.shape
    out = np.zeros((n + -n % _compiled.LANES, m + -m % _compiled.LANES), precision)
    out[:n, :m] = values
    return out


def pair_sum(
    kernel: Kernel, g: Float, r: Float, progress: Progress | None = None, precision: str = "float64"
) -> float:
    """``Σ_{i<j} κ(g_i, g_j)⟨r_i, r_j⟩``. Cost O(n²m) time, O(nm) memory; O(n log n) on a line.

    Of up to :data:`FEW` cases without ``progress``.
    """
    if _line.applies(kernel, g.shape[1]):
        return _line.Line.of(kernel, g).pair_sum(r)
    if len(g) <= FEW:
        return _pair_sum_of_few(kernel, g.astype(precision), r.astype(precision))
    return pair_sum_in_tiles(kernel, g, r, progress, precision)


def pair_sum_in_tiles(
    kernel: Kernel, g: Float, r: Float, progress: Progress | None = None, precision: str = "float64"
) -> float:
    """:func:`pair_sum` of as many cases as there are."""
    kappa, residuals = Kappa.of(kernel, g, precision), filled(r, precision)
    n, width = len(g), residuals.shape[1]
    work = partial(_pair_sum, kappa, residuals, n)
    return summed(work, _strips(n, len(residuals)), progress, n, n * n * width)


def _pair_sum_of_few(kernel: Kernel, g: Float, r: Float) -> float:
    total = 0.0
    for start in range(0, len(g), STRIP):
        rows = slice(start, start + STRIP)
        total += float(np.triu(kernel.matrix(g[rows], g[start:]) * (r[rows] @ r[start:].T), 1).sum())
    return total


def _pair_sum(kappa: Kappa, residuals: NDArray[Any], n: int, strip: Strip) -> float:
    return float(_pairs.pair_sum(*kappa.strip(strip), residuals, n, *strip))


def off_diagonal_product(kernel: Kernel, g: Float, v: Float, precision: str = "float64") -> Float:
    """(n, q) ``Σ_{j≠i} κ(g_i, g_j) v_j``. Cost O(n²(m + q)) time, O(n(m + q)) memory."""
    kappa, values = Kappa.of(kernel, g, precision), filled(v, "float64")
    n, width = len(g), kappa.points.shape[1] + values.shape[1]
    work, strips = partial(_product_rows, kappa, values, n), _strips(n, len(values))
    out = np.empty(values.shape)
    for strip, part in zip(strips, in_order(work, strips, None, n, n * n * width), strict=True):
        out[slice(*strip)] = part
    return out[:n, : v.shape[1]]


def _product_rows(kappa: Kappa, values: Float, n: int, strip: Strip) -> Float:
    out = np.zeros((strip[1] - strip[0], values.shape[1]))
    _pairs.product_rows(*kappa.strip(strip), values, n, *strip, out)
    return out


def agreement_sums(
    kernel: Kernel, g: Float, labels: Labels, progress: Progress | None = None, precision: str = "float64"
) -> Float:
    """(B, n) labels -> (B,) ``Σ_{i<j} κ(g_i, g_j)·M[y_i, y_j]``.

    Cost O(n²B/2) additions, whatever m, if M is diagonal; as many look-ups otherwise.
    """
    n, m = g.shape
    kappa = Kappa.of(kernel, g, precision)
    M = kernel.matrix_array(m)
    kind, entries = _pairs.IDENTITY, np.ones(1)
    if M is not None and np.count_nonzero(M - np.diag(np.diag(M))) == 0:
        kind, entries = _pairs.WEIGHTS, np.diag(M).copy()
    elif M is not None:
        kind, entries = _pairs.MATRIX, M.ravel()
    by_case = np.ascontiguousarray(labels.T, np.int8 if m <= 127 else np.int16)
    cost = n * n * (len(labels) + m) / 2
    work = partial(_agreements, kappa, by_case, kind, entries, m)
    return summed(work, _strips(n, len(kappa.points)), progress, n, cost)


def _agreements(
    kappa: Kappa, by_case: NDArray[Any], kind: int, entries: Float, m: int, strip: Strip
) -> Float:
    out = np.zeros(by_case.shape[1])
    _pairs.agreements(*kappa.strip(strip), by_case, kind, entries, m, *strip, out)
    return out


def bootstrap_sums(
    kernel: Kernel,
    g: Float,
    r: Float,
    counts: NDArray[Any],
    progress: Progress | None = None,
    precision: str = "float64",
) -> tuple[Float, Float]:
    """With ``H = (h_ij)``: (n, B) counts -> (B,) ``cᵀHc`` and (n,) ``H1``.

    Cost O(n²(m + B)) time, O(nB) memory, 2 bytes each; O(nB) time on a line.
    """
    diagonal = np.square(r).sum(axis=1)  # κ(g, g) = 1
    n, B = counts.shape
    if _line.applies(kernel, g.shape[1]):
        line = _line.Line.of(kernel, g)
        blocks = range(0, B, BLOCK)
        work = partial(_line.Line.sums, line, np.zeros_like(r), r, np.ascontiguousarray(counts.T, np.int16))
        each = in_order(work, blocks, progress, n, n * B * TWO_CLASSES)
        quadratic, row_sums = np.concatenate([pairs for pairs, _ in each]), line.row_sums(r)
    else:
        kappa, residuals = Kappa.of(kernel, g, precision), filled(r, precision)
        small = np.ascontiguousarray(counts, np.int16)
        quadratic, row_sums = summed(
            partial(_bootstrap, kappa, residuals, small),
            _strips(n, len(residuals)),
            progress,
            n,
            n * n * (B + 2 * residuals.shape[1]) / 2,
        )
    return 2 * quadratic + _squares(diagonal, counts), row_sums + diagonal


def _bootstrap(
    kappa: Kappa, residuals: NDArray[Any], counts: NDArray[Any], strip: Strip
) -> tuple[Float, Float]:
    out = np.zeros(counts.shape[1]), np.zeros(len(counts))
    _pairs.bootstrap(*kappa.strip(strip), residuals, counts, *strip, *out)
    return out


def _squares(diagonal: Float, counts: NDArray[Any]) -> Float:
    """(B,) ``Σ_i c_i² h_ii``."""
    out = np.zeros(counts.shape[1])
    for start in range(0, len(counts), STRIP):
        rows = counts[start : start + STRIP].astype(np.float64)
        out += np.einsum("i,ib->b", diagonal[start : start + STRIP], rows * rows)
    return out


def _strips(n: int, filled_up: int) -> list[Strip]:
    return [(i, min(i + STRIP, filled_up)) for i in range(0, n, STRIP)]
