"""Hostile and broken files, made by code: valid ones to be damaged, and such as want to do harm whole."""

import gzip
import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st
from numpy.lib import format as npy

RNG = np.random.default_rng(6)
PROBS = RNG.multinomial(1000, [0.2, 0.3, 0.5], size=12) / 1000
LABELS = np.r_[0, 1, 2, RNG.integers(0, 3, 9)]
TABLE = pd.DataFrame(PROBS, columns=list("abc")).assign(
    label=np.array(list("abc"))[LABELS], age=30, note="a note, and one more"
)
CSV = TABLE.to_csv(index=False)


def written(write: Callable[..., object], *arguments: Any, **others: Any) -> bytes:
    """What a writer of files writes."""
    buffer = io.BytesIO()
    write(buffer, *arguments, **others)
    return buffer.getvalue()


def zipped(*entries: tuple[str, bytes]) -> bytes:
    """A zip with these files in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return buffer.getvalue()


VALID = (
    CSV.encode(),
    CSV.encode("utf-16"),
    TABLE.to_csv(index=False, sep=";", decimal=",").encode(),
    TABLE[["a", "b", "c"]].assign(y=LABELS).to_csv(index=False, header=False, sep="\t").encode(),
    b"prob,y\n.2,0\n.4,1\n.5,1\n",
    json.dumps(TABLE.to_dict("records")).encode(),
    json.dumps({"probs": PROBS.tolist(), "labels": LABELS.tolist(), "class_names": list("abc")}).encode(),
    b"\n".join(json.dumps(row).encode() for row in TABLE.to_dict("records")),
    written(TABLE.to_parquet),
    written(TABLE.astype({"label": "category"}).to_parquet, compression="gzip"),
    written(TABLE.to_feather),
    written(TABLE.to_feather, compression="uncompressed"),
    written(TABLE.to_feather, compression="zstd"),
    written(TABLE.to_excel, index=False),
    written(np.savez, probs=PROBS, labels=LABELS),
    written(np.savez_compressed, probs=PROBS, labels=LABELS, class_names=np.array(list("abc"))),
    written(np.save, np.c_[PROBS, LABELS]),
    written(np.save, TABLE.to_records(index=False, column_dtypes={"label": "S1", "note": "U20"})),
    gzip.compress(CSV.encode(), mtime=0),
    zipped(("table.csv", CSV.encode())),
)
"""One small file of each kind."""


class _Runs:
    """Pickled, this would write a file."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, ("harm-was-done", "w"))


