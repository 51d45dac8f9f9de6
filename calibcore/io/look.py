"""A look at a table: enough of it to guess what its columns are."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from calibcore import limits
from calibcore.errors import Remedy
from calibcore.io.affixes import normal
from calibcore.io.tables import (
    LABEL_NAMES,
    Column,
    Table,
    as_numbers,
    is_bool_column,
    is_empty,
    is_number_column,
    listed,
    quoted,
)
from calibcore.io.values import share_that_adds_up
from calibcore.predictions import Float, InputError

_SAMPLE = 500
FIRST_ROWS, MOST_CELLS = 3, 8
"""Rows, and cells of a row, by which a person chooses between readings."""
MOST_OFFERED = 6
"""Readings to choose from at most."""


class Look:
    """A table and a sample of it: enough to guess what the columns are. Cost O(columns)."""

    def __init__(self, table: Table) -> None:
        self.table = table
        n, k = table.n, len(table.names)
        rows = np.unique(np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64))
        self.sample: Float = np.full((len(rows), k), np.nan)
        self.numeric = np.zeros(k, dtype=bool)
        for j, column in enumerate(table.columns):
            part = column if len(rows) == n else column.iloc[rows]
            values, empty = as_numbers(part, table.decimal)
            self.sample[:, j] = values
            number = is_number_column(column)
            found, filled = np.count_nonzero(~np.isnan(self.sample[:, j])), np.count_nonzero(~empty)
            # A column of text counts as numbers with a few bad cells if most of its cells are numbers.
            text = not number and not is_bool_column(column) and filled > 0
            self.numeric[j] = number or (text and found > 0.5 * filled)
        finite = np.isfinite(self.sample)
        whole = ~finite | (self.sample == np.floor(self.sample))
        few = np.count_nonzero(~whole, axis=0) <= 0.05 * len(rows)
        self.integral = self.numeric & finite.any(axis=0) & few
        inside = np.count_nonzero(finite & (self.sample >= 0) & (self.sample <= 1), axis=0)
        self.unit = self.numeric & (inside > 0.9 * np.count_nonzero(finite, axis=0))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.table.names

    def share(self, columns: Sequence[int]) -> float:
        """Share of the sample's rows that sum to 1, or to 100, over ``columns``."""
        if len(columns) < 2:
            return 0.0
        return max(share_that_adds_up(self.sample[:, list(columns)], scale) for scale in (1, 100))

    def adds_up(self, columns: Sequence[int]) -> bool:
        """Whether most rows of the sample sum to 1 or to 100 over ``columns``."""
        return self.share(columns) >= 0.5

    def counts_rows(self, j: int) -> bool:
        """Whether a column numbers the rows from 0 or from 1."""
        values, _ = as_numbers(self.table.columns[j], self.table.decimal)
        return any(np.array_equal(values, np.arange(first, first + len(values))) for first in (0, 1))

    def first_rows(self, columns: Sequence[int]) -> tuple[dict[str, str], ...]:
        """The first rows as they stand in ``columns``, for a person to choose by."""
        chosen = [(self.names[j], self.table.columns[j]) for j in columns[:MOST_CELLS]]
        return tuple(
            {name: "" if is_empty(column.iloc[i]) else label_text(column.iloc[i]) for name, column in chosen}
            for i in range(min(FIRST_ROWS, self.table.n))
        )

    def words(self, j: int) -> frozenset[str] | None:
        """The different values of a column as trimmed text; None if there are too many for classes."""
        found = distinct(self.table.columns[j])
        if len(found) > limits.LIMITS.max_classes:
            return None
        return frozenset(text for value in found if (text := label_text(value)))


def distinct(column: Column) -> list[object]:
    """The different cells of a column, missing ones left out. Cost O(n)."""
    return list(pd.factorize(column)[1])


def label_text(value: object) -> str:
    """A label as trimmed text: 3.0 -> "3", numpy's True -> "True"."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


def find_column(table: Table, wanted: str, what: str = "labels") -> int:
    """Index of a column by its name, in any case of letters if that is enough, or by its number."""
    exact = [j for j, name in enumerate(table.names) if name == wanted.strip()]
    loose = [j for j, name in enumerate(table.names) if name.lower() == wanted.strip().lower()]
    for found in (exact, loose):
        if len(found) == 1:
            return found[0]
    if not table.named and wanted.strip().isdecimal() and 1 <= int(wanted) <= len(table.names):
        return int(wanted) - 1
    raise InputError(
        f"There is no column {quoted(wanted)} to take the {what} from. The columns are {listed(table.names)}."
    )


def columns_of_labels(look: Look, candidates: Sequence[int]) -> tuple[Remedy, ...]:
    """The columns to choose the labels from; that a person has to name one, where they are too many."""
    if not 0 < len(candidates) <= MOST_OFFERED:
        return (Remedy("Say which column holds the labels", asks="label_column"),)
    names = look.names
    return tuple(
        Remedy(
            f"Take the labels from {look.table.where(j)}",
            {"label_column": names[j]},
            rows=look.first_rows([j]),
        )
        for j in candidates
    )


def find_named_label(look: Look) -> int | None:
    """The column with the plainest name of a label that does not hold fractions."""
    known = {name: rank for rank, name in enumerate(LABEL_NAMES)}
    ranked = sorted(
        (known[normal(name)], j)
        for j, name in enumerate(look.names)
        if normal(name) in known and (not look.numeric[j] or look.integral[j])
    )
    return ranked[0][1] if ranked else None
