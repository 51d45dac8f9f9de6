"""A small file, read in a process of its own as the app reads it, beside reading it in this one."""

from benchmarks.common import line, timed
from calibcore.examples import example_csv
from calibcore.io import read
from calibcore.io.apart import read_apart


def run() -> None:
    data = example_csv("digits-forest").encode()
    apart = timed(lambda: read_apart(data, name="x.csv"), repeats=5)
    here = timed(lambda: read(data, name="x.csv"), repeats=5)
    line("a small file, in a process of its own", apart, "in this process", here)
