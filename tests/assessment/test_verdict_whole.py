"""The verdict as a whole, simulated: calibrated models are seldom called miscalibrated, and models that are
off by more than the tolerance are seldom called consistent, whatever the pattern."""

import math

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, judge, survey
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.types import Float
from calibcore.words.verdicts import as_a_whole

OFF = 0.07
"""Mean total variation between predictions and truth; the tolerance is 0.05."""
PERIODS = 4
PATTERNS = ("calibrated", "overconfidence", "shift", "uneven", "waves")


def truth(pattern: str, g: Float) -> Float:
    """(n, m) chances of which ``g`` is off by :data:`OFF` on average, or by as much as the pattern can be."""
    n, m = g.shape
    if pattern == "calibrated":
        return g
    if pattern == "waves":
        return _waves(g)
    towards = np.tile(g.mean(axis=0), (n, 1))
    if pattern == "shift":
        towards = np.tile(np.eye(m)[0], (n, 1))
    if pattern == "uneven":
        likeliest = np.eye(m)[g.argmax(axis=1)]
        rest = g * (1 - likeliest)
        sure = g.max(axis=1) > np.median(g.max(axis=1))
        towards = np.where(sure[:, None], rest / rest.sum(axis=1, keepdims=True), likeliest)
    largest = 0.5 * np.abs(towards - g).sum(axis=1).mean()
    share = min(1.0, OFF / largest)
    return (1 - share) * g + share * towards


def _waves(g: Float) -> Float:
    """The first class too often and too rarely in turns, four times from 0 to 1; the others in proportion."""
    first, high = g[:, 0], OFF
    for _ in range(100):
        new = np.clip(first + high * np.sin(2 * np.pi * PERIODS * first), 0.0, 1.0)
        if np.abs(new - first).mean() >= OFF or high > 3:
            break
        high *= 1.05
    others = g[:, 1:] * ((1 - new) / np.maximum(1 - first, 1e-12))[:, None]
    q = np.column_stack([new, others])
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def answers(m: int, n: int, pattern: str, sets: int) -> dict[str, float]:
    """Answer on the whole -> how often it was given."""
    rng = np.random.default_rng([m, n, *pattern.encode()])
    given: list[str] = []
    for i in range(sets):
        g = rng.dirichlet(np.full(m, 0.5 if m > 3 else 1.0), n)
        p = Predictions.from_arrays(g, draw_labels(truth(pattern, g), rng))
        given.append(as_a_whole(judge(p, survey(p, DiagnosisSpec(seed=i)))).answer)
    return {answer: given.count(answer) / sets for answer in set(given)}


@pytest.mark.parametrize("pattern", ["overconfidence", "uneven", "waves"])
@pytest.mark.parametrize("m", [2, 3, 10])
def test_the_truth_is_as_far_off_as_it_says(m: int, pattern: str) -> None:
    g = np.random.default_rng(m).dirichlet(np.full(m, 0.5), 4_000)
    q = truth(pattern, g)
    assert np.allclose(q.sum(axis=1), 1)
    assert (q >= 0).all()
    assert 0.5 * np.abs(q - g).sum(axis=1).mean() == pytest.approx(OFF, rel=0.06)


def unnamed(shape: str, g: Float) -> Float:
    """(n, m) chances of which ``g`` is off by :data:`OFF` on average: its log-odds are moved by a shape."""

    def moved(by: float) -> Float:
        logs = np.log(np.maximum(g, 1e-12))
        if shape == "rotation":
            logs = logs + by * (np.roll(g, 1, axis=1) - np.roll(g, -1, axis=1))
        elif shape == "checkerboard":
            sign = np.sign(np.sin(3 * np.pi * g[:, 0]) * np.sin(3 * np.pi * g[:, 1]))
            logs[:, 0] += by * sign / 2
            logs[:, 1] -= by * sign / 2
        elif shape == "rings":
            middle = np.sqrt(np.square(g - 1 / g.shape[1]).sum(axis=1))
            sign = np.sign(np.sin(6 * np.pi * middle))
            logs[:, -1] += by * sign / 2
            logs[:, -2] -= by * sign / 2
        else:
            logs[:, 0] += by * np.sin(2 * np.pi * 12 * g[:, 0])
        q = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(q / q.sum(axis=1, keepdims=True))

    low, high = 0.0, 60.0
    for _ in range(40):
        middle = (low + high) / 2
        off = 0.5 * np.abs(moved(middle) - g).sum(axis=1).mean()
        low, high = (middle, high) if off < OFF else (low, middle)
    return moved(high)


def _of_evidence(m: int, n: int, rng: np.random.Generator) -> Float:
    """What a model says that knows a normal score of each class: rings are hardest to see in these."""
    x = 1.5 * (rng.normal(size=(n, m)) + 1.5 * np.eye(m)[rng.integers(m, size=n)])
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "shape"),
    [(2, 420, "12 waves"), (3, 900, "checkerboard"), (3, 1_500, "checkerboard"), (3, 1_500, "12 waves"),
     (3, 1_000, "rings"), (10, 3_200, "rotation")],
)  # fmt: skip
def test_shapes_that_nobody_named_are_seldom_called_consistent(m: int, n: int, shape: str) -> None:
    """Where the smallest detectable error has just fallen below the tolerance. Without a limit of the typical
    gap these were called so in .15 to .48."""
    sets, rng = 25, np.random.default_rng([m, n, *shape.encode()])
    called = 0
    for i in range(sets):
        g = _of_evidence(m, n, rng) if shape == "rings" else rng.dirichlet(np.full(m, 0.5), n)
        p = Predictions.from_arrays(g, draw_labels(unnamed(shape, g), rng))
        called += as_a_whole(judge(p, survey(p, DiagnosisSpec(seed=i)))).answer == "consistent"
    print(f"m={m} n={n} {shape}: {called / sets}")
    assert called / sets <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / sets)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "least"), [(2, 1_000, 0.6), (2, 3_000, 0.8), (3, 3_000, 0.8), (10, 3_500, 0.7)]
)
def test_calibrated_models_are_called_consistent(m: int, n: int, least: float) -> None:
    """Half as often as without a limit of the typical gap, or more."""
    found = answers(m, n, "calibrated", 40)
    print(f"m={m} n={n}: {found}")
    assert found.get("consistent", 0.0) >= least - 3 * math.sqrt(least * (1 - least) / 40)


@pytest.mark.slow
def test_a_model_that_is_off_is_not_called_consistent() -> None:
    found = answers(3, 300, "waves", 6)
    assert found.get("consistent", 0.0) == 0


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("n", [300, 1_000, 3_000])
@pytest.mark.parametrize("m", [2, 3, 10])
def test_what_is_off_is_seldom_called_consistent_and_what_is_not_seldom_miscalibrated(
    m: int, n: int, pattern: str
) -> None:
    """Within 3 standard deviations of a binomial; of ten classes, which take longest, fewer sets."""
    sets = 30 if m < 10 else 15
    found = answers(m, n, pattern, sets)
    print(f"m={m} n={n} {pattern}: {found}")
    if pattern == "calibrated":
        share, most = found.get("miscalibrated", 0.0), 0.05
    else:
        share, most = found.get("consistent", 0.0), 0.2
    assert share <= most + 3 * math.sqrt(most * (1 - most) / sets)
