"""Kernels: values worked by hand, limits, what is refused; test_strategies.py has their battery."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.errors import InputError
from calibcore.kernels import (
    METRICS,
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.kernels.bandwidths import distances, paired_distances
from tests.cases import each
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


# --- values ------------------------------------------------------------------


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
        # d²/ν² = ½: (1 + 1/8)^−2 = 64/81; √3·d/ν = √1.5; √5·d/ν = √2.5, of which the square over 3 is 5/6.
        (RationalQuadraticKernel(0.6), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], 64 / 81),
        (Matern32Kernel(0.6), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], (1 + sqrt(1.5)) * exp(-sqrt(1.5))),
        (Matern52Kernel(0.6), [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], (1 + sqrt(2.5) + 5 / 6) * exp(-sqrt(2.5))),
        (RationalQuadraticKernel(0.5, "total-variation"), [1, 0], [0, 1], 0.25),
    ],
)
def test_pairs_worked_by_hand(kernel, p, q, value) -> None:
    p, q = np.array([p], float), np.array([q], float)
    assert kernel.matrix(p, q).item() == pytest.approx(value, rel=1e-14)
    assert kernel.paired(p, q).item() == pytest.approx(value, rel=1e-14)


SMOOTH = [cls for cls in CLASSES if cls is not ExponentialKernel]


@pytest.mark.parametrize("m", [3, 4, 10])
@pytest.mark.parametrize("cls", SMOOTH)
def test_others_than_the_exponential_on_total_variation_are_refused_for_three_classes(cls, m: int) -> None:
    kernel = cls(1.0, "total-variation")
    points = simplex(5, m, 5)
    for use in (
        lambda: kernel.matrix(points, points),
        lambda: kernel.paired(points, points),
        lambda: kernel.matrix_array(m),
        lambda: kernel.factor(m),
        lambda: cls("median", "total-variation").resolved(points),
    ):
        with pytest.raises(InputError, match=f"{cls.kind} kernel on total variation is no kernel for {m} cl"):
            use()


@pytest.mark.parametrize(("cls", "m"), [(cls, 6 if cls is RationalQuadraticKernel else 3) for cls in SMOOTH])
def test_the_refusal_is_right(cls, m: int) -> None:
    """With total variation each has a negative eigenvalue on a grid of the simplex, for some m."""
    steps = 8 if m == 3 else 2
    points = np.array([c for c in product(range(steps + 1), repeat=m) if sum(c) == steps]) / steps
    lowest = []
    for v in (0.5, 1.0, 2.0):
        K = [[literal.kappa(cls.kind, "total-variation", v, p, q) for q in points] for p in points]
        lowest.append(np.linalg.eigvalsh(K)[0])
    assert min(lowest) < -1e-3


@pytest.mark.parametrize("metric", METRICS)
def test_two_classes_are_told_apart_by_the_first_component_alone(metric) -> None:
    """Rows that sum to 1 within 1e-5 only: a second component that is off changes no distance."""
    rng = np.random.default_rng(6)
    p, q = (np.column_stack([x, 1 - x + rng.uniform(-1e-5, 1e-5, 30)]) for x in rng.random((2, 30)))
    scale = sqrt(2) if metric == "euclidean" else 1
    expected = scale * np.abs(p[:, None, 0] - q[None, :, 0])
    assert_allclose(distances(p, q, metric), expected, rtol=1e-15)
    assert_allclose(paired_distances(p, q, metric), np.diag(expected), rtol=1e-15)
    exact = [np.column_stack([x[:, 0], 1 - x[:, 0]]) for x in (p, q)]
    for cls in CLASSES:
        kernel = cls("median", metric).resolved(p)[0]
        assert kernel == cls("median", metric).resolved(exact[0])[0]
        assert_array_equal(kernel.matrix(p, q), kernel.matrix(*exact))
        assert_array_equal(kernel.paired(p, q), kernel.paired(*exact))
    same = np.column_stack([np.full(30, 0.3), p[:, 1]])
    assert ExponentialKernel("median", metric).resolved(same)[1].pairs == "same"


@every_kernel
@each("bandwidth", [1e-320, 1e-200, 1e300])
def test_extreme_bandwidths_are_the_limits(cls, metric, m, bandwidth) -> None:
    points = np.eye(m)
    expected = np.eye(m) if bandwidth < 1 else np.ones((m, m))
    assert_array_equal(cls(bandwidth, metric).matrix(points, points), expected)


# --- what is refused --------------------------------------------------------


@each("cls", CLASSES)
@each("bandwidth", [0, 0.0, -1.0, float("nan"), float("inf"), "mode", "", "Median"])
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
