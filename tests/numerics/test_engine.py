"""The engine: what is imported for it, and that work looks up."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from calibcore.numerics import engine

ROOT = Path(__file__).parents[2]
STARTS = {
    "command line": (
        "import calibcore.cluster\nfrom calibcore.__main__ import main\n"
        "main(['diagnose', 'assets/examples/wine.npz', '--resamples', '9', '--tests', 'exact'])"
    ),
    "app": "import app\nfrom pages.ui import state\nfrom pages.work import jobs",
    "pages": "import pages.ui.tests.p_values, pages.ui.simplex.arrows, pages.ui.overview.classes",
}


@pytest.mark.slow
def test_dask_is_not_imported_unless_asked_for_nor_what_takes_long() -> None:
    """One process after all starts: what either imports stays imported. What draws on paper is imported when
    it draws: neither the command line nor the pages pay for it before."""
    late = {"dask", "distributed", "tornado", "scipy.stats", "matplotlib", "ternary"}
    look = f"import sys\nprint(sorted({late} & set(sys.modules)), %r)\n"
    script = "".join(f"{start}\n{look % name}" for name, start in STARTS.items())
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    looked = [line for line in done.stdout.splitlines() if line.startswith("[")]
    assert looked == [f"[] {name}" for name in STARTS]


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("threads", [1, 3])
def test_work_looks_up_after_each_item(threads, monkeypatch) -> None:
    monkeypatch.setattr(engine, "threads", lambda: threads)
    looked = []
    with engine.looking_up(lambda: looked.append(1)):
        assert list(engine.in_order(square, range(5))) == [0, 1, 4, 9, 16]
        assert len(looked) == 5

        def stop() -> None:
            raise KeyError

        with engine.looking_up(stop), pytest.raises(KeyError):
            list(engine.in_order(square, range(5)))
    engine.look_up()
    assert len(looked) == 5


class Halves:
    """An engine that does the work here, in two parts."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    def worth(self, cost: float) -> bool:
        self.asked.append(cost)
        return cost >= 10

    def parts(self, cost: float) -> int:
        return 2

    def each(self, work, items, progress, cost):
        return map(work, items)

    def sums(self, work, items, progress, cost):
        half = len(items) // 2
        yield sum(map(work, items[:half]))
        yield sum(map(work, items[half:]))


def test_work_goes_to_the_engine_in_use_if_it_takes_it() -> None:
    halves, work = Halves(), partial(square)
    assert engine.taking(100) is None
    with engine.using(halves):
        assert engine.taking(9) is None
        assert engine.taking(10) is halves
        assert engine.summed(work, range(5), cost=10) == 30
        assert list(engine.in_order(work, range(5), cost=10)) == [0, 1, 4, 9, 16]
        before = len(halves.asked)
        assert list(engine.in_order(lambda number: number, range(5))) == list(range(5))  # has no cost: stays
        assert len(halves.asked) == before
        with engine.using(None):
            assert engine.taking(100) is None
    assert engine.taking(100) is None


def test_ranges_cover_all_rows_at_multiples_of_the_step() -> None:
    assert engine.ranges(1000, 64, 100) == [(0, 1000)]
    with engine.using(Halves()):
        assert engine.ranges(1000, 64, 100) == [(0, 512), (512, 1000)]
        assert engine.ranges(1000, 64, 1) == [(0, 1000)]
        assert engine.ranges(64, 64, 100) == [(0, 64)]


def test_sums_of_numbers_arrays_and_tuples() -> None:
    parts = {
        3: 1.5,
        4: np.array([1.0, 2.0]),
        5: (np.array([1.0]), np.array([2.0, 3.0])),
    }
    for value, one in parts.items():
        found = engine.summed(partial(_times, one), range(value))
        expected = sum(range(value))
        if isinstance(one, tuple):
            for a, b in zip(found, one, strict=True):
                np.testing.assert_array_equal(a, expected * b)
        else:
            np.testing.assert_array_equal(found, expected * np.asarray(one))


def _times(one, number):
    return tuple(number * a for a in one) if isinstance(one, tuple) else number * one
