"""MMCE against Kumar's formula, and as half the SKCE of the confidence."""

from math import exp, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.mmce import MMCE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.transforms.lenses import TopKLens
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles import literal_embeddings as literal


def problem(n: int, m: int, seed: int) -> Predictions:
    """Tenths, so that ties among the largest are common."""
    rng = np.random.default_rng(seed)
    return Predictions.from_arrays(
        rng.multinomial(10, np.full(m, 1 / m), size=n) / 10, rng.integers(m, size=n)
    )


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 2), (30, 2), (30, 3), (25, 10)])
@pytest.mark.parametrize("width", [0.4, 0.05])
def test_against_the_literal_formula(n, m, width) -> None:
    p = problem(n, m, n + m)
    expected = literal.mmce(width, p.probs.tolist(), p.labels.tolist())
    assert MMCE(ExponentialKernel(width, "total-variation"))(p) == pytest.approx(expected, rel=1e-12)
    if width == 0.4:
        assert MMCE()(p) == pytest.approx(expected, rel=1e-12)


def test_by_hand() -> None:
    """A hit at 0.9, a miss at 0.7: ½√(0.1² + 0.7² − 2·0.1·0.7·e^{−0.2/0.4})."""
    p = Predictions.from_arrays([[0.9, 0.05, 0.05], [0.1, 0.7, 0.2]], [0, 2])
    assert MMCE()(p) == pytest.approx(sqrt(0.01 + 0.49 - 0.14 * exp(-0.5)) / 2, rel=1e-13)


@pytest.mark.parametrize("kernel", [ExponentialKernel("median"), GaussianKernel(0.2, "total-variation")])
@pytest.mark.parametrize("m", [2, 4])
def test_it_is_half_the_biased_skce_of_the_confidence(kernel, m) -> None:
    p = problem(40, m, 1)
    assert MMCE(kernel)(p) == pytest.approx(sqrt(SKCE(kernel, "biased")(TopKLens(1)(p)) / 2), rel=1e-14)


@pytest.mark.parametrize("m", [2, 4, 200])
def test_redrawn_equals_single_calls(m) -> None:
    p = problem(35, m, 2)
    labels = next(redrawn_labels(p, 20, np.random.default_rng(3)))
    singles = [MMCE()(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    assert_allclose(MMCE().redrawn(p, labels), singles, rtol=0, atol=1e-13)


def test_certain_and_right_is_exactly_zero_and_certain_and_wrong_one() -> None:
    right = Predictions.from_arrays(np.eye(3)[[0, 1, 2, 0]], [0, 1, 2, 0])
    assert MMCE()(right) == 0
    assert MMCE()(Predictions.from_arrays(right.probs, [1, 2, 0, 1])) == pytest.approx(1, rel=1e-15)
    assert ExactTest(MMCE(), 99)(right, np.random.default_rng(0)).pvalue == 1


def test_a_class_matrix_is_refused() -> None:
    with pytest.raises(InputError, match="MMCE is defined without a class matrix"):
        MMCE(ExponentialKernel(0.4, class_matrix=(1.0, 1.0)))
