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


def command_line(p: Predictions) -> None:
    """The full diagnosis as a process of its own: all tests, 999 redraws, from the CSV file.

    Remarks go to stderr, too: the memory comes last.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        table = np.column_stack([p.probs, p.labels])
        np.savetxt(
            path, table, "%.17g," * p.m + "%d", header=",".join([*map(str, range(p.m)), "label"]), comments=""
        )
        flags = ("--json", "--ordered", "none")
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
    command_line(overconfident(10_000, 10, np.random.default_rng(20190501)))


if __name__ == "__main__":
    main()
