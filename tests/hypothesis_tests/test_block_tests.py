"""The tests of the block estimator: normal approximation, its interval, and the bound."""

from math import exp, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import AsymptoticBlockSKCETest, AsymptoticSKCETest, DistributionFreeSKCETest
from calibcore.kernels import ExponentialKernel
from tests.oracles import literal_kernels as literal

FULL = ((2.0, 1.0, 0.0), (1.0, 2.0, 1.0), (0.0, 1.0, 2.0))
Z95, Z50 = 1.959963984540054, 0.6744897501960817  # normal quantiles at 0.975 and 0.75
MATRICES = {"identity": None, "weights": (1.0, 0.5, 3.0), "full": FULL}
every_matrix = pytest.mark.parametrize("M", MATRICES.values(), ids=MATRICES)


def block(size: int, M=None, bandwidth: str | float = 0.4) -> SKCE:
    return SKCE(ExponentialKernel(bandwidth, class_matrix=M), "block", block_size=size)


def problem(n: int, m: int, seed: int) -> Predictions:
    rng = np.random.default_rng(seed)
    return Predictions.from_arrays(rng.dirichlet(np.full(m, 0.5), size=n), rng.integers(m, size=n))


def literal_h(M, p: Predictions) -> np.ndarray:
    """(n, n) ``(e_y − g)ᵀ M (e_y′ − g′)·κ``, entry by entry."""
    g, y, n, m = p.probs.tolist(), p.labels.tolist(), p.n, p.m
    M = np.eye(m) if M is None else np.diag(M) if np.ndim(M) == 1 else np.array(M)
    H = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            form = sum(
                ((a == y[i]) - g[i][a]) * M[a][b] * ((b == y[j]) - g[j][b])
                for a in range(m)
                for b in range(m)
            )
            H[i, j] = literal.kappa("exponential", "euclidean", 0.4, g[i], g[j]) * form
    return H


def unbiased(H: np.ndarray) -> float:
    n = len(H)
    return sum(H[i, j] for i in range(n) for j in range(i)) / (n * (n - 1) / 2)


# --- blocks -----------------------------------------------------------------


@every_matrix
@pytest.mark.parametrize(("n", "size"), [(4, 2), (9, 2), (9, 3), (23, 5), (20, 10)])
def test_the_block_test_against_the_formula(M, n, size) -> None:
    p = problem(n, 3, n)
    H = literal_h(M, p)
    terms = [unbiased(H[i : i + size, i : i + size]) for i in range(0, n - size + 1, size)]
    blocks, t = n // size, sum(terms) / (n // size)
    assert len(terms) == blocks
    error = sqrt(sum((x - t) ** 2 for x in terms) / (blocks - 1) / blocks)
    found = AsymptoticBlockSKCETest(block(size, M))(p)
    assert found.statistic == pytest.approx(t, rel=1e-11)
    assert found.pvalue == pytest.approx(1 - norm.cdf(t / error), rel=1e-8)
    assert found.confidence_interval == pytest.approx((t - Z95 * error, t + Z95 * error), rel=1e-9)
    assert (found.promise, found.details) == ("asymptotic", {"block_size": size, "blocks": blocks})
    half = AsymptoticBlockSKCETest(block(size, M), level=0.5)(p).confidence_interval
    assert half == pytest.approx((t - Z50 * error, t + Z50 * error), rel=1e-9)


def test_blocks_of_two_are_the_linear_estimator() -> None:
    p = problem(41, 3, 1)
    one, two = (AsymptoticBlockSKCETest(e)(p) for e in (SKCE(block(2).kernel, "linear"), block(2)))
    assert (one.statistic, one.pvalue, one.confidence_interval) == (
        pytest.approx(two.statistic, rel=1e-12),
        pytest.approx(two.pvalue, rel=1e-12),
        pytest.approx(two.confidence_interval, rel=1e-12),
    )


@pytest.mark.parametrize(("n", "size"), [(3, 2), (9, 5), (4, 5), (1, 2)])
def test_fewer_than_two_blocks_are_refused(n, size) -> None:
    with pytest.raises(InputError, match=f"with blocks of {size} needs at least {2 * size}"):
        AsymptoticBlockSKCETest(block(size))(problem(n, 2, 0))


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_other_estimators_are_refused(estimator) -> None:
    with pytest.raises(InputError, match=f"given the {estimator} estimator; expected linear or block"):
        AsymptoticBlockSKCETest(SKCE(estimator=estimator))


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95, float("nan")])
def test_a_level_is_between_0_and_1(level) -> None:
    for cls, estimator in ((AsymptoticBlockSKCETest, SKCE(estimator="linear")), (AsymptoticSKCETest, SKCE())):
        with pytest.raises(InputError, match="level of the interval"):
            cls(estimator, level=level)


