"""Reading files: every format gives the same predictions, and what was assumed is said."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read

SHARED = Path(__file__).parents[2].parent / "shared"
CIFAR = SHARED / "data" / "cifar10"
CLASSES = ("cat", "dog", "bird")


def drawn(n=40, seed=0):
    """(n, 3) probabilities of three decimals, labels in which every class occurs, and a table of both."""
    rng = np.random.default_rng(seed)
    thousandths = rng.multinomial(1000, [0.2, 0.3, 0.5], size=n)
    probs = thousandths / 1000
    labels = np.r_[0, 2, 1, rng.integers(0, 3, n - 3)]
    table = pd.DataFrame(probs, columns=list(CLASSES))
    table["label"] = np.array(CLASSES)[labels]
    return probs, labels, table


PROBS, LABELS, TABLE = drawn()


def written(write, *arguments, **others) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *arguments, **others)
    return buffer.getvalue()


def arrow_stream(table: pd.DataFrame) -> bytes:
    sink = io.BytesIO()
    arrow = pa.Table.from_pandas(table)
    with pa.ipc.new_stream(sink, arrow.schema) as writer:
        writer.write_table(arrow)
    return sink.getvalue()


def zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


CSV = TABLE.to_csv(index=False).encode()
JSON = {
    "records": TABLE.to_dict("records"),
    "columns": TABLE.to_dict("list"),
    "columns of columns": {k: dict(enumerate(v)) for k, v in TABLE.to_dict("list").items()},
    "split": TABLE.to_dict("split"),
    "rows with a header": [list(TABLE.columns), *TABLE.to_numpy().tolist()],
    "arrays": {"probs": PROBS.tolist(), "labels": LABELS.tolist(), "class_names": CLASSES},
    "records of lists": [
        {"probs": p, "label": CLASSES[y]} for p, y in zip(PROBS.tolist(), LABELS, strict=True)
    ],
}
FILES = {
    "comma.csv": CSV,
    "quoted.csv": TABLE.to_csv(index=False, quoting=1).encode(),
    "windows.csv": CSV.replace(b"\n", b"\r\n"),
    "old mac.csv": CSV.replace(b"\n", b"\r"),
    "mark.csv": b"\xef\xbb\xbf" + CSV,
    "utf16.csv": CSV.decode().encode("utf-16"),
    "index.csv": TABLE.to_csv().encode(),
    "decimal comma.csv": TABLE.to_csv(index=False, sep=";", decimal=",").encode(),
    "tabs.tsv": TABLE.to_csv(index=False, sep="\t").encode(),
    "bars.txt": TABLE.to_csv(index=False, sep="|").encode(),
    "spaces.txt": TABLE.to_csv(index=False, sep=" ").encode(),
    "aligned.txt": TABLE.to_string(index=False).encode(),
    "row names.txt": CSV.replace(b"\n", b"\nr,").replace(b"\nr,", b"\nr,")[: -len(b"r,")],
    "ends with commas.csv": CSV.replace(b"\n", b",\n"),
    "spreadsheet.csv": b"sep=,\n" + CSV,
    "comments.csv": b"# made by a model\n# " + CSV,
    "blank lines.csv": b"\n\n" + CSV.replace(b"\n", b"\n\n"),
    "empty rows.csv": CSV + b",,,\n,,,\n",
    "blanks.csv": CSV.replace(b",", b" , "),
    "no name": CSV,
    "table.csv.gz": gzip.compress(CSV),
    "table.zip": zipped("folder/table.csv", CSV),
    "snappy.parquet": written(TABLE.to_parquet),
    "zstd.parquet": written(TABLE.to_parquet, compression="zstd"),
    "category.parquet": written(TABLE.astype({"label": "category"}).to_parquet),
    "lz4.feather": written(TABLE.to_feather),
    "zstd.feather": written(TABLE.to_feather, compression="zstd"),
    "plain.feather": written(TABLE.to_feather, compression="uncompressed"),
    "category.feather": written(TABLE.astype({"label": "category"}).to_feather),
    "stream.arrow": arrow_stream(TABLE),
    "sheet.xlsx": written(TABLE.to_excel, index=False),
    "arrays.npz": written(np.savez, probs=PROBS, labels=LABELS, class_names=CLASSES),
    "packed.npz": written(np.savez_compressed, y_prob=PROBS, y_true=LABELS, classes=np.array(CLASSES)),
    "by shape.npz": written(np.savez, a=PROBS, b=LABELS, names=np.array(CLASSES)),
    "bytes.npz": written(np.savez, probs=PROBS, labels=np.array(CLASSES, dtype="S")[LABELS], names=CLASSES),
    "one-hot.npz": written(np.savez, probs=PROBS, labels=np.eye(3)[LABELS].argmax(1), classes=CLASSES),
    "columns.npy": written(np.save, TABLE.to_records(index=False).astype("f8,f8,f8,U4").astype(
        [("cat", "f8"), ("dog", "f8"), ("bird", "f8"), ("label", "U4")])),
    "big-endian.npz": written(np.savez, probs=PROBS.astype(">f8"), y=LABELS.astype(">i4"), names=CLASSES),
    **{f"{name}.json": json.dumps(value).encode() for name, value in JSON.items()},
    "lines.jsonl": "\n".join(json.dumps(record) for record in JSON["records"]).encode(),
}  # fmt: skip
FINGERPRINT = read(CSV).predictions.fingerprint


def test_the_table_as_it_was_written():
    reading = read(CSV, name="x.csv")
    p = reading.predictions
    assert p.class_names == CLASSES
    assert_array_equal(p.probs, PROBS)
    assert_array_equal(p.labels, LABELS)
    assert reading.label_source == "column:label"
    assert (reading.value_kind, reading.label_kind) == ("probabilities", "names")
    assert (reading.probability_columns, reading.metadata_columns) == (CLASSES, ())
    assert reading.notes == (
        "Read as text separated by commas, with a header: 40 rows, 4 columns.",
        "Labels: column 'label' (because of its name).",
        "Predictions: 3 columns, 'cat', 'dog', 'bird' (they are named like the labels).",
    )


@pytest.mark.parametrize("name", [name for name in FILES if name != "records of lists.json"])
def test_every_format_gives_the_same_predictions(name):
    reading = read(FILES[name], name=name)
    assert reading.predictions.fingerprint == FINGERPRINT


def test_lists_in_records_are_columns_without_class_names():
    reading = read(FILES["records of lists.json"], options=ReadOptions(class_names=CLASSES))
    assert reading.predictions.fingerprint == FINGERPRINT
    assert "Predictions: array 'probs'." in reading.notes


def test_content_counts_and_not_the_name(tmp_path):
    assert read(FILES["snappy.parquet"], name="x.csv").predictions.fingerprint == FINGERPRINT
    reading = read(CSV, name="x.parquet")
    assert reading.predictions.fingerprint == FINGERPRINT
    assert "though the name says Parquet" in reading.notes[0]
    path = tmp_path / "table.dat"
    path.write_bytes(CSV)
    assert read(path).predictions.fingerprint == read(str(path)).predictions.fingerprint == FINGERPRINT


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("decimal comma.csv", "Numbers are written with a decimal comma."),
        ("decimal comma.csv", "separated by semicolons, with a header"),
        ("tabs.tsv", "separated by tabs"),
        ("spaces.txt", "separated by spaces"),
        ("utf16.csv", "in UTF-16"),
        ("empty rows.csv", "2 empty rows at the end left out."),
        ("index.csv", "Other columns, kept for groups and times: 'column 1'."),
        ("arrays.npz", "Predictions: array 'probs'."),
        ("by shape.npz", "Predictions: array 'a'."),
        ("by shape.npz", "Labels: column 'b' (the array of labels)."),
        ("sheet.xlsx", "XLSX, sheet 'Sheet1', with a header"),
    ],
)
def test_what_was_assumed_is_said(name, sentence):
    assert sentence in " ".join(read(FILES[name], name=name).notes)


def test_the_first_of_several_sheets():
    book = openpyxl.Workbook()
    for row in [["cat", "dog", "label"], [0.25, 0.75, "cat"], [0.5, 0.5, "dog"]]:
        book.active.append(row)
    book.active.title = "predictions"
    book.create_sheet("other")
    reading = read(written(book.save))
    assert "The first of 2 sheets, 'predictions', was read; the others were not." in reading.notes
    assert_array_equal(reading.predictions.probs, [[0.25, 0.75], [0.5, 0.5]])


def test_metadata_keep_their_kind():
    table = TABLE.assign(id=range(40), age=np.linspace(20, 90, 40), site=["Ä", "B "] * 20, seen=True)
    table["gap"] = ["1.5", "NA"] * 20
    for data in (table.to_csv(index=False).encode(), written(table.to_parquet), written(table.to_excel)):
        reading = read(data)
        meta = reading.predictions.metadata
        assert reading.predictions.fingerprint == FINGERPRINT
        assert_array_equal(meta["id"], np.arange(40))
        np.testing.assert_allclose(meta["age"], table.age)
        assert meta["seen"].dtype == bool
        assert meta["site"][:2].tolist() == ["Ä", "B"]
        assert_array_equal(meta["gap"][:2], [1.5, np.nan])
        assert set(reading.metadata_columns) >= {"id", "age", "site", "seen", "gap"}


def test_dates_and_unreadable_kinds():
    table = TABLE.assign(when=pd.date_range("2026-01-01", periods=40), why=[{"a": 1}] * 40)
    reading = read(written(table.to_parquet))
    assert reading.predictions.metadata["when"].dtype.kind == "M"
    assert "Columns of a kind that is not read, such as lists, were left out: 'why'." in reading.notes


def test_float32_are_read_as_the_decimals_they_round():
    narrow = PROBS.astype(np.float32)
    for data in (
        written(np.savez, probs=narrow, labels=LABELS, names=CLASSES),
        written(TABLE.astype(dict.fromkeys(CLASSES, "f4")).to_parquet),
        written(TABLE.astype({"cat": "f4", "dog": "f4"}).to_parquet),  # mixed
        written(np.savez, probs=(PROBS * 100).astype(np.float32), labels=LABELS, names=CLASSES),  # percent
    ):
        assert_array_equal(read(data).predictions.probs, PROBS)


def test_text_is_read_to_the_nearest_double():
    rng = np.random.default_rng(1)
    p = rng.random(500)
    text = "p,label\n" + "".join(f"{x!r},{i % 2}\n" for i, x in enumerate(p.tolist()))
    assert_array_equal(read(text.encode()).predictions.probs[:, 1], p)
    long = [f"0.{''.join(map(str, rng.integers(0, 10, 40)))}" for _ in range(500)]
    text = "p;label\n" + "".join(f"{x.replace('.', ',')};{i % 2}\n" for i, x in enumerate(long))
    assert_array_equal(read(text.encode()).predictions.probs[:, 1], [float(x) for x in long])


@pytest.mark.parametrize(
    ("text", "options", "kind", "sentence"),
    [
        ("20,30,50,0\n10.5,9.5,80,2\n", {}, "percent", "percent (rows sum to about 100)"),
        ("20%,30%,50%,0\n10.5%,9.5%,80%,2\n", {}, "percent", "percent (written with %)"),
        ("20;30;50;0\n10,5;9,5;80;2\n", {}, "percent", "divided by 100"),
        ("20,30,50,0\n10.5,9.5,80,2\n", {"values": "percent"}, "percent", "percent (as asked)"),
        ("a,b,c,y\n2,3,5,0\n21,19,160,2\n", {"renormalise": True}, "probabilities", "2 of 2 rows were"),
        ("0.2,0.3,0.5,0\n0.105,0.095,0.8,2\n", {"values": "probabilities"}, "probabilities", "1 to 3"),
    ],
)  # fmt: skip
def test_values(text, options, kind, sentence):
    reading = read(text.encode(), options=ReadOptions(**options))
    assert_array_equal(reading.predictions.probs, [[0.2, 0.3, 0.5], [0.105, 0.095, 0.8]])
    assert reading.value_kind == kind
    assert sentence in " ".join(reading.notes)


def test_softmax_only_on_the_users_word():
    scores = np.array([[2.0, -1.0, 0.5], [1000.0, 999.0, 0.0], [-5.0, -5.0, -5.0]])
    data = written(np.savez, logits=scores, labels=[0, 1, 2])
    with pytest.raises(InputError, match=r"look like scores\.") as caught:
        read(data)
    (remedy,) = caught.value.remedies
    assert remedy.words == "These look like logits: apply softmax"
    reading = read(data, options=ReadOptions().mended(remedy))
    expected = np.exp(scores - scores.max(1, keepdims=True))
    np.testing.assert_allclose(
        reading.predictions.probs, expected / expected.sum(1, keepdims=True), rtol=1e-15
    )
    assert reading.value_kind == "logits"
    assert "Softmax was applied to the scores." in reading.notes


def test_logits_are_found_among_other_columns():
    table = pd.DataFrame({"id": range(9, 0, -1), "cat": 1.5, "dog": -0.25, "owl": 0.125, "age": 33.5})
    table["label"] = ["cat", "dog", "dog"] * 3
    reading = read(table.to_csv(index=False).encode(), options=ReadOptions(values="logits"))
    assert reading.probability_columns == ("cat", "dog", "owl")
    both = {"probs": PROBS, "logits": np.log(PROBS), "labels": LABELS}
    assert read(written(np.savez, **both)).value_kind == "probabilities"
    reading = read(written(np.savez, **both), options=ReadOptions(values="logits"))
    np.testing.assert_allclose(reading.predictions.probs, PROBS, atol=1e-12)


def test_worth_knowing():
    text = "p_a,p_b,p_c,label\n1,0,0,b\n0.5,0.5,0,b\n0,1,0,b\n"
    notes = " ".join(read(text.encode()).notes)
    assert "Every case has the class 'b'." in notes
    assert "1 case has an outcome that was given probability 0." in notes
    notes = " ".join(read(b"a,b,c,label\n.2,.3,.5,b\n.5,.5,0,a\n").notes)
    assert "No case has the class 'c'." in notes
    rows = "".join(f"0.2,0.3,0.5,{CLASSES[k]}\n" for k in range(3) for _ in range(20))
    reading = read(f"{','.join(CLASSES)},label\n{rows}".encode())
    assert any(
        "Equal labels stand together, or alternate, more than by chance" in note for note in reading.notes
    )
    assert not any("stand together" in note for note in read(CSV).notes)
    runs = "".join(f"0.2,0.3,0.5,{CLASSES[k % 3]}\n" for k in range(20) for _ in range(5))
    notes = " ".join(read(f"{','.join(CLASSES)},label\n{runs}".encode()).notes)
    assert "the rows are in no random order" in notes
    assert "by class" not in notes


def test_notes_of_the_predictions_are_passed_on():
    notes = read(b"a,b,c,label\n.33,.33,.33,b\n.5,.5,0,a\n").notes
    assert "1 row was divided by the row's sum, to sum to 1 (the furthest summed to 0.99)." in notes


@pytest.mark.skipif(not CIFAR.exists(), reason="the shared data are not here")
def test_real_data():
    reading = read(CIFAR / "densenet121.csv", labels=CIFAR / "labels.csv")
    p = reading.predictions
    rows = (CIFAR / "densenet121.csv").read_text().split()
    assert (p.n, p.m, p.notes) == (10_000, 10, reading.notes)
    assert_array_equal(p.probs, [[float(cell) for cell in row.split(",")] for row in rows])
    assert_array_equal(p.labels + 1, [int(row) for row in (CIFAR / "labels.csv").read_text().split()])
    assert p.class_names == tuple(map(str, range(1, 11)))
    assert (reading.label_source, reading.label_kind) == ("file:labels.csv", "1-based")
    assert any("Labels count the columns from 1 (10 occurs and 0 does not)" in note for note in reading.notes)
