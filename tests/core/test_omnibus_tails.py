"""The tails that the omnibus test compares, and what its redraws are."""

import math

import numpy as np
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.hypothesis_tests.omnibus import Moments, log_tails, log_tails_beside
from tests.core.test_omnibus import made
from tests.oracles import literal_omnibus as literal

# --- tails ----------------------------------------------------------------------------


def test_tails_agree_with_scipy_also_far_out() -> None:
    rng = np.random.default_rng(2)
    values = np.stack([rng.gamma(0.5, size=500), -rng.gamma(2, size=500), rng.normal(size=500)])
    values[0, 0] = 60.0
    assert_allclose(log_tails(values), literal.tails(values), rtol=1e-9, atol=1e-9)


def test_a_tail_below_the_smallest_number_is_finite_and_rises() -> None:
    moments = Moments(np.zeros(1), np.ones(1), np.full(1, 0.5), 999)
    z = np.array([[50.0, 200.0, 400.0, 1_000.0]])
    tails = log_tails(z, moments)[0]
    assert np.isfinite(tails).all()
    assert (np.diff(tails) > 0).all()
    # −log Q(a, x) ≈ x − (a − 1)·log x + log Γ(a) far out.
    a = 4 / 0.25
    x = a + 2 * z[0] / 0.5
    assert_allclose(tails, x - (a - 1) * np.log(x) + math.lgamma(a), rtol=0.02)


def test_a_set_beside_the_others_is_measured_as_if_among_them() -> None:
    rng = np.random.default_rng(3)
    null, other = rng.gamma(1.0, size=(2, 199)), rng.gamma(2.0, size=(2, 5))
    beside = log_tails_beside(other, Moments.of(null))
    for s in range(other.shape[1]):
        together = log_tails(np.column_stack([other[:, s], null]))
        assert_allclose(beside[:, s], together[:, 0], rtol=1e-9)


def test_redraws_can_be_made_again_without_labels() -> None:
    p = made(700, 3, 1.3)
    test = ExactOmnibusTest(n_resamples=99)
    found = test(p, np.random.default_rng(4)).component_redraws
    assert found is not None
    other = Predictions.from_arrays(p.probs, np.zeros(p.n, int), p.class_names)
    assert_allclose(test.redraws(other, np.random.default_rng(4)), found, rtol=0, atol=0)
