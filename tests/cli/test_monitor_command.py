"""``caliblens monitor``: what is printed, what is refused, and a year of monthly files."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import Monitoring, monitor
from calibcore.io import read
from calibcore.questions.monitor import words as monitoring
from calibcore.questions.monitor.says import windows_table
from calibcore.words.dates import time_words
from tests.cli.commands import run
from tests.questions.monitor.test_monitor import stream_of


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve months of a model that is too sure from September on, and all of them in one file, shuffled."""
    folder = tmp_path_factory.mktemp("months")
    p = stream_of(1_800, worse_from=1_200)
    month = np.arange(p.n) // 150 + 1
    days = [f"2026-{k:02}-{i % 150 // 6 + 1:02}" for i, k in enumerate(month)]
    table = pd.DataFrame(p.probs, columns=p.class_names)
    table = table.assign(date=days, patient=p.metadata["patient"], label=[p.class_names[k] for k in p.labels])
    for k in range(1, 13):
        table[month == k].to_csv(folder / f"{k:02}.csv", index=False)
    # Days keep the order of their rows, so that it is the same stream.
    table.to_csv(folder / "year.csv", index=False)
    table.assign(date=[f"0{1 + i % 9}/0{1 + i % 7}/2026" for i in range(p.n)]).to_csv(
        folder / "twice.csv", index=False
    )
    table.assign(order=range(p.n)).to_csv(folder / "order.csv", index=False)
    return folder


@pytest.mark.slow
def test_a_year_by_months_is_a_year(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    codes = []
    for k in range(1, 13):
        words = (files / f"{k:02}.csv", "--time", "date", "--state", state, "--fail-if", "alarm", "--json")
        code, out, _ = run(capsys, "monitor", *words)
        codes.append(code)
    assert codes == sorted(codes)
    assert codes[7:] == [0, 1, 1, 1, 1]
    code, whole, _ = run(capsys, "monitor", files / "year.csv", "--time", "date", "--json")
    assert code == 0
    months, year = json.loads(out), json.loads(whole)
    for document in (months, year):
        for name in ("files", "notes"):
            document.pop(name)
    assert months == year
    assert year["alarm"] == next(
        case
        for case, log in zip(year["case"], year["log_evidence"], strict=True)
        if log is not None and log >= math.log(20)
    )
    assert year["alarms"][0]["time"].startswith("2026-09")
    found = Monitoring.from_state(state.read_text())
    assert found.rows == 1_800
    code, out, err = run(capsys, "monitor", files / "12.csv", "--time", "date", "--state", state)
    assert (code, out) == (2, "")
    assert "holds this file already" in err
    assert found.to_state() == Monitoring.from_state(state.read_text()).to_state()
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_the_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "monitor", files / "year.csv", "--time", "date", "--unit", "patient")
    assert code == 0
    lines = out.splitlines()
    found = monitor(
        read(files / "year.csv").predictions,
        Monitoring.from_state(_state(files)).spec,
        time="date",
    )
    assert lines[0] == f"{found.n:,} cases, 3 classes; all classes together"
    assert lines[2] == monitoring.headline(found)
    assert found.since is not None
    since, alarmed = time_words(found.since.time), time_words(found.crossed_times[20.0], found.since.time)
    assert lines[2] == f"Not calibrated any more since about {since} (alarm on {alarmed})."
    squeezed = " ".join(out.split())
    assert f"an alarm, at case {found.alarm:,} ({time_words(found.crossed_times[20.0])})" in squeezed
    assert "Since when is an estimate, no promise." in out
    assert f"1,800 rows of {found.n:,} units (patient)." in out
    early = monitor(read(files / "01.csv").predictions, time="date")
    assert monitoring.headline(early).startswith("No alarm in 150 cases")
    assert "fewer cases than a window of 200" in monitoring.windows_sentence(early)


def _state(files: Path) -> str:
    from calibcore import DiagnosisSpec

    p = read(files / "01.csv").predictions
    return monitor(p, DiagnosisSpec(unit="patient"), time="date").to_state()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("twice.csv", "--time", "date"), "Say so by --dates day-first or --dates month-first."),
        (("year.csv", "--time", "when"), "There is no column 'when'"),
        (("order.csv", "--time", "order"), "Say --time column:order for the column"),
        (("year.csv", "--time", "label"), "There is no column 'label'"),
        (("year.csv", "--time", "date", "--unit", "ward"), "There is no column 'ward' of units"),
        (("year.csv",), "--time"),
    ],
)
def test_what_is_refused(
    files: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    given = [files / word if word.endswith(".csv") else word for word in words]
    try:
        code, out, err = run(capsys, "monitor", *given)
    except SystemExit as error:  # a flag is missing
        captured = capsys.readouterr()
        code, out, err = int(str(error.code)), captured.out, captured.err
    assert (code, out) == (2, "")
    assert sentence in err


def test_the_order_of_rows_or_a_column_of_that_name(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_rows = json.loads(run(capsys, "monitor", files / "year.csv", "--time", "order", "--json")[1])
    by_column = json.loads(run(capsys, "monitor", files / "order.csv", "--time", "column:order", "--json")[1])
    assert by_rows["log_evidence"] == by_column["log_evidence"]
    assert (by_rows["time"]["column"], by_column["time"]["column"]) == (None, "order")
    code, _, _ = run(capsys, "monitor", files / "twice.csv", "--time", "date", "--dates", "day-first")
    assert code == 0


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (math.log(0.001), "below 0.01"),
        (0.0, "1.00"),
        (math.log(812.4), "812"),
        (60.0, "1.1 × 10²⁶"),
    ],
)
def test_evidence_in_words(log: float, words: str) -> None:
    assert monitoring.evidence_words(log) == words
    assert monitoring.evidence_words(math.inf) == "infinite"


def test_the_table_of_windows_is_turned_as_the_figure() -> None:
    found = monitor(stream_of(600, worse_from=0), window=100)
    for row, one in zip(windows_table(found).rows(), found.windows.kept, strict=True):
        shown = str(row["Observed minus predicted (points)"]).replace("−", "-")
        low, high = (float(end) for end in str(row["If calibrated (points)"]).replace("−", "-").split(" to "))
        assert float(shown) == pytest.approx(100 * (one.happened - one.said), abs=0.051)
        assert (low, high) == pytest.approx((-100 * one.high, -100 * one.low), abs=0.051)
        assert row["Remark"] == ("outside" if one.outside else "")
