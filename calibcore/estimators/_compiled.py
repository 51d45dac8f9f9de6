"""What compiled sums over pairs of cases are made of; what numba is told of them.

Points and residuals come as (n, m) arrays with rows and columns filled up with
zeros to multiples of :data:`LANES`, in the precision of the computation. A tile
is a flat array of rows of :data:`WIDTH` numbers: the distance between rows is
then known to the compiler, which needs that to use vector instructions. One
loop, :func:`fold`, is distances, inner products and matrix products alike.

Sums run over at most :data:`WIDTH` terms in the precision of the computation and
over the rest in double precision. Nothing here may be NaN or infinite.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from calibcore.kernels.kernel import EXPONENTIAL, GAUSSIAN, MATERN_3, RATIONAL_QUADRATIC
from calibcore.numerics import loops

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"fastmath": True, "error_model": "python"}

LANES = 4
WIDTH = 128
SQUARED, ABSOLUTE, PRODUCT = 0, 1, 2
NO_SHAPE = -1
"""No compiled shape: κ of the strip's rows to all cases comes in place of their points."""
ABOVE, OFF, EVERYWHERE = 0, 1, 2
"""Which pairs (i, j) of a tile count: j > i, j ≠ i, or all."""
_LOG2_E, _LN_2, _SQRT_3, _SQRT_5 = 1 / math.log(2), math.log(2), math.sqrt(3), math.sqrt(5)
_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12 = (1 / math.factorial(k) for k in range(1, 13))
_FLOOR_64, _FLOOR_32 = -1020.0, -125.0
# Adding it moves the integer part of a number to the lowest bits of its mantissa.
_SHIFT_64, _SHIFT_32 = 1.5 * 2.0**52, 1.5 * 2.0**23


def compiled(function: F) -> F:
    """As :func:`.loops.compiled_with_arrays`, with sums in the compiler's own order."""
    return loops.compiled_with_arrays(function, **_OPTIONS)


def compiled_part(function: F) -> F:
    """Likewise, of what only compiled loops call, as of :func:`.loops.compiled_part`."""
    return loops.compiled_part(function, **_OPTIONS)


def _exp2(x: Any) -> Any:
    """``2^x`` for x ≤ 0, to a few units in the last place; below the smallest numbers about 0."""


@overload(_exp2, jit_options={"fastmath": True})
def _exp2_of(x: Any) -> Any:
    # 2^k by writing k into the exponent; e^r, |r| ≤ ½·ln 2, by its series.
    def single(x: Any) -> Any:
        x = max(x, np.float32(_FLOOR_32))
        k = np.float32(math.floor(x + np.float32(0.5)))
        r = (x - k) * np.float32(_LN_2)
        p = r * np.float32(_7) + np.float32(_6)
        p = (p * r + np.float32(_5)) * r + np.float32(_4)
        p = (p * r + np.float32(_3)) * r + np.float32(_2)
        p = (p * r + np.float32(1)) * r + np.float32(1)
        power = (np.float32(k + np.float32(_SHIFT_32)).view(np.int32) << 23) + np.int32(127 << 23)
        return p * np.int32(power).view(np.float32)

    def double(x: Any) -> Any:
        x = max(x, _FLOOR_64)
        k = np.floor(x + 0.5)
        r = (x - k) * _LN_2
        p = r * _12 + _11
        p = (p * r + _10) * r + _9
        p = (p * r + _8) * r + _7
        p = (p * r + _6) * r + _5
        p = (p * r + _4) * r + _3
        p = (p * r + _2) * r + _1
        power = (np.float64(k + _SHIFT_64).view(np.int64) << 52) + np.int64(1023 << 52)
        return (p * r + 1.0) * np.int64(power).view(np.float64)

    return single if x == types.float32 else double


@compiled_part
def clear(values: Any) -> None:
    """Zeros; much faster than ``values[:] = 0``."""
    for j in range(len(values)):
        values[j] = 0


