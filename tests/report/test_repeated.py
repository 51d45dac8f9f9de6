"""The command that a report names, typed in a shell: the same p-values, adjusted too, and verdicts."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.rerun import differences, repeatable
from calibcore.report import report_of, to_html, to_json, to_pdf
from calibcore.transforms.lenses import ClassLens, TopKLens
from calibcore.words.verdicts import as_a_whole
from tests.cli.commands import run
from tests.cli.test_words_command import by_shell
from tests.quick import survey
from tests.report.reported import DATE, SPEC, Page, drawn, pages_of

FEW = ("--alpha", "0.5", "--resamples", "99")
"""Redraws enough for few lenses."""
ROOT = Path(__file__).parents[2]
LENSES = (
    '{"kind": "groups", "groups": [["a,b", ["x=1", "it\'s"]], ["r;st", ["two\\nlines"]]]}',
    "class:two\nlines",
    "region:it's:0.1:1:confidence",
    "top-k:2",
)
ODD = ("x=1", "it's", "two\nlines")


def table(
    p: Predictions, names: tuple[str, ...], label: str = "label", labels: list[str] | None = None
) -> str:
    labels = labels or [p.class_names[y] for y in p.labels]
    rows = [",".join([*map(repr, row), y]) for row, y in zip(p.probs.tolist(), labels, strict=True)]
    return "\n".join([",".join([*names, label]), *rows]) + "\n"


Case = tuple[str, list[str], list[str]]
"""A file, how it is read, how it is looked at."""


def csv_with_a_label_column(folder: Path) -> Case:
    p = drawn(150, 3, names=("a", "b", "c"), off=0.5)
    (folder / "it's mine.csv").write_text(table(p, ("a", "b", "c"), "my label"))
    return "it's mine.csv", ["--label-column", "my label", "--leave-out-rows", "3,17-20"], []


def two_files_and_class_names(folder: Path) -> Case:
    p = drawn(150, 3, names=("a,1", "b 2", "c"))
    np.save(folder / "-probs.npy", p.probs)
    lines = [p.class_names[y] for y in p.labels]
    (folder / "labels of it.txt").write_text("\n".join(f'"{y}"' for y in lines))
    names = json.dumps(["a,1", "b 2", "c"])
    return "./-probs.npy", ["--labels", "labels of it.txt", "--class-names", names], []


def an_npz_and_lenses_with_odd_names(folder: Path) -> Case:
    p = drawn(150, 3, names=ODD, off=0.6)
    np.savez(folder / "new\nline.npz", probs=p.probs, labels=p.labels, class_names=np.array(ODD))
    more = ["--binning", "equal-mass:5", "--binning-of-many", "median-variance:25", "--seed", "7"]
    return "new\nline.npz", [], [*(word for lens in LENSES for word in ("--lens", lens)), *more]


def logits(folder: Path) -> Case:
    p = drawn(150, 3, names=("a", "b", "c"))
    scores = np.log(p.probs) + 3
    lines = [
        ",".join([*map(repr, row), str(y + 1)]) for row, y in zip(scores.tolist(), p.labels, strict=True)
    ]
    (folder / "scores.txt").write_text("\n".join(lines))
    more = ["--adjustment", "benjamini-hochberg", "--kernel", "gaussian", "--class-weights", "1,2,0.5"]
    reading = ["--values", "logits", "--label-base", "1", "--header", "no", "--ordered", "none"]
    return "scores.txt", reading, ["--lens", "canonical", *more]


def percent_of_one_class(folder: Path) -> Case:
    p = drawn(150, 2, names=("no", "yes"))
    rows = [
        f"{100 * row[1]!r};{'yes' if y else 'no'};2"
        for row, y in zip(p.probs.tolist(), p.labels, strict=True)
    ]
    (folder / "p.tsv").write_text("\n".join(["yes;y;times", *rows]))
    more = ["--tolerance", "0.1", "--bandwidth", "0.3", "--stop-at", "10", "--metric", "total-variation"]
    return "p.tsv", ["--values", "percent", "--delimiter", ";", "--count-column", "times"], more


PLAN = "'caliblens plan' says how many cases would tell."

CASES: list[Callable[[Path], Case]] = [
    csv_with_a_label_column, two_files_and_class_names, an_npz_and_lenses_with_odd_names, logits,
    percent_of_one_class,
]  # fmt: skip


def ran(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, ""), err
    return out


@pytest.mark.some(1)
@pytest.mark.parametrize("made", CASES, ids=lambda made: made.__name__)
def test_the_command_of_a_report_repeats_it(
    made: Callable[[Path], Case],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    file, reading, looking = made(tmp_path)
    ran(capsys, "report", tmp_path / file, *reading, *looking, *FEW, "--out", "r.json", "--date", DATE)
    text = (tmp_path / "r.json").read_text()
    shared, repeat = repeatable(text), json.loads(text)["report"]["repeat"]
    where, *planned = repeat["notes"]
    assert where == "Run it in the folder of the file, under the name that it had when it was read."
    assert str(tmp_path) not in text
    words = by_shell(repeat["command"])
    assert words[:2] == ["caliblens", "survey"]
    again = Assessment.from_json(ran(capsys, *words[1:], "--json"))
    assert planned == [PLAN] * (as_a_whole(again.verdicts).answer == "cannot-tell")
    assert again.survey.diagnoses[0].fingerprint == shared.fingerprint
    assert differences(shared, again) == ()
    assert tuple(d.spec for d in again.survey.diagnoses) == shared.looks
    # So does the report itself, as the settings of another one, to the last byte.
    ran(capsys, "report", file, *reading, "--spec", "r.json", "--out", "again.json", "--date", DATE)
    assert (tmp_path / "again.json").read_text() == text


@pytest.mark.slow
def test_the_command_in_a_real_shell_and_on_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, _, looking = an_npz_and_lenses_with_odd_names(tmp_path)
    arguments = (tmp_path / file, *looking, *FEW, "--date", DATE)
    ran(capsys, "report", *arguments, "--out", tmp_path / "r.json")
    for ending in ("html", "pdf"):
        ran(capsys, "report", *arguments, "--out", tmp_path / f"r.{ending}")
    repeat = json.loads((tmp_path / "r.json").read_text())["report"]["repeat"]
    page = (tmp_path / "r.html").read_text()
    assert repeat["command"] in Page(page).text
    text = "".join(pages_of((tmp_path / "r.pdf").read_bytes()))
    typed = text[text.index("caliblens survey") : text.index("Every setting")].replace("\r", "")
    assert by_shell(typed) == by_shell(repeat["command"])
    command = repeat["command"].replace("caliblens", f"{sys.executable} -m calibcore", 1) + " --json"
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
        check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert differences(repeatable((tmp_path / "r.json").read_text()), Assessment.from_json(done.stdout)) == ()


@pytest.mark.slow
def test_what_was_made_in_python_or_is_too_long_for_paper_says_so() -> None:
    p = drawn(60, 3, names=("L" * 3_000, "b", "c"))
    lenses = [ClassLens("L" * 3_000), TopKLens(1)]
    made = [
        report_of(p, assess(p, survey(p, SPEC, through)), SPEC, title="x", date=DATE)
        for through in (None, lenses)
    ]
    usual, own = (json.loads(to_json(report))["report"]["repeat"] for report in made)
    assert usual == {
        "command": "caliblens survey PREDICTIONS --resamples 199 --alpha 0.2 --binning-of-many uniform:10",
        "notes": ["PREDICTIONS stands for a file of these data: predictions that were made in Python.", PLAN],
    }
    page = " ".join(Page(to_html(made[0])).text.split())
    assert "With Caliblens 1.0.0 this command gives the same p-values and verdicts:" in page
    assert usual["notes"][0] in page
    assert f"--lens class:{'L' * 3_000}" in own["command"]
    paper = " ".join("".join(pages_of(to_pdf(made[1]))).split())
    assert "The command has 3,0" in paper
    assert "It stands in the report's HTML and JSON." in paper
    assert "caliblens survey" not in paper
