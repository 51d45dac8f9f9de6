"""Options that vary in number from row to row: what a row has not cannot happen.

Empty cells of some columns of probabilities are read so where the other cells of their rows sum to 1: then
nothing is guessed. Elsewhere an empty cell stays what it is, and is refused.
"""

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

import numpy as np

from calibcore.column_names.names import parse
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.roles.sums import MOST, NEAR
from calibcore.io.tables import Table, as_numbers, column_of
from calibcore.numerics.types import Float, Int
from calibcore.wording import quote

_FIRST = 200
_ENOUGH_FULL = 5
_AS_FULL, _EXACT = 2, 1e-6
"""Rows with empty cells are at most so many times as far from their sum as the full ones, of which there are
that many."""
COUNT = "number of options"
"""The column that says how many options a row has."""
_NO_OPTION = "An option that a row does not have has probability 0 there, and cannot happen."


def place_names(k: int) -> tuple[str, ...]:
    """What k places are called: A, B, C, …; 1, 2, 3, … where letters do not reach."""
    return tuple(ascii_uppercase[:k]) if k <= len(ascii_uppercase) else tuple(map(str, range(1, k + 1)))


def options_note(counts: Int | Sequence[int]) -> tuple[str, ...]:
    """The sentence on how many options rows have, ``counts`` (n,); none where all have as many."""
    low, high = int(np.min(counts)), int(np.max(counts))
    if low == high:
        return ()
    fewer = int(np.count_nonzero(np.asarray(counts) < high))
    return (
        f"Rows have {low:,} to {high:,} options, {fewer:,} of {len(counts):,} fewer than {high:,}. "
        f"{_NO_OPTION}",
    )


def with_options_filled(table: Table) -> Table:
    """The table, where empty cells of columns of probabilities are options that a row has not.

    They are where rows sum to 1 (or all to 100) over two cells or more that are filled. The column
    :data:`COUNT` is added. The same table where nothing is empty, or rows do not sum so. Cost O(cells).

    Raises
    ------
    InputError : most rows sum so, and others have empty cells and do not
    """
    if not table.n or len(table.names) < 3:
        return table
    suspect = [j for j in range(len(table.names)) if _has_gaps(table, j)]
    if not suspect:
        return table
    numbers = {j: _unit(table, j) for j in range(len(table.names)) if j != table.label}
    columns = {j: values for j, values in numbers.items() if values is not None}
    gaps = [j for j in suspect if j in columns]
    if not gaps:
        return table
    for chosen in _sets(table, list(columns), gaps):
        values = np.column_stack([columns[j] for j in chosen])
        counts = np.count_nonzero(~np.isnan(values), axis=1)
        sums = np.nansum(values, axis=1)
        for scale in (1.0, 100.0):
            fits = (np.abs(sums / scale - 1) <= NEAR) & (counts >= 2)
            fewer = counts < len(chosen)
            if len(chosen) < 3 or fits[fewer].mean() < MOST or np.mean(fits) < MOST:
                continue
            off = np.abs(sums / scale - 1)
            full = off[~fewer]
            if len(full) >= _ENOUGH_FULL:  # a cell that was lost is small where its row nearly sums to 1
                fits &= off <= _AS_FULL * full.max() + _EXACT
            bad = np.flatnonzero(fewer & ~fits)
            if len(bad):
                rows = list_rows(bad, lambda i: f"has empty cells and sums to {sums[i]:.4g}")  # noqa: B023
                raise InputError(
                    f"{rows} Where a row has fewer options than others, its other cells sum to {scale:g}, "
                    "as those of full rows do.",
                    leaving_out(bad, table.n),
                )
            return _filled(table, chosen, values, counts)
    return table


def _has_gaps(table: Table, j: int) -> bool:
    column = table.columns[j]
    return bool(column.isna().any()) or (column.dtype == object and bool((column == "").any()))


def _unit(table: Table, j: int) -> Float | None:
    """(n,) the numbers of a column that may be probabilities, NaN where a cell is empty; else None."""
    numbers, empty = as_numbers(table.columns[j].iloc[:_FIRST], table.decimal)
    if np.isfinite(numbers).sum() < (~empty).sum() / 2:
        return None  # a long column of text is not looked through
    values, empty = as_numbers(table.columns[j], table.decimal)
    values = np.asarray(values, np.float64)
    known = values[~empty]
    if not len(known) or not np.isfinite(known).all() or known.min() < 0 or known.max() > 100:
        return None
    if j not in table.in_blocks and (known == np.floor(known)).all():
        return None
    return values


def _sets(table: Table, columns: list[int], gaps: list[int]) -> list[list[int]]:
    """Sets of columns that may be the options, each with all that have gaps."""
    blocks = [list(block) for block in table.blocks if set(gaps) <= set(block) <= set(columns)]
    parsed = {j: parse(table.names[j]) for j in columns}
    alike = [j for j in columns if parsed[j].shape and parsed[j].shape == parsed[gaps[0]].shape]
    called = [j for j in columns if parsed[j].role not in ("confidence", "other", "truth", "label")]
    sets = [*blocks, alike, called, columns]
    return [chosen for i, chosen in enumerate(sets) if set(gaps) <= set(chosen) and chosen not in sets[:i]]


def _filled(table: Table, chosen: list[int], values: Float, counts: Int) -> Table:
    columns = list(table.columns)
    for place, j in enumerate(chosen):
        columns[j] = column_of(np.nan_to_num(values[:, place]).tolist())
    name = COUNT
    while name in table.names:
        name += "_"
    columns.append(column_of(counts.tolist()))
    return replace(
        table,
        columns=tuple(columns),
        names=(*table.names, name),
        notes=(*table.notes, *options_note(counts)),
        made=table.made | {name},
        absent=(tuple(chosen), np.isnan(values)),
    )


def refuse_absent(table: Table, probs: Sequence[int], labels: Int, class_names: Sequence[str]) -> None:
    """InputError where what happened is no option of its row.

    ``probs``: the columns of predictions in the order of the classes; ``labels`` (n,) from 0.
    """
    if table.absent is None:
        return
    columns, absent = table.absent
    places = np.array([columns.index(j) if j in columns else -1 for j in probs])
    if len(places) != len(class_names):
        return  # one column of two classes has no cells of others
    of_label = places[labels]
    bad = np.flatnonzero((of_label >= 0) & absent[np.arange(len(labels)), of_label])
    if len(bad):
        rows = list_rows(bad, lambda i: f"was {quote(class_names[labels[i]])}, whose cell is empty")
        raise InputError(
            f"{rows} Expected one of the options that the row has.", leaving_out(bad, len(labels))
        )
