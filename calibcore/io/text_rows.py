"""Text in any encoding -> the rows of a text with separators.

What makes them something else than they seem is refused, each in a sentence.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from calibcore.column_names.class_forms import count_up
from calibcore.column_names.name_words import pieces, tokens
from calibcore.column_names.names import parse
from calibcore.data.row_numbers import row_number
from calibcore.errors import InputError
from calibcore.io.cells import numbers_below
from calibcore.io.tables import Column, is_number_column, number_in
from calibcore.wording import quote

_WESTERN = frozenset("€‚„…‰‘’“”•–—™\xa0¡£§©«°±²³´µ·¹»¼½¾¿×÷")
"""Signs, beside letters, of names and notes in Windows-1252."""


def as_utf8(data: bytes) -> tuple[bytes, str]:
    """UTF-8 without its mark, and what to say about the encoding."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode(), ", in UTF-16"
        except UnicodeError:
            raise InputError("The file begins as UTF-16 but is damaged. Save it as UTF-8.") from None
    data = data.removeprefix(codecs.BOM_UTF8)
    zero = data.find(b"\0")
    if zero >= 0:
        raise InputError(
            f"The file holds a zero byte at byte {zero + 1:,}, so it is no text in UTF-8 and in no other "
            "format known here. Save it as CSV in UTF-8, Parquet, Feather, NPZ, JSON or XLSX."
        )
    if data.isascii():
        return data, ""
    try:
        codecs.decode(data, "utf-8")
    except UnicodeDecodeError as error:
        return _as_western(data, error.start), ", in Windows-1252"
    return data, ""


def _as_western(data: bytes, first: int) -> bytes:
    """Text as spreadsheets of Western Europe save it, in UTF-8; ``first``: the byte that is not UTF-8."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = "\N{REPLACEMENT CHARACTER}"
    damaged = not data.decode("utf-8", "ignore").isascii()  # letters of UTF-8 stand beside
    if not damaged and all(char.isascii() or char.isalpha() or char in _WESTERN for char in set(text)):
        return text.encode()
    line = data.count(b"\n", 0, first) + 1
    raise InputError(
        f"Byte {first + 1:,} (line {line:,}) is 0x{data[first]:02x}, which is not UTF-8. "
        "Save the file as UTF-8."
    )


def rows_of(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Cells of the lines that are not blank; ``separator`` "" is a file of one column."""
    done, blank = 0, _blanks(separator)

    def filled() -> Iterator[str]:
        nonlocal done
        for line in lines:
            done += 1
            if line.strip(blank):  # pandas counts no line of blanks as a row
                yield line.strip() if separator == " " else line

    reader = csv.reader(filled(), delimiter=separator or "\x1f", skipinitialspace=True)
    try:
        for row in reader:
            if row:
                yield [cell.strip() for cell in row]
    except csv.Error:
        raise InputError(
            f"Line {done:,} cannot be split into cells: a quotation mark is not closed, or a cell "
            "is longer than 131,072 characters. Check the quotation marks and the separator."
        ) from None


def _blanks(separator: str) -> str:
    """What stands on a blank line."""
    return " \t\r\n".replace(separator or "\x1f", "")


_SEPARATING = ",;\t|"


def without_title(lines: list[str]) -> tuple[list[str], str]:
    """The lines below a title, and the title: a line that nothing separates, then a blank one, then names of
    several columns.
    """
    if len(lines) < 3 or lines[1].strip() or any(sign in lines[0] for sign in _SEPARATING):
        return lines, ""
    title, _, names = lines[:3]
    cells = [names.split(sign) for sign in _SEPARATING if sign in names]
    named = any(all(any(map(str.isalpha, cell)) for cell in row) for row in cells)
    return (lines[2:], title.strip()) if named and title.strip() else (lines, "")


def below_first_rows(lines: list[str], separator: str, rows: int) -> list[str]:
    """The lines below so many rows: a row takes more than one if a name in quotation marks spans lines."""
    for _ in range(rows):
        first = next(i for i, line in enumerate(lines) if line.strip(_blanks(separator)))
        reader = csv.reader(iter(lines[first:]), delimiter=separator or "\x1f")
        next(reader)
        lines = lines[first + reader.line_num :]
    return lines


def without_rows(body: bytes, separator: str, rows: Sequence[int]) -> bytes:
    """The lines below the header without those of ``rows``, numbered from 1. Cost O(bytes)."""
    passed: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(body.decode("utf-8", "replace"), newline=""):
            passed.append(line)
            yield line

    rest, number, left = [], 0, set(rows)
    for number, _ in enumerate(rows_of(lines(), separator), start=1):
        if number not in left:
            rest += passed
        passed.clear()
    if max(rows) > number:
        raise InputError(f"Row {max(rows):,} cannot be left out: there are {number:,} rows.")
    return "".join(rest).encode()


