"""``caliblens compare``: what is printed, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import compare
from calibcore.io import read
from tests.cli.commands import run
from tests.report.reported import Page, pages_of, squeezed


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of the same patients in other orders, one without ids, and labels apart."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=300)
    x = rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[labels]
    names = np.array(["cat", "dog", "owl"])
    for name, by in (("old", 3.0), ("new", 1.5)):
        g = np.exp(by * x)
        g /= g.sum(axis=1, keepdims=True)
        table = pd.DataFrame(g, columns=names).assign(patient=np.arange(300) + 1, label=names[labels])
        rows = rng.permutation(300) if name == "new" else np.arange(300)
        table.iloc[rows].to_csv(folder / f"{name}.csv", index=False)
        np.save(folder / f"{name}.npy", g)
    pd.DataFrame({"label": names[labels]}).to_csv(folder / "labels.csv", index=False)
    return folder


NAMES = ("--class-names", "cat,dog,owl")
FAST = ("--resamples", "199", "--lens", "confidence")


@pytest.mark.slow
def test_the_document(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "compare", files / "old.csv", files / "new.csv", "--json", *FAST)
    assert code == 0
    document = json.loads(out)
    assert [model["name"] for model in document["models"]] == ["old", "new"]
    assert {"typical_gap", "brier", "log_loss", "accuracy"} <= set(document["models"][0])
    (pair,) = document["pairs"]
    assert (pair["a"], pair["b"]) == ("old", "new")
    keys = {"difference", "standard_error", "z", "p_value", "adjusted", "brier_difference"}
    assert all(isinstance(pair[key], float) for key in keys)
    assert pair["log_difference"] is None  # 'old' is so sure that it expects too few errors to tell
    assert pair["log_withheld"].startswith("a model expects too few")
    gaps = [model["typical_gap"] for model in document["models"]]
    assert (pair["difference"] > 0) == (gaps[0] > gaps[1])  # own bins: docs/statistics/compare.md
    assert {(one["model"], one["given"]) for one in document["nested"]} == {("old", "new"), ("new", "old")}
    assert {"statistic", "p_value", "adjusted"} <= set(document["nested"][0])
    assert document["joined_by"] == "patient"
    reading = {name: read(files / f"{name}.csv").predictions for name in ("old", "new")}
    spec = compare(reading).spec.from_document(document["spec"])
    assert json.loads(compare(reading, spec).to_json()) == document


def test_the_text_answers_first(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = files / "old.npy", files / "new.npy"
    code, out, _ = run(capsys, "compare", *models, "--labels", files / "labels.csv", *NAMES, *FAST)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "300 cases, 2 models; confidence in the answer"
    assert lines[2].startswith("'new' is better calibrated than 'old' (adjusted p ")
    rows = "The rows of all models stand in one order, with the same labels."
    assert f"- {rows} After ± stands one standard error." in lines


@pytest.mark.some(1)
@pytest.mark.parametrize("ending", ["json", "html", "pdf"])
@pytest.mark.slow
def test_a_report_of_the_first_has_the_comparison(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    models = files / "old.csv", files / "new.csv"
    out = tmp_path / f"r.{ending}"
    more = ("--out", out, "--date", "2026-11-23", "--noun", "patient")
    code, said, error = run(capsys, "compare", *models, *FAST, *more)
    assert (code, error) == (0, "")
    assert "'new' is better calibrated than 'old' (adjusted p" in said
    if ending == "pdf":
        text = squeezed(" ".join(pages_of(out.read_bytes())))
        assert squeezed("'new' is better calibrated than 'old' (adjusted p") in text
        assert squeezed("Models by their typical gap, confidence in the answer") in text
        assert squeezed("caliblens compare old.csv new.csv --id patient") in text
        return
    if ending == "html":
        text = Page(out.read_text()).text
        for words in (
            "'new' is better calibrated than 'old' (adjusted p",
            "Pair by pair",
            "caliblens compare old.csv new.csv",
        ):
            assert words in text
        return
    document = json.loads(out.read_text())
    code, again, _ = run(capsys, "compare", *models, *FAST, "--json")
    alone = json.loads(again)
    assert document["comparison"]["pairs"] == alone["pairs"]
    assert document["comparison"]["nested"] == alone["nested"]
    assert document["report"]["model"] == "old"
    counts = [
        count
        for model in document["comparison"]["models"]
        for count in model["diagnosis"]["reliability"]["counts"]
    ]
    assert min(counts) > 1  # a bin of one case is that case
    command = document["report"]["repeat_comparison"]["command"].split()
    assert command[:2] == ["caliblens", "compare"]
    words = [str(files / word) if word.endswith(".csv") else word for word in command[1:]]
    code, repeated, _ = run(capsys, *words, "--json")
    assert json.loads(repeated) == alone


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("old.csv",),
            "The file seems to hold the predictions of one model; a comparison needs 2 or more.",
        ),
        (("old.csv", "old.csv"), "old.csv' is named twice; expected other files."),
        (("old.csv", "new.csv", "--id", "ward"), "'old' has no column 'ward'"),
        (("old.csv", "gone.csv"), "gone.csv: "),
        (("old.csv", "new.csv", "--tests", "exact"), "There is no flag '--tests'"),
        (("old.csv", "new.csv", "--noun", "bird"), "--noun says something about a report; name the file"),
        (("old.csv", "new.csv", "--out", "r.txt"), "ends in .txt; expected .html, .pdf, .json."),
    ],
)
def test_what_is_refused(
    files: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    given = [files / word if word.endswith(".csv") else word for word in words]
    try:
        code, out, err = run(capsys, "compare", *given)
    except SystemExit as error:  # an unknown flag
        captured = capsys.readouterr()
        code, out, err = int(str(error.code)), captured.out, captured.err
    assert (code, out) == (2, "")
    assert sentence in err
