"""Two files of the same cases: row by row, or by a column that stands in both."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from calibcore.data.checks import list_rows
from calibcore.errors import InputError
from calibcore.io.look import Look, find_column
from calibcore.io.meaning import cell_text
from calibcore.io.name_words import plain
from calibcore.io.tables import Array, Table, capitalised, listed, position_name
from calibcore.numerics.types import Int

BY_ROWS = "rows"
_MOST_KEYS = 30
"""Columns of a file that are compared with those of the other."""


@dataclass(frozen=True, eq=False)
class Joined:
    """The file of labels, its rows in the order of the predictions.

    Attributes
    ----------
    how : what a person says to have it so: "rows" or the name of a column
    words : the same as a button says it
    note : how the rows were put together, in a sentence about the labels
    """

    second: Table
    how: str
    words: str
    note: str


def ways(table: Table, second: Table, join: str | None) -> tuple[tuple[Joined, ...], str]:
    """How the rows of two files may belong together, and why it is open if there are several ways.

    Raises
    ------
    InputError : in no way.
    """
    by_rows = Joined(second, BY_ROWS, "Row by row", "row by row")
    if join is not None and join.strip() == BY_ROWS:
        return (_of_equal_length(table, by_rows),), ""
    if join is not None:
        at = find_column(second, join, "cases")
        return (_by_column(table, second, at, _partner(table, second, at)),), ""
    keys = _common(table, second)
    counting = [(a, b) for a, b in keys if _counts_rows(table, a) and _counts_rows(second, b)]
    for own, other in keys:
        if (own, other) in counting:  # that rows are numbered says nothing of whose they are
            continue
        if table.n == second.n and _same(table, own, second, other):
            return (by_rows,), ""
        if not _matches(table, own, second, other):
            continue
        joined = _by_column(table, second, other, own)
        if _counts_rows(table, own) and table.n == second.n:
            where = capitalised(second.where(other))
            doubt = f"{where} of the file of labels numbers its rows, in another order than they stand in."
            return (joined, by_rows), doubt
        return (joined,), ""
    numbered = [pair for pair in counting if _matches(table, pair[0], second, pair[1])]
    if numbered and table.n < second.n:
        own, other = numbered[0]
        return (_by_column(table, second, other, own),), ""
    by_rows = _of_equal_length(table, by_rows)
    differing = [pair for pair in _of_one_name(table, second) if not _same(table, pair[0], second, pair[1])
                 and not _numbers_own_rows(table, second, *pair)]  # fmt: skip
    if numbered:  # what differs from row to row is no matter then, but for what tells rows apart, too
        apart = _keys(table)
        differing = [pair for pair in differing if pair[0] in apart]
    if differing:
        own, other = differing[0]
        one, two = _texts(table, own), _texts(second, other)
        rows = np.flatnonzero(one != two)
        where = list_rows(
            rows[:1], lambda i: f"has {one[i]!r:.60} in the predictions and {two[i]!r:.60} in the labels"
        )
        return (by_rows,), f"{capitalised(table.where(own))} stands in both files, and differs: {where}"
    return (by_rows,), ""


def _of_equal_length(table: Table, joined: Joined) -> Joined:
    if joined.second.n != table.n:
        raise InputError(
            f"There are {table.n:,} rows of predictions and {joined.second.n:,} labels; expected the same "
            "number of both."
        )
    return joined


def _texts(table: Table, j: int) -> Array:
    """(n,) cells as text; "" for none."""
    codes, values = pd.factorize(table.columns[j], use_na_sentinel=False)
    return np.array([cell_text(value) for value in values], dtype=object)[codes]


def _is_key(table: Table, look: Look, j: int) -> bool:
    """Whether a column tells the rows apart: another whole number or text in each."""
    if table.n < 2 or look.fractional[j] or j in table.in_blocks:
        return False
    cells = table.columns[j]
    return not cells.isna().any() and bool(cells.nunique() == table.n)


def _keys(table: Table) -> list[int]:
    look = Look(table)
    return [j for j in range(len(table.names)) if _is_key(table, look, j)][:_MOST_KEYS]


def _common(table: Table, second: Table) -> list[tuple[int, int]]:
    """Pairs of columns that tell the rows of their files apart; those of one name first."""
    own, other = _keys(table), _keys(second)
    pairs = [(a, b) for a in own for b in other]
    return sorted(pairs, key=lambda pair: not _one_name(table, pair[0], second, pair[1]))


def _one_name(table: Table, a: int, second: Table, b: int) -> bool:
    one, two = table.names[a], second.names[b]
    named = one != position_name(a) and two != position_name(b)
    return table.named and second.named and plain(one) == plain(two) and (named or a == b)


def _of_one_name(table: Table, second: Table) -> list[tuple[int, int]]:
    """Columns of one name in both files: what should not differ from row to row."""
    if len(second.names) < 2:
        return []
    look, other = Look(table), Look(second)
    known = {plain(name): b for b, name in enumerate(second.names) if not other.fractional[b]}
    pairs = [(a, known.get(plain(name), -1)) for a, name in enumerate(table.names) if not look.fractional[a]]
    return [(a, b) for a, b in pairs if b >= 0 and _one_name(table, a, second, b)][:_MOST_KEYS]


def _same(table: Table, a: int, second: Table, b: int) -> bool:
    return bool((_texts(table, a) == _texts(second, b)).all())


def _matches(table: Table, a: int, second: Table, b: int) -> bool:
    """Whether every row of predictions has its row of labels; under other names, also the other way."""
    one, two = set(_texts(table, a).tolist()), set(_texts(second, b).tolist())
    return one == two or (one < two and _one_name(table, a, second, b))


def _counts_rows(table: Table, j: int) -> bool:
    return Look(table).counts_rows(j) if j < len(table.names) else False


def _numbers_own_rows(table: Table, second: Table, a: int, b: int) -> bool:
    """Whether a column without a name, as pandas writes one, only numbers the rows of one of the files."""
    unnamed = table.names[a] == position_name(a) or plain(table.names[a]) in ("index", "unnamed: 0")
    return unnamed and (_counts_rows(table, a) or _counts_rows(second, b))


def _partner(table: Table, second: Table, b: int) -> int:
    """The column of the predictions that holds the values of a column of the labels."""
    candidates = [a for a in range(len(table.names)) if a not in table.in_blocks]
    candidates.sort(key=lambda a: not _one_name(table, a, second, b))
    keys = set(_texts(second, b).tolist())
    for a in candidates:
        values = set(_texts(table, a).tolist())
        if len(values) == table.n and values <= keys:
            return a
    raise InputError(
        f"No column of the predictions holds the values of {second.where(b)} of the file of labels, each "
        f"once. The columns are {listed(table.names)}."
    )


def _by_column(table: Table, second: Table, b: int, a: int) -> Joined:
    keys = _texts(second, b)
    place = {key: i for i, key in enumerate(keys.tolist())}
    if len(place) < second.n:
        twice = keys[np.flatnonzero(pd.Series(keys).duplicated().to_numpy())[0]]
        raise InputError(
            f"{twice!r:.60} stands twice in {second.where(b)} of the file of labels; expected once."
        )
    rows: Int = np.array([place[key] for key in _texts(table, a).tolist()], dtype=np.int64)
    columns = tuple(column.iloc[rows].reset_index(drop=True) for column in second.columns)
    spare = second.n - table.n
    rest = f", of which {spare:,} {'belongs' if spare == 1 else 'belong'} to no prediction" if spare else ""
    name = second.names[b]
    same = "" if table.names[a] == name else f", {table.where(a)} of the predictions"
    return Joined(
        replace(second, columns=columns),
        name,
        f"By {second.where(b)}",
        f"joined by {second.where(b)}{same}{rest}",
    )
