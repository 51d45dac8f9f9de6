"""What the numbers are: probabilities, percent, logarithms, or scores that nobody said are logits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.checks import DIVIDE, SOFTMAX, row_number
from calibcore.errors import InputError, Remedy
from calibcore.io.look import Look
from calibcore.io.options import ReadOptions
from calibcore.io.sums import scale_of, share_of_logarithms
from calibcore.io.tables import Table, is_number_column, number_in, quoted
from calibcore.io.values import read_values
from calibcore.numerics.types import Float

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
        return _WORDS[self.name]


_WORDS = {
    "probabilities": "The numbers are probabilities",
    "percent": "The numbers are percent",
    "logits": "The numbers are logits",
    "log-probabilities": "The numbers are logarithms of probabilities",
}


def kinds_of(look: Look, columns: Sequence[int], options: ReadOptions) -> tuple[Kind, ...]:
    """What the numbers of these columns may be; two kinds are a question, and so is a doubt.

    Raises
    ------
    InputError : they are scores, or some are written with a percent sign and others without.
    """
    if options.values != "auto":
        return (Kind(options.values, "as asked"),)
    signed = _written_with_percent(look.table, columns)
    part = look.sample[:, list(columns)]
    part = part[np.isfinite(part).all(axis=1)]
    if not len(part):
        return (Kind("probabilities"),)  # every row is refused, and named, when it is read
    if len(columns) > 1:
        return (_kind_of_many(part, look.table, columns, options.renormalise, signed),)
    return _kinds_of_one(look.numbers(columns[0]), look, columns[0], signed)


def _written_with_percent(table: Table, columns: Sequence[int]) -> bool:
    """Whether the numbers are written with "%"."""
    texts = [j for j in columns if not is_number_column(table.columns[j])]
    signed = [_has_percent_signs(table.columns[j].tolist(), table, j) for j in texts]
    if any(signed) and not (all(signed) and len(texts) == len(columns)):
        with_sign = next(j for j, one in zip(texts, signed, strict=True) if one)
        without = next(
            j for j in columns if j != with_sign and (j not in texts or not signed[texts.index(j)])
        )
        raise InputError(
            f"The numbers of {table.where(with_sign)} are written with a percent sign, and those of "
            f"{table.where(without)} without. Expected one of both in all columns of predictions."
        )
    return any(signed)


def _has_percent_signs(cells: Sequence[object], table: Table, j: int) -> bool:
    texts = [(i, str(cell).strip()) for i, cell in enumerate(cells)]
    signs = {
        text.endswith("%"): i for i, text in reversed(texts) if number_in(text, table.decimal) is not None
    }
    if len(signs) < 2:
        return True in signs
    rows = [(i, cells[i]) for i in sorted(signs.values())]
    both = " and ".join(f"row {row_number(i)} has {quoted(cell)}" for i, cell in rows)
    raise InputError(
        f"{both[0].upper() + both[1:]} in {table.where(j)}. "
        "Expected a percent sign in every cell, or in none."
    )


def _kind_of_many(
    values: Float, table: Table, columns: Sequence[int], renormalise: bool, signed: bool
) -> Kind:
    """What (r, m) numbers of a sample are; :class:`InputError` for scores."""
    if signed:
        return Kind("percent", "written with %")
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
    sums, (n, m) = values.sum(axis=1), values.shape
    off = np.flatnonzero((np.abs(sums - 1) > 0.02) & (np.abs(sums - 100) > 2))
    negative = np.flatnonzero((values < 0).any(axis=1))
    if len(negative):
        first = int(np.flatnonzero(values[negative[0]] < 0)[0])
        where = (
            f"{len(negative):,} of {n:,} rows have negative values (row {row_number(int(negative[0]))} has "
            f"{values[negative[0], first]:.6g} in {table.where(columns[first])})"
        )
    else:
        row = int(off[0]) if len(off) else 0
        where = (
            f"{len(off):,} of {n:,} rows sum neither to 1 nor to 100 (row {row_number(row)} sums to "
            f"{sums[row]:.6g})"
        )
    some = columns if m <= 6 else [*columns[:4], columns[-1]]
    named = [table.where(j) for j in some]
    which = ", ".join(named if m <= 6 else [*named[:4], f"… ({m:,} columns)", named[-1]])
    return InputError(
        f"{where}. Expected probabilities; these look like scores. Check that these are the columns of "
        f"predictions: {which}.",
        (SOFTMAX,) if len(negative) or (sums <= 0).any() else (SOFTMAX, DIVIDE),
    )


def _kinds_of_one(values: Float, look: Look, j: int, signed: bool) -> tuple[Kind, ...]:
    """What the numbers of one column may be; two kinds are a question, and so is a doubt."""
    if signed:
        return (Kind("percent", "written with %"),)
    where, name = look.table.where(j), look.parsed[j] if look.table.named else None
    percent = name is not None and name.percent
    if np.mean((values >= 0) & (values <= 1)) >= 0.5:
        if not percent:
            return (Kind("probabilities"),)
        if values.max() > 1:
            return (Kind("percent", "because of the name"),)
        doubt = f"The name of {where} says percent, and none of its values is above 1."
        return Kind("percent", "", doubt), Kind("probabilities", "", doubt)
    if np.mean((values >= 0) & (values <= 100)) >= 0.9:
        predicted = name is not None and (name.numeric or name.role == "predicted")
        points = name is not None and not name.strong  # "lung score", of 100 or of anything
        if percent or (predicted and not points):
            return (Kind("percent"),)
        return (Kind("percent", "", f"The values of {where} go up to {values.max():.6g}: are they percent?"),)
    raise InputError(
        f"The values of {where} go from {values.min():.6g} to {values.max():.6g}. Expected "
        "probabilities from 0 to 1; these look like scores.",
        (_LOGISTIC,),
    )
