"""Compiled sums over pairs of cases, for a strip of rows i0 ≤ i < i1 each; :mod:`._tiles` adds the strips up.

``shape``, ``metric``, ``numbers`` and ``points`` describe κ, see :mod:`._compiled`; n is the number
of cases without the filling.
"""

from typing import Any

import numpy as np

from calibcore.estimators._compiled import (
    ABOVE,
    LANES,
    OFF,
    PRODUCT,
    WIDTH,
    clear,
    compiled,
    compiled_part,
    fold,
    kappa_tile,
    pack,
    product_tile,
)

IDENTITY, WEIGHTS, MATRIX = 0, 1, 2
"""How M is given to :func:`agreements`."""


@compiled
def pair_sum(
    shape: int, metric: int, numbers: Any, points: Any, residuals: Any, n: int, i0: int, i1: int
) -> float:
    """``Σ κ_ij ⟨r_i, r_j⟩`` over i0 ≤ i < i1 and all j > i."""
    panel = np.empty(WIDTH * WIDTH, points.dtype)
    kappa = np.empty((i1 - i0) * WIDTH, points.dtype)
    h = np.empty((i1 - i0) * WIDTH, points.dtype)
    total = 0.0
    for j0 in range(i0, n, WIDTH):
        kappa_tile(shape, metric, numbers, points, i0, i1, points, j0, n, ABOVE, panel, kappa)
        product_tile(residuals, i0, i1, j0, panel, h)
        for o in range(0, len(h), WIDTH):
            total += _dot(h[o : o + WIDTH], kappa[o : o + WIDTH])
    return total


@compiled
def product_rows(
    shape: int, metric: int, numbers: Any, points: Any, values: Any, n: int, i0: int, i1: int, out: Any
) -> None:
    """``out[i − i0] = Σ_{j≠i} κ_ij v_j`` for i0 ≤ i < i1."""
    panel = np.empty(WIDTH * WIDTH, points.dtype)
    tile = np.empty((i1 - i0) * WIDTH, points.dtype)
    columns = np.empty(WIDTH * WIDTH)  # double precision, as for :func:`agreements`
    sums = np.empty(LANES)
    for j0 in range(0, n, WIDTH):
        kappa_tile(shape, metric, numbers, points, i0, i1, points, j0, n, OFF, panel, tile)
        for first in range(0, values.shape[1], WIDTH):
            last = min(first + WIDTH, values.shape[1])
            pack(values, j0, first, last, columns)
            for i in range(i0, i1, LANES):
                o = (i - i0) * WIDTH
                for k in range(last - first):
                    p = k * WIDTH
                    _four_dots(tile[o : o + LANES * WIDTH], columns[p : p + WIDTH], sums)
                    for r in range(LANES):
                        out[i - i0 + r, first + k] += sums[r]


@compiled_part
def _copy(values: Any, out: Any) -> None:
    for b in range(len(values)):
        out[b] = values[b]


@compiled
def _add(values: Any, out: Any) -> None:
    for b in range(len(out)):
        out[b] += values[b]


@compiled
def _add_products(values: Any, factors: Any, out: Any) -> None:
    for b in range(len(out)):
        out[b] += values[b] * factors[b]


@compiled_part
def _multiply(values: Any, factors: Any) -> Any:
    """In place; the sum of the products."""
    total = values[0] - values[0]
    for j in range(len(values)):
        values[j] *= factors[j]
        total += values[j]
    return total


@compiled_part
def _dot(a: Any, b: Any) -> Any:
    total = a[0] * b[0]
    for j in range(1, len(a)):
        total += a[j] * b[j]
    return total


@compiled_part
def _four_dots(rows: Any, column: Any, out: Any) -> None:
    """``out[r] = Σ_j rows[r·WIDTH + j]·column[j]`` for four rows."""
    a, b, c, d = (
        rows[0] * column[0],
        rows[WIDTH] * column[0],
        rows[2 * WIDTH] * column[0],
        rows[3 * WIDTH] * column[0],
    )
    for j in range(1, WIDTH):
        x = column[j]
        a += rows[j] * x
        b += rows[WIDTH + j] * x
        c += rows[2 * WIDTH + j] * x
        d += rows[3 * WIDTH + j] * x
    out[0], out[1], out[2], out[3] = a, b, c, d


@compiled
def bootstrap(
    shape: int, metric: int, numbers: Any, points: Any, residuals: Any, counts: Any, i0: int, i1: int,
    quadratic: Any, row_sums: Any,
) -> None:  # fmt: skip
    """Over i0 ≤ i < i1 and j > i: ``quadratic[b] += Σ c_i c_j h_ij``; h_ij into row sums i and j."""
    n, B = counts.shape
    panel = np.empty(WIDTH * WIDTH, points.dtype)
    kappa = np.empty((i1 - i0) * WIDTH, points.dtype)
    h = np.empty((i1 - i0, WIDTH), points.dtype)
    flat = h.reshape(-1)
    sums = np.empty(LANES * WIDTH, points.dtype)
    for j0 in range(i0, n, WIDTH):
        kappa_tile(shape, metric, numbers, points, i0, i1, points, j0, n, ABOVE, panel, kappa)
        product_tile(residuals, i0, i1, j0, panel, flat)
        for i in range(i0, min(i1, n)):
            row = h[i - i0]
            row_sums[i] += _multiply(row, kappa[(i - i0) * WIDTH : (i - i0 + 1) * WIDTH])
            _add(row, row_sums[j0 : min(j0 + WIDTH, n)])
        for b0 in range(0, B, WIDTH):
            b1 = min(b0 + WIDTH, B)
            for j in range(WIDTH):
                used = b1 - b0 if j0 + j < n else 0
                if used:
                    _copy(counts[j0 + j, b0:b1], panel[j * WIDTH : (j + 1) * WIDTH])
                clear(panel[j * WIDTH + used : (j + 1) * WIDTH])
            for i in range(i0, i1, LANES):
                clear(sums)
                fold(PRODUCT, h, i - i0, 0, WIDTH, panel, sums)
                for r in range(min(LANES, n - i)):
                    _add_products(sums[r * WIDTH : (r + 1) * WIDTH], counts[i + r, b0:b1], quadratic[b0:b1])


