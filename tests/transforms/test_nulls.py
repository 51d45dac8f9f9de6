"""Nulls r = ρ other than calibration (V19 §4.2)."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.resampling import draw_labels
from calibcore.transforms.lenses import PooledLens, TopKLens
from calibcore.transforms.nulls import NULLS, Identity, LabelNoise, Mixture, Temperature, check_null
from calibcore.transforms.redraws import redrawn_labels
from tests.made import redrawn_statistics
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
P = Predictions.from_arrays([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.4, 0.6]], [0, 0, 1], ("a", "b", "c"))
SKCE_UQ = SKCE(ExponentialKernel(0.5))


def test_temperature_by_hand() -> None:
    """Square roots and squares of 0.2, 0.3, 0.5, divided by their sums."""
    roots = np.sqrt([0.2, 0.3, 0.5])
    assert_allclose(Temperature(2.0).probs(P)[0], roots / roots.sum(), rtol=1e-14)
    assert_allclose(Temperature(0.5).probs(P)[0], np.array([4, 9, 25]) / 38, rtol=1e-14)
    assert_allclose(Temperature(3.0).probs(P)[1], [1, 0, 0], atol=0)
    assert Temperature(3.0).probs(P)[2, 0] == 0
    assert_allclose(Temperature(1.0).probs(P), P.probs, atol=1e-15)


@pytest.mark.parametrize("temperature", [1e-300, 1e-3, 1e3, 1e300])
def test_extreme_temperatures(temperature: float) -> None:
    """Towards 0 certainty of the largest, towards ∞ equal shares of the possible."""
    found = Temperature(temperature).probs(P)
    if temperature < 1:
        assert_allclose(found, [[0, 0, 1], [1, 0, 0], [0, 0, 1]], atol=1e-12)
    else:
        assert_allclose(found, [[1 / 3] * 3, [1, 0, 0], [0, 0.5, 0.5]], atol=1e-2)


def test_mixture_by_hand() -> None:
    assert_allclose(Mixture(0.5, "b").probs(P), [[0.1, 0.65, 0.25], [0.5, 0.5, 0], [0, 0.7, 0.3]], atol=1e-15)
    mean = np.array([1.2, 0.7, 1.1]) / 3
    assert_allclose(Mixture(0.25).probs(P), 0.75 * P.probs + 0.25 * mean, atol=1e-15)
    assert_allclose(Mixture(1).probs(P), np.tile(mean, (3, 1)), atol=1e-15)
    assert_array_equal(Mixture(0, "c").probs(P), P.probs)
    assert_array_equal(Identity().probs(P), P.probs)


@FEW
@given(predictions(), st.floats(0.05, 20), st.floats(0, 1))
def test_every_null_gives_probabilities_and_never_sees_labels(p, temperature, weight) -> None:
    other = Predictions.from_arrays(p.probs, (p.labels + 1) % p.m, p.class_names)
    for null in (Identity(), Temperature(temperature), Mixture(weight), Mixture(weight, p.class_names[-1])):
        rho = null.probs(p)
        assert rho.shape == p.probs.shape
        assert (rho >= 0).all()
        assert_allclose(rho.sum(axis=1), 1, atol=1e-9)
        assert_array_equal(null.probs(other), rho)
        if isinstance(null, Temperature):
            assert_array_equal(rho.argmax(axis=1), p.probs.argmax(axis=1))
            assert (rho[p.probs == 0] == 0).all()


def test_refusals() -> None:
    for temperature in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="expected a number above 0"):
            Temperature(temperature)
    for weight in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="expected a number from 0 to 1"):
            Mixture(weight)
        with pytest.raises(InputError, match=r"share of wrong labels is .*expected a number from 0 to 1"):
            LabelNoise(weight)
    with pytest.raises(InputError, match="no class 'd'; the classes are 'a', 'b', 'c'"):
        Mixture(0.5, "d").probs(P)
    named = Predictions.from_arrays([[0.5, 0.5]], [0], ("mean", "median"))
    with pytest.raises(InputError, match="A class is called 'mean'"):
        Mixture(0.5).probs(named)
    assert Mixture(0.5, "median").probs(named).tolist() == [[0.25, 0.75]]
    for null in (np.sqrt, P.probs, "temperature"):
        with pytest.raises(InputError, match=f"expected one of {', '.join(NULLS)}"):
            ExactTest(ECE(), 9, null=null)
        with pytest.raises(InputError):
            check_null(null)


def test_every_null_can_be_written_down_and_read_again() -> None:
    for null in (Identity(), Temperature(1.5), Mixture(0.2, "b"), LabelNoise(0.03)):
        document = json.loads(json.dumps({"kind": null.kind} | asdict(null)))
        assert NULLS[document.pop("kind")](**document) == null


# --- redraws ----------------------------------------------------------------


def test_labels_are_drawn_from_the_null_and_predictions_stay() -> None:
    rng = RNG(3)
    null = Mixture(0.3, "c")
    labels = np.concatenate(list(redrawn_labels(P, 20_000, rng, null)))
    seen = np.stack([(labels == k).mean(axis=0) for k in range(3)], axis=1)
    assert_allclose(seen, null.probs(P), atol=4.5 * np.sqrt(0.25 / 20_000))
    as_if = Predictions.from_arrays(null.probs(P), P.labels)
    assert_array_equal(
        np.concatenate(list(redrawn_labels(as_if, 50, RNG(1)))),
        np.concatenate(list(redrawn_labels(P, 50, RNG(1), null))),
    )


def test_the_statistic_is_the_deviation_from_the_predictions_as_they_are() -> None:
    p = w19_model("M1", 40, 3, RNG(0))
    null = Temperature(2.0)
    result = ExactTest(SKCE_UQ, 30, null=null)(p, RNG(1))
    labels = np.concatenate(list(redrawn_labels(p, 30, RNG(1), null))).astype(np.int64)
    expected = [SKCE_UQ(Predictions.from_arrays(p.probs, y)) for y in labels]
    assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-14)
    assert result.statistic == pytest.approx(SKCE_UQ(p), abs=1e-14)
    assert result.details == {"null": "temperature", "temperature": 2.0}
    _, shared = redrawn_statistics([SKCE_UQ, ECE()], p, 30, RNG(1), null=null)
    assert_allclose(shared[0], expected, rtol=0, atol=1e-14)
    assert not ExactTest(SKCE_UQ, 30)(p, RNG(1)).details


def test_through_the_pooled_lens_the_null_is_about_the_cases() -> None:
    null = Mixture(0.4, "b")
    drawn = np.concatenate(list(redrawn_labels(PooledLens()(P), 40, RNG(2), null)))
    cases = np.concatenate(list(redrawn_labels(P, 40, RNG(2), null)))
    assert_array_equal(drawn.reshape(40, 3, 3) == 0, np.eye(3)[cases] == 1)


TRUTHS = [Temperature(2.0), Mixture(0.5, "1"), Mixture(0.6)]


@pytest.mark.slow
@pytest.mark.parametrize("null", TRUTHS, ids=repr)
@pytest.mark.parametrize("estimator", [ECE(UniformBinning(5)), SKCE_UQ], ids=["ece", "skce"])
@pytest.mark.parametrize("stop_at", [None, 10])
def test_the_level_holds_when_the_null_is_true(null, estimator, stop_at) -> None:
    """300 data sets whose labels come from ρ(g); 3.5 standard deviations."""
    rng = RNG(7)
    pvalues = []
    for _ in range(300):
        p = w19_model("M1", 50, 3, rng)
        p = Predictions.from_arrays(p.probs, draw_labels(null.probs(p), rng), p.class_names)
        pvalues.append(ExactTest(estimator, 99, stop_at, null)(p, rng).pvalue)
    for alpha in (0.05, 0.2, 0.5):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / 300)
        assert abs(np.mean(np.array(pvalues) <= alpha) - alpha) <= tolerance + (0.02 if stop_at else 0)


def test_m2_is_the_half_mixture_towards_the_first_class() -> None:
    """W19 §7: rejected as calibrated, not rejected as what it is, nor as something still further away."""
    p = w19_model("M2", 250, 10, RNG(1))
    assert ExactTest(SKCE_UQ, 199)(p, RNG(0)).pvalue == 1 / 200
    assert ExactTest(SKCE_UQ, 199, null=Mixture(0.5, "1"))(p, RNG(0)).pvalue > 0.05
    assert ExactTest(SKCE_UQ, 199, null=Mixture(0.1, "1"))(p, RNG(0)).pvalue == 1 / 200
    assert ExactTest(SKCE_UQ, 199, null=Mixture(0.9, "1"))(p, RNG(0)).pvalue > 0.95


def test_through_other_lenses_the_null_is_about_what_the_lens_shows() -> None:
    p = w19_model("M2", 100, 4, RNG(1))
    confidence = TopKLens(1)(p)
    assert 0 < ExactTest(SKCE_UQ, 19, null=Mixture(0.5, "miss"))(confidence, RNG(0)).pvalue <= 1
