"""Workbooks: cells as openpyxl would give them, and no more of a hostile one than it takes to refuse it."""

import io
import zipfile
from datetime import datetime, timedelta

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

from calibcore.io import read
from calibcore.io.formats import xlsx
from calibcore.io.formats.xlsx import read_xlsx
from tests.hostile.corpus import SHEET_END, SHEET_START, sheet_of
from tests.io.io_errors import refusal, written

ROWS = b"".join(
    b'<row r="%d"><c r="A%d"><v>0.25</v></c><c r="B%d"><v>0.75</v></c><c r="C%d"><v>%d</v></c></row>'
    % (i, i, i, i, i % 2)
    for i in range(1, 9)
)
GOOD = SHEET_START + ROWS + SHEET_END


def changed(workbook: bytes, entries: dict[str, bytes]) -> bytes:
    """The workbook with other contents of some of its files."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        whole = {entry.filename: archive.read(entry) for entry in archive.infolist()} | entries
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in whole.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def many_kinds() -> bytes:
    """Gaps, dates, truth values, errors, formulas without a value, rich and shared text, a row on its own."""
    book = openpyxl.Workbook()
    sheet = book.active
    rich = CellRichText("plain ", TextBlock(InlineFont(b=True), "bold"))
    kinds = [1, 0.5, True, datetime(2026, 1, 2), timedelta(hours=3), "#N/A", "=1+1", rich, "same", "same", ""]
    for j, value in enumerate(kinds, 1):
        for row in (1, 2, 5):
            sheet.cell(row, j + (row == 5), value)
    sheet["Z9"] = "far"
    book.create_sheet("second")["A1"] = 1
    return written(book.save)


def test_cells_are_those_that_openpyxl_gives():
    data = many_kinds()
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    expected = [list(row) for row in book.worksheets[0].iter_rows(values_only=True) if any(row)]
    table = read_xlsx(data, False)
    found = [list(row) for row in zip(*(column.tolist() for column in table.columns), strict=True)]
    found = [[None if v != v else v for v in row] for row in found]
    kept = (str, bool, int, float, type(None))
    assert len(expected[0]) == len(found[0]) == 26
    assert found == [[v if isinstance(v, kept) else str(v) for v in row] for row in expected]
    assert "plain bold" in found[0]


def test_cells_without_a_place_and_text_in_the_cell():
    rows = b'<row><c t="inlineStr"><is><t>a</t></is></c><c/><c t="b"><v>1</v></c></row><row/><row><c/></row>'
    table = read_xlsx(sheet_of(SHEET_START + rows + SHEET_END), False)
    assert [column.tolist() for column in table.columns] == [["a"], [None], [True]]


def test_a_row_that_stands_twice_counts_once():
    data = sheet_of(SHEET_START + ROWS + ROWS + SHEET_END)
    assert read(data).predictions.n == read(sheet_of(GOOD)).predictions.n == 8


def test_a_sheet_is_not_read_beyond_its_limit():
    """Its end is damaged, which nobody finds out who stops in time."""
    data = sheet_of(SHEET_START + b"<row/>" * 300_000 + b"</damaged>")
    assert refusal(data, "x.xlsx") == (
        "The sheet has more than 100,000 empty rows. Remove them, or save it as CSV."
    )
    at_its_end = sheet_of(SHEET_START + ROWS + b"</sheetData></damaged>")
    assert read(at_its_end).predictions.n == 8


def test_sheets_that_nobody_asked_for_are_not_read():
    data = changed(many_kinds(), {"xl/worksheets/sheet1.xml": GOOD, "xl/worksheets/sheet2.xml": b"<damaged>"})
    assert read(data).predictions.n == 8


@pytest.mark.parametrize(
    "rows",
    [
        b"<row>" + b"<c/>" * 300_000 + b"</row>",
        b"<row/>" + b"<a/>" * 300_000,
        b"<row><c r='A1' t='inlineStr'><is><t>" + b"a" * 1_100_000 + b"</t></is></c></row>",
    ],
)
def test_one_row_is_bounded_whatever_is_in_it(rows, monkeypatch):
    monkeypatch.setattr(xlsx, "_MOST_ONE", 1_000_000)
    message = refusal(sheet_of(SHEET_START + rows + SHEET_END), "x.xlsx")
    assert message == "The workbook has more than 1 MB in one row or one text. Save it as CSV or Parquet."


@pytest.mark.parametrize("row", [b"<row><c/><c/></row>", b"<row><c>" + b"<a/>" * 9 + b"</c></row>"])
def test_cells_are_counted_even_if_nothing_stands_in_them(row, monkeypatch):
    monkeypatch.setattr(xlsx, "_MOST_CELLS", 1_000)
    monkeypatch.setattr(xlsx, "_PIECE", 100)
    message = refusal(sheet_of(SHEET_START + row * 501 + SHEET_END), "x.xlsx")
    assert message == ("The sheet has more than 1,000 cells, which is the limit. Save it as CSV or Parquet.")


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        (b"<t>plain</t>", "plain"),
        (b"<t/>", ""),
        (b'<t xml:space="preserve"> a </t>', " a "),
        (b"<r><t>one </t></r><r><rPr><b/></rPr><t>two</t></r>", "one two"),
        ("<t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh>".encode(), "東京"),
    ],
)
def test_texts_that_cells_share(xml, text):
    """openpyxl reads them and writes none."""
    data = of_texts(xml, b"<t>next</t>")
    whole = openpyxl.load_workbook(io.BytesIO(data)).worksheets[0]
    assert [cell or "" for row in whole.iter_rows(values_only=True) for cell in row] == [text, "next"]
    assert read_xlsx(data, False).columns[0].tolist() == [t for t in (text, "next") if t]


def test_texts_are_counted(monkeypatch):
    monkeypatch.setattr(xlsx, "_MOST_TEXTS", 6)
    assert read_xlsx(of_texts(*[b"<t>a</t>"] * 6), False).n == 6
    assert refusal(of_texts(*[b"<t>a</t>"] * 7), "x.xlsx") == (
        "The workbook has more than 6 different texts, which is the limit. Save it as CSV or Parquet."
    )


def of_texts(*texts: bytes) -> bytes:
    """A workbook of shared texts, each in a row of its own."""
    rows = b"".join(b'<row><c t="s"><v>%d</v></c></row>' % i for i in range(len(texts)))
    plain = sheet_of(SHEET_START + rows + SHEET_END)
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        manifest = archive.read("[Content_Types].xml")
    part = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % SHARED_STRINGS.encode()
    table = b'<sst xmlns="%s">' % SHEET_MAIN_NS.encode() + b"".join(b"<si>%s</si>" % t for t in texts)
    return changed(
        plain,
        {
            "[Content_Types].xml": manifest.replace(b"</Types>", part),
            "xl/sharedStrings.xml": table + b"</sst>",
        },
    )


@pytest.mark.parametrize("name", ["xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"])
def test_what_stands_beside_the_cells_is_bounded(name):
    data = changed(sheet_of(GOOD), {name: b"<a>" + b"<a/>" * 3_000_000 + b"</a>"})
    assert refusal(data, "x.xlsx") == (
        f"The workbook has 12 MB of '{name}' beside its cells; the limit is 10 MB. Save it as CSV or Parquet."
    )
