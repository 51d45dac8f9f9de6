"""What the omnibus test loses by looking at many cases in cells, groups and bins: its power, simulated."""

from collections.abc import Callable

import numpy as np
import pytest

from calibcore.assessment.alternatives import uneven
from calibcore.data.predictions import Predictions
from calibcore.estimators import _groups, _omnibus
from calibcore.estimators._cells import Cells
from calibcore.estimators._groups import Groups
from calibcore.estimators._line_bins import Bins
from calibcore.estimators._omnibus import Statistics, statistics_of
from calibcore.hypothesis_tests.omnibus import Beside
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.resampling import class_edges

KERNEL = ExponentialKernel()
LEVEL, SETS, REDRAWS = 0.05, 600, 1_199
LOSS = 0.03
Pattern = Callable[[np.ndarray, float], np.ndarray]


def waves(g: np.ndarray, share: float) -> np.ndarray:
    """Four periods along the first class, at the cost of the second."""
    room = np.minimum(g[:, 0], g[:, 1])
    moved = share * np.sin(8 * np.pi * g[:, 0]) * room
    out = g.copy()
    out[:, 0] += moved
    out[:, 1] -= moved
    return out


def too_sure(g: np.ndarray, share: float) -> np.ndarray:
    return (1 - share) * g + share * g.mean(axis=0)


def unevenly(g: np.ndarray, share: float) -> np.ndarray:
    p = Predictions.from_arrays(g, np.zeros(len(g), int), [str(k) for k in range(g.shape[1])])
    return uneven(p).probs(g, share)


PATTERNS: dict[str, Pattern] = {"waves": waves, "too sure": too_sure, "uneven": unevenly}


def label_sets(probs: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    edges = class_edges(probs)
    out = np.empty((size, len(probs)), np.int8)
    for row in out:
        row[:] = (rng.random(len(probs))[:, None] >= edges).sum(axis=1)
    return out


def power(statistics: Statistics, null: np.ndarray, labels: np.ndarray) -> float:
    return float(Beside(statistics.evaluate(null), LEVEL).rejected(statistics.evaluate(labels)).mean())


def compared(g: np.ndarray, fast: Statistics, reference: Statistics, words: str) -> None:
    """The same label sets for both, where the reference sees about 7 in 10."""
    rng = np.random.default_rng(11)
    null = label_sets(g, REDRAWS, rng)
    assert fast is not reference
    for name, pattern in PATTERNS.items():
        low, high = 1e-4, 1.0
        for _ in range(8):
            share = float(np.sqrt(low * high))
            found = power(fast, null, label_sets(pattern(g, share), 100, np.random.default_rng(3)))
            low, high = (low, share) if found >= 0.7 else (share, high)
        labels = label_sets(pattern(g, high), SETS, rng)
        ours, theirs = power(fast, null, labels), power(reference, null, labels)
        print(f"{words}, {name} at {high:.3f}: {ours:.3f}, reference {theirs:.3f}")
        # Both see the same sets: they differ in few, and 600 of them leave an error of about 0.012.
        assert ours >= theirs - LOSS - 0.025


def dirichlet(n: int, m: int, concentration: float) -> tuple[np.ndarray, Predictions]:
    g = np.random.default_rng([n, m]).dirichlet(np.full(m, concentration), size=n)
    return g, Predictions.from_arrays(g, g.argmax(axis=1), [str(k) for k in range(m)])


@pytest.mark.slow
@pytest.mark.parametrize(("m", "concentration"), [(3, 1.0), (10, 0.3)])
def test_partitions_against_all_pairs(m: int, concentration: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 cases: 80 trees against the kernel itself."""
    g, p = dirichlet(2_000, m, concentration)
    fast = statistics_of(p, KERNEL)
    assert fast.how == "partitions"
    monkeypatch.setattr(_omnibus, "PAIRS_UP_TO", 10_000)
    reference = statistics_of(p, KERNEL)
    assert reference.how == "pairs"
    compared(g, fast, reference, f"2,000 × {m}, partitions and pairs")


@pytest.mark.slow
def test_few_trees_against_many() -> None:
    """20,000 cases, where no pair can be looked at: 16 trees against 96."""
    g, p = dirichlet(20_000, 3, 1.0)
    compared(g, statistics_of(p, KERNEL), statistics_of(p, KERNEL, 96), "20,000 × 3, 16 and 96 trees")


@pytest.mark.slow
def test_groups_against_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    g, p = dirichlet(40_000, 3, 0.1)
    fast = statistics_of(p, KERNEL)
    assert isinstance(fast.cells, Groups)  # type: ignore[attr-defined]
    monkeypatch.setattr(_groups, "FROM", 10**9)
    same_again = dirichlet(40_000, 3, 0.1)[1]  # what was prepared for p is kept with it
    reference = statistics_of(same_again, KERNEL)
    assert isinstance(reference.cells, Cells)  # type: ignore[attr-defined]
    compared(g, fast, reference, "40,000 × 3, groups and cases")


@pytest.mark.slow
@pytest.mark.parametrize("concentration", [1.0, 0.1])
def test_bins_against_cases(concentration: float, monkeypatch: pytest.MonkeyPatch) -> None:
    g, p = dirichlet(10_000, 2, concentration)
    fast = statistics_of(p, KERNEL)
    assert isinstance(fast.cells, Bins)  # type: ignore[attr-defined]
    monkeypatch.setattr(_omnibus, "POINTS_UP_TO", 10**9)
    compared(g, fast, statistics_of(p, KERNEL), f"10,000 × 2 ({concentration:g}), bins and cases")
