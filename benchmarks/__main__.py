"""`make bench`: time and memory beside what a user would pick instead and beside the machine's own limit.

Warm runs, medians, everything in one process; ratios count, absolute times are this machine's.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks import binned
from benchmarks.common import line, overconfident, timed
from calibcore import SKCE, AsymptoticSKCETest, ExactTest, Predictions
from calibcore.estimators import _warm
from calibcore.kernels import ExponentialKernel
from calibcore.limits import LIMITS

# The kernel's own account of the process: getrusage would count this one's memory before the fork.
_WITH_PEAK = """
import sys
from calibcore.__main__ import main
main(sys.argv[1:])
status = open("/proc/self/status").read()
print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""


def full_matrices(p: Predictions, bandwidth: float) -> float:
    """What one writes in an afternoon: cdist and n × n matrices."""
    residuals = p.onehot() - p.probs
    h = np.exp(-cdist(p.probs, p.probs) / bandwidth) * (residuals @ residuals.T)
    return float((h.sum() - np.trace(h)) / (p.n * (p.n - 1)))


def kernel_error(p: Predictions) -> None:
    kernel = ExponentialKernel(0.5)
    left = np.random.default_rng(0).random((p.n, p.m))
    square = np.random.default_rng(0).random((2_000, 2_000))
    gemm_exp = (
        timed(lambda: (left @ left[: p.n].T, None)) + timed(lambda: np.exp(square)) * (p.n / 2_000) ** 2
    )
    ours = timed(lambda: SKCE(kernel)(p))
    line(
        "SKCE biased + unbiased, 10,000 × 10",
        ours,
        "cdist + full matrices",
        timed(lambda: full_matrices(p, 0.5)),
    )
    line("", ours, "its GEMM and exp", gemm_exp)


def tests(p: Predictions) -> None:
    kernel = ExponentialKernel(0.5)

    def rng() -> np.random.Generator:
        return np.random.default_rng(0)

    counts = np.random.default_rng(0).random((2_000, 999))
    tile = np.random.default_rng(1).random((2_000, 2_000))
    gemm = timed(lambda: tile @ counts) * (p.n / 2_000) ** 2 / 2
    bootstrap = timed(lambda: AsymptoticSKCETest(SKCE(kernel), 999)(p, rng()), 1)
    line("asymptotic SKCE_uq test, 10,000 × 10, B = 999", bootstrap, "its GEMM", gemm)
    exact = timed(lambda: ExactTest(SKCE(kernel), 999)(p, rng()), 1)
    line("exact SKCE_uq test, 10,000 × 10, B = 999", exact, "the asymptotic test", bootstrap)


def command_line(p: Predictions) -> None:
    """The full diagnosis as a process of its own: all tests, 999 redraws, from the CSV file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        table = np.column_stack([p.probs, p.labels])
        np.savetxt(
            path, table, "%.17g," * p.m + "%d", header=",".join([*map(str, range(p.m)), "label"]), comments=""
        )
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _WITH_PEAK, "diagnose", str(path), "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
        line("full diagnosis by command line, 10,000 × 10", time.perf_counter() - start)
        print(f"{'its peak memory':<58}{int(done.stderr) / 1024:9.0f} MB")


def main() -> None:
    print(f"{os.cpu_count()} cores, {LIMITS.threads} threads, float64\n")
    _warm.warm()
    p = overconfident(10_000, 10, np.random.default_rng(20190501))
    kernel_error(p)
    tests(p)
    binned.run()
    command_line(p)


if __name__ == "__main__":
    main()