@pytest.mark.parametrize(("size", "blocks"), [(2, 3), (5, 2), (5, 7)])
def test_equal_terms_have_no_interval_and_no_pvalue_above_zero(size, blocks) -> None:
    """All predictions equal and all labels of one class: every term 2·0.3², or 0."""
    n = size * blocks
    wrong = Predictions.from_arrays(np.tile([0.7, 0.3], (n, 1)), np.zeros(n, int))
    right = Predictions.from_arrays(np.tile([1.0, 0.0], (n, 1)), np.zeros(n, int))
    for p, pvalue, t in ((wrong, np.nan, 0.18), (right, 1.0, 0.0)):
        found = AsymptoticBlockSKCETest(block(size, bandwidth="median"))(p)
        assert found.statistic == pytest.approx(t, rel=1e-13)
        assert_allclose(found.pvalue, pvalue)
        assert found.confidence_interval is None


def test_half_of_the_predictions_equal() -> None:
    """A kernel by the median of the positive distances; the test is defined."""
    p = problem(60, 3, 2)
    probs = p.probs.copy()
    probs[:50] = probs[0]
    half = Predictions.from_arrays(probs, p.labels)
    for size in (2, 10):
        assert 0 < AsymptoticBlockSKCETest(block(size, bandwidth="median"))(half).pvalue < 1


# --- the bound --------------------------------------------------------------


@every_matrix
@pytest.mark.parametrize(
    ("n", "size", "pairs"), [(20, 2, 10), (21, 5, 8), (20, 5, 8), (23, 10, 10), (9, 7, 3)]
)
def test_the_bound_of_blocks(M, n, size, pairs) -> None:
    """⌊n/s⌋·⌊s/2⌋ disjoint pairs; K is the spectral norm of M."""
    K = {"identity": 1, "weights": 3, "full": 2 + sqrt(2)}[next(k for k, v in MATRICES.items() if v == M)]
    p = problem(n, 3, n)
    found = DistributionFreeSKCETest(block(size, M)).of_statistic(p, 0.7)
    assert found.pvalue == pytest.approx(exp(-pairs * 0.49 / (8 * K**2)), rel=1e-12)
    for estimator in ("unbiased", "linear"):
        found = DistributionFreeSKCETest(SKCE(block(2, M).kernel, estimator)).of_statistic(p, 0.7)
        assert found.pvalue == pytest.approx(exp(-(n // 2) * 0.49 / (8 * K**2)), rel=1e-12)
    found = DistributionFreeSKCETest(SKCE(block(2, M).kernel, "biased")).of_statistic(p, 0.7)
    assert found.pvalue == pytest.approx(exp(-(max(0, sqrt(n * 0.7 / (2 * K)) - 1) ** 2) / 2), rel=1e-12)


def test_the_bound_given_the_predictions_is_for_the_identity_only() -> None:
    with pytest.raises(InputError, match="kernels without a class matrix only"):
        DistributionFreeSKCETest(SKCE(ExponentialKernel(class_matrix=(1.0, 1.0)), "biased"), True)


# --- the quadratic test -----------------------------------------------------


@every_matrix
def test_the_bootstrap_with_a_matrix_and_its_interval(M) -> None:
    p = problem(20, 3, 5)
    H = literal_h(M, p)
    found = AsymptoticSKCETest(SKCE(block(2, M).kernel), 9)(p, np.random.default_rng(1))
    t = unbiased(H)
    assert found.statistic == pytest.approx(t, rel=1e-11)
    means = [sum(H[i, j] for j in range(20) if j != i) / 19 for i in range(20)]
    sd = sqrt(sum((x - sum(means) / 20) ** 2 for x in means) / 19)
    reach = Z95 * 2 * sd / sqrt(20)
    assert found.confidence_interval == pytest.approx((t - reach, t + reach), rel=1e-9)
    rng = np.random.default_rng(1)
    for value in found.null_distribution:
        c = np.bincount(rng.integers(20, size=20), minlength=20)
        T = (c @ H @ c - c @ np.diag(H)) / (20 * 19) - 2 / 400 * c @ H.sum(axis=1)
        assert value == pytest.approx(19 / 20 * (T + H.mean()), abs=1e-13)


def test_no_interval_where_there_is_nothing_to_tell_it_from() -> None:
    two = problem(2, 3, 6)
    assert (
        AsymptoticSKCETest(SKCE(block(2).kernel), 9)(two, np.random.default_rng(0)).confidence_interval
        is None
    )
    same = Predictions.from_arrays(np.tile([0.7, 0.3], (9, 1)), np.zeros(9, int))
    assert AsymptoticSKCETest(SKCE(), 9)(same, np.random.default_rng(0)).confidence_interval is None
