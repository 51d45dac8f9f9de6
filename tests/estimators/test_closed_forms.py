"""Numbers that can be worked out by hand: two points, the tables of V19, its Gaussian mixture."""

from math import exp, sqrt

import numpy as np
import pytest

from calibcore.data.examples import gaussian_mixture, v19_table1, v19_table2, w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import DistributionFreeSKCETest
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.settings import lens_to_words
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, Lens, RegionLens, TopKLens

FINE = UniformBinning(1000)


# --- CalibrationErrors.jl: predictions (1, 0) and (0, 1), Gaussian, ν = 1 ---


@pytest.mark.parametrize(
    ("labels", "biased", "linear"),
    [
        ((0, 1), 0.0, 0.0),
        ((0, 0), 0.5, 0.0),
        ((1, 1), 0.5, 0.0),
        ((1, 0), 1 - exp(-1), -2 * exp(-1)),
    ],
)
def test_two_points_against_calibration_errors_jl(labels, biased, linear) -> None:
    p = Predictions.from_arrays(np.eye(2), labels)
    kernel = GaussianKernel(1.0)
    assert SKCE(kernel, "biased")(p) == pytest.approx(biased, abs=1e-15)
    assert SKCE(kernel, "linear")(p) == pytest.approx(linear, abs=1e-15)
    assert SKCE(kernel, "unbiased")(p) == pytest.approx(linear, abs=1e-15)  # one pair: the same


def test_two_points_with_the_exponential_kernel() -> None:
    """Residuals (−1, 1) and (1, −1): h₁₂ = −2κ, h₁₁ = h₂₂ = 2, so SKCE_b = 1 − κ."""
    p = Predictions.from_arrays(np.eye(2), (1, 0))
    for kernel, kappa in (
        (ExponentialKernel(1.0, "total-variation"), exp(-1)),
        (ExponentialKernel(0.5, "total-variation"), exp(-2)),
        (ExponentialKernel(1.0), exp(-sqrt(2))),
        (ExponentialKernel(), exp(-1)),  # the median distance is the only distance
    ):
        assert SKCE(kernel, "biased")(p) == pytest.approx(1 - kappa, rel=1e-14)
        assert SKCE(kernel, "unbiased")(p) == pytest.approx(-2 * kappa, rel=1e-14)


def test_one_prediction_for_all() -> None:
    """κ = 1 throughout, so SKCE_b = ‖r̄‖²: with 18 of 100 outcomes against 0.0345, 2·(0.18 − 0.0345)²."""
    p = Predictions.from_arrays(np.tile([0.0345, 0.9655], (100, 1)), [0] * 18 + [1] * 82)
    t = SKCE(ExponentialKernel(1.0), "biased")(p)
    assert t == pytest.approx(2 * (0.18 - 0.0345) ** 2, rel=1e-12)


def test_the_bound_given_the_predictions_is_much_sharper() -> None:
    """0.039 where D_b gives 0.90."""
    p = Predictions.from_arrays(np.tile([0.0345, 0.9655], (100, 1)), [0] * 18 + [1] * 82)
    estimator = SKCE(ExponentialKernel(1.0), "biased")
    assert round(DistributionFreeSKCETest(estimator)(p).pvalue, 2) == 0.90
    assert round(DistributionFreeSKCETest(estimator, given_predictions=True)(p).pvalue, 3) == 0.039


# --- V19 Tables 1 and 2, with exactly their frequencies ---------------------

TABLE_1_ECE: list[tuple[Lens, float]] = [
    (TopKLens(1), 0.0),
    (TopKLens(2), 0.0),  # every row is sorted (0.6, 0.3, 0.1); on average so are the outcomes
    (ClassLens("1"), 0.0),
    (ClassLens("2"), 0.0),
    (ClassLens("3"), 0.0),
    (GroupsLens({"12": ["1", "2"], "3": ["3"]}), 0.0),
    (CanonicalLens(), 0.1),  # total variation 0.1 in each of the six rows
    (GroupsLens({"a": ["2"], "b": ["1"], "c": ["3"]}), 0.1),
    (RegionLens(CanonicalLens(), "1", 0.5, 1.0), 0.1),
    (RegionLens(TopKLens(1), "1", 0.5, 0.7), 0.0),  # 0.7 and 0.5 hits in the two rows
    (RegionLens(TopKLens(1), "2", 0.5, 0.7), 0.0),
    (RegionLens(ClassLens("2"), "1", 0.5, 0.7), 0.1),  # 0.1 → 0.0 and 0.3 → 0.4
]
TABLE_2_ECE: list[tuple[Lens, float]] = [
    (TopKLens(1), 0.0),
    (TopKLens(2), 0.2),  # (0.6, 0.3, 0.1) → (0.7, 0.1, 0.2) and (0.6, 0.4, 0) → (0.5, 0.3, 0.2)
    (ClassLens("1"), 0.1),  # 0.6 → 0.7, 0.4 → 0.3
    (ClassLens("2"), 0.1),  # 0.1 → 0.2, 0.6 → 0.5
    (ClassLens("3"), 0.2),  # 0.3 → 0.1, 0 → 0.2
    (GroupsLens({"1": ["1"], "23": ["2", "3"]}), 0.1),
    (CanonicalLens(), 0.2),
]
TABLES = [(v19_table1, lens, e) for lens, e in TABLE_1_ECE] + [
    (v19_table2, lens, e) for lens, e in TABLE_2_ECE
]