def _header(shape: str, kind: str = "'<f8'") -> bytes:
    text = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (63 - (len(text) + 10) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def _one_text(length: int, times: int) -> bytes:
    """Parquet in which one long text is stored once and stands in many rows."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(times, np.int32)), pa.array(["x" * length]))
    table = pa.table({"a": np.full(times, 0.5), "b": np.full(times, 0.5), "label": text.cast(pa.string())})
    return written(lambda out: pq.write_table(table, out, compression="zstd"))


def sheet_of(xml: bytes, **others: bytes) -> bytes:
    """A workbook whose sheet is ``xml``."""
    with zipfile.ZipFile(io.BytesIO(written(TABLE.to_excel, index=False))) as archive:
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    names = {"strings": "xl/sharedStrings.xml", "book": "xl/workbook.xml"}
    entries["xl/worksheets/sheet1.xml"] = xml
    entries |= {names[key]: value for key, value in others.items()}
    return zipped(*entries.items())


def _lies(data: bytes, size: int) -> bytes:
    """A zip whose directory declares that each file has ``size`` bytes."""
    changed, at = bytearray(data), 0
    while (at := changed.find(b"PK\x01\x02", at)) >= 0:
        changed[at + 24 : at + 28] = struct.pack("<I", size)
        at += 4
    return bytes(changed)


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "'
    + b"ha" * 20
    + b'">'
    + b"".join(
        b'<!ENTITY %c "' % (98 + i) + b"&%c;" % (97 + i) * 20 + b'">' for i in range(8)
    )
    + b"]>"
)  # fmt: skip
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
SHEET_START = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)  # fmt: skip
SHEET_END = b"</sheetData></worksheet>"
_SHEET = SHEET_START + b'<row r="1"><c r="A1" t="inlineStr"><is><t>%s</t></is></c></row>' + SHEET_END


_PICKLED = np.array([_Runs(), 1], dtype=object)
_MANY = json.dumps([{"a": 0.5, "b": 0.5, "label": "a"}] * 100)
_DEEP = 100_000

BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "an NPZ of 389 kB that unpacks to 400 MB": (
        lambda: written(np.savez_compressed, probs=np.zeros((5_000_000, 10))), "x.npz",
    ),
    "a zip of 80 MB of zeros": (lambda: zipped(("a.csv", b"0" * 80_000_000)), "x.zip"),
    "gzip of 100 MB in one line": (lambda: gzip.compress(b"1," * 50_000_000, 6), "x.csv.gz"),
    "a zip that lies about its size": (lambda: _lies(zipped(("a.csv", CSV.encode() * 9)), 10), "x.zip"),
    "an NPZ that lies about its size": (lambda: _lies(VALID[14], 2**31 - 1), "x.npz"),
    "an NPZ that leads outside": (lambda: zipped(("../../outside.npy", VALID[16])), "x.npz"),
    "a zip that leads outside": (lambda: zipped(("../../../tmp/outside.csv", CSV.encode())), "x.zip"),
    "gzip in gzip": (lambda: gzip.compress(gzip.compress(CSV.encode())), "x.gz"),
    "an NPY of objects": (lambda: written(np.save, _PICKLED, allow_pickle=True), "x.npy"),
    "an NPZ of objects": (lambda: written(np.savez, probs=PROBS, labels=_PICKLED), "x.npz"),
    "a pickle": (lambda: pickle.dumps(_Runs()), "x.pkl"),
    "an old pickle": (lambda: pickle.dumps(_Runs(), protocol=0), "x.csv"),
    "an NPY that declares an exabyte": (lambda: _header("(1000000000, 1000000000)") + b"0" * 80, "x.npy"),
    "an NPY with a negative side": (lambda: _header("(-1, 4)") + b"0" * 80, "x.npy"),
    "an NPY with a billion empty rows": (lambda: _header("(1000000000, 0)"), "x.npy"),
    "an NPY with empty cells": (lambda: _header("(1000000000,)", "'|S0'"), "x.npy"),
    "an NPY with a deep header": (lambda: _header("(" * 3_000 + ")" * 3_000), "x.npy"),
    "an NPY of a deep type": (lambda: _header("(2,)", "[('a'," * 500 + "'f8'" + ")]" * 500), "x.npy"),
    "an NPZ of many names": (
        lambda: zipped(*((f"{i}.npy", b"") for i in range(20_000))),
        "x.npz",
    ),
    "text with a million columns": (
        lambda: b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n1", "x.csv",
    ),
    "text with ten million commas": (lambda: b"," * 10_000_000, "x.csv"),
    "text of one line": (lambda: b"1" * 50_000_000, "x.csv"),
    "a quotation mark that never closes": (lambda: b'"' + b"a,\n" * 2_000_000, "x.csv"),
    "twenty million empty lines": (lambda: b"\n" * 20_000_000, "x.csv"),
    "a number of a million digits": (lambda: b"p,label\n" + b"9" * 1_000_000 + b",a\n.5,b\n", "x.csv"),
    "zero bytes": (lambda: b"\0" * 1_000_000, "x.csv"),
    "zero bytes between cells": (lambda: CSV.replace(",", ",\0").encode(), "x.csv"),
    "Latin 1": (lambda: CSV.replace("note", "ñoté").encode("latin-1"), "x.csv"),
    "UTF-16 cut in a letter": (lambda: CSV.encode("utf-16")[:-1], "x.csv"),
    "UTF-32": (lambda: CSV.encode("utf-32"), "x.csv"),
    "half a pair of surrogates": (lambda: _MANY.replace('"a":', '"\\ud800":').encode(), "x.json"),
    "half a pair in a label": (lambda: _MANY.replace(': "a"', ': "\\udfff"').encode(), "x.json"),
    "half a pair in other text": (
        lambda: _MANY.replace('"label"', '"x": "\\ud800", "label"').encode(), "x.json",
    ),
    "deep JSON": (lambda: b"[" * _DEEP + b"]" * _DEEP, "x.json"),
    "deep JSON by names": (lambda: b'{"a":' * _DEEP + b"1" + b"}" * _DEEP, "x.json"),
    "JSON just deep enough to be read": (lambda: b"[" * 900 + b"]" * 900, "x.json"),
    "JSON with deep cells": (lambda: b'[{"a":' + b"[" * 900 + b"]" * 900 + b"}]", "x.json"),
    "JSON with a long whole number": (lambda: b'[[' + b"9" * 5_000 + b"]]", "x.json"),
    "JSON of another size than it says": (lambda: b'{"columns": {}, "data": [[1]]}', "x.json"),
    "JSON without numbers": (lambda: b'{"probs": [[NaN, Infinity]], "labels": [0]}', "x.json"),
    "JSON of empty objects": (lambda: b"[" + b"{}," * 100_000 + b"{}]", "x.json"),
    "a long text in every row": (lambda: _one_text(20_000, 5_000), "x.parquet"),
    "Parquet of nothing": (lambda: written(pd.DataFrame().to_parquet), "x.parquet"),
    "Parquet that declares much": (
        lambda: VALID[8][:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1", "x.parquet",
    ),
    "Arrow that declares much": (lambda: b"\xff\xff\xff\xff" + struct.pack("<I", 2**31 - 1), "x.arrow"),
    "a workbook of laughs": (lambda: sheet_of(LAUGHS + _SHEET % b"&i;"), "x.xlsx"),
    "a workbook that reads a file": (lambda: sheet_of(OUTSIDE + _SHEET % b"&a;"), "x.xlsx"),
    "laughs beside the sheet": (
        lambda: sheet_of(_SHEET % b"a", book=LAUGHS + b"<workbook>&i;</workbook>"), "x.xlsx",
    ),
    "a sheet of empty rows": (
        lambda: sheet_of(_SHEET.replace(b"<row", b"<row/>" * 110_000 + b"<row")), "x.xlsx",
    ),
    "a sheet of ten million empty rows": (
        lambda: sheet_of(SHEET_START + b"<row/>" * 10_000_000 + SHEET_END), "x.xlsx",
    ),
    "a row of a million cells": (
        lambda: sheet_of(SHEET_START + b"<row>" + b"<c/>" * 1_000_000 + b"</row>" + SHEET_END), "x.xlsx",
    ),
    "a million elements that are no rows": (
        lambda: sheet_of(SHEET_START + b"<a/>" * 1_000_000 + SHEET_END), "x.xlsx",
    ),
    "a workbook that says much beside its sheet": (
        lambda: sheet_of(_SHEET, book=b"<workbook>" + b"<a/>" * 3_000_000 + b"</workbook>"), "x.xlsx",
    ),
    "a cell far away": (lambda: sheet_of((_SHEET % b"a").replace(b"A1", b"XFD1048576")), "x.xlsx"),
    "a cell beyond every sheet": (
        lambda: sheet_of((_SHEET % b"a").replace(b"A1", b"ZZZZZZ99999999999")), "x.xlsx",
    ),
    "a row that says it is the billionth": (
        lambda: sheet_of(_SHEET.replace(b'r="1"', b'r="1000000000"').replace(b' r="A1"', b"")), "x.xlsx",
    ),
    "a web page": (lambda: b"<script>alert(1)</script>", "x.csv"),
    "an executable": (lambda: b"\x7fELF" + bytes(range(256)) * 9, "x.csv"),
    "no name and no content": (lambda: b"", ""),
    "a name that leads outside": (lambda: CSV.encode(), "../../../../etc/passwd\0.csv"),
    "a name of control characters": (lambda: b"\xff", "\x1b[31m\u202e" * 1_000 + ".npz"),
}  # fmt: skip
"""By what they try: what makes the bytes, and the name of the file."""


MAGIC = (
    b"", b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"\x93NUMPY\x01\0", b"PK\x03\x04", b"\x1f\x8b\x08",
    b"{", b"[[", b"\xef\xbb\xbf", b"\xff\xfe", b"#",
)  # fmt: skip
"""How files begin."""
PIECES = (
    b",", b";", b"\n", b'"', b"\t", b" ", b"%", b"\r", b"0", b"9" * 30, b"nan", b"1e999", b"-", b"null",
    b"True", b"[", b"}", b"\xff", b"\0", b"label", b"#", b"sep=;\n", b"NaN", b"1e-400", b"{}", b"\\ud800",
    "\u202e".encode(), b"\x1b[2J", b"\xff\xff\xff\x7f", b"\xff" * 8, b"<script>", b"=1+1", b"NPY",
    b"(" * 50, b"[" * 990, npy.MAGIC_PREFIX,
)  # fmt: skip
"""What is put into a file to break it."""
NAMES = (
    "", "x", "x.csv", "x.tsv", "x.json", "x.parquet", "x.feather", "x.npz", "x.npy", "x.xlsx", "x.gz",
    "../x.csv", "\x1b[31mx.csv", "x" * 10_000,
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid file with some bytes changed, put in, left out, repeated or exchanged."""
    data = bytearray(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 5)):
            case 0:
                data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case 1:
                data[at:at] = draw(st.sampled_from(PIECES))
            case 2:
                del data[at : at + draw(st.sampled_from([1, 3, 20, 200]))]
            case 3:
                data[at:at] = data[: draw(st.integers(0, 40))]
            case 4:
                data[at : at + 4] = draw(st.sampled_from(PIECES))
            case 5:
                other = draw(st.sampled_from(VALID))
                data[at:] = other[draw(st.integers(0, len(other))) :]
    return bytes(data)
