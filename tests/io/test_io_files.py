"""Reading files: what is no file of its kind, what is cut off, what unpacks to more than it may."""

import gzip
import io
import json
import struct
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from calibcore import limits
from calibcore.errors import InputError
from calibcore.io import read
from calibcore.io.tables import LONGEST_NUMBER
from tests.counted import Work, counted
from tests.io.io_errors import GOOD, csv, refusal, written


@pytest.fixture
def small_limits(monkeypatch):
    def set_limits(**values: int) -> None:
        monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, **values))

    return set_limits


FRAME = pd.DataFrame(
    [[float(x) for x in row[:3]] + row[3:] for row in GOOD], columns=["a", "b", "c", "label"]
)
WHOLE = {
    "x.parquet": written(FRAME.to_parquet),
    "x.feather": written(FRAME.to_feather),
    "x.xlsx": written(FRAME.to_excel, index=False),
    "x.npz": written(np.savez, probs=FRAME[["a", "b", "c"]].to_numpy(), labels=[0, 2, 1] * 4),
    "x.npy": written(np.save, np.c_[FRAME[["a", "b", "c"]].to_numpy(), [0, 2, 1] * 4]),
    "x.csv.gz": gzip.compress(csv()),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_cut_off(name, share):
    assert read(WHOLE[name], name=name).predictions.n == 12
    message = refusal(WHOLE[name][: int(share * len(WHOLE[name]))], name)
    assert "cut off" in message


@pytest.mark.parametrize("name", ["x.parquet", "x.npz", "x.xlsx"])
def test_not_what_the_name_says(name):
    assert "does not begin as one" in refusal(b"\x00\x01\x02 nothing known", name)


def test_pickled_objects_are_refused():
    objects = np.array([[1, None]], dtype=object)
    for data in (written(np.save, objects), written(np.savez, probs=objects)):
        assert "pickled Python objects, which are never loaded" in refusal(data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("model/data.pkl", b"\x80\x02")
    assert "PyTorch file" in refusal(buffer.getvalue())


def test_a_zip_of_something_else():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", csv())
        archive.writestr("b.csv", csv())
    assert "The zip file holds 'a.csv', 'b.csv'; expected one table" in refusal(buffer.getvalue())
    twice = gzip.compress(gzip.compress(csv()))
    assert "compressed twice" in refusal(twice)


def test_arrays_that_are_no_predictions():
    data = written(np.savez, images=np.zeros((2, 3, 4)), scale=np.float64(1))
    assert "holds the arrays 'images' (2 × 3 × 4), 'scale' (a single value)" in refusal(data)
    assert "3 dimensions (2 × 3 × 4); expected 2" in refusal(written(np.save, np.zeros((2, 3, 4))))
    data = written(np.savez, probs=np.full((3, 2), 0.5), labels=[0, 1])
    assert "'probs' has 3 rows of predictions and the array 'labels' has 2 labels" in refusal(data)
    assert "holds complex numbers" in refusal(written(np.save, np.zeros((3, 2), dtype=complex)))


def test_unpacked_size_is_checked_before_unpacking(small_limits):
    """Much in little: refused at once, without the memory."""
    zeros = np.zeros((1_000, 10_000))
    bomb = written(np.savez_compressed, probs=zeros)
    header = written(np.save, zeros[:2, :2]).replace(b"(2, 2), }", b"(9**5,),}"[:9])
    del zeros
    assert len(bomb) < 100_000
    small_limits(max_unpacked_mb=50)
    tracemalloc.start()
    assert "declares 81 MB when unpacked; the limit is 50 MB" in refusal(bomb)
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()
    assert "damaged header" in refusal(header)


def test_a_header_that_declares_more_than_there_is():
    data = written(np.save, np.zeros((2, 2))).replace(b"(2, 2), }         ", b"(20000000, 10), } ")
    message = refusal(data)
    assert "declares 1,600,000,000 bytes and holds at most" in message
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("probs.npy", data)
    assert "The array 'probs' declares 1,600,000,000 bytes" in refusal(buffer.getvalue())


def test_every_packed_format_is_limited(small_limits):
    small_limits(max_unpacked_mb=1)
    wide = pd.DataFrame(np.zeros((1000, 1000)), columns=map(str, range(1000)))
    files = [
        written(wide.to_parquet),
        written(wide.to_feather, compression="zstd"),
        written(wide.to_feather, compression="lz4"),
        gzip.compress(b"0," * 1_000_000),
    ]
    for data in files:
        assert len(data) < 1e6
        assert "MB when unpacked" in refusal(data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 2_000_000)
    assert "declares 2 MB when unpacked; the limit is 1 MB" in refusal(buffer.getvalue())
    assert "The file has 2 MB when unpacked" in refusal(b"0," * 1_000_000)


def test_what_takes_more_memory_than_bytes_counts_more(small_limits):
    small_limits(max_unpacked_mb=1)
    half = written(np.save, np.full((100_000, 2), 0.5, dtype=np.float32))
    assert len(half) < 1e6
    assert "declares 2 MB when unpacked; the limit is 1 MB" in refusal(half)
    assert "which counts double, the file has 2 MB" in refusal(b"[" + b"0.5, " * 120_000 + b"0]", "a.json")


@pytest.mark.hostile
def test_one_text_repeated_does_not_unpack():
    """A dictionary of one long text: 100,000 times 1 MB if it were spelled out."""
    long = "x" * 1_000_000
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, "i4")), pa.array([long]))
    table = pa.table({"p": np.linspace(0, 1, 100_000), "y": np.arange(100_000) % 2, "text": texts})
    plain = pa.table({"p": [0.5, 0.25], "y": [0, 1]})
    assert read(written(lambda f: pa.parquet.write_table(plain, f))).predictions.n == 2
    for write in (pa.parquet.write_table, pa.feather.write_feather):
        buffer = io.BytesIO()
        write(table, buffer)
        assert read(buffer.getvalue()).predictions.n == 100_000


