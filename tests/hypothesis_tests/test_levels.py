"""How often the tests reject: simulated levels and power, and the means that W19 published.

Data sets are those of W19 §7 (n = 250, m = 10, predictions from Dir(0.1)): M1 is calibrated,
M2 and M3 are not.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest

from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactTest,
    monte_carlo_pvalue,
)
from calibcore.kernels import ExponentialKernel
from tests.made import redrawn_statistics

SEED = 20190501
SETS = 150
MORE = pytest.mark.parametrize("sets", [SETS, pytest.param(500, marks=pytest.mark.slow)])
"""As many data sets as tell a test from a wrong one, and as many as are near W19's numbers."""
B = 199
FEW = 99
"""Redraws where only the level matters: α(FEW + 1) is whole for every α below."""
EXPONENTIAL = ExponentialKernel("median", "total-variation")
EUCLIDEAN = ExponentialKernel("median", "euclidean")


@cache
def data_sets(model: str, count: int) -> list[Predictions]:
    rng = np.random.default_rng([SEED, ord(model[1])])
    return [w19_model(model, rng=rng) for _ in range(count)]


def resolved(p: Predictions, kernel: ExponentialKernel = EXPONENTIAL) -> ExponentialKernel:
    return kernel.resolved(p.probs)[0]


@cache
def with_kernels(model: str, sets: int) -> list[tuple[Predictions, ExponentialKernel]]:
    """The data sets, each with its bandwidth: the median costs more than most estimates."""
    return [(p, resolved(p)) for p in data_sets(model, sets)]


@cache
def exact_pvalues(sets: int) -> dict[str, np.ndarray]:
    """Exact p-values on calibrated data sets, the estimators sharing their redraws."""
    rng = np.random.default_rng(SEED)
    found = []
    for p, kernel in with_kernels("M1", sets):
        estimators = [ECE(), SKCE(kernel), SKCE(resolved(p, EUCLIDEAN)), SKCE(kernel, "linear")]
        observed, null = redrawn_statistics(estimators, p, FEW, rng)
        found.append([monte_carlo_pvalue(t, row) for t, row in zip(observed, null, strict=True)])
    return dict(zip(("ece", "skce", "skce-euclidean", "skce-linear"), np.transpose(found), strict=True))


# --- exact ------------------------------------------------------------------


@pytest.mark.slow
@MORE
@pytest.mark.parametrize("name", ["ece", "skce", "skce-euclidean", "skce-linear"])
def test_exact_pvalues_are_uniform(name: str, sets: int) -> None:
    """α(FEW + 1) is whole, so P(p ≤ α) = α; within 3.5 binomial standard deviations."""
    for alpha in (0.01, 0.05, 0.1, 0.2, 0.5, 0.8):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / sets)
        assert (exact_pvalues(sets)[name] <= alpha).mean() == pytest.approx(alpha, abs=tolerance), alpha


@pytest.mark.parametrize(
    "estimator", [ECE(), SKCE(ExponentialKernel(1.0)), SKCE(ExponentialKernel(1.0), "biased")]
)
@pytest.mark.slow
def test_exact_tests_keep_their_level_where_few_values_are_possible(estimator) -> None:
    """Three cases, eight label vectors, ties throughout: P(p ≤ α) ≤ α + 3 standard deviations."""
    probs = np.array([[0.7, 0.3], [0.4, 0.6], [0.4, 0.6]])
    rng = np.random.default_rng(SEED)
    pvalues = np.empty(500)
    for i in range(len(pvalues)):
        labels = (rng.random(3) >= probs[:, 0]).astype(int)
        pvalues[i] = ExactTest(estimator, 19)(Predictions.from_arrays(probs, labels), rng).pvalue
    for alpha in (0.05, 0.1, 0.2, 0.5):
        assert (pvalues <= alpha).mean() <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / len(pvalues))
    assert pvalues.max() == 1


