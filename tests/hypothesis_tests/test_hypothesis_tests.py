"""The tests of calibration, formula by formula; that their levels hold is in test_levels.py."""

from math import exp, floor, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom, norm

from calibcore import hypothesis_tests
from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
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
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.made import problem
from tests.oracles import literal_skce as literal

KERNEL = ExponentialKernel(0.4, "total-variation")
LITERAL = ("exponential", "total-variation", 0.4)
ESTIMATORS = [ECE(), MCE(), *(SKCE(KERNEL, e) for e in ("biased", "unbiased", "linear"))]
every_estimator = pytest.mark.parametrize(
    "estimator", ESTIMATORS, ids=lambda e: getattr(e, "estimator", "binned")
)


def constant(q: float, n: int, hits: int = 0) -> Predictions:
    return Predictions.from_arrays(np.tile([q, 1 - q], (n, 1)), [0] * hits + [1] * (n - hits))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- exact Monte Carlo ------------------------------------------------------


@pytest.mark.parametrize(
    ("statistic", "null", "expected"),
    [
        (3.0, [1.0, 2.0, 3.0, 4.0], 3 / 5),  # a tie counts
        (5.0, [1.0, 2.0, 3.0, 4.0], 1 / 5),  # the floor 1/(B + 1)
        (0.0, [1.0, 2.0, 3.0, 4.0], 1.0),
        (-0.5, [-1.0, -0.5, 0.0], 3 / 4),
        (2.0, [2.0] * 9, 1.0),  # all equal
        (0.0, [0.0] * 9, 1.0),
        (1e-300, [0.0] * 9, 1.0),  # nothing but rounding
        (1.0, [0.5], 1 / 2),
        (1.0 + 1e-10, [1.0, 0.0, 3.0], 3 / 4),  # within 1e-9 null deviations
        (1.0 + 1e-6, [1.0, 0.0, 3.0], 2 / 4),
    ],
)
def test_monte_carlo_pvalue(statistic, null, expected) -> None:
    assert monte_carlo_pvalue(statistic, np.array(null)) == pytest.approx(expected, rel=1e-15)


