"""The pooled lens: all pairs of a probability and whether the class happened (V19 Example 4)."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.examples import w19_model
from calibcore.data.labels import pooled_labels
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.bins import bins_of, pooled_hit_chances
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactTest,
)
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.numerics.resampling import draw_labels
from calibcore.transforms import lenses
from calibcore.transforms.lenses import CanonicalLens, PooledLens, RegionLens, TopKLens
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles import literal_exact as literal
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
KERNEL = ExponentialKernel(0.5)
POOLED = PooledLens()


def problem(n: int, m: int, seed: int) -> Predictions:
    rng = RNG(seed)
    return Predictions.from_arrays(rng.dirichlet(np.ones(m), n), rng.integers(m, size=n))


@FEW
@given(predictions())
def test_pairs_against_the_definition(p: Predictions) -> None:
    q = POOLED(p)
    probs, labels = literal.pooled(p.probs.tolist(), p.labels.tolist())
    assert_allclose(q.probs, probs, atol=1e-15)
    assert_array_equal(q.labels, labels)
    assert_allclose(q.probs.sum(axis=1), np.repeat(p.probs.sum(axis=1), p.m), atol=1e-14)
    assert q.class_names == ("hit", "miss")
    assert (q.n, q.m) == (p.n * p.m, 2)
    assert (q.probs >= 0).all()
    assert not q.probs.flags.writeable
    assert q.pooled_from is p is q.cases
    assert p.rows_are_cases
    assert not q.rows_are_cases
    assert q.impossible_outcomes == p.impossible_outcomes
    assert q.labels_ordered == p.labels_ordered


def test_pairs_keep_the_metadata_of_their_case() -> None:
    p = Predictions.from_arrays([[0.1, 0.9], [0.4, 0.6]], [0, 1], metadata={"age": [30, 40]})
    assert_array_equal(POOLED(p).metadata["age"], [30, 30, 40, 40])


@FEW
@given(predictions(cases=(1, 8)))
def test_redrawn_labels_are_those_of_the_cases_pooled(p: Predictions) -> None:
    q = POOLED(p)
    drawn = np.concatenate(list(redrawn_labels(q, 17, RNG(4))))
    cases = np.concatenate(list(redrawn_labels(p, 17, RNG(4))))
    assert_array_equal(drawn, [literal.pooled(p.probs.tolist(), y)[1] for y in cases.tolist()])
    assert ((drawn.reshape(17, p.n, p.m) == 0).sum(axis=2) == 1).all()
    assert drawn.dtype == cases.dtype


def test_redraws_do_not_depend_on_blocks(monkeypatch) -> None:
    q = POOLED(problem(20, 5, 0))
    whole = np.concatenate(list(redrawn_labels(q, 13, RNG(4))))
    monkeypatch.setattr("calibcore.transforms.redraws._BLOCK_BYTES", 350)
    blocks = list(redrawn_labels(q, 13, RNG(4)))
    assert max(len(block) for block in blocks) == 2
    assert_array_equal(np.concatenate(blocks), whole)


@pytest.mark.parametrize("estimator", [ECE(UniformBinning(5)), MCE(), SKCE(KERNEL), SKCE(KERNEL, "linear")])
def test_the_exact_test_pools_what_was_redrawn(estimator) -> None:
    p = problem(15, 3, 1)
    result = ExactTest(estimator, 25)(POOLED(p), RNG(2))
    labels = np.concatenate(list(redrawn_labels(p, 25, RNG(2)))).astype(np.int64)
    expected = [estimator(POOLED(Predictions.from_arrays(p.probs, y))) for y in labels]
    assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-13)
    assert result.promise == "exact"
    assert result.details["tests"] == "canonical calibration"


@pytest.mark.parametrize("estimator", [ECE(UniformBinning(5)), ECE(EqualMassBinning(4)), SKCE(KERNEL)])
def test_consistency_resampling_takes_whole_cases(estimator) -> None:
    p = problem(12, 3, 3)
    found = ConsistencyTest(estimator, 8)(POOLED(p), RNG(5)).null_distribution
    rng = RNG(5)
    for t in found:
        g = p.probs[rng.integers(12, size=12)]
        again = Predictions.from_arrays(g, draw_labels(g, rng))
        assert t == pytest.approx(estimator(POOLED(again)), abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "concentration", "bins", "level", "sign"), [(10, 1.0, 5, 0.5, -1), (2, 5.0, 6, 0.05, 1)]
)
def test_redrawing_cases_keeps_the_level_and_redrawing_pairs_does_not(
    m, concentration, bins, level, sign
) -> None:
    """400 calibrated sets; the level within 3.5 standard deviations, of redrawn pairs off by 5 or more."""
    rng = RNG(17)
    test = ExactTest(ECE(UniformBinning(bins)), 99)
    found = []
    for _ in range(400):
        g = rng.dirichlet(np.full(m, concentration), 30)
        q = POOLED(Predictions.from_arrays(g, draw_labels(g, rng)))
        found.append((test(q, rng).pvalue, test(Predictions.from_arrays(q.probs, q.labels), rng).pvalue))
    ours, naive = np.array(found).T
    for alpha in (0.05, 0.1, 0.5):
        assert abs(np.mean(ours <= alpha) - alpha) <= 3.5 * np.sqrt(alpha * (1 - alpha) / 400)
    assert sign * (np.mean(naive <= level) - level) >= 5 * np.sqrt(level * (1 - level) / 400)


# --- bars -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "binning"), [(5, 3, UniformBinning(2)), (4, 4, UniformBinning(3)), (6, 2, UniformBinning(1))]
)
def test_the_law_of_the_hits_in_a_bin_against_all_outcomes(n, m, binning) -> None:
    p = problem(n, m, n)
    q = POOLED(p)
    bins = bins_of(q.probs, binning)
    for b, chances in enumerate(pooled_hit_chances(q, bins)):
        expected = np.array(literal.pooled_hits(p.probs.tolist(), bins.index.tolist(), b))
        law = np.zeros(n + 1)
        law[: len(chances) + 1] = hits_distribution(chances)
        assert_allclose(law, expected, atol=1e-12)


def test_all_pairs_in_one_bin_hit_once_a_case() -> None:
    """Nothing is left to chance: the bar is a point, and the deviation lies on it."""
    diagram = reliability(POOLED(problem(20, 5, 2)), UniformBinning(1))
    assert_allclose([diagram.low, diagram.high, diagram.deviation], 0, atol=1e-12)
    assert not diagram.outside.any()
    assert diagram.expected_outside == pytest.approx(0, abs=1e-12)


def test_exact_bars_agree_with_redrawn_ones() -> None:
    q = POOLED(w19_model("M1", 200, 5, RNG(3)))
    exact = reliability(q, UniformBinning(4))
    redrawn = reliability(q, UniformBinning(4), bars="resampled", n_resamples=20_000, rng=RNG(0))
    for found, expected in ((redrawn.low, exact.low), (redrawn.high, exact.high)):
        assert (np.abs(found - expected) * exact.counts <= 1 + 1e-9).all()  # one hit more or less
    assert redrawn.expected_outside == pytest.approx(exact.expected_outside, abs=0.05)
    independent = reliability(Predictions.from_arrays(q.probs, q.labels), UniformBinning(4))
    assert (independent.high - independent.low > exact.high - exact.low + 1e-9).any()


# --- what pooled pairs are not ----------------------------------------------


@pytest.mark.parametrize(
    "test",
    [
        DistributionFreeSKCETest(SKCE(KERNEL, "biased")),
        DistributionFreeSKCETest(SKCE(KERNEL, "biased"), given_predictions=True),
        DistributionFreeSKCETest(SKCE(KERNEL)),
        AsymptoticBlockSKCETest(SKCE(KERNEL, "linear")),
        AsymptoticSKCETest(SKCE(KERNEL), 9),
    ],
    ids=repr,
)
def test_tests_of_independent_rows_refuse_pairs(test) -> None:
    with pytest.raises(InputError, match="test needs independent rows, and the pooled pairs"):
        test(POOLED(problem(10, 3, 0)), RNG(0))


def test_a_bound_of_an_estimate_that_is_there_is_refused_too() -> None:
    with pytest.raises(InputError, match="independent rows"):
        DistributionFreeSKCETest(SKCE(KERNEL)).of_statistic(POOLED(problem(10, 3, 0)), 0.1)


def test_pairs_are_not_taken_apart() -> None:
    q = POOLED(problem(10, 3, 0))
    for look in (lambda: q.with_rows(np.arange(3)), lambda: TopKLens(1)(q), lambda: POOLED(q)):
        with pytest.raises(InputError, match="Pooled pairs of one case belong together"):
            look()


def test_cases_are_taken_whole_and_in_any_order() -> None:
    p = problem(6, 3, 0)
    rows = np.array([4, 0, 4])
    found, expected = POOLED(p).with_cases(rows), POOLED(p.with_rows(rows))
    assert found.fingerprint == expected.fingerprint
    assert found.cases.fingerprint == p.with_rows(rows).fingerprint
    assert_array_equal(found.with_cases(np.arange(3), np.array([2, 1, 0])).cases.labels, [2, 1, 0])
    assert p.with_cases(rows).fingerprint == p.with_rows(rows).fingerprint


def test_a_region_comes_before_pooling() -> None:
    p = problem(30, 3, 0)
    q = RegionLens(POOLED, "1", 0.3, 0.6)(p)
    assert q.fingerprint == POOLED(RegionLens(CanonicalLens(), "1", 0.3, 0.6)(p)).fingerprint
    assert 0 < q.cases.n < 30


def test_there_may_be_too_many_pairs(monkeypatch) -> None:
    monkeypatch.setattr(lenses.cases, "MOST_PAIRS", 29)
    with pytest.raises(InputError, match="10 cases over 3 classes make 30 pairs; expected 29 at most"):
        POOLED(problem(10, 3, 0))


def test_labels_of_any_shape_and_type() -> None:
    for dtype in (np.int8, np.int16, np.int64):
        found = pooled_labels(np.array([[0, 2], [1, 1]], dtype), 3)
        assert_array_equal(found, [[0, 1, 1, 1, 1, 0], [1, 0, 1, 1, 0, 1]])
        assert found.dtype == dtype


def test_bare_pairs_come_of_bare_cases() -> None:
    cases = Predictions.from_arrays([[0.2, 0.8], [0.5, 0.5]], [0, 1], metadata={"who": ["a", "b"]})
    happened = cases.probs.reshape(-1)
    bare = cases.pooled(np.column_stack([1 - happened, happened])).bare()
    assert bare.pooled_from is not None
    assert not bare.metadata
    assert not bare.pooled_from.metadata
    assert bare.pooled_from.fingerprint == cases.fingerprint
