"""What tests have the workers do."""

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from calibcore.cluster import Cluster
from calibcore.errors import InputError
from calibcore.numerics import engine

DATA = np.arange(200_000.0)
HELD: list[np.ndarray] = []
"""Memory that a worker does not give back."""


def slow(data: np.ndarray, seconds: float, number: int) -> np.ndarray:
    """The sum of ``data``, and ``number``, in some time; looks up meanwhile, as long work does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.01)
        engine.look_up()
    return np.array([data.sum(), number])


def total(
    cluster: Cluster,
    items: int = 16,
    seconds: float = 0.1,
    progress: engine.Progress | None = None,
    data: np.ndarray = DATA,
) -> bool:
    """Has slow work done; whether the sum is right."""
    with engine.using(cluster):
        found = engine.summed(partial(slow, data, seconds), range(items), progress, cost=1e9)
    return bool(np.array_equal(found, [items * data.sum(), sum(range(items))]))


def refused(number: int) -> float:
    """As work is that data do not suit."""
    raise InputError(f"There is {number}.")


def hungry(share: float, number: int) -> float:
    """Takes that share of the worker's memory, and keeps it."""
    from distributed import get_worker
    from psutil import Process

    limit = get_worker().memory_manager.memory_limit
    while Process().memory_info().rss < share * limit:
        HELD.append(np.ones(1_000_000))
        time.sleep(0.01)
    time.sleep(0.5)
    return 1.0


def once(action: Callable[[], object], at: float = 0.2) -> engine.Progress:
    """Progress that does something in the middle of the work, once."""
    left = [action]

    def progress(fraction: float) -> None:
        if fraction >= at and left:
            left.pop()()

    return progress


def pids(cluster: Cluster) -> list[int]:
    """The processes that the workers are."""
    found: dict[str, int] = cluster.link.client.run(os.getpid)
    return list(found.values())


def running(dask_worker: Any) -> int:
    """Tasks that a worker is busy with, whether somebody still waits for them or not."""
    return len(dask_worker.active_threads)
