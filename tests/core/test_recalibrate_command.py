"""``caliblens recalibrate``: what is printed, the map that is written, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore.questions.recalibrate import map_from
from calibcore.questions.recalibrate.maps.temperature import Temperature
from tests.core.commands import run

FAST = ("--resamples", "99")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An overconfident model of three classes, and which cases are its older ones."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=400)
    g = np.exp(3.0 * (rng.normal(size=(400, 3)) + 1.5 * np.eye(3)[labels]))
    table = pd.DataFrame(g / g.sum(axis=1, keepdims=True), columns=["cat", "dog", "owl"])
    table["label"] = np.array(["cat", "dog", "owl"])[labels]
    table["year"] = np.where(np.arange(400) < 150, "2024", "2025")
    path = tmp_path_factory.mktemp("models") / "sure.csv"
    table.to_csv(path, index=False)
    return path


def test_the_document_and_the_map(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map.json"
    words = ("--method", "temperature", "--split-by", "year", "--out", out, "--json", *FAST)
    code, printed, _ = run(capsys, "recalibrate", file, *words)
    assert code == 0
    document = json.loads(printed)
    (method,) = document["methods"]
    assert method["method"] == "temperature"
    assert method["parameters"]["temperature"] == pytest.approx(2.0, abs=0.4)
    assert {"brier", "log_loss"} == set(method["gain"])
    assert method["p_value"] == pytest.approx(0.01)
    assert method["answer"] == "worthwhile"
    assert {"estimate", "low", "high"} <= set(document["temperature"])
    assert {"statistic", "p_value"} <= set(document["class_mix"])
    assert (document["split"]["fitted_on"], document["split"]["judged_on"]) == (150, 250)
    written = json.loads(out.read_text())
    assert written.pop("class_names") == ["cat", "dog", "owl"]
    found = map_from(written)
    assert isinstance(found, Temperature)
    assert found.temperature == method["parameters"]["temperature"]


def test_the_code_stands_alone(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map.py"
    code, text, _ = run(capsys, "recalibrate", file, "--method", "temperature", "--out", out, *FAST)
    assert code == 0
    assert "Recalibration would help: temperature takes the Brier score from " in text
    assert "would mend it, if overconfidence is all that is wrong (p = 0.001, the smallest possible)." in text
    names: dict[str, Any] = {}
    exec(out.read_text(), names)
    after = names["recalibrate"](np.array([[0.9, 0.06, 0.04]]))
    assert after[0, 0] < 0.9
    assert after.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--method", "temperature", "--split-by", "ward"), "There is no column 'ward'"),
        (("--method", "logistic", "--out", "map.json"), "None of the methods fits these data"),
        (("--out", "map.txt"), "ends in .txt; expected .json, .py, .csv."),
        (("--folds", "1"), "The number of folds is 1; expected 2 to 400"),
    ],
)
def test_what_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, "recalibrate", file, *words, *FAST)
    assert (code, out) == (2, "")
    assert sentence in err
