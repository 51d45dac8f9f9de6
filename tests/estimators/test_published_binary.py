"""Other people's test cases: scikit-learn, torchmetrics, verified calibration, R, MAPIE, calzone."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.curves import reliability_curve
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.corp import CORPDecomposition, corp_decomposition
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.ici import ICI
from calibcore.estimators.recalibration import calibration_in_the_large, cox_intercept_slope
from calibcore.estimators.scores import brier
from calibcore.estimators.smooth_ece import SmoothECE
from calibcore.hypothesis_tests import SpiegelhalterTest
from calibcore.transforms.lenses import TopKLens
from tests.oracles import published_binary as published


def binary(p, y) -> Predictions:
    """``p`` of the class that is first here, ``y`` 1 where it happened."""
    p = np.asarray(p, float)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), 1 - np.asarray(y))


CASES = binary(published.P400, published.Y400)
TENTHS = binary(np.round(published.P400, 1), published.Y400)


def parts(found: CORPDecomposition) -> list[float]:
    return [found.score, found.miscalibration, found.discrimination, found.uncertainty]


def test_corp_against_reliabilitydiag() -> None:
    p = binary(published.RELIABILITYDIAG_Z, published.RELIABILITYDIAG_Y)
    of_both_classes = 2 * np.array(published.RELIABILITYDIAG_BRIER)
    assert parts(corp_decomposition(p)) == pytest.approx(of_both_classes, abs=1.5e-7)
    found = parts(corp_decomposition(p, "log-loss"))
    assert found == pytest.approx(published.RELIABILITYDIAG_LOG_LOSS, abs=1e-7)


def test_isotonic_regression_against_busing() -> None:
    assert isotonic_regression(published.BUSING_Y).x.tolist() == published.BUSING_FIT
    # The same counts out of 8, as cases: eight at each of seven predictions.
    x = np.repeat(np.arange(1, 8) / 10, 8)
    y = np.concatenate([np.arange(8) < hits for hits in published.BUSING_Y])
    curve = reliability_curve(binary(x, y), "isotonic", n_resamples=1)
    assert curve.observed * 8 == pytest.approx(published.BUSING_FIT, rel=1e-14)


def test_corp_against_model_diagnostics() -> None:
    for p, expected in ((CASES, published.DECOMPOSE_BRIER), (TENTHS, published.DECOMPOSE_BRIER_TENTHS)):
        assert parts(corp_decomposition(p)) == pytest.approx(2 * np.array(expected), rel=1e-12)
    found = parts(corp_decomposition(CASES, "log-loss"))
    assert found == pytest.approx(published.DECOMPOSE_LOG_LOSS, rel=1e-12)


def test_verified_calibration_of_two_values() -> None:
    p = binary(published.KUMAR_PROBS, published.KUMAR_LABELS)
    assert ECE(UniformBinning(10))(p) == pytest.approx(published.KUMAR_CE, rel=1e-14)
    squared = ECE(UniformBinning(10), "squared-euclidean")(p)
    assert squared == pytest.approx(2 * published.KUMAR_SQUARED_CE, rel=1e-14)
    assert BiasReducedECE()(p) < squared


def test_verified_calibration_debiased() -> None:
    utils = pytest.importorskip("calibration.utils")
    for p in (binary(published.KUMAR_PROBS, published.KUMAR_LABELS), CASES, TENTHS):
        x, y = p.probs[:, 0], 1 - p.labels
        edges = [(k + 1) / 10 for k in range(10)]
        data = utils.bin(list(zip(np.maximum(x - 1e-9, 0), y, strict=True)), edges)  # right-closed as here
        found = BiasReducedECE(UniformBinning(10))(p)
        assert found == pytest.approx(2 * utils.unbiased_square_ce(data), abs=1e-7)


def test_verified_calibration_of_three_classes() -> None:
    p = Predictions.from_arrays(published.KUMAR_THREE_PROBS, published.KUMAR_THREE_LABELS)
    assert ClasswiseECE(UniformBinning(20))(p) == pytest.approx(published.KUMAR_CLASSWISE, rel=1e-13)
    # Every value of the confidence belongs to one predicted class here, so both notions agree.
    assert TopLabelECE(UniformBinning(20))(p) == pytest.approx(published.KUMAR_TOP, rel=1e-13)
    assert ECE(UniformBinning(20))(TopKLens(1)(p)) == pytest.approx(published.KUMAR_TOP, rel=1e-13)


def test_spiegelhalter_against_mapie_and_calzone() -> None:
    z = SpiegelhalterTest()(binary(published.MAPIE_P, published.MAPIE_Y)).statistic
    assert z == pytest.approx(published.MAPIE_Z, abs=5e-4)
    found = SpiegelhalterTest()(CASES)
    assert (found.statistic, found.pvalue) == pytest.approx(published.CALZONE_SPIEGELHALTER, rel=1e-12)


def test_torchmetrics_of_two_classes() -> None:
    p = binary(published.TORCHMETRICS_P, published.TORCHMETRICS_Y)
    found = (
        ECE(UniformBinning(2))(p),
        (ECE(UniformBinning(2), "squared-euclidean")(p) / 2) ** 0.5,
        MCE(UniformBinning(2))(p),
    )
    assert found == pytest.approx(published.TORCHMETRICS_BINARY, abs=5e-5)


def test_torchmetrics_of_the_confidence() -> None:
    p = TopKLens(1)(Predictions.from_arrays(published.TORCHMETRICS_PROBS, published.TORCHMETRICS_LABELS))
    found = (
        ECE(UniformBinning(3))(p),
        (ECE(UniformBinning(3), "squared-euclidean")(p) / 2) ** 0.5,
        MCE(UniformBinning(3))(p),
    )
    assert found == pytest.approx(published.TORCHMETRICS_MULTICLASS, abs=5e-5)


def test_scikit_learns_brier_score_is_half_of_ours() -> None:
    assert brier(binary(published.SKLEARN_P, published.SKLEARN_Y)) == pytest.approx(
        2 * published.SKLEARN_BRIER, rel=1e-14
    )


def test_cox_against_calzone() -> None:
    found = cox_intercept_slope(CASES)
    assert found.cox_intercept is not None
    assert found.cox_slope is not None
    large = calibration_in_the_large(CASES).intercept_with_slope_fixed_at_1
    assert large is not None
    for coefficient, (estimate, interval) in (
        (found.cox_slope, published.CALZONE_COX_SLOPE),
        (found.cox_intercept, published.CALZONE_COX_INTERCEPT),
        (large, published.CALZONE_INTERCEPT_SLOPE_1),
    ):
        assert coefficient.estimate == pytest.approx(estimate, rel=1e-9)
        assert coefficient.interval == pytest.approx(interval, abs=1e-8)


@pytest.mark.parametrize("span", [0.5, 2 / 3])
def test_ici_against_calzone(span: float) -> None:
    """Fitted at 200 of 400 values here, at all of them there."""
    assert ICI(span)(CASES) == pytest.approx(published.CALZONE_ICI[span], abs=1e-5)


def test_smooth_ece_is_near_that_of_relplot() -> None:
    assert SmoothECE()(CASES) == pytest.approx(published.RELPLOT_SMECE, rel=0.01)
