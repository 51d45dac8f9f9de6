"""All labels together on the command line: a diagram and gaps, and a sentence where there is no more."""

import json
from pathlib import Path

import pytest

from calibcore.data.examples import example_csv
from tests.cli.commands import run

EACH = "The lens is 'labels'; where 14 labels are asked about, each is looked at by itself."
NO_P = "All labels together have no exact p: the labels of one case depend on each other"


@pytest.fixture(scope="module")
def chests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chests") / "chests.csv"
    path.write_text(example_csv("chest-findings"), encoding="utf-8")
    return path


def test_diagnose_says_gaps_and_why_there_is_no_p(chests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, words, _ = run(capsys, "diagnose", chests, "--lens", "labels")
    assert code == 0
    assert words.startswith("2,000 cases, 14 labels; all labels, pooled, 10 equal-width bins")
    assert "The probabilities of the labels are typically" in words
    assert "(3,581 of 27,915 pairs)" in words
    assert NO_P in words
    assert "p-value" not in words
    _, text, _ = run(capsys, "diagnose", chests, "--lens", "labels", "--bootstrap", "19", "--json")
    document = json.loads(text)
    assert (document["data"]["kind"], document["data"]["n"]) == ("labels", 2_000)
    assert document["spec"]["lens"]["kind"] == "labels"
    assert document["reliability"]["bars"] == "labels"
    assert {test["p_value"] for test in document["tests"]} == {None}
    assert document["calibration_error"]["interval"] is not None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["survey"], "No lens can be tested. labels: These are pairs of a case and a label."),
        (["decide"], "The lens is 'labels'; where 14 labels are asked about, each is looked at by itself."),
        (
            ["groups", "--by", "view"],
            "The lens is 'labels'; where 14 labels are asked about, each is looked at by itself.",
        ),
        (["figure", "--figure", "tests", "--out", "tests.png"], "so that no exact p of the pool exists"),
    ],
)
def test_what_would_test_them_is_a_sentence(
    chests: Path,
    typed: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *more = typed
    code, _, error = run(capsys, command, chests, "--lens", "labels", *more)
    assert code == 2
    assert sentence in error
    assert list(tmp_path.iterdir()) == []


def test_their_diagram_is_a_figure(chests: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "pairs.svg"
    code, words, _ = run(capsys, "figure", chests, "--lens", "labels", "--out", made)
    assert code == 0
    assert made.stat().st_size > 5_000
    assert "Pooled labels have no consistency bars." in words


def test_one_label_and_classes_have_no_such_lens(
    chests: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = tmp_path / "two.csv"
    two.write_text(example_csv("breast-cancer"), encoding="utf-8")
    code, _, error = run(capsys, "diagnose", two, "--lens", "labels")
    assert code == 2
    assert "No labels were found that have a column of probabilities and one of 0 and 1 each" in error
