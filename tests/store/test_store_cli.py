"""Backup and restore as the README says; once in a process of its own, while the store is open here."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from calibcore import limits
from calibcore.store import Share, open_store
from calibcore.store.__main__ import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    """What a program left."""

    returncode: int
    stdout: str
    stderr: str


def _in_a_process(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    settings = {"CALIBLENS_DATA": str(folder), "DATABASE_URL": ""}
    return subprocess.run(
        [sys.executable, "-m", "calibcore.store", *words],
        capture_output=True, text=True, check=False, env=os.environ | settings, cwd=ROOT,
    )  # fmt: skip


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """The same in this process, which saves the second that a start takes."""

    def ran(folder: Path, *words: str) -> Done:
        monkeypatch.setattr(limits, "SERVER", replace(limits.SERVER, data=folder, database_url=""))
        code = main(words)
        return Done(code, *capsys.readouterr())

    return ran


def test_a_backup_moves_the_reports_to_another_machine(tmp_path: Path, run: Callable[..., Done]) -> None:
    now = int(time.time())
    here, there, file = tmp_path / "here", tmp_path / "there", str(tmp_path / "shares.backup")
    store = open_store("", here)
    share = Share("Wine", now, now + 1_000, "f", "{}", "page")
    saved = store.save(share)
    store.save(Share("Old", now - 20, now - 10, "f", "{}", "page"))
    assert run(here, "backup", file).stdout == "Reports backed up: 2.\n"  # while it is open
    store.close()
    assert run(there, "restore", file).stdout == "Reports restored: 2.\n"
    assert run(there, "delete-expired").stdout == "Reports deleted: 0.\n"  # found expired just now
    moved = open_store("", there)
    assert moved.find(saved.token, now) == share
    moved.close()


@pytest.mark.slow
def test_what_is_damaged_is_counted_and_is_no_success(tmp_path: Path, run: Callable[..., Done]) -> None:
    store, file = open_store("", tmp_path / "here"), tmp_path / "shares.backup"
    for title in ("good", "bad"):
        store.save(Share(title, 1, 1_000, "f", "{}", "page"))
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE shares SET page = X'00' WHERE title = 'bad'")
    done = _in_a_process(tmp_path / "here", "backup", str(file))  # while the store is open here
    store.close()
    assert (done.returncode, done.stdout) == (1, "Reports backed up: 1.\n")
    assert done.stderr == "Reports left out, as they are damaged: 1.\n"
    file.write_bytes(file.read_bytes()[:-8])
    done = run(tmp_path / "there", "restore", str(file))
    assert (done.returncode, done.stdout) == (1, "Reports restored: 1.\n")
    assert "cut off" in done.stderr


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path, run: Callable[..., Done]) -> None:
    done = run(tmp_path, "restore", str(tmp_path / "missing"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "cannot be read" in done.stderr
