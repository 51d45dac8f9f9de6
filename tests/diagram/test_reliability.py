"""Reliability with two classes: the table of bins and their exact consistency bars."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.diagram.bins import bins_by_number, bins_of
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.numerics.resampling import draw_labels
from tests.oracles import literal_reliability as literal
from tests.strategies import FEW, predictions

BINNINGS = [UniformBinning(5), EqualMassBinning(3), MedianVarianceBinning(3), MeanVarianceBinning(6)]
PER_BIN = (
    "counts",
    "lowest",
    "highest",
    "mean_prediction",
    "observed",
    "deviation",
    "low",
    "high",
    "outside",
)


def two_class(x: np.ndarray, labels: np.ndarray | None = None) -> Predictions:
    g = np.column_stack([x, 1 - x])
    return Predictions.from_arrays(g, np.zeros(len(g), int) if labels is None else labels, ("yes", "no"))


def in_one_bin(x: np.ndarray, hits: int, **others) -> Reliability:
    """One bin in which the first ``hits`` cases hit."""
    return reliability(two_class(x, (np.arange(len(x)) >= hits).astype(int)), UniformBinning(1), **others)


# The table.


def test_four_cases_by_hand():
    p = two_class(np.array([0.2, 0.4, 0.8, 0.9]), np.array([1, 0, 0, 0]))
    r = reliability(p, UniformBinning(2))
    assert r.class_names == ("yes", "no")
    assert_array_equal(r.counts, [2, 2])
    assert_allclose(r.mean_prediction, [[0.3, 0.7], [0.85, 0.15]])
    assert_allclose(r.observed, [[0.5, 0.5], [1, 0]])
    assert_allclose(r.deviation, [0.2, 0.15])
    assert_allclose([r.lowest, r.highest], [[0.2, 0.8], [0.4, 0.9]])
    # P(S = 0, 1, 2) is 0.48, 0.44, 0.08 in the first bin and 0.02, 0.26, 0.72 in the second.
    assert_allclose(r.low, [0 - 0.3, 0.5 - 0.85])
    assert_allclose(r.high, [1 - 0.3, 1 - 0.85])
    assert r.outside.tolist() == [False, False]
    assert r.expected_outside == pytest.approx(0.02)
    assert (r.bars, r.interval, r.n_bins) == ("exact", (0.05, 0.95), 2)


AT_A_ROUNDED_ZERO = Predictions.from_arrays([[0.1, 0.9], [0.1, 0.9], [0.0, 1.0]], [0, 0, 0])


@FEW
@example(AT_A_ROUNDED_ZERO, UniformBinning(2), 0.2)
@given(
    predictions(classes=(2, 2), cases=(1, 30)), st.sampled_from(BINNINGS), st.sampled_from([0.01, 0.05, 0.2])
)
def test_the_table_against_a_loop_over_bins_and_cases(p: Predictions, binning: Binning, level: float):
    interval = (level, 1 - level)
    r = reliability(p, binning, interval)
    index, kept = binning.assign(p.probs).tolist(), set(p.kept.tolist())
    bins = literal.exact_bins(p.probs.tolist(), p.labels.tolist(), index, interval, kept)
    found = sorted(zip(*(getattr(r, name).tolist() for name in PER_BIN), strict=True))
    meant = sorted(
        (
            len(b.rows), min(p.probs[b.rows, 0]), max(p.probs[b.rows, 0]), b.mean, b.observed, b.deviation,
            b.low, b.high, b.outside,
        )
        for b in bins
    )  # fmt: skip
    assert len(found) == len(meant)
    for a, b in zip(found, meant, strict=True):
        for value, expected in zip(a, b, strict=True):
            assert_allclose(value, expected, atol=1e-12)
    assert r.expected_outside == pytest.approx(sum(b.chance for b in bins), abs=1e-10)


@FEW
@given(predictions(), st.sampled_from([*BINNINGS, SimplexBinning(4)]))
def test_bins_add_up_to_the_whole(p: Predictions, binning: Binning):
    if not binning.fits(p.m):
        return
    r = reliability(p, binning, n_resamples=20)
    assert r.counts.sum() == r.histogram.sum() == p.n
    assert_allclose(r.counts @ r.mean_prediction, p.probs.sum(axis=0), atol=1e-12)
    assert_allclose(r.counts @ r.observed, np.bincount(p.labels, minlength=p.m), atol=1e-12)
    assert (r.lowest <= r.mean_prediction[:, 0] + 1e-12).all()
    assert (r.mean_prediction[:, 0] <= r.highest + 1e-12).all()
    assert (np.diff(r.mean_prediction[:, 0]) >= 0).all()
    assert (r.low <= r.high).all()


@FEW
@given(predictions(classes=(2, 2)), st.sampled_from(BINNINGS), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(p: Predictions, binning: Binning, random):
    order = list(range(p.n))
    random.shuffle(order)
    a, b = reliability(p, binning), reliability(p.with_rows(np.array(order)), binning)
    for name in PER_BIN:
        key = np.lexsort((a.counts, a.lowest)), np.lexsort((b.counts, b.lowest))
        assert_allclose(getattr(a, name)[key[0]], getattr(b, name)[key[1]], atol=1e-12)
    assert a.expected_outside == pytest.approx(b.expected_outside, abs=1e-12)


def test_bins_are_in_the_order_of_their_mean_prediction():
    g = np.random.default_rng(0).dirichlet(np.ones(3), 300)
    p = Predictions.from_arrays(g, draw_labels(g, np.random.default_rng(1)))
    r = reliability(p, UniformBinning(4), n_resamples=50)
    assert r.n_bins > 5
    assert (np.diff(r.mean_prediction[:, 0]) > 0).all()
    for row, count in zip(r.mean_prediction, r.counts, strict=True):
        here = UniformBinning(4).assign(np.vstack([g, row]))
        assert np.count_nonzero(here[:-1] == here[-1]) == count


def test_frequencies_of_many_label_sets_are_those_of_each():
    rng = np.random.default_rng(2)
    g = rng.dirichlet(np.ones(3), 40)
    bins = bins_of(g, UniformBinning(2))
    sets = rng.integers(0, 3, (2, 5, 40)).astype(np.int8)
    together = bins.frequencies(sets)
    assert together.shape == (2, 5, bins.n_bins, 3)
    for b in range(bins.n_bins):
        for k in range(3):
            assert_allclose(together[..., b, k], (sets[..., bins.index == b] == k).mean(axis=-1), atol=1e-15)
    assert_array_equal(bins.frequencies(sets[1, 3]), together[1, 3])


def test_numbers_without_cases_make_no_bin():
    bins = bins_by_number(np.array([[0.1, 0.9], [0.3, 0.7], [0.5, 0.5]]), np.array([7, 2, 7]))
    assert bins.numbers.tolist() == [2, 7]
    assert bins.counts.tolist() == [1, 2]
    assert bins.index.tolist() == [1, 0, 1]
    assert_allclose(bins.mean_prediction, [[0.3, 0.7], [0.3, 0.7]])


def test_only_keeps_the_bins_asked_for_in_that_order():
    x = np.random.default_rng(3).random(200)
    r = reliability(two_class(x), UniformBinning(10))
    some = r.only(np.array([7, 2]))
    for name in PER_BIN:
        assert_array_equal(getattr(some, name), getattr(r, name)[[7, 2]])
    assert some.n_bins == 2
    assert_array_equal(some.histogram, r.histogram)
    for name in ("expected_outside", "interval", "bars", "class_names"):
        assert getattr(some, name) == getattr(r, name)
    assert r.only(np.array([], int)).n_bins == 0
    assert r.n_bins == 10


def test_the_histogram_counts_first_class_predictions_in_fortieths():
    x = np.random.default_rng(4).random(500)
    meant = np.bincount([math.floor(40 * value) for value in x], minlength=40)
    assert_array_equal(reliability(two_class(x), UniformBinning(3)).histogram, meant)
    ends = reliability(two_class(np.array([0.0, 0.0, 1.0])), UniformBinning(3)).histogram
    assert (ends[0], ends[-1], ends.sum()) == (2, 1, 3)


def test_a_value_on_an_edge_of_the_histogram_opens_the_interval():
    edges = np.arange(41) / 40
    assert reliability(two_class(edges), UniformBinning(3)).histogram.tolist() == [1] * 39 + [2]
    below = np.nextafter(edges[1:], 0)
    assert reliability(two_class(below), UniformBinning(3)).histogram.tolist() == [1] * 40


def test_the_histogram_keeps_a_prediction_that_rounding_put_above_1():
    p = Predictions.from_arrays([[1.000005, 0.0], [0.5, 0.5]], [0, 1])
    r = reliability(p, UniformBinning(4))
    assert (r.histogram[-1], r.histogram.sum(), r.counts.sum()) == (1, 2, 2)
    assert not r.outside.any()


# Exact bars.


@pytest.mark.parametrize(
    ("n", "x"), [(20, 0.5), (30, 0.1), (49, 0.3), (7, 0.7), (1, 0.5), (10, 0.0), (10, 1.0)]
)
def test_outside_is_strictly_outside_on_counts(n: int, x: float):
    below, above = stats.binom.ppf([0.05, 0.95], n, x)
    for hits in range(n + 1):
        r = in_one_bin(np.full(n, x), hits)
        assert r.outside.tolist() == [not below <= hits <= above]
        assert r.deviation[0] == pytest.approx(hits / n - x, abs=1e-12)
        assert [r.low[0], r.high[0]] == pytest.approx([below / n - x, above / n - x], abs=1e-12)


def test_the_bar_is_of_the_cases_own_probabilities_not_of_their_mean():
    """Certain cases leave no play; a binomial with the same mean would."""
    r = in_one_bin(np.repeat([0.0, 1.0], [30, 20]), 0)
    assert [r.low[0], r.high[0]] == pytest.approx([0, 0], abs=1e-12)
    assert r.outside.tolist() == [True]
    assert r.expected_outside == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("interval", [(0.05, 0.95), (0.025, 0.975), (0.25, 0.5), (0.005, 0.995)])
def test_levels_can_be_set(interval: tuple[float, float]):
    r = in_one_bin(np.full(40, 0.25), 10, interval=interval)
    expected = stats.binom.ppf(interval, 40, 0.25) / 40 - 0.25
    assert [r.low[0], r.high[0]] == pytest.approx(expected.tolist(), abs=1e-12)
    assert r.interval == interval


@pytest.mark.parametrize("interval", [(0.0, 0.95), (0.05, 1.0), (-1, 0.5), (0.9, 0.1)])
def test_levels_that_are_none_are_refused(interval: tuple[float, float]):
    with pytest.raises(InputError, match="expected 0 < low < high < 1"):
        in_one_bin(np.full(4, 0.25), 1, interval=interval)


@pytest.mark.parametrize("by", [9e-6, -9e-6])
def test_bars_come_from_row_over_sum(by: float):
    """P(S = 0) is ½ and not 1 − ½(1 + by), which lies on the other side of one of the levels."""
    g = np.full((1, 2), 0.5 * (1 + by))
    r = reliability(Predictions.from_arrays(g, [0]), UniformBinning(1), (0.5, 0.500001))
    assert [r.low[0], r.high[0]] == pytest.approx([0 - g[0, 0], 1 - g[0, 0]], abs=1e-12)
    assert r.expected_outside == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_the_number_outside_is_as_expected_for_calibrated_models():
    """Over 600 label sets drawn from the predictions; discreteness puts fewer than 10 % outside."""
    rng = np.random.default_rng(5)
    for x, binning in (
        (rng.beta(0.4, 0.4, 250), UniformBinning(10)),
        (rng.beta(1, 8, 150), EqualMassBinning(12)),
        (np.round(rng.random(120), 1), MedianVarianceBinning(5)),
    ):
        p = two_class(x)
        outside = []
        for _ in range(600):
            drawn = Predictions(p.probs, draw_labels(p.probs, rng), p.class_names)
            r = reliability(drawn, binning)
            outside.append(np.count_nonzero(r.outside))
        error = np.std(outside, ddof=1) / math.sqrt(600)
        assert abs(np.mean(outside) - r.expected_outside) < 3 * error
        assert r.expected_outside < 0.1 * r.n_bins
