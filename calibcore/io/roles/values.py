"""What the numbers of predictions are, and cells -> (n, m) probabilities; a sentence for what is wrong."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from calibcore.column_names.name_words import tokens
from calibcore.data.arrays import widened
from calibcore.data.checks import CLIPPED
from calibcore.data.logits import softmax
from calibcore.data.row_numbers import leaving_out, list_rows, row_number
from calibcore.data.sums import DIVIDE, ENOUGH_ALIKE, SOFTMAX, SUM_AS_IS, all_alike, highest_divided
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles.cumulative import cumulative, direction
from calibcore.io.roles.large_numbers import as_something_else
from calibcore.io.roles.look import Look
from calibcore.io.roles.sums import scale_of, share_of_logarithms
from calibcore.io.tables import Array, Table, capitalised, is_empty, is_number_column, number_in
from calibcore.numerics.types import Float, Int
from calibcore.wording import quote

ASK_COLUMNS = Remedy("Say which columns are the predictions", asks="probability_columns")
_LOGISTIC = Remedy("These look like logits: apply the logistic function", {"values": "logits"})


@dataclass(frozen=True)
class Kind:
    """What numbers are: one of ``KINDS`` but auto, why, and why a person is asked all the same."""

    name: str
    why: str = ""
    doubt: str = ""

    @property
    def words(self) -> str:
        """The same as a button says it."""
        return f"The numbers are {self.name.replace('log-', 'logarithms of ')}"


def kinds_of(look: Look, columns: Sequence[int], options: ReadOptions) -> tuple[Kind, ...]:
    """What the numbers of these columns may be; two kinds are a question, and so is a doubt.

    :class:`InputError` if they are scores, or some are written with a percent sign and others without.
    """
    if options.values != "auto":
        return (Kind(options.values, "as asked"),)
    signed = written_with_percent(look.table, columns)
    part = look.sample[:, list(columns)]
    part = part[np.isfinite(part).all(axis=1)]
    if not len(part):
        return (Kind("probabilities"),)  # every row is refused, and named, when it is read
    if signed:
        return (Kind("percent", "written with %"),)
    if len(columns) == 1:
        return _kinds_of_one(look.numbers(columns[0]), look, columns[0])
    return (_kind_of_many(part, look.table, columns, options.renormalise),)


def written_with_percent(table: Table, columns: Sequence[int]) -> bool:
    """Whether the numbers are written with "%"."""
    signed = [not is_number_column(table.columns[j]) and _has_percent_signs(table, j) for j in columns]
    if len(set(signed)) > 1:
        with_sign, without = (table.where(columns[signed.index(with_sign)]) for with_sign in (True, False))
        raise InputError(
            f"The numbers of {with_sign} are written with a percent sign, and those of {without} without. "
            "Expected one of both in all columns of predictions."
        )
    return signed[0]


def _has_percent_signs(table: Table, j: int) -> bool:
    cells = table.columns[j].tolist()
    signs: dict[bool, str] = {}
    for i, cell in enumerate(cells):
        text = str(cell).strip()
        if number_in(text, table.decimal) is not None:
            signs.setdefault(text.endswith("%"), f"row {row_number(i)} has {quote(cell)}")
    if len(signs) < 2:
        return True in signs
    both = " and ".join(signs.values())
    raise InputError(
        f"{capitalised(both)} in {table.where(j)}. Expected a percent sign in every cell, or in none."
    )


def _kind_of_many(values: Float, table: Table, columns: Sequence[int], renormalise: bool) -> Kind:
    """What (r, m) numbers of a sample are; :class:`InputError` for scores."""
    scale = scale_of(values)
    if scale == 100:
        return Kind("percent", "rows sum to about 100")
    if scale == 1 or (renormalise and (values >= 0).mean() > 0.5):
        return Kind("probabilities")
    if share_of_logarithms(values) >= 0.5:
        return Kind("log-probabilities", "their exponentials sum to 1")
    raise _scores(table, columns)


def _scores(table: Table, columns: Sequence[int]) -> InputError:
    """The numbers are neither: they may be scores."""
    values = read_values(table, columns).astype(np.float64)
    if steps := direction(values):
        return cumulative(table, columns, steps)
    sums, (n, m) = values.sum(axis=1), values.shape
    off = np.flatnonzero((np.abs(sums - 1) > 0.02) & (np.abs(sums - 100) > 2))
    negative = np.flatnonzero((values < 0).any(axis=1))
    row = int([*negative, *off, 0][0])
    if len(negative):
        first = int(np.argmax(values[row] < 0))
        where = (
            f"{len(negative):,} of {n:,} rows have negative values (row {row_number(row)} has "
            f"{values[row, first]:.6g} in {table.where(columns[first])})"
        )
    else:
        where = (
            f"{len(off):,} of {n:,} rows sum neither to 1 nor to 100 (row {row_number(row)} sums to "
            f"{sums[row]:.6g})"
        )
    large = as_something_else(values.ravel())
    named = list(map(table.where, columns))
    which = ", ".join(named if m <= 6 else [*named[:4], f"… ({m:,} columns)", named[-1]])
    return InputError(
        f"{where}. Expected probabilities; these look like {large or 'scores'}. Check that these are the "
        f"columns of predictions: {which}.",
        _advice_for_large(negative) if large else _advice(sums, bool(len(negative))),
    )


_ALIKE, _NEAR_ONE = 1e-4, 0.1
"""Sums that differ by so little, so near to 1, are those of probabilities that somebody multiplied."""


def _advice_for_large(negative: Int) -> tuple[Remedy, ...]:
    """What to do with numbers that are too large for scores: counts may be shares of their sum."""
    return (ASK_COLUMNS,) if len(negative) else (ASK_COLUMNS, DIVIDE)


def _advice(sums: Float, negative: bool) -> tuple[Remedy, ...]:
    """What to do with rows that do not add up, the likelier first."""
    if negative or (sums <= 0).any():
        return (SOFTMAX,)
    multiplied = np.ptp(sums) <= _ALIKE and abs(sums[0] - 1) <= _NEAR_ONE and len(sums) >= ENOUGH_ALIKE
    return (DIVIDE, SOFTMAX) if multiplied else (SOFTMAX, DIVIDE)


def _kinds_of_one(values: Float, look: Look, j: int) -> tuple[Kind, ...]:
    """What the numbers of one column may be; two kinds are a question, and so is a doubt."""
    where, name = look.table.where(j), look.parsed[j]
    if name.speaks_of_scores or "margin" in {token.text for token in tokens(name.text)}:
        return _kinds_of_named_scores(values, where, name.role)
    if np.mean((values >= 0) & (values <= 1)) >= 0.5:
        if not name.percent:
            return (Kind("probabilities"),)
        if values.max() > 1:
            return (Kind("percent", "because of the name"),)
        doubt = f"The name of {where} says percent, and none of its values is above 1."
        return Kind("percent", "", doubt), Kind("probabilities", "", doubt)
    if np.mean((values >= 0) & (values <= 100)) >= 0.9:
        if name.percent or (name.speaks_of_predictions and name.strong):  # "lung score" may be of anything
            return (Kind("percent"),)
        doubt = f"The values of {where} go up to {values.max():.6g}, as percentages do, and nothing says so."
        return (Kind("percent", "", doubt),)
    raise _no_probabilities(values, where)


def _no_probabilities(values: Float, where: str) -> InputError:
    if large := as_something_else(values):
        return InputError(
            f"The values of {where} go from {values.min():.10g} to {values.max():.10g}. Expected "
            f"probabilities from 0 to 1; these look like {large}.",
            (ASK_COLUMNS,),
        )
    return InputError(
        f"The values of {where} go from {values.min():.6g} to {values.max():.6g}. Expected "
        "probabilities from 0 to 1; these look like scores.",
        (_LOGISTIC,),
    )


def _kinds_of_named_scores(values: Float, where: str, role: str) -> tuple[Kind, ...]:
    """The same of a column that is called as logits or logarithms are, whatever its values are."""
    low, high = values.min(), values.max()
    called = (
        f"{capitalised(where)} is called as {'logarithms' if role == 'log' else 'scores'} are, and its values"
    )
    if low >= 0 and high <= 1:
        doubt = f"{called} go from {low:.6g} to {high:.6g}, as probabilities do."
        kinds = () if role == "log" else (Kind("logits", "", doubt),)
        return (Kind("probabilities", "", doubt), *kinds)
    if role == "log" and high <= 0:
        doubt = f"{called} are 0 or less: they may be logarithms of probabilities, or logits."
        return Kind("log-probabilities", "", doubt), Kind("logits", "", doubt)
    raise _no_probabilities(values, where)


_PERCENT = Remedy("These are percentages: divide them by 100", {"values": "percent"})


def read_values(table: Table, columns: Sequence[int]) -> Array:
    """(n, m) numbers as the file has them, narrow floats kept.

    :class:`InputError` for a cell that is empty, not finite, or no number.
    """
    parts = [table.numbers(j) for j in columns]
    rows = np.unique(np.concatenate([np.flatnonzero(~np.isfinite(part)) for part in parts]))
    if len(rows):

        def describe(i: int) -> str:
            k = next(k for k, part in enumerate(parts) if not np.isfinite(part[i]))
            cell, where = table.columns[columns[k]].iloc[i], table.where(columns[k])
            if not np.isnan(parts[k][i]):
                return f"has {parts[k][i]} in {where}"
            return f"{table.missing} in {where}" if is_empty(cell) else f"has {quote(cell)} in {where}"

        raise InputError(
            f"{list_rows(rows, describe)} Expected a number in every cell.", leaving_out(rows, table.n)
        )
    if len({part.dtype for part in parts}) > 1:  # narrow floats are decimals, which widening would hide
        parts = [widened(part) for part in parts]
    return np.column_stack(parts)


def hundredths(percent: Float) -> Float:
    """Percent as probabilities: 17.6 becomes 0.176, which 17.6 / 100 in floating point is not."""
    out = percent / 100
    rounded = np.round(out, 12)
    return np.where(np.abs(rounded - out) < 1e-15, rounded, out)


def both_classes(positive: Float) -> Float:
    """(n, 1) or (n,) probabilities of the positive class -> (n, 2): as everywhere, it stands last."""
    wide = widened(positive)  # 1 − p of a narrow float would not be the rest to 1
    return np.column_stack([1 - wide, wide])


def rough_probabilities(sample: Float, kind: str) -> Float:
    """(r, m) numbers of a sample as probabilities of m classes, of two if m is 1; rows that hold none as
    equal ones. Nothing is checked.
    """
    m = sample.shape[1]
    with np.errstate(all="ignore"):
        if kind == "log-probabilities":
            probs = np.exp(sample)
        elif kind == "logits":
            probs = softmax(sample) if m > 1 else _sigmoid(sample)
        else:
            probs = sample / (100 if kind == "percent" else 1)
        probs = probs / probs.sum(axis=1, keepdims=True) if m > 1 else both_classes(probs)
    probs[~np.isfinite(probs).all(axis=1)] = 1 / max(m, 2)
    return probs


def to_probabilities(
    values: Array, table: Table, columns: Sequence[int], kind: str, why: str, renormalise: bool
) -> tuple[Array, tuple[str, ...]]:
    """(n, m) finite numbers -> (n, m) probabilities, and sentences about it.

    One column holds the probabilities of the positive class of two. :class:`InputError` for numbers outside 0
    to 1 (0 to 100).
    """
    single = values.shape[1] == 1
    probs, notes = values, list[str]()
    if kind == "logits":
        probs = _sigmoid(widened(values)) if single else softmax(widened(values))
        notes.append(f"{'The logistic function' if single else 'Softmax'} was applied to the scores.")
        if not single and (values >= 0).all() and scale_of(values.astype(np.float64)) == 1:
            notes.append("The numbers already were probabilities: check that they are logits.")
    elif kind == "log-probabilities":
        probs = _exponentials(values, table, columns)
        notes.append(f"The values are logarithms of probabilities ({why}).")
    else:
        _refuse_range(values, table, columns, kind == "percent", renormalise and not single)
    if kind == "percent":
        probs = hundredths(widened(values, 100))
        why = why or f"they go up to {values.max():.6g}"
        notes.append(f"The values are percent ({why}) and were divided by 100.")
    return (both_classes(probs) if single else probs), tuple(notes)


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
        return np.exp(np.minimum(widened(values), 0))


@contextmanager
def errors_of(kind: str) -> Iterator[None]:
    """Inside, errors about probabilities say of what ``kind`` the numbers were."""
    try:
        yield
    except InputError as error:
        if kind != "percent":
            raise
        raise error.reworded(f"{error} The values are percent and were divided by 100 first.") from None


def _refuse_range(
    values: Array, table: Table, columns: Sequence[int], percent: bool, any_height: bool
) -> None:
    most = 100.0 if percent else 1.0
    bad = values < -CLIPPED * most
    over = SUM_AS_IS if values.shape[1] > 1 else CLIPPED
    bad |= values > (highest_divided(values, most) if any_height else most * (1 + over))
    rows: Int = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        sums = values.astype(np.float64).sum(axis=1) / most
    if not (values < -CLIPPED * most).any() and all_alike(len(sums), sums.min(), sums.max()):
        return  # all are divided by it

    def describe(i: int) -> str:
        k = int(np.argmax(bad[i]))
        return f"has {values[i, k]:.6g} in {table.where(columns[k])}"

    where, remedies = list_rows(rows, describe), leaving_out(rows, table.n)
    if percent:
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
