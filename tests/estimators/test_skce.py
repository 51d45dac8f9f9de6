"""The squared kernel calibration error against its literal double sum, and what must not change it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import ESTIMATORS, SKCE, block_terms, quadratic_estimates
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.made import almost_normalised, problem
from tests.oracles import literal_skce as literal

KERNELS = [
    ExponentialKernel(0.4),
    ExponentialKernel(0.4, "total-variation"),
    GaussianKernel(0.3),
    RationalQuadraticKernel(0.3),
    Matern32Kernel(0.5),
    Matern52Kernel(0.5),
]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.kind}-{k.metric}")
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS)


def by_the_loop(estimator: str, kernel, p: Predictions, size: int = 2) -> float:
    described = (kernel.kind, kernel.metric, kernel.bandwidth)
    M = kernel.matrix_array(p.m)
    rows = None if M is None else M.tolist()
    return literal.skce(estimator, described, p.probs.tolist(), p.labels.tolist(), rows, size)


def matrices(m: int) -> list:
    """A diagonal with a zero, a whole matrix, and one of rank 1 with negative entries."""
    A = np.random.default_rng(m).standard_normal((m, m))
    v = np.linspace(-1, 2, m)
    return [tuple(np.linspace(0, 2, m)), A @ A.T, np.outer(v, v)]


# --- the definition ---------------------------------------------------------


@pytest.mark.some(10)
@every_kernel
@every_estimator
@each(("n", "m"), [(2, 2), (3, 2), (3, 3), (17, 2), (17, 5), (40, 10)])
def test_estimates_against_the_literal_double_loop(kernel, estimator, n, m) -> None:
    p = problem(n, m, seed=n + m)
    expected = by_the_loop(estimator, kernel, p)
    assert SKCE(kernel, estimator)(p) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@every_kernel
@every_estimator
@each("m", [2, 4])
def test_a_class_matrix_against_the_literal_double_loop(kernel, estimator, m) -> None:
    p = problem(21, m, seed=m)
    labels = np.random.default_rng(1).integers(m, size=(5, 21))
    for M in matrices(m):
        e = SKCE(replace(kernel, class_matrix=M), estimator, 3)
        expected = by_the_loop(estimator, e.kernel, p, 3)
        assert e(p) == pytest.approx(expected, rel=1e-12, abs=1e-14)
        singles = [e(p.through(p.probs, y, p.class_names)) for y in labels]
        assert_allclose(e.redrawn(p, labels), singles, rtol=1e-12, atol=1e-13)


@pytest.mark.some(2)
@every_kernel
@each(("n", "size"), [(2, 2), (17, 2), (17, 3), (17, 8), (17, 9), (17, 17)])
def test_blocks_against_the_literal_double_loop(kernel, n, size) -> None:
    p, e = problem(n, 3, seed=n + size), SKCE(kernel, "block", size)
    assert e(p) == pytest.approx(by_the_loop("block", kernel, p, size), rel=1e-12)
    labels = np.random.default_rng(2).integers(3, size=(70, n))
    singles = [e(p.through(p.probs, y, p.class_names)) for y in labels]
    assert_allclose(e.redrawn(p, labels), singles, rtol=0, atol=1e-14)
    terms = block_terms(p, kernel, size)
    alone = [SKCE(kernel)(p.with_rows(np.arange(a, a + size))) for a in range(0, n - size + 1, size)]
    assert_allclose(terms, alone, rtol=1e-12, atol=1e-15)


def test_special_blocks() -> None:
    p = problem(18, 3, 4)
    assert SKCE(KERNELS[0], "block", 2)(p) == SKCE(KERNELS[0], "linear")(p)
    assert SKCE(KERNELS[0], "block", 18)(p) == pytest.approx(SKCE(KERNELS[0])(p), rel=1e-13)
    with pytest.raises(InputError, match="block size is 1; expected 2 or more"):
        SKCE(KERNELS[0], "block", 1)
    for call in (SKCE(KERNELS[0], "block", 19), SKCE(KERNELS[0], "block", 19).prepared):
        with pytest.raises(InputError, match=r"There are 18 cases.* at least 19"):
            call(p)


def test_an_unknown_precision() -> None:
    with pytest.raises(InputError, match="float64, float32"):
        SKCE(precision="float16")


def test_gaussian_on_total_variation_for_two_classes() -> None:
    kernel, p = GaussianKernel(0.3, "total-variation"), problem(25, 2, 3)
    for estimator in ESTIMATORS:
        assert SKCE(kernel, estimator)(p) == pytest.approx(by_the_loop(estimator, kernel, p), rel=1e-12)


@given(
    st.integers(2, 14), st.integers(2, 4), st.integers(0, 2**32 - 1), st.sampled_from(ESTIMATORS),
    st.sampled_from(KERNELS),
)  # fmt: skip
@settings(max_examples=50)
def test_estimates_on_grids_with_repeated_rows_and_corners(n, m, seed, estimator, kernel) -> None:
    rng = np.random.default_rng(seed)
    probs = rng.multinomial(3, np.full(m, 1 / m), size=n) / 3
    p = Predictions.from_arrays(probs, rng.integers(m, size=n))
    assert SKCE(kernel, estimator)(p) == pytest.approx(by_the_loop(estimator, kernel, p), abs=1e-13)
    assert SKCE(kernel, "biased")(p) >= -1e-15


@every_kernel
def test_the_two_quadratic_estimates_of_one_pass(kernel) -> None:
    p = problem(33, 4, 5)
    found = quadratic_estimates(p, kernel)
    assert found == {e: pytest.approx(by_the_loop(e, kernel, p), rel=1e-12) for e in ("biased", "unbiased")}


@pytest.mark.parametrize("n", [4, 5])
def test_linear_terms_leave_out_an_odd_last_case(n: int) -> None:
    p, kernel = problem(n, 3, 6), KERNELS[0]
    expected = [
        literal.h(("exponential", "euclidean", 0.4), p.probs[i], p.labels[i], p.probs[i + 1], p.labels[i + 1])
        for i in (0, 2)
    ]
    assert_allclose(block_terms(p, kernel, 2), expected, rtol=1e-13)


def test_a_rule_means_the_bandwidth_it_finds() -> None:
    p = problem(30, 3, 7)
    for rule, estimator in product(("median", "median-with-diagonal", "mean"), ESTIMATORS):
        number = literal.bandwidth(rule, "total-variation", p.probs.tolist())
        by_rule = SKCE(ExponentialKernel(rule, "total-variation"), estimator)
        by_number = SKCE(ExponentialKernel(number, "total-variation"), estimator)
        assert by_rule(p) == pytest.approx(by_number(p), rel=1e-12)
        assert by_rule.resolved(p).kernel.bandwidth == pytest.approx(number, rel=1e-13)


@pytest.mark.parametrize(
    ("estimator", "least"), [("biased", 1), ("unbiased", 2), ("linear", 2), ("block", 2)]
)
def test_too_few_cases(estimator: str, least: int) -> None:
    one = Predictions.from_arrays([[0.3, 0.7]], [1])
    e = SKCE(ExponentialKernel(1.0), estimator)
    if least == 1:
        assert e(one) == pytest.approx(2 * 0.3**2, rel=1e-14)
        assert_allclose(e.redrawn(one, np.array([[1], [0]])), [2 * 0.3**2, 2 * 0.7**2], rtol=1e-14)
        return
    with pytest.raises(InputError, match="needs at least 2"):
        e(one)
    with pytest.raises(InputError, match="needs at least 2"):
        e.redrawn(one, one.labels[None])


def test_an_unknown_estimator_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match="biased, unbiased, linear, block"):
        SKCE(estimator="quadratic")


# --- redrawn labels ---------------------------------------------------------


@pytest.mark.some(8)
@every_kernel
@every_estimator
@each("make", [problem, almost_normalised])
@each(("n", "m"), [(2, 3), (41, 2), (41, 6)])
def test_redrawn_equals_single_calls(kernel, estimator, make, n, m) -> None:
    p = make(n, m, 8)
    labels = np.concatenate(list(redrawn_labels(p, 19, np.random.default_rng(1))))
    e = SKCE(kernel, estimator)
    singles = [e(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    assert_allclose(e.redrawn(p, labels), singles, rtol=0, atol=1e-13)
    assert_allclose(e.redrawn(p, labels.astype(np.int64)), singles, rtol=0, atol=1e-13)


@every_estimator
@pytest.mark.parametrize("m", [127, 128, 129, 200])
def test_more_classes_than_a_byte_counts(estimator, m) -> None:
    p = problem(30, m, m)
    labels = next(redrawn_labels(p, 7, np.random.default_rng(2)))
    assert labels.dtype == (np.int8 if m <= 127 else np.int16)
    e = SKCE(ExponentialKernel(), estimator)
    singles = [e(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    assert_allclose(e.redrawn(p, labels), singles, rtol=0, atol=1e-13)


# --- what must not change it ------------------------------------------------


@every_kernel
def test_the_order_of_rows_and_classes_does_not_matter(kernel) -> None:
    p = problem(60, 4, 13)
    rng = np.random.default_rng(8)
    rows, classes = rng.permutation(60), rng.permutation(4)
    swapped = Predictions.from_arrays(p.probs[:, classes], np.argsort(classes)[p.labels])
    for estimator in ESTIMATORS:
        e = SKCE(kernel, estimator)
        assert e(swapped) == pytest.approx(e(p), abs=1e-14)
        if estimator not in ("linear", "block"):
            assert e(p.with_rows(rows)) == pytest.approx(e(p), abs=1e-14)
    linear = SKCE(kernel, "linear")
    assert linear(p.with_rows(rows)) != pytest.approx(linear(p), abs=1e-6)


@every_kernel
def test_every_case_twice(kernel) -> None:
    """The biased estimate stays; the linear one becomes the mean of ``‖r_i‖²``."""
    p = problem(30, 3, 14)
    twice = p.with_rows(np.repeat(np.arange(30), 2))
    assert SKCE(kernel, "biased")(twice) == pytest.approx(SKCE(kernel, "biased")(p), rel=1e-12)
    squares = np.square(p.onehot() - p.probs).sum(axis=1)
    assert SKCE(kernel, "linear")(twice) == pytest.approx(squares.mean(), rel=1e-13)
