"""Compiled passes over rows, and the threads that share them: for speed, below everything that counts cases.

Rows are cut into blocks of one size, whatever the number of threads, and the
blocks' sums are added in their order: threads change no bit. What a loop is
worth is said where it is called.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.extending import register_jitable
from numpy.typing import NDArray

from calibcore.numerics.engine import in_order
from calibcore.numerics.types import Float, Int, Labels

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
R = TypeVar("R")
A = TypeVar("A", bound=NDArray[np.generic])
ROWS = 1 << 16
FEW_NUMBERS = 200_000
"""So many are gone through once in Python sooner than a loop is compiled."""


def compiled(function: F, **options: Any) -> F:
    """Compile at the first call, and keep the result on disk where there is a place to write.

    No loop is called from C: without an entry for it each takes an eighth less to compile. None makes an
    array, but works in those it is given: so nothing has to be counted and freed, which is compiled, too.
    """
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False, **options}
    function.__qualname__ += f"_{_digest_of_others(function.__globals__)}"
    try:
        return cast(F, njit(cache=True, **options)(function))
    except RuntimeError:
        return cast(F, njit(**options)(function))


def _digest_of_others(names: Mapping[str, Any]) -> str:
    """Of the loops, intrinsics and numbers that a module has imported, and of what their own modules have.

    They become part of the loops that use them, and numba throws away what it kept of a loop only when the
    loop's own file has changed.
    """
    digest = sha256()
    for name, value in sorted(names.items()):
        parts = vars(value).values() if isinstance(value, ModuleType) else [value]
        loops = [_source(part) for part in parts if isinstance(part, Dispatcher | _Intrinsic)]
        for loop in loops:
            if loop.__module__ != names["__name__"]:
                digest.update(f"{loop.__qualname__} {_digest_of_file(loop.__code__.co_filename)}".encode())
        if isinstance(value, int | float):
            digest.update(f"{name} {value!r}".encode())
    return digest.hexdigest()[:12]


def _source(loop: Dispatcher | _Intrinsic) -> Callable[..., Any]:
    source: Callable[..., Any] = loop.py_func if isinstance(loop, Dispatcher) else loop._defn
    return source


@cache
def _digest_of_file(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()


def compiled_part(function: F, **options: Any) -> F:
    """:func:`compiled`, of what compiled loops alone call: it has no entry for Python, which would crash."""
    return compiled(function, no_cpython_wrapper=True, **options)


def compiled_with_arrays(function: F, **options: Any) -> F:
    """:func:`compiled`, of a loop that makes arrays of its own, which takes longer to compile."""
    return compiled(function, _nrt=True, **options)


def compiled_where_it_pays(few: int = FEW_NUMBERS) -> Callable[[F], F]:
    """:func:`compiled`, of a loop that only adds, multiplies, counts and compares.

    What is not compiled runs as Python, with the same bits, until its arrays had ``few`` numbers in all: a
    command on a small file never waits for it. Other loops cannot call it, and what it calls is
    :func:`for_both`.
    """

    def decorated(function: F) -> F:
        loop: Any = compiled(function)
        left: int | None = None

        @wraps(function)
        def run(*arguments: Any) -> Any:
            nonlocal left
            if left is None:
                left = 0 if _is_kept(loop) else few
            if left > 0:
                left = 0 if _ahead else left - sum(np.size(argument) for argument in arguments)
            return function(*arguments) if left > 0 else loop(*arguments)

        run.loop = loop  # type: ignore[attr-defined]
        return cast(F, run)

    return decorated


def kept_in(loop: Any) -> Path | None:
    """The folder where what is compiled of it is kept; None where nothing can be."""
    folder = getattr(loop, "loop", loop).stats.cache_path
    return None if folder is None else Path(folder)


def _is_kept(loop: Any) -> bool:
    """Whether an earlier process has left it on disk."""
    folder, version = kept_in(loop), f"py{sys.version_info[0]}{sys.version_info[1]}"
    return folder is not None and any(folder.glob(f"*.{loop.__qualname__}-*.{version}*.nbi"))


_ahead: list[None] = []


@contextmanager
def compiling_ahead() -> Iterator[None]:
    """Within, in whatever thread, each loop that is called is compiled, however little it has to do."""
    _ahead.append(None)
    try:
        yield
    finally:
        _ahead.pop()


def for_both(function: F) -> F:
    """What loops and Python call alike: it is compiled with each loop that calls it."""
    either: F = register_jitable(function)
    return either


def compiled_in_any_order(function: F) -> F:
    """:func:`compiled_with_arrays`, with sums in the compiler's own order, so that they become vectors."""
    return compiled_with_arrays(function, fastmath={"reassoc", "contract"})


def part_in_any_order(function: F) -> F:
    """:func:`compiled_part`, with sums in the compiler's own order."""
    return compiled_part(function, fastmath={"reassoc", "contract"})


