"""Whatever happens to the server, no process that reads outlives it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.hanging import FILE, hooks

# Who starts the tests in the background has them ignore the interrupt, and so all that they start.
CODE = f"""
import signal
from calibcore.io import apart
signal.signal(signal.SIGINT, signal.default_int_handler)
apart.warm()
def said(waits, done=[]):
    if not waits and not done:
        done.append(print(apart._NURSERY._process.pid, flush=True))
apart.read_apart({FILE!r}, name="x.csv", check=said)
"""


def running(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_server_that_ends_leaves_no_process_behind(tmp_path: Path, end: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CODE],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": hooks(tmp_path / "hooks") + ":" + os.getcwd()},
    ) as server:
        assert server.stdout is not None
        waits = int(server.stdout.readline())
        place = Path(f"/proc/{waits}/task/{waits}/children")
        until, children, before = time.monotonic() + 60, list[str](), [""]
        while not (children and children == before) and time.monotonic() < until:
            before = children
            time.sleep(0.5)
            children = place.read_text().split()
        found = [waits, *map(int, children)]
        hangs = [*map(running, found)]
        server.send_signal(end)
        server.wait(timeout=30)
        until = time.monotonic() + 10
        while any(map(running, found)) and time.monotonic() < until:
            time.sleep(0.05)
        assert hangs == [True, True]
        assert not any(map(running, found))
