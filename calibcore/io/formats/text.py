"""Text with separators (CSV, TSV, …) -> :class:`Table`."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pandas as pd
from pandas.errors import EmptyDataError, ParserError

from calibcore import limits
from calibcore.data.row_numbers import rows_left_out
from calibcore.errors import InputError, Remedy
from calibcore.io import text_rows
from calibcore.io.cells import Header, find_header, title_notes, titles_above
from calibcore.io.dialects import are_types, names_of_weka
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.options import ReadOptions
from calibcore.io.tables import (
    LONGEST_NUMBER,
    Column,
    Table,
    check_rows,
    check_width,
    commonest,
    filled_names,
    number_in,
    refuse_ragged,
)
from calibcore.wording import quote

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
SPELLED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "bar": "|", "pipe": "|", "space": " "}
HEAD = 1_000_000
"""Bytes from which delimiter, decimal mark and header are found."""
_MOST_SNIFFED = 4_000
"""Cells of a row that tell what separates them: a table that is read has fewer."""
SAMPLE = 100
"""Rows of them that are looked at."""
_OLD_PANDAS = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)
_NEAREST: dict[str, Any] = {"float_precision": "round_trip"} if _OLD_PANDAS else {}
"""A number is read as the double nearest to it, which before pandas 3.1 has to be asked for."""
_DECIMAL_COMMA = re.compile(r"[+-]?\d*+,\d++(?:[eE][+-]?\d++)?\s*+%?")


@FORMATS.enter
class Text(Format):
    """Text with any separator: what is nothing else."""

    kind = "text"
    place = 10
    label = "text"
    names = ("CSV", "TSV")
    expected = "CSV or other text"
    common = "CSV"
    reads = "Any delimiter, with or without a header, in UTF-8, UTF-16 or Windows-1252."
    endings = (".csv", ".tsv", ".txt", ".tab")
    magic = (b"",)
    text = True
    modules = ("pandas", "pyarrow.csv", "pyarrow.json")

    @classmethod
    def read(cls, content: Content) -> Table:
        with rows_left_out(content.options.leave_out_rows):
            return read_text(content.data, content.options)


def read_text(data: bytes, options: ReadOptions, one_column: bool = False) -> Table:
    """Read text with any separator. Cost O(bytes); numbers are the float64 nearest to what is written.

    Rows that are left out need not even have as many cells as the others. ``one_column``: nothing separates
    cells. :class:`InputError` for what is not UTF-8, rows of different lengths, a wrong delimiter, and over
    the limits.
    """
    header, leave_out = options.header, options.leave_out_rows
    data, encoding = text_rows.as_utf8(data)
    comments, lines, start = _head(data)
    chosen = _checked_delimiter(options.delimiter)
    declared = re.fullmatch(r'"?sep=(.)"?', lines[0].strip()) if lines else None
    size = _size(lines)
    if declared:  # the line by which spreadsheets say what separates the cells
        del lines[0]
        chosen = chosen or declared[1]
    if not any(line.strip() for line in lines):
        raise InputError("The file is empty; expected one row per case and one column per class.")
    lines, title = text_rows.without_title(lines)
    separator = "" if one_column else chosen or _sniffed(lines)
    rows = list(text_rows.rows_of(lines[: 2 * SAMPLE], separator))[:SAMPLE]
    check_width(commonest(map(len, rows)))
    titles = titles_above(rows) if separator and header is not False else 0
    notes = title_notes([[title]] if title else rows[:titles])
    lines, rows = text_rows.below_first_rows(lines, separator, titles), rows[titles:]
    if chosen and separator and len(rows[0]) == 1:
        _refuse_wrong_delimiter(lines, chosen)
    decimal = _decimal(rows)
    k = commonest(map(len, rows[1:] or rows))
    check_width(k)
    weka = names_of_weka(rows[0], islice(text_rows.rows_of(lines, separator), 1, None), k)
    rows[:1] = [weka or rows[0]]
    texts = [text for _, text in comments]
    names, (named, sure, is_open) = _names(rows, k, decimal, header, texts, separator)
    if names is None:
        text_rows.refuse_commented_cases(comments, separator, rows[int(named) :], decimal)
    body = lines
    if named and names is None:
        typed = 2 if are_types(rows[1:]) else 0
        if typed:
            notes = (*notes, "The second and the third line hold Orange's types and roles, and no case.")
        body = text_rows.below_first_rows(lines, separator, 1 + typed)
        names, rows = rows[0], rows[1 + typed :]
    start += size - _size(body)
    above = text_rows.lines_above(data, start, declared is not None)
    if weka and body is not lines:
        data = data[:start] + data[start:].replace(separator.encode() + b"*", separator.encode())
    if not chosen and names is not None and (len(names), k) == (1, 2) and _is_one_column(rows, separator):
        return read_text(data, options, one_column=True)
    if names is None or len(names) != k:
        text_rows.refuse_decimal_commas([row for row in rows if len(row) == k], separator)
    if names is not None and len(names) == k - 1:
        complete = [row for row in rows if len(row) == k]
        if all(row[-1] == "" for row in complete):  # every row ends with a separator
            names = [*names, ""]
        elif text_rows.are_row_names(complete, names, lines[1 : 1 + SAMPLE], decimal):
            names = ["", *names]
    if names is not None and rows and len(names) != k:
        raise InputError(
            f"The header has {len(names):,} names and the rows below it have {k:,} fields; "
            "expected as many. Check the separator.",
            (Remedy("The first line is a case and no header", {"header": False}),) if named else (),
        )
    if k == 1:
        text_rows.refuse_blank_lines(data[start:])
    if leave_out:
        data = data[:start] + text_rows.without_rows(data[start:], separator, leave_out)
    breaks = max(data.count(b"\n", start), data.count(b"\r", start))
    # So many rows of k fields do not fit into the file: some are shorter, and would be filled up.
    if any(len(row) != k for row in rows) or breaks * k > len(data) - start + 2 * k:
        _refuse_ragged_text(data, start, separator, k, above)
    frame = _parse(data, start, separator, decimal, k, above)
    check_rows(len(frame))
    columns, names, empty = _trimmed(frame, names or [""] * k)
    if columns and columns[-1].isna().any():
        _refuse_ragged_text(data, start, separator, k, above)
    if b'"' in data:
        text_rows.refuse_swallowed_rows(columns, names, separator)
    how = f"separated by {DELIMITERS.get(separator, quote(separator))}" if separator else "in one column"
    source = f"text {how}, {'with' if named else 'without'} a header{encoding}"
    notes = (*empty, *notes)
    if decimal == ",":
        notes = (*notes, "Numbers are written with a decimal comma.")
    return Table(
        columns, filled_names(names), named, source, sure, notes, decimal, header_open=is_open,
        lines_above=above,
    )  # fmt: skip


def _size(lines: Sequence[str]) -> int:
    return len("".join(lines).encode())


def _is_one_column(rows: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether rows of two cells are numbers with a decimal comma."""
    numbers = separator == "," and all(_DECIMAL_COMMA.fullmatch(",".join(row)) for row in rows)
    return numbers and len({row[0] for row in rows}) < len(rows) and any(len(row[1]) > 2 for row in rows)


