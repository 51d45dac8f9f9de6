"""Kernels: one battery for all of them; the bandwidth rules against the literal definition."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import kernels
from calibcore.kernels import METRICS, ExponentialKernel, GaussianKernel, bandwidth_by_rule
from calibcore.predictions import InputError
from tests.oracles import literal_skce as literal

CLASSES = (ExponentialKernel, GaussianKernel)
EVERY = [
    (cls, metric, m)
    for cls, metric, m in product(CLASSES, METRICS, (2, 3, 10))
    if not (cls is GaussianKernel and metric == "total-variation" and m > 2)
]
RULES = ("median", "median-with-diagonal", "mean")
every_kernel = pytest.mark.parametrize(
    ("cls", "metric", "m"), EVERY, ids=[f"{c.kind}-{metric}-{m}" for c, metric, m in EVERY]
)


def simplex(n: int, m: int, seed: int, alpha: float = 0.5) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(m, alpha), size=n)


def with_corners(m: int, seed: int) -> np.ndarray:
    """Random points, all vertices, the middle, midpoints of edges and a repeated point."""
    corners = np.eye(m)
    middle = np.full((1, m), 1 / m)
    edges = (corners + np.roll(corners, 1, axis=0)) / 2
    random = np.vstack([simplex(40, m, seed), simplex(20, m, seed + 1, 0.05)])
    return np.vstack([corners, middle, edges, random, random[:1]])


# --- the battery ------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("bandwidth", [0.05, 0.4, 3.0])
def test_matrix_is_symmetric_positive_semidefinite_and_bounded(cls, metric, m, bandwidth) -> None:
    kernel = cls(bandwidth, metric)
    points = with_corners(m, seed=m)
    K = kernel.matrix(points, points)
    assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    assert K.max() <= kernel.upper_bound
    assert K.min() >= 0
    assert_array_equal(np.diag(K), np.full(len(points), kernel.upper_bound))


@every_kernel
def test_matrix_equals_the_definition_pair_by_pair(cls, metric, m) -> None:
    kernel = cls(0.7, metric)
    p, q = with_corners(m, 1)[:30], with_corners(m, 2)[-20:]
    expected = [[literal.kappa(cls.kind, metric, 0.7, a, b) for b in q] for a in p]
    assert_allclose(kernel.matrix(p, q), expected, rtol=1e-13)
    assert_allclose(kernel.matrix(q, p), np.transpose(expected), rtol=1e-13)


@every_kernel
def test_paired_is_the_diagonal_of_the_matrix(cls, metric, m) -> None:
    kernel = cls(0.3, metric)
    p, q = simplex(25, m, 3), simplex(25, m, 4)
    assert_allclose(kernel.paired(p, q), np.diag(kernel.matrix(p, q)), rtol=1e-13)
    assert_array_equal(kernel.paired(p, p), np.full(25, kernel.upper_bound))


@pytest.mark.parametrize(
    ("kernel", "p", "q", "value"),
    [
        (ExponentialKernel(1.0, "total-variation"), [1, 0], [0, 1], exp(-1)),
        (ExponentialKernel(1.0), [1, 0], [0, 1], exp(-sqrt(2))),
        (GaussianKernel(1.0), [1, 0], [0, 1], exp(-1)),
        (GaussianKernel(1.0, "total-variation"), [1, 0], [0, 1], exp(-0.5)),
        # Total variation 0.3, Euclidean √0.18, ν = 0.6.
        (ExponentialKernel(0.6, "total-variation"), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], exp(-0.5)),
        (ExponentialKernel(0.6), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], exp(-sqrt(0.5))),
        (GaussianKernel(0.6), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], exp(-0.25)),
    ],
)
def test_pairs_worked_by_hand(kernel, p, q, value) -> None:
    p, q = np.array([p], float), np.array([q], float)
    assert kernel.matrix(p, q).item() == pytest.approx(value, rel=1e-14)
    assert kernel.paired(p, q).item() == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("m", [3, 4, 10])
def test_gaussian_on_total_variation_is_refused_for_three_classes(m: int) -> None:
    kernel = GaussianKernel(1.0, "total-variation")
    points = simplex(5, m, 5)
    for use in (lambda: kernel.matrix(points, points), lambda: kernel.paired(points, points)):
        with pytest.raises(InputError, match=f"no kernel for {m} classes"):
            use()
    with pytest.raises(InputError, match="no kernel"):
        GaussianKernel("median", "total-variation").resolved(points)


def test_the_refusal_is_right() -> None:
    """e^{−d²/2ν²} with total variation has a negative eigenvalue on a grid of the triangle."""
    points = np.array([(a, b, 8 - a - b) for a in range(9) for b in range(9 - a)]) / 8
    K = np.array([[literal.kappa("gaussian", "total-variation", 0.5, p, q) for q in points] for p in points])
    assert np.linalg.eigvalsh(K).min() < -1e-3


@every_kernel
@pytest.mark.parametrize("bandwidth", [1e-320, 1e-200, 1e300])
def test_extreme_bandwidths_are_the_limits(cls, metric, m, bandwidth) -> None:
    points = np.eye(m)
    expected = np.eye(m) if bandwidth < 1 else np.ones((m, m))
    assert_array_equal(cls(bandwidth, metric).matrix(points, points), expected)


# --- bandwidth --------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 50])
@pytest.mark.parametrize("m", [2, 5])
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
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_median_rules_with_many_ties(tenths, rule, metric) -> None:
    probs = np.array([[t / 10, 1 - t / 10] for t in tenths])
    expected = literal.bandwidth(rule, metric, probs)
    if expected > 1e-12:
        assert bandwidth_by_rule(probs, rule, metric).value == pytest.approx(expected, rel=1e-12)
    elif len(set(tenths)) == 1:
        with pytest.raises(InputError, match="are the same"):
            bandwidth_by_rule(probs, rule, metric)
    else:
        found = bandwidth_by_rule(probs, rule, metric)
        n = len(tenths)
        all_pairs = [literal.DISTANCES[metric](probs[i], probs[j]) for i in range(n) for j in range(i)]
        assert found.value == pytest.approx(np.median([d for d in all_pairs if d > 0]), rel=1e-12)
        assert found.only_positive


def all_distances(probs: np.ndarray, metric: str) -> np.ndarray:
    difference = probs[:, None] - probs[None]
    if metric == "euclidean":
        return np.sqrt((difference**2).sum(axis=-1))
    return np.abs(difference).sum(axis=-1) / 2


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n", [1001, 1002, 1200])
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
    monkeypatch.setattr(kernels, "_sampled_distances", lambda *_: np.array(misleading))
    expected = np.median(all_distances(probs, "euclidean")[np.triu_indices(1100, 1)])
    assert bandwidth_by_rule(probs, "median", "euclidean").value == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("which", [0, 1])
def test_a_bracket_that_holds_one_of_the_two_middle_distances_is_dropped(which, monkeypatch) -> None:
    probs = simplex(1200, 4, 7)
    pairs = np.sort(all_distances(probs, "euclidean")[np.triu_indices(1200, 1)])
    middle = pairs[len(pairs) // 2 - 1 : len(pairs) // 2 + 1]
    edge = middle[which] + (1 - 2 * which) * 1e-14  # rounding must not put it outside
    sample = np.repeat([edge, pairs[-1]] if which else [pairs[0], edge], 50)
    monkeypatch.setattr(kernels, "_sampled_distances", lambda *_: sample)
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


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("median", 1 - 1 / sqrt(2)), ("median-with-diagonal", 1 - 1 / sqrt(2)), ("mean", 1 / 3)],
)
def test_above_ten_thousand_rows_pairs_are_sampled(rule, expected) -> None:
    """|x − x′| of uniform x has the distribution function 1 − (1 − d)²."""
    x = (np.arange(20_000) + 0.5) / 20_000
    probs = np.column_stack([x, 1 - x])
    found = bandwidth_by_rule(probs, rule, "total-variation")
    assert found.value == pytest.approx(expected, rel=1e-2)
    assert (found.pairs, found.only_positive) == ("sampled", False)
    assert bandwidth_by_rule(probs, rule, "total-variation") == found
    assert bandwidth_by_rule(probs, rule, "euclidean").value == pytest.approx(sqrt(2) * expected, rel=1e-2)


def test_sampled_pairs_are_of_all_rows() -> None:
    """Rows in rising order, unevenly spread: the median of every tenth row, exactly, is the same."""
    x = ((np.arange(20_000) + 0.5) / 20_000) ** 3
    probs = np.column_stack([x, 1 - x])
    expected = np.median(np.abs(x[5::10, None] - x[5::10])[np.triu_indices(2000, 1)])
    found = bandwidth_by_rule(probs, "median", "total-variation").value
    assert found == pytest.approx(expected, rel=1e-2)


def test_sampled_pairs_that_coincide_are_told_too() -> None:
    probs = np.repeat([[0.5, 0.5], [0.75, 0.25]], [9_500, 1_500], axis=0)
    found = bandwidth_by_rule(probs, "median", "total-variation")
    assert (found.value, found.pairs, found.only_positive) == (0.25, "sampled", True)


# --- what is refused --------------------------------------------------------


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("bandwidth", [0, 0.0, -1.0, float("nan"), float("inf"), "mode", "", "Median"])
def test_bad_bandwidths(cls, bandwidth) -> None:
    with pytest.raises(InputError, match="expected a number above 0"):
        cls(bandwidth)


@pytest.mark.parametrize("metric", ["manhattan", "", "Euclidean"])
def test_bad_metrics_are_answered_with_the_good_ones(metric) -> None:
    with pytest.raises(InputError, match="euclidean, total-variation"):
        ExponentialKernel(1.0, metric)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_must_be_resolved_first(rule) -> None:
    points = simplex(3, 3, 0)
    with pytest.raises(InputError, match="resolve the kernel first"):
        ExponentialKernel(rule).matrix(points, points)
    with pytest.raises(InputError, match="resolve the kernel first"):
        ExponentialKernel(rule).paired(points, points)
