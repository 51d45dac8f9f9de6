"""Level and delay of monitoring, simulated beside the published numbers.

Calibrated streams reach 20 in at most 1 of 20. Medians of the first case with M ≥ 20, m = 3, predictions
softmax(1.5 c X), X | Y ~ N(1.5 e_Y, I): c = 1.5: 91, c = 2: 42; a class mix ⅓ → ½ from the start: 212.
"""

import numpy as np
import pytest

from calibcore import Predictions, monitor
from calibcore.numerics.types import Float
from tests.questions.compare.test_compare_levels import most, softmax

NAMES = ("a", "b", "c")


def world(
    rng: np.random.Generator, n: int, c: float = 1.0, mix: float = 1 / 3, start: int = 0
) -> Predictions:
    """Overconfident by c, or with another class mix, from case ``start`` on."""
    before = rng.integers(3, size=n)
    after = rng.choice(3, size=n, p=[mix, (1 - mix) / 2, (1 - mix) / 2])
    later = np.arange(n) >= start
    labels = np.where(later, after, before)
    x = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[labels]
    return Predictions.from_arrays(softmax(np.where(later, c, 1.0)[:, None] * 1.5 * x), labels, NAMES)


def alarms(runs: int, n: int, **how: float) -> Float:
    """(runs,) the first case with M ≥ 20, infinite without one."""
    found = [monitor(world(np.random.default_rng([run, n]), n, **how)).alarm for run in range(runs)]  # type: ignore[arg-type]
    return np.array([np.inf if case is None else case for case in found])


def calibrated(shape: str, rng: np.random.Generator, n: int) -> Predictions:
    m = {"two classes": 2, "rare": 2, "ten classes": 10, "sure": 3}[shape]
    if shape == "rare":
        p = rng.beta(1, 30, n)
        g = np.column_stack([p, 1 - p])
    else:
        g = rng.dirichlet(np.full(m, 0.05 if shape == "sure" else 0.7), n)
    g = np.maximum(g, 1e-6)
    g /= g.sum(axis=1, keepdims=True)
    y = (rng.random((n, 1)) >= g.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(g, y, [f"c{k}" for k in range(m)])


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["two classes", "rare", "ten classes", "sure"])
def test_calibrated_streams_rarely_reach_20(shape: str) -> None:
    runs = 1_500
    found = [
        monitor(calibrated(shape, np.random.default_rng([run, 7]), 1_000)).alarm is not None
        for run in range(runs)
    ]
    assert np.mean(found) <= most(runs)


@pytest.mark.parametrize("runs", [60, pytest.param(1_500, marks=pytest.mark.slow)])
def test_the_level(runs: int) -> None:
    """Published: .033 over 1,000 cases, m = 3."""
    assert np.isfinite(alarms(runs, 1_000)).mean() <= most(runs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "n", "published"),
    [
        ({"c": 1.25}, 1_500, 380),
        ({"c": 1.5}, 600, 91),
        ({"c": 2.0}, 300, 42),
        ({"mix": 0.5}, 1_500, 212),
        ({"mix": 0.5, "start": 500}, 2_000, 940),
        ({"c": 1.5, "start": 500}, 1_500, 757),
    ],
)
def test_how_soon_a_change_is_seen(how: dict[str, float], n: int, published: int) -> None:
    median = float(np.median(alarms(400, n, **how)))
    assert median == pytest.approx(published, rel=0.3)


def test_overconfidence_is_seen_soon() -> None:
    assert float(np.median(alarms(40, 400, c=2.0))) == pytest.approx(42, rel=0.45)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "n", "near", "beginning"),
    [
        ({"c": 1.5}, 600, 0.92, 0.9),
        ({"mix": 0.5}, 1_500, 0.95, 0.92),
        ({"c": 1.5, "start": 500}, 1_500, 0.83, 0.06),
        ({"c": 2.0, "start": 900}, 1_500, 0.9, 0.02),
        ({"mix": 0.5, "start": 500}, 1_500, 0.7, 0.15),
        ({"mix": 0.6, "start": 2_100}, 3_000, 0.9, 0.02),
    ],
)
def test_since_when_is_near(how: dict[str, float], n: int, near: float, beginning: float) -> None:
    """Of those with an alarm: how many are right to a tenth of all cases, and how many say the beginning."""
    start, sinces = how.get("start", 0), []
    for run in range(300):
        since = monitor(world(np.random.default_rng([run, n]), n, **how)).since  # type: ignore[arg-type]
        if since is not None:
            sinces.append(1 if since.is_the_beginning else since.case)
    said = np.array(sinces)
    assert np.mean(np.abs(said - 1 - start) <= n / 10) >= near
    assert np.mean(said == 1) <= beginning if start else np.mean(said == 1) >= beginning
