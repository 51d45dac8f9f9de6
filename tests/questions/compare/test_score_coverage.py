"""How often the intervals of score differences hold the truth, as docs/statistics/compare.md has it."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.numerics.types import Float
from calibcore.questions.compare.score_differences import (
    _difference,
    _squared_gaps,
    brier_difference,
    brier_differences,
    log_difference,
)
from tests.questions.compare.test_compare_ties import sigmoid

Rng = np.random.Generator
World = Callable[[Rng, int], tuple[Float, Float, Float]]
"""(rng, n) -> what two models say of the first outcome, and its chance."""


def both_misjudge(_: Rng, n: int) -> tuple[Float, Float, Float]:
    return np.full(n, 0.9999), np.full(n, 0.9), np.full(n, 0.995)


def one_too_sure(rng: Rng, n: int) -> tuple[Float, Float, Float]:
    """Ordinary: the first is calibrated, the second says the same, too sure."""
    x = 1.5 * rng.normal(size=n)
    return sigmoid(x), sigmoid(1.6 * x), sigmoid(x)


def seldom(rng: Rng, n: int) -> tuple[Float, Float, Float]:
    """Ordinary: something that happens in 6 %; the first is calibrated, the second always says 8 %."""
    chance = sigmoid(-3.4 + 1.2 * rng.normal(size=n))
    return chance, np.full(n, 0.08), chance


def rare_and_varied(rng: Rng, n: int) -> tuple[Float, Float, Float]:
    """Something that happens in about 5 of 1,000 cases; one says an eighth of the chance, one four times."""
    chance = np.exp(rng.normal(math.log(0.004), 0.5, n))
    return chance / 8, np.minimum(0.5, 4 * chance), chance


def with_a_pocket(rng: Rng, n: int) -> tuple[Float, Float, Float]:
    """As the first of the ordinary ones, but for 2 % of the cases: said .95 and .6, true .3."""
    a, b, chance = one_too_sure(rng, n)
    few = rng.random(n) < 0.02
    return np.where(few, 0.95, a), np.where(few, 0.6, b), np.where(few, 0.3, chance)


WORLDS: dict[str, tuple[World, dict[int, float]]] = {
    "both misjudge a rare outcome": (both_misjudge, {30: 0.99, 100: 0.99, 300: 0.99, 1_000: 0.99}),
    "one too sure": (one_too_sure, dict.fromkeys((30, 100, 300, 1_000), 0.95)),
    "6 in 100": (seldom, dict.fromkeys((30, 100, 300, 1_000), 0.95)),
    "5 in 1,000, varied": (rare_and_varied, {30: 0.99, 100: 0.99, 300: 0.99, 1_000: 0.99}),
    "a pocket of 2 %": (with_a_pocket, dict.fromkeys((30, 100, 300, 1_000), 0.95)),
}
"""World, and of each number of cases how often the interval holds the truth at least."""


def truths(world: World) -> tuple[float, float]:
    """Means of the differences of both scores over very many cases."""
    a, b, t = world(np.random.default_rng(0), 1_000_000)
    brier = 2 * (t * (np.square(1 - a) - np.square(1 - b)) + (1 - t) * (np.square(a) - np.square(b)))
    log = t * np.log(b / a) + (1 - t) * np.log((1 - b) / (1 - a))
    return float(brier.mean()), float(log.mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "n", "least"),
    [pytest.param(world, n, of[n], id=f"{name}-{n}") for name, (world, of) in WORLDS.items() for n in of],
)
def test_the_coverage_of_score_intervals(world: World, n: int, least: float) -> None:
    runs, (brier, log) = 400, truths(world)
    held = plain = by_betting = given = log_held = 0
    for run in range(runs):
        rng = np.random.default_rng([run, n])
        a, b, chance = world(rng, n)
        y = (rng.random(n) >= chance).astype(int)
        p, q = (Predictions.from_arrays(np.column_stack([g, 1 - g]), y) for g in (a, b))
        found, of_log = brier_difference(p, q, run), log_difference(p, q)
        by_t, _ = _difference(p, q, brier_differences(p, q), _squared_gaps)
        held += found.low <= brier <= found.high
        plain += by_t.low <= brier <= by_t.high
        by_betting += found.by_betting
        if of_log is not None:
            given += 1
            log_held += of_log.low <= log <= of_log.high
    print(n, held / runs, plain / runs, by_betting / runs, given / runs, log_held / given if given else None)
    assert held / runs >= least - 3 * math.sqrt(least * (1 - least) / runs)
    assert log_held / max(1, given) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / max(1, given)) or not given
