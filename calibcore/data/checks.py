"""Probabilities as they are given: numbers from 0 to 1, a row a case and a column a class."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, numbers_in, widened
from calibcore.data.decimals import parts_of_rows, rest_to_1
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.data.sums import SOFTMAX, SUM_ALIKE, SUM_AS_IS, all_alike, highest_divided
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.wording import quote

CLIPPED = 1.001e-6
"""Values so far outside 0 to 1, about a millionth, come from arithmetic: they are set to 0 or 1, and that is
said."""
JOIN_BATCHES = " Join batches to one array first (numpy.concatenate, torch.cat)."


def as_probabilities(probs: ArrayLike) -> Float:
    """A fresh C-ordered float64 copy; narrow floats that are rounded decimals become those decimals.

    One number a case, (n,) or (n, 1), is the probability of the second of two classes.
    """
    given = numbers_in(as_array(probs, "predictions"))
    if of_event(given):
        return both_classes(given.reshape(-1))
    if given.ndim != 2:
        dimensions = "dimension" if given.ndim == 1 else "dimensions"
        raise InputError(
            f"The predictions have {given.ndim} {dimensions}; expected 2, a row a case and a column a class."
            f"{JOIN_BATCHES * (given.ndim == 3)}"
        )
    _check_numbers(given)
    if not given.shape[1]:
        raise InputError("There are no columns of probabilities; expected one a class.")
    return widened(given)


def _check_numbers(given: NDArray[Any]) -> None:
    if given.dtype.kind not in "fiub":
        raise InputError(f"The predictions are of type {given.dtype}; expected numbers.")
    if len(given) < 1:
        raise InputError("There are no cases; expected at least one row of predictions.")


def of_event(given: NDArray[Any]) -> bool:
    """Whether there is one number a case: of the second of two classes, as scikit-learn has it."""
    return given.dtype.names is None and (given.ndim == 1 or given.shape[1:] == (1,))


def both_classes(given: NDArray[Any]) -> Float:
    """(n, 2) of the probability of the second class of each case, 0 to 1.

    Raises
    ------
    InputError : no numbers, or numbers outside 0 to 1.
    """
    _check_numbers(given)
    p = widened(given)
    bad = np.flatnonzero(~(np.isfinite(p) & (p >= -CLIPPED) & (p <= 1 + CLIPPED)))
    if len(bad):
        finite = bool(np.isfinite(p).all())
        more = ""
        if finite and p.min() >= 0 and 1.5 < p.max() <= 100:
            more = " Divide per cent by 100."
        elif finite and 2 * len(bad) > len(p):
            more = " If these are logits, give them to Predictions.from_logits."
        rows = list_rows(bad, lambda i: f"has {p[i]:.6g}")
        raise InputError(
            f"{rows} One number a case is the probability of the second class; expected 0 to 1.{more}"
        )
    return np.column_stack([rest_to_1(p), p])


def snapped(values: Float) -> Float:
    """A copy in which what :func:`clip` would set to 0 or 1 is so, of percentages to 0 or 100: to tell by it
    what numbers are. NaN stays."""
    scale = 100.0 if (values > 1 + CLIPPED).any() else 1.0
    hair = CLIPPED * scale
    low, high = (values < 0) & (values >= -hair), (values > scale) & (values <= scale + hair)
    return np.where(low, 0.0, np.where(high, scale, values))


def refuse_transposed(g: Float, labels: NDArray[Any]) -> None:
    """InputError if (m, n) predictions or logits come with n labels, and no rows that sum to 1."""
    n, m = g.shape
    if labels.ndim != 1 or len(labels) == n or len(labels) != m:
        return
    with np.errstate(invalid="ignore", over="ignore"):
        of_rows, of_columns = (bool((np.abs(g.sum(axis=k) - 1) < _NEAR).all()) for k in (1, 0))
        of_columns = of_columns and n > 1 and bool((g >= 0).all())
    if of_rows:
        return
    why = "look transposed, as their columns sum to 1" if of_columns else "may be transposed"
    raise InputError(
        f"There are {n:,} rows of predictions and {m:,} labels; expected the same number of both. The "
        f"predictions have {m:,} columns and {why}: give them with a row a case and a column a class "
        "(probs.T)."
    )


_NEAR = 0.02
"""How far from 1 sums may be that speak of rows and columns that changed places."""


def clip(g: Float, renormalise: bool) -> tuple[int, float]:
    """Set, in place, what is outside 0 to 1 by arithmetic alone; returns in how many rows, and by how much.

    Where rows are divided by their sum, above 1 is not outside.
    """
    rows, furthest = 0, 0.0
    high = 1.0 if renormalise else 1 + CLIPPED
    for part in parts_of_rows(g):
        over = np.maximum(-part, part - 1)
        near = ((part < 0) & (part >= -CLIPPED)) | ((part > 1) & (part <= high))
        if near.any():
            rows += int(np.count_nonzero(near.any(axis=1)))
            furthest = max(furthest, float(over[near].max()))
            np.copyto(part, np.clip(part, 0, 1), where=near)
    return rows, furthest


def clipped_note(rows: int, furthest: float) -> tuple[str, ...]:
    """The sentence on what :func:`clip` did, if it did anything."""
    if not rows:
        return ()
    which = "1 row" if rows == 1 else f"{rows:,} rows"
    return (f"{which} had values outside 0 to 1, by {furthest:.2g} at most: they were set to 0 or 1.",)


def check_range(g: Float, names: tuple[str, ...], renormalise: bool) -> None:
    high = highest_divided(g) if renormalise else 1 + SUM_AS_IS
    if all(bool(((part >= 0) & (part <= high) & (part < np.inf)).all()) for part in parts_of_rows(g)):
        return
    finite = np.isfinite(g)
    with np.errstate(over="ignore"):
        sums = g.sum(axis=1, where=finite)
    if all_alike(len(g), sums.min(), sums.max()):  # all are divided by it
        high = max(high, 1 + SUM_ALIKE)
    bad = ~(finite & (g >= 0) & (g <= high))
    rows = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return

    def describe(i: int) -> str:
        k = int(np.flatnonzero(bad[i])[0])
        return f"has {g[i, k]:.6g} in column {quote(names[k])}"

    scores = finite[rows].all() and 2 * len(rows) > len(g)
    remedies = (SOFTMAX,) if scores else leaving_out(rows, len(g))
    raise InputError(f"{list_rows(rows, describe)} Expected probabilities from 0 to 1.", remedies)