@compiled_part
def pack(rows: Any, start: int, first: int, last: int, panel: Any) -> None:
    """``panel[k·WIDTH + j] = rows[start + j, first + k]``, zero below the last row."""
    stop = min(start + WIDTH, rows.shape[0])
    for k in range(last - first):
        for j in range(stop - start, WIDTH):
            panel[k * WIDTH + j] = 0
    j = 0
    while j + 8 <= stop - start:  # eight neighbours at a time, as a whole line of the cache
        i = start + j
        for k in range(last - first):
            q, o = first + k, k * WIDTH + j
            panel[o], panel[o + 1], panel[o + 2], panel[o + 3] = (
                rows[i, q], rows[i + 1, q], rows[i + 2, q], rows[i + 3, q],
            )  # fmt: skip
            panel[o + 4], panel[o + 5], panel[o + 6], panel[o + 7] = (
                rows[i + 4, q], rows[i + 5, q], rows[i + 6, q], rows[i + 7, q],
            )  # fmt: skip
        j += 8
    while j < stop - start:
        for k in range(last - first):
            panel[k * WIDTH + j] = rows[start + j, first + k]
        j += 1


@compiled_part
def fold(metric: Any, a: Any, i: int, first: int, depth: int, panel: Any, out: Any) -> None:
    """``out[r·WIDTH + j] += Σ_k f(a[i + r, q], panel[k, j])`` for four rows r, k < depth."""
    k = 0
    while k + 4 <= depth:  # plain, lest the compiler doubt that k is not negative
        q = first + k
        a0, a1, a2, a3 = a[i, q], a[i, q + 1], a[i, q + 2], a[i, q + 3]
        b0, b1, b2, b3 = a[i + 1, q], a[i + 1, q + 1], a[i + 1, q + 2], a[i + 1, q + 3]
        c0, c1, c2, c3 = a[i + 2, q], a[i + 2, q + 1], a[i + 2, q + 2], a[i + 2, q + 3]
        d0, d1, d2, d3 = a[i + 3, q], a[i + 3, q + 1], a[i + 3, q + 2], a[i + 3, q + 3]
        o = k * WIDTH
        if metric == SQUARED:
            for j in range(WIDTH):
                x, y = panel[o + j], panel[o + WIDTH + j]
                z, w = panel[o + 2 * WIDTH + j], panel[o + 3 * WIDTH + j]
                out[j] += (a0 - x) ** 2 + (a1 - y) ** 2 + (a2 - z) ** 2 + (a3 - w) ** 2
                out[WIDTH + j] += (b0 - x) ** 2 + (b1 - y) ** 2 + (b2 - z) ** 2 + (b3 - w) ** 2
                out[2 * WIDTH + j] += (c0 - x) ** 2 + (c1 - y) ** 2 + (c2 - z) ** 2 + (c3 - w) ** 2
                out[3 * WIDTH + j] += (d0 - x) ** 2 + (d1 - y) ** 2 + (d2 - z) ** 2 + (d3 - w) ** 2
        elif metric == ABSOLUTE:
            for j in range(WIDTH):
                x, y = panel[o + j], panel[o + WIDTH + j]
                z, w = panel[o + 2 * WIDTH + j], panel[o + 3 * WIDTH + j]
                out[j] += abs(a0 - x) + abs(a1 - y) + abs(a2 - z) + abs(a3 - w)
                out[WIDTH + j] += abs(b0 - x) + abs(b1 - y) + abs(b2 - z) + abs(b3 - w)
                out[2 * WIDTH + j] += abs(c0 - x) + abs(c1 - y) + abs(c2 - z) + abs(c3 - w)
                out[3 * WIDTH + j] += abs(d0 - x) + abs(d1 - y) + abs(d2 - z) + abs(d3 - w)
        else:
            for j in range(WIDTH):
                x, y = panel[o + j], panel[o + WIDTH + j]
                z, w = panel[o + 2 * WIDTH + j], panel[o + 3 * WIDTH + j]
                out[j] += a0 * x + a1 * y + a2 * z + a3 * w
                out[WIDTH + j] += b0 * x + b1 * y + b2 * z + b3 * w
                out[2 * WIDTH + j] += c0 * x + c1 * y + c2 * z + c3 * w
                out[3 * WIDTH + j] += d0 * x + d1 * y + d2 * z + d3 * w
        k += 4