def _head(data: bytes) -> tuple[list[tuple[int, str]], list[str], int]:
    """Comment lines at the top with their numbers, the first lines after them, and where those begin."""
    end = len(data) if len(data) <= HEAD else (data.rfind(b"\n", 0, HEAD) + 1 or HEAD)
    text = data[:end].decode("utf-8", "replace")
    lines = list(io.StringIO(text, newline=""))
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        return [], lines, 0
    comments = [(i + 1, line.lstrip("#")) for i, line in enumerate(lines[:first]) if line.startswith("#")]
    return comments, lines[first:], _size(lines[:first])


def _checked_delimiter(delimiter: str | None) -> str | None:
    if not delimiter:
        return None
    separator = SPELLED.get(delimiter.lower(), delimiter)
    if len(separator) != 1 or separator in '"\r\n' or not separator.isascii():
        raise InputError(f"The delimiter is {quote(delimiter)}; expected one character such as ',' or ';'.")
    return separator


def _sniffed(lines: Sequence[str]) -> str:
    """The separator that gives rows of one length whose cells are numbers or plain words; "" if none."""
    best, best_score = "", 0.0
    for candidate in DELIMITERS:
        try:
            rows = list(text_rows.rows_of(lines[:50], candidate))
        except InputError:
            continue
        k, alike = Counter(map(len, rows)).most_common(1)[0]
        if k < 2 or (candidate == " " and not _may_be_columns(rows, k)):
            continue
        rest = set(DELIMITERS) - {candidate, " "}
        cells = [cell for row in rows for cell in row[:_MOST_SNIFFED]]
        clean = sum(_is_number(cell, candidate != ",") or not (set(cell) & rest) for cell in cells)
        score = round(alike / len(rows) * clean / len(cells), 2) + 1e-6 * k
        # A space also stands inside names: it separates only if nothing else does.
        if score > best_score + (0.3 if candidate == " " and best else 0):
            best, best_score = candidate, score
    return best if best != " " or best_score > 0.8 else ""


def _may_be_columns(rows: Sequence[Sequence[str]], k: int) -> bool:
    """Whether spaces separate columns, and not the words of names such as "stage II"."""
    first = [row[0] for row in rows[1:] if row]
    if len(rows[0]) != k and not (len(rows[0]) == k - 1 and len(set(first)) == len(first)):
        return False
    words = bool(first) and number_in(first[0]) is None
    if words and (len(set(first)) == 1 or len(set(map(len, rows))) > 1):
        return False
    columns = zip(*(row for row in rows if len(row) == k), strict=True)
    return any(sum(map(_is_number, column)) * 2 > len(column) and len(set(column)) > 1 for column in columns)


