"""A report of several labels with the answers of other questions: each is that of its own command."""

import json
import shlex
from pathlib import Path

import pytest

from calibcore.__main__ import main
from calibcore.data.examples import example_csv
from calibcore.questions.registry import QUESTIONS

FLAGS = {question.name: f"--{question.name}" for question in QUESTIONS.values() if question.ask is not None}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of three findings of 300 X-rays, with all that a report can be asked for."""
    folder = tmp_path_factory.mktemp("labels")
    rows = [line.split(",") for line in example_csv("chest-findings").splitlines()[:301]]
    names = ("effusion", "mass", "nodule")
    places = [i for i, name in enumerate(rows[0]) if name == "view" or name.split(" ")[0] in names]
    text = "\n".join(",".join(row[i] for i in places) for row in rows)
    (folder / "x.csv").write_text(text + "\n", "utf-8")
    asked = [str(folder / "x.csv"), *FLAGS.values(), "--by", "view", "--out", str(folder / "r.json")]
    assert main(["report", *asked]) == 0
    return folder


@pytest.mark.parametrize("name", [*FLAGS, "groups"])
def test_its_answer_is_that_of_its_command(
    name: str, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = json.loads((written / "r.json").read_text("utf-8"))
    command = shlex.split(report["report"][f"repeat_{name}"]["command"])[1:]
    monkeypatch.chdir(written)
    assert main([*command, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    held = report[name]
    assert [of["label"] for of in held["labels"]] == [of["label"] for of in again["labels"]]
    for one, other in zip(held["labels"], again["labels"], strict=True):
        assert (one["p_value"], one["adjusted_p_value"]) == (other["p_value"], other["adjusted_p_value"])
        if name == "decisions":
            mine, its = one["result"]["guarantee"], other["result"]["guarantee"]
            assert mine["risk"] == pytest.approx(its["risk"])
            assert (mine["threshold"], mine["accepted"]) == (its["threshold"], its["accepted"])
        if name == "plan":
            assert one["result"]["cases"] == other["result"]["cases"]


def test_its_methods_are_told_apart(written: Path) -> None:
    report = json.loads((written / "r.json").read_text("utf-8"))["report"]
    titles = [part["title"] for part in report["methods"]]
    assert len(set(titles)) == len(titles)