def row_sums(g: Float) -> Float:
    """(n, m) -> (n,) the same numbers as ``g.sum(axis=1)``, of few columns in a sixth of the time."""
    if not 0 < g.shape[1] < _ADDED_IN_TURN:
        return np.asarray(g.sum(axis=1))
    total = g[:, 0].copy()
    for k in range(1, g.shape[1]):
        total += g[:, k]
    return total


_CLASSES_PER_CASE = 6
"""Of so many a case looking at all classes one after the other is faster than at those that happened."""
_ABREAST = 8
_CACHED = 1 << 17
_ADDED_IN_TURN = 8
"""NumPy adds fewer numbers of a row one after the other, and more in eight sums side by side."""


def in_threads(work: Callable[[T], R], parts: Iterable[T]) -> list[R]:
    """``[work(part) for part in parts]``, in threads. ``work`` must not call this again."""
    return list(in_order(work, list(parts)))


def blocks(n: int, size: int = ROWS) -> list[slice]:
    """``n`` rows in slices of ``size``."""
    return [slice(start, start + size) for start in range(0, n, size)]


def cached_blocks(n: int, m: int) -> list[slice]:
    """The same of rows of ``m`` numbers, so many at a time that they stay in a processor's cache."""
    return blocks(n, max(1, _CACHED // m))


def columns(g: Float, first: int, stop: int) -> Iterator[Float]:
    """(n,) each column from ``first`` to before ``stop``, by itself; some at a time, as a processor reads a
    line of memory for one number as for eight."""
    for start in range(first, stop, _ABREAST):
        yield from np.ascontiguousarray(g[:, start : min(start + _ABREAST, stop)].T)


def read_only(array: A) -> A:
    """A contiguous view that cannot be written to: one type, so that a loop is compiled once."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return cast(A, view)


@compiled_where_it_pays()
def largest_and_rest(probs: Float, labels: Int, out: Float, new_labels: Int) -> None:
    """:func:`largest` for k = 1, without branches on the values, which no processor could foresee."""
    n, m = probs.shape
    for i in range(n):
        most, rest = probs[i, 0], 0.0
        for k in range(1, m):
            p = probs[i, k]
            rest += p if p < most else most
            most = most if p < most else p
        missed = probs[i, labels[i]] != most
        if not missed:
            for k in range(labels[i]):
                missed |= probs[i, k] == most
        out[i, 0] = most
        out[i, 1] = rest
        new_labels[i] = missed


@compiled_where_it_pays()
def class_and_rest(probs: Float, labels: Int, c: int, out: Float, new_labels: Int) -> None:
    """Class ``c`` and, in the order of the classes, the sum of the others."""
    n, m = probs.shape
    for i in range(n):
        rest = 0.0
        for k in range(c):
            rest += probs[i, k]
        for k in range(c + 1, m):
            rest += probs[i, k]
        out[i, 0] = probs[i, c]
        out[i, 1] = rest
        new_labels[i] = labels[i] != c


@compiled_with_arrays
def largest(probs: Float, labels: Int, out: Float, new_labels: Int) -> None:
    """The k largest, falling, lower classes first among equals; the others are summed as they drop out."""
    n, m = probs.shape
    k = out.shape[1] - 1
    classes = np.empty(k, np.int64)
    for i in range(n):
        rest = 0.0
        for j in range(m):
            p = probs[i, j]
            place = min(j, k)
            if place == k:
                if out[i, k - 1] >= p:
                    rest += p
                    continue
                rest += out[i, k - 1]
                place = k - 1
            while place > 0 and out[i, place - 1] < p:
                out[i, place] = out[i, place - 1]
                classes[place] = classes[place - 1]
                place -= 1
            out[i, place] = p
            classes[place] = j
        out[i, k] = rest
        new_labels[i] = k
        for place in range(k):
            if classes[place] == labels[i]:
                new_labels[i] = place


@for_both
def _interval(p: float, edges: Float) -> int:
    """``#{edges < p}`` of edges that rise about evenly from 0 to 1: the search starts where it should end."""
    b = len(edges) + 1
    k = min(max(int(p * b), 0), b - 1)
    while k > 0 and edges[k - 1] >= p:
        k -= 1
    while k < b - 1 and edges[k] < p:
        k += 1
    return k


@compiled_where_it_pays()
def interval_keys(probs: Float, first: int, last: int, edges: Float, keys: Int) -> None:
    """``key ← key·b + #{edges < p}`` over the columns from ``first`` to before ``last``."""
    b = len(edges) + 1
    for i in range(len(keys)):
        key = keys[i]
        for c in range(first, last):
            key = key * b + _interval(probs[i, c], edges)
        keys[i] = key


@compiled_where_it_pays()
def add_pairs(probs: Float, labels: Int, edges: Float, out: Float) -> None:
    """Per interval, as in :func:`interval_keys`, ``out (b, 4)``: cases, sums of both components, hits."""
    for i in range(len(labels)):
        p = probs[i, 0]
        k = _interval(p, edges)
        out[k, 0] += 1.0
        out[k, 1] += p
        out[k, 2] += probs[i, 1]
        out[k, 3] += labels[i] == 0


@compiled_where_it_pays()
def add_squares(x: Float, rows: Int, mean: Float, out: Float) -> None:
    """To every component's place in ``out`` the squared deviations of ``rows`` from their mean.

    ``mean``, given as 0, gets it.
    """
    for i in rows:
        for k in range(len(mean)):
            mean[k] += x[i, k]
    for k in range(len(mean)):
        mean[k] /= len(rows)
    for i in rows:
        for k in range(len(mean)):
            off = x[i, k] - mean[k]
            out[k] += off * off


@compiled_where_it_pays()
def add_rows(number: Int, place: Int, probs: Float, index: Int, sums: Float) -> None:
    """Per bin the sums of its cases' predictions; ``index = place[number]``."""
    for i in range(len(number)):
        b = place[number[i]]
        index[i] = b
        for k in range(probs.shape[1]):
            sums[b, k] += probs[i, k]


@compiled_where_it_pays()
def add_hits(index: Int, labels: Labels, out: Int) -> None:
    """``out[s, b, k]`` counts the cases of bin b with label k in the set s of ``labels (S, n)``."""
    for s in range(labels.shape[0]):
        for i in range(len(index)):
            out[s, index[i], labels[s, i]] += 1


@compiled_with_arrays
def add_distances(
    labels: Labels, rows: Int, starts: Int, counts: Int, mean: Float, totals: Float, out: Float
) -> None:
    """``out[s, b] = Σ_k |hits_k/counts_b − mean_bk|`` of the set s of ``labels (S, n)``.

    Of few cases only classes that happened in a bin are looked at; ``totals (n_bins,)`` is what ``mean`` adds
    up to. ``rows (n,)`` are the cases, bin after bin.
    """
    m = mean.shape[1]
    hits = np.zeros(m, np.int64)
    for b in range(len(counts)):
        few = counts[b] * _CLASSES_PER_CASE < m
        for s in range(labels.shape[0]):
            for i in range(starts[b], starts[b] + counts[b]):
                hits[labels[s, rows[i]]] += 1
            far = totals[b]
            if few:
                for i in range(starts[b], starts[b] + counts[b]):
                    k = labels[s, rows[i]]
                    if hits[k] > 0:
                        far += abs(hits[k] / counts[b] - mean[b, k]) - mean[b, k]
                        hits[k] = 0
            else:
                far = 0.0
                for k in range(m):
                    far += abs(hits[k] / counts[b] - mean[b, k])
                    hits[k] = 0
            out[s, b] = far


@compiled
def add_weights(weights: Float, labels: Labels, out: Float) -> None:
    """``out[s, k, j]`` adds up ``weights (n, J)`` of the cases with label k in set s of ``labels (S, n)``.

    0.2 ns a weight whatever the number of classes; a product with one-hot labels costs as much for each.
    """
    for i in range(weights.shape[0]):
        for s in range(labels.shape[0]):
            row = out[s, labels[s, i]]
            for j in range(weights.shape[1]):
                row[j] += weights[i, j]


@compiled
def add_resampled(
    index: Int, probs: Float, edges: Float, rows: Int, u: Float, counts: Int, sums: Float, hits: Int
) -> None:
    """Per bin the cases, predictions and labels, drawn as by :func:`.picking.pick`, of rows drawn (R, n)."""
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            row = rows[r, i]
            b = index[row]
            label = 0
            for k in range(edges.shape[1]):
                label += edges[row, k] <= u[r, i]
            counts[r, b] += 1
            hits[r, b, label] += 1
            for k in range(probs.shape[1]):
                sums[r, b, k] += probs[row, k]


@compiled
def add_drawn_pairs(
    words: NDArray[np.uint32], starts: Int, sizes: Int, draws: Int, chances: NDArray[np.uint64], out: Int
) -> None:
    """As many cases of every group as ``draws`` (R, G) says: ``out`` (R, G, 2) gets hits and chances.

    ``word·size/2³²`` is a place in the group and, behind the point, what the chance of a hit is
    compared with. ``chances`` (n,): that times 2³², also what is added up. The innermost loop has no branch
    and adds whole numbers only, so that it becomes vectors: 0.3 ns a draw.
    """
    offset = 0
    behind, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    unit, none = np.uint64(1), np.uint64(0)
    for g in range(len(starts)):
        size, mine = np.uint64(sizes[g]), chances[starts[g] : starts[g] + sizes[g]]
        for r in range(draws.shape[0]):
            part = words[offset : offset + draws[r, g]]
            hits, sums = none, none
            for i in range(len(part)):
                x = np.uint64(part[i]) * size
                p = mine[x >> half]
                hits += unit if (x & behind) < p else none
                sums += p
            offset += len(part)
            out[r, g, 0] = hits
            out[r, g, 1] = sums