_NUMBERING = frozenset(["id", "inst", "instance", "row", "index", "idx", "nr", "no", "number", "case", "obs"])
"""In the name of a column of numbers of cases."""
_BLANK_LINE = re.compile(rb"(?:\r\n|\r(?!\n)|\n)[ \t]*+[\r\n]")
"""The end of a line, in the way of any system, and a line behind it that is blank."""


def refuse_commented_cases(
    comments: Sequence[tuple[int, str]], separator: str, rows: Sequence[Sequence[str]], decimal: str
) -> None:
    """InputError if a line that begins with "#", (its number, the rest), reads like the rows below."""
    k = len(rows[-1]) if rows else 0
    numbers = [j for j in range(k) if numbers_below(rows, j, decimal)[0] > 0.5]
    for line, text in comments:
        cells = next(rows_of([text], separator), [])
        alike = len(cells) == k and all(number_in(cells[j], decimal) is not None for j in numbers if j)
        if numbers and alike:
            raise InputError(
                f"Line {line:,} begins with '#' as comments do, and reads like a case: "
                f"{quote(text.strip())}. Remove the line, or its '#'."
            )


def refuse_decimal_commas(rows: Sequence[Sequence[str]], separator: str) -> None:
    """InputError if commas are both separators and decimal marks: 0,37,0,63 for 0.37 and 0.63.

    Only for rows whose cells are not all named. Neighbouring cells then read like the halves of a number.
    """
    k = min(map(len, rows), default=0) if separator == "," else 0
    for j in range(k - 1):
        pairs = [(row[j], row[j + 1]) for row in rows]
        integral = all(a in ("0", "1") and b.isdecimal() and (a == "0" or not b.strip("0")) for a, b in pairs)
        if integral and any(len(b) > 1 for _, b in pairs) and len(pairs) > 1:
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
    words, texts = {row[0] for row in rows}, all(number is None for number in first)
    if len(words) < len(rows):
        labels = words & {cell for row in rows for cell in row[1:]}  # a column of labels, too
        return not labels and texts and _misfits(names, rows, 0, decimal)
    quotes = [line.lstrip().startswith('"') for line in lines if line.strip()]
    if texts or (quotes and all(quotes[: len(rows)])):
        return True
    return count_up(first) and not _numbers_cases(names[0], [row[1] for row in rows], decimal)


def _numbers_cases(name: str, cells: Sequence[str], decimal: str) -> bool:
    """Whether a name stands above the numbers of the cases, and not above these cells beside them."""
    words = {token.text for token in tokens(name)}
    return bool(words & _NUMBERING or not words) and any(number_in(cell, decimal) is None for cell in cells)


def _misfits(names: Sequence[str], rows: Sequence[Sequence[str]], start: int, decimal: str) -> bool:
    """Whether a name, counted from the column ``start`` on, says something else than its column holds."""
    for j, name in enumerate(names, start):
        parsed = parse(name)
        numbers = [number_in(row[j], decimal) for row in rows]
        fractions = any(number is not None and not number.is_integer() for number in numbers)
        head = pieces(name)[0]  # "W(class_a)" beside "W(class_b)" is one column a class
        alone = not head or [pieces(other)[0] for other in names].count(head) == 1
        label = parsed.speaks_of_outcomes and not parsed.inner and len(name) > 1 and alone
        if (parsed.strong and None in numbers) or (label and fractions):
            return True
    return False


def refuse_swallowed_rows(columns: Sequence[Column], names: Sequence[str], separator: str) -> None:
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
                    f"{quote(name)} that holds what reads like other rows: a quotation mark is not "
                    "closed. Check the quotation marks."
                )


def lines_above(data: bytes, start: int, declared: bool) -> int:
    """Lines before the byte ``start``, at which rows begin, as a spreadsheet counts them; 0 if blank lines
    among the rows shift its count. Cost O(bytes).

    declared : whether the first line says what separates the cells, which a spreadsheet does not show
    """
    if _BLANK_LINE.search(data.rstrip(), max(0, start - 1)):
        return 0
    head = data[:start]
    return max(head.count(b"\n"), head.count(b"\r")) - declared


def refuse_blank_lines(body: bytes) -> None:
    """InputError if a line in the middle of one column is blank: a value that is missing, or nothing."""
    body = body.strip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    blank = _BLANK_LINE.search(body)
    filled = [bool(line.strip()) for line in body.split(b"\n")] if blank else []
    not_in_turn = any(is_filled != (i % 2 == 0) for i, is_filled in enumerate(filled))
    if blank and not_in_turn:  # no blank line after each
        value = body.count(b"\n", 0, blank.start()) + 1
        raise InputError(
            f"A line is blank below value {value:,}, so it is open whether a value is missing there. "
            "Expected one value a line: write what is missing, or remove the line."
        )
