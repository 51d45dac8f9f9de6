"""Warm runs, medians, and the memory that a run takes above what there was."""

import threading
import time
from collections.abc import Callable
from statistics import median


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
    ratio = "" if other is None else f"  {seconds / other:8.2f} × {beside} ({other:.3f} s)"
    print(f"{task:<58}{seconds:9.3f} s{ratio}", flush=True)


def memory(work: Callable[[], object]) -> float:
    """Megabytes that one run holds at most above what was held before."""

    def held() -> float:
        with open("/proc/self/smaps_rollup") as file:
            return next(int(row.split()[1]) for row in file if row.startswith("Rss:")) / 1024

    done, before = threading.Event(), held()
    most = before

    def watch() -> None:
        nonlocal most
        while not done.wait(0.005):
            most = max(most, held())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        work()
    finally:
        done.set()
        watching.join()
    return most - before


def memory_line(megabytes: float) -> None:
    """The row below a task."""
    print(f"{'  memory above start':<58}{megabytes:9.0f} MB", flush=True)