@compiled
def agreements(
    shape: int, metric: int, numbers: Any, points: Any, labels: Any, kind: int, M: Any, m: int,
    i0: int, i1: int, out: Any,
) -> None:  # fmt: skip
    """``out[b] += Σ κ_ij·M[y_i, y_j]`` over i0 ≤ i < i1 and j > i, labels (n, B).

    ``kind``: M is the identity, a diagonal (m,) (the weights), or (m, m); flat.
    """
    n, B = labels.shape
    panel = np.empty(WIDTH * WIDTH, points.dtype)
    tile = np.empty((i1 - i0) * WIDTH, points.dtype)
    other = np.zeros(WIDTH * WIDTH, labels.dtype)
    own = np.zeros(WIDTH, labels.dtype)
    part = np.zeros(WIDTH, points.dtype)
    sums = np.empty(WIDTH)  # what is left after cancellation is small: double precision
    for j0 in range(i0, n, WIDTH):
        kappa_tile(shape, metric, numbers, points, i0, i1, points, j0, n, ABOVE, panel, tile)
        for b0 in range(0, B, WIDTH):
            width = min(WIDTH, B - b0)
            for j in range(min(WIDTH, n - j0)):
                _copy(labels[j0 + j, b0 : b0 + width], other[j * WIDTH : (j + 1) * WIDTH])
            for i in range(i0, min(i1, n)):
                _copy(labels[i, b0 : b0 + width], own)
                clear(sums)
                row = tile[(i - i0) * WIDTH : (i - i0 + 1) * WIDTH]
                if kind == MATRIX:
                    _add_entries(row, own, other, M, m, sums)
                else:
                    _add_where_equal(row, own, other, part, sums)
                if kind == WEIGHTS:
                    for b in range(width):
                        sums[b] *= M[own[b]]
                _add(sums, out[b0 : b0 + width])


@compiled_part
def _add_where_equal(kappa: Any, own: Any, other: Any, part: Any, sums: Any) -> None:
    """``sums[b] += Σ_j κ_j·1[own_b = others_jb]``; sixteen j at a time in ``part``, in the precision of κ."""
    zero = kappa.dtype.type(0)
    for j in range(0, WIDTH, 8):
        k0, k1, k2, k3 = kappa[j], kappa[j + 1], kappa[j + 2], kappa[j + 3]
        k4, k5, k6, k7 = kappa[j + 4], kappa[j + 5], kappa[j + 6], kappa[j + 7]
        p = j * WIDTH
        for b in range(WIDTH):
            y = own[b]
            s = part[b]
            s += k0 if other[p + b] == y else zero
            s += k1 if other[p + WIDTH + b] == y else zero
            s += k2 if other[p + 2 * WIDTH + b] == y else zero
            s += k3 if other[p + 3 * WIDTH + b] == y else zero
            s += k4 if other[p + 4 * WIDTH + b] == y else zero
            s += k5 if other[p + 5 * WIDTH + b] == y else zero
            s += k6 if other[p + 6 * WIDTH + b] == y else zero
            s += k7 if other[p + 7 * WIDTH + b] == y else zero
            part[b] = s
        if j % 16:
            for b in range(WIDTH):
                sums[b] += part[b]
                part[b] = zero


@compiled_part
def _add_entries(kappa: Any, own: Any, other: Any, M: Any, m: int, sums: Any) -> None:
    """``sums[b] += Σ_j κ_j·M[own_b, others_jb]``, M flat."""
    for j in range(WIDTH):
        k = kappa[j]
        for b in range(WIDTH):
            sums[b] += k * M[own[b] * m + other[j * WIDTH + b]]


@compiled
def picked(values: Any, labels: Any, b0: int, b1: int, out: Any) -> None:
    """``out[b] = Σ_i values[i, y_bi]`` for b0 ≤ b < b1."""
    for b in range(b0, b1):
        total = 0.0
        for i in range(values.shape[0]):
            total += values[i, labels[b, i]]
        out[b] = total


@compiled
def lagged(
    kappa: Any, left: Any, lag: int, M: Any, identity: bool, labels: Any, b0: int, b1: int, out: Any
) -> None:
    """``out[b] = Σ κ_i·M[y_i, y_{i+lag}]`` over the cases ``left``, for b0 ≤ b < b1."""
    for b in range(b0, b1):
        total = 0.0
        if identity:
            for k in range(len(left)):
                total += kappa[k] if labels[b, left[k]] == labels[b, left[k] + lag] else 0.0
        else:
            for k in range(len(left)):
                total += kappa[k] * M[labels[b, left[k]], labels[b, left[k] + lag]]
        out[b] = total
