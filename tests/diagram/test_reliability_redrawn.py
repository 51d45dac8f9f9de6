"""Reliability with bars from redrawn labels: always so for three classes and more."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, EqualMassBinning, SimplexBinning, UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.numerics.resampling import draw_labels
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles import literal_reliability as literal

RNG = np.random.default_rng


def made(g: np.ndarray, seed: int = 0) -> Predictions:
    return Predictions.from_arrays(g, draw_labels(np.asarray(g), RNG(seed)))


def two_class(x: np.ndarray) -> Predictions:
    return made(np.column_stack([x, 1 - x]))


def rows_in_order(p: Predictions, binning: Binning) -> list[list[int]]:
    """Rows of every bin, by the bins' mean first-class prediction."""
    groups = literal.rows_by_bin(binning.assign(p.probs).tolist())
    return sorted(groups, key=lambda rows: p.probs[rows, 0].mean())


def test_redrawn_bars_agree_with_exact_ones():
    """A redrawn quantile is a count at which the exact law reaches the level, within 4.5 standard errors."""
    p = two_class(RNG(0).beta(0.7, 0.7, 500))
    n_resamples = 4000
    r = reliability(p, UniformBinning(10), bars="resampled", n_resamples=n_resamples, rng=RNG(1))
    exact = reliability(p, UniformBinning(10))
    assert (r.bars, exact.bars) == ("resampled", "exact")
    for name in ("counts", "mean_prediction", "observed", "deviation", "histogram"):
        assert_array_equal(getattr(r, name), getattr(exact, name))
    for i in range(r.n_bins):
        x = p.probs[(p.probs[:, 0] >= r.lowest[i]) & (p.probs[:, 0] <= r.highest[i]), 0]
        cdf = stats.poisson_binom(x).cdf(np.arange(len(x) + 1))
        for level, end in ((0.05, r.low[i]), (0.95, r.high[i])):
            count = (end + x.mean()) * len(x)
            assert abs(count - round(count)) < 1e-9
            count, error = round(count), 4.5 * math.sqrt(level * (1 - level) / n_resamples)
            assert cdf[count] >= level - error
            assert count == 0 or cdf[count - 1] <= level + error
    assert (np.abs(r.low - exact.low) <= 1.001 / r.counts).all()
    assert (np.abs(r.high - exact.high) <= 1.001 / r.counts).all()
    assert r.expected_outside == pytest.approx(exact.expected_outside, abs=0.25)


def test_redrawn_quantiles_are_drawn_values_by_the_inverted_cdf():
    g = RNG(2).dirichlet(np.ones(3), 30)
    p = made(g)
    for n_resamples in (7, 20, 99):
        r = reliability(p, SimplexBinning(1), (0.1, 0.9), n_resamples=n_resamples, rng=RNG(3))
        drawn = np.concatenate(list(redrawn_labels(p, n_resamples, RNG(3))))
        distances = sorted(
            0.5 * np.abs(np.bincount(labels, minlength=3) / 30 - g.mean(axis=0)).sum() for labels in drawn
        )
        ends = [distances[math.ceil(round(n_resamples * level, 9)) - 1] for level in (0.1, 0.9)]
        assert [r.low[0], r.high[0]] == pytest.approx(ends, abs=1e-12)


def test_more_classes_deviate_by_total_variation():
    p = made(RNG(4).dirichlet(np.ones(4), 200))
    r = reliability(p, UniformBinning(2), n_resamples=50, rng=RNG(5))
    assert r.n_bins > 3
    assert r.bars == "resampled"
    for predicted, seen, deviation in zip(r.mean_prediction, r.observed, r.deviation, strict=True):
        assert deviation == pytest.approx(sum(abs(a - b) for a, b in zip(seen, predicted, strict=True)) / 2)
    index = UniformBinning(2).assign(p.probs)
    meant = sorted(
        (len(rows), *p.probs[rows].mean(axis=0), *p.onehot()[rows].mean(axis=0))
        for rows in literal.rows_by_bin(index.tolist())
    )
    found = sorted(zip(r.counts, *r.mean_prediction.T, *r.observed.T, strict=True))
    assert_allclose(found, meant, atol=1e-12)