def test_rows_and_classes_are_limited(small_limits):
    small_limits(max_rows=11, max_classes=3)
    files = {"x.csv": csv(), "x.json": json.dumps(FRAME.to_dict("records")).encode(), **WHOLE}
    for name, data in files.items():
        message = refusal(data, name)
        assert "more than 11 rows, which is the limit (CALIBLENS_MAX_ROWS)" in message, name
    small_limits(max_rows=12, max_classes=2)
    for name, data in files.items():
        message = refusal(data, name)
        assert "There are 3 columns of predictions; the limit is 2 classes (CALIBLENS_MAX_CLASSES)" in message
    line = ",".join(["0"] * 5000).encode() + b"\n"
    assert "The file has 5,000 columns; the limit is 2 classes" in refusal(line * 3)


@pytest.mark.slow
def test_short_rows_are_refused_before_they_are_filled_up():
    """A wide first row and many short ones would take gigabytes."""
    data = (b",".join([b"0.5"] * 300) + b"\n") * 200 + b"1\n" * 30_000
    tracemalloc.start()
    assert "Row 201 has 1 field; row 202 has 1 field" in refusal(data)
    assert tracemalloc.get_traced_memory()[1] < 5e7
    tracemalloc.stop()


def test_a_sheet_that_claims_the_last_cell():
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD2"] = 1, 2
    assert "The file has 16,384 columns" in refusal(written(book.save), "x.xlsx")
    book.active["XFD1048576"], book.active["XFD2"] = 2, None
    assert "more than 100,000 empty rows" in refusal(written(book.save), "x.xlsx")


def test_texts_that_point_outside_their_file():
    """Arrow believes a file's offsets: unchecked, the labels would be other memory of this process."""
    plain = written(FRAME.to_feather, compression="uncompressed")
    offsets = struct.pack("<13q", *range(13))
    assert plain.count(offsets) == 1
    far = struct.pack("<13q", *range(12), 4000)
    assert "damaged" in refusal(plain.replace(offsets, far), "x.feather")


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "cell",
    [
        "9" * 12_000 + "x",
        "." * 12_000,
        "1," * 6_000 + "x",
        "1e" * 6_000,
        " " * 12_000 + "x",
        "%" * 12_000,
        "-+" * 6_000,
    ],
)
def test_a_long_cell_takes_no_longer_than_its_length(cell: str) -> None:
    """No function is called more often for it, and no pattern looks at more of it than a number has room for,
    but two that look once: at how a file begins, and for blank lines where rows are named."""

    def work_of(cell: str, separator: str) -> Work:
        line = f'"{cell}"{separator}a\n'
        with counted() as work:
            assert "in column 'p'" in refusal(
                f"p{separator}label\n{line}".encode()
                + f".5{separator}b\n.4{separator}a\n.4{separator}a\n".encode()
            )
        return work

    for separator in (",", ";"):
        work_of(cell, separator)  # imports
        once, twice = work_of(cell, separator), work_of(2 * cell, separator)
        assert twice.calls < 1.1 * once.calls
        long = {name for name, most in twice.longest.items() if most > LONGEST_NUMBER}
        assert long <= {"calibcore.io.contents._ARFF", "calibcore.io.text_rows._BLANK_LINE"}


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "stem",
    [
        "_" * 300,
        "p_" * 150,
        "a_b-c d" * 40,
        "猫" * 300,
        "(" * 300,
        "a=" * 150,
        "p(" * 150,
        "é" * 300,
        "Ab" * 150,
        "% " * 150,
    ],
)
@pytest.mark.slow
def test_long_names_take_no_longer_than_their_length(stem: str) -> None:
    def calls(stem: str) -> int:
        header = ",".join([f"{stem}{k}" for k in range(40)] + ["label"])
        row = ",".join(["0.025"] * 40 + ["3"])
        with suppress(InputError), counted() as work:
            read("\n".join([header, *[row] * 5]).encode(), name="x.csv")
        return work.calls

    calls("a")  # imports
    assert calls(2 * stem) < 2.2 * calls(stem)
