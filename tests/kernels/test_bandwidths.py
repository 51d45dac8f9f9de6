"""The bandwidth rules against the literal definition."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.errors import InputError
from calibcore.kernels import METRICS, ExponentialKernel, bandwidths
from calibcore.kernels.bandwidths import bandwidth_by_rule
from tests.cases import each
from tests.oracles import literal_kernels as literal

RULES = ("median", "median-with-diagonal", "mean")


def simplex(n: int, m: int, seed: int, alpha: float = 0.5) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(m, alpha), size=n)


@each("rule", RULES)
@each("metric", METRICS)
@each("n", [2, 3, 4, 5, 50])
@each("m", [2, 5])
def test_rules_against_the_literal_definition(rule, metric, n, m) -> None:
    probs = simplex(n, m, n)
    found = bandwidth_by_rule(probs, rule, metric)
    assert found.value == pytest.approx(literal.bandwidth(rule, metric, probs), rel=1e-13)
    assert (found.rule, found.pairs, found.only_positive) == (rule, "all", False)
    kernel, told = ExponentialKernel(rule, metric).resolved(probs)
    assert (kernel.bandwidth, told) == (found.value, found)


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=14),
    st.sampled_from(["median", "median-with-diagonal"]),
    st.sampled_from(METRICS),
    st.booleans(),
)
@settings(max_examples=100)
def test_median_rules_with_many_ties(tenths, rule, metric, third) -> None:
    probs = np.array([[t / 10, 1 - t / 10, *[0.0] * third] for t in tenths])
    expected = literal.bandwidth(rule, metric, probs)
    if expected > 1e-12:
        assert bandwidth_by_rule(probs, rule, metric).value == pytest.approx(expected, rel=1e-12)
    elif len(set(tenths)) == 1:
        with pytest.raises(InputError, match="are the same"):
            bandwidth_by_rule(probs, rule, metric)
    else:
        found = bandwidth_by_rule(probs, rule, metric)
        n = len(tenths)
        all_pairs = [literal.distance(metric, probs[i], probs[j]) for i in range(n) for j in range(i)]
        assert found.value == pytest.approx(np.median([d for d in all_pairs if d > 0]), rel=1e-12)
        assert found.only_positive


def all_distances(probs: np.ndarray, metric: str) -> np.ndarray:
    difference = probs[:, None] - probs[None]
    if metric == "euclidean":
        return np.sqrt((difference**2).sum(axis=-1))
    return np.abs(difference).sum(axis=-1) / 2


@pytest.mark.some(2)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n", [1001, 1002])
@pytest.mark.parametrize("rounded", [False, True])
def test_rules_are_exact_above_a_thousand_rows(metric, n, rounded) -> None:
    """There a sample brackets the median; an odd and an even number of pairs, with and without ties."""
    probs = simplex(n, 4, n)
    if rounded:
        probs = np.round(probs, 1)
    d = all_distances(probs, metric)
    pairs = d[np.triu_indices(n, 1)]
    for rule, expected in (
        ("median", np.median(pairs)),
        ("median-with-diagonal", np.median(d)),
        ("mean", pairs.mean()),
    ):
        found = bandwidth_by_rule(probs, rule, metric)
        assert found.value == pytest.approx(expected, rel=1e-12)
        assert found.pairs == "all"


@pytest.mark.parametrize("misleading", [[5.0, 6.0], [1e-9, 2e-9], [0.3, 0.3]])
def test_a_bracket_that_misses_the_median_is_dropped(misleading, monkeypatch) -> None:
    probs = simplex(1100, 4, 6)
    monkeypatch.setattr(bandwidths, "_sampled_distances", lambda *_: np.array(misleading))
    expected = np.median(all_distances(probs, "euclidean")[np.triu_indices(1100, 1)])
    assert bandwidth_by_rule(probs, "median", "euclidean").value == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("which", [0, 1])
def test_a_bracket_that_holds_one_of_the_two_middle_distances_is_dropped(which, monkeypatch) -> None:
    probs = simplex(1200, 4, 7)
    pairs = np.sort(all_distances(probs, "euclidean")[np.triu_indices(1200, 1)])
    middle = pairs[len(pairs) // 2 - 1 : len(pairs) // 2 + 1]
    edge = middle[which] + (1 - 2 * which) * 1e-14  # rounding must not put it outside
    sample = np.repeat([edge, pairs[-1]] if which else [pairs[0], edge], 50)
    monkeypatch.setattr(bandwidths, "_sampled_distances", lambda *_: sample)
    monkeypatch.setattr(np, "quantile", lambda values, _: [values.min(), values.max()])
    found = bandwidth_by_rule(probs, "median", "euclidean").value
    assert found == pytest.approx(middle.mean(), rel=1e-13)


def test_the_median_of_three_with_the_diagonal_is_the_smallest_distance() -> None:
    """Nine ordered pairs: three zeros, then each distance twice."""
    probs = np.array([[0.1, 0.9], [0.3, 0.7], [0.8, 0.2]])
    found = bandwidth_by_rule(probs, "median-with-diagonal", "total-variation").value
    assert found == pytest.approx(0.2, rel=1e-12)


@pytest.mark.parametrize(("same", "rule"), [(4, "median"), (4, "median-with-diagonal"), (1300, "median")])
def test_if_half_the_pairs_coincide_the_positive_distances_count_and_it_is_said(same, rule) -> None:
    probs = np.vstack([np.tile([0.5, 0.5], (same, 1)), [[0.9, 0.1]]])
    found = bandwidth_by_rule(probs, rule, "total-variation")
    assert found.value == pytest.approx(0.4, rel=1e-12)
    assert found.only_positive


@pytest.mark.parametrize("n", [2, 50, 1200, 10_500])
@pytest.mark.parametrize("rule", RULES)
def test_identical_predictions_have_no_bandwidth(n, rule) -> None:
    with pytest.raises(InputError, match="are the same"):
        bandwidth_by_rule(np.tile([0.2, 0.8], (n, 1)), rule, "euclidean")


def test_one_case_has_no_bandwidth_by_rule_but_a_number_passes_through() -> None:
    one = np.array([[0.2, 0.8]])
    for rule in RULES:
        with pytest.raises(InputError, match="needs at least 2 cases"):
            ExponentialKernel(rule).resolved(one)
    kernel, found = ExponentialKernel(0.25).resolved(one)
    assert kernel == ExponentialKernel(0.25)
    assert (found.value, found.rule, found.pairs, found.only_positive) == (0.25, "number", "none", False)


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("rule", "expected"),
    [("median", 1 - 1 / sqrt(2)), ("median-with-diagonal", 1 - 1 / sqrt(2)), ("mean", 1 / 3)],
)
def test_above_ten_thousand_rows_pairs_are_sampled(rule, expected) -> None:
    """|x − x′| of uniform x has the distribution function 1 − (1 − d)²."""
    x = (np.arange(20_000) + 0.5) / 20_000
    probs = np.column_stack([x, 1 - x, 0 * x])
    found = bandwidth_by_rule(probs, rule, "total-variation")
    assert found.value == pytest.approx(expected, rel=1e-2)
    assert (found.pairs, found.only_positive) == ("sampled", False)
    assert bandwidth_by_rule(probs, rule, "total-variation") == found
    assert bandwidth_by_rule(probs, rule, "euclidean").value == pytest.approx(sqrt(2) * expected, rel=1e-2)


def test_sampled_pairs_are_of_all_rows() -> None:
    """Rows in rising order, unevenly spread: the median of every tenth row, exactly, is the same."""
    x = ((np.arange(20_000) + 0.5) / 20_000) ** 3
    probs = np.column_stack([x, 1 - x, 0 * x])
    expected = np.median(np.abs(x[5::10, None] - x[5::10])[np.triu_indices(2000, 1)])
    found = bandwidth_by_rule(probs, "median", "total-variation").value
    assert found == pytest.approx(expected, rel=1e-2)


def test_sampled_pairs_that_coincide_are_told_too() -> None:
    probs = np.repeat([[0.5, 0.5, 0], [0.75, 0.25, 0]], [9_500, 1_500], axis=0)
    found = bandwidth_by_rule(probs, "median", "total-variation")
    assert (found.value, found.pairs, found.only_positive) == (0.25, "sampled", True)
