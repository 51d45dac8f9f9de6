"""Bins of a comparison beside equal predictions; level and power as docs/statistics/compare.md has them."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.diagram.gap_bins import bins_along, bins_beside_ties
from calibcore.numerics.types import Float, Int
from calibcore.questions.compare.gap_differences import FEWEST_OF_A_BIN, BinnedResiduals, gap_difference
from tests.oracles import literal_typical_gap as literal

Rng = np.random.Generator
World = Callable[[Rng, int], tuple[Float, Float, Int]]
"""(rng, n) -> what two models say of the second class, and what happened."""


def sizes(p: Float, n_bins: int, least: int = 10) -> list[int]:
    return np.diff(bins_beside_ties(p, n_bins, least)[1]).tolist()


@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_bins_are_those_of_the_definition(decimals: int) -> None:
    for seed in range(12):
        rng = np.random.default_rng([seed, decimals])
        n = int(rng.integers(60, 200))
        p = np.round(rng.beta(*rng.choice([0.05, 0.3, 1.0, 4.0], 2), n), decimals)
        order, starts = bins_beside_ties(p, n // 12, 10)
        found = [sorted(rows.tolist()) for rows in np.split(order, starts[1:-1])]
        assert found == [sorted(rows) for rows in literal.bins_beside_ties(p, n // 12, 10)]
        other = bins_beside_ties(1 - p, n // 12, 10)
        assert sorted(map(sorted, found)) == sorted(
            sorted(rows.tolist()) for rows in np.split(other[0], other[1][1:-1])
        )


def test_without_equal_values_they_are_bins_of_equal_mass() -> None:
    for n, k in ((50, 5), (64, 6), (300, 25), (3_000, 98)):
        p = np.random.default_rng(n).random(n)
        for found, expected in zip(bins_beside_ties(p, k, 10), bins_along(p, k, by_cases=1.0), strict=True):
            assert np.array_equal(found, expected)


def test_what_stands_beside_a_heavy_value_has_bins_of_its_own() -> None:
    rest = np.linspace(0.3, 0.8, 27)
    assert sizes(np.append(rest, np.ones(73)), 10) == [73, 14, 13]


def test_a_few_cases_join_what_is_near_and_not_many_times_as_many() -> None:
    assert sorted(sizes(np.repeat([0.99, 0.95, 0.5], [7, 18, 75]), 10)) == [25, 75]
    assert sorted(sizes(np.repeat([0.99, 0.95, 0.5], [7, 19, 74]), 10)) == [7, 19, 74]  # 26 are too many
    assert sorted(sizes(np.repeat([0.99, 0.9, 0.5], [7, 18, 75]), 10)) == [7, 18, 75]  # 9 points apart
    assert sorted(sizes(np.repeat([0.99, 0.95, 0.5], [7, 12, 41]), 6)) == [7, 12, 41]  # a third of all


def test_a_pocket_beside_a_heavy_value_stays_alone_on_either_side() -> None:
    for pocket in (0.8, 0.99):
        assert sorted(sizes(np.repeat([pocket, 0.95], [4, 296]), 25)) == [4, 296]


# --- level and power --------------------------------------------------------------------


def sigmoid(z: Float) -> Float:
    return np.asarray(1 / (1 + np.exp(-z)))


def temperatures(a: float, b: float, decimals: int | None = 2, apart: float = 1.5) -> World:
    """Two models of one view each, overconfident by ``a`` and ``b``, rounded."""

    def world(rng: Rng, n: int) -> tuple[Float, Float, Int]:
        y = rng.integers(2, size=n)
        x = rng.normal(size=(2, n, 2)) + apart * np.eye(2)[y]
        said = [sigmoid(c * apart * (v[:, 1] - v[:, 0])) for c, v in zip((a, b), x, strict=True)]
        one, two = said if decimals is None else (np.round(g, decimals) for g in said)
        return one, two, y

    return world


def leaves(equal: bool) -> World:
    """Two trees of 8 leaves, 10 points off, up and down by turns; leaves of one size, or of 5 % or more."""

    def world(rng: Rng, n: int) -> tuple[Float, Float, Int]:
        x = rng.random((2, n))
        y = (rng.random(n) < sigmoid(4 * (x.sum(axis=0) - 1))).astype(int)
        said = []
        for along in x:
            cuts = np.arange(1, 8) / 8 if equal else np.sort(rng.choice(np.arange(1, 20), 7, False)) / 20
            ends = np.concatenate([[0], cuts, [1]])
            area = np.logaddexp(0, 4 * ends[:, None] + 4 * (np.linspace(0.0005, 0.9995, 1000) - 1)).mean(
                axis=1
            )
            off = 0.1 * np.where(np.arange(8) % 2 == 0, 1, -1)
            said.append(
                np.clip(np.diff(area) / np.diff(4 * ends) + off, 0.01, 0.99)[np.searchsorted(cuts, along)]
            )
        return said[0], said[1], y

    return world


def pocket(
    share: float, said: float, usual: float, off: float, decimals: int | None = None, alike: bool = False
) -> World:
    """Equal gaps: A is far off in few cases, which it says apart from the rest; B a little in the rest.

    decimals : what is said is spread by 1 point and rounded to as many; where ``alike``, not in the few cases
    """

    def world(rng: Rng, n: int) -> tuple[Float, Float, Int]:
        rare = rng.random(n) < share
        y = (rng.random(n) > np.where(rare, said - off, usual)).astype(int)
        little = off * math.sqrt(share / (1 - share))
        a, b = np.where(rare, said, usual), np.where(rare, said - off, usual - little)
        if decimals is not None:
            spread = (np.where(rare & alike, 0.0, rng.normal(0, 0.01, n)) for _ in range(2))
            a, b = (
                np.round(np.clip(g + by, 0.005, 0.995), decimals)
                for g, by in zip((a, b), spread, strict=True)
            )
        return 1 - a, 1 - b, y

    return world


def found(world: World, n: int, runs: int) -> tuple[float, float]:
    """Rejections at 0.05 among the runs with a p, and runs without one."""
    rejected = without = 0
    for run in range(runs):
        a, b, y = world(np.random.default_rng([run, n]), n)
        one, two = (
            BinnedResiduals.of(Predictions.from_arrays(np.column_stack([1 - g, g]), y)) for g in (a, b)
        )
        if min(one.smallest_bin, two.smallest_bin) < FEWEST_OF_A_BIN:
            without += 1
        else:
            rejected += gap_difference(one, two).pvalue <= 0.05
    of_shown = rejected / max(1, runs - without)
    print(n, of_shown, without / runs)
    return of_shown, without / runs


SLACK = 3
"""Standard errors."""
AS_EVER = (0.05, 0.15)
CELLS = [
    *(
        (
            f"{decimals} decimals, {c}, views {apart}",
            temperatures(c, c, decimals, apart),
            dict.fromkeys(ns, AS_EVER),
        )
        for decimals, apart, some, ns in (
            (2, 1.5, (1, 1.6, 2.5), (60, 100, 300)),
            (3, 3.0, (1, 1.6), (100, 300)),
        )
        for c in some
    ),
    ("leaves of one size", leaves(True), {100: (0.05, 0.95), 200: (0.05, 0.05)}),
    ("leaves of 5 % or more", leaves(False), {200: (0.05, 0.95), 300: (0.05, 0.4), 500: (0.05, 0.05)}),
    (
        "a surer pocket of 2 %",
        pocket(0.02, 0.98, 0.9, 0.63),
        {60: (0.25, 0.75), 300: (0.05, 1), 500: (0.05, 0.6)},
    ),
    (
        "a surer pocket of 5 %",
        pocket(0.05, 0.98, 0.9, 0.6),
        {200: (0.05, 0.6), 300: (0.05, 0.2)},
    ),
    (
        "a rounded pocket of 2 %",
        pocket(0.02, 0.88, 0.97, 0.63, 2),
        {200: (0.5, 0.9), 300: (0.15, 0.9), 500: (0.12, 0.6)},
    ),
    (
        "a rounded pocket of 5 %",
        pocket(0.05, 0.88, 0.97, 0.6, 2),
        {200: (0.17, 0.5), 300: (0.08, 0.6)},
    ),
    ("a spread pocket of 2 %", pocket(0.02, 0.88, 0.97, 0.63, 6), {100: (0.52, 0), 500: (0.27, 0)}),
    ("a pocket of one value", pocket(0.02, 0.88, 0.97, 0.63, 6, True), {200: (0.42, 0), 500: (0.27, 0)}),
]
"""World, and of each number of cases at most so many rejections among runs with a p, and runs without one."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "n", "most"),
    [pytest.param(world, n, of[n], id=f"{name}-{n}") for name, world, of in CELLS for n in of],
)
def test_the_level_beside_equal_values(world: World, n: int, most: tuple[float, float]) -> None:
    runs = 400
    rejected, without = found(world, n, runs)
    for seen, limit, of in ((rejected, most[0], runs * (1 - without)), (without, most[1], runs)):
        assert seen <= limit + SLACK * math.sqrt(limit * (1 - limit) / max(1, of))


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [None, 2])
@pytest.mark.parametrize(("n", "power"), [(1_000, 0.31), (3_000, 0.83)])
def test_equal_values_cost_no_power(decimals: int | None, n: int, power: float) -> None:
    rejected, without = found(temperatures(1, 1.6, decimals), n, 200)
    assert without <= 0.02
    assert rejected >= power - SLACK * math.sqrt(power * (1 - power) / 200)
