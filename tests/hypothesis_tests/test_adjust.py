"""p-values adjusted for the number of tests."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import false_discovery_control

from calibcore.errors import InputError
from calibcore.hypothesis_tests.adjust import (
    benjamini_hochberg,
    holm,
    step_down_min_p,
    step_down_of_independent,
)
from tests.oracles import literal_exact as literal
from tests.strategies import FEW

# Benjamini & Hochberg 1995, §3.2: 15 hypotheses on two treatments of myocardial infarction. At 0.05
# their procedure rejects four, Bonferroni's and its step-down version three.
TREATMENTS = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
    0.7590, 1.0,
]  # fmt: skip
few_fortieths = st.lists(st.integers(1, 40).map(lambda k: k / 40), min_size=1, max_size=12)


def test_the_example_of_benjamini_and_hochberg() -> None:
    """The values are those in the documentation of scipy.stats.false_discovery_control."""
    expected = [
        0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714, 0.06385714, 0.0645, 0.0765, 0.486, 0.58118182,
        0.714875, 0.75323077, 0.81321429, 1.0,
    ]  # fmt: skip
    assert_allclose(benjamini_hochberg(TREATMENTS), expected, atol=5e-9)
    assert_array_equal(benjamini_hochberg(TREATMENTS) <= 0.05, [True] * 4 + [False] * 11)
    assert_array_equal(holm(TREATMENTS) <= 0.05, [True] * 3 + [False] * 12)


def test_as_p_adjust_in_r() -> None:
    """R's p.adjust(c(0.04, 0.01, 0.03, 0.005), "BH") and "holm", worked out from its documentation."""
    p = [0.04, 0.01, 0.03, 0.005]
    assert_allclose(benjamini_hochberg(p), [0.04, 0.02, 0.04, 0.02], rtol=1e-12)
    assert_allclose(holm(p), [0.06, 0.03, 0.06, 0.02], rtol=1e-12)


@FEW
@given(few_fortieths)
def test_benjamini_hochberg_against_the_definition_and_scipy(p: list[float]) -> None:
    found = benjamini_hochberg(p)
    assert_allclose(found, literal.benjamini_hochberg(p), rtol=1e-12)
    assert_allclose(found, false_discovery_control(p), rtol=1e-12)
    assert (found <= holm(p) + 1e-15).all()
    assert_array_equal(benjamini_hochberg(p[::-1])[::-1], found)


# --- step-down minimum p ----------------------------------------------------

matrices = st.tuples(st.integers(1, 5), st.integers(2, 8)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 6).map(float))
)


@FEW
@given(matrices)
def test_step_down_against_the_definition(t: np.ndarray) -> None:
    pvalue, adjusted = step_down_min_p(t)
    assert_allclose(pvalue, [np.mean(row >= row[0]) for row in t], rtol=1e-15)
    assert_allclose(adjusted, literal.step_down_min_p(t.tolist()), rtol=1e-15)
    assert (adjusted >= pvalue).all()
    assert (adjusted <= np.minimum(1, holm(pvalue)) + 1e-15).all()


@FEW
@given(matrices)
def test_the_chance_of_any_rejection_is_at_most_alpha_exactly(t: np.ndarray) -> None:
    """Any column is as likely to be the observed one: count over all of them, ties included."""
    smallest = []
    for b in range(t.shape[1]):
        rolled = np.roll(t, -b, axis=1)
        smallest.append(Fraction(step_down_min_p(rolled)[1].min()).limit_denominator(1000))
    for alpha in set(smallest):
        assert sum(p <= alpha for p in smallest) <= alpha * len(smallest)


def test_step_down_by_hand() -> None:
    t = np.array([[9.0, 1, 2, 3], [5, 6, 1, 2], [0, 0, 0, 0]])
    pvalue, adjusted = step_down_min_p(t)
    assert_array_equal(pvalue, [1 / 4, 2 / 4, 1])
    # Columns with some p ≤ ¼: the observed one, and the second by its 6.
    assert_array_equal(adjusted, [2 / 4, 2 / 4, 1])
    assert_array_equal(step_down_min_p(t[:1])[1], [1 / 4])


def test_rounding_makes_no_order() -> None:
    t = np.array([[0.3, 0.1 + 0.2, 0.3 - 1e-16, 0.1]])
    assert step_down_min_p(t)[0][0] == 3 / 4


def correlated(rng: np.random.Generator, tests: int, redraws: int, rho: float) -> np.ndarray:
    """(tests, 1 + redraws) normal statistics, each two with correlation rho within a column."""
    common = rng.normal(size=redraws + 1)
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=(tests, redraws + 1))


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.99])
def test_family_wise_errors_under_dependence(rho: float) -> None:
    """1,000 sets of 8 statistics; (B + 1)·α is whole, so of continuous ones α is reached."""
    rng = np.random.default_rng(5)
    found = [correlated(rng, 8, 99, rho) for _ in range(1000)]
    ours = np.array([step_down_min_p(t)[1].min() <= 0.1 for t in found])
    holms = np.array([holm(step_down_min_p(t)[0]).min() <= 0.1 for t in found])
    tolerance = 3.5 * np.sqrt(0.1 * 0.9 / 1000)
    assert ours.mean() <= 0.1 + tolerance
    assert holms.mean() <= 0.1 + tolerance
    assert ours.mean() >= holms.mean()
    if rho == 0.99:  # nearly one test: Holm's gives seven eighths of the level away
        assert ours.mean() >= 0.05 > holms.mean()


def test_true_hypotheses_are_safe_beside_false_ones() -> None:
    rng = np.random.default_rng(6)
    false_alarms, found = 0, 0
    for _ in range(1000):
        t = correlated(rng, 8, 99, 0.5)
        t[:4, 0] += 4
        adjusted = step_down_min_p(t)[1]
        false_alarms += adjusted[4:].min() <= 0.1
        found += adjusted[:4].max() <= 0.1
    assert false_alarms / 1000 <= 0.1 + 3.5 * np.sqrt(0.1 * 0.9 / 1000)
    assert found > 500


@pytest.mark.parametrize("shape", [(3,), (2, 1), (2, 2, 2)])
def test_what_is_no_set_of_statistics_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="expected \\(L, 1 \\+ B\\)"):
        step_down_min_p(np.zeros(shape))


def test_the_smallest_of_independent_pvalues_has_the_law_of_the_smallest_of_uniform_ones() -> None:
    """Word by word; never above Holm's; and the chance of any adjusted p up to α is α."""
    p = np.array([0.04, 0.001, 0.5, 0.04, 1.0])
    steps = [1 - 0.999**5, 1 - 0.96**4, 1 - 0.96**3, 1 - 0.5**2, 1.0]
    expected = np.array([steps[1], steps[0], steps[3], steps[1], 1.0])
    assert_allclose(step_down_of_independent(p), expected, rtol=1e-12)
    assert (step_down_of_independent(p) <= holm(p) + 1e-15).all()
    uniform = np.random.default_rng(0).random((4000, 7))
    any_found = np.mean([step_down_of_independent(row).min() <= 0.1 for row in uniform])
    assert any_found == pytest.approx(0.1, abs=3.5 * np.sqrt(0.1 * 0.9 / 4000))
