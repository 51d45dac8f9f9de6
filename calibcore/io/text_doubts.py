"""What makes the rows of a text something else than they seem: refused, each in a sentence."""

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

from calibcore.data.checks import row_number
from calibcore.errors import InputError
from calibcore.io.cells import numbers_below
from calibcore.io.name_words import tokens
from calibcore.io.names import parse
from calibcore.io.tables import count_up, is_number_column, number_in, quoted
from calibcore.io.text_rows import rows_of

_MOST = 0.5
_NUMBERING = frozenset(["id", "inst", "instance", "row", "index", "idx", "nr", "no", "number", "case", "obs"])
"""In the name of a column of numbers of cases."""
NEWLINE = b"\n"
_BLANK_LINE = re.compile(rb"\n[ \t]*+\n")


def refuse_commented_cases(
    comments: Sequence[tuple[int, str]], separator: str, rows: Sequence[Sequence[str]], decimal: str
) -> None:
    """InputError if a line that begins with "#", (its number, the rest), reads like the rows below."""
    k = len(rows[-1]) if rows else 0
    numbers = [j for j in range(k) if numbers_below(rows, j, decimal)[0] > _MOST]
    for line, text in comments:
        cells = next(iter(rows_of([text], separator)), [])
        alike = len(cells) == k and all(number_in(cells[j], decimal) is not None for j in numbers if j)
        if numbers and alike:
            raise InputError(
                f"Line {line:,} begins with '#' as comments do, and reads like a case: "
                f"{quoted(text.strip())}. Remove the line, or its '#'."
            )


def refuse_decimal_commas(rows: Sequence[Sequence[str]], separator: str) -> None:
    """InputError if commas are both separators and decimal marks: 0,37,0,63 for 0.37 and 0.63.

    Only for rows whose cells are not all named. Neighbouring cells then read like the halves of a number.
    """
    k = min(map(len, rows), default=0) if separator == "," else 0
    for j in range(k - 1):
        pairs = [(row[j], row[j + 1]) for row in rows]
        whole = all(a in ("0", "1") and b.isdecimal() and (a == "0" or not b.strip("0")) for a, b in pairs)
        if whole and any(len(b) > 1 for _, b in pairs) and len(pairs) > 1:
            raise InputError(
                f"Commas seem to be decimal marks and to separate the cells, too: {','.join(rows[0])!r:.60}. "
                "Save the file with semicolons between the cells, or with decimal points."
            )


def are_row_names(
    rows: Sequence[Sequence[str]], names: Sequence[str], lines: Sequence[str], decimal: str
) -> bool:
    """Whether the first cells, which no name stands above, name the rows, as R writes them.

    Else it may be the last column whose name is missing.
    """
    first = [number_in(row[0], decimal) for row in rows]
    if _misfits(names, rows, 1, decimal):
        return False
    words = {row[0] for row in rows}
    if words & {cell for row in rows for cell in row[1:]} and len(words) < len(rows):
        return False  # a column of labels, too
    if all(number is None for number in first) and _misfits(names, rows, 0, decimal):
        return True
    if len(words) < len(rows):
        return False
    quotes = [line.lstrip().startswith('"') for line in lines if line.strip()]
    if all(number is None for number in first) or (quotes and all(quotes[: len(rows)])):
        return True
    return count_up(first) and not _numbers_cases(names[0], [row[1] for row in rows], decimal)


def _numbers_cases(name: str, cells: Sequence[str], decimal: str) -> bool:
    """Whether a name stands above the numbers of the cases, and not above these cells beside them."""
    words = {token.text for token in tokens(name)}
    numbers = words & _NUMBERING or not words
    return bool(numbers) and any(number_in(cell, decimal) is None for cell in cells)


def _misfits(names: Sequence[str], rows: Sequence[Sequence[str]], start: int, decimal: str) -> bool:
    """Whether a name, counted from the column ``start`` on, says something else than its column holds."""
    for j, name in enumerate(names, start):
        parsed = parse(name)
        numbers = [number_in(row[j], decimal) for row in rows]
        fractions = any(number is not None and not number.is_integer() for number in numbers)
        label = parsed.role in ("truth", "label") and not parsed.inner and len(name) > 1
        if (parsed.strong and None in numbers) or (label and fractions):
            return True
    return False


def refuse_swallowed_rows(columns: Sequence["pd.Series[Any]"], names: Sequence[str], separator: str) -> None:
    """InputError if a cell holds what reads like rows: a quotation mark before it is not closed."""
    k = len(columns)
    numeric = sum(is_number_column(column) for column in columns)
    for column, name in zip(columns, names, strict=True):
        if is_number_column(column) or not separator.strip(" ") or k < 3:
            continue
        for i, cell in enumerate(column.tolist()):
            if not isinstance(cell, str) or "\n" not in cell:
                continue
            breaks = cell.count("\n")
            parts = cell.replace("\n", separator).split(separator)
            numbers = sum(number_in(part) is not None for part in parts)
            if cell.count(separator) >= breaks * (k - 1) and numbers >= breaks * max(1, numeric - 1):
                raise InputError(
                    f"Row {row_number(i)} has a cell of {breaks + 1:,} lines in column "
                    f"{quoted(name)} that holds what reads like other rows: a quotation mark is not "
                    "closed. Check the quotation marks."
                )


def refuse_blank_lines(body: bytes) -> None:
    """InputError if a line in the middle of one column is blank: a value that is missing, or nothing."""
    body = body.strip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    blank = _BLANK_LINE.search(body)
    if not blank:
        return
    filled = [bool(line.strip()) for line in body.split(b"\n")]
    if all(one == (i % 2 == 0) for i, one in enumerate(filled)):  # written with a blank line after each
        return
    raise InputError(
        f"A line is blank below value {body.count(NEWLINE, 0, blank.start()) + 1:,}, so it is open whether a "
        "value is missing there. Expected one value a line: write what is missing, or remove the line."
    )
