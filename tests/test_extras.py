"""What does not come with the core: where it is missing one sentence names the extra, and the rest works."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from calibcore.extras import EXTRAS, MissingExtra, need

ROOT = Path(__file__).parents[1]
PROGRAM = """
import contextlib, io, json, sys

from calibcore.extras import EXTRAS

for module in {module for modules in EXTRAS.values() for module in modules}:
    sys.modules[module] = None  # as if it were not installed

from calibcore.__main__ import main
from calibcore.store.__main__ import main as store

answers = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = store(command[1:]) if command[0] == "store" else main(command)
    answers.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""
LACKING = {
    "excel": ("diagnose table.xlsx", "openpyxl"),
    "print": ("figure table.csv --out figure.pdf", "matplotlib"),
    "report": ("report table.csv --out report.pdf", "typst"),
    "report-html": ("report table.csv --out report.html", "plotly"),
    "store": ("store backup shares.backup", "sqlalchemy"),
    "app": ("app table.csv", "streamlit"),
    "cluster": ("survey table.csv --cluster tcp://127.0.0.1:1", "distributed"),
}
WORKING = (
    "diagnose table.csv --tests asymptotic --json",
    "report table.csv --out report.json --resamples 99 --date 2026-11-21",
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """Exit code, stdout and stderr of each command, where no extra is installed."""
    folder = tmp_path_factory.mktemp("core")
    rows = [("ill", "well", "label"), *((p / 20, 1 - p / 20, "ill" if p > 8 else "well") for p in range(20))]
    (folder / "table.csv").write_text("\n".join(",".join(map(str, row)) for row in rows))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / "table.xlsx")
    commands = [*(command for command, _ in LACKING.values()), *WORKING]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([command.split() for command in commands])],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "CALIBLENS_DATA": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(commands, map(tuple, json.loads(done.stdout)), strict=True))


@pytest.mark.parametrize("case", LACKING)
@pytest.mark.slow
def test_a_missing_extra_is_one_sentence_that_names_it(
    answers: dict[str, tuple[int, str, str]], case: str
) -> None:
    command, module = LACKING[case]
    code, out, err = answers[command]
    extra = case.partition("-")[0]
    assert (code, out) == (2, "")
    assert err.endswith(
        f' needs the package {module}, which is not installed. Install it: pip install "caliblens[{extra}]"\n'
    )
    assert err.count("\n") == 1
    assert module in EXTRAS[extra]


@pytest.mark.some(1)
@pytest.mark.parametrize("command", WORKING)
def test_the_core_works_without_any(answers: dict[str, tuple[int, str, str]], command: str) -> None:
    code, out, err = answers[command]
    assert (code, err) == (0, "")
    assert out


def test_in_python_it_is_what_cannot_be_used_and_what_cannot_be_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ImportError) as caught:
        need("A figure", "figures")
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))  # it may come out of the process that reads a file
    assert (type(again), str(again)) == (MissingExtra, str(caught.value))
    monkeypatch.undo()
    for extra in EXTRAS:
        need("All", extra)