@compiled_part
def _shaped(shape: int, metric: int, numbers: Any, d: Any) -> None:
    """Distances, squared if Euclidean, -> κ, in place; ``numbers`` as :class:`._tiles.Kappa` has them."""
    scale, unit, log2_e, third = numbers[0], numbers[1], numbers[2], numbers[3]
    if metric == SQUARED:
        for j in range(len(d)):
            d[j] = math.sqrt(d[j]) * scale
    else:
        for j in range(len(d)):
            d[j] *= scale
    if shape == EXPONENTIAL:
        for j in range(len(d)):
            d[j] = _exp2(-d[j])
    elif shape == GAUSSIAN:
        for j in range(len(d)):
            d[j] = _exp2(-d[j] * d[j])
    elif shape == RATIONAL_QUADRATIC:
        for j in range(len(d)):
            root = unit / (unit + d[j] * d[j])
            d[j] = root * root
    elif shape == MATERN_3:
        for j in range(len(d)):
            d[j] = (unit + d[j]) * _exp2(-d[j] * log2_e)
    else:
        for j in range(len(d)):
            d[j] = (unit + d[j] + d[j] * d[j] * third) * _exp2(-d[j] * log2_e)


@compiled_part
def kappa_tile(
    shape: int, metric: int, numbers: Any, rows: Any, i0: int, i1: int, columns: Any, j0: int, n: int,
    pairs: int, panel: Any, tile: Any,
) -> None:  # fmt: skip
    """``tile[i − i0, j − j0] = κ(rows_i, columns_j)`` where ``pairs`` and j < n let it, otherwise 0."""
    clear(tile)
    if shape == NO_SHAPE:
        for i in range(i1 - i0):
            for j in range(min(WIDTH, rows.shape[1] - j0)):
                tile[i * WIDTH + j] = rows[i, j0 + j]
    else:
        for first in range(0, rows.shape[1], WIDTH):
            last = min(first + WIDTH, rows.shape[1])
            pack(columns, j0, first, last, panel)
            for i in range(i0, i1, LANES):
                o = (i - i0) * WIDTH
                fold(metric, rows, i, first, last - first, panel, tile[o : o + LANES * WIDTH])
        _shaped(shape, metric, numbers, tile)
    if pairs != EVERYWHERE and j0 < i1 and i0 < j0 + WIDTH:
        for i in range(i0, i1):
            o = (i - i0) * WIDTH
            if pairs == ABOVE:
                clear(tile[o : o + max(0, min(i + 1 - j0, WIDTH))])
            elif 0 <= i - j0 < WIDTH:
                tile[o + i - j0] = 0
    if j0 + WIDTH > n:
        for i in range(i1 - i0):
            clear(tile[i * WIDTH + n - j0 : (i + 1) * WIDTH])


@compiled_part
def product_tile(rows: Any, i0: int, i1: int, j0: int, panel: Any, tile: Any) -> None:
    """``tile[i − i0, j − j0] = ⟨rows_i, rows_j⟩``."""
    metric = np.int64(PRODUCT)  # of the type that it has elsewhere, so that fold is compiled once
    clear(tile)
    for first in range(0, rows.shape[1], WIDTH):
        last = min(first + WIDTH, rows.shape[1])
        pack(rows, j0, first, last, panel)
        for i in range(i0, i1, LANES):
            o = (i - i0) * WIDTH
            fold(metric, rows, i, first, last - first, panel, tile[o : o + LANES * WIDTH])
