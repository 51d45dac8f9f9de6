"""``caliblens report`` and ``--fail-if``: what is written, said, refused, and the exit codes."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibcore import survey
from calibcore.assessment.assess import assess
from calibcore.cli.report import FORMATS
from calibcore.cli.report import PAPERS as OFFERED
from calibcore.diagram.binning import default_binning
from calibcore.io import read
from calibcore.report import PAPERS, report_of, to_html, to_json, to_pdf
from calibcore.transforms.lenses import CanonicalLens, ClassLens
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from calibcore.words.verdicts import chip_text
from tests.cli.commands import run
from tests.report.reported import DATE, SPEC, drawn

FLAGS = ("--resamples", 199, "--alpha", 0.2, "--date", DATE, "--noun", "patient", "--model", "net")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report")
    for name, off in (("fine", 0.0), ("off", 0.9)):
        (path / f"{name}.csv").write_text(
            csv_of(prediction_rows(drawn(150, 3, names=("a", "b", "c"), off=off)))
        )
    return path


WRITE_ALL = """
import sys
from calibcore.__main__ import main
for ending in sys.argv[2].split():
    main(["report", *sys.argv[3:], "--out", sys.argv[1] + ending])
"""


@pytest.mark.slow
def test_it_writes_what_the_library_makes_in_any_process(folder: Path, tmp_path: Path) -> None:
    """The same bytes: by the command in a process of its own, where names have other hashes, and here."""
    more = ("--paper", "letter", "--title", "Weekly check", "--with-rows", "--lens", "class:b")
    words = [folder / "fine.csv", *FLAGS, *more]
    code = (sys.executable, "-c", WRITE_ALL, tmp_path / "r.", " ".join(FORMATS), *words)
    done = subprocess.run(
        [str(word) for word in code],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONHASHSEED": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    reading = read(folder / "fine.csv")
    p = reading.predictions
    of = assess(p, survey(p, SPEC, [ClassLens("b")], binning_of_many=default_binning(3, p.n)))
    words_of = {"title": "Weekly check", "date": DATE, "noun": "patient", "model": "net"}
    found = report_of(p, of, SPEC, **words_of, with_rows=True, origin=reading)
    made = {
        "html": to_html(found).encode(),
        "pdf": to_pdf(found, "letter"),
        "json": f"{to_json(found)}\n".encode(),
    }
    assert set(made) == set(FORMATS)
    for ending, here in made.items():
        there = (tmp_path / f"r.{ending}").read_bytes()
        assert there == here, f"{ending}: {_where_they_differ(there, here)}"
    assert done.stdout.count(found.badge.text + "\n") == len(FORMATS)
    assert done.stdout.startswith(found.badge.text)
    assert done.stdout.count(found.answer) == len(FORMATS)


def _where_they_differ(there: bytes, here: bytes) -> str:
    pairs = enumerate(zip(there, here, strict=False))
    place = next((i for i, (one, other) in pairs if one != other), 0)
    around = slice(max(0, place - 200), place + 100)
    return f"byte {place}, {there[around]!r} and {here[around]!r}"


@pytest.mark.some(2)
@pytest.mark.parametrize("command", ["survey", "report"])
@pytest.mark.parametrize(("name", "code"), [("fine", 0), ("off", 1)])
@pytest.mark.slow
def test_the_exit_code_says_the_verdict_where_asked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, name: str, code: int
) -> None:
    out = ("--out", tmp_path / "r.json", *FLAGS) if command == "report" else FLAGS[:4]
    arguments = (command, folder / f"{name}.csv", *out)
    assert run(capsys, *arguments)[0] == 0
    found, said, error = run(capsys, *arguments, "--fail-if", "miscalibrated")
    p = drawn(150, 3, names=("a", "b", "c"), off=0.9 if code else 0.0)
    whole = assess(p, survey(p, SPEC, [CanonicalLens()])).verdicts[0] if code else None
    assert (found, error) == (code, "")
    assert whole is None or chip_text(whole) in said
    assert ("✕ Miscalibrated" in said) == bool(code)
    if command == "report":
        assert (tmp_path / "r.json").exists()


def test_without_flags_it_is_of_today_and_named_after_the_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.JSON"
    before = datetime.now(UTC).date().isoformat()
    assert run(capsys, "report", folder / "fine.csv", "--out", out, "--lens", "canonical")[0] == 0
    document = json.loads(out.read_text())
    assert document["report"]["title"] == "Calibration of fine"
    assert document["report"]["model"] == "fine"
    assert before <= document["report"]["date"] <= datetime.now(UTC).date().isoformat()
    assert [entry["lens"] for entry in document["lenses"]] == ["canonical"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--out", "r.docx"), "ends in .docx; expected .html, .pdf, .json"),
        (("--out", "report"), "has no ending; expected .html, .pdf, .json"),
        (("--out", "r.pdf", "--date", "21 Nov 2026"), "expected one as 2026-11-21"),
        (("--out", "/nowhere/at/all.json"), "cannot be written: no such file or directory"),
    ],
)
def test_what_cannot_be_written_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], words: str
) -> None:
    code, said, error = run(capsys, "report", folder / "fine.csv", "--lens", "confidence", *flags)
    assert (code, said) == (2, "")
    assert words in error


def test_weighted_and_single_cases_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.csv"
    one.write_text("a,b,label\n0.4,0.6,a\n")
    weighted = tmp_path / "w.csv"
    weighted.write_text("a,b,label,w\n0.4,0.6,a,0.5\n0.1,0.9,b,2\n0.7,0.3,b,2\n")
    for path, more in ((one, ()), (weighted, ("--weight-column", "w"))):
        code, said, error = run(capsys, "report", path, "--out", tmp_path / "r.json", *more)
        assert (code, said) == (2, "")
        assert error.count("\n") == 1
    assert not (tmp_path / "r.json").exists()


def test_what_is_offered_is_what_there_is() -> None:
    assert tuple(PAPERS) == OFFERED
