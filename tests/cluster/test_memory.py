"""A worker short of memory: said before the data are sent, or when it ends, or waits, in the middle."""

from functools import partial

import numpy as np
import pytest

from calibcore.cluster import Cluster
from calibcore.numerics import engine
from calibcore.numerics.engine import EngineError
from tests.cluster.machines import Machines
from tests.cluster.test_cancelling import after
from tests.cluster.work import hungry, total


@pytest.mark.slow
def test_data_too_large_for_a_worker(machines: Machines) -> None:
    machines.start(1)
    machines.start_worker(memory_limit="500MB")
    with Cluster.at(machines.address, smallest=1) as cluster:
        with pytest.raises(EngineError) as error:
            total(cluster, data=np.zeros(30_000_000))
        assert str(error.value) == (
            "The data take 240 MB on each worker of the cluster; the smallest has 500 MB, and room for "
            "200 MB of data. Give the workers more memory, or use fewer cases."
        )
        assert cluster.traffic.sent == cluster.traffic.tasks == 0
        assert total(cluster, seconds=0.01)


@pytest.mark.slow
def test_a_worker_that_ends_again_and_again(machines: Machines) -> None:
    machines.start_scheduler(**{"distributed.scheduler.allowed-failures": 1})
    machines.start_nanny("--memory-limit", "400MB")
    with Cluster.at(machines.address, smallest=1, patience=30) as cluster, engine.using(cluster):
        with pytest.raises(EngineError, match=r"most likely for lack of memory.*begun several times"):
            engine.summed(partial(hungry, 2.0), range(2), cost=1e9)
        assert total(cluster, seconds=0.01)


@pytest.mark.slow
def test_a_worker_that_waits_for_memory(machines: Machines, impatient) -> None:
    machines.start_scheduler()
    machines.start_worker(memory_limit="400MB")
    sentence = r"most likely for lack of memory.*paused for 3 seconds"
    with Cluster.at(machines.address, smallest=1) as cluster, engine.using(cluster):  # noqa: SIM117
        with pytest.raises(EngineError, match=sentence):
            engine.summed(partial(hungry, 0.87), range(8), after(30), cost=1e9)


def test_a_task_that_finds_no_memory(cluster) -> None:
    with engine.using(cluster), pytest.raises(EngineError, match="told that there is none left"):
        engine.summed(partial(np.ones, dtype=np.float64), [2**50, 2**50], cost=1e9)
