"""Rows of cells -> :class:`Table`, and whether the first row names the columns."""

from collections.abc import Sequence

from calibcore.io.tables import (
    LABEL_NAMES,
    Table,
    check_rows,
    check_width,
    column_of,
    filled_names,
    number_in,
)


def table_of_cells(rows: Sequence[Sequence[object]], header: bool | None, source: str) -> Table:
    """A table of rows of Python values (JSON lists, a sheet), all of one length; finds the header."""
    k = len(rows[0])
    check_width(k)
    sample = [["" if cell is None else str(cell) for cell in row] for row in rows[:100]]
    found, sure = find_header(sample)
    if header is not None:
        found, sure = header, True
    body = rows[1:] if found else rows
    check_rows(len(body))
    names = filled_names(sample[0] if found else [""] * k)
    columns = tuple(column_of(list(cells)) for cells in zip(*body, strict=True)) if body else ()
    with_header = "with" if found else "without"
    return Table(columns, names, found, f"{source}, {with_header} a header", sure)


def find_header(rows: Sequence[Sequence[str]], decimal: str = ".") -> tuple[bool, bool]:
    """Whether the first of some rows of text names the columns, and whether that is sure.

    A first row of text above numbers is a header; so is 0, 1, 2, … or 1, 2, 3, … above fractions.
    """
    first, rest = [cell.strip() for cell in rows[0]], rows[1:]
    numbers = [number_in(cell, decimal) for cell in first]
    texts = [number is None for number in numbers]
    if not rest:
        return all(texts), not all(texts)
    below = [_numbers_below(rest, j, decimal) for j in range(len(first))]
    if any(number is not None and not number.is_integer() for number in numbers):
        return False, True
    if any(text and share > 0.5 for text, (share, _) in zip(texts, below, strict=True)):
        return True, True
    if all(texts):
        if len(first) > 1:
            return True, False
        if first[0].lower() in LABEL_NAMES:
            return True, True
        repeated = any(row and row[0].strip() == first[0] for row in rest)
        return not repeated and len(rest) >= 20, False
    counted = [int(number) for number in numbers if number is not None]
    counting = counted in (list(range(len(counted))), list(range(1, len(counted) + 1)))
    above = [fractions for number, (_, fractions) in zip(numbers, below, strict=True) if number is not None]
    if counting and len(counted) >= 2 and sum(above) >= max(2, len(above) / 2):
        # As a case, 0, 1 are probabilities, and so are 0, 1 before a label 2.
        values = [number for number, fraction in zip(counted, above, strict=True) if fraction]
        return sum(values) != 1, False
    return False, not (len(first) == 1 and first[0] == "0")


def _numbers_below(rows: Sequence[Sequence[str]], j: int, decimal: str) -> tuple[float, bool]:
    """Share of numbers among the cells of column j that are not empty; whether one is a fraction."""
    cells = [row[j].strip() for row in rows if j < len(row) and row[j].strip()]
    numbers = [x for cell in cells if (x := number_in(cell, decimal)) is not None]
    share = len(numbers) / len(cells) if cells else 0.0
    return share, any(not number.is_integer() for number in numbers)
