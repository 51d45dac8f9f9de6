"""Consistency resampling over fixed bins: tables of resampled cases against literal resampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import SimplexBinning, UniformBinning
from calibcore.diagram.bins import Bins, bins_of
from calibcore.estimators.ece import ECE, MCE
from calibcore.hypothesis_tests import ConsistencyTest, consistency
from calibcore.hypothesis_tests.consistency import Resampled, resampled_pairs, resampled_rows
from tests.oracles import literal_skce as literal

RNG = np.random.default_rng


def problem(n: int, m: int, seed: int, by: float = 0.0) -> Predictions:
    rng = RNG(seed)
    g = rng.dirichlet(np.full(m, 0.5), size=n) * (1 + by * rng.uniform(-1, 1, (n, 1)))
    return Predictions.from_arrays(g, rng.integers(m, size=n))


def joined(parts) -> Resampled:
    parts = list(parts)
    return Resampled(*(np.concatenate([getattr(p, k) for p in parts]) for k in ("counts", "sums", "hits")))


def drawn_literally(p: Predictions, bins: Bins, n_resamples: int, rng) -> Resampled:
    """Case by case: which one, then its label."""
    shape = (n_resamples, bins.n_bins)
    counts, sums, hits = np.zeros(shape), np.zeros((*shape, p.m)), np.zeros((*shape, p.m))
    for r in range(n_resamples):
        for i in rng.integers(p.n, size=p.n):
            b = bins.index[i]
            counts[r, b] += 1
            sums[r, b] += p.probs[i]
            hits[r, b, rng.choice(p.m, p=p.probs[i] / p.probs[i].sum())] += 1
    return Resampled(counts, sums, hits)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [resampled_pairs, resampled_rows])
def test_tables_have_the_law_of_the_literal_scheme(draw) -> None:
    """Cases, hits and sums of every bin, their means, spreads and correlations, and their whole laws."""
    p = problem(40, 2, 1, by=9e-6)
    bins = bins_of(p.probs, UniformBinning(4))
    found = joined(draw(p.probs, bins, 4000, RNG(2)))
    meant = drawn_literally(p, bins, 700, RNG(3))

    def columns(some: Resampled) -> np.ndarray:
        return np.concatenate(
            [some.counts, some.hits[..., 0], some.hits[..., 1], *some.sums.T.swapaxes(1, 2)], axis=1
        )

    a, b = columns(found), columns(meant)
    for one, other in zip(a.T, b.T, strict=True):
        assert stats.ks_2samp(one, other).pvalue > 1e-4
    # What the multinomial law of the bins' cases says, and the binomial one of a bin's hits.
    share = bins.counts / 40
    assert_allclose(found.counts.mean(axis=0), 40 * share, atol=4.5 * np.sqrt(10 / 4000))
    assert_allclose(found.counts.var(axis=0), 40 * share * (1 - share), rtol=0.15)
    chance = np.bincount(bins.index, p.probs[:, 0] / p.probs.sum(axis=1)) / 40
    assert_allclose(found.hits[..., 0].mean(axis=0), 40 * chance, atol=4.5 * np.sqrt(10 / 4000))
    assert_allclose(found.hits[..., 0].var(axis=0), 40 * chance * (1 - chance), rtol=0.15)
    assert_allclose(np.corrcoef(a.T), np.corrcoef(b.T), atol=0.17)


@pytest.mark.parametrize("draw", [resampled_pairs, resampled_rows])
@pytest.mark.parametrize("n", [1, 2, 7, 511, 512, 513, 20_000])
def test_every_resample_has_all_cases_and_a_label_for_each(draw, n: int) -> None:
    p = problem(n, 2, n, by=9e-6)
    bins = bins_of(p.probs, UniformBinning(3))
    some = joined(draw(p.probs, bins, 21, RNG(0)))
    assert some.counts.shape == (21, bins.n_bins)
    assert some.sums.shape == some.hits.shape == (21, bins.n_bins, 2)
    assert_array_equal(some.counts.sum(axis=1), n)
    assert_array_equal(some.hits.sum(axis=2), some.counts)
    lowest = np.array([p.probs[bins.index == b].min(axis=0) for b in range(bins.n_bins)])
    highest = np.array([p.probs[bins.index == b].max(axis=0) for b in range(bins.n_bins)])
    slack = 1e-9 if draw is resampled_rows else 1.8e-5  # of row/sum, where rows sum to 1 ± 1.8e-5
    assert (some.sums >= some.counts[..., None] * (lowest - slack) - 1e-9).all()
    assert (some.sums <= some.counts[..., None] * (highest + slack) + 1e-9).all()
    assert len(np.unique(some.sums[:, 0, 0])) > (0 if n == 1 else 2)


def test_pairs_draw_every_case_of_a_group_equally_often_and_its_label_by_its_own_chance() -> None:
    """Cases that can be told apart by their prediction, one a bin; 1,300 of a bin are three groups."""
    x = np.concatenate([np.full(700, 0.9), np.full(600, 0.7), [0.05, 0.15, 0.25, 0.35]])
    g = np.column_stack([x, 1 - x])
    whole = joined(resampled_pairs(g, bins_of(g, UniformBinning(2)), 2000, RNG(1)))
    few = joined(resampled_pairs(g, bins_of(g, UniformBinning(20)), 2000, RNG(1)))
    assert stats.chisquare(few.counts.sum(axis=0), 2000 * np.array([1, 1, 1, 1, 600, 700])).pvalue > 0.001
    for b, chance in enumerate([0.05, 0.15, 0.25, 0.35, 0.7, 0.9]):
        drawn = int(few.counts[:, b].sum())
        assert stats.binomtest(int(few.hits[:, b, 0].sum()), drawn, chance).pvalue > 0.001
        assert_allclose(few.sums[:, b, 0], chance * few.counts[:, b], rtol=2e-9)
    # In one bin: Σp − 0.7·cases is 0.2 times the cases at 0.9, and hits go with them.
    of_nine = (whole.sums[:, 1, 0] - 0.7 * whole.counts[:, 1]) / 0.2
    assert_allclose(of_nine, np.round(of_nine), atol=1e-6)
    expected = 700 / 1300 * whole.counts[:, 1].sum()
    assert abs(of_nine.sum() - expected) < 4.5 * np.sqrt(expected * 600 / 1300)


def test_certain_labels_are_always_drawn() -> None:
    g = np.repeat([[1.0, 0.0], [0.0, 1.0], [1.00001, 0.0]], 400, axis=0)
    some = joined(resampled_pairs(g, bins_of(g, UniformBinning(1)), 30, RNG(2)))
    assert_allclose(some.sums[..., 1], some.hits[..., 1])
    assert_allclose(some.sums[..., 0], some.hits[..., 0], rtol=1.1e-5)


@pytest.mark.some(1)
@pytest.mark.parametrize("estimator", [ECE(UniformBinning(8)), MCE(UniformBinning(3), "euclidean")], ids=str)
def test_two_classes_against_resampled_predictions_one_by_one(estimator) -> None:
    p = problem(150, 2, 4)
    found = ConsistencyTest(estimator, 2000)(p, RNG(5)).null_distribution
    rng = RNG(6)
    meant = []
    for _ in range(500):
        again = p.probs[rng.integers(150, size=150)]
        labels = [literal.label_at(row, u) for row, u in zip(again, rng.random(150), strict=True)]
        meant.append(estimator(Predictions.from_arrays(again, labels)))
    assert stats.ks_2samp(found, meant).pvalue > 0.001


@pytest.mark.parametrize("estimator", [ECE(SimplexBinning(3), "cityblock"), MCE(UniformBinning(3))], ids=str)
def test_more_classes_against_resampled_predictions_one_by_one(estimator, monkeypatch) -> None:
    p = problem(30, 3, 7)
    monkeypatch.setattr(consistency, "_CELLS", 1)
    found = ConsistencyTest(estimator, 11)(p, RNG(8)).null_distribution
    rng = RNG(8)
    for value in found:
        again = p.probs[rng.integers(30, size=30)]
        labels = [literal.label_at(row, u) for row, u in zip(again, rng.random(30), strict=True)]
        assert value == pytest.approx(estimator(Predictions.from_arrays(again, labels)), abs=1e-13)


def test_the_same_seed_gives_the_same_numbers_and_the_next_call_others() -> None:
    p = problem(80, 2, 9)
    test = ConsistencyTest(ECE(), 40)
    rng = RNG(1)
    first, second = test(p, rng).null_distribution, test(p, rng).null_distribution
    assert_array_equal(first, test(p, RNG(1)).null_distribution)
    assert (first != second).any()
    assert len(np.unique(first)) > 30


@pytest.mark.parametrize("m", [2, 3])
def test_progress_is_told_and_may_stop_the_work(m: int) -> None:
    told: list[float] = []
    ConsistencyTest(ECE(), 50)(problem(40, m, 10), RNG(0), told.append)
    assert told == sorted(told)
    assert told[-1] == 1

    class Enough(Exception):
        pass

    def stop(fraction: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        ConsistencyTest(ECE(), 50)(problem(40, m, 10), RNG(0), stop)
