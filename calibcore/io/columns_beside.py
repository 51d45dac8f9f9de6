"""Columns beside predictions and labels: counts, weights, and what is kept as metadata."""

from dataclasses import replace

import numpy as np
import pandas as pd

from calibcore.errors import InputError, Remedy
from calibcore.io.look import find_column
from calibcore.io.tables import (
    Array,
    Table,
    as_numbers,
    is_bool_column,
    is_empty,
    is_number_column,
    number_in,
    quoted,
)

NO_VALUE = frozenset(("", "na", "n/a", "nan", "null", "none", "<na>", "#n/a", "."))
"""What is written, in small letters, where nothing is known."""


def without_column(table: Table, name: str | None, what: str) -> tuple[Table, Array | None, tuple[str, ...]]:
    """The table without the column that ``what`` names, its numbers, and a sentence about it."""
    if name is None:
        return table, None, ()
    if not table.named:
        raise InputError(
            f"The {what} should be in column {quoted(name)}, but the columns have no names.",
            (Remedy("Take the first line for the names of the columns", {"header": True}),),
        )
    column = find_column(table, name, what)
    others = [j for j in range(len(table.names)) if j != column]
    if column in table.in_blocks or not others:
        raise InputError(
            f"The {what} should be in column {quoted(name)}, which holds the predictions. Choose another."
        )
    rest = replace(
        table,
        columns=tuple(table.columns[j] for j in others),
        names=tuple(table.names[j] for j in others),
        blocks=tuple(tuple(others.index(j) for j in block) for block in table.blocks),
        label=None if table.label in (None, column) else others.index(table.label),
    )
    numbers = as_numbers(table.columns[column], table.decimal)[0]
    return rest, numbers, (f"{what.capitalize()}: {table.where(column)} (as asked).",)


def metadata_of(table: Table, j: int) -> Array:
    """(n,) numbers, truth values, dates, or text; numbers with gaps written in words have NaN there."""
    column = table.columns[j]
    if is_number_column(column) or is_bool_column(column):
        return column.to_numpy()
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "mM":
        return column.to_numpy()
    codes, values = pd.factorize(column)
    words = ["" if is_empty(value) else str(value).strip() for value in values] + [""]  # code -1 is missing
    numbers = [None if "%" in word else number_in(word, table.decimal) for word in words]
    gaps = [word.lower() in NO_VALUE for word in words]
    if any(number is not None for number in numbers) and all(
        gap or number is not None for gap, number in zip(gaps, numbers, strict=True)
    ):
        return np.array([np.nan if number is None else number for number in numbers])[codes]
    return np.array([*words, None], dtype=object)[:-1][codes]
