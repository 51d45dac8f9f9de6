"""A process that is killed in the middle of a save loses nothing that it had confirmed."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from calibcore.store import Share, open_store
from tests import postgres

SAVING = """
import sys
from pathlib import Path
from calibcore.store import Share, open_store
store = open_store(sys.argv[1], Path(sys.argv[2]))
share = Share("t", 1, 1_000, "f", "{}", "x" * 300_000)
while True:
    print(store.save(share).token, flush=True)
"""


def _killed_after(url: str, folder: Path, confirmed: int) -> list[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, url, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    tokens = [process.stdout.readline().strip() for _ in range(confirmed)]
    process.send_signal(signal.SIGKILL)
    tokens += [line.strip() for line in process.stdout.read().splitlines()]
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    return tokens


@pytest.mark.parametrize(
    "confirmed", [pytest.param(1, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow), 40]
)
def test_sqlite_keeps_what_was_confirmed(tmp_path: Path, confirmed: int) -> None:
    """Before and after its log is copied into the file, which comes every 4 MB."""
    tokens = _killed_after("", tmp_path, confirmed)
    assert len(tokens) >= confirmed
    store = open_store("", tmp_path)
    expected = Share("t", 1, 1_000, "f", "{}", "x" * 300_000)
    assert all(store.find(token, 10) == expected for token in tokens)
    assert len(list(store.rows())) - len(tokens) in (0, 1)  # the last may be kept and not yet told
    store.close()
    raw = sqlite3.connect(tmp_path / "caliblens.sqlite")
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    raw.close()


@pytest.mark.slow
def test_postgresql_keeps_what_was_confirmed(tmp_path: Path) -> None:
    with postgres.running() as url:
        tokens = _killed_after(url, tmp_path, 7)
        store = open_store(url, tmp_path)
        assert all(store.find(token, 10) is not None for token in tokens)
        store.close()
