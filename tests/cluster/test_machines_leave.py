"""Workers and schedulers that go in the middle of the work, and come back, or do not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from calibcore.cluster import Cluster, connection, link
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.numerics import engine
from calibcore.numerics.engine import EngineError
from tests.cluster.machines import Machines, until
from tests.cluster.test_same_numbers import calibrated
from tests.cluster.work import DATA, once, pids, total

ROOT = Path(__file__).parents[2]


def connected(machines: Machines, workers: int = 2) -> Cluster:
    return Cluster.at(machines.start(workers), smallest=1)


def port(machines: Machines) -> int:
    return int(machines.address.rsplit(":", 1)[1])


def given_up(cluster: Cluster, act, sentence: str, impatient: float) -> None:
    gone = []
    with pytest.raises(EngineError, match=sentence):
        total(cluster, progress=once(lambda: (act(), gone.append(time.monotonic()))))
    assert time.monotonic() - gone[0] > impatient - 1


def test_a_worker_is_killed_in_the_middle(machines) -> None:
    p, test = calibrated(2500), ExactTest(SKCE(ExponentialKernel(0.4)), 99)
    here = test(p, np.random.default_rng(1))
    with connected(machines) as cluster, engine.using(cluster):
        killed = []
        there = test(
            p,
            np.random.default_rng(1),
            once(lambda: killed.append(machines.workers[0].kill()), 0.1),
        )
        assert killed
        assert len(cluster.workers()) == 1
    assert there.pvalue == here.pvalue
    np.testing.assert_allclose(there.null_distribution, here.null_distribution, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
def test_one_after_another_while_others_come(machines) -> None:
    with connected(machines) as cluster:

        def replace_one() -> None:
            machines.start_worker()
            machines.workers.pop(0).kill()

        first, second = once(replace_one, 0.2), once(replace_one, 0.6)
        assert total(cluster, 24, 0.1, lambda f: (first(f), second(f)))


@pytest.mark.slow
def test_a_nanny_brings_its_worker_back_and_the_data_are_sent_anew(machines) -> None:
    machines.start_scheduler()
    machines.start_nanny()
    with Cluster.at(machines.address, smallest=1, patience=30) as cluster:
        assert total(cluster, seconds=0.02)
        sent = cluster.traffic.sent
        assert total(cluster, progress=once(lambda: os.kill(pids(cluster)[0], signal.SIGKILL)))
        assert cluster.traffic.sent == 2 * sent


@pytest.mark.slow
def test_all_workers_are_gone_for_good_and_then_one_is_back(machines, impatient) -> None:
    with connected(machines) as cluster:
        given_up(cluster, machines.kill_workers, "All workers .* are gone.* Nothing is lost", impatient)
        assert cluster.alive
        machines.start_worker()
        assert total(cluster)


@pytest.mark.slow
def test_all_workers_are_gone_for_a_moment(machines, impatient) -> None:
    with connected(machines) as cluster:
        assert total(
            cluster, 16, 0.1, once(lambda: (machines.kill_workers(), time.sleep(1), machines.start_worker()))
        )


@pytest.mark.slow
def test_workers_that_leave_whenever_they_get_data(machines, monkeypatch) -> None:
    with connected(machines, 1) as cluster:
        sending = connection.Data.send

        def send(*arguments):
            found = sending(*arguments)
            machines.kill_workers()
            machines.start_worker()
            return found

        monkeypatch.setattr(connection.Data, "send", send)
        with pytest.raises(EngineError, match="left 3 times and took the data"):
            total(cluster)
        monkeypatch.undo()
        assert total(cluster)


@pytest.mark.slow
def test_the_scheduler_is_killed_and_later_back(machines, impatient) -> None:
    with connected(machines) as cluster:
        given_up(cluster, machines.kill_scheduler, "scheduler .* has not answered", impatient)
        assert not cluster.alive
        machines.start_scheduler(port(machines))
        machines.start_worker()
        assert total(cluster)
        assert cluster.alive


@pytest.mark.slow
def test_the_scheduler_is_back_at_once(machines) -> None:
    with connected(machines) as cluster:

        def again() -> None:
            machines.kill_scheduler()
            machines.start_scheduler(port(machines))
            machines.start_worker()

        assert total(cluster, progress=once(again))


@pytest.mark.slow
def test_long_after_the_connection_was_given_up(machines, monkeypatch) -> None:
    machines.start(1)
    with Cluster.at(machines.address, smallest=1, patience=1) as cluster:
        machines.kill_scheduler()
        until(lambda: cluster.link.client.status == "closed", 15)
        machines.start_scheduler(port(machines))
        machines.start_worker()
        assert total(cluster)


@pytest.mark.slow
def test_a_scheduler_that_says_nothing(machines, impatient) -> None:
    with connected(machines) as cluster:
        pid = machines.scheduler.pid
        given_up(cluster, lambda: os.kill(pid, signal.SIGSTOP), "scheduler .* has not answered", impatient)
        os.kill(pid, signal.SIGCONT)
        assert total(cluster)


def frozen(process) -> None:
    os.kill(process.pid, signal.SIGSTOP)


def seconds(process) -> float:
    """Of a processor, so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_all_workers_are_frozen_and_then_one_is_not(machines, impatient) -> None:
    with connected(machines) as cluster:

        def freeze() -> None:
            for process in machines.workers:
                frozen(process)

        given_up(cluster, freeze, "No worker .* has answered for 3 seconds. Nothing is lost", impatient)
        os.kill(machines.workers[0].pid, signal.SIGCONT)
        assert total(cluster)


@pytest.mark.slow
def test_what_a_frozen_worker_did_is_done_by_the_others(machines, impatient) -> None:
    with connected(machines) as cluster:
        assert total(cluster, 16, 0.1, once(lambda: frozen(machines.workers[0])))
        assert len(cluster.workers()) == 1
        assert total(cluster, data=DATA + 1)  # sent to the one that is left


@pytest.mark.slow
def test_a_worker_is_frozen_when_it_gets_data(machines, impatient, monkeypatch) -> None:
    with connected(machines) as cluster:
        sending = connection.Data.send

        def send(*arguments):
            frozen(machines.workers[0])
            return sending(*arguments)

        monkeypatch.setattr(connection.Data, "send", send)
        assert total(cluster)


def test_it_is_given_up_within_half_a_minute() -> None:
    assert link.GONE + link.ASK + 5 <= 30


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["kill_workers", "kill_scheduler"])
def test_within_half_a_minute(gone, machines) -> None:
    with connected(machines) as cluster:
        given_up(cluster, getattr(machines, gone), "Nothing is lost", link.GONE)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_command_whose_workers_freeze_ends_with_a_sentence(machines, tmp_path, workers) -> None:
    machines.start(workers)
    p = calibrated(20_000)
    table = tmp_path / "table.csv"
    rows = [
        ",".join([*map(repr, row), str(k)])
        for row, k in zip(p.probs.tolist(), p.labels.tolist(), strict=True)
    ]
    table.write_text("\n".join([",".join([*(f"p{k}" for k in range(p.m)), "label"]), *rows]))
    command = [sys.executable, "-m", "calibcore", "diagnose", str(table), "--cluster", machines.address]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: any(seconds(worker) > 4 for worker in machines.workers), 120)
    for worker in machines.workers:
        frozen(worker)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (3, "")
    (said,) = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert "No worker of the cluster" in said
