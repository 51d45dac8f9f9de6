"""Kernels: one battery for all of them."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.kernels import (
    METRICS,
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.predictions import InputError
from tests.oracles import literal_kernels as literal

CLASSES = (ExponentialKernel, GaussianKernel, RationalQuadraticKernel, Matern32Kernel, Matern52Kernel)
EVERY = [
    (cls, metric, m)
    for cls, metric, m in product(CLASSES, METRICS, (2, 3, 10))
    if cls is ExponentialKernel or metric == "euclidean" or m == 2
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
