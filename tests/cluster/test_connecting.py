"""Nobody there, somebody else there, other versions: one sentence, and nothing else on the screen."""

import http.server
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from distributed import KilledWorker

from calibcore.cluster import Cluster, connection
from calibcore.cluster.tasks import versions
from calibcore.limits import VERSION
from calibcore.numerics.engine import EngineError
from tests.cluster.machines import Machines, until
from tests.cluster.work import once, total

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys, time
from calibcore.cluster import Cluster
from calibcore.numerics.engine import EngineError
for address in sys.argv[1:]:
    try:
        Cluster.at(address, patience=1)
    except EngineError as error:
        print(error)
time.sleep(0.5)
"""


@pytest.fixture
def elsewhere():
    """The address of a server of something else, that waits for its client to speak."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    server.RequestHandlerClass.log_message = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"tcp://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_no_scheduler_is_one_sentence(elsewhere) -> None:
    addresses = ["tcp://127.0.0.1:1", "tcp://no-such-host.invalid:8786", elsewhere, "tls://127.0.0.1:1"]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *addresses, "somewhere"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    for address, line in zip(addresses, lines, strict=False):
        assert line == (
            f"No scheduler of a cluster answers at {address} (waited 1 seconds). Check that it runs and that "
            "this machine can reach it."
        )
    assert lines[4] == (
        "The address of the cluster is 'somewhere'; expected tcp://HOST:PORT or tls://HOST:PORT."
    )


@pytest.mark.parametrize(
    "address", ["", "host", "host:80", "http://host:80", "tcp://host", "tcp://host:x", "tcp://host:65536"]
)
def test_no_address(address) -> None:
    with pytest.raises(EngineError, match="expected tcp://HOST:PORT"):
        Cluster.at(address)


def test_it_is_said_soon() -> None:
    assert connection.PATIENCE + 1 <= 12


def test_no_workers(machines) -> None:
    address = machines.start(0)
    with pytest.raises(EngineError) as error:
        Cluster.at(address, patience=0.5)
    assert str(error.value).startswith(f"The cluster at {address} has no workers")


def test_without_dask(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineError, match=r'pip install "caliblens\[cluster\]"'):
        Cluster.at("tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_whole_life_leaves_nothing_on_the_screen(machines) -> None:
    """Also when the scheduler goes first."""
    script = """
import os, signal, sys
from calibcore import ECE, ExactTest
from calibcore.cluster import Cluster
from calibcore.numerics.engine import using
from tests.cluster.test_same_numbers import calibrated, exact
import numpy as np
cluster = Cluster.at(sys.argv[1], smallest=1)
with using(cluster):
    exact(ECE())(calibrated(), np.random.default_rng(0))
os.kill(int(sys.argv[2]), signal.SIGKILL)
import time; time.sleep(1)
cluster.close()
print(cluster.traffic.tasks)
"""
    address = machines.start(1)
    done = subprocess.run(
        [sys.executable, "-c", script, address, str(machines.scheduler.pid)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert int(done.stdout) > 0


def differs(address: str) -> str:
    return f"The worker at {address} runs Caliblens 9.9.9 in place of {VERSION}. Numbers could differ"


def lacks(address: str) -> str:
    return f"The worker at {address} does not run this version of Caliblens."


STRANGE = [({"version": "9.9.9"}, differs), ({"without": "calibcore"}, lacks)]


@pytest.mark.parametrize(("worker", "sentence"), STRANGE, ids=["version", "without"])
@pytest.mark.some(1)
def test_a_worker_with_other_versions(worker, sentence, machines: Machines) -> None:
    machines.start(1)
    strange = machines.start_worker(**worker)
    with pytest.raises(EngineError) as error:
        Cluster.at(machines.address)
    assert str(error.value).startswith(sentence(strange.address))


@pytest.mark.parametrize(
    ("scheduler", "sentence"),
    [
        ({"version": "9.9.9"}, "runs Caliblens 9.9.9 in place of"),
        ({"without": "calibcore"}, "does not run this"),
    ],
    ids=["version", "without"],
)
@pytest.mark.slow
def test_a_scheduler_with_other_versions(scheduler, sentence, machines: Machines) -> None:
    address = machines.start_scheduler(**scheduler)
    machines.start_worker()
    with pytest.raises(EngineError, match=f"^The scheduler at {address} {sentence}"):
        Cluster.at(address)


@pytest.mark.slow
def test_another_version_joins_in_the_middle(machines: Machines) -> None:
    with Cluster.at(machines.start(1), smallest=1) as cluster:

        def join() -> None:
            machines.start_worker(version="9.9.9")
            machines.workers.pop(0).kill()

        with pytest.raises(EngineError) as error:
            total(cluster, progress=once(join))
        assert str(error.value).startswith(differs(machines.workers[0].address))
        machines.workers.pop(0).kill()
        machines.start_worker()
        assert total(cluster)


@pytest.mark.slow
def test_one_without_our_code_joins_in_the_middle(machines: Machines) -> None:
    """It ends at its first task, and the others do the work; if it comes back each time, it is named."""
    with Cluster.at(machines.start(1), smallest=1) as cluster:
        strange = []
        assert total(
            cluster, progress=once(lambda: strange.append(machines.start_worker(without="calibcore")))
        )
        strange.append(machines.start_worker(without="calibcore"))
        killed = KilledWorker("a task", None, 3)
        with pytest.raises(EngineError) as error:
            raise cluster._fault(killed)
        assert str(error.value).startswith(lacks(strange[-1].address))
        strange[-1].kill()
        until(lambda: strange[-1].address not in cluster.workers())
        assert "lack of memory" in str(cluster._fault(killed))


def test_what_has_to_be_the_same() -> None:
    assert set(versions()) == {"Caliblens", "Python", "numpy", "scipy", "numba", "distributed"}
