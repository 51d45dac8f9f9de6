"""Columns that are no predictions: how they are kept, and a table without one of them."""

from collections.abc import Set

import numpy as np
import pandas as pd

from calibcore.column_names import lexicon
from calibcore.errors import InputError, Remedy
from calibcore.io.tables import Array, Table, is_empty, number_in
from calibcore.wording import quote


def without_column(table: Table, name: str | None, what: str) -> tuple[Table, Array | None, tuple[str, ...]]:
    """The table without the column that ``what`` names, its numbers, and a sentence about it."""
    if name is None:
        return table, None, ()
    if not table.named:
        raise InputError(
            f"The {what} should be in column {quote(name)}, but the columns have no names.",
            (Remedy("Take the first line for the names of the columns", {"header": True}),),
        )
    column = table.find(name, what)
    if column in table.in_blocks or len(table.names) == 1:
        raise InputError(
            f"The {what} should be in column {quote(name)}, which holds the predictions. Choose another."
        )
    rest = table.without_column(column)
    return rest, table.numbers(column), (f"{what.capitalize()}: {table.where(column)} (as asked).",)


def other_columns(table: Table, used: Set[int]) -> dict[str, Array]:
    """The columns that are neither predictions nor labels, by name."""
    return {name: other_column(table, j) for j, name in enumerate(table.names) if j not in used}


def other_column(table: Table, j: int) -> Array:
    """A column as it is kept: (n,) numbers, truth values, dates, or text.

    Numbers with gaps written in words have NaN there.
    """
    column = table.columns[j]
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiubmM":
        return column.to_numpy()
    codes, values = pd.factorize(column)
    words = ["" if is_empty(value) else str(value).strip() for value in values] + [""]  # code -1 is missing
    numbers = [None if "%" in word else number_in(word, table.decimal) for word in words]
    texts = [word for word, number in zip(words, numbers, strict=True) if number is None]
    if len(texts) < len(words) and all(word.lower() in lexicon.NO_VALUE for word in texts):
        return np.array(numbers, dtype=np.float64)[codes]
    return np.array([*words, None], dtype=object)[:-1][codes]
