"""A command whose machines freeze ends by itself, in a process of its own and with nothing made shorter."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.machines import Machines, until
from tests.cluster.test_machines_leave import ROOT, frozen
from tests.soak.people import file_of

MOST = 90.0
"""Seconds: a machine that says nothing for 20 is left out, on a busy one a little later."""


def stopped(worker: Any) -> bool:
    return Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.hostile
@pytest.mark.parametrize("at_work", [False, True], ids=["from the beginning", "at work"])
def test_a_command_whose_workers_all_freeze_ends_with_a_sentence(
    machines: Machines, tmp_path: Path, at_work: bool
) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(file_of(8_000, 10, 3))
    address = machines.start(2, freezes=at_work)
    if not at_work:
        for worker in machines.workers:
            frozen(worker)
    command = [sys.executable, "-m", "calibcore", "diagnose", str(table), "--lens", "canonical"]
    command += ["--tests", "asymptotic", "--cluster", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if at_work:
            until(lambda: any(map(stopped, machines.workers)), 120)
            assert process.poll() is None
            for worker in machines.workers:  # the other one may not have been given any work yet
                frozen(worker)
        try:
            _, said = process.communicate(timeout=MOST)
        finally:
            process.kill()
            for worker in machines.workers:
                os.kill(worker.pid, signal.SIGCONT)
    assert process.returncode == 3, said
    assert b"No worker" in said
    assert b"Traceback" not in said
