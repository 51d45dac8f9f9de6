"""Reading files: whatever cannot be used is one sentence that says what, where, and what was expected."""

import json

import numpy as np
import openpyxl
import pandas as pd
import pytest

from calibcore.errors import InputError
from calibcore.io import read
from calibcore.io.formats import FORMATS
from tests.io.io_errors import GOOD, csv, refusal, written

NUMBER = "Expected a number in every cell."
RANGE = "Expected probabilities from 0 to 1."


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ([(3, 2, "")], ["Row 3 is empty in column 'b'.", NUMBER]),
        ([(3, 2, " ")], ["Row 3 is empty in column 'b'.", NUMBER]),
        ([(3, 2, "oops")], ["Row 3 has 'oops' in column 'b'.", NUMBER]),
        ([(3, 2, "NA")], ["Row 3 has 'NA' in column 'b'.", NUMBER]),
        ([(3, 2, "nan")], ["Row 3 has 'nan' in column 'b'.", NUMBER]),
        ([(3, 2, "0,5")], ["Row 3 has 5 fields. Expected 4 fields in every row, as in the other rows."]),
        ([(3, 2, "1_0")], ["Row 3 has '1_0' in column 'b'."]),
        ([(3, 2, "inf")], ["Row 3 has inf in column 'b'.", NUMBER]),
        ([(3, 2, ""), (5, 3, "x")], ["Row 3 is empty in column 'b'; row 5 has 'x' in column 'c'."]),
        ([(3, 2, "=cmd()")], ["Row 3 has '=cmd()' in column 'b'."]),
        ([(3, 2, "x" * 500)], ["Row 3 has 'xxxxxxxxxx", "…' in column 'b'."]),
        ([(3, 2, "-0.5")], ["Row 3 has -0.5 in column 'b'.", RANGE]),
        ([(3, 2, "1.5")], ["Row 3 has 1.5 in column 'b'.", RANGE]),
        ([(3, 2, "1e300")], ["Row 3 has 1e+300 in column 'b'.", RANGE]),
        ([(3, 2, "0.45")], ["Row 3 sums to 0.95. Rows must sum to 1."]),
        ([(3, 4, "d")], ["Row 3 has label 'd'. The classes are 'a', 'b', 'c'."]),
        ([(3, 4, "")], ["Row 3 has no label in column 'label'. Expected a label in every row."]),
        ([(3, 4, "  ")], ["Row 3 has no label in column 'label'."]),
        ([(i, 4, "z") for i in range(1, 12)], ["row 10 has label 'z'; and 1 more row. The classes are"]),
    ],
)
def test_one_bad_cell_names_row_and_column(changes, parts):
    message = refusal(csv(*changes))
    for part in parts:
        assert part in message
    assert "look like scores" not in message


@pytest.mark.parametrize("bad", ["", "oops"])
def test_other_formats_name_row_and_column_too(bad):
    rows = [[float(x) for x in row[:3]] + row[3:] for row in GOOD]
    rows[2][1] = bad or None
    names = ["a", "b", "c", "label"]
    book = openpyxl.Workbook()
    for row in [names, *rows]:
        book.active.append(row)
    records = [dict(zip(names, row, strict=True)) for row in rows]
    frame = pd.DataFrame(rows, columns=names)
    files = {
        "x.xlsx": written(book.save),
        "x.json": json.dumps(records).encode(),
        "y.json": json.dumps({name: [r[name] for r in records] for name in names}).encode(),
        "z.json": json.dumps({"probs": [r[:3] for r in rows], "labels": list("acb") * 4}).encode(),
        "x.parquet": written((frame.astype({"b": str}) if bad else frame).to_parquet),
    }
    for name, data in files.items():
        where = "column 'probs[1]'" if name == "z.json" else "column 'b'"
        message = refusal(data, name)
        assert message.startswith("Row 3 ")
        assert f"in {where}. {NUMBER}" in message
        if bad:
            assert "has 'oops'" in message


