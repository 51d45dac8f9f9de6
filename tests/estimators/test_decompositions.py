"""Binned decompositions: the loops, closed forms, and that they add up."""

from math import log

import numpy as np
import pytest
from hypothesis import given

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.decompositions import binned_brier, binned_log_loss
from calibcore.estimators.ece import ECE
from calibcore.estimators.scores import brier, log_loss
from tests.oracles import literal_binary as literal
from tests.strategies import FEW, predictions

BINNINGS = [UniformBinning(1), UniformBinning(3), UniformBinning(10), MedianVarianceBinning(2)]
every_binning = pytest.mark.parametrize("binning", BINNINGS, ids=str)


@every_binning
@given(p=predictions(classes=(2, 6)))
@FEW
def test_both_add_up_to_the_score(binning, p: Predictions) -> None:
    b = binned_brier(p, binning)
    assert b.score == brier(p)
    total = b.reliability - b.resolution + b.uncertainty + b.within_bin_variance - b.within_bin_covariance
    assert total == pytest.approx(b.score, abs=1e-13)
    s = binned_log_loss(p, binning)
    assert s.score == log_loss(p)
    assert s.reliability - s.resolution + s.uncertainty + s.within_bins == pytest.approx(s.score, abs=1e-10)
    assert min(b.reliability, b.resolution, b.uncertainty, b.within_bin_variance) >= 0
    assert min(s.resolution, s.uncertainty) >= -1e-13
    assert s.reliability >= -1e-5  # rows may miss the sum 1


@every_binning
@given(p=predictions(classes=(2, 5)))
@FEW
def test_brier_terms_against_the_loops(binning, p: Predictions) -> None:
    expected = literal.binned_brier(binning.assign(p.probs).tolist(), p.probs.tolist(), p.labels.tolist())
    b = binned_brier(p, binning)
    found = b.reliability, b.resolution, b.uncertainty, b.within_bin_variance, b.within_bin_covariance
    assert found == pytest.approx(expected, abs=1e-13)
    assert b.reliability == pytest.approx(ECE(binning, "squared-euclidean")(p), abs=1e-14)


def test_one_bin_by_hand() -> None:
    """0.2 and 0.6 of the first class, the second hits: ḡ = 0.4, r̂ = ½ = ȳ."""
    p = Predictions.from_arrays([[0.2, 0.8], [0.6, 0.4]], [1, 0])
    b = binned_brier(p, UniformBinning(1))
    assert b.reliability == pytest.approx(2 * 0.01, rel=1e-13)
    assert b.resolution == 0
    assert b.uncertainty == pytest.approx(0.5, rel=1e-15)
    assert b.within_bin_variance == pytest.approx(2 * 0.04, rel=1e-13)
    assert b.within_bin_covariance == pytest.approx(2 * 2 * 0.1, rel=1e-13)
    s = binned_log_loss(p, UniformBinning(1))
    assert s.uncertainty == pytest.approx(log(2), rel=1e-14)
    assert s.reliability == pytest.approx(0.5 * log(0.5 / 0.4) + 0.5 * log(0.5 / 0.6), rel=1e-13)
    assert s.within_bins == pytest.approx(0.5 * log(0.4 / 0.6) + 0.5 * log(0.6 / 0.8), rel=1e-13)


def test_equal_predictions_in_a_bin_leave_nothing_within() -> None:
    rng = np.random.default_rng(0)
    g = np.repeat([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.0, 0.0, 1.0]], 20, axis=0)
    p = Predictions.from_arrays(g, np.concatenate([rng.integers(3, size=40), np.full(20, 2)]))
    b, s = binned_brier(p, UniformBinning(10)), binned_log_loss(p, UniformBinning(10))
    assert (b.within_bin_variance, b.within_bin_covariance) == pytest.approx((0, 0), abs=1e-15)
    assert s.within_bins == pytest.approx(0, abs=1e-13)


def test_an_outcome_that_no_case_of_the_bin_thought_possible() -> None:
    """It costs 744.4 nats in the score and in the reliability; nothing is left for within."""
    p = Predictions.from_arrays([[1.0, 0.0], [1.0, 0.0]], [0, 1])
    s = binned_log_loss(p, UniformBinning(10))
    assert s.score == pytest.approx(1074 * log(2) / 2, rel=1e-13)
    assert s.reliability == pytest.approx(s.score - log(2), rel=1e-13)
    assert s.within_bins == pytest.approx(0, abs=1e-10)


def test_reliability_less_its_bias_is_the_bias_reduced_error() -> None:
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(3), size=500), rng.integers(3, size=500))
    assert binned_brier(p, UniformBinning(3)).reliability > BiasReducedECE(UniformBinning(3))(p)
