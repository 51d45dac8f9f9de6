"""ECE and MCE under calibration from the law of each bin's hits: the same law as with redrawn labels."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    UniformBinning,
)
from calibcore.diagram.bins import bins_of
from calibcore.estimators import ece as ece_module
from calibcore.estimators.ece import ECE, MCE
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles import literal_skce as literal

RNG = np.random.default_rng
DISTANCES = tuple(literal.DISTANCES)


def two_class(x: np.ndarray, by: float = 0.0) -> Predictions:
    """Rows that sum to 1 + ``by``."""
    return Predictions.from_arrays(np.column_stack([x, 1 - x]) * (1 + by), np.zeros(len(x), int))


@pytest.mark.parametrize("estimator", [ECE, MCE])
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("by", [0.0, 9e-6])
def test_the_law_of_what_is_drawn_against_all_labels_there_are(estimator, distance, by) -> None:
    """Eight cases, 2⁸ label sets: every value that can come out, and how often it should."""
    p = two_class(np.array([0.05, 0.12, 0.3, 0.31, 0.5, 0.77, 0.9, 1.0]), by)
    e = estimator(UniformBinning(3), distance)

    def named(value):
        return np.round(value + 1e-10 / 3, 9)  # no value of these lies half way

    law: dict[float, float] = {}
    bins = UniformBinning(3).assign(p.probs).tolist()
    judge = literal.ece if estimator is ECE else literal.mce
    chances = p.probs / p.probs.sum(axis=1, keepdims=True)
    for labels in product((0, 1), repeat=8):
        value = float(named(judge(bins, distance, p.probs.tolist(), list(labels))))
        law[value] = law.get(value, 0.0) + float(np.prod(chances[np.arange(8), labels]))
    drawn = e.prepared(p).draw(40_000, RNG(1))
    values, counts = np.unique(named(drawn), return_counts=True)
    assert set(values.tolist()) <= set(law)
    found = dict(zip(values.tolist(), counts.tolist(), strict=True))
    often = [v for v in law if 40_000 * law[v] > 5]
    observed = np.array([found.get(v, 0) for v in often] + [0.0])
    expected = np.array([40_000 * law[v] for v in often] + [0.0])
    observed[-1], expected[-1] = 40_000 - observed.sum(), 40_000 - expected.sum()
    keep = expected > 0.5
    scaled = expected[keep] * observed[keep].sum() / expected[keep].sum()
    assert stats.chisquare(observed[keep], scaled).pvalue > 0.001


@pytest.mark.parametrize(
    "binning", [UniformBinning(15), EqualMassBinning(6), MedianVarianceBinning(20), MeanVarianceBinning(60)]
)
@pytest.mark.parametrize("estimator", [ECE, MCE])
def test_drawn_and_redrawn_agree(binning, estimator) -> None:
    p = two_class(RNG(2).beta(0.6, 1.5, 400))
    prepared = estimator(binning).prepared(p)
    labels = np.concatenate(list(redrawn_labels(p, 3000, RNG(3))))
    assert stats.ks_2samp(prepared.draw(3000, RNG(4)), prepared(labels)).pvalue > 0.001


def test_the_same_hits_give_the_same_bits_however_they_came() -> None:
    p = two_class(RNG(5).random(120))
    bins = bins_of(p.probs, UniformBinning(7))
    labels = np.concatenate(list(redrawn_labels(p, 50, RNG(6))))
    hits = np.array([[np.count_nonzero(y[bins.index == b] == 0) for b in range(7)] for y in labels])
    assert_array_equal(bins.frequencies_of_hits(hits), bins.frequencies(labels))
    for e in (ECE(UniformBinning(7)), MCE(UniformBinning(7), "euclidean")):
        whole = e.prepared(p)(labels)
        assert_array_equal(whole, [e.prepared(p)(y[None])[0] for y in labels])
        from_hits = e.of_bins(bins.frequencies_of_hits(hits), bins.mean_prediction, bins.counts)
        assert_array_equal(from_hits, whole)


def test_draws_do_not_depend_on_how_many_are_asked_for_or_held_at_once(monkeypatch) -> None:
    p = two_class(RNG(7).random(200))
    prepared = ECE(UniformBinning(20)).prepared(p)
    whole = prepared.draw(100, RNG(8))
    rng = RNG(8)
    assert_array_equal(np.concatenate([prepared.draw(k, rng) for k in (1, 9, 90)]), whole)
    monkeypatch.setattr(ece_module, "_DRAWN_CELLS", 70)
    assert_array_equal(prepared.draw(100, RNG(8)), whole)
    assert (prepared.draw(100, RNG(9)) != whole).any()


def test_a_certain_model_is_drawn_as_it_must_be() -> None:
    p = two_class(np.repeat([0.0, 1.0], 20))
    assert_array_equal(ECE().prepared(p).draw(50, RNG(0)), 0)
    one = two_class(np.array([0.25]))
    assert set(np.round(MCE().prepared(one).draw(200, RNG(0)), 12).tolist()) == {0.25, 0.75}


def test_more_classes_are_redrawn_by_labels() -> None:
    p = Predictions.from_arrays(RNG(0).dirichlet(np.ones(3), 20), np.zeros(20, int))
    assert ECE().prepared(p).draw is None


def test_labels_do_not_matter_to_what_is_drawn() -> None:
    p = two_class(RNG(10).random(60))
    other = p.through(p.probs, 1 - p.labels, p.class_names)
    assert_array_equal(ECE().prepared(p).draw(30, RNG(0)), ECE().prepared(other).draw(30, RNG(0)))


def test_the_level_of_a_million_cases_is_that_of_independent_normal_bins() -> None:
    """With many cases a bin's hits are normal: E|S − μ| = σ√(2/π), bin by bin."""
    p = two_class(RNG(11).random(300_000))
    bins = bins_of(p.probs, UniformBinning(15))
    x = p.probs[:, 0]
    sigma = np.sqrt(np.bincount(bins.index, x * (1 - x)))
    drawn = ECE(UniformBinning(15)).prepared(p).draw(4000, RNG(12))
    expected = np.sqrt(2 / np.pi) * sigma.sum() / p.n
    spread = np.sqrt((1 - 2 / np.pi) * (sigma**2).sum()) / p.n
    assert_allclose(drawn.mean(), expected, atol=4.5 * spread / np.sqrt(4000))
    assert_allclose(drawn.std(), spread, rtol=0.06)
