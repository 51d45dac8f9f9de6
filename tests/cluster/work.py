"""What tests have the workers do."""

import time
from pathlib import Path

import numpy as np

from calibcore import engine


def slow(data: np.ndarray, seconds: float, log: str, number: int) -> np.ndarray:
    """``data``, in some time; looks up meanwhile, as long work does."""
    for _ in range(round(seconds / 0.01)):
        time.sleep(0.01)
        engine.look_up()
    if log:
        with Path(log).open("a") as out:
            out.write(f"{number}\n")
    return data.sum()


HELD: list[np.ndarray] = []
"""Memory that a worker does not give back."""


def hungry(share: float, items: int) -> float:
    """Takes that share of the worker's memory, and keeps it."""
    from distributed import get_worker
    from psutil import Process

    limit = get_worker().memory_manager.memory_limit
    while Process().memory_info().rss < share * limit:
        HELD.append(np.ones(1_000_000))
        time.sleep(0.01)
    time.sleep(0.5)
    return 1.0
