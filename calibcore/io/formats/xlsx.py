"""XLSX -> :class:`Table`.

openpyxl says which sheets there are and what a cell means. Rows come to it one by one: left to itself it
looks for the size of every sheet first, to the last row of each, and holds a row however long it is. It comes
with an extra, so that nothing here imports it before a workbook is read.
"""

import io
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Any
from xml.etree import ElementTree

from calibcore.errors import InputError
from calibcore.io.archives import Archive, archive_of
from calibcore.io.cells import table_of_cells
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import Table, check_rows, check_width
from calibcore.wording import quote

_MOST_EMPTY = 100_000
"""Empty rows of a sheet: a row may say that it is the billionth."""
_MOST_CELLS = 12_000_000
"""Cells of a sheet, the empty ones that it writes down too: about a minute. A full sheet of 11 columns has
less."""
_MOST_TEXTS = 5_000_000
"""Different texts of a workbook."""
_MOST_ONE, _MOST_BESIDE = 2_000_000, 10_000_000
"""Bytes of one row or one text, and of each part of a workbook beside its cells: elements of four letters
take 30 times as much in memory."""
_PARTS = 4
"""XML elements of a cell, at most, on average over a sheet."""
_PIECE = 1 << 16
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TEXT, _PLAIN, _RUNS, _ROW, _ROWS = (f"{{{_SHEET}}}{name}" for name in ("si", "t", "r", "row", "sheetData"))
_ELSEWHERE = "Save it as CSV or Parquet."


@FORMATS.enter
class XLSX(Format):
    """A workbook of Excel since 2007."""

    kind = "xlsx"
    place = 70
    label = "XLSX"
    common = "Excel"
    reads = "The first sheet. Formulas count with the values that were saved with them."
    endings = (".xlsx",)
    inside = "xl/workbook.xml"
    extra = "excel"
    modules = ("openpyxl",)

    @classmethod
    def read(cls, content: Content) -> Table:
        return read_xlsx(content.data, content.options.header)


def read_xlsx(archive: bytes, header: bool | None) -> Table:
    """The first sheet of a workbook; formulas count with the values they were saved with. Cost O(cells)."""
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.styles.stylesheet import apply_stylesheet

    with warnings.catch_warnings(), archive_of(archive, _Parts) as parts:
        # It warns about styles and extensions that it does not know.
        warnings.filterwarnings("ignore", module="openpyxl")
        book = ExcelReader(io.BytesIO(archive), read_only=True, data_only=True, keep_links=False)
        book.archive = parts
        book.read_manifest()
        book.read_workbook()
        apply_stylesheet(parts, book.wb)
        sheets = [
            (sheet.name, part.target)
            for sheet, part in book.parser.find_sheets()
            if part.target in book.valid_files and "chartsheet" not in part.Type
        ]
        if not sheets:
            raise InputError("The workbook has no sheet of cells; expected the predictions in the first.")
        name, path = sheets[0]
        with parts.open(path) as sheet:
            lines, rows = _cells(sheet, book.wb, _texts(book))
    if not rows:
        raise InputError(f"The first sheet {quote(name)} is empty; expected one row a case.")
    width = max(map(len, rows))
    full = [[*row, *[None] * (width - len(row))] for row in rows]
    table = table_of_cells(full, header, f"XLSX, sheet {quote(name)}")
    if lines[-1] - lines[0] + 1 == len(lines):  # no empty row among them
        table = replace(table, lines_above=lines[-1] - table.n)
    if len(sheets) == 1:
        return table
    note = f"The first of {len(sheets)} sheets, {quote(name)}, was read; the others were not."
    return replace(table, notes=(*table.notes, note))


class _Parts(Archive):
    """The files of a workbook. What openpyxl takes in whole may not be large."""

    def read(self, name: str | zipfile.ZipInfo, pwd: bytes | None = None) -> bytes:
        entry = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if entry.file_size > _MOST_BESIDE:
            raise InputError(
                f"The workbook has {entry.file_size / 1e6:,.0f} MB of {quote(entry.filename)} beside its "
                f"cells; the limit is {_MOST_BESIDE / 1e6:,.0f} MB. {_ELSEWHERE}"
            )
        return super().read(name, pwd)


def _texts(book: Any) -> list[str]:
    """The texts that cells refer to by number."""
    from openpyxl.xml.constants import SHARED_STRINGS

    part = book.package.find(SHARED_STRINGS)
    if part is None:
        return []
    texts: list[str] = []
    with book.archive.open(part.PartName[1:]) as file:
        for element in _elements(file, _TEXT):
            runs = [element, *element.findall(_RUNS)]
            texts.append("".join(run.findtext(_PLAIN) or "" for run in runs).replace("x005F_", ""))
            if len(texts) > _MOST_TEXTS:
                raise InputError(
                    f"The workbook has more than {_MOST_TEXTS:,} different texts, which is the limit. "
                    + _ELSEWHERE
                )
    return texts


def _cells(sheet: IO[bytes], book: Any, texts: list[str]) -> tuple[list[int], list[list[object]]]:
    """The numbers of rows in which something stands, and these without empty cells at their ends."""
    from openpyxl.worksheet._reader import WorkSheetParser

    parser = WorkSheetParser(sheet, texts, True, book.epoch, book._date_formats, book._timedelta_formats)
    rows: dict[int, dict[int, object]] = {}
    last = cells = 0
    for element in _elements(sheet, _ROW, _ROWS):
        cells += len(element)
        if cells > _MOST_CELLS:
            raise _too_many()
        line, line_cells = parser.parse_row(element)
        row: dict[int, object] = {}
        for cell in line_cells:
            _put(row, cell["column"], cell["value"], line)
        width = max(row, default=0)
        last = max(last, line)
        if last - len(rows) - bool(width) > _MOST_EMPTY:
            raise InputError(
                f"The sheet has more than {_MOST_EMPTY:,} empty rows. Remove them, or save it as CSV."
            )
        if width:
            check_width(width)
            for j, value in row.items():
                _put(rows.setdefault(line, {}), j, value, line)
            check_rows(len(rows) - 1)
    lines = sorted(rows)
    return lines, [[rows[line].get(j) for j in range(1, max(rows[line]) + 1)] for line in lines]


def _put(row: dict[int, object], j: int, value: object, line: int) -> None:
    """A cell into its row; :class:`InputError` if another one stands at its place."""
    if value in (None, ""):
        return
    if row.setdefault(j, value) != value:
        raise InputError(
            f"Row {line:,} of the sheet holds two values at one place, column {j:,}: {quote(row[j])} and "
            f"{quote(value)}. Save the workbook again, or as CSV."
        )


def _elements(file: IO[bytes], name: str, last: str = "") -> Iterator[ElementTree.Element]:
    """Each XML element of that name until ``last`` ends; one at a time is held."""
    pull: Any = ElementTree.XMLPullParser(("end",))
    size = count = 0
    while piece := file.read(_PIECE):
        size += len(piece)
        if size > _MOST_ONE:
            raise InputError(
                f"The workbook has more than {_MOST_ONE / 1e6:,.0f} MB in one row or one text. {_ELSEWHERE}"
            )
        pull.feed(piece)
        for _, element in pull.read_events():
            count += 1
            if element.tag == name:
                yield element
                element.clear()
                size = 0
            elif element.tag == last:
                return
        if count > _PARTS * _MOST_CELLS:
            raise _too_many()
    pull.close()


def _too_many() -> InputError:
    return InputError(f"The sheet has more than {_MOST_CELLS:,} cells, which is the limit. {_ELSEWHERE}")
