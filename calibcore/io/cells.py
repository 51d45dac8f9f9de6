"""Rows of cells -> :class:`Table`, and whether the first row names the columns."""

from collections.abc import Sequence
from typing import NamedTuple

from calibcore.column_names.class_forms import count_up
from calibcore.column_names.names import parse
from calibcore.io.tables import Table, check_rows, check_width, column_of, commonest, filled_names, number_in
from calibcore.wording import listed


def table_of_cells(rows: Sequence[Sequence[object]], header: bool | None, source: str) -> Table:
    """A table of rows of Python values (JSON lists, a sheet), all of one length; finds the header."""
    k = len(rows[0])
    check_width(k)
    sample = [["" if cell is None else str(cell) for cell in row] for row in rows[:100]]
    titles = titles_above(sample) if header is not False else 0
    notes = title_notes(sample[:titles])
    rows, sample = rows[titles:], sample[titles:]
    named, sure, is_open = find_header(sample) if header is None else Header(header, True)
    body = rows[1:] if named else rows
    check_rows(len(body))
    names = filled_names(sample[0] if named else [""] * k)
    columns = tuple(column_of(list(cells)) for cells in zip(*body, strict=True)) if body else ()
    source = f"{source}, {'with' if named else 'without'} a header"
    return Table(columns, names, named, source, sure, notes, header_open=is_open)


_MOST_TITLES = 5
"""Rows above the names at most: what is longer is no title."""
_FEWEST_COLUMNS = 3
"""Of fewer columns a row with one cell may be one that lacks another."""


def titles_above(rows: Sequence[Sequence[str]]) -> int:
    """How many rows above the names are titles: text in their first cells alone.

    They are only where a row below them names the columns for sure; else they are something else.
    """
    k = commonest(map(len, rows))
    if k < _FEWEST_COLUMNS:
        return 0
    titles = next((i for i, row in enumerate(rows) if not _is_title(row, k, i)), 0)
    if not 0 < titles <= _MOST_TITLES:
        return 0
    filled = [cell for cell in rows[titles] if cell]
    texts = all(number_in(cell) is None for cell in filled)
    names = len(rows[titles]) == k and 2 * len(filled) > k and texts
    below = find_header(rows[titles:])
    return titles if names and below.named and below.sure else 0


def _is_title(row: Sequence[str], k: int, i: int) -> bool:
    """Whether a row of a table of k columns is a title: one cell of text, or a line too short to name all."""
    filled = [cell for cell in row if cell.strip()]
    if any(number_in(cell) is not None for cell in filled) or filled != list(row[: len(filled)]):
        return False
    return len(filled) == 1 or len(row) < k - 1 or (i > 0 and not filled)


def title_notes(titles: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A sentence on the rows that were taken for titles; none if there are none."""
    texts = [", ".join(cell for cell in row if cell) for row in titles if any(row)]
    if not texts:
        return ()
    lines = "first line was" if len(titles) == 1 else f"first {len(titles)} lines were"
    return (f"The {lines} taken for a title: {listed(texts, 3)}.",)


_SEVERAL = 5


class Header(NamedTuple):
    """Whether the first row names the columns; whether that is sure, or only the number of rows can settle
    it; whether it is open altogether.
    """

    named: bool
    sure: bool
    open: bool = False


def find_header(rows: Sequence[Sequence[str]], decimal: str = ".") -> Header:
    """Whether the first of some rows of text names the columns.

    A first row of text above numbers is a header; so is 0, 1, 2, … or 1, 2, 3, … above fractions.
    """
    first, rest = [cell.strip() for cell in rows[0]], rows[1:]
    numbers = _numbers(first, rest, decimal)
    all_text = not any(number is not None for number in numbers)
    if not rest:
        return Header(all_text, not all_text)
    below = [numbers_below(rest, j, decimal) for j in range(len(first))]
    if any(number is not None and not number.is_integer() for number in numbers):
        return Header(False, True)
    if any(number is None and share > 0.5 for number, (share, _) in zip(numbers, below, strict=True)):
        return Header(True, True)
    if all_text:
        if len(first) > 1:
            return Header(True, False)
        repeated = first[0] in _cells(rest, 0)
        if not repeated and parse(first[0]).speaks_of_outcomes:
            return Header(True, True)
        return Header(not repeated and len(rest) >= 20, False)
    return _of_numbers(first, numbers, rest, [fractions for _, fractions in below])


def _numbers(first: Sequence[str], rest: Sequence[Sequence[str]], decimal: str) -> list[float | None]:
    """The numbers of the first row; "3 %" above numbers without the sign is none."""
    numbers = [number_in(cell, decimal) for cell in first]
    for j, cell in enumerate(first):
        below = _filled(rest, j) if cell.endswith("%") else []
        if below and not below[0].endswith("%"):
            numbers[j] = None
    return numbers


def _of_numbers(
    first: Sequence[str],
    numbers: Sequence[float | None],
    rest: Sequence[Sequence[str]],
    fractions: Sequence[bool],
) -> Header:
    """Whether whole numbers in the first row, with or without text, count the columns."""
    counted = {j: int(number) for j, number in enumerate(numbers) if number is not None}
    for j, name in enumerate(first):  # a label that stands below, too, is no name
        if j not in counted and name in _cells(rest, j):
            return Header(False, True)
    below = [cell for j in counted for cell in _cells(rest, j)]
    if _stands_out([first[j] for j in counted], below, len(rest)):
        return Header(True, False)
    places = [j for j in counted if fractions[j]]
    if not count_up(list(counted.values())) or len(places) < max(2, len(counted) / 2):
        return Header(False, first != ["0"])
    if sum(counted[j] for j in places) != 1:
        return Header(True, False)
    # As a case, 0, 1 are probabilities: but not in a file that writes no other 0 or 1 without a point.
    bare = any(cell.isdecimal() for j in places for cell in _cells(rest, j))
    return Header(not bare, False, bare)


def _stands_out(names: Sequence[str], below: Sequence[str], rows: int) -> bool:
    """Whether names are different whole numbers, and all cells in the rows below them have decimals."""
    several = rows >= _SEVERAL and len(names) > 1 and len(set(names)) == len(names)
    integral = [[cell.removeprefix("-").isdecimal() for cell in cells] for cells in (names, below)]
    return several and all(integral[0]) and not any(integral[1])


def _cells(rows: Sequence[Sequence[str]], j: int) -> list[str]:
    """The cells of column j, of the rows that reach so far."""
    return [row[j].strip() for row in rows if j < len(row)]


def _filled(rows: Sequence[Sequence[str]], j: int) -> list[str]:
    """The cells of column j that are not empty."""
    return list(filter(None, _cells(rows, j)))


def numbers_below(rows: Sequence[Sequence[str]], j: int, decimal: str) -> tuple[float, bool]:
    """Share of numbers among the cells of column j that are not empty; whether one is a fraction."""
    cells = _filled(rows, j)
    numbers = [x for cell in cells if (x := number_in(cell, decimal)) is not None]
    share = len(numbers) / len(cells) if cells else 0.0
    return share, any(not number.is_integer() for number in numbers)
