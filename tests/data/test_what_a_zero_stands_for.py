"""What a probability of 0 stands for: rounded, in half precision, in wide steps, or among other numbers."""

from collections.abc import Callable

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.assessment.impossible import impossible
from calibcore.data.decimals import rounding_of
from calibcore.numerics.types import Float
from tests.cases import each


def bfloat16(p: Float) -> Float:
    """To the nearest number of 8 binary digits, half to even."""
    bits = p.astype(np.float32).view(np.uint32).astype(np.int64)
    kept = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return kept.astype(np.uint32).view(np.float32).astype(np.float64)


def float16(p: Float) -> Float:
    return p.astype(np.float16).astype(np.float64)


def significant(p: Float) -> Float:
    return np.array([float(f"{x:.3g}") for x in p])


def two_decimals_but_some(p: Float) -> Float:
    said = p.round(2)
    said[::100] = p[::100]
    return said


def two_decimals_but_some_of_six(p: Float) -> Float:
    said = p.round(2)
    said[::100] = p[::100].round(6)
    return said


def steps_of_5(p: Float) -> Float:
    return (p * 20).round() / 20


WRITTEN: dict[str, tuple[Callable[[Float], Float], float]] = {
    "bfloat16": (bfloat16, 2.0**-9),
    "float16": (float16, 2.0**-12),
    "significant": (significant, 0.0005),
    "decimals": (lambda p: p.round(3), 0.0005),
    "mixed": (two_decimals_but_some, 0.005),
    "mixed-decimals": (two_decimals_but_some_of_six, 0.005),
    "steps": (steps_of_5, 0.025),
}
"""Name -> how probabilities are written, and half of its step near 1."""


def chances(n: int, seed: int, mean: float = 4) -> Float:
    """(n,) most of them near 1."""
    chance: Float = 1 / (1 + np.exp(-np.random.default_rng(seed).normal(mean, 3, n)))
    return chance


@each("name", WRITTEN)
@each("seed", range(3))
def test_half_a_step_near_1_is_what_a_0_beside_it_stands_for(name: str, seed: int) -> None:
    write, half = WRITTEN[name]
    p = write(chances(3_000, seed))
    for g in np.column_stack([1 - p, p]), np.column_stack([p, 1 - p]):
        rounding = rounding_of(g)
        assert rounding is not None
        assert rounding.at_zero == pytest.approx(half, rel=1e-9)


@each("seed", range(3))
def test_numbers_as_a_model_gives_them_were_not_rounded(seed: int) -> None:
    p, rng = chances(3_000, seed), np.random.default_rng(seed)
    assert rounding_of(np.column_stack([1 - p, p])) is None
    assert rounding_of(rng.dirichlet(np.ones(5), 500)) is None
    single = p.astype(np.float32)
    assert Predictions.from_arrays(single, np.ones(len(p), int)).rounding is None
    of_leaf = rng.integers(3, 12, 2_000)  # shares of a tree's leaves, among which are a half and a quarter
    share = rng.binomial(of_leaf, 0.7) / of_leaf
    assert rounding_of(np.column_stack([1 - share, share])) is None


def test_of_few_numbers_steps_are_those_of_the_last_digit() -> None:
    assert rounding_of(np.array([[0.6, 0.4], [0.8, 0.2], [1.0, 0.0]])) == (1, 0.05)
    assert rounding_of(np.full((100, 2), 0.5)) == (1, 0.05)
    assert rounding_of(np.eye(2)) is None


@each("name", WRITTEN)
def test_calibrated_probabilities_are_not_refuted_by_how_they_were_written(name: str) -> None:
    """They are calibrated before they are written. Of 60 files more than 6 are below .025 once in a thousand
    times at most."""
    write, _ = WRITTEN[name]
    called = at_zero = 0
    for seed in range(60):
        chance = chances(8_000, seed, mean=5)
        happened = np.random.default_rng([seed, 1]).random(8_000) < chance
        p = Predictions.from_arrays(write(chance), happened * 1)
        called += impossible(p).pvalue <= 0.025
        at_zero += p.impossible_outcomes > 0
    assert called <= 6
    assert at_zero, "a world in which nothing happens at a 0 shows nothing"


@each("name", WRITTEN)
def test_too_many_at_a_0_still_refute(name: str) -> None:
    """One in twenty of those that were given 1 does not happen."""
    write, _ = WRITTEN[name]
    chance = chances(4_000, 0)
    said = write(chance)
    rng = np.random.default_rng(1)
    happened = rng.random(4_000) < np.where(said == 1, 0.95, chance)
    found = impossible(Predictions.from_arrays(said, happened * 1))
    assert found.decimals is not None
    assert found.pvalue < 1e-3
