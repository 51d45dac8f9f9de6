"""Counts are cases; weights give estimates only."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data import counts_and_weights
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.estimators import scores
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE, block_terms
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactTest,
)
from calibcore.kernels import ExponentialKernel
from calibcore.limits import Limits
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, PooledLens, RegionLens, TopKLens
from tests.oracles import literal_exact as literal
from tests.oracles import literal_skce
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
KERNEL = ExponentialKernel(0.4, "total-variation")
LITERAL = ("exponential", "total-variation", 0.4)
G, Y = [[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]], [1, 0, 0]


def problem(n: int, m: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = RNG(seed)
    return rng.dirichlet(np.ones(m), n), rng.integers(m, size=n), rng.integers(1, 6, size=n)


# --- counts -----------------------------------------------------------------


def test_counts_repeat_rows_with_everything_that_belongs_to_them() -> None:
    p = Predictions.from_arrays(G, Y, ("a", "b"), {"id": [7, 8, 9]}, counts=[2, 0, 3])
    assert_array_equal(p.probs, np.array(G)[[0, 0, 2, 2, 2]])
    assert_array_equal(p.labels, [1, 1, 0, 0, 0])
    assert_array_equal(p.metadata["id"], [7, 7, 9, 9, 9])
    assert p.notes == ("3 rows stand for 5 independent cases: each was repeated by its count.",)
    assert p.weights is None
    assert p.rows_are_cases
    expanded = Predictions.from_arrays(np.array(G)[[0, 0, 2, 2, 2]], [1, 1, 0, 0, 0], ("a", "b"))
    assert p.fingerprint == expanded.fingerprint
    assert (
        ExactTest(SKCE(KERNEL), 19)(p, RNG(0)).pvalue == ExactTest(SKCE(KERNEL), 19)(expanded, RNG(0)).pvalue
    )
    assert not any(array.flags.writeable for array in (p.probs, p.labels, p.metadata["id"]))


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([1, 1.5, -2], "Row 2 has count 1.5; row 3 has count -2. Expected whole numbers from 0 up"),
        ([1, np.nan, np.inf], "Row 2 has count nan; row 3 has count inf."),
        ([0, 0, 0], "All counts are 0; expected at least one case."),
        ([1, 2], r"The counts have shape \(2,\); expected \(3,\), one a row."),
        (["1", "2", "3"], "The counts are of type <U1; expected numbers."),
        ([1, 1, 1e18], "add up to 1,000,000,000,000,000,000 cases; the limit is 2,000,000"),
    ],
)
def test_counts_that_cannot_be_used(counts, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Predictions.from_arrays(G, Y, counts=counts)


def test_counts_respect_the_limit_of_rows(monkeypatch) -> None:
    monkeypatch.setattr(counts_and_weights.limits, "LIMITS", Limits(threads=1, max_rows=5))
    assert Predictions.from_arrays(G, Y, counts=[1, 2, 2]).n == 5
    with pytest.raises(InputError, match=r"add up to 6 cases; the limit is 5 \(CALIBLENS_MAX_ROWS\)"):
        Predictions.from_arrays(G, Y, counts=[1, 2, 3])


# --- weights ----------------------------------------------------------------


def test_weights_are_kept_with_mean_one() -> None:
    p = Predictions.from_arrays(G, Y, weights=[1, 2, 6])
    assert_allclose(p.weights, [1 / 3, 2 / 3, 2], rtol=1e-15)
    assert not p.weights.flags.writeable
    assert p.notes == ("The cases are weighted: weights give estimates only, no tests.",)
    assert not p.rows_are_cases


def test_equal_weights_are_none_and_the_fingerprint_knows_weights() -> None:
    plain = Predictions.from_arrays(G, Y)
    equal = Predictions.from_arrays(G, Y, weights=[0.3] * 3)
    assert equal.weights is None
    assert equal.notes == ("The weights are all equal, so they change nothing.",)
    # The digest of these three cases from before there were weights.
    before = "e678ab6e5751ed61e1af85115451e3488cb4df8d7dbce7e76565cd314f1931cc"
    assert equal.fingerprint == plain.fingerprint == before
    one, other, scaled = (
        Predictions.from_arrays(G, Y, weights=w).fingerprint for w in ([1, 2, 3], [1, 3, 2], [2, 4, 6])
    )
    assert len({one, other, plain.fingerprint}) == 3
    assert one == scaled


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1, 0, -2.5], "Row 2 has weight 0; row 3 has weight -2.5. Expected numbers above 0."),
        ([np.inf, 1, np.nan], "Row 1 has weight inf; row 3 has weight nan."),
        ([[1], [2], [3]], r"The weights have shape \(3, 1\)"),
        (
            [1e-200, 1, 1e200],
            "go from 1e-200 to 1e\\+200; expected the largest to be at most 1,000,000,000 times",
        ),
        (["a", "b", "c"], "expected numbers"),
    ],
)
def test_weights_that_cannot_be_used(weights, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Predictions.from_arrays(G, Y, weights=weights)


def test_counts_and_weights_exclude_each_other() -> None:
    with pytest.raises(InputError, match="There are counts and weights; expected one of them"):
        Predictions.from_arrays(G, Y, counts=[1, 2, 3], weights=[1, 2, 3])


# --- estimates --------------------------------------------------------------


def weighted(g, y, w) -> Predictions:
    return Predictions.from_arrays(g, y, weights=w)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (13, 2), (30, 3), (25, 5)])
def test_whole_weights_estimate_what_the_repeated_rows_estimate(n: int, m: int) -> None:
    """ECE, MCE, scores and the biased SKCE exactly; the unbiased leaves out more pairs of copies."""
    g, y, w = problem(n, m, n)
    w[0] = 7
    ours, repeated = weighted(g, y, w), Predictions.from_arrays(g, y, counts=w)
    for estimator in (ECE(), MCE(), ECE(UniformBinning(3), "squared-euclidean"), SKCE(KERNEL, "biased")):
        assert estimator(ours) == pytest.approx(estimator(repeated), rel=1e-12)
    for score in (scores.accuracy, scores.brier, scores.log_loss):
        assert score(ours) == pytest.approx(score(repeated), rel=1e-12)
    assert scores.with_standard_errors(ours)[0] == pytest.approx(scores.with_standard_errors(repeated)[0])


@FEW
@given(predictions(cases=(2, 12)), st.data())
def test_estimates_against_the_definitions(p: Predictions, data) -> None:
    w = data.draw(st.lists(st.sampled_from([0.01, 0.5, 1.0, 3.0, 1e4]), min_size=p.n, max_size=p.n))
    q = Predictions.from_arrays(p.probs, p.labels, weights=w)
    g, y = p.probs.tolist(), p.labels.tolist()
    binning = UniformBinning(4)
    expected = literal.weighted_ece(g, y, w, binning.assign(p.probs).tolist())
    assert ECE(binning)(q) == pytest.approx(expected, abs=1e-12)
    skce = literal.weighted_skce(literal_skce.h_matrix(LITERAL, g, y), w)
    for name in ("biased", "unbiased"):
        assert SKCE(KERNEL, name)(q) == pytest.approx(skce[name], abs=1e-10)


def test_equal_weights_estimate_as_none_do() -> None:
    g, y, _ = problem(40, 3, 0)
    plain = Predictions.from_arrays(g, y)
    equal = Predictions(plain.probs, plain.labels, plain.class_names, weights=np.ones(40))
    for estimator in (ECE(), MCE(), SKCE(KERNEL), SKCE(KERNEL, "biased")):
        assert estimator(equal) == pytest.approx(estimator(plain), rel=1e-13)
    for found, expected in zip(*map(scores.with_standard_errors, (equal, plain)), strict=True):
        assert found == pytest.approx(expected, rel=1e-13)


def test_the_weighted_standard_error_is_that_of_a_ratio() -> None:
    """By hand: hits 1, 0, 1 with weights 1, 2, 3: mean 4/6, √(3/2·(1/9 + 16/9 + 1)) / 6."""
    p = weighted([[0.2, 0.8], [0.3, 0.7], [0.9, 0.1]], [1, 0, 0], [1, 2, 3])
    means, errors = scores.with_standard_errors(p)
    assert means["accuracy"] == pytest.approx(4 / 6)
    assert errors["accuracy"] == pytest.approx(np.sqrt(1.5 * (1 / 9 + 16 / 9 + 1)) / 6)


def test_the_unbiased_estimate_is_unbiased_under_calibration() -> None:
    """Over all outcomes of four cases, exactly 0; the biased one is not."""
    g, _, w = problem(4, 3, 2)
    w = w + 0.5 * np.arange(4)
    means = dict.fromkeys(("unbiased", "biased"), 0.0)
    for y in np.ndindex(3, 3, 3, 3):
        chance = np.prod(g[np.arange(4), y])
        for name in means:
            means[name] += chance * SKCE(KERNEL, name)(weighted(g, np.array(y), w))
    assert means["unbiased"] == pytest.approx(0, abs=1e-14)
    assert means["biased"] > 0.01


def test_a_diagram_of_weighted_cases_has_weighted_means_and_no_bars() -> None:
    g, y, w = problem(60, 2, 3)
    ours = reliability(weighted(g, y, w), UniformBinning(5))
    repeated = reliability(Predictions.from_arrays(g, y, counts=w), UniformBinning(5))
    for name in ("mean_prediction", "observed", "deviation", "lowest", "highest"):
        assert_allclose(getattr(ours, name), getattr(repeated, name), atol=1e-13)
    assert_array_equal(ours.counts, reliability(Predictions.from_arrays(g, y), UniformBinning(5)).counts)
    assert ours.bars == "none"
    assert np.isnan([ours.low, ours.high]).all()
    assert not ours.outside.any()
    assert ours.expected_outside == 0


@pytest.mark.parametrize("binning", [EqualMassBinning(4), MedianVarianceBinning(5)])
def test_weights_do_not_move_bins(binning) -> None:
    g, y, w = problem(60, 2, 3)
    expected = literal.weighted_ece(g.tolist(), y.tolist(), w.tolist(), binning.assign(g).tolist())
    assert ECE(binning)(weighted(g, y, w)) == pytest.approx(expected, abs=1e-13)


# --- lenses and refusals ----------------------------------------------------


def test_every_lens_carries_weights() -> None:
    g, y, w = problem(30, 3, 4)
    p = weighted(g, y, w)
    for lens in (
        CanonicalLens(),
        TopKLens(1),
        TopKLens(2),
        ClassLens("1"),
        GroupsLens({"a": "01", "b": "2"}),
    ):
        assert_array_equal(lens(p).weights, p.weights)
    region = RegionLens(TopKLens(1), "0", 0.2, 0.7)
    kept = w[region.rows(p)]
    assert_allclose(region(p).weights, kept / kept.mean(), rtol=1e-14)
    assert not region(p).weights.flags.writeable
    assert_allclose(PooledLens()(p).weights, np.repeat(p.weights, 3), rtol=1e-14)
    rows = np.array([3, 3, 0])
    assert_allclose(p.with_cases(rows).weights, w[rows] / w[rows].mean(), rtol=1e-14)


@pytest.mark.parametrize(
    "test",
    [
        ExactTest(ECE(), 9),
        ExactTest(SKCE(KERNEL), 9, stop_at=2),
        ConsistencyTest(ECE(), 9),
        DistributionFreeSKCETest(SKCE(KERNEL, "biased")),
        AsymptoticSKCETest(SKCE(KERNEL), 9),
        AsymptoticBlockSKCETest(SKCE(KERNEL, "linear")),
        SKCE(KERNEL, "linear"),
        lambda p, _rng: block_terms(p, KERNEL, 2),
        lambda p, _rng: DistributionFreeSKCETest(SKCE(KERNEL)).of_statistic(p, 0.1),
        *(
            lambda p, _rng, e=estimator: e.redrawn(p, p.labels[None])
            for estimator in (ECE(), MCE(), SKCE(KERNEL), SKCE(KERNEL, "linear"))
        ),
    ],
)
def test_weights_give_estimates_only(test) -> None:
    g, y, w = problem(20, 3, 5)
    with pytest.raises(InputError, match="The cases are weighted: weights give estimates only"):
        test(weighted(g, y, w), RNG(0)) if not isinstance(test, SKCE) else test(weighted(g, y, w))
