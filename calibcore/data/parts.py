"""What predictions are made of, as compiled code takes it, and which of their rows somebody asks for."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibcore.data.arrays import as_array, numbers_in, widened
from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

SAMPLE_SEED = 0
T = TypeVar("T", bound=NDArray[Any])


def contents(probs: Any, labels: Any, m: int) -> tuple[Float, Int]:
    """(n, m) float64 in rows and (n,) int64 within 0..m-1, both read-only; the arrays themselves if they fit.

    Values of ``probs`` are not looked at: a lens may cut a row, and what it keeps is its own affair.
    Cost O(n), O(nm) where something is cast.

    Raises
    ------
    InputError : other shapes, numbers of another kind, labels that are none.
    """
    g, y = numbers_in(as_array(probs, "probabilities")), numbers_in(as_array(labels, "labels"))
    if g.ndim != 2 or g.shape[1] != m or y.shape != g.shape[:1]:
        raise InputError(
            f"Probabilities of the shape {g.shape} and labels of the shape {y.shape} make no predictions "
            f"over {m:,} {'class' if m == 1 else 'classes'}; expected (n, {m}) and (n,)."
        )
    if g.dtype != np.float64:
        # Of half precision a row no longer sums to what it did.
        if g.dtype.kind not in "fiub" or (g.dtype.kind == "f" and g.dtype.itemsize < 4):
            raise InputError(f"The probabilities are of type {g.dtype}; expected float64.")
        g = widened(g)
    return _read_only(np.ascontiguousarray(g)), _read_only(_numbered(y, m))


def _numbered(labels: NDArray[Any], m: int) -> Int:
    """(n,) int64 in one piece; truth values and whole numbers of any kind are cast."""
    kind = labels.dtype.kind
    if kind not in "iubf" or (kind == "f" and not (labels == np.floor(labels)).all()):
        raise InputError(
            f"The labels are of type {labels.dtype}; expected whole numbers from 0 to {m - 1}, one a case."
        )
    outside = np.flatnonzero((labels < 0) | (labels >= m))
    if len(outside):
        rows = list_rows(outside, lambda i: f"has label {labels[i]}")
        raise InputError(f"{rows} Expected labels from 0 to {m - 1}.")
    return np.ascontiguousarray(labels, np.int64)


def _read_only(array: T) -> T:
    """The array itself where nobody can write to it, else a view of it that refuses."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def rows_of(rows: Any, n: int) -> "slice | Int":
    """The rows, from 0, that a slice, a mask or whole numbers name among n.

    Raises
    ------
    InputError : what names no row, or one that is not there.
    """
    if isinstance(rows, slice):
        try:
            chosen = range(n)[rows]
        except (TypeError, ValueError):
            raise InputError(f"The rows are {shown(rows)}; expected a slice of whole numbers.") from None
        if not chosen:
            raise InputError(f"The rows {shown(rows)} are none of {n:,}; expected at least one.")
        return rows
    given = as_array(rows, "rows")
    if given.ndim != 1:
        which = f"p[{given}:{int(given) + 1}]" if given.ndim == 0 and given.dtype.kind in "iu" else "p[3:4]"
        raise InputError(
            f"The rows are {shown(rows)}; expected a slice, a mask or a list of numbers. One case is {which}."
        )
    given = numbers_in(given)
    if given.dtype.kind == "b":
        if len(given) != n:
            raise InputError(
                f"The mask of rows has the length {len(given):,}; expected {n:,}, a truth value a case."
            )
        given = np.flatnonzero(given)
    if not len(given):
        raise InputError(f"No row was asked for; expected at least one of {n:,}.")
    if given.dtype.kind not in "iu":
        raise InputError(f"The rows are of type {given.dtype}; expected truth values or whole numbers.")
    outside = np.flatnonzero((given >= n) | (given < -n))
    if len(outside):
        raise InputError(f"There is no row {given[outside[0]]:,}; expected numbers from {-n:,} to {n - 1:,}.")
    return given.astype(np.int64)


def rows_of_sample(n: int, cases: int, total: int, seed: int = SAMPLE_SEED) -> Int:
    """(n,) rising rows, out of ``cases`` that were themselves drawn out of ``total`` in this way."""
    chosen = np.random.default_rng(seed).permutation(total)
    rows: Int = np.searchsorted(np.sort(chosen[:cases]), np.sort(chosen[:n]))
    return rows
