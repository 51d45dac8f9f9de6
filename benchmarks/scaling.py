"""What larger data take: measured on one core at moderate sizes, drawn out by the known slopes, and checked.

python -m benchmarks.scaling; about ten minutes. Prints the table of docs/speed.md.
"""

import math
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.common import overconfident
from calibcore import SKCE, AsymptoticSKCETest, DiagnosisSpec, ExactTest, Predictions
from calibcore.diagnose.warm import warm
from calibcore.io.row_groups import RowGroups
from calibcore.kernels import ExponentialKernel
from calibcore.limits import LIMITS
from calibcore.numerics import engine
from calibcore.streaming import diagnose_slices
from calibcore.transforms.lenses import ClassLens, TopKLens

ROWS, CLASSES, RESAMPLES = (10**5, 10**6, 10**7), (10, 100, 1_000), 999
KERNEL = ExponentialKernel(0.5)
Run = Callable[[Predictions], object]


@dataclass(frozen=True)
class Work:
    """Work whose seconds on one core grow as n to the ``slope``, measured at ``n`` by number of classes."""

    name: str
    run: Run | None
    """None: the file is streamed."""
    n: Mapping[int, int]
    slope: int
    held: Callable[[int, int], float]
    """(n, m) -> bytes that a worker holds, beside some 250 MB of program."""

    def seconds(self, measured: float, n: int, m: int) -> float:
        return measured * (n / self.n[m]) ** self.slope


def everywhere(n: int) -> dict[int, int]:
    return dict.fromkeys(CLASSES, n)


def _one_class(p: Predictions) -> object:
    return ExactTest(SKCE(), RESAMPLES)(ClassLens("0")(p), np.random.default_rng(0))


def _exact(p: Predictions) -> object:
    return ExactTest(SKCE(KERNEL), RESAMPLES)(p, np.random.default_rng(0))


def _asymptotic(p: Predictions) -> object:
    return AsymptoticSKCETest(SKCE(KERNEL), RESAMPLES)(p, np.random.default_rng(0))


def _streamed(path: Path) -> object:
    return diagnose_slices(RowGroups(path), DiagnosisSpec(lens=TopKLens(1), resamples=RESAMPLES))


def _arrays(n: int, m: int, many: int, more: float = 0.0) -> float:
    """Of n × m numbers each, and more."""
    return many * 8.0 * n * m + more


WORKS = (
    Work(
        "streamed: scores, ECE, linear and block SKCE, their tests",
        None,
        {10: 500_000, 100: 100_000, 1_000: 20_000},
        1,
        lambda n, _m: 5e8 + 8.0 * n,
    ),
    Work(
        "exact test of the SKCE of one class", _one_class, everywhere(100_000), 1, lambda n, _m: 8.0 * n * 12
    ),
    Work("SKCE, all pairs", SKCE(KERNEL), everywhere(12_000), 2, lambda n, m: _arrays(n, m, 2)),
    Work(
        "its exact test, rank 400",
        _exact,
        {10: 60_000, 100: 60_000, 1_000: 20_001},
        1,
        lambda n, m: _arrays(n, m, 2, 256e6),
    ),
    Work("its asymptotic test", _asymptotic, everywhere(12_000), 2, lambda n, m: _arrays(n, m, 2, 64e6)),
)
CHECKS = ((3, 100_000, 10), (2, 40_000, 100))
"""Number of the work, rows and classes: what can be run here."""


@contextmanager
def ready(work: Work, n: int, m: int) -> Iterator[Callable[[], object]]:
    """What is to be timed: data made, and written where they are read from a file."""
    p = overconfident(n, m, np.random.default_rng(20190501))
    if work.run is not None:
        yield partial(work.run, p)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        columns = {f"p_{k}": p.probs[:, k].astype(np.float32) for k in range(m)} | {"label": p.labels}
        pq.write_table(pa.table(columns), path, row_group_size=1_000_000)
        yield partial(_streamed, path)


def on_one_core(work: Work, n: int, m: int) -> float:
    with ready(work, n, m) as run, engine.beside(LIMITS.threads):
        start = time.perf_counter()
        run()
        return time.perf_counter() - start


def spelled(seconds: float) -> str:
    """In the unit that suits."""
    for size, unit in ((86_400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:,.0f} {unit}" if seconds >= 10 * size else f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1f} s"


def main() -> None:
    warm()
    for work in WORKS:
        on_one_core(work, 600, 10)
    measured = {(w.name, m): on_one_core(w, w.n[m], m) for w in WORKS for m in CLASSES}
    for work in WORKS:
        for m in CLASSES:
            print(f"{work.name:<60}{work.n[m]:>8,} × {m:<6,}{measured[work.name, m]:8.2f} s")
    print(
        "\n| cases × classes | "
        + " | ".join(w.name for w in WORKS)
        + " | workers for all in an hour | memory of each |"
    )
    print("| --- |" + " --- |" * (len(WORKS) + 2))
    for m in CLASSES:
        for n in ROWS:
            each = [work.seconds(measured[work.name, m], n, m) for work in WORKS]
            workers = max(1, math.ceil(sum(each) / 3600))
            gigabytes = (0.25e9 + max(work.held(n, m) for work in WORKS)) / 1e9
            cells = " | ".join(map(spelled, each))
            print(f"| {n:,} × {m:,} | {cells} | {workers:,} | {gigabytes:,.1f} GB |")
    print()
    for number, n, m in CHECKS:
        work = WORKS[number]
        foretold, took = work.seconds(measured[work.name, m], n, m), on_one_core(work, n, m)
        print(f"{work.name}, {n:,} × {m:,}: foretold {foretold:.0f} s, took {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
