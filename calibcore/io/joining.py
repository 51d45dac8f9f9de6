"""Two files of the same cases: row by row, or by a column that stands in both."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from calibcore.column_names.name_words import plain
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import Array, Table, capitalised, position_name
from calibcore.io.turning import adds_up, matrix_of, transposed
from calibcore.numerics.types import Int
from calibcore.wording import listed, quote

BY_ROWS = "rows"
_MOST_KEYS = 30
"""Columns of a file that are compared with those of the other."""


@dataclass(frozen=True, eq=False)
class Joined:
    """The file of labels, its rows in the order of the predictions."""

    second: Table
    how: str  # what a person says to have it so: "rows" or the name of a column
    words: str  # the same as a button says it
    note: str  # how the rows were put together, in a sentence about the labels


def ways(table: Table, second: Table, join: str | None) -> tuple[tuple[Joined, ...], str]:
    """How the rows of two files may belong together, and why it is open if there are several ways.

    :class:`InputError` if they do in no way.
    """
    files = _TwoFiles(table, second)
    if join is None:
        return files.ways()
    if join.strip() == BY_ROWS:
        return (files.by_rows(),), ""
    column = second.find(join, "cases")
    return (files.by_column(files.partner(column), column),), ""


class _TwoFiles:
    """A table of predictions, whose columns are called a here, and one of labels with the columns b."""

    def __init__(self, table: Table, second: Table) -> None:
        self.table, self.second = table, second
        self.look, self.second_look = Look(table), Look(second)

    def ways(self) -> tuple[tuple[Joined, ...], str]:
        """See :func:`ways`."""
        table, second = self.table, self.second
        keys, second_keys = _keys(self.look), _keys(self.second_look)
        pairs = sorted(product(keys, second_keys), key=lambda pair: not self._one_name(*pair))
        counting = [(a, b) for a, b in pairs if self.look.counts_rows(a) and self.second_look.counts_rows(b)]
        for a, b in pairs:
            if (a, b) in counting:  # that rows are numbered says nothing of whose they are
                continue
            if table.n == second.n and self._same(a, b):
                return (self.by_rows(),), ""
            if not self._matches(a, b):
                continue
            joined = self.by_column(a, b)
            if not self.look.counts_rows(a) or table.n != second.n:
                return (joined,), ""
            where = capitalised(second.where(b))
            doubt = f"{where} of the file of labels numbers its rows, in another order than they stand in."
            return (joined, self.by_rows()), doubt
        numbered = [pair for pair in counting if self._matches(*pair)]
        if numbered and table.n < second.n:
            return (self.by_column(*numbered[0]),), ""
        by_rows = self.by_rows()
        differing = [
            (a, b) for a, b in self._of_one_name() if not self._same(a, b) and not self._number(a, b)
        ]
        if numbered:  # what differs from row to row is no matter then, but for what tells rows apart, too
            differing = [(a, b) for a, b in differing if a in keys]
        if not differing:
            return (by_rows,), ""
        a, b = differing[0]
        first, other = _texts(table, a), _texts(second, b)
        where = list_rows(
            np.flatnonzero(first != other)[:1],
            lambda i: f"has {first[i]!r:.60} in the predictions and {other[i]!r:.60} in the labels",
        )
        return (by_rows,), f"{capitalised(table.where(a))} stands in both files, and differs: {where}"

    def by_rows(self) -> Joined:
        """Row by row; :class:`InputError` if there are not as many of both."""
        if self.second.n != self.table.n:
            if (refusal := self._transposed()) is not None:
                raise refusal
            raise InputError(
                f"There are {self.table.n:,} rows of predictions and {self.second.n:,} labels; expected the "
                "same number of both."
            )
        return Joined(self.second, BY_ROWS, "Row by row", "row by row")

    def _transposed(self) -> InputError | None:
        """That the predictions have as many columns as there are labels; None if they have not."""
        table, labels = self.table, self.second.n
        block = table.blocks[0] if table.blocks else range(len(table.names))
        if len(block) != labels or table.n < 2:
            return None
        what = "The file of predictions"
        if table.blocks:
            matrix = None if table.turned else np.column_stack([table.numbers(j) for j in block])
            what = f"The array {quote(table.names[block[0]].removesuffix('[0]'))}"
        else:
            matrix = matrix_of(table)
        return (
            None
            if matrix is None or adds_up(matrix)
            else transposed(what, matrix, f" There are {labels:,} labels.")
        )

    def by_column(self, a: int, b: int) -> Joined:
        """The row of labels that has the same cell."""
        table, second = self.table, self.second
        keys = pd.Series(_texts(second, b))
        place = {key: i for i, key in enumerate(keys)}
        if len(place) < second.n:
            twice = keys[keys.duplicated()].iloc[0]
            raise InputError(
                f"{twice!r:.60} stands twice in {second.where(b)} of the file of labels; expected once."
            )
        rows: Int = np.array([place[key] for key in _texts(table, a).tolist()], dtype=np.int64)
        columns = tuple(column.iloc[rows].reset_index(drop=True) for column in second.columns)
        spare, name, where = second.n - table.n, second.names[b], second.where(b)
        belong = "belongs" if spare == 1 else "belong"
        rest = f", of which {spare:,} {belong} to no prediction" if spare else ""
        same = "" if table.names[a] == name else f", {table.where(a)} of the predictions"
        return Joined(replace(second, columns=columns), name, f"By {where}", f"joined by {where}{same}{rest}")

    def partner(self, b: int) -> int:
        """The column of the predictions that holds the values of a column of the labels."""
        candidates = [a for a in range(len(self.table.names)) if a not in self.table.in_blocks]
        candidates.sort(key=lambda a: not self._one_name(a, b))
        keys = set(_texts(self.second, b).tolist())
        for a in candidates:
            values = set(_texts(self.table, a).tolist())
            if len(values) == self.table.n and values <= keys:
                return a
        raise InputError(
            f"No column of the predictions holds the values of {self.second.where(b)} of the file of labels, "
            f"each once. The columns are {listed(self.table.names)}."
        )

    def _one_name(self, a: int, b: int) -> bool:
        first, other = self.table.names[a], self.second.names[b]
        named = first != position_name(a) and other != position_name(b)
        return self.table.named and self.second.named and plain(first) == plain(other) and (named or a == b)

    def _of_one_name(self) -> list[tuple[int, int]]:
        """Columns of one name in both files: what should not differ from row to row."""
        if len(self.second.names) < 2:
            return []
        fractional, second = self.look.fractional, self.second_look.fractional
        known = {plain(name): b for b, name in enumerate(self.second.names) if not second[b]}
        names = {a: plain(name) for a, name in enumerate(self.table.names) if not fractional[a]}
        pairs = [(a, known[name]) for a, name in names.items() if name in known]
        return [(a, b) for a, b in pairs if self._one_name(a, b)][:_MOST_KEYS]

    def _same(self, a: int, b: int) -> bool:
        return bool((_texts(self.table, a) == _texts(self.second, b)).all())

    def _matches(self, a: int, b: int) -> bool:
        """Whether every row of predictions has its row of labels; under other names, also the other way."""
        first, other = set(_texts(self.table, a).tolist()), set(_texts(self.second, b).tolist())
        return first == other or (first < other and self._one_name(a, b))

    def _number(self, a: int, b: int) -> bool:
        """Whether a column without a name, as pandas writes one, only numbers the rows of one of them."""
        name = self.table.names[a]
        unnamed = name == position_name(a) or plain(name) in ("index", "unnamed: 0")
        return unnamed and (self.look.counts_rows(a) or self.second_look.counts_rows(b))


def _texts(table: Table, j: int) -> Array:
    """(n,) cells as text; "" for none."""
    codes, values = pd.factorize(table.columns[j], use_na_sentinel=False)
    return np.array([cell_text(value) for value in values], dtype=object)[codes]


def _keys(look: Look) -> list[int]:
    """Columns that tell the rows apart: another whole number or text in each."""
    table = look.table
    free = [j for j in range(len(table.names)) if not look.fractional[j] and j not in table.in_blocks]
    return [j for j in free if table.n > 1 and table.columns[j].nunique() == table.n][:_MOST_KEYS]
