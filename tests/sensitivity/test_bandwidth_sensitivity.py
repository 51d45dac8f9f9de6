"""The exact kernel test over two decades of bandwidths."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.data.examples import load_example, w19_model
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel, GaussianKernel, Kernel, Matern32Kernel
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.streams import stream
from calibcore.sensitivity.bandwidths import MOST_STEPS, BandwidthSensitivity, bandwidth_sensitivity, planned
from calibcore.transforms.lenses import CanonicalLens, ClassLens, RegionLens, TopKLens
from calibcore.transforms.nulls import Temperature
from tests.oracles.literal_skce import skce

WINE = load_example("wine")
SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199, estimates=(), tests=("exact",))
KERNELS: list[Kernel] = [
    ExponentialKernel(),
    ExponentialKernel(metric="total-variation"),
    GaussianKernel("mean"),
    Matern32Kernel(0.3),
    ExponentialKernel(class_matrix=(1.0, 2.0, 0.5)),
]


@pytest.fixture(scope="module")
def found() -> BandwidthSensitivity:
    return bandwidth_sensitivity(WINE, SPEC)


@pytest.mark.parametrize("lens", [TopKLens(1), CanonicalLens(), RegionLens(TopKLens(1), "grower 1", 0.1, 1)])
def test_in_use_it_is_the_exact_test_of_a_diagnosis(lens: TopKLens) -> None:
    spec = replace(SPEC, lens=lens, seed=5)
    for rule in ("median", "mean", "median-with-diagonal", 0.4):
        spec = replace(spec, kernel=ExponentialKernel(rule))
        found, diagnosis = bandwidth_sensitivity(WINE, spec), diagnose(WINE, spec)
        test = diagnosis.test("exact-skce")
        assert test is not None
        assert test.result is not None
        k = found.at(found.in_use)
        assert found.bandwidths[k] == diagnosis.bandwidth.value
        assert found.statistic[k] == test.result.statistic
        assert found.pvalue[k] == test.result.pvalue
        null = test.result.null_distribution
        assert null is not None
        assert_allclose(found.null_mean[k], null.mean())
        assert_allclose(found.null_sd[k], null.std())
        assert_array_equal(
            [found.low[k], found.high[k]], np.quantile(null, (0.05, 0.95), method="inverted_cdf")
        )


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_every_bandwidth_is_the_test_with_that_number(kernel: Kernel) -> None:
    spec = replace(SPEC, lens=CanonicalLens(), kernel=kernel, resamples=19)
    found = bandwidth_sensitivity(WINE, spec)
    for k in (0, len(found.bandwidths) // 2, -1):
        of_number = replace(kernel, bandwidth=float(found.bandwidths[k]))  # type: ignore[type-var]
        again = ExactTest(SKCE(of_number), 19)(WINE, stream(0, "exact-skce"))
        assert_allclose(found.statistic[k], SKCE(of_number)(WINE), rtol=1e-10, atol=1e-16)
        assert found.statistic[k] == again.statistic
        assert found.pvalue[k] == again.pvalue


def test_the_statistic_is_the_literal_double_sum() -> None:
    p = w19_model("M2", 30, 3, np.random.default_rng(1))
    found = bandwidth_sensitivity(p, replace(SPEC, lens=CanonicalLens(), resamples=19))
    for k in (0, -1):
        kernel = ("exponential", "euclidean", float(found.bandwidths[k]))
        expected = skce("unbiased", kernel, p.probs.tolist(), p.labels.tolist())
        assert_allclose(found.statistic[k], expected, rtol=1e-10)


def test_two_decades_around_the_median_and_the_rules_among_them(found: BandwidthSensitivity) -> None:
    median = found.rules["median"]
    assert_allclose(found.bandwidths[[0, -1]], [median / 10, median * 10])
    assert (np.diff(found.bandwidths) > 0).all()
    assert set(found.rules) == {"median", "mean"}
    for rule, bandwidth in found.rules.items():
        assert found.bandwidths[found.at(rule)] == bandwidth
    without_mean = np.delete(found.bandwidths, found.at("mean"))
    assert len(without_mean) == 21
    assert_allclose(np.diff(np.log10(without_mean)), 0.1)


def test_a_rule_that_lies_outside_makes_the_range_longer() -> None:
    """Very sure: the mean distance is 80 times the median."""
    found = bandwidth_sensitivity(load_example("breast-cancer"), replace(SPEC, resamples=19))
    assert found.rules["mean"] > 50 * found.rules["median"]
    assert_allclose(found.bandwidths[-1], 2 * found.rules["mean"])
    far = bandwidth_sensitivity(WINE, replace(SPEC, kernel=ExponentialKernel(1e-6), resamples=19))
    assert far.in_use == "number"
    assert_allclose(far.bandwidths[0], 5e-7)
    assert np.count_nonzero(far.bandwidths < far.rules["median"]) == MOST_STEPS + 1  # and the number itself


def test_all_see_the_same_outcomes() -> None:
    """Neighbouring bandwidths then have nearly the same redraws, so the curve has no noise of its own."""
    p = w19_model("M1", 200, 3, np.random.default_rng(2))
    found = bandwidth_sensitivity(p, replace(SPEC, lens=CanonicalLens()))
    assert np.abs(np.diff(found.pvalue)).max() < 0.12
    other = bandwidth_sensitivity(p, replace(SPEC, lens=CanonicalLens(), seed=1))
    assert not np.array_equal(found.pvalue, other.pvalue)
    assert_array_equal(found.statistic, other.statistic)


def test_above_is_in_deviations_of_the_redraws(found: BandwidthSensitivity) -> None:
    low, high = found.range
    assert_allclose(found.above * found.null_sd + found.null_mean, found.statistic)
    assert (low < 0).all()
    assert (high > 0).all()
    assert_allclose(high * found.null_sd + found.null_mean, found.high)
    assert ((found.pvalue < 0.04) <= (found.above > high)).all()


@pytest.mark.parametrize(
    ("n", "m", "kernel", "alpha", "asked", "expected"),
    [
        (2_000, 10, ExponentialKernel(), 0.05, 999, (10, 999)),
        (2_001, 10, ExponentialKernel(), 0.05, 999, (5, 199)),
        (2_001, 10, ExponentialKernel(), 0.01, 9_999, (5, 999)),
        (2_001, 10, ExponentialKernel(), 0.01, 99, (5, 99)),
        (2_001, 2, GaussianKernel(), 0.05, 999, (5, 199)),
        (100_000, 2, ExponentialKernel(), 0.05, 999, (10, 999)),
        (100_001, 2, ExponentialKernel(), 0.05, 999, (5, 199)),
    ],
)
def test_fewer_redraws_where_they_cost_much(
    n: int, m: int, kernel: Kernel, alpha: float, asked: int, expected: tuple[int, int]
) -> None:
    assert planned(n, m, DiagnosisSpec(kernel=kernel, alpha=alpha, resamples=asked)) == expected


def test_fewer_redraws_are_the_first_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibcore.sensitivity.bandwidths._ALL_PAIRS", 10)
    spec = replace(SPEC, lens=CanonicalLens(), resamples=999)
    found = bandwidth_sensitivity(WINE, spec)
    assert found.n_resamples == 199
    assert len(found.bandwidths) == 12
    kernel = ExponentialKernel(found.rules["median"])
    test = ExactTest(SKCE(kernel), 199)(WINE, stream(0, "exact-skce"))
    assert found.pvalue[found.at("median")] == test.pvalue


def test_another_null_is_tested_too() -> None:
    p = w19_model("M1", 200, 3, np.random.default_rng(2))
    spec = replace(SPEC, lens=CanonicalLens(), null=Temperature(4.0), stop_at=10)
    found, kernel = bandwidth_sensitivity(p, spec), ExponentialKernel().resolved(p.probs)[0]
    test = ExactTest(SKCE(kernel), 199, null=Temperature(4.0))(p, stream(0, "exact-skce"))
    assert found.pvalue[found.at("median")] == test.pvalue  # all redraws, none stops early


def test_what_has_no_bandwidths_to_compare_is_refused() -> None:
    same = Predictions.from_arrays([[0.3, 0.7]] * 9, [0, 1, 1] * 3)
    with pytest.raises(InputError, match="All 9 predictions are the same, so every bandwidth"):
        bandwidth_sensitivity(same, replace(SPEC, lens=CanonicalLens()))
    certain = Predictions.from_arrays(np.eye(3)[[0, 1, 2] * 3], [0, 1, 2] * 3)
    with pytest.raises(InputError, match="where predictions are certain"):
        bandwidth_sensitivity(certain, replace(SPEC, lens=CanonicalLens()))
    weighted = Predictions.from_arrays(WINE.probs, WINE.labels, weights=np.arange(1.0, WINE.n + 1))
    with pytest.raises(InputError, match="weight"):
        bandwidth_sensitivity(weighted, SPEC)


def test_where_the_kernel_sees_no_pair_nothing_is_scaled() -> None:
    """Far apart, a Gaussian of a tenth of the median is 0 in double precision; 0/0 is no distance."""
    p = Predictions.from_arrays(np.linspace([0, 1], [1, 0], 5), [1, 1, 0, 0, 0])
    found = bandwidth_sensitivity(p, replace(SPEC, lens=CanonicalLens(), kernel=GaussianKernel(0.001)))
    k = found.at("number")
    assert np.isnan(found.above[k])
    assert found.pvalue[k] == 1
    assert not np.isnan(found.above[found.at("median")])


def test_progress_rises_to_the_end_and_may_stop_the_work() -> None:
    told: list[tuple[float, str]] = []
    bandwidth_sensitivity(WINE, replace(SPEC, resamples=19), lambda f, words: told.append((f, words)))
    assert [f for f, _ in told] == sorted(f for f, _ in told)
    assert told[-1] == (1.0, "bandwidth 22 of 22")

    def stop(fraction: float, _words: str) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        bandwidth_sensitivity(WINE, SPEC, stop)


def test_a_lens_of_one_class() -> None:
    assert bandwidth_sensitivity(WINE, replace(SPEC, lens=ClassLens("grower 2"))).n_resamples == 199