def test_bars_of_three_classes_against_the_exact_law_of_the_distance():
    """Every way in which the labels of a bin can come out, against 20,000 redraws."""
    g = np.round(RNG(6).dirichlet(np.ones(3) * 2, 14), 2)
    g[:, 2] = 1 - g[:, 0] - g[:, 1]
    n_resamples, levels = 20_000, (0.05, 0.95)
    p = made(np.abs(g))
    r = reliability(p, UniformBinning(2), levels, n_resamples=n_resamples, rng=RNG(7))
    chance = 0.0
    for i, rows in enumerate(rows_in_order(p, UniformBinning(2))):
        law = literal.law_of_the_distance(p.probs[rows].tolist())
        values, cdf = np.array(list(law)), np.cumsum(list(law.values()))
        for level, end in zip(levels, (r.low[i], r.high[i]), strict=True):
            at = int(np.argmin(np.abs(values - end)))
            assert abs(values[at] - end) < 1e-9
            error = 4.5 * math.sqrt(level * (1 - level) / n_resamples)
            assert cdf[at] >= level - error
            assert at == 0 or cdf[at - 1] <= level + error
        probabilities = np.array(list(law.values()))
        chance += probabilities[values > r.high[i] + 1e-9].sum()
    assert r.expected_outside == pytest.approx(chance, abs=4.5 * 0.5 * r.n_bins / math.sqrt(n_resamples))


@pytest.mark.slow
def test_the_same_distance_as_the_end_of_a_bar_is_inside():
    """Labels that give the very end of the bar are not outside it, nor are those that fit better."""
    g = np.tile([0.1, 0.3, 0.6], (12, 1))
    p = made(g)
    r = reliability(p, UniformBinning(1), n_resamples=500, rng=RNG(8))
    inside = ends = 0
    for labels in np.concatenate(list(redrawn_labels(p, 300, RNG(9)))):
        again = reliability(
            Predictions(p.probs, labels.astype(np.int64), p.class_names), UniformBinning(1),
            n_resamples=500, rng=RNG(8),
        )  # fmt: skip
        assert_array_equal([again.low, again.high], [r.low, r.high])
        distance = round(again.deviation[0], 9)
        high = round(r.high[0], 9)
        assert again.outside.tolist() == [distance > high]
        inside += not again.outside[0]
        ends += distance == high
    assert 255 < inside < 300
    assert ends > 0


@pytest.mark.slow
def test_the_number_outside_is_as_expected_for_calibrated_models():
    p = made(RNG(10).dirichlet(np.ones(3), 150))
    r = reliability(p, SimplexBinning(3), n_resamples=4000, rng=RNG(11))
    outside = []
    for labels in np.concatenate(list(redrawn_labels(p, 3000, RNG(12)))):
        seen = [
            0.5
            * np.abs(np.bincount(labels[rows], minlength=3) / len(rows) - p.probs[rows].mean(axis=0)).sum()
            for rows in rows_in_order(p, SimplexBinning(3))
        ]
        outside.append(sum(seen > r.high + 1e-9))
    error = np.std(outside, ddof=1) * math.sqrt(1 / 3000 + 1 / 4000)
    assert abs(np.mean(outside) - r.expected_outside) < 3 * error


def test_the_same_generator_gives_the_same_bars_and_another_seed_others():
    p = made(RNG(13).dirichlet(np.ones(3), 300))
    first, again, other = (reliability(p, SimplexBinning(4), n_resamples=60, rng=RNG(s)) for s in (1, 1, 2))
    assert_array_equal([first.low, first.high], [again.low, again.high])
    assert (first.high != other.high).any()


@pytest.mark.parametrize("n_resamples", [1, 2])
def test_one_redraw_is_enough_for_a_bar(n_resamples: int):
    p = two_class(np.array([0.5, 0.5, 0.5]))
    r = reliability(p, EqualMassBinning(1), bars="resampled", n_resamples=n_resamples, rng=RNG(0))
    assert r.low[0] <= r.high[0]
    assert r.expected_outside == 0