@pytest.mark.slow
def test_exact_tests_keep_their_level_on_rows_that_do_not_quite_sum_to_one() -> None:
    rng = np.random.default_rng(SEED)
    pvalues = []
    for p in data_sets("M1", SETS):
        scaled = Predictions.from_arrays(p.probs * (1 + rng.uniform(-9e-6, 9e-6, (p.n, 1))), p.labels)
        pvalues.append(ExactTest(SKCE(resolved(scaled)), 39)(scaled, rng).pvalue)
    for alpha in (0.05, 0.5):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / SETS)
        assert np.mean(np.array(pvalues) <= alpha) == pytest.approx(alpha, abs=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["M2", "M3"])
def test_exact_tests_reject_models_that_are_not_calibrated(model: str) -> None:
    rng = np.random.default_rng(SEED)
    for p in data_sets(model, SETS)[:20]:
        for estimator in (ECE(UniformBinning(10)), SKCE(EXPONENTIAL), SKCE(EUCLIDEAN)):
            assert ExactTest(estimator, FEW)(p, rng).pvalue <= 0.05


# --- consistency resampling -------------------------------------------------


def test_consistency_resampling_rejects_nearly_every_calibrated_model() -> None:
    """W19 Fig. 2: 100 %."""
    rng = np.random.default_rng(SEED)
    pvalues = [ConsistencyTest(ECE(), 59)(p, rng).pvalue for p in data_sets("M1", SETS)[:100]]
    assert np.mean(np.array(pvalues) <= 0.05) > 0.95


# --- asymptotic -------------------------------------------------------------


@pytest.mark.slow
@MORE
def test_asymptotic_linear_levels_and_power(sets: int) -> None:
    """W19: 4.6 % on M1, 18.6 % on M3 (10⁴ data sets); within 3.5 standard deviations of these."""
    for model, published in (("M1", 0.046), ("M3", 0.186)):
        rejected = np.mean(
            [
                AsymptoticBlockSKCETest(SKCE(kernel, "linear"))(p).pvalue <= 0.05
                for p, kernel in with_kernels(model, sets)
            ]
        )
        tolerance = 3.5 * np.sqrt(published * (1 - published) / sets)
        assert rejected == pytest.approx(published, abs=tolerance)


@pytest.mark.slow
@MORE
def test_asymptotic_bootstrap_level_and_power(sets: int) -> None:
    """W19: 3.5 % on M1; M2 and M3 always rejected."""
    rng = np.random.default_rng(SEED)
    pvalues = [AsymptoticSKCETest(SKCE(kernel), B)(p, rng).pvalue for p, kernel in with_kernels("M1", sets)]
    tolerance = 3.5 * np.sqrt(0.035 * 0.965 / sets)
    assert np.mean(np.array(pvalues) <= 0.05) == pytest.approx(0.035, abs=tolerance)
    for model in ("M2", "M3"):
        assert all(
            AsymptoticSKCETest(SKCE(kernel), B)(p, rng).pvalue <= 0.05
            for p, kernel in with_kernels(model, sets)[:20]
        )


# --- distribution-free ------------------------------------------------------

BOUNDS = [("biased", False), ("biased", True), ("unbiased", False), ("linear", False)]


@pytest.mark.some(1)
@pytest.mark.parametrize(("estimator", "given"), BOUNDS)
def test_bounds_are_bounds_on_calibrated_models(estimator: str, given: bool) -> None:
    pvalues = np.array(
        [
            DistributionFreeSKCETest(SKCE(kernel, estimator), given)(p).pvalue
            for p, kernel in with_kernels("M1", SETS)
        ]
    )
    for alpha in (0.01, 0.05, 0.1, 0.2, 0.5, 0.9):
        assert (pvalues <= alpha).mean() <= alpha


@pytest.mark.some(4)
@pytest.mark.parametrize(("n", "m", "concentration"), [(5, 2, 10.0), (20, 3, 1.0), (100, 2, 0.3)])
@pytest.mark.parametrize(("estimator", "given"), BOUNDS)
def test_bounds_are_bounds_on_small_calibrated_data_sets(n, m, concentration, estimator, given) -> None:
    """A wide kernel is the hardest; 1,000 label sets on each of five sets of predictions."""
    rng = np.random.default_rng(SEED)
    skce = SKCE(ExponentialKernel(50.0), estimator)
    test = DistributionFreeSKCETest(skce, given)
    pvalues = []
    for _ in range(5):
        p = Predictions.from_arrays(rng.dirichlet(np.full(m, concentration), size=n), np.zeros(n, int))
        _, null = redrawn_statistics([skce], p, 1_000, rng)
        pvalues += [test.of_statistic(p, t).pvalue for t in null[0]]
    for alpha in (0.01, 0.05, 0.2, 0.5):
        assert np.mean(np.array(pvalues) <= alpha) <= alpha


