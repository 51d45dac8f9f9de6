"""Text in any encoding -> the rows of a text with separators."""

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from calibcore.errors import InputError

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
    if len(lines) <= _NAMES or lines[1].strip() or any(sign in lines[0] for sign in _SEPARATING):
        return lines, ""
    cells = [lines[_NAMES].split(sign) for sign in _SEPARATING if sign in lines[_NAMES]]
    named = any(all(any(map(str.isalpha, cell)) for cell in row) for row in cells)
    return (lines[_NAMES:], lines[0].strip()) if named and lines[0].strip() else (lines, "")


_NAMES = 2
"""The line that holds the names of the columns below a title and a blank line."""


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

    others, number, left = [], 0, set(rows)
    for number, _ in enumerate(rows_of(lines(), separator), start=1):
        if number not in left:
            others += passed
        passed.clear()
    if max(rows) > number:
        raise InputError(f"Row {max(rows):,} cannot be left out: there are {number:,} rows.")
    return "".join(others).encode()
