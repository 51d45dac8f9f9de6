"""The real server in a process of its own, and what can be known of it from outside."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.conftest import ROOT, free_port

CORES = 2
HELD = re.compile(
    r"Held: (\d+) open tabs, (\d+) closed ones, (\d+) workspaces, (\d+) jobs, (\d+) bytes of uploads"
)
FINE = ("info",)


@dataclass
class Server:
    """A server under way."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def megabytes(self) -> float:
        """Its memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def seconds(self) -> float:
        """Its processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def held(self) -> tuple[int, ...] | None:
        """Open tabs, closed ones, workspaces, jobs, bytes of uploads: as the log said last."""
        found = HELD.findall(self.log.read_text())
        return tuple(int(number) for number in found[-1]) if found else None

    def complaints(self) -> list[str]:
        """Lines of the log that are not fine."""
        bad = []
        for line in self.log.read_text().splitlines():
            if line.startswith("{"):
                said = json.loads(line)
                if said["level"] not in FINE:
                    bad.append(line)
            elif "Traceback" in line or "Error" in line:
                bad.append(line)
        return bad


@contextmanager
def started(folder: Path, **environment: str) -> Iterator[Server]:
    """The app as `streamlit run app.py` starts it, on two cores where there are more, its kernels warm."""
    port, log = free_port(), folder / "log.txt"
    (folder / "data").mkdir(exist_ok=True)
    settings = {"PYTHONPATH": "", "CALIBLENS_DATA": str(folder / "data"), "CALIBLENS_THREADS": str(CORES)}
    settings |= {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "CALIBLENS_LOG": "json"} | environment
    cores = sorted(os.sched_getaffinity(0))
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | settings,
        )
        os.sched_setaffinity(process.pid, cores[:CORES])
        server = Server(f"http://localhost:{port}", process, log)
        try:
            _wait(server)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait(server: Server) -> None:
    for _ in range(600):
        if server.process.poll() is not None:
            break
        if "The kernels are warm" in server.log.read_text():
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return
        time.sleep(0.25)
    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")
