"""Scores before the softmax."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.data.checks import JOIN_BATCHES
from calibcore.data.row_numbers import list_rows
from calibcore.data.sums import SUM_AS_IS
from calibcore.errors import InputError
from calibcore.numerics.types import Float


def softmax(scores: Float) -> Float:
    """Softmax of each row, without overflow."""
    with np.errstate(over="ignore"):  # farther apart than doubles go: e^−∞ is 0
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    out: Float = shifted / shifted.sum(axis=1, keepdims=True)
    return out


def checked_logits(given: NDArray[Any], event: bool) -> Float:
    """(n, m) finite numbers; InputError says what else they are."""
    if given.ndim != 2:
        raise InputError(
            f"The logits have {given.ndim} dimensions; expected 2, a row a case and a column a class."
            f"{JOIN_BATCHES * (given.ndim == 3)}"
        )
    if given.dtype.kind not in "fiu":
        raise InputError(f"The logits are of type {given.dtype}; expected numbers.")
    scores = given.astype(np.float64)
    if not len(scores):
        raise InputError("There are no cases; expected at least one row of logits.")
    bad = ~np.isfinite(scores)
    if len(rows := np.flatnonzero(bad.any(axis=1))):

        def describe(i: int) -> str:
            k = int(np.argmax(bad[i]))
            return f"has {scores[i, k]} in column {k + 1}"

        raise InputError(f"{list_rows(rows, describe)} Expected finite numbers.")
    if (
        (scores >= 0).all()
        and (scores <= 1).all()
        and (event or (np.abs(scores.sum(axis=1) - 1) <= SUM_AS_IS).all())
    ):
        why = "all lie between 0 and 1" if event else "every row sums to 1"
        raise InputError(f"These are probabilities already: {why}. Give them to Predictions.from_arrays.")
    return scores
