"""Tens of thousands of columns: they are counted before anything else is done with them."""

import io
import json
from collections.abc import Callable

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from calibcore.errors import InputError
from calibcore.io import read
from tests.counted import counted
from tests.io.io_errors import written

MANY = 60_000
NAMES = [f"k{i}" for i in range(MANY)]
LIMIT = "columns; the limit is 1,000 classes"
MOST_CALLS = 80 * MANY
"""Of functions: a third more than the slowest takes; to compare columns with each other is 30,000 each."""


def text(separator: str, header: int, body: int) -> bytes:
    lines = [NAMES[:header], *[["0.5"] * body] * 3]
    return "\n".join(map(separator.join, lines)).encode()


def sheet() -> bytes:
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet()
    for _ in range(3):
        page.append([0.5] * 16_384)
    return written(lambda buffer: book.save(buffer))


def header_of_numpy(length: int) -> bytes:
    header = ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), " + " " * length + "}\n").encode()
    return b"\x93NUMPY\x02\x00" + len(header).to_bytes(4, "little") + header + bytes(32)


def arrow() -> pa.Table:
    return pa.table({name: [0.5, 0.5] for name in NAMES[:20_000]})


def stream() -> bytes:
    table, buffer = arrow(), io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as out:
        out.write_table(table)
    return buffer.getvalue()


def of(value: object) -> bytes:
    return json.dumps(value).encode()


WIDE: dict[str, tuple[Callable[[], bytes], str]] = {
    "columns by name.json": (lambda: of({name: [0.5, 0.5] for name in NAMES}), LIMIT),
    "other lengths.json": (lambda: of({k: [0.5] * (1 + i % 3) for i, k in enumerate(NAMES)}), LIMIT),
    "arrays by name.json": (lambda: of({name: [[0.5, 0.5]] * 2 for name in NAMES[:20_000]}), LIMIT),
    "objects of objects.json": (lambda: of({k: dict.fromkeys(NAMES[:9_000], 1) for k in NAMES[:5]}), ""),
    "objects both ways.json": (lambda: of({k: {"0": 0.5, "1": 0.5} for k in NAMES}), ""),
    "inside one name.json": (lambda: of({"probs": {k: [0.5, 0.5] for k in NAMES}, "label": [0, 1]}), ""),
    "a name twice.json": (
        lambda: of(dict.fromkeys(NAMES, 1)).replace(b'"k0"', b'"k59999"'), "The name 'k59999' stands twice"
    ),
    "records.json": (lambda: of([dict.fromkeys(NAMES, 0.5)] * 2), LIMIT),
    "records of classes.json": (
        lambda: of([{"label": 1, "p": [{"label": k, "score": 5e-5} for k in NAMES[:20_000]]}] * 2), LIMIT
    ),
    "records of ever new names.json": (lambda: of([{name: 0.5} for name in NAMES]), "Row 2 lacks 'k0'"),
    "lines of ever new names.json": (
        lambda: b"\n".join(of({name: 0.5}) for name in NAMES), "Row 2 lacks 'k0'"
    ),
    "lines.json": (lambda: b"\n".join([of(dict.fromkeys(NAMES, 0.5))] * 2), LIMIT),
    "rows.json": (lambda: of([[0.5] * MANY] * 3), LIMIT),
    "columns and data.json": (lambda: of({"columns": NAMES, "data": [[0.5] * MANY] * 3}), LIMIT),
    "a matrix.json": (lambda: of({"probs": [[0.5] * MANY] * 3, "labels": [0, 1, 0]}), LIMIT),
    "commas.csv": (lambda: text(",", MANY, MANY), LIMIT),
    "a wide header.csv": (lambda: text(";", MANY, 3), "Row 1 has 60,000 fields"),
    "a wide body.csv": (lambda: text(",", 3, MANY), LIMIT),
    "x.parquet": (lambda: written(lambda file: pa.parquet.write_table(arrow(), file)), LIMIT),
    "x.feather": (lambda: written(lambda file: pa.feather.write_feather(arrow(), file)), LIMIT),
    "a stream.arrow": (stream, LIMIT),
    "x.xlsx": (sheet, LIMIT),
    "many arrays.npz": (lambda: written(np.savez, **{name: np.zeros(2) for name in NAMES[:8_000]}), LIMIT),
    "a matrix.npy": (lambda: written(np.save, np.full((3, MANY), 0.5)), LIMIT),
    "named columns.npy": (
        lambda: written(np.save, np.zeros(3, [(f"n{i}", "f4") for i in range(600)])), "tells its columns in"
    ),
    "a long header.npy": (lambda: header_of_numpy(3_000_000), "characters; the limit is 10,000"),
}  # fmt: skip


@pytest.mark.some(3)
@pytest.mark.parametrize("name", WIDE)
def test_columns_are_counted_first(name: str) -> None:
    make, says = WIDE[name]
    data = make()
    with pytest.raises(InputError) as error, counted() as work:
        read(data, name=name)
    assert work.calls < MOST_CALLS
    assert says in str(error.value)
    assert len(str(error.value)) < 1_500


def test_records_by_key_may_be_many() -> None:
    """Rows, and no columns."""
    rows = {f"case {i}": {"p": (i % 10) / 10, "label": int(i % 10 > 4 + i % 3 - 1)} for i in range(5_000)}
    assert read(json.dumps(rows).encode(), name="x.json").predictions.n == 5_000
