"""One worker against two, each a process of one core: time, efficiency, overhead of a task, bytes moved.

`make bench-cluster`; about a quarter of an hour. Other sizes: python -m benchmarks.cluster 20000x10 10000x100
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.common import overconfident
from calibcore import SKCE, AsymptoticSKCETest, ExactTest, Predictions
from calibcore.cluster import Cluster
from calibcore.limits import LIMITS
from calibcore.numerics import engine

SIZES = ("50000x10", "20000x1000")
RESAMPLES = 199
WORKS: dict[str, Callable[[Predictions], object]] = {
    "SKCE, unbiased and biased": SKCE(),
    f"exact test of it, {RESAMPLES} redraws": lambda p: ExactTest(SKCE(), RESAMPLES)(
        p, np.random.default_rng(0)
    ),
    f"asymptotic test, {RESAMPLES} bootstrap samples": lambda p: AsymptoticSKCETest(n_resamples=RESAMPLES)(
        p, np.random.default_rng(0)
    ),
}


def _core(number: int) -> list[int]:
    """A core for each worker; whoever asks keeps the others, if there are any."""
    cores = sorted(os.sched_getaffinity(0))
    return [cores[number % len(cores)]]


@contextmanager
def processes(workers: int) -> Iterator[str]:
    """A scheduler and so many workers of one core each; the scheduler's address."""
    environment = os.environ | {"CALIBLENS_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        where = Path(folder) / "scheduler.json"

        def start(*words: str, core: int | None = None) -> None:
            process = subprocess.Popen(
                [sys.executable, "-m", *words],
                env=environment,
                stderr=subprocess.DEVNULL,
                preexec_fn=None if core is None else partial(os.sched_setaffinity, 0, _core(core)),
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)

        start(
            "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)
        )
        while not where.exists():
            time.sleep(0.1)
        for number in range(workers):
            start(
                "distributed.cli.dask_worker", "--scheduler-file", str(where), "--nthreads", "1",
                "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--local-directory", folder,
                core=number,
            )  # fmt: skip
        yield json.loads(where.read_text())["address"]


def connected(stack: ExitStack, workers: int) -> Cluster:
    cluster = stack.enter_context(Cluster.at(stack.enter_context(processes(workers)), patience=60))
    while len(cluster.workers()) < workers:
        time.sleep(0.1)
    # Compiled kernels are read from disk once a process.
    with engine.using(Cluster(cluster.link, smallest=0)):
        for work in WORKS.values():
            work(overconfident(1_000, 10, np.random.default_rng(0)))
    return cluster


def overhead(cluster: Cluster) -> float:
    """Seconds that a task takes which has nothing to do."""
    items = list(range(400))
    start = time.perf_counter()
    list(cluster.each(partial(abs), items, None, cost=1e13))
    return (time.perf_counter() - start) / len(items)


def timed_once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measured(cluster: Cluster, p: Predictions) -> dict[str, tuple[float, int, int]]:
    """Seconds, tasks and bytes moved of each piece of work."""
    found = {}
    for name, work in WORKS.items():
        before = cluster.traffic.tasks, cluster.traffic.sent + cluster.traffic.received
        with engine.using(cluster):
            seconds = timed_once(partial(work, p))
        after = cluster.traffic.tasks, cluster.traffic.sent + cluster.traffic.received
        found[name] = seconds, after[0] - before[0], after[1] - before[1]
    return found


def main(sizes: tuple[str, ...]) -> None:
    print(f"{os.cpu_count()} cores; a worker is a process of one core\n")
    for size in sizes:
        n, m = map(int, size.split("x"))
        p = overconfident(n, m, np.random.default_rng(20190501))
        print(f"{n:,} × {m:,}: {p.probs.nbytes / 1e6:,.0f} MB")
        here = {name: timed_once(partial(work, p)) for name, work in WORKS.items()}
        found = {}
        for workers in (1, 2):
            with ExitStack() as stack:
                cluster = connected(stack, workers)
                found[workers] = measured(cluster, p)
                task = overhead(cluster)
        for name, (seconds, tasks, moved) in found[2].items():
            one = found[1][name][0]
            print(
                f"  {name:<44}1 worker {one:6.1f} s   2 workers {seconds:6.1f} s   efficiency "
                f"{one / seconds / 2:4.0%}   {tasks:3} tasks   {moved / 1e6:6,.0f} MB moved   "
                f"{LIMITS.threads} threads here {here[name]:6.1f} s",
                flush=True,
            )
        print(f"  overhead of a task: {1e3 * task:.1f} ms\n", flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or SIZES)
