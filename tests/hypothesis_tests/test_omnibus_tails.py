"""The tails that the omnibus test compares, and what its redraws are."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.hypothesis_tests.omnibus import Beside, Moments, log_tails
from tests.hypothesis_tests.test_omnibus import made
from tests.oracles import literal_omnibus as literal
from tests.oracles import literal_omnibus_power as literal_power

# --- tails ----------------------------------------------------------------------------


def test_tails_agree_with_scipy_also_far_out() -> None:
    rng = np.random.default_rng(2)
    values = np.stack([rng.gamma(0.5, size=500), -rng.gamma(2, size=500), rng.normal(size=500)])
    values[0, 0] = 60.0
    assert_allclose(log_tails(values), literal.tails(values), rtol=1e-9, atol=1e-9)


def test_a_tail_below_the_smallest_number_is_finite_and_rises() -> None:
    moments = Moments(np.zeros(1), np.ones(1), np.full(1, 0.5), np.full(1, 999.0))
    z = np.array([[50.0, 200.0, 400.0, 1_000.0]])
    tails = log_tails(z, moments)[0]
    assert np.isfinite(tails).all()
    assert (np.diff(tails) > 0).all()
    # −log Q(a, x) ≈ x − (a − 1)·log x + log Γ(a) far out.
    a = 4 / 0.25
    x = a + 2 * z[0] / 0.5
    assert_allclose(tails, x - (a - 1) * np.log(x) + math.lgamma(a), rtol=0.02)


@pytest.mark.parametrize("mean", [0.0, 1e6])
def test_a_set_beside_the_others_is_measured_as_if_among_them(mean: float) -> None:
    rng = np.random.default_rng(3)
    null, other = rng.gamma(1.0, size=(5, 199)), rng.gamma(2.0, size=(5, 7))
    null[1] = 2.0  # constant, as far as the redraws go
    null[2, :3] = np.inf
    other[1, 0], other[2, 1], other[3, 2], other[3, 3] = 2.0, np.inf, 1e5, np.inf
    null, other = null + mean, other + mean
    ours = Moments.of(null).beside(other)
    for s in range(other.shape[1]):
        together = Moments.of(np.column_stack([other[:, s], null]))
        for one, literally in zip(ours, together, strict=False):
            assert_allclose(one[:, [s]], literally, rtol=1e-7, atol=1e-7)


@pytest.mark.some(6)
@pytest.mark.parametrize("seed", range(24))
def test_sets_beside_the_redraws_are_rejected_as_the_test_rejects_them(seed: int) -> None:
    """Few and many redraws, far out and not, ties, constant components and impossible outcomes."""
    rng = np.random.default_rng(seed)
    B, C = int(rng.choice([19, 39, 99, 199])), int(rng.integers(1, 10))
    level = float(rng.choice([0.0, 0.01, 0.05, 0.05 / 3, 0.2, 0.5]))
    shared, sets = rng.normal(size=B), 60
    redraws = rng.gamma(1.0, size=(C, B)) + rng.choice([0, 2]) * shared
    out = rng.gamma(1.0, size=(C, sets)) + rng.exponential(rng.choice([1, 10, 1_000]), size=sets)
    if seed % 3 == 0:
        redraws, out = redraws.round(), out.round()
    if seed % 4 == 1:
        redraws[0], out[0, ::2] = 3.0, 3.0
    if seed % 4 == 2:
        redraws[-1, :2], out[-1, ::3] = np.inf, np.inf
    share = literal_power.power(out, redraws, level)
    each = [literal_power.power(out[:, [s]], redraws, level) for s in range(sets)]
    found = Beside(redraws, level).rejected(out)
    assert_array_equal(found, np.array(each) > 0)
    assert found.mean() == pytest.approx(share)


def test_redraws_can_be_made_again_without_labels() -> None:
    p = made(700, 3, 1.3)
    test = ExactOmnibusTest(n_resamples=99)
    found = test(p, np.random.default_rng(4)).component_redraws
    assert found is not None
    other = Predictions.from_arrays(p.probs, np.zeros(p.n, int), p.class_names)
    assert_allclose(test.redraws(other, np.random.default_rng(4)), found, rtol=0, atol=0)
