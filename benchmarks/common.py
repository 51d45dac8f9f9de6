"""What every benchmark uses: medians of warm runs, one line a task, memory above the start."""

import time
import tracemalloc
from collections.abc import Callable
from statistics import median

import numpy as np

from calibcore import Predictions


def timed(work: Callable[[], object], repeats: int = 3) -> float:
    """Median seconds of ``repeats`` runs after a warm one."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def line(task: str, seconds: float, beside: str = "", other: float | None = None) -> None:
    """One row; the ratio is ours to the other."""
    ratio = "" if other is None else f"  {seconds / other:8.2f} × {beside} ({other:.4f} s)"
    print(f"{task:<58}{seconds:9.4f} s{ratio}", flush=True)


def overconfident(n: int, m: int, rng: np.random.Generator) -> Predictions:
    """Made predictions, a little too sure of themselves."""
    truth = rng.dirichlet(np.full(m, 0.5), size=n)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    said = (truth + 1e-6) ** 1.2
    return Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), labels)


def megabytes(work: Callable[[], object]) -> float:
    """Most memory that arrays and objects took at once, above what was there."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def memory_line(task: str, work: Callable[[], object], beside: str = "", other: float = 0.0) -> None:
    """One row: the peak above the start, beside something of a known size in MB."""
    print(
        f"{task:<58}{megabytes(work):9.1f} MB{f'  beside {beside} ({other:.0f} MB)' if beside else ''}",
        flush=True,
    )