def _refuse_wrong_delimiter(lines: Sequence[str], delimiter: str) -> None:
    better = _sniffed(lines)
    if better and better != delimiter:
        raise InputError(
            f"With the delimiter {quote(delimiter)} every row has 1 field; the first line reads "
            f"{quote(lines[0].strip())}. The cells seem to be separated by {DELIMITERS[better]}.",
            (Remedy(f"Separate the cells by {DELIMITERS[better]}", {"delimiter": better}),),
        )


def _decimal(rows: Sequence[Sequence[str]]) -> str:
    cells = [cell for row in rows for cell in row]
    commas = sum(_is_decimal_comma(cell) for cell in cells)
    points = sum("." in cell and number_in(cell) is not None and not _is_thousands(cell) for cell in cells)
    return "," if commas > points else "."


def _is_thousands(cell: str) -> bool:
    """Whether points may separate thousands, which says nothing about decimals."""
    first, *groups = cell.split(".")
    return first.isdecimal() and not first.startswith("0") and all(len(group) == 3 for group in groups)


def _is_number(cell: str, comma: bool = True) -> bool:
    """Whether a cell is a number with a decimal point, or with a comma if that may be."""
    return number_in(cell) is not None or (comma and _is_decimal_comma(cell))


def _is_decimal_comma(cell: str) -> bool:
    return len(cell) <= LONGEST_NUMBER and _DECIMAL_COMMA.fullmatch(cell) is not None


def _names(
    rows: list[list[str]], k: int, decimal: str, header: bool | None, comments: list[str], separator: str
) -> tuple[list[str] | None, Header]:
    """Names that stand in a comment line; whether there is a header."""
    if header is not None:
        return None, Header(header, True)
    last = next(text_rows.rows_of(comments[-1:], separator), [])
    if len(last) == k and find_header([last, *rows], decimal).named:
        return last, Header(True, True)
    if len(rows) > 1 and len(rows[0]) == k - 1:
        first = [number_in(cell, decimal) for cell in rows[0]]
        names = None in first and all(number is None or number.is_integer() for number in first)
        return None, Header(names, True)
    return None, find_header([row for row in rows if len(row) == k] or rows, decimal)


def _parse(data: bytes, start: int, separator: str, decimal: str, k: int, above: int) -> pd.DataFrame:
    buffer = io.BytesIO(data)
    buffer.seek(start)
    try:
        frame: pd.DataFrame = pd.read_csv(
            buffer,
            sep=r"\s+" if separator == " " else separator or "\x1f",
            header=None,
            names=list(range(k)),
            decimal=decimal if separator != decimal else ".",
            skipinitialspace=True,
            # Only an empty cell is missing: "NA", "None" and "nan" may be names, and are shown if not.
            keep_default_na=False,
            na_values=[""],
            low_memory=False,
            nrows=limits.LIMITS.max_rows + 1,
            **_NEAREST,
        )
        if isinstance(frame.index, pd.RangeIndex):
            return frame
        why = ""  # pandas saw more cells, and took the first for an index
    except EmptyDataError:
        return pd.DataFrame({j: [] for j in range(k)})
    except ParserError as error:
        _refuse_ragged_text(data, start, separator, k, above)
        why = str(error)
    if "EOF inside string" in why:
        raise InputError(
            "A quotation mark is opened and never closed. Check the quotation marks in the file."
        )
    line = re.search(r"in line (\d+)", why)
    raise InputError(
        f"The rows cannot be split into {k:,} cells{f' from line {line[1]} on' if line else ''}. Check the "
        "separator and the quotation marks."
    )


def _refuse_ragged_text(data: bytes, start: int, separator: str, k: int, above: int) -> None:
    """InputError naming the rows with another number of fields than k. Cost O(bytes), slower than parsing."""
    buffer = io.BytesIO(data)
    buffer.seek(start)
    with io.TextIOWrapper(buffer, "utf-8", newline="") as text:
        lengths = []
        for row in text_rows.rows_of(text, separator):
            blank = len(row) == k + 1 and row[-1] == ""  # a separator at the end of the line
            lengths.append(k if blank else len(row))
            if len(lengths) > limits.LIMITS.max_rows:
                break
    try:
        refuse_ragged(lengths, k, "fields", may_leave_out=True)
    except InputError as error:
        error.lines_above = above
        raise


def _trimmed(
    frame: pd.DataFrame, names: Sequence[str]
) -> tuple[tuple[Column, ...], list[str], tuple[str, ...]]:
    """Without a last column and without last rows in which nothing stands."""
    notes: tuple[str, ...] = ()
    names = list(names)
    if len(names) > 1 and not names[-1] and len(frame) and frame[len(names) - 1].isna().all():
        frame = frame.drop(columns=len(names) - 1)
        names.pop()
    if len(frame) and frame.iloc[-1].isna().all():
        filled = frame.notna().any(axis=1).to_numpy()
        last = int(filled.nonzero()[0][-1]) + 1 if filled.any() else 0
        rows = len(frame) - last
        notes = (f"{rows:,} empty row{'s' if rows > 1 else ''} at the end left out.",)
        frame = frame.iloc[:last]
    return tuple(frame[j] for j in range(len(names))), names, notes