def test_nan_in_arrays_and_json():
    probs = np.array([[0.5, 0.5], [0.5, np.nan], [0.25, 0.75]])
    assert "Row 2 has nan in column 'probs[1]'." in refusal(written(np.savez, probs=probs, labels=[0, 1, 0]))
    assert "Row 2 has nan in column 2." in refusal(written(np.save, np.c_[probs, [0, 1, 0]]))
    assert "Row 1 has null or NaN in column 2." in refusal(b"[[0.5, NaN, 0], [0.5, 0.5, 1], [1, 0, 0]]")


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", ["The file is empty; expected one row per case"]),
        (b" \n\n\t\n", ["The file is empty"]),
        (b"a,b,c,label\n", ["There are no cases; expected at least 2 rows"]),
        (b"a,b,c,label\n.2,.3,.5,a\n", ["There is 1 case; expected at least 2 rows"]),
        (b"a,a,b,label\n.2,.3,.5,a\n", ["The column name 'a' stands twice, in columns 1 and 2"]),
        (csv((3, 4, "a,extra")), ["Row 3 has 5 fields. Expected 4 fields"]),
        (csv().replace(b"0.1,0.1,0.8,c", b"0.1,0.1"), ["Row 2 has 2 fields; row 5 has 2 fields;"]),
        (csv() + b"0.1\n", ["Row 13 has 1 field. Expected 4 fields"]),
        (csv((2, 4, "?é")).replace(b"?", b"\xe9"), ["(line 3) is 0xe9, which is not UTF-8. Save"]),
        (csv((2, 4, "?")).replace(b"?", b"\x81"), ["(line 3) is 0x81, which is not UTF-8. Save"]),
        (csv() + b"\0", ["holds a zero byte at byte"]),
        (b"\xff\xfea", ["begins as UTF-16 but is damaged"]),
        (csv((3, 4, '"a')), ["quotation mark"]),
        (
            b"a,b,c,z\n" + b".2,.3,.5,1.5\n" * 3,
            ["No column of labels was found. The columns are 'a', 'b', 'c', 'z'."],
        ),
        (
            b"u,v,w,z,q\n" + b".2,.3,.5,5,7\n" * 3,
            ["No column of labels", "--label-column NAME", "file of their own"],
        ),
        (b"name,label\nx,y\nz,w\n", ["No column of numbers was found for the predictions. The columns are"]),
        (
            b".2,.3,.5,cat\n.1,.1,.8,dog\n",
            ["are 'cat', 'dog'", "open which column is which class", "--class-names"],
        ),
        (
            csv(header="a,b,c,x").replace(b",a\n", b",q\n"),
            ["Row 1 has label 'q'", "The classes are 'a', 'b', 'c'."],
        ),
        (
            b"a,b,label\n.5,.5,ill\n.5,.5,well\n",
            [
                "in column 'label' are 'ill', 'well', and none of them is a class",
                "'a', 'b'.",
                "--class-names",
            ],
        ),
        (b"a,b,label\n.5,.5,0\n.5,.5,2\n", ["run from 0 to 2, which are 3 classes for 2 columns"]),
        (b"a,b,label\n.5,.5,0\n.5,.5,7\n", ["Row 2 has label '7'. Expected labels from 0 to 1", "'a', 'b'."]),
        (b"a,b,label\n.5,.5,0\n.5,.5,-3\n", ["Row 2 has label '-3'. Expected labels from 0 to 1"]),
        (
            b"1,2,label\n.5,.5,0\n.5,.5,1\n",
            ["Row 1 has label '0'. The classes are named '1', '2'."],
        ),
        (
            b"a,b,c,y_a,y_b,y_c\n" + b".2,.3,.5,1,0,0\n" * 20 + b".2,.3,.5,1,1,0\n",
            ["Row 21 has 2 ones. Expected exactly one 1"],
        ),
        (
            b"p,y\n.2,a\n.3,b\n.4,c\n",
            ["has 3 different labels, 'a', 'b', 'c'", "there is one column"],
        ),
        (
            b"p,y\n.2,u\n.3,v\n",
            ["'u', 'v'", "nothing says which", "probabilities of 'u' with --class-names v,u"],
        ),
        (b"p,y\n.2,1\n.3,1\n", ["Every label in column 'y' is 1", "--label-base 0", "--label-base 1"]),
        (b"p,y\n.2,0\n.3,5\n", ["Row 2 has label '5'. Expected labels 0 and 1, or 1 and 2"]),
        (b"p,y\n.2,0\n.3,1\n1.7,1\n", ["Row 3 has 1.7 in column 'p'.", RANGE]),
        (b"p,y\n-3,0\n4.5,1\n", ["column 'p' go from -3 to 4.5", "look like scores", "--values logits"]),
        (
            b"a,b,label\n-1,3,a\n2,1,b\n",
            ["1 of 2 rows have negative values (row 1 has -1 in column 'a')"],
        ),
        (
            b"a,b,label\n1.5,3,a\n2,1,b\n",
            ["2 of 2 rows sum neither to 1 nor to 100 (row 1 sums to 4.5)"],
        ),
        (
            b"a,b,label\n20,80,a\n30,70,b\n-5,105,a\n",
            ["Row 3 has -5 in column 'a'. Expected percentages"],
        ),
        (
            b"a,b,label\n20,80,a\n30,70,b\n25,70,a\n",
            ["Row 3 sums to 0.95", "percent and were divided by 100"],
        ),
        (b"<!DOCTYPE html><table>", ["web page"]),
        (b"%PDF-1.7", ["a PDF"]),
        (b"\x80\x04\x95pickled", ["a Python pickle, which is never loaded"]),
        (b"\xd0\xcf\x11\xe0old", ["an old Excel workbook (.xls). Save it as XLSX"]),
        (b"\x89HDF\r\n", ["an HDF5 file"]),
        (b"BZh91AY", ["compressed with bzip2. Unpack it first"]),
        (b"{", ["The JSON is damaged or cut off at line 1"]),
        (b"[]", ["The JSON holds an empty list"]),
        (b"[" * 50_000, ["nested too deeply"]),
        (b"[[0.5, 0.5, 0], [0.5, 0.5], [1, 0, 1]]", ["Row 2 has 2 values. Expected 3 values"]),
        (b"[[0.5, [0.5], 0], [0.5, 0.5, 1]]", ["Row 1 holds a list or an object inside a cell"]),
        (b'[{"a": 0.5, "b": 0.5}, {"a": 1}]', ["Row 2 lacks 'b'."]),
        (b'[{"a": 0.5}, {"a": 1, "b": 0.5}]', ["Row 2 has 'b' besides."]),
        (b'[{"a": 0.5}, [1]]', ["Row 2 is a list. Expected an object in every row"]),
        (b'{"a": [0.5, 0.5], "label": ["a"]}', ["differ in length: 'a' 2, 'label' 1."]),
        (b'{"probs": [[0.5, 0.5], [1]], "labels": [0, 1]}', ["In 'probs': Row 2 has 1 value."]),
        (b'{"probs": [[0.5, 0.5], [1, 0]], "labels": [0]}', ["'probs' has 2 rows", "'labels' has 1 labels"]),
        (b'{"error": "not found"}', ["The JSON is an object with 'error'; expected"]),
    ],
)
def test_tables_that_cannot_be_used(data, parts):
    message = refusal(data, "x" if data[:1] in b"[{" else "x.csv")
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"label_column": "nope"}, ["There is no column 'nope'", "The columns are 'a', 'b', 'c', 'label'."]),
        ({"class_names": ("x", "y")}, ["There are 2 class names ('x', 'y') for 3 columns", "'a', 'b', 'c'"]),
        ({"class_names": ("x", "y", "x")}, ["The class name 'x' stands twice"]),
        ({"delimiter": ";"}, ["With the delimiter ';' every row has 1 field", "'a,b,c,label'", "by commas"]),
        ({"delimiter": ";;"}, ["The delimiter is ';;'; expected one character"]),
        (
            {"values": "odds"},
            ["said to be 'odds'; expected one of auto, probabilities, percent, logits, log-probabilities."],
        ),
        ({"label_base": 7}, ["count from 0 or from 1, not from '7'."]),
        ({"values": "percent"}, ["Row 1 sums to 0.01", "percent and were divided by 100"]),
        ({"header": False}, ["in every cell"]),
    ],
)
def test_options_that_do_not_fit(options, parts):
    message = refusal(csv(), **options)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("labels", "parts"),
    [
        (b"a\nb\n", ["There are 12 rows of predictions and 2 labels; expected the same number of both."]),
        (b"", ["The file of labels 'truth.csv': The file is empty"]),
        (
            b"u,v\n" + b"1,2\n" * 12,
            ["The columns 'u', 'v' could all be the labels.", "--label-column u --label-base 0"],
        ),
        (b"0.5\n" * 12, ["Column 1 holds 1 value, '0.5', and none of them is a class"]),
        (b"0.5\n" * 11 + b"a\n", ["row 10 has label '0.5'; and 1 more row."]),
        (b"a\n" * 11 + b"fish\n", ["Row 12 has label 'fish'. The classes are 'a', 'b', 'c'."]),
        (b"1,0,0\n" * 11 + b"0,0,0\n", ["Row 12 has 0 ones. Expected exactly one 1"]),
        (b"PAR1", ["The file of labels 'truth.csv': The Parquet file is damaged"]),
    ],
)
def test_files_of_labels_that_do_not_fit(labels, parts):
    data = b"a,b,c\n" + b"0.2,0.3,0.5\n" * 12
    message = refusal(data, labels=labels)
    for part in parts:
        assert part in message


