"""Maps of several labels: written by ``recalibrate --out``, applied by ``--map``, each to its own label."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.errors import InputError
from calibcore.io import read_labels
from calibcore.io.apart import read_labels_for_map_apart
from calibcore.questions.recalibrate.label_maps import label_maps, mapped
from calibcore.questions.recalibrate.maps.scaling import Temperature
from calibcore.questions.recalibrate.words import recalibrated_rows
from calibcore.words.tables import csv_of
from tests.cli.commands import run
from tests.questions.test_over_labels import P

MAPS = {
    "effusion": json.loads(Temperature(2.0, 1e-9).json_code(["not effusion", "effusion"])),
    "mass": json.loads(Temperature(0.5, 1e-9).json_code(["mass", "not mass"])),
}


def test_each_label_goes_through_its_own_map_and_others_stay() -> None:
    """Of a temperature T the odds become their 1/T-th power, whichever class comes first."""
    first, second, third = P.label_names
    maps = label_maps(json.dumps(_called(first, second)))
    assert maps is not None
    after = mapped(P, maps)
    for j, temperature in enumerate((2.0, 0.5)):
        odds = (P.probs[:, j] / (1 - P.probs[:, j])) ** (1 / temperature)
        assert_allclose(after.probs[:, j], odds / (1 + odds))
    assert_array_equal(after.probs[:, P.label_names.index(third)], P.probs[:, 2])
    assert_array_equal(after.outcomes, P.outcomes)
    assert label_maps(json.dumps(MAPS["mass"])) is None


def _called(first: str, second: str) -> dict[str, object]:
    of_first = MAPS["effusion"] | {"class_names": [f"not {first}", first]}
    return {first: of_first, second: MAPS["mass"] | {"class_names": [second, f"not {second}"]}}


def test_what_is_no_map_of_a_label_is_named() -> None:
    for text, sentence in (
        ('{"mass": 3}', "Of the label 'mass' there is no map"),
        ('{"mass": {"kind": "steps"}}', "Of the label 'mass' there is no map"),
        (json.dumps({"hernia": MAPS["mass"]}), "The map of the label 'hernia' is one of the classes 'mass'"),
    ):
        with pytest.raises(InputError, match=sentence):
            label_maps(text)
    maps = label_maps(json.dumps({"mumps": MAPS["mass"] | {"class_names": ["mumps", "not mumps"]}}))
    assert maps is not None
    with pytest.raises(InputError, match="There are maps of 'mumps', and the labels are"):
        mapped(P, maps)


@pytest.mark.slow
def test_maps_that_were_written_are_applied_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, maps, after = tmp_path / "p.csv", tmp_path / "maps.json", tmp_path / "after.csv"
    file.write_text(csv_of(recalibrated_rows(P)), encoding="utf-8")
    words = ("--method", "temperature", "--folds", "2", "--resamples", "99", "--out", str(maps))
    code, _, _ = run(capsys, "recalibrate", file, *words)
    assert code == 0
    code, words_after, _ = run(capsys, "recalibrate", file, "--map", maps, "--out", after)
    assert (code, words_after.strip()) == (
        0, f"3 maps of labels were applied; the probabilities are in {after}."
    )  # fmt: skip
    made, fitted = read_labels(after).predictions, label_maps(maps.read_text(encoding="utf-8"))
    assert fitted is not None
    assert_allclose(made.probs, mapped(P, fitted).probs, rtol=1e-12)
    assert_array_equal(made.outcomes, P.outcomes)
    assert np.array_equal(made.metadata["site"], P.metadata["site"])
    (tmp_path / "other.json").write_text(json.dumps({"mumps": MAPS["mass"]}), encoding="utf-8")
    code, _, error = run(capsys, "recalibrate", file, "--map", tmp_path / "other.json", "--out", after)
    assert code == 2
    assert "The map of the label 'mumps' is one of the classes 'mass', 'not mass'" in error
    code, _, error = run(capsys, "recalibrate", file, "--map", maps, "--label", "mumps", "--out", after)
    assert code == 2
    assert "There is no map of the label 'mumps'" in error


def test_new_cases_without_outcomes_are_recalibrated_and_have_none_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, maps, after = tmp_path / "new.csv", tmp_path / "maps.json", tmp_path / "after.csv"
    rows = [
        {name: value for name, value in row.items() if name not in P.label_names}
        for row in recalibrated_rows(P)
    ]
    file.write_text(csv_of(rows), encoding="utf-8")
    maps.write_text(json.dumps(MAPS), encoding="utf-8")
    code, said, _ = run(capsys, "recalibrate", file, "--map", maps, "--out", after)
    assert (code, said.strip()) == (
        0, f"2 maps of labels were applied; the probabilities are in {after}."
    )  # fmt: skip
    made, fitted = pd.read_csv(after), label_maps(maps.read_text(encoding="utf-8"))
    assert fitted is not None
    assert set(made) == set(rows[0])
    expected = mapped(P, fitted)
    for k, name in enumerate(P.label_names):
        assert_allclose(made[f"p_{name}"], expected.probs[:, k], rtol=1e-12)
    sent, known = read_labels_for_map_apart(file.read_bytes(), ("effusion", "mass"), name="new.csv")
    assert (sent.label_names, known) == (("effusion", "mass"), False)


@pytest.mark.parametrize("cell", ["not yet", "-1"])
def test_outcomes_that_cannot_be_read_are_refused_and_not_left_out(
    cell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, maps, after = tmp_path / "new.csv", tmp_path / "maps.json", tmp_path / "after.csv"
    rows = recalibrated_rows(P)
    rows[3]["mass"] = cell
    file.write_text(csv_of(rows), encoding="utf-8")
    maps.write_text(json.dumps(MAPS), encoding="utf-8")
    code, _, error = run(capsys, "recalibrate", file, "--map", maps, "--out", after)
    assert code == 2
    assert "row 4" in error.lower()
    assert not after.exists()