@every_estimator
def test_exact_pvalue_is_the_share_of_redraws_as_extreme(estimator) -> None:
    p = problem(40, 3, 1)
    result = ExactTest(estimator, 57)(p, rng(2))
    labels = np.concatenate(list(redrawn_labels(p, 57, rng(2))))
    singles = [estimator(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    assert result.statistic == pytest.approx(estimator(p), abs=1e-14)
    assert_allclose(result.null_distribution, singles, rtol=0, atol=1e-13)
    assert result.pvalue == literal.monte_carlo_pvalue(estimator(p) - 1e-12, singles)
    assert (result.promise, result.n_resamples) == ("exact", 57)


@pytest.mark.parametrize("m", [2, 3, 6, 7, 10])
def test_where_all_redraws_are_equal_p_is_one(m: int) -> None:
    """Whatever the outcome, one uniform prediction is off by 1 − 1/m; only rounding differs."""
    for label in range(m):
        p = Predictions.from_arrays(np.full((1, m), 1 / m), [label])
        assert ExactTest(ECE(), 199)(p, rng()).pvalue == 1
        assert ExactTest(SKCE(ExponentialKernel(1.0), "biased"), 199)(p, rng()).pvalue == 1


@every_estimator
def test_certain_and_right_is_p_one_and_certain_and_wrong_the_floor(estimator) -> None:
    right = Predictions.from_arrays(np.eye(3)[[0, 0, 1, 1, 2, 2]], [0, 0, 1, 1, 2, 2])
    wrong = Predictions.from_arrays(right.probs, [1, 1, 2, 2, 0, 0])
    assert ExactTest(estimator, 99)(right, rng()).pvalue == 1
    assert ExactTest(estimator, 99)(wrong, rng()).pvalue == 1 / 100


def test_the_same_generator_gives_the_same_result_however_the_redraws_are_batched(monkeypatch) -> None:
    p = problem(60, 3, 3)
    whole = [ExactTest(e, 101)(p, rng(4)) for e in ESTIMATORS]
    monkeypatch.setattr("calibcore.transforms.redraws._BLOCK_BYTES", 8 * 60 * 7)
    monkeypatch.setattr(hypothesis_tests.exact, "_BATCH_BYTES", 60 * 20)
    for estimator, expected in zip(ESTIMATORS, whole, strict=True):
        found = ExactTest(estimator, 101)(p, rng(4))
        assert_allclose(found.null_distribution, expected.null_distribution, rtol=0, atol=1e-14)
        assert found.pvalue == expected.pvalue
        assert (
            ExactTest(estimator, 101)(p, rng(5)).null_distribution.tolist()
            != found.null_distribution.tolist()
        )


@pytest.mark.parametrize("n_resamples", [0, -1])
def test_no_redraws_is_an_error(n_resamples: int) -> None:
    p = problem(10, 2, 0)
    for test in (
        ExactTest(ECE(), n_resamples),
        ConsistencyTest(ECE(), n_resamples),
        AsymptoticSKCETest(SKCE(KERNEL), n_resamples),
    ):
        with pytest.raises(InputError, match="expected 1 or more"):
            test(p, rng())


# --- consistency resampling -------------------------------------------------


def test_consistency_resampling_against_the_literal_scheme() -> None:
    p = problem(25, 3, 7)
    result = ConsistencyTest(ECE(UniformBinning(10)), 30)(p, rng(8))
    expected = literal.consistency_null(30, 10, p.probs.tolist(), rng(8))
    assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-13)
    assert result.pvalue == literal.monte_carlo_pvalue(ECE()(p) - 1e-12, expected)
    assert result.promise == "none"


@pytest.mark.parametrize("estimator", [ECE(MedianVarianceBinning(5)), MCE(), SKCE(KERNEL, "biased")], ids=str)
def test_consistency_resampling_of_other_estimators(estimator) -> None:
    """Bins and kernel are those of the resampled predictions."""
    p = problem(30, 3, 9)
    found = ConsistencyTest(estimator, 10)(p, rng(10)).null_distribution
    draws = rng(10)
    for t in found:
        rows = draws.integers(30, size=30)
        again = p.probs[rows]
        drawn = [literal.label_at(row, u) for row, u in zip(again, draws.random(30), strict=True)]
        assert t == pytest.approx(estimator(Predictions.from_arrays(again, drawn)), abs=1e-13)


# --- distribution-free bounds -----------------------------------------------


@each("n", [1, 2, 7, 250, 10_000])
@each("t", [0.0, 1e-6, 0.004, 0.1, 0.7, 2.0])
def test_distribution_free_bounds_against_the_formulas(n, t) -> None:
    p = problem(n, 3, n)
    for estimator in ("biased", "unbiased", "linear"):
        found = DistributionFreeSKCETest(SKCE(KERNEL, estimator)).of_statistic(p, t)
        assert found.pvalue == pytest.approx(literal.distribution_free(estimator, n, t), rel=1e-12)
        assert (found.statistic, found.promise, found.null_distribution) == (t, "bound", None)
    given = DistributionFreeSKCETest(SKCE(KERNEL, "biased"), given_predictions=True).of_statistic(p, t)
    assert given.pvalue == pytest.approx(
        literal.given_predictions(p.probs.tolist(), t), rel=1e-10, abs=1e-300
    )


def test_distribution_free_bounds_by_hand() -> None:
    """n = 200, t = 0.09: √(200·0.09/2) = 3, e^{−2}; and ⌊200/2⌋·0.09²/8 = 0.10125."""
    p = constant(0.5, 200)
    assert DistributionFreeSKCETest(SKCE(KERNEL, "biased")).of_statistic(p, 0.09).pvalue == pytest.approx(
        exp(-2)
    )
    for estimator in ("unbiased", "linear"):
        test = DistributionFreeSKCETest(SKCE(KERNEL, estimator))
        assert test.of_statistic(p, 0.09).pvalue == pytest.approx(exp(-0.10125), rel=1e-12)
        for t in (0.0, -1e-9, -0.09, -2.0):
            assert test.of_statistic(p, t).pvalue == 1
    # V = ½: n(√t − √(V/n))² = (√18 − √½)² = 12.5
    given = DistributionFreeSKCETest(SKCE(KERNEL, "biased"), given_predictions=True)
    assert given.of_statistic(p, 0.09).pvalue == pytest.approx(exp(-12.5), rel=1e-12)


def test_distribution_free_tests_use_the_estimate() -> None:
    p = problem(40, 3, 11)
    for estimator in ("biased", "unbiased", "linear"):
        t = literal.skce(estimator, LITERAL, p.probs.tolist(), p.labels.tolist())
        found = DistributionFreeSKCETest(SKCE(KERNEL, estimator))(p)
        assert found.statistic == pytest.approx(t, rel=1e-12)
        assert found.pvalue == pytest.approx(literal.distribution_free(estimator, 40, t), rel=1e-10)


@pytest.mark.parametrize("estimator", ["unbiased", "linear"])
def test_the_bound_given_the_predictions_is_for_the_biased_estimator_only(estimator) -> None:
    with pytest.raises(InputError, match="biased estimator only"):
        DistributionFreeSKCETest(SKCE(KERNEL, estimator), given_predictions=True)(problem(10, 2, 0))


@pytest.mark.parametrize("q", [0.5, 0.3, 0.05, 0.001])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
def test_the_bounds_hold_for_one_prediction_for_all(q, n) -> None:
    """κ = 1, the worst case, and hits are binomial: P(p ≤ v) ≤ v for every value v, without simulation."""
    hits = np.arange(n + 1)
    law = binom.pmf(hits, n, q)
    biased = 2 * (hits / n - q) ** 2
    squares = (2 * (1 - q) ** 2 * hits + 2 * q**2 * (n - hits)) / n
    statistics = {"biased": biased}
    if n > 1:
        statistics["unbiased"] = (n * biased - squares) / (n - 1)
    for estimator, values in statistics.items():
        for given in (False, True) if estimator == "biased" else (False,):
            test = DistributionFreeSKCETest(SKCE(KERNEL, estimator), given)
            pvalues = np.array([test.of_statistic(constant(q, n), t).pvalue for t in values])
            for v in pvalues:
                assert law[pvalues <= v].sum() <= v + 1e-12


# --- asymptotic -------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5, 20, 41])
def test_asymptotic_linear_against_the_formula(n: int) -> None:
    p = problem(n, 3, n)
    g, y = p.probs.tolist(), p.labels.tolist()
    terms = [literal.h(LITERAL, g[i], y[i], g[i + 1], y[i + 1]) for i in range(0, 2 * floor(n / 2), 2)]
    t, blocks = sum(terms) / len(terms), len(terms)
    sigma = sqrt(sum((h - t) ** 2 for h in terms) / (blocks - 1))
    found = AsymptoticBlockSKCETest(SKCE(KERNEL, "linear"))(p)
    assert found.statistic == pytest.approx(t, rel=1e-12)
    assert found.pvalue == pytest.approx(1 - norm.cdf(sqrt(blocks) * t / sigma), rel=1e-9)
    assert found.promise == "asymptotic"


@each("blocks", range(2, 30))
def test_asymptotic_linear_with_equal_terms_is_not_defined_above_zero_and_one_below(blocks: int) -> None:
    test = AsymptoticBlockSKCETest(SKCE(KERNEL, "linear"))
    assert np.isnan(test(constant(0.3, 2 * blocks)).pvalue)  # every term 2·0.3²
    alternating = Predictions.from_arrays(np.tile([0.3, 0.7], (2 * blocks, 1)), [0, 1] * blocks)
    assert test(alternating).pvalue == 1  # every term −2·0.3·0.7
    right = Predictions.from_arrays(np.tile([1.0, 0.0], (2 * blocks, 1)), [0] * 2 * blocks)
    assert test(right).pvalue == 1  # every term 0


@pytest.mark.parametrize("n", [1, 2, 3])
def test_asymptotic_tests_need_cases(n: int) -> None:
    p = problem(n, 2, 0)
    with pytest.raises(InputError, match="at least 4"):
        AsymptoticBlockSKCETest(SKCE(KERNEL, "linear"))(p)
    if n == 1:
        with pytest.raises(InputError, match="at least 2"):
            AsymptoticSKCETest(SKCE(KERNEL), 9)(p, rng())


@pytest.mark.parametrize(("n", "m"), [(2, 2), (3, 3), (12, 2), (25, 4)])
def test_asymptotic_bootstrap_against_the_literal_pairs(n, m) -> None:
    """T′ ≥ n/(n−1)·SKCE_uq − SKCE_b, decided on the very same resampled rows."""
    p = problem(n, m, n)
    result = AsymptoticSKCETest(SKCE(KERNEL), 15)(p, rng(12))
    H = literal.h_matrix(LITERAL, p.probs.tolist(), p.labels.tolist())
    biased = sum(map(sum, H)) / n**2
    unbiased = sum(H[i][j] for i in range(n) for j in range(i)) * 2 / (n * (n - 1))
    draws = rng(12)
    expected = [literal.bootstrap_statistic(H, draws.integers(n, size=n).tolist()) for _ in range(15)]
    assert result.statistic == pytest.approx(unbiased, rel=1e-12)
    assert_allclose(n / (n - 1) * result.null_distribution - biased, expected, rtol=0, atol=1e-12)
    threshold = n / (n - 1) * unbiased - biased
    assert result.pvalue == literal.monte_carlo_pvalue(threshold - 1e-12, expected)
    assert (result.promise, result.n_resamples) == ("asymptotic", 15)


def test_a_rule_is_resolved_on_the_predictions_in_every_kernel_test() -> None:
    p = w19_model("M3", n=60)
    by_rule = SKCE(ExponentialKernel("median", "total-variation"))
    number = by_rule.resolved(p)
    assert number.kernel.bandwidth != "median"
    for test in (lambda e: ExactTest(e, 49), lambda e: AsymptoticSKCETest(e, 49), DistributionFreeSKCETest):
        assert test(by_rule)(p, rng(1)).pvalue == test(number)(p, rng(1)).pvalue


def test_an_undefined_pvalue_is_nan_and_not_a_number_that_could_be_compared() -> None:
    assert not AsymptoticBlockSKCETest(SKCE(KERNEL, "linear"))(constant(0.3, 14)).pvalue <= 0.05


def test_the_bootstrap_does_not_depend_on_how_the_redraws_are_cut(monkeypatch) -> None:
    p = w19_model("M2", 60, 4, np.random.default_rng(3))
    test = AsymptoticSKCETest(SKCE(ExponentialKernel(0.5)), 50)
    whole = test(p, np.random.default_rng(1))
    monkeypatch.setattr(hypothesis_tests.asymptotic, "_COUNTS_BYTES", 8 * 60 * 7)
    cut = test(p, np.random.default_rng(1))
    assert_allclose(cut.null_distribution, whole.null_distribution, rtol=0, atol=1e-15)
    assert cut.pvalue == whole.pvalue
