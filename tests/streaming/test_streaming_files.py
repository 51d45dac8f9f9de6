"""A Parquet file read in slices is understood as the same file read whole."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.io.formats import parquet
from calibcore.io.row_groups import RowGroups
from tests.streaming.streamed import model, write

N, STEP = 1200, 70
NAMES = ("cat", "dog", "owl")


def slices_of(data: RowGroups) -> tuple[np.ndarray, np.ndarray]:
    parts = list(data.slices(STEP))
    assert [first for first, _ in parts] == list(range(0, data.n, STEP))
    assert {part.n for _, part in parts[:-1]} == {STEP}
    return np.vstack([part.probs for _, part in parts]), np.concatenate([part.labels for _, part in parts])


def same_reading(path: Path, options: ReadOptions | None = None) -> RowGroups:
    """Arrays to the bit, names and, but for the first and the last, sentences."""
    whole, data = read(path, options=options or ReadOptions()), RowGroups(path, options)
    probs, labels = slices_of(data)
    np.testing.assert_array_equal(probs, whole.predictions.probs)
    np.testing.assert_array_equal(labels, whole.predictions.labels)
    np.testing.assert_array_equal(np.concatenate(list(data.labels())), labels)
    assert data.class_names == whole.predictions.class_names
    assert (data.value_kind, data.label_kind) == (whole.value_kind, whole.label_kind)
    assert set(data.before[1:]) <= set(whole.notes)
    rest = {
        note for note in whole.notes[1:] if not note.startswith(("Other columns, kept", "Equal labels stand"))
    }
    assert rest <= {*data.before, *data.after} | {note for note in rest if "probability 0" in note}
    return data


def words(labels: np.ndarray) -> np.ndarray:
    return np.array(NAMES)[labels]


@pytest.mark.some(4)
@pytest.mark.parametrize("group", [1, 7, 1000])
@pytest.mark.parametrize(
    "made",
    [
        lambda g, y: ({}, y),
        lambda g, y: ({"names": ["a", "b", "c"]}, y + 1),
        lambda g, y: ({"names": NAMES}, words(y)),
        lambda g, y: ({"names": [f"prob_{name}" for name in NAMES]}, pd.Categorical(words(y))),
        lambda g, y: ({}, np.where(y == 1, "1.0", np.where(y == 2, "2", "0"))),
        lambda g, y: ({}, y.astype(np.float64)),
    ],
)  # fmt: skip
def test_labels(tmp_path: Path, group: int, made) -> None:
    probs, labels = model(N if group > 1 else 300, 3)
    more, labels = made(probs, labels)
    same_reading(write(tmp_path / "p.parquet", probs, labels, group, **more))


@pytest.mark.some(3)
@pytest.mark.parametrize("batch", [1, 32, 69, 71])
@pytest.mark.parametrize("group", [50, 1000])
def test_batches_that_do_not_fit_into_slices(tmp_path: Path, monkeypatch, group: int, batch: int) -> None:
    monkeypatch.setattr(parquet, "_BATCH", batch)
    probs, labels = model(600, 3)
    same_reading(write(tmp_path / "p.parquet", probs, words(labels), group, NAMES))


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("change", "options"),
    [
        (lambda g: g.astype(np.float32), ReadOptions()),
        (lambda g: g.astype(np.float16), ReadOptions()),
        (lambda g: 100 * g, ReadOptions()),
        (lambda g: np.round(g, 2), ReadOptions()),
        (lambda g: 7 * g, ReadOptions(renormalise=True, values="probabilities")),
        (lambda g: np.log(g), ReadOptions(values="logits")),
        (lambda g: np.char.add(np.round(100 * g, 3).astype(str), " %"), ReadOptions(renormalise=True)),
    ],
)
def test_values(tmp_path: Path, change, options: ReadOptions) -> None:
    probs, labels = model(N, 3)
    same_reading(write(tmp_path / "p.parquet", change(probs), words(labels), 111, NAMES), options)


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("labels", [lambda y: y, lambda y: y == 1, lambda y: np.where(y, "yes", "no")])
def test_one_column_of_probabilities(tmp_path: Path, scale: int, labels) -> None:
    probs, y = model(N, 2)
    same_reading(write(tmp_path / "p.parquet", scale * probs[:, 1:], labels(y), 100, ["probability"]))


def test_what_one_column_holds_is_decided_by_all_rows(tmp_path: Path) -> None:
    """All but a few rows, which a sample takes, lie from 0 to 1."""
    probs, y = model(3_000, 2)
    rows = np.unique(np.linspace(0, 2_999, 500).astype(np.int64))
    p = probs[:, 1:].copy()
    p[rows[::2]] = 60.0
    path = write(tmp_path / "p.parquet", p, y, 100, ["score"])
    with pytest.raises(InputError, match="has 60 in column") as whole:
        read(path)
    with pytest.raises(InputError) as sliced:
        RowGroups(path)
    assert str(sliced.value).partition(";")[0] == str(whole.value).partition(";")[0]


def test_other_columns_are_not_read(tmp_path: Path) -> None:
    probs, labels = model(N, 3)
    columns = {"id": np.arange(N), "site": np.array(["A", "B"])[np.arange(N) % 2]}
    columns |= {f"p_{name}": probs[:, k] for k, name in enumerate(NAMES)} | {"truth": words(labels)}
    pq.write_table(pa.table(columns | {"list": [[1]] * N}), tmp_path / "p.parquet", row_group_size=100)
    data = same_reading(tmp_path / "p.parquet")
    assert data.after == ("Columns not read: 'id', 'site'.",)
    assert data.before[0] == "Read as Parquet, in slices: 1,200 rows, 6 columns."


FAULTS = {
    "sum": lambda g, y: g.__setitem__((777, 0), g[777, 0] + 0.3),
    "nan": lambda g, y: g.__setitem__((801, 1), np.nan),
    "range": lambda g, y: g.__setitem__((444, 2), -0.25),
    "label": lambda g, y: y.__setitem__(650, "wolf"),
    "missing": lambda g, y: y.__setitem__(333, None),
    "last": lambda g, y: g.__setitem__((N - 1, 0), g[N - 1, 0] + 0.02),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_row_is_named_as_in_the_whole_file(tmp_path: Path, fault: str) -> None:
    probs, labels = model(N, 3)
    names = words(labels).astype(object)
    FAULTS[fault](probs, names)
    path = write(tmp_path / "p.parquet", probs, names, 90, NAMES)
    with pytest.raises(InputError) as whole:
        read(path)
    with pytest.raises(InputError) as sliced:
        slices_of(RowGroups(path))
    assert str(sliced.value) == str(whole.value)


def test_more_bad_rows_are_counted_as_far_as_was_read(tmp_path: Path) -> None:
    probs, labels = model(N, 3)
    probs[145:190] *= 0.8
    path = write(tmp_path / "p.parquet", probs, words(labels), 90, NAMES)
    with pytest.raises(
        InputError, match=r"^Row 146 sums to .* and 35 more rows of the first 210\. Rows must"
    ):
        slices_of(RowGroups(path))


def test_integer_labels_out_of_range(tmp_path: Path) -> None:
    probs, labels = model(N, 3)
    labels[1111] = 8
    path = write(tmp_path / "p.parquet", probs, labels, 90, ["a", "b", "c"])
    with pytest.raises(InputError, match="Row 1112 has label '8'"):
        RowGroups(path)


def test_percent_is_said_in_an_error(tmp_path: Path) -> None:
    probs, labels = model(N, 3)
    probs[1000] *= 0.5
    path = write(tmp_path / "p.parquet", 100 * probs, words(labels), 90, NAMES)
    with pytest.raises(InputError, match=r"Row 1001 sums to 0\.5\..*percent and were divided by 100 first"):
        slices_of(RowGroups(path))


def test_decimals_of_all_rows_decide_which_sums_are_rounded(tmp_path: Path) -> None:
    """Two decimals explain a sum of 0.99; six in the last row do not."""
    probs = np.tile([0.33, 0.33, 0.33], (N, 1))
    labels = words(np.arange(N) % 3)
    path = write(tmp_path / "p.parquet", probs, labels, 90, NAMES)
    data = same_reading(path)
    assert any(note.startswith("1,200 of 1,200 rows were divided") for note in data.before)
    probs[-1] = 0.333333, 0.333333, 0.333334
    path = write(tmp_path / "p.parquet", probs, labels, 90, NAMES)
    with pytest.raises(InputError, match=r"Row 1 sums to 0\.99"):
        slices_of(RowGroups(path))


REFUSED = {
    "CSV": (b"a,b,label\n0.5,0.5,0\n", "no Parquet file, and only Parquet is read in slices"),
    "cut off": (b"PAR1 and nothing else", "is damaged, cut off"),
    "empty": (b"", "no Parquet file"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_files(tmp_path: Path, kind: str) -> None:
    content, sentence = REFUSED[kind]
    (tmp_path / "p.csv").write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        RowGroups(tmp_path / "p.csv")


def test_refused_places(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file 'none\.parquet'"):
        RowGroups(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="cannot be opened; expected a Parquet file"):
        RowGroups(tmp_path)


def test_one_hot_labels_counts_and_weights_are_refused(tmp_path: Path) -> None:
    probs, labels = model(N, 3)
    columns = {f"p_{k}": probs[:, k] for k in range(3)} | {f"y_{k}": labels == k for k in range(3)}
    pq.write_table(pa.table({k: np.asarray(v, float) for k, v in columns.items()}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match="One-hot labels cannot be streamed"):
        RowGroups(tmp_path / "p.parquet")
    for options in (ReadOptions(count_column="n"), ReadOptions(weight_column="w")):
        with pytest.raises(InputError, match="Counts and weights cannot be streamed"):
            RowGroups(tmp_path / "p.parquet", options)


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path / "p.parquet", *model(N, 3))
    data = RowGroups(path)
    write(path, *model(N + 1, 3))
    with pytest.raises(InputError, match="changed while it was read"):
        list(data.slices(STEP))


def test_limits_on_rows_do_not_hold_here(tmp_path: Path, monkeypatch) -> None:
    from calibcore import limits

    path = write(tmp_path / "p.parquet", *model(N, 3))
    monkeypatch.setattr(limits, "LIMITS", limits.Limits(threads=2, max_rows=100, max_unpacked_mb=1))
    with pytest.raises(InputError, match="CALIBLENS_MAX_ROWS"):
        read(path)
    assert RowGroups(path).n == N
    monkeypatch.setattr(limits, "LIMITS", limits.Limits(threads=2, max_classes=2))
    with pytest.raises(InputError, match="CALIBLENS_MAX_CLASSES"):
        RowGroups(path)


def test_a_slice_is_made_of_checked_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "p.parquet", *model(N, 3))
    _, first = next(RowGroups(path).slices(STEP))
    assert isinstance(first, Predictions)
    assert not first.probs.flags.writeable
