"""Cells of the columns of predictions -> (n, m) probabilities, with a sentence for whatever is wrong."""

from collections.abc import Sequence

import numpy as np

from calibcore.checks import (
    DIVIDE,
    SOFTMAX,
    SUM_AS_IS,
    Float,
    InputError,
    Int,
    decimals_used,
    leaving_out,
    list_rows,
    row_number,
)
from calibcore.errors import Remedy
from calibcore.io.tables import Array, Table, as_numbers, is_empty, is_number_column, quoted

KINDS = ("auto", "probabilities", "percent", "logits")
_SAMPLE = 500
_LOGISTIC = Remedy("These look like logits: apply the logistic function", {"values": "logits"})
_PERCENT = Remedy("These are percentages: divide them by 100", {"values": "percent"})


def share_that_adds_up(sample: Float, scale: int) -> float:
    """Share of the finite rows of (r, m) that sum to about ``scale``, without negative values."""
    rows = sample[(np.abs(sample) < 1e9).all(axis=1)]  # NaN and what would overflow are no probabilities
    if not len(rows):
        return 0.0
    decimals = decimals_used(rows / scale)
    rounding = rows.shape[1] * 0.5 * 10.0**-decimals if decimals else 0.0
    near = np.abs(rows.sum(axis=1) / scale - 1) <= max(0.02, min(rounding, 0.25))
    return float(np.mean(near & (rows >= 0).all(axis=1)))


def scale_of(sample: Float) -> int | None:
    """1 or 100 if at least half of the rows of (r, m) sum to about that."""
    return next((scale for scale in (1, 100) if share_that_adds_up(sample, scale) >= 0.5), None)


def read_values(table: Table, columns: Sequence[int]) -> tuple[Array, bool]:
    """(n, m) numbers as the file has them, narrow floats kept; whether they are written with "%".

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
    return np.column_stack(parts), _written_with_percent(table, columns)


def _written_with_percent(table: Table, columns: Sequence[int]) -> bool:
    texts = [table.columns[j] for j in columns if not is_number_column(table.columns[j])]
    return bool(texts) and all(str(text.iloc[0]).rstrip().endswith("%") for text in texts)


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


def to_probabilities(
    values: Array, table: Table, columns: Sequence[int], asked: str, renormalise: bool, percent_sign: bool
) -> tuple[Array, str, tuple[str, ...]]:
    """(n, m) finite numbers -> probabilities, what the numbers were, and sentences about it.

    One column (m = 1) holds the probabilities of the positive class and stays one column.

    Raises
    ------
    InputError : outside 0 to 1 (0 to 100), or scores that nobody said are logits.
    """
    kind = asked
    if asked == "auto":
        kind = "percent" if percent_sign else kind_of(values, table, columns, renormalise)
    if kind == "logits":
        if values.shape[1] == 1:
            return _sigmoid(_widened(values)), kind, ("The logistic function was applied to the scores.",)
        notes: tuple[str, ...] = ("Softmax was applied to the scores.",)
        if (values >= 0).all() and scale_of(values.astype(np.float64)) == 1:
            notes += ("The numbers already were probabilities: check that they are logits.",)
        return _softmax(_widened(values)), kind, notes
    high = 100.0 if kind == "percent" else 1.0
    _refuse_range(values, table, columns, high, renormalise and values.shape[1] > 1)
    if kind == "percent":
        why = "rows sum to about 100" if values.shape[1] > 1 else f"they go up to {values.max():.6g}"
        why = "as asked" if asked == "percent" else "written with %" if percent_sign else why
        return _hundredths(_widened(values, 100)), kind, (percent_note(why),)
    return values, kind, ()


def percent_note(why: str) -> str:
    """The sentence that says so."""
    return f"The values are percent ({why}) and were divided by 100."


def kind_of(values: Array, table: Table, columns: Sequence[int], renormalise: bool) -> str:
    """What (n, m) numbers are, "percent" or "probabilities"; :class:`InputError` for scores."""
    n, m = values.shape
    if m == 1:
        return _kind_of_one(values[:, 0], table, columns[0])
    rows = np.unique(np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64))
    scale = scale_of(values[rows].astype(np.float64))
    if scale == 100:
        return "percent"
    if scale == 1 or (renormalise and (values >= 0).mean() > 0.5):
        return "probabilities"
    sums = values.sum(axis=1, dtype=np.float64)
    off = np.flatnonzero((np.abs(sums - 1) > 0.02) & (np.abs(sums - 100) > 2))
    negative = np.flatnonzero((values < 0).any(axis=1))
    if len(negative):
        first = int(np.flatnonzero(values[negative[0]] < 0)[0])
        found = (
            f"{len(negative):,} of {n:,} rows have negative values (row {row_number(int(negative[0]))} has "
            f"{values[negative[0], first]:.6g} in {table.where(columns[first])})"
        )
    else:
        row = int(off[0]) if len(off) else 0
        found = (
            f"{len(off):,} of {n:,} rows sum neither to 1 nor to 100 (row {row_number(row)} sums to "
            f"{sums[row]:.6g})"
        )
    which = ", ".join(table.where(j) for j in columns[:5]) + (", …" if m > 5 else "")
    raise InputError(
        f"{found}. Expected probabilities; these look like scores. Check that these are the columns of "
        f"predictions: {which}.",
        (SOFTMAX,) if len(negative) or (sums <= 0).any() else (SOFTMAX, DIVIDE),
    )


def _kind_of_one(values: Array, table: Table, column: int) -> str:
    if np.mean((values >= 0) & (values <= 1)) >= 0.5:
        return "probabilities"
    if np.mean((values >= 0) & (values <= 100)) >= 0.9:
        return "percent"
    raise InputError(
        f"The values of {table.where(column)} go from {values.min():.6g} to {values.max():.6g}. Expected "
        "probabilities from 0 to 1; these look like scores.",
        (_LOGISTIC,),
    )


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

    found, remedies = list_rows(rows, describe), leaving_out(rows, table.n)
    if high == 100:
        raise InputError(f"{found} Expected percentages from 0 to 100.", remedies)
    if 2 * len(rows) > table.n:
        scores = SOFTMAX if values.shape[1] > 1 else _LOGISTIC
        remedies = (scores, _PERCENT) if (values >= 0).all() and (values <= 100).all() else (scores,)
    raise InputError(f"{found} Expected probabilities from 0 to 1.", remedies)


def _softmax(scores: Float) -> Float:
    """Softmax of each row, without overflow."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    out: Float = shifted / shifted.sum(axis=1, keepdims=True)
    return out


def _sigmoid(scores: Float) -> Float:
    """1 / (1 + e^-x), without overflow."""
    small = np.exp(-np.abs(scores))
    out: Float = np.where(scores >= 0, 1.0, small) / (1 + small)
    return out
