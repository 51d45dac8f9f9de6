"""A command that has to compile says so; one that finds everything says nothing."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from numba.core import event
from numba.core.caching import NullCache

from calibcore.__main__ import main
from calibcore.cli.arguments import COMMANDS, Command
from calibcore.cli.warm import run as warm_command
from calibcore.data.examples import example_csv
from calibcore.numerics import compiling, loops
from calibcore.numerics.compiling import EVERY_TIME, ONCE, saying_that_it_compiles
from tests.cases import each


@each("cache, sentence", [(object(), ONCE), (NullCache(), EVERY_TIME)])
def test_it_is_said_once_and_only_where_it_takes_long(
    cache: object, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: 0.2 * next(clock))
    heard: list[str] = []

    def compile_one(inside: int = 0) -> None:
        with event.trigger_event(compiling.COMPILES, {"dispatcher": SimpleNamespace(_cache=cache)}):
            for _ in range(inside):
                compile_one()

    with saying_that_it_compiles(heard.append):
        compile_one(inside=3)  # 0.2 s: what is inside another counts once
        compile_one()
        assert heard == []
        for _ in range(4):
            compile_one()
    compile_one()
    assert heard == [sentence]


def test_it_is_heard_while_a_command_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object) -> tuple[str, int]:
        with event.trigger_event(compiling.COMPILES, {"dispatcher": SimpleNamespace(_cache=object())}):
            return "", 0

    monkeypatch.setattr(compiling, "PATIENCE", -1.0)
    monkeypatch.setitem(cast(dict[str, Command], COMMANDS), "schema", replace(COMMANDS["schema"], run=run))
    assert main(["schema"]) == 0
    assert capsys.readouterr().err == f"{ONCE}\n"


@pytest.mark.slow
def test_the_first_survey_says_it_and_the_second_does_not(tmp_path: Path) -> None:
    file = tmp_path / "wine.csv"
    file.write_text(example_csv("wine"), encoding="utf-8")
    line = [
        sys.executable,
        "-m",
        "calibcore",
        "survey",
        str(file),
        "--resamples",
        "19",
        "--format",
        "summary",
    ]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "loops")}
    first, second = (
        subprocess.run(line, env=environment, capture_output=True, text=True, check=True) for _ in "12"
    )
    assert first.stderr == f"{ONCE}\n"
    assert second.stderr == ""
    assert first.stdout == second.stdout


@pytest.mark.slow
def test_warm_leaves_nothing_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "loops")}
    warmed = subprocess.run(
        [sys.executable, "-m", "calibcore", "warm"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert warmed.stdout.endswith(f"and kept under {tmp_path / 'loops'}.\n")
    assert warmed.stderr == ""
    file = tmp_path / "wine.csv"
    file.write_text(example_csv("wine"), encoding="utf-8")
    line = [sys.executable, "-m", "calibcore", "survey", str(file), "--resamples", "19"]
    ran = subprocess.run(line, env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""


def test_it_is_said_where_all_is_kept_or_that_nothing_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[warm_command.__module__], "warm", lambda: None)
    said, code = warm_command(None, None)  # type: ignore[arg-type]
    assert (said.partition(", and ")[2][:4], code) == ("kept", 0)
    monkeypatch.setattr(loops, "kept_in", lambda _: None)
    said, code = warm_command(None, None)  # type: ignore[arg-type]
    assert code == 1
    assert "NUMBA_CACHE_DIR" in said
