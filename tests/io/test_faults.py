"""Every kind of fault of a file at once, and rows as a spreadsheet counts them."""

import io

import pytest
from openpyxl import Workbook

from calibcore import InputError
from calibcore.io import faults, read

GOOD = ["0.2,0.8,b", "0.6,0.4,a", "0.3,0.7,a"] * 6
FAULTY = {
    2: ("0.2,x,b", "Row 2 has 'x' in column 'b'. Expected a number in every cell."),
    5: ("0.2,0.8,c", "Row 5 has label 'c'. The classes are 'a', 'b'."),
    9: ("1.2,-0.2,b", "Row 9 has 1.2 in column 'a'. Expected probabilities from 0 to 1."),
    12: ("0.5,0.3,b", "Row 12 sums to 0.8. Rows must sum to 1."),
}
"""Number of a row -> what it holds, and what is said of it; in the order in which a file is looked at."""


def file_of(faulty: tuple[int, ...] = tuple(FAULTY), above: str = "a,b,label\n", between: str = "") -> bytes:
    rows = [FAULTY[i][0] if i in faulty else row for i, row in enumerate(GOOD, start=1)]
    return (above + "\n".join([*rows[:8], between, *rows[8:]] if between else rows) + "\n").encode()


def refused(data: bytes, **more: object) -> InputError:
    with pytest.raises(InputError) as caught:
        read(data, **more)  # type: ignore[arg-type]
    return caught.value


def test_all_that_is_wrong_is_said_at_once_and_one_click_leaves_it_out() -> None:
    error = refused(file_of())
    assert error.kinds == tuple(words for _, words in FAULTY.values())
    assert str(error).startswith(" ".join(error.kinds))
    (leave_out,) = error.remedies  # to divide rows by their sums would mend one of four
    assert leave_out.words == "Leave out these 4 rows"
    assert error.columns == ("a", "b", "label")
    reading = read(file_of(), options=read(file_of(())).options.mended(leave_out))
    assert reading.predictions.n == len(GOOD) - 4


def test_rows_left_out_before_keep_their_numbers() -> None:
    options = read(file_of(())).options
    first = refused(file_of((2, 12)), options=options.mended(refused(file_of((2,))).remedies[0]))
    assert str(first).startswith("Row 12 sums to 0.8.")
    assert not first.kinds


def test_a_large_file_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibcore.io.reader.LARGE", 10)
    error = refused(file_of())
    assert str(error).startswith(FAULTY[2][1])
    assert "Row 5" not in str(error)


def test_what_stays_when_every_other_row_is_wrong_is_one_kind() -> None:
    assert not refused(b"a,b,label\n0.5,0.4,a\n0.5,0.3,b\n").kinds


def test_the_row_of_a_spreadsheet_is_named() -> None:
    one = "Rows are counted below the names: row 2 is row {} of a spreadsheet."
    assert str(refused(file_of((2,)))).endswith(one.format(3))
    assert str(refused(file_of((2,), "Model of May\n\na,b,label\n"))).endswith(one.format(5))
    assert str(refused(file_of((2,), "sep=,\na,b,label\n"))).endswith(one.format(3))
    assert str(
        refused(file_of((2,), "a,b,label\r\n").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    ).endswith(one.format(3))
    ragged = file_of(()).replace(b"0.6,0.4,a", b"0.6,0.4", 1)
    assert str(refused(ragged)).endswith(one.format(3))
    for silent in (file_of((2,), between=" "), file_of((2,), above="")):  # a blank line, no line of names
        assert "spreadsheet" not in str(refused(silent))


def test_the_row_of_a_sheet_is_named() -> None:
    book = Workbook()
    book.active.append(["of May"])  # type: ignore[union-attr]
    for line in file_of((2,)).decode().split():
        cells = [float(cell) if cell[0].isdigit() else cell for cell in line.split(",")]
        book.active.append(cells)  # type: ignore[union-attr]
    book.save(target := io.BytesIO())
    assert "row 2 is row 4 of a spreadsheet" in str(refused(target.getvalue()))


def test_only_what_the_file_says_of_rows_counts() -> None:
    error = InputError("The column 'row 7' has 'row 8'. Row 1,204 sums to 2.")
    error.lines_above = 1
    faults.name_spreadsheet_row(error)
    faults.name_spreadsheet_row(error)
    assert str(error).endswith(
        "sums to 2. Rows are counted below the names: row 1,204 is row 1,205 of a spreadsheet."
    )
