"""Cases from other people's tests and manuals; inputs and where they stand: tests/oracles/published_*."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.diagram.bins import bins_of
from calibcore.estimators.corp import corp_decomposition
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.scores import brier, log_loss
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    SpiegelhalterTest,
)
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.transforms.lenses import ClassLens, TopKLens
from tests.oracles import published_cases as cases
from tests.oracles import published_julia as julia

DISTINCT = UniformBinning(100)
"""One bin for each value of one decimal."""


def two_classes(case: cases.Binary) -> Predictions:
    """The class labelled 1 first, as it is the one that is binned."""
    return Predictions.from_arrays(np.column_stack([case.probs, 1 - case.probs]), 1 - case.labels)


def several(case) -> Predictions:
    return Predictions.from_arrays(*case)


def root_mean_square(binning, p: Predictions) -> float:
    """The ℓ2 calibration error of one class; both classes are off by the same."""
    return (ECE(binning, "squared-euclidean")(p) / 2) ** 0.5


# --- scikit-learn -------------------------------------------------------------


UNIFORM = (cases.SKLEARN_UNIFORM_TRUE, cases.SKLEARN_UNIFORM_PREDICTED)
QUANTILE = (cases.SKLEARN_QUANTILE_TRUE, cases.SKLEARN_QUANTILE_PREDICTED)


@pytest.mark.parametrize(
    ("case", "binning", "expected"),
    [
        (cases.SKLEARN_UNIFORM, UniformBinning(2), UNIFORM),
        (cases.SKLEARN_QUANTILE, EqualMassBinning(2), QUANTILE),
    ],
)
def test_calibration_curves_of_scikit_learn(case, binning, expected) -> None:
    true, predicted = expected
    p = two_classes(case)
    bins = bins_of(p.probs, binning)
    order = np.argsort(bins.mean_prediction[:, 0])
    assert_allclose(bins.mean_prediction[order, 0], predicted, atol=1e-7)
    assert_allclose(bins.frequencies(p.labels)[order, 0], true, atol=1e-7)


def test_brier_scores_of_scikit_learn() -> None:
    assert brier(two_classes(cases.SKLEARN_BRIER_BINARY)) == pytest.approx(
        2 * cases.SKLEARN_BRIER_BINARY_HALF, rel=1e-12
    )
    for probs, labels, expected in cases.SKLEARN_BRIER_MULTICLASS:
        assert brier(Predictions.from_arrays(probs, labels)) == pytest.approx(expected, abs=5e-9)


# --- torchmetrics -------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "binning", "expected"),
    [
        (TopKLens(1)(several(cases.TORCH_MULTICLASS)), UniformBinning(3), cases.TORCH_MULTICLASS_3_BINS),
        (two_classes(cases.TORCH_BINARY), UniformBinning(2), cases.TORCH_BINARY_2_BINS),
    ],
)
def test_docstrings_of_torchmetrics(p, binning, expected) -> None:
    assert ECE(binning)(p) == pytest.approx(expected["l1"], abs=5e-5)
    assert MCE(binning)(p) == pytest.approx(expected["max"], abs=5e-5)
    assert root_mean_square(binning, p) == pytest.approx(expected["l2"], abs=5e-5)


def test_certain_predictions_of_torchmetrics() -> None:
    p = two_classes(cases.TORCH_ZERO)
    assert ECE(UniformBinning(2))(p) == pytest.approx(cases.TORCH_ZERO_2_BINS, rel=1e-14)


# --- verified calibration -----------------------------------------------------


@pytest.mark.parametrize(
    ("case", "l1", "l2"),
    [
        (cases.KUMAR_BINARY, cases.KUMAR_BINARY_L1, cases.KUMAR_BINARY_L2),
        (cases.KUMAR_PLUGIN, 0.65, cases.KUMAR_PLUGIN_L2),
    ],
)
def test_binary_errors_of_verified_calibration(case, l1, l2) -> None:
    p = two_classes(case)
    assert ECE(DISTINCT)(p) == pytest.approx(l1, rel=1e-9)
    assert root_mean_square(DISTINCT, p) == pytest.approx(l2, rel=1e-9)


def test_confidence_and_classwise_errors_of_verified_calibration() -> None:
    p = several(cases.KUMAR_MULTICLASS)
    top = TopKLens(1)(p)
    assert ECE(DISTINCT)(top) == pytest.approx(cases.KUMAR_TOP_L1, rel=1e-12)
    assert root_mean_square(DISTINCT, top) == pytest.approx(cases.KUMAR_TOP_L2, rel=1e-12)
    marginals = [ClassLens(name)(p) for name in p.class_names]
    assert np.mean([ECE(DISTINCT)(q) for q in marginals]) == pytest.approx(
        cases.KUMAR_CLASSWISE_L1, rel=1e-12
    )
    squares = np.mean([root_mean_square(DISTINCT, q) ** 2 for q in marginals])
    assert squares**0.5 == pytest.approx(cases.KUMAR_CLASSWISE_L2, rel=1e-12)


def test_top_label_ece_of_verified_calibration() -> None:
    three_bins = ECE(UniformBinning(3))(TopKLens(1)(several(cases.KUMAR_ECE)))
    assert three_bins == pytest.approx(cases.KUMAR_ECE_3_BINS, rel=1e-12)
    missing = ECE(UniformBinning(15))(TopKLens(1)(several(cases.KUMAR_MISSING)))
    assert missing == pytest.approx(cases.KUMAR_MISSING_ECE, rel=1e-12)


# --- MAPIE --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "expected"),
    [(cases.MAPIE_SCORE, cases.MAPIE_SCORE_ECE), (cases.MAPIE_MAX, cases.MAPIE_MAX_ECE)],
)
def test_ece_of_mapie(case, expected) -> None:
    assert ECE(UniformBinning(cases.MAPIE_BINS))(two_classes(case)) == pytest.approx(expected, abs=5e-5)


def test_ece_given_the_predicted_class_of_mapie() -> None:
    confidences, predicted, labels = cases.MAPIE_TOP_LABEL
    parts = []
    for k in np.unique(predicted):
        rows = predicted == k
        hits = cases.binary(confidences[rows], labels[rows] == k)
        parts.append(ECE(UniformBinning(cases.MAPIE_BINS))(two_classes(hits)))
    assert np.mean(parts) == pytest.approx(cases.MAPIE_TOP_LABEL_PLAIN_MEAN, abs=5e-5)


def test_spiegelhalter_of_mapie() -> None:
    z = SpiegelhalterTest()(two_classes(cases.MAPIE_SPIEGELHALTER)).statistic
    assert abs(z) == pytest.approx(cases.MAPIE_SPIEGELHALTER_Z, abs=1e-6)
    two_sided = SpiegelhalterTest()(two_classes(cases.MAPIE_SPIEGELHALTER_CALIBRATED)).pvalue
    assert two_sided == pytest.approx(2 * cases.MAPIE_SPIEGELHALTER_CALIBRATED_P_ONE_SIDED, abs=2e-6)


# --- model-diagnostics --------------------------------------------------------


def test_scores_of_model_diagnostics() -> None:
    p = two_classes(cases.CORP)
    assert brier(p) / 2 == pytest.approx(cases.CORP_SQUARED["score"], abs=5e-8)
    assert log_loss(p) == pytest.approx(cases.CORP_LOG["score"], abs=5e-8)
    for score, factor, expected in (("brier", 2, cases.CORP_SQUARED), ("log-loss", 1, cases.CORP_LOG)):
        found = corp_decomposition(p, score)
        assert {name: getattr(found, name) / factor for name in expected} == pytest.approx(expected, abs=5e-8)


# --- CalibrationErrors.jl, CalibrationTests.jl, pycalibration -----------------


@pytest.mark.parametrize(
    ("case", "bandwidth", "expected"),
    [
        (julia.python_random(), 2**0.5, julia.PYTHON_RANDOM_SKCE),
        (julia.generator(), 2**0.5, julia.GENERATOR_SKCE),
        (julia.dirichlet(), 1.0, julia.DIRICHLET_SKCE),
        (julia.TWO_ROWS, 1.0, julia.TWO_ROWS_SKCE),
    ],
)
def test_kernel_errors_in_the_readme_of_pycalibration(case, bandwidth, expected) -> None:
    found = SKCE(ExponentialKernel(bandwidth))(Predictions.from_arrays(*case))
    assert found == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("labels", "expected"), julia.TWO_POINT_BLOCKS.items())
def test_blocks_of_two_ten_times_over(labels, expected) -> None:
    p = Predictions.from_arrays(np.tile(np.eye(2), (10, 1)), np.tile(labels, 10))
    for estimator in ("linear", "block"):
        assert SKCE(GaussianKernel(1.0), estimator)(p) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("labels", "expected"), julia.UCME.items())
def test_errors_at_locations_of_calibration_errors_jl(labels, expected) -> None:
    ucme = UCME(
        GaussianKernel(julia.UCME_BANDWIDTH),
        locations=julia.UCME_LOCATIONS[0],
        location_classes=julia.UCME_LOCATIONS[1],
    )
    assert ucme(Predictions.from_arrays(np.eye(2), labels, "12")) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("probs", "labels"), julia.PERFECT)
def test_trivial_predictions_have_no_error(probs, labels) -> None:
    assert ECE(UniformBinning(10))(Predictions.from_arrays(probs, labels)) == 0


@pytest.mark.parametrize(("probs", "bins"), julia.MEDIAN_VARIANCE)
def test_median_variance_bins_of_calibration_errors_jl(probs, bins) -> None:
    for least, expected in bins.items():
        index = MedianVarianceBinning(least).assign(np.array(probs))
        found = [np.flatnonzero(index == b).tolist() for b in np.unique(index)]
        assert sorted(found) == expected


def test_bounds_and_approximations_of_pycalibration() -> None:
    probs, consistent, only_second = julia.trend()
    good, bad = (Predictions.from_arrays(probs, y, ("1", "2")) for y in (consistent, only_second))
    kernel = ExponentialKernel(julia.TREND_BANDWIDTH)
    two, ten = (SKCE(kernel, "block", size) for size in (2, 10))
    for estimator, largest in ((SKCE(kernel, "biased"), 1e-6), (SKCE(kernel), 0.4), (two, 0.4), (ten, 0.4)):
        bound = DistributionFreeSKCETest(estimator)
        assert bound(good).pvalue > 0.7
        assert bound(bad).pvalue < largest
    for estimator in (two, ten):
        blocks = AsymptoticBlockSKCETest(estimator)
        assert blocks(good).pvalue > 0.7
        assert blocks(bad).pvalue < 1e-6


def test_the_test_at_locations_of_pycalibration() -> None:
    probs, consistent, only_second = julia.trend()
    rows, classes = julia.trend_locations()
    test = AsymptoticCMETest(
        UCME(ExponentialKernel(julia.TREND_BANDWIDTH), locations=rows, location_classes=classes)
    )
    assert test(Predictions.from_arrays(probs, consistent, "12")).pvalue > 0.7
    assert test(Predictions.from_arrays(probs, only_second, "12")).pvalue < 1e-6


@pytest.mark.parametrize(
    ("kind", "estimator"),
    [(AsymptoticSKCETest, "unbiased"), (ConsistencyTest, "biased"), (ConsistencyTest, "unbiased")],
)
def test_resampling_tests_of_pycalibration(kind, estimator) -> None:
    """p < 1e-6 there is none of the redraws, here the smallest possible."""
    probs, consistent, only_second = julia.trend()
    test = kind(SKCE(ExponentialKernel(julia.TREND_BANDWIDTH), estimator), 39)
    rng = np.random.default_rng(1234)
    assert test(Predictions.from_arrays(probs, consistent), rng).pvalue > 0.7
    assert test(Predictions.from_arrays(probs, only_second), rng).pvalue == 1 / 40
