"""The matrix part M of a kernel ``k = κ·M``."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.errors import InputError
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from tests.cases import each

CLASSES = (ExponentialKernel, GaussianKernel, RationalQuadraticKernel, Matern32Kernel, Matern52Kernel)
TRIANGLE = ((2.0, 1.0, 0.0), (1.0, 2.0, 1.0), (0.0, 1.0, 2.0))
"""Eigenvalues 2 − √2, 2, 2 + √2."""
ORDERED = ((0.0, 0.0, 0.0), (0.0, 1.0, 2.0), (0.0, 2.0, 4.0))
"""Of rank 1: (0, 1, 2)ᵀ(0, 1, 2), the scores of ordered classes."""
GIVEN = [None, (1.0, 2.0, 0.5), (3.0, 0.0, 0.0), TRIANGLE, ORDERED]
every_matrix = pytest.mark.parametrize("given", GIVEN, ids=["identity", "weights", "one", "full", "rank-1"])
every_kernel = pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.kind)


def whole(given) -> np.ndarray:
    if given is None:
        return np.eye(3)
    return np.array(given) if isinstance(given[0], tuple) else np.diag(given)


@every_kernel
@every_matrix
def test_the_matrix_its_factor_and_its_norm(cls, given) -> None:
    kernel, M = cls(0.5, class_matrix=given), whole(given)
    array, factor = kernel.matrix_array(3), kernel.factor(3)
    if given is None:
        assert array is None
        assert factor is None
    else:
        assert_array_equal(array, M)
        assert factor.shape == (3, np.linalg.matrix_rank(M))
        assert_allclose(factor @ factor.T, M, rtol=0, atol=1e-14)
    assert kernel.upper_bound == pytest.approx(np.linalg.norm(M, 2), rel=1e-14)
    assert cls("median", class_matrix=given).resolved(np.eye(3))[0].class_matrix == kernel.class_matrix


@every_matrix
def test_the_upper_bound_is_the_largest_quadratic_form_and_is_reached(given) -> None:
    """``vᵀ k(p, q) w`` of unit vectors, at p = q and the leading eigenvector."""
    kernel, M = GaussianKernel(0.5, class_matrix=given), whole(given)
    leading = np.linalg.eigh(M)[1][:, -1]
    p = np.array([[0.2, 0.3, 0.5]])
    assert kernel.matrix(p, p).item() * leading @ M @ leading == pytest.approx(kernel.upper_bound, rel=1e-14)
    rng = np.random.default_rng(1)
    points = rng.dirichlet(np.ones(3), 200)
    v, w = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in rng.standard_normal((2, 200, 3)))
    forms = kernel.matrix(points, points) * (v @ M @ w.T)
    assert np.abs(forms).max() <= kernel.upper_bound


@every_kernel
@every_matrix
def test_the_whole_kernel_is_positive_semidefinite(cls, given) -> None:
    points = np.vstack([np.eye(3), np.random.default_rng(2).dirichlet(np.full(3, 0.3), 20)])
    K = np.kron(cls(0.4, class_matrix=given).matrix(points, points), whole(given))
    assert np.linalg.eigvalsh(K).min() > -1e-10


@every_kernel
def test_the_matrix_part_leaves_kappa_alone(cls) -> None:
    p, q = np.random.default_rng(3).dirichlet(np.ones(3), (2, 9))
    plain, weighted = cls(0.4), cls(0.4, class_matrix=TRIANGLE)
    assert_array_equal(plain.matrix(p, q), weighted.matrix(p, q))
    assert_array_equal(plain.paired(p, q), weighted.paired(p, q))


def test_lists_and_arrays_are_kept_as_tuples_and_rounding_is_forgiven() -> None:
    assert ExponentialKernel(class_matrix=[1, 2]).class_matrix == (1.0, 2.0)
    assert ExponentialKernel(class_matrix=[list(row) for row in TRIANGLE]).class_matrix == TRIANGLE
    assert ExponentialKernel(class_matrix=np.array(TRIANGLE)) == ExponentialKernel(class_matrix=TRIANGLE)
    assert hash(ExponentialKernel(class_matrix=[1, 2])) == hash(ExponentialKernel(class_matrix=(1, 2)))
    nearly = np.array(ORDERED)
    nearly[1, 2] += 1e-15
    nearly[0, 0] -= 1e-15
    kernel = ExponentialKernel(class_matrix=nearly)
    assert_array_equal(kernel.matrix_array(3), kernel.matrix_array(3).T)
    assert kernel.factor(3).shape == (3, 1)


@pytest.mark.parametrize("m", [2, 5, 9])
def test_the_factor_of_scores_is_one_column_whatever_rounding_leaves(m: int) -> None:
    rng = np.random.default_rng(m)
    for v in rng.standard_normal((20, m)):
        factor = ExponentialKernel(class_matrix=np.outer(v, v)).factor(m)
        assert factor.shape == (m, 1)
        assert_allclose(np.abs(factor[:, 0]), np.abs(v), rtol=0, atol=1e-13)


@each(
    ("given", "sentence"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], "not symmetric: row 1, column 2 is 0.5, and the other way round 0.4"),
        ([[1.0, 2.0], [2.0, 1.0]], "not positive semi-definite: its smallest eigenvalue is -1"),
        ([[1.0, 0.0], [0.0, -1e-9]], "not positive semi-definite"),
        ([1.0, -0.5], "A class weight is -0.5; expected numbers from 0 up"),
        ([1.0, float("nan")], "holds nan; expected finite"),
        ([[1.0, 0.0], [0.0, float("inf")]], "holds inf; expected finite"),
        ([0.0, 0.0], "zero throughout"),
        ([[0.0, 0.0], [0.0, 0.0]], "zero throughout"),
        ([[1.0, 0.0]], "expected one weight a class, or a square matrix"),
        ([[1.0, 0.0], [1.0]], "expected one weight a class, or a square matrix"),
        ([[[1.0]]], "expected one weight a class, or a square matrix"),
        ([], "expected one weight a class, or a square matrix"),
        (2.0, "expected one weight a class, or a square matrix"),
        ("12", "expected one weight a class, or a square matrix"),
        ({"a": 1}, "expected one weight a class, or a square matrix"),
    ],
)
@each("cls", [ExponentialKernel, Matern52Kernel])
def test_what_is_no_class_matrix_is_refused(cls, given, sentence) -> None:
    with pytest.raises(InputError, match=sentence):
        cls(class_matrix=given)


@pytest.mark.parametrize("given", [(1.0, 1.0), ((1.0, 0.0), (0.0, 1.0))])
def test_a_class_matrix_of_another_size_is_refused(given) -> None:
    kernel = ExponentialKernel(0.4, class_matrix=given)
    points = np.eye(3)
    for use in (
        lambda: kernel.check(3),
        lambda: kernel.matrix(points, points),
        lambda: kernel.paired(points, points),
        lambda: kernel.matrix_array(3),
        lambda: kernel.factor(3),
        lambda: kernel.resolved(points),
    ):
        with pytest.raises(InputError, match="is for 2 classes; the predictions have 3"):
            use()
    kernel.check(2)
