"""A Parquet file that is read in slices: time, peak memory, and how much of both is reading.

    python -m benchmarks.streaming [--rows 20000000] [--classes 10] [--folder FOLDER]

Every run is a process of its own, whose largest memory (imports and all) the system tells. Each is made on
a tenth of the rows too: what grows tenfold in time is linear, what does not grow in memory is bounded.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 1_000_000
RUNS = (
    ("confidence", "uniform:10"),
    ("class:0", "uniform:10"),
    ("canonical", "uniform:2"),
)
# The kernel's own account of the process: getrusage would count this one's memory before the fork.
PEAK = """
status = open("/proc/self/status").read()
print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""
STREAM = """
import sys
from calibcore.__main__ import main
assert main(["stream", *sys.argv[1:]]) == 0
"""
READ = """
import sys, pyarrow.parquet as pq
for batch in pq.ParquetFile(sys.argv[1], buffer_size=1 << 20).iter_batches(65_536, use_threads=False):
    pass
"""
SLICES = """
import sys
from calibcore.io.row_groups import RowGroups
from calibcore.streaming.supported import step_for
data = RowGroups(sys.argv[1])
for _ in data.slices(step_for(data.m, 10)):
    pass
"""


def write(path: Path, rows: int, classes: int) -> None:
    """A calibrated model: Dirichlet predictions in single precision, labels drawn from them."""
    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, rows, GROUP):
        size = min(GROUP, rows - start)
        g = rng.dirichlet(np.full(classes, 0.3), size).astype(np.float32)
        edges = np.cumsum(g, axis=1, dtype=np.float64)
        labels = (rng.random((size, 1)) * edges[:, -1:] > edges[:, :-1]).sum(axis=1)
        columns = {f"p_{k}": g[:, k] for k in range(classes)} | {"label": labels}
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=GROUP)
    assert writer is not None
    writer.close()


def run(code: str, *arguments: str) -> tuple[float, float]:
    """Seconds and largest megabytes of a process."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code + PEAK, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return time.perf_counter() - start, int(done.stderr) / 1024


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rows", type=int, default=20_000_000)
    arguments.add_argument("--classes", type=int, default=10)
    arguments.add_argument("--resamples", type=int, default=999)
    arguments.add_argument("--folder", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        paths = []
        for rows in (given.rows // 10, given.rows):
            paths.append(Path(folder) / f"{rows}.parquet")
            write(paths[-1], rows, given.classes)
            print(
                f"{rows:,} × {given.classes}: {paths[-1].stat().st_size / 1e6:,.0f} MB of Parquet", flush=True
            )
        more = ("--json", "--resamples", str(given.resamples))
        jobs = [
            ("pyarrow, reading alone", READ, ()),
            ("slices, one pass", SLICES, ()),
            *(
                (
                    f"stream --lens {lens} --binning {bins}",
                    STREAM,
                    ("--lens", lens, "--binning", bins, *more),
                )
                for lens, bins in RUNS
            ),
        ]
        reading = 0.0
        for name, code, flags in jobs:
            (small, low), (seconds, high) = (run(code, str(path), *flags) for path in paths)
            print(
                f"{name}: {seconds:,.1f} s, {high:,.0f} MB; a tenth of the rows {small:,.1f} s, "
                f"{low:,.0f} MB",
                flush=True,
            )
            if code is SLICES:
                reading = seconds
            elif code is STREAM:
                print(f"  two passes of reading are {2 * reading / seconds:.0%} of it", flush=True)


if __name__ == "__main__":
    main()
