"""``caliblens recalibrate``: what is printed, the map that is written, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore.questions.recalibrate import RecalibrationMap
from calibcore.questions.recalibrate.maps.scaling import Temperature
from tests.cli.commands import run

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
    found = RecalibrationMap.from_document(written)
    assert isinstance(found, Temperature)
    assert found.temperature == method["parameters"]["temperature"]


def test_the_code_stands_alone(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map.py"
    code, text, _ = run(capsys, "recalibrate", file, "--method", "temperature", "--out", out, *FAST)
    assert code == 0
    squeezed = " ".join(text.split())
    assert "Recalibration would help: temperature takes the typical gap from " in squeezed
    assert "On cases that did not fit it, temperature takes the log loss from " in squeezed
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


@pytest.fixture(scope="module")
def fresh(file: Path) -> tuple[Path, Path]:
    """Other cases with their columns in another order: with labels, and without but with a column of ids."""
    table = pd.read_csv(file).iloc[:50]
    labelled, bare = file.parent / "fresh.csv", file.parent / "bare.csv"
    table[["owl", "cat", "dog", "label"]].to_csv(labelled, index=False)
    ids = table[["owl", "cat", "dog"]].assign(patient=[f"p{i}" for i in range(50)])
    ids.to_csv(bare, index=False)
    return labelled, bare


@pytest.mark.slow
def test_a_map_is_applied_to_other_cases(
    file: Path, fresh: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "map.json"
    words = ("recalibrate", file, "--method", "vector", *FAST)
    assert run(capsys, *words, "--out", document)[0] == 0
    fitted = RecalibrationMap.from_document(json.loads(document.read_text()))
    expected = fitted(pd.read_csv(file)[["cat", "dog", "owl"]].to_numpy()[:50])
    for number, path in enumerate(fresh):
        out = tmp_path / f"{number}.csv"
        assert run(capsys, *words, "--apply", path, "--out", out)[0] == 0
        table = pd.read_csv(out)
        np.testing.assert_allclose(table[["p_cat", "p_dog", "p_owl"]], expected, atol=1e-9)
        assert ("label" in table, "patient" in table) == (number == 0, number == 1)
        assert "caliblens_cross_fitted" not in table
        again = tmp_path / f"{number}-again.csv"
        code, said, _ = run(capsys, "recalibrate", path, "--map", document, "--out", again)
        assert (code, again.read_text()) == (0, out.read_text())
        assert said.startswith("The map 'Vector scaling' was applied")


def test_the_cases_themselves_are_marked(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "own.csv"
    words = ("--method", "temperature", "--out", out, *FAST)
    assert run(capsys, "recalibrate", file, *words)[0] == 0
    assert set(pd.read_csv(out)["caliblens_cross_fitted"]) == {"temperature"}
    code, _, err = run(capsys, "survey", out)
    assert code == 2
    assert "recalibrated on these same cases" in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--apply", "FRESH"), "--apply makes predictions; name the file for them by --out"),
        (("--apply", "FRESH", "--out", "x.json"), "ends in .json; expected .csv."),
        (("--map", "FRESH", "--out", "x.csv"), "holds no map as --out writes it"),
        (("--map", "m.json", "--method", "vector", "--out", "x.csv"), "leave --method out"),
        (("--apply", "OTHER", "--out", "x.csv"), "has the classes 'ill', 'well'; the map has 'cat', 'dog'"),
    ],
)
def test_what_cannot_be_applied(
    file: Path,
    fresh: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.csv"
    other.write_text("ill,well,label\n" + "0.3,0.7,ill\n0.6,0.4,well\n" * 5)
    named = {"FRESH": str(fresh[0]), "OTHER": str(other)}
    asked = [named.get(word, word) for word in words]
    more = () if "--method" in words or "--map" in words else ("--method", "temperature", *FAST)
    code, out, err = run(capsys, "recalibrate", file, *asked, *more)
    assert (code, out) == (2, "")
    assert sentence in err
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.slow
def test_a_report_holds_it(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.json"
    words = ("--lens", "confidence", "--date", "2026-11-23", "--recalibration", "--alpha", "0.2", *FAST)
    assert run(capsys, "report", file, *words, "--out", out)[0] == 0
    document = json.loads(out.read_text())
    assert document["recalibration"]["methods"][0]["answer"] == "worthwhile"
    assert "steps" not in out.read_text()  # of the isotonic map: probabilities of single cases
    assert document["temperature"]["low"] > 1
    assert document["report"]["temperature"].endswith("(p = 0.001, the smallest possible).")
    assert document["report"]["repeat_recalibration"]["command"].startswith("caliblens recalibrate sure.csv ")
    assert document["report"]["figures"][-1]["name"] == "recalibration"
    for name in ("report.html", "report.pdf"):
        assert run(capsys, "report", file, *words, "--out", tmp_path / name)[0] == 0
        assert (tmp_path / name).stat().st_size > 10_000
