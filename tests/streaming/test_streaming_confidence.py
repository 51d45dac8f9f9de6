"""A file with a confidence alone, read in slices, is diagnosed as the same file read whole."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import DiagnosisSpec, TopKLens, diagnose
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.io.row_groups import RowGroups
from calibcore.streaming import diagnose_slices
from tests.cli.commands import run
from tests.streaming.streamed import same_diagnosis

N, STEP = 1_300, 70
R = np.random.default_rng(12)
SURE = np.round(R.uniform(0.05, 1, N), 3)
RIGHT = R.random(N) < SURE**1.3
TRUE = R.integers(0, 6, N)
SAID = np.where(RIGHT, TRUE, (TRUE + 1 + R.integers(0, 5, N)) % 6)
NAMES = np.array(["ant", "bee", "cow", "dog", "elk", "Fox"])
PAIR = {"truth": NAMES[TRUE], "prediction": NAMES[SAID]}
WORDS = np.array(["low", "mid", "high"])[np.digitize(SURE, [0.4, 0.8])]

FILES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "confidence and correct": ({"confidence": SURE, "correct": RIGHT}, {}),
    "errors, in words": ({"conf": SURE, "is_wrong": np.where(RIGHT, "no", "yes")}, {}),
    "marks": ({"confidence": SURE, "correct": np.where(RIGHT, "ok", "nok")}, {}),
    "truth and prediction": ({**PAIR, "confidence": SURE, "site": NAMES[TRUE]}, {}),
    "in other letters": ({**PAIR, "truth": np.char.upper(NAMES[TRUE]), "confidence": SURE}, {}),
    "numbers of classes": ({"y_true": TRUE, "y_pred": SAID, "confidence": SURE}, {}),
    "all three": ({**PAIR, "confidence": SURE, "correct": RIGHT.astype(int)}, {}),
    "the answer and whether it was right": ({"prediction": NAMES[SAID], "conf": SURE, "correct": RIGHT}, {}),
    "per cent": ({**PAIR, "confidence": np.round(100 * SURE, 1)}, {}),
    "per cent with signs": ({**PAIR, "confidence": [f"{100 * one:.1f}%" for one in SURE]}, {}),
    "narrow floats": ({**PAIR, "confidence": SURE.astype(np.float32)}, {}),
    "logarithms": (
        {**PAIR, "confidence": np.log(SURE)},
        {"confidence_column": "confidence", "values": "log-probabilities"},
    ),
    "words": ({**PAIR, "confidence": WORDS}, {"confidence_words": ("low=0.2", "mid=0.6", "high=0.9")}),
    "by its options": (
        {"a": NAMES[SAID], "b": NAMES[TRUE], "c": SURE},
        {"confidence_column": "c", "prediction_column": "a", "label_column": "b"},
    ),
    "as a person says": (
        {**PAIR, "confidence": SURE, "correct": ~RIGHT},
        {"confidence_column": "confidence", "correct_column": "correct"},
    ),
}


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    file = path / "x.parquet"
    pd.DataFrame(columns).to_parquet(file, row_group_size=300)
    return file


@pytest.mark.parametrize("title", FILES)
@pytest.mark.some(4)
def test_slices_hold_what_the_whole_file_holds(title: str, tmp_path: Path) -> None:
    columns, options = FILES[title]
    path = parquet(tmp_path, columns)
    whole, data = read(path, options=ReadOptions(**options)), RowGroups(path, ReadOptions(**options))
    parts = [part for _, part in data.slices(STEP)]
    assert {part.kind for part in parts} == {whole.predictions.kind} == {"confidence"}
    np.testing.assert_array_equal(np.vstack([part.probs for part in parts]), whole.predictions.probs)
    labels = whole.predictions.labels
    np.testing.assert_array_equal(np.concatenate([part.labels for part in parts]), labels)
    np.testing.assert_array_equal(np.concatenate(list(data.labels())), labels)
    assert (data.class_names, data.m, data.n) == (whole.predictions.class_names, 2, N)
    assert (data.value_kind, data.label_kind) == (whole.value_kind, whole.label_kind)
    assert set(data.before[1:]) <= set(whole.notes)


@pytest.mark.some(1)
@pytest.mark.parametrize("title", ["confidence and correct", "truth and prediction", "per cent"])
def test_the_diagnosis_is_that_of_the_whole_file(title: str, tmp_path: Path) -> None:
    path = parquet(tmp_path, FILES[title][0])
    for spec in (DiagnosisSpec(resamples=19), DiagnosisSpec(lens=TopKLens(1), resamples=19)):
        found = diagnose_slices(RowGroups(path), spec)
        assert found.kind == "confidence"
        same_diagnosis(found, diagnose(read(path).predictions, spec))


def test_the_command_and_its_flags(tmp_path: Path, capsys: Any) -> None:
    path = parquet(tmp_path, FILES["by its options"][0])
    flags = ["--confidence-column", "c", "--prediction-column", "a", "--label-column", "b", "--json"]
    some = ["--resamples", "19", "--tests", "none", "--estimates", "none"]
    streamed = json.loads(run(capsys, "stream", path, *flags, *some)[1])
    whole = json.loads(run(capsys, "diagnose", path, *flags, *some)[1])
    assert streamed["data"] == whole["data"]
    assert streamed["scores"]["accuracy"] == pytest.approx(whole["scores"]["accuracy"])
    assert streamed["calibration_error"]["ece"] == pytest.approx(whole["calibration_error"]["ece"])


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "outside, late": ({**PAIR, "confidence": np.r_[SURE[:-1], -0.5]}, "Row 1300 has the confidence -0.5"),
    "no number, late": ({**PAIR, "confidence": np.r_[SURE[:-2], np.nan, 0.5]}, "Row 1299"),
    "no truth, late": ({**PAIR, "truth": [*NAMES[TRUE][:-1], ""], "confidence": SURE}, "Row 1300"),
    "an unknown truth": (
        {**PAIR, "truth": [*NAMES[TRUE][:-1], "None"], "confidence": SURE},
        "Row 1300 has 'None'",
    ),
    "a contradiction, late": (
        {**PAIR, "confidence": SURE, "correct": np.r_[SAID[:-1] == TRUE[:-1], SAID[-1] != TRUE[-1]]},
        "Row 1,300 answers",
    ),
    "a rating": ({**PAIR, "confidence": 1 + 8 * SURE}, "a rating such as 3 of 5"),
    "a third mark": ({"confidence": SURE, "correct": np.r_[1, 7, RIGHT[2:].astype(int)]}, "do not say"),
}


@pytest.mark.parametrize("title", BAD)
def test_what_is_wrong_anywhere_is_named(title: str, tmp_path: Path) -> None:
    columns, sentence = BAD[title]
    path = parquet(tmp_path, columns)
    with pytest.raises(InputError, match=sentence):
        list(RowGroups(path).slices(STEP))
