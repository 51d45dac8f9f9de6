"""What larger data take: measured on one core at moderate sizes, drawn out by the known slopes, and checked.

python -m benchmarks.scaling; about ten minutes. Prints the table of the README.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.common import overconfident
from calibcore import SKCE, AsymptoticSKCETest, ExactTest, Predictions, engine
from calibcore.diagnose.warm import warm
from calibcore.kernels import ExponentialKernel
from calibcore.lenses import ClassLens
from calibcore.limits import LIMITS

ROWS, CLASSES, RESAMPLES = (10**5, 10**6, 10**7), (10, 100, 1_000), 999


@dataclass(frozen=True)
class Work:
    """Work whose seconds on one core grow as n to the ``slope``, measured at ``n``."""

    name: str
    run: Callable[[Predictions], object]
    n: int
    slope: int
    kept: Callable[[int, int], float]
    """(n, m) -> bytes that a worker holds."""

    def seconds(self, measured: float, n: int) -> float:
        return measured * (n / self.n) ** self.slope


def _exact(p: Predictions) -> object:
    return ExactTest(SKCE(ExponentialKernel(0.5)), RESAMPLES)(p, np.random.default_rng(0))


def _one_class(p: Predictions) -> object:
    return ExactTest(SKCE(), RESAMPLES)(ClassLens("0")(p), np.random.default_rng(0))


def _asymptotic(p: Predictions) -> object:
    return AsymptoticSKCETest(SKCE(ExponentialKernel(0.5)), RESAMPLES)(p, np.random.default_rng(0))


def _pairs(n: int, m: int) -> float:
    return 2 * 8.0 * n * m


WORKS = (
    Work("exact test of one class", _one_class, 20_000, 1, lambda n, _m: 8.0 * n * 12),
    Work("SKCE, unbiased and biased", SKCE(ExponentialKernel(0.5)), 6_000, 2, _pairs),
    Work("exact test of it, rank 400", _exact, 20_001, 1, lambda n, m: _pairs(n, m) + 64e6 + 2 * 64e6),
    Work("asymptotic test of it", _asymptotic, 6_000, 2, lambda n, m: _pairs(n, m) + 2 * 256e6 / 8),
)
CHECKS = ((2, 100_000, 10), (1, 40_000, 100))
"""Number of the work, rows and classes of what can be run here."""


def on_one_core(work: Callable[[Predictions], object], n: int, m: int) -> float:
    p = overconfident(n, m, np.random.default_rng(20190501))
    with engine.beside(LIMITS.threads):
        start = time.perf_counter()
        work(p)
        return time.perf_counter() - start


def spelled(seconds: float) -> str:
    """In the unit that suits."""
    for size, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:,.0f} {unit}" if seconds >= 10 * size else f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1f} s"


def main() -> None:
    warm()
    for work in WORKS:
        on_one_core(work.run, 600, 10)
    measured = {(work.name, m): on_one_core(work.run, work.n, m) for work in WORKS for m in CLASSES}
    for (name, m), seconds in measured.items():
        print(f"{name:<30}× {m:<6,}{seconds:8.2f} s")
    print(
        "\n| cases × classes | "
        + " | ".join(w.name for w in WORKS)
        + " | workers for an hour | memory of each |"
    )
    print("| --- |" + " --- |" * (len(WORKS) + 2))
    for m in CLASSES:
        for n in ROWS:
            each = [work.seconds(measured[work.name, m], n) for work in WORKS]
            workers = max(1, math.ceil(sum(each) / 3600))
            gigabytes = max(work.kept(n, m) for work in WORKS) / 1e9
            cells = " | ".join(map(spelled, each))
            print(f"| {n:,} × {m:,} | {cells} | {workers:,} | {gigabytes:.1f} GB |")
    print()
    for number, n, m in CHECKS:
        work = WORKS[number]
        foretold, took = work.seconds(measured[work.name, m], n), on_one_core(work.run, n, m)
        print(f"{work.name}, {n:,} × {m:,}: foretold {foretold:.0f} s, took {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
