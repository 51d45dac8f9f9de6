"""The law of the number of hits and what is drawn from it, against SciPy and by its definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.errors import InputError
from calibcore.numerics import loops, poisson_binomial
from calibcore.numerics.poisson_binomial import check_level, hits_distribution, quantile_of_counts
from calibcore.numerics.resampling import drawn_counts
from tests.cases import each
from tests.numbers import BELOW_1, Numbers
from tests.strategies import FEW

RNG = np.random.default_rng


# The law of the number of hits.


@each("n", [1, 2, 3, 7, 8, 9, 31, 64, 65, 127, 200])
@each("shape", [(1.0, 1.0), (0.1, 0.1), (0.5, 20.0)])
def test_hits_against_scipy(n: int, shape: tuple[float, float]):
    p = RNG(n).beta(*shape, n)
    law, judge = hits_distribution(p), stats.poisson_binom(p)
    assert law.shape == (n + 1,)
    assert_allclose(law, judge.pmf(np.arange(n + 1)), atol=1e-14)
    assert_allclose(np.cumsum(law), judge.cdf(np.arange(n + 1)), atol=1e-13)


@pytest.mark.parametrize("n", [1, 5, 100, 999])
@pytest.mark.parametrize("p", [0.0, 1e-9, 0.3, 0.5, 1.0])
def test_hits_of_equal_probability_against_the_binomial(n: int, p: float):
    assert_allclose(hits_distribution(np.full(n, p)), stats.binom.pmf(np.arange(n + 1), n, p), atol=1e-13)


def test_three_cases_by_hand():
    assert_allclose(hits_distribution(np.array([0.5, 0.25, 1.0])), [0, 0.375, 0.5, 0.125], atol=1e-16)
    assert_array_equal(hits_distribution(np.array([0.25])), [0.75, 0.25])


@pytest.mark.parametrize("n", [1, 2, 17, 1000, 50_000])
def test_certain_cases_hit_as_often_as_they_must(n: int):
    hits = n // 3
    law = hits_distribution(np.repeat([1.0, 0.0], [hits, n - hits]))
    assert_allclose(law, np.arange(n + 1) == hits, atol=1e-13)
    assert [quantile_of_counts(law, level) for level in (1e-6, 0.05, 0.5, 0.95, 1 - 1e-6)] == [hits] * 5


@pytest.mark.parametrize("shape", [(1.0, 1.0), (0.1, 0.1), (0.01, 5.0)])
def test_a_hundred_thousand_cases_have_the_right_sum_mean_variance_and_shape(shape: tuple[float, float]):
    n = 100_000
    p = RNG(7).beta(*shape, n)
    law, k = hits_distribution(p), np.arange(n + 1)
    mean, variance = p.sum(), (p * (1 - p)).sum()
    assert abs(law.sum() - 1) < 1e-12
    assert law.min() >= 0
    assert (law * k).sum() == pytest.approx(mean, rel=1e-9)
    assert (law * (k - mean) ** 2).sum() == pytest.approx(variance, rel=1e-5)
    # Refined normal approximation, exact to O(1/variance).
    skew = (p * (1 - p) * (1 - 2 * p)).sum() / variance**1.5
    z = (k + 0.5 - mean) / np.sqrt(variance)
    refined = stats.norm.cdf(z) - skew * (z**2 - 1) * stats.norm.pdf(z) / 6
    assert_allclose(np.cumsum(law), refined, atol=0.5 / variance)


def in_fractions(p: list[float]) -> np.ndarray:
    """The law by its definition, in exact fractions."""
    law = [Fraction(1)]
    for chance in map(Fraction, p):
        hit, missed = [0, *(value * chance for value in law)], [*(value * (1 - chance) for value in law), 0]
        law = [one + other for one, other in zip(hit, missed, strict=True)]
    return np.array([float(value) for value in law])


@FEW
@given(st.lists(st.one_of(st.sampled_from([0.0, 1.0, 0.5, 0.1]), st.floats(0, 1)), min_size=1, max_size=12))
def test_hits_against_exact_fractions(p: list[float]):
    exact = in_fractions(p)
    for law in (hits_distribution(np.array(p)), hits_distribution(np.array(p[::-1]))):
        kept = law > 0
        assert exact[~kept].sum() < 1e-14
        assert_allclose(law[kept], exact[kept], rtol=1e-14, atol=1e-300)


def case_by_case(p: np.ndarray) -> np.ndarray:
    """The law by the recursion of its definition, nothing left out. Cost O(n²)."""
    law = np.zeros(len(p) + 1)
    law[0] = 1
    for i, chance in enumerate(p):
        law[1 : i + 2] = law[1 : i + 2] * (1 - chance) + law[: i + 1] * chance
        law[0] *= 1 - chance
    return law


@each("n", [63, 64, 65, 128, 129, 1000, 4321])
@each("shape", [(1.0, 1.0), (0.05, 0.05), (0.02, 8.0), (30.0, 0.3)])
def test_what_is_cut_off_is_less_than_promised(n: int, shape: tuple[float, float]):
    p = np.sort(RNG(n).beta(*shape, n))  # sorted: the laws that are convolved differ most
    law, judge = hits_distribution(p), case_by_case(p)
    assert np.abs(law - judge).sum() < 1e-13
    assert np.abs(np.cumsum(law) - np.cumsum(judge)).max() < 1e-13
    kept = law > 0
    assert_allclose(law, judge, rtol=1e-12, atol=2e-14)
    assert judge[~kept].sum() < 1e-14
    assert (np.diff(np.flatnonzero(kept)) == 1).all()


def test_the_law_of_many_hits_is_not_stored_where_it_is_nothing():
    first, window = poisson_binomial.hits_window(loops.read_only(np.full(200_000, 0.5)), 1e-14)
    assert abs(first + len(window) / 2 - 100_000) < 2
    assert len(window) < 22 * np.sqrt(200_000 / 4)


# Counts drawn from laws.


def test_counts_are_drawn_by_the_inverse_of_the_cumulated_law():
    cumulated = [np.array([0.25, 0.75, 1.0]), np.array([0.0, 0.0, 0.5, 0.5, 1.0 - 1e-15, 1.0 - 1e-15])]

    def at(u: float) -> list[int]:
        return drawn_counts(cumulated, 1, Numbers(u))[0].tolist()

    assert [at(u) for u in (0.0, 0.24, 0.25, 0.51, 0.75, BELOW_1)] == [
        [0, 2], [0, 2], [1, 2], [1, 4], [2, 4], [2, 4],
    ]  # fmt: skip


def test_counts_drawn_have_their_law_and_are_independent():
    laws = [stats.binom.pmf(np.arange(4), 3, 0.4), stats.binom.pmf(np.arange(3), 2, 0.9)]
    drawn = drawn_counts([np.cumsum(law) for law in laws], 30_000, RNG(11))
    table = np.histogram2d(drawn[:, 0], drawn[:, 1], bins=[4, 3])[0]
    assert stats.chisquare(table.ravel(), 30_000 * np.outer(*laws).ravel()).pvalue > 0.001


def test_counts_drawn_do_not_depend_on_how_many_are_drawn_at_once():
    cumulated = [np.cumsum(np.full(k, 1 / k)) for k in (2, 5, 9)]
    rng = RNG(12)
    parts = [drawn_counts(cumulated, size, rng) for size in (1, 4, 5)]
    assert_array_equal(np.concatenate(parts), drawn_counts(cumulated, 10, RNG(12)))


# Quantiles.


@FEW
@given(
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=30), st.sampled_from([0.005, 0.05, 0.5, 0.95, 0.995])
)
def test_a_quantile_is_the_smallest_count_that_reaches_the_level(p: list[float], level: float):
    cdf = stats.poisson_binom(p).cdf(np.arange(len(p) + 1))
    if np.abs(cdf - level).min() > 1e-10:
        expected = next(k for k, reached in enumerate(cdf) if reached >= level)
        assert quantile_of_counts(hits_distribution(np.array(p)), level) == expected


@pytest.mark.parametrize(
    ("law", "level", "k"),
    [
        ([0.25, 0.5, 0.25], 0.25, 0),
        ([0.25, 0.5, 0.25], 0.2500001, 1),
        ([0.25, 0.5, 0.25], 0.75, 1),
        ([0.25, 0.5, 0.25], 0.9999, 2),
        ([0.7, 0.1, 0.2], 0.8, 1),  # floating 0.7 + 0.1 is less than 0.8
        ([0.0, 1.0], 0.001, 1),
        ([1.0, 0.0], 0.999, 0),
        ([0.5, 0.4999999999999], 0.9999999999999999, 1),
    ],
)
def test_quantiles_by_hand(law: list[float], level: float, k: int):
    assert quantile_of_counts(np.array(law), level) == k


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (4, 0.5), (20, 0.05), (57, 0.93)])
def test_quantiles_against_the_binomial(n: int, p: float):
    law = hits_distribution(np.full(n, p))
    for level in (0.025, 0.05, 0.3, 0.95, 0.975):
        assert quantile_of_counts(law, level) == stats.binom.ppf(level, n, p)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_a_level_lies_strictly_between_0_and_1(level: float):
    with pytest.raises(InputError, match="expected a number between 0 and 1"):
        check_level(level)
    with pytest.raises(InputError, match="expected a number between 0 and 1"):
        quantile_of_counts(np.array([0.5, 0.5]), level)
