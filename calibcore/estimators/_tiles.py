"""Sums over all pairs of cases, a tile at a time: the only file written for speed.

n × n is never stored. A tile is (T, T) with T = :data:`TILE`; results do not
depend on the number of threads, as the tiles' sums are added in one order.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibcore.estimators import Progress
from calibcore.kernels import Kernel
from calibcore.limits import LIMITS
from calibcore.predictions import Float

TILE = 512
F = TypeVar("F", bound=Callable[..., None])


def _compiled(function: F) -> F:
    """Compile, and keep the result on disk where there is a place to write."""
    try:
        return cast(F, njit(cache=True, nogil=True, fastmath=True)(function))
    except RuntimeError:
        return cast(F, njit(nogil=True, fastmath=True)(function))


@_compiled
def _add_agreements(
    kappa: Float, y_i: NDArray[np.integer], y_j: NDArray[np.integer], above_diagonal: bool, out: Float
) -> None:
    """``out[b] += Σ_ij κ_ij·1[y_i[i, b] = y_j[j, b]]``, over j > i only if ``above_diagonal``."""
    for i in range(kappa.shape[0]):
        for j in range(i + 1 if above_diagonal else 0, kappa.shape[1]):
            k = kappa[i, j]
            for b in range(out.shape[0]):
                if y_i[i, b] == y_j[j, b]:
                    out[b] += k


def _upper_tiles(n: int) -> list[tuple[slice, slice]]:
    return [(slice(i, i + TILE), slice(j, j + TILE)) for i in range(0, n, TILE) for j in range(i, n, TILE)]


def pair_sum(kernel: Kernel, g: Float, r: Float, progress: Progress | None = None) -> float:
    """``Σ_{i<j} κ(g_i, g_j)⟨r_i, r_j⟩``. Cost O(n²m) time, O(T²) memory."""
    total = 0.0
    tiles = _upper_tiles(len(g))
    for done, (i, j) in enumerate(tiles, start=1):
        h = kernel.matrix(g[i], g[j]) * (r[i] @ r[j].T)
        total += float(np.triu(h, 1).sum() if i == j else h.sum())
        if progress is not None:
            progress(done / len(tiles))
    return total


def off_diagonal_product(kernel: Kernel, g: Float, v: Float) -> Float:
    """(n, m) ``Σ_{j≠i} κ(g_i, g_j) v_j``. Cost O(n²m) time, O(T²) memory."""
    out = np.zeros(v.shape)
    for i, j in _upper_tiles(len(g)):
        kappa = kernel.matrix(g[i], g[j])
        if i == j:
            np.fill_diagonal(kappa, 0.0)
        else:
            out[j] += kappa.T @ v[i]
        out[i] += kappa @ v[j]
    return out


def agreement_sums(
    kernel: Kernel, g: Float, labels: NDArray[np.integer], progress: Progress | None = None
) -> Float:
    """(B, n) labels -> (B,) ``Σ_{i<j} κ(g_i, g_j)·1[y_i = y_j]``. Cost O(n²B/2) additions."""
    by_case = np.ascontiguousarray(labels.T)

    def one(tile: tuple[slice, slice]) -> Float:
        i, j = tile
        out = np.zeros(len(labels))
        _add_agreements(kernel.matrix(g[i], g[j]), by_case[i], by_case[j], i == j, out)
        return out

    tiles = _upper_tiles(len(g))
    total = np.zeros(len(labels))
    for done, part in enumerate(_in_threads(one, tiles), start=1):
        total += part
        if progress is not None:
            progress(done / len(tiles))
    return total


def _in_threads(
    work: Callable[[tuple[slice, slice]], Float], tiles: list[tuple[slice, slice]]
) -> Iterator[Float]:
    """Results in the order of the tiles; stops early when the consumer does."""
    if len(tiles) == 1 or LIMITS.threads == 1:
        yield from map(work, tiles)
        return
    pool = ThreadPoolExecutor(LIMITS.threads)
    try:
        yield from pool.map(work, tiles)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def bootstrap_sums(
    kernel: Kernel, g: Float, r: Float, counts: Float, progress: Progress | None = None
) -> tuple[Float, Float]:
    """With ``H = (h_ij)``: (n, B) counts -> (B,) ``cᵀHc`` and (n,) ``H1``. Cost O(n²(m + B)).

    The tiles' products are single large matrix products, threaded by the BLAS.
    """
    quadratic = np.zeros(counts.shape[1])
    row_sums = np.zeros(len(g))
    tiles = _upper_tiles(len(g))
    for done, (i, j) in enumerate(tiles, start=1):
        h = kernel.matrix(g[i], g[j]) * (r[i] @ r[j].T)
        once = np.einsum("ib,ib->b", counts[i], h @ counts[j])
        quadratic += once if i == j else 2 * once
        row_sums[i] += h.sum(axis=1)
        if i != j:
            row_sums[j] += h.sum(axis=0)
        if progress is not None:
            progress(done / len(tiles))
    return quadratic, row_sums


def warm() -> None:
    """Compile what is compiled, so that the first person does not wait for it."""
    for dtype in (np.int8, np.int16):
        labels = np.zeros((2, 1), dtype)
        _add_agreements(np.ones((2, 2)), labels, labels, True, np.zeros(1))
