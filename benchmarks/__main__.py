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

from benchmarks import binned, kernel, questions, reading, verdict
from benchmarks.common import line, overconfident
from calibcore import Predictions
from calibcore.limits import LIMITS

# The kernel's own account of the process: getrusage would count this one's memory before the fork.
_WITH_PEAK = """
import sys
from calibcore.__main__ import main
main(sys.argv[1:])
status = open("/proc/self/status").read()
print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""


def written(p: Predictions, folder: str) -> Path:
    """Its CSV file."""
    path, table = Path(folder) / "predictions.csv", np.column_stack([p.probs, p.labels])
    header = ",".join([*map(str, range(p.m)), "label"])
    np.savetxt(path, table, "%.17g," * p.m + "%d", header=header, comments="")
    return path


def first_survey(p: Predictions) -> None:
    """Of the processor, in a process of its own: where no loop was ever compiled, and where all are there."""
    with tempfile.TemporaryDirectory() as folder:
        path, seconds = written(p, folder), list[float]()
        for _ in range(2):
            before = os.times()
            subprocess.run(
                [sys.executable, "-m", "calibcore", "survey", str(path), "--json"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=True,
                env=os.environ | {"NUMBA_CACHE_DIR": folder},
            )
            after = os.times()
            seconds.append(sum(after[2:4]) - sum(before[2:4]))
    first, later = seconds
    line(f"first survey, {p.n:,} × {p.m}, of the processor", first, "its loops there", later)


def command_line(p: Predictions) -> None:
    """The full diagnosis as a process of its own: all tests, 999 redraws, from the CSV file.

    What has to be compiled is compiled before. Remarks go to stderr, too: the memory comes last.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = written(p, folder)
        flags = ("--json", "--ordered", "none")
        command = [sys.executable, "-m", "calibcore", "diagnose", str(path), *flags, "--resamples", "19"]
        subprocess.run(command, capture_output=True, check=True)
        for words, more in (
            ("all tests by command line, 10,000 × 10", ["--estimates", "none"]),
            ("the same and all estimates", []),
        ):
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", _WITH_PEAK, "diagnose", str(path), *flags, *more],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                check=True,
            )
            line(words, time.perf_counter() - start)
            print(f"{'its peak memory':<58}{int(done.stderr.split()[-1]) / 1024:9.0f} MB")


def main() -> None:
    print(f"{os.cpu_count()} cores, {LIMITS.threads} threads, float64\n")
    kernel.run()
    binned.run()
    verdict.run()
    questions.run()
    reading.run()
    first_survey(overconfident(1_000, 3, np.random.default_rng(20190501)))
    command_line(overconfident(10_000, 10, np.random.default_rng(20190501)))


if __name__ == "__main__":
    main()