def test_names_in_messages_are_quoted_and_cut():
    name = "<script>\n\x1b[31m" + "x" * 5000
    frame = pd.DataFrame({name: [0.5, 1.5, 0.25], "b": [0.5, 0.5, 0.75], "label": ["b"] * 3})
    message = refusal(written(frame.to_parquet))
    assert "column '<script>\\n\\x1b[31mxxx" in message
    assert len(message) < 300


def test_many_classes_are_cut():
    frame = pd.DataFrame({f"k{i:02}": [1 / 50, 1 / 50] for i in range(50)} | {"label": ["k01", "none"]})
    message = refusal(frame.to_csv(index=False).encode())
    assert "Row 2 has label 'none'. The classes are 'k00', 'k01'" in message
    assert "'k19' and 30 more. " in message


def test_paths_are_not_told(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path, "a\0b"):
        with pytest.raises(InputError) as caught:
            read(path)
        assert str(tmp_path.parent) not in str(caught.value)
    with pytest.raises(InputError, match=r"There is no file 'absent.csv'\."):
        read(tmp_path / "absent.csv")


@pytest.mark.parametrize("data", [b"\x93NUMPY" + b"\0" * 99, b"a,b,label\n.5,.5,0\n"])
def test_a_file_that_is_too_much_for_the_memory(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    for kind in ("npy", "text"):
        monkeypatch.setattr(FORMATS[kind], "read", full)
    assert refusal(data) == "The file needs more memory than there is. Use fewer cases or columns."


@pytest.mark.parametrize("order", "<>")
def test_text_of_numbers_that_are_no_characters(order: str) -> None:
    """NumPy would make strings of them that Python cannot hold."""
    labels = np.zeros(12, f"{order}U3")
    rows = np.zeros(12, [("a", "f8"), ("b", "f8"), ("label", labels.dtype)])
    assert "no character" not in refusal(written(np.save, rows))
    labels.view("u1")[:] = rows.view("u1").reshape(12, -1)[:, 16:] = 255
    for data in (written(np.save, rows), written(np.savez, probs=np.full((12, 2), 0.5), labels=labels)):
        assert refusal(data).endswith("is damaged: its text holds what is no character. Save it again.")