@MORE
def test_the_biased_bound_rejects_m2_as_often_as_published(sets: int) -> None:
    """W19: D_b rejects 63 % of M2."""
    tests = ((DistributionFreeSKCETest(SKCE(kernel, "biased")), p) for p, kernel in with_kernels("M2", sets))
    rejected = np.mean([test(p).pvalue <= 0.05 for test, p in tests])
    assert rejected == pytest.approx(0.63, abs=3.5 * np.sqrt(0.63 * 0.37 / sets))


def test_the_bound_given_the_predictions_is_never_the_weaker_one_there() -> None:
    """It rejects every M2, and some M3, of which D_b rejects none."""
    rejected = {}
    for model in ("M2", "M3"):
        for p, kernel in with_kernels(model, SETS)[:100]:
            biased = SKCE(kernel, "biased")
            weak, sharp = (DistributionFreeSKCETest(biased, given)(p).pvalue for given in (False, True))
            assert sharp <= weak
            rejected.setdefault(model, []).append((weak <= 0.05, sharp <= 0.05))
    assert all(sharp for _, sharp in rejected["M2"])
    assert not any(weak for weak, _ in rejected["M3"])
    assert any(sharp for _, sharp in rejected["M3"])


# --- W19 §7.1 ---------------------------------------------------------------

PUBLISHED = {
    "ece": {"M1": 0.4395, "M2": 0.6633, "M3": 0.8918},
    "biased": {"M1": 0.00179, "M2": 0.09977, "M3": 0.02051},
    "unbiased": {"M1": 0.0, "M2": 0.09655, "M3": 0.01517},
}
LAST_DIGIT = {"ece": 5e-5, "biased": 5e-6, "unbiased": 5e-5}


@MORE
@pytest.mark.parametrize(("name", "model"), list(product(PUBLISHED, ("M1", "M2", "M3"))))
def test_mean_estimates_against_w19(name: str, model: str, sets: int) -> None:
    """Within 4 standard errors of the mean of so many data sets (theirs: 10⁴) and the last digit printed."""
    if name == "ece":
        values = np.array([ECE(UniformBinning(10))(p) for p in data_sets(model, sets)])
    else:
        values = np.array([SKCE(kernel, name)(p) for p, kernel in with_kernels(model, sets)])
    standard_error = values.std(ddof=1) / np.sqrt(sets)
    assert abs(values.mean() - PUBLISHED[name][model]) < 4 * standard_error + LAST_DIGIT[name]


@pytest.mark.slow
def test_levels_on_two_thousand_calibrated_data_sets() -> None:
    """Exact tests at α, the asymptotic ones as published (3.5 %, 4.6 %); within 3.5 standard deviations."""
    rng = np.random.default_rng(SEED + 1)
    found = []
    for _ in range(2000):
        p = w19_model("M1", rng=rng)
        kernel = resolved(p)
        observed, null = redrawn_statistics([ECE(), SKCE(kernel)], p, B, rng)
        found.append(
            [
                *(monte_carlo_pvalue(t, row) for t, row in zip(observed, null, strict=True)),
                AsymptoticSKCETest(SKCE(kernel), B)(p, rng).pvalue,
                AsymptoticBlockSKCETest(SKCE(kernel, "linear"))(p).pvalue,
            ]
        )
    rejected = (np.array(found) <= 0.05).mean(axis=0)
    for rate, expected in zip(rejected, (0.05, 0.05, 0.035, 0.046), strict=True):
        assert rate == pytest.approx(expected, abs=3.5 * np.sqrt(expected * (1 - expected) / 2000))
