"""Files in which each case has several labels, in the shapes in which they come."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from calibcore.errors import InputError, SeveralLabelsError
from calibcore.io import ReadOptions, read, read_labels
from tests.cli.commands import run

NAMES = ("effusion", "edema", "mass")
RNG = np.random.default_rng(5)
PROBS = RNG.uniform(0.02, 0.98, (60, 3)).round(3)
TRUE = (RNG.random((60, 3)) < PROBS).astype(int)


def table(heads, *columns):
    rows = zip(*columns, strict=True)
    return "\n".join([",".join(heads), *(",".join(map(str, row)) for row in rows)]).encode()


def beside(probs, true, cells=None):
    outcomes = TRUE.T if cells is None else cells
    heads = [*(probs.format(name) for name in NAMES), *(true.format(name) for name in NAMES)]
    return table(["case", *heads], range(101, 161), *PROBS.T, *outcomes)


@pytest.mark.parametrize(
    ("probs", "true"),
    [
        ("{}_prob", "{}_true"),
        ("y_pred_{}", "y_true_{}"),
        ("y_prob_{}", "y_true_{}"),
        ("pred_{}", "true_{}"),
        ("p_{}", "{}"),
        ("prob_{}", "y_{}"),
        ("{}_score", "{}_label"),
    ],
)
def test_columns_that_belong_together_by_name(probs, true):
    p = read_labels(beside(probs, true)).predictions
    assert p.label_names == NAMES
    assert p.probs.tolist() == PROBS.tolist()
    assert p.outcomes.tolist() == TRUE.tolist()
    assert list(p.metadata) == ["case"]


@pytest.mark.parametrize(("probs", "true"), [("y_pred_{}", "y_true_{}"), ("{}_prob", "{}")])
@pytest.mark.parametrize("words", [(0, 1), ("absent", "present"), ("Negative", "Positive"), ("no", "yes")])
def test_columns_of_labels_are_no_models_whatever_words_say_their_outcomes(probs, true, words):
    data = beside(probs, true, np.array(words)[TRUE].T)
    with pytest.raises(SeveralLabelsError) as caught:
        read(data)
    assert caught.value.remedies
    reading = read_labels(data)
    assert reading.predictions.outcomes.tolist() == TRUE.tolist()
    note = f"Outcomes in words were taken: {words[0]!r} for 0, {words[1]!r} for 1."
    assert (note in reading.notes) == (words != (0, 1))
    assert read(data, options=ReadOptions(label="mass")).predictions.class_counts[1] == TRUE[:, 2].sum()


def test_words_of_outcomes_in_a_file_of_their_own_and_others():
    cells = np.array(["absent", "present"])[TRUE].astype(object)
    cells[3, 1] = ""
    probs = table(NAMES, *PROBS.T)
    p = read_labels(probs, labels=table(NAMES, *cells.T)).predictions
    assert np.flatnonzero(p.outcomes != TRUE).tolist() == [10]
    cells[3, 1] = "perhaps"
    with pytest.raises(InputError, match=r"Row 4 has 'perhaps' in column 'edema'\. Expected 1 or 0"):
        read_labels(probs, labels=table(NAMES, *cells.T))


def test_findings_listed_in_json():
    rows = []
    for probs, true in zip(PROBS.tolist(), TRUE.tolist(), strict=True):
        listed = [name for name, is_true in zip(NAMES, true, strict=True) if is_true]
        rows.append({"probs": dict(zip(NAMES, probs, strict=True)), "findings": listed})
    data = "\n".join(map(json.dumps, rows)).encode()
    with pytest.raises(SeveralLabelsError):
        read(data, name="x.jsonl")
    assert read_labels(data, name="x.jsonl").predictions.outcomes.tolist() == TRUE.tolist()


def long_table(by="finding", true=TRUE):
    rows = [(f"i{i}", name, true[i, k], PROBS[i, k]) for k, name in enumerate(NAMES) for i in range(60)]
    return table(["image_id", by, "outcome_true", "prob"], *zip(*rows, strict=True))


@pytest.mark.parametrize("by", ["finding", "pathology", "disease_name"])
def test_labels_below_each_other_are_asked_about(by):
    with pytest.raises(InputError, match="may be several labels of each case") as caught:
        read(long_table(by))
    assert f"Each 'image_id' stands in 3 rows, once for each of 3 values of '{by}'" in str(caught.value)
    of_label = ReadOptions().mended(caught.value.remedies[2])
    assert of_label.rows_where == (f"{by}=mass",)
    p = read(long_table(by), options=of_label).predictions
    assert (p.n, p.class_counts[1]) == (60, TRUE[:, 2].sum())
    assert read(long_table(by), options=ReadOptions().mended(caught.value.remedies[-1])).predictions.n == 180


def test_other_rows_of_the_same_case_are_no_labels():
    for by in ("eye", "task", "condition"):
        assert read(long_table(by)).predictions.n == 180


def test_two_files_with_the_same_columns_joined_by_the_case():
    order = RNG.permutation(60)
    probs = table(["Image", *NAMES], [f"i{i}" for i in range(60)], *PROBS.T)
    labels = table(["Image", *NAMES], [f"i{i}" for i in order], *TRUE[order].T)
    p = read_labels(probs, labels=labels).predictions
    assert p.label_names == NAMES
    assert p.outcomes.tolist() == TRUE.tolist()
    with pytest.raises(SeveralLabelsError, match="in the file of labels"):
        read(probs, labels=labels)


def test_lists_of_probabilities_and_of_0_and_1():
    rows = [{"probs": g, "labels": y} for g, y in zip(PROBS.tolist(), TRUE.tolist(), strict=True)]
    how = ReadOptions(class_names=NAMES)
    p = read_labels(json.dumps(rows).encode(), name="x.json", options=how).predictions
    assert (p.label_names, p.outcomes.tolist()) == (NAMES, TRUE.tolist())


def test_names_of_the_labels_that_are_true_in_one_cell():
    cells = ["|".join(np.array(NAMES)[row == 1]) or "No Finding" for row in TRUE]
    p = read_labels(table([*(f"p_{name}" for name in NAMES), "labels"], *PROBS.T, cells)).predictions
    assert p.outcomes.tolist() == TRUE.tolist()
    cells[3] = "effusion|hernia"
    with pytest.raises(InputError, match="Row 4 has 'hernia' in column 'labels'"):
        read_labels(table([*(f"p_{name}" for name in NAMES), "labels"], *PROBS.T, cells))


def test_names_in_one_cell_are_a_question_where_one_class_is_read():
    cells = ["|".join(np.array(NAMES)[row == 1]) or "No Finding" for row in TRUE]
    data = table(["Image Index", "Finding Labels", *NAMES], range(60), cells, *PROBS.T)
    with pytest.raises(SeveralLabelsError, match="'Finding Labels' holds several classes in one cell"):
        read(data)
    assert read_labels(data).predictions.outcomes.tolist() == TRUE.tolist()


def test_arrays_with_names_and_outcomes_that_are_not_known():
    true, file = TRUE.astype(float), io.BytesIO()
    true[::7, 1] = np.nan
    np.savez(file, y_prob=PROBS, y_true=true, label_names=NAMES)
    with pytest.raises(SeveralLabelsError):
        read(file.getvalue(), name="x.npz")
    p = read_labels(file.getvalue(), name="x.npz").predictions
    assert p.label_names == NAMES
    assert p.outcomes.tolist() == np.where(np.isnan(true), -1, true).astype(int).tolist()


def test_outcomes_that_are_not_known_leave_the_case_out_of_that_label():
    cells = TRUE.T.astype(object).tolist()
    cells[1][0], cells[1][7], cells[2][3] = "", "NaN", ""
    data = beside("{}_prob", "{}_true", cells)
    p = read_labels(data).predictions
    assert np.argwhere(p.outcomes < 0).tolist() == [[0, 1], [3, 2], [7, 1]]
    edema = read(data, options=ReadOptions(label="edema"))
    assert edema.predictions.n == 58
    assert "2 of 60 cases have no outcome of 'edema' and are left out there." in edema.notes
    assert [row.number for row in edema.first_rows] == [2, 3, 4]


def test_what_minus_1_stands_for_is_asked():
    cells = TRUE.T.tolist()
    cells[0][:3] = [-1, -1, -1]
    data = beside("{}_prob", "{}_true", cells)
    with pytest.raises(InputError, match="3 outcomes are −1, such as that in row 1") as asked:
        read_labels(data)
    for remedy, expected in zip(asked.value.remedies, (-1, 0, 1), strict=True):
        p = read_labels(data, options=ReadOptions().mended(remedy)).predictions
        assert p.outcomes[:3, 0].tolist() == [expected] * 3


def test_one_label_is_read_as_a_file_of_its_own_and_all_are_not_one():
    data = beside("p_{}", "{}")
    one = read(data, options=ReadOptions(label="mass")).predictions
    assert (one.class_names, one.label_of) == (("not mass", "mass"), "mass")
    assert one.probs[:, 1].tolist() == PROBS[:, 2].tolist()
    with pytest.raises(SeveralLabelsError):
        read(data, options=ReadOptions(label="all"))
    with pytest.raises(InputError, match="There is no label 'hernia'"):
        read(data, options=ReadOptions(label="hernia"))


def test_what_may_be_one_of_many_is_read_as_classes():
    g = PROBS / PROBS.sum(axis=1, keepdims=True)
    one = np.eye(3, dtype=int)[RNG.integers(0, 3, 60)]
    heads = [*(f"p_{name}" for name in NAMES), *(f"y_{name}" for name in NAMES)]
    assert read(table(heads, *g.T, *one.T)).predictions.m == 3


def test_cells_that_are_no_probability_or_no_outcome():
    cells = TRUE.T.astype(object).tolist()
    cells[0][4] = "perhaps"
    with pytest.raises(InputError, match="Row 5 has 'perhaps' in column 'effusion_true'"):
        read_labels(beside("{}_prob", "{}_true", cells))
    percent = table([*(f"p_{n}" for n in NAMES), *NAMES], *(100 * PROBS.T).round(1), *TRUE.T)
    with pytest.raises(InputError, match="Expected probabilities from 0 to 1") as asked:
        read_labels(percent, options=ReadOptions(label="all"))
    assert asked.value.remedies[0].change == {"values": "percent"}


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(beside("{}_prob", "{}_true"))
    code, said, _ = run(capsys, "survey", path, "--json")
    document = json.loads(said)
    assert (code, document["data"]["kind"]) == (0, "labels")
    assert [(look["lens"]["kind"], look["lens"]["label_name"]) for look in document["lenses"]] == [
        ("label", name) for name in NAMES
    ]
    assert all(look["verdict"]["lens"] == look["lens"] for look in document["lenses"])
    flags = ("--resamples", 19, "--tests", "exact-omnibus", "--estimates", "none", "--json")
    for words in (("--lens", "label:mass"), ("--label", "mass")):
        found = json.loads(run(capsys, "diagnose", path, *words, *flags)[1])
        assert found["data"]["n"] == 60
    code, _, error = run(capsys, "diagnose", path, *flags)
    assert code == 2
    assert "a case may be several of them, or none" in error
