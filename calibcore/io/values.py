"""Cells of the columns of predictions -> (n, m) probabilities, with a sentence for whatever is wrong."""

from collections.abc import Sequence

import numpy as np

from calibcore.data.checks import SOFTMAX, SUM_AS_IS, leaving_out, list_rows
from calibcore.data.constructors import softmax
from calibcore.errors import InputError, Remedy
from calibcore.io.sums import scale_of
from calibcore.io.tables import Array, Table, as_numbers, is_empty, quoted
from calibcore.numerics.types import Float, Int

KINDS = ("auto", "probabilities", "percent", "logits", "log-probabilities")
_SAMPLE = 500
_LOGISTIC = Remedy("These look like logits: apply the logistic function", {"values": "logits"})
_PERCENT = Remedy("These are percentages: divide them by 100", {"values": "percent"})


def read_values(table: Table, columns: Sequence[int]) -> Array:
    """(n, m) numbers as the file has them, narrow floats kept.

    Raises
    ------
    InputError : a cell is empty, not finite, or no number.
    """
    parts = [as_numbers(table.columns[j], table.decimal)[0] for j in columns]
    unreadable = [np.flatnonzero(~np.isfinite(part)) for part in parts]
    rows = np.unique(np.concatenate(unreadable))
    if len(rows):
        sets = [set(bad.tolist()) for bad in unreadable]

        def describe(i: int) -> str:
            at = next(k for k, bad in enumerate(sets) if i in bad)
            cell, where = table.columns[columns[at]].iloc[i], table.where(columns[at])
            number = parts[at][i]
            if not np.isnan(number):
                return f"has {number} in {where}"
            return f"{table.missing} in {where}" if is_empty(cell) else f"has {quoted(cell)} in {where}"

        raise InputError(
            f"{list_rows(rows, describe)} Expected a number in every cell.", leaving_out(rows, table.n)
        )
    if len({part.dtype for part in parts}) > 1:  # narrow floats are decimals, which widening would hide
        parts = [_widened(part) for part in parts]
    return np.column_stack(parts)


def _widened(values: Array, scale: int = 1) -> Float:
    """float64; narrow floats that are rounded decimals become those decimals, as ``Predictions`` reads them.

    ``scale`` 100: percent, which have two decimals less.
    """
    out = values.astype(np.float64)
    if values.dtype.kind == "f" and values.dtype.itemsize < 8:
        decimals = (6 if values.dtype.itemsize == 4 else 3) - (2 if scale == 100 else 0)
        rounded = np.round(out, decimals)
        out = np.where(rounded.astype(values.dtype) == values, rounded, out)
    return out


def _hundredths(percent: Float) -> Float:
    """Percent as probabilities: 17.6 becomes 0.176, which 17.6 / 100 in floating point is not."""
    out = percent / 100
    rounded = np.round(out, 12)
    near: Float = np.where(np.abs(rounded - out) < 1e-15, rounded, out)
    return near


def rough_probabilities(sample: Float, kind: str) -> Float:
    """(r, m) numbers of a sample as probabilities of m classes, of two if m is 1; rows that hold none as
    equal ones. Nothing is checked.
    """
    m = sample.shape[1]
    with np.errstate(all="ignore"):
        if kind == "percent":
            probs = sample / 100
        elif kind == "log-probabilities":
            probs = np.exp(sample)
        elif kind == "logits":
            probs = softmax(sample) if m > 1 else _sigmoid(sample)
        else:
            probs = sample.copy()
        probs = probs / probs.sum(axis=1, keepdims=True) if m > 1 else np.column_stack([probs, 1 - probs])
    probs[~np.isfinite(probs).all(axis=1)] = 1 / max(m, 2)
    return probs


def to_probabilities(
    values: Array, table: Table, columns: Sequence[int], kind: str, why: str, renormalise: bool
) -> tuple[Array, tuple[str, ...]]:
    """(n, m) finite numbers -> probabilities, and sentences about it.

    One column (m = 1) holds the probabilities of the positive class and stays one column.

    Raises
    ------
    InputError : outside 0 to 1 (0 to 100).
    """
    if kind == "logits":
        if values.shape[1] == 1:
            return _sigmoid(_widened(values)), ("The logistic function was applied to the scores.",)
        notes: tuple[str, ...] = ("Softmax was applied to the scores.",)
        if (values >= 0).all() and scale_of(values.astype(np.float64)) == 1:
            notes += ("The numbers already were probabilities: check that they are logits.",)
        return softmax(_widened(values)), notes
    if kind == "log-probabilities":
        return _exponentials(values, table, columns), (
            f"The values are logarithms of probabilities ({why}).",
        )
    high = 100.0 if kind == "percent" else 1.0
    _refuse_range(values, table, columns, high, renormalise and values.shape[1] > 1)
    if kind == "percent":
        why = why or f"they go up to {values.max():.6g}"
        return _hundredths(_widened(values, 100)), (percent_note(why),)
    return values, ()


def _exponentials(values: Array, table: Table, columns: Sequence[int]) -> Float:
    rows = np.flatnonzero((values > SUM_AS_IS).any(axis=1))
    if len(rows):
        where = list_rows(
            rows, lambda i: f"has {values[i].max():.6g} in {table.where(columns[int(np.argmax(values[i]))])}"
        )
        raise InputError(
            f"{where} Expected logarithms of probabilities, which are 0 or less.", leaving_out(rows, table.n)
        )
    with np.errstate(under="ignore"):
        return np.exp(np.minimum(_widened(values), 0))


def percent_note(why: str) -> str:
    """The sentence that says so."""
    return f"The values are percent ({why}) and were divided by 100."


def _refuse_range(values: Array, table: Table, columns: Sequence[int], high: float, any_height: bool) -> None:
    bad = values < 0
    if not any_height:
        bad |= values > high * (1 + SUM_AS_IS)
    rows: Int = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return

    def describe(i: int) -> str:
        k = int(np.argmax(bad[i]))
        return f"has {values[i, k]:.6g} in {table.where(columns[k])}"

    where, remedies = list_rows(rows, describe), leaving_out(rows, table.n)
    if high == 100:
        raise InputError(f"{where} Expected percentages from 0 to 100.", remedies)
    if 2 * len(rows) > table.n:
        scores = SOFTMAX if values.shape[1] > 1 else _LOGISTIC
        remedies = (scores, _PERCENT) if (values >= 0).all() and (values <= 100).all() else (scores,)
    raise InputError(f"{where} Expected probabilities from 0 to 1.", remedies)


def _sigmoid(scores: Float) -> Float:
    """1 / (1 + e^-x), without overflow."""
    small = np.exp(-np.abs(scores))
    out: Float = np.where(scores >= 0, 1.0, small) / (1 + small)
    return out
