"""What is said where labels and columns probably do not belong together, and where it is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.survey import survey
from calibcore.data.mismatch import Mismatch
from calibcore.data.predictions import Predictions
from calibcore.io import ReadOptions, read
from calibcore.report import report_of
from calibcore.settings import DiagnosisSpec
from calibcore.words.readings import mismatch_on_the_command_line, mismatch_sentence, reorder_words

S = "\N{NO-BREAK SPACE}"
NAMES = ("healthy", "benign", "malignant")


def doubt(
    *, m: int = 3, accuracy: float = 0.24, then: float | None = 0.8, order: tuple[int, ...] = (0, 2, 1)
) -> Mismatch:
    names = NAMES if m == 3 else tuple(f"k{k}" for k in range(m))
    kind = "unrelated" if then is None else "order"
    columns_are = () if then is None else tuple(names[k] for k in order)
    return Mismatch(kind, 300, accuracy, 0.25, 0.81, names, columns_are, then)  # type: ignore[arg-type]


def test_another_order_is_asked_about() -> None:
    assert mismatch_sentence(doubt(), "patient") == (
        f"Right in 24{S}% of 300 patients, as by guessing. It would be 80{S}% if the columns were 'healthy', "
        "'malignant', 'benign'. Are labels and columns of the same patients, in the same order?"
    )
    assert f"Right in 41{S}% of 300 cases, where guessing gives 25{S}%. It would be" in mismatch_sentence(
        doubt(accuracy=0.41), "case"
    )
    assert reorder_words(doubt()) == "Take the columns in this order"


def test_two_classes_change_places() -> None:
    found = doubt(m=2, accuracy=0.1, order=(1, 0))
    assert f"It would be 80{S}% if the two classes changed places." in mismatch_sentence(found, "case")
    assert reorder_words(found) == "Swap the two classes"


def test_of_many_classes_those_are_named_that_are_others() -> None:
    order = (0, 2, 1, *range(3, 20))
    assert "if column 'k1' were 'k2' and column 'k2' were 'k1'." in mismatch_sentence(
        doubt(m=20, order=order), "case"
    )
    all_of_them = (*range(1, 20), 0)
    assert "if the columns were 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', …." in mismatch_sentence(
        doubt(m=20, order=all_of_them), "case"
    )


def test_labels_of_other_cases_are_asked_about() -> None:
    assert mismatch_sentence(doubt(then=None), "case") == (
        f"Right in 24{S}% of 300 cases, as by guessing, though the model is 81{S}% sure on average. Are "
        "labels and columns of the same cases, in the same order?"
    )


ROWS = [((0.7, 0.2, 0.1), 0), ((0.2, 0.6, 0.2), 1), ((0.1, 0.1, 0.8), 2), ((0.5, 0.3, 0.2), 1)] * 30


def file_in(folder: Path, order: tuple[int, ...] = (0, 2, 1), name: str = "turned.csv") -> Path:
    """Columns in another order than their names."""
    rows = [",".join([*(str(row[k]) for k in order), NAMES[y]]) for row, y in ROWS]
    path = folder / name
    path.write_text("\n".join([",".join([*NAMES, "label"]), *rows]) + "\n")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[str, str]:
    assert main([*map(str, words)]) == 0
    return capsys.readouterr()


FEW = ("--resamples", "39", "--lens", "class:benign")
FLAG = "Take the columns in this order with --columns-are healthy,malignant,benign."


def test_the_command_line_says_it_with_the_flag_that_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_in(tmp_path)
    for command in ("diagnose", "survey"):
        out, err = run(capsys, command, path, *FEW)
        assert out.startswith(f"Right in 25{S}% of 120 cases")
        assert out.split("\n\n")[0].endswith(FLAG)
        assert err == ""
    out, err = run(capsys, "survey", path, *FEW, "--json")
    assert err.strip().endswith(FLAG)
    assert Assessment.from_json(out).mismatch == Assessment.from_document(json.loads(out)).mismatch
    assert json.loads(out)["mismatch"]["columns_are"] == ["healthy", "malignant", "benign"]
    out, err = run(capsys, "survey", path, *FEW, "--json", "--columns-are", "healthy,malignant,benign")
    assert err == ""
    assert json.loads(out)["mismatch"] is None
    straight, _ = run(capsys, "survey", file_in(tmp_path, (0, 1, 2), "straight.csv"), *FEW, "--json")
    assert json.loads(straight)["lenses"][0]["verdict"] == json.loads(out)["lenses"][0]["verdict"]


def test_the_flag_says_what_the_columns_of_the_file_are(tmp_path: Path) -> None:
    path = file_in(tmp_path)
    found = read(path, options=ReadOptions(columns_are=("benign", "malignant", "healthy")))
    said = mismatch_on_the_command_line(found)
    assert said.endswith("with --columns-are healthy,malignant,benign.")
    assert (
        mismatch_on_the_command_line(
            read(path, options=ReadOptions(columns_are=(NAMES[0], NAMES[2], NAMES[1])))
        )
        == ""
    )


def test_a_report_says_it_first() -> None:
    probs = np.array([row for row, _ in ROWS])[:, [0, 2, 1]]
    p = Predictions.from_arrays(probs, [y for _, y in ROWS], NAMES)
    spec = DiagnosisSpec(resamples=39, tests=(), estimates=())
    found = assess(p, survey(p, spec))
    made = report_of(p, found, spec, title="T", date="2026-11-21", noun="patient", caution="They repeat.")
    assert found.mismatch is not None
    assert made.cautions[0] == mismatch_sentence(found.mismatch, "patient")
    assert made.cautions[1] == "They repeat."
    document = found.to_document()
    assert Assessment.from_document(document).mismatch == found.mismatch
    del document["mismatch"]  # as it was written before there was such a thing
    assert Assessment.from_document(document).mismatch is None