@pytest.mark.parametrize(
    ("table", "lens", "expected"),
    TABLES,
    ids=[f"{t.__name__}-{lens_to_words(lens)}" for t, lens, _ in TABLES],
)
def test_the_tables_seen_through_every_lens(table, lens, expected) -> None:
    p = lens(table(repeats=3))
    assert ECE(FINE)(p) == pytest.approx(expected, abs=1e-12)
    assert ECE(FINE, "cityblock")(p) == pytest.approx(2 * expected, abs=1e-12)


def test_the_tables_in_other_distances() -> None:
    """Table 1: every row deviates by 0.1 in two classes. Table 2: (0.1, 0.1, 0.2) in both rows."""
    one, two = v19_table1(), v19_table2()
    for estimator in (ECE, MCE):
        assert estimator(FINE, "squared-euclidean")(one) == pytest.approx(0.02, abs=1e-12)
        assert estimator(FINE, "euclidean")(one) == pytest.approx(sqrt(0.02), abs=1e-12)
        assert estimator(FINE, "squared-euclidean")(two) == pytest.approx(0.06, abs=1e-12)
        assert estimator(FINE, "euclidean")(two) == pytest.approx(sqrt(0.06), abs=1e-12)


@pytest.mark.parametrize("binning", [UniformBinning(10), SimplexBinning(10), MedianVarianceBinning(10)])
def test_other_bins_keep_the_predictions_of_table_1_apart(binning) -> None:
    assert ECE(binning)(v19_table1()) == pytest.approx(0.1, abs=1e-12)


def test_one_bin_for_all_hides_the_miscalibration_of_table_1() -> None:
    """Every class has mean prediction and frequency ⅓: bins too wide bias an ECE down."""
    assert ECE(UniformBinning(1))(v19_table1()) < 1e-12


def test_the_kernel_error_of_the_tables_is_zero_exactly_where_they_are_calibrated() -> None:
    """Within a prediction the residuals of the exact frequencies add up to the deviation, or to 0."""
    skce = SKCE(ExponentialKernel(0.5, "total-variation"), "biased")
    for table, lens, expected in TABLES:
        if expected == 0:
            assert skce(lens(table())) == pytest.approx(0, abs=1e-15)
        else:
            assert skce(lens(table())) > 1e-4


def test_the_kernel_error_of_table_2_by_hand() -> None:
    """Deviations (0.1, 0.1, −0.2) and (−0.1, −0.1, 0.2), total variation 0.5: ½·0.06·(1 − e^{−0.5/ν})."""
    skce = SKCE(ExponentialKernel(0.5, "total-variation"), "biased")
    assert skce(v19_table2()) == pytest.approx(0.03 * (1 - exp(-1)), rel=1e-12)


# --- V19 §5.1 and W19 appendix J.2 ------------------------------------------


@pytest.mark.parametrize(
    ("beta0", "beta1", "expected"), [(0.0, -2.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 0.56375)]
)
def test_the_gaussian_mixture_of_v19(beta0, beta1, expected) -> None:
    p = gaussian_mixture(200_000, beta0, beta1, np.random.default_rng(8))
    assert ECE(UniformBinning(100))(p) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("name", "error"), [("M1", 0.0), ("M2", 0.45), ("M3", 0.71064)])
def test_the_true_errors_of_w19(name, error) -> None:
    """The truth is known, so the mean distance of truth and prediction needs no bins."""
    probs = w19_model(name, n=200_000, rng=np.random.default_rng(9)).probs
    truth = {"M1": probs, "M2": 0.5 * probs + 0.5 * np.eye(10)[0], "M3": np.full_like(probs, 0.1)}[name]
    assert np.abs(truth - probs).sum(axis=1).mean() / 2 == pytest.approx(error, abs=0.003)
