"""Labels as lists, names that stand twice, texts that are no table: the right words, or the right reading."""

import json

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from tests.io.io_errors import refusal, written

RNG = np.random.default_rng(1)
N = 60
A, B = RNG.random((2, N)).round(3)
LA, LB = (RNG.random(N) < A).astype(int), (RNG.random(N) < B).astype(int)


def table(header: str, row) -> bytes:
    return (header + "\n" + "".join(row(i) + "\n" for i in range(N))).encode()


def lists(form: str, header: str = "labels,A,B") -> bytes:
    return table(header, lambda i: f'"{form.format(LA[i], LB[i])}",{A[i]},{B[i]}')


def names(i: int) -> list[str]:
    return [name for name, label in (("A", LA[i]), ("B", LB[i])) if label]


def words(write) -> bytes:
    return table("labels,A,B", lambda i: f'"{write(names(i))}",{A[i]},{B[i]}')


MULTI_HOT = {
    "lists.csv": lists("[{}, {}]"),
    "spaces.csv": lists("[{} {}]", "labels,prob_A,prob_B"),
    "tuples.csv": lists("({}, {})", "y_true,A,B"),
    "floats.csv": lists("[{}., {}.]"),
    "vectors.csv": table("labels,probs", lambda i: f'"[{LA[i]}, {LB[i]}]","[{A[i]}, {B[i]}]"'),
    "x.npz": written(np.savez, probs=np.c_[A, B], labels=np.c_[LA, LB]),
    "records.json": json.dumps(
        [{"labels": [int(LA[i]), int(LB[i])], "A": A[i], "B": B[i]} for i in range(N)]
    ).encode(),
    "arrays.json": json.dumps({"probs": np.c_[A, B].tolist(), "labels": np.c_[LA, LB].tolist()}).encode(),
}


@pytest.mark.parametrize("name", MULTI_HOT)
def test_several_labels_a_case_are_offered_one_by_one(name: str) -> None:
    said = refusal(MULTI_HOT[name], name)
    assert "holds 2 labels a row, each 0 or 1" in said
    assert "softmax" not in said
    with pytest.raises(InputError) as error:
        read(MULTI_HOT[name], name=name)
    for remedy, probs, labels in zip(error.value.remedies, (A, B), (LA, LB), strict=True):
        p = read(MULTI_HOT[name], name=name, options=ReadOptions().mended(remedy)).predictions
        assert np.array_equal(p.probs[:, 1], probs)
        assert np.array_equal(p.labels, labels)


def test_labels_of_a_file_of_their_own() -> None:
    probs = table("A,B", lambda i: f"{A[i]},{B[i]}")
    labels = table("id,labels", lambda i: f'{i},"[{LA[i]}, {LB[i]}]"')
    assert "holds 2 labels a row, each 0 or 1" in refusal(probs, "x.csv", labels)


@pytest.mark.parametrize(
    "data",
    [words(str), words("|".join), words(",".join), words("; ".join), words(" ".join)],
    ids=["list", "bar", "comma", "semicolon", "blank"],
)
def test_several_names_in_a_cell(data: bytes) -> None:
    assert "Column 'labels' holds several classes in one cell, such as" in refusal(data)


def test_lists_of_names_in_json() -> None:
    data = json.dumps([{"labels": names(i), "A": A[i], "B": B[i]} for i in range(N)]).encode()
    assert "holds several classes in one cell, such as \"['A', 'B']\"" in refusal(data, "x.json")


@pytest.mark.parametrize("probs", ["A,B", "probs"])
def test_lists_with_one_1_are_one_hot_labels(probs: str) -> None:
    form = '"[{}, {}]"' if probs == "probs" else "{},{}"
    data = table(
        f"labels,{probs}", lambda i: f'"[{LA[i]}, {1 - LA[i]}]",{form.format(A[i], round(1 - A[i], 3))}'
    )
    p = read(data, name="x.csv").predictions
    assert np.array_equal(p.labels, 1 - LA)
    assert np.array_equal(p.probs[:, 0], A)


# --- texts of another kind ---------------------------------------------------------------


@pytest.mark.parametrize("start", ["", "% made by Weka\n%\n\n", "\ufeff", "  "])
def test_arff_is_called_so(start: str) -> None:
    data = f"{start}@RELATION preds\n@attribute p numeric\n@attribute c {{a,b}}\n@data\n0.5,a\n0.4,b\n"
    assert refusal(data.encode(), "x.arff") == (
        "This is an ARFF file, as Weka writes it. Save it as CSV, which Weka can too."
    )


def test_aequitas() -> None:
    data = table("entity_id,score,label_value,race", lambda i: f"{i},{A[i]},{LA[i]},{'xyz'[i % 3]}")
    p = read(data, name="x.csv").predictions
    assert np.array_equal(p.labels, LA)
    assert np.array_equal(p.probs[:, 1], A)


# --- names that stand twice --------------------------------------------------------------


def test_a_name_that_nobody_needs_may_stand_twice() -> None:
    data = table("note,A,B,label,note", lambda i: f"u{i},{A[i]},{1 - A[i]:.3f},{'BA'[LA[i]]},v{i}")
    p = read(data, name="x.csv").predictions
    assert np.array_equal(p.labels, 1 - LA)
    assert sorted(p.metadata) == ["note (column 1)", "note (column 5)"]
    assert p.metadata["note (column 5)"].tolist() == [f"v{i}" for i in range(N)]


@pytest.mark.parametrize("header", ["id,prob,id,label", "prob,id,prob,label", "prob,label,id,label"])
def test_the_same_cells_are_read_once(header: str) -> None:
    cells = {"id": np.arange(N), "prob": A, "label": LA}
    data = table(header, lambda i: ",".join(str(cells[name][i]) for name in header.split(",")))
    p = read(data, name="x.csv").predictions
    assert np.array_equal(p.labels, LA)
    assert np.array_equal(p.probs[:, 1], A)
    assert any("were read once" in note for note in p.notes)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("prob,prob,label", lambda i: f"{A[i]},{B[i]},{LA[i]}"),
        ("prob,label,label", lambda i: f"{A[i]},{LA[i]},{LB[i]}"),
        ("prob,label,label,flag", lambda i: f"{A[i]},{LA[i]},{LB[i]},{LB[i]}"),
        ("cat,cat,dog,label", lambda i: f"{A[i]},{B[i]},{1 - A[i]:.3f},{['cat', 'dog'][LA[i]]}"),
        ("prob,kind,kind", lambda i: f"{A[i]},{['no', 'yes'][LA[i]]},{['no', 'yes'][LB[i]]}"),
        ("x,x,prob,label", lambda i: f"{LA[i]},{LB[i]},{A[i]},{LA[i]}"),
    ],
)
def test_a_name_that_may_be_needed_may_not(header: str, row) -> None:
    assert "stands twice, in columns" in refusal(table(header, row))


@pytest.mark.parametrize("header", ["labels,A,B", "A,A,label"])
def test_a_header_alone_has_no_cases(header: str) -> None:
    assert "There are no cases" in refusal(header.encode() + b"\n", header=True)
