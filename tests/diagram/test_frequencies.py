"""Exact intervals of the observed frequencies: against SciPy's binomial test, and how often they cover."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.frequency_intervals import clopper_pearson, frequency_intervals
from calibcore.diagram.gap_sizes import _Shifted
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, RegionLens, TopKLens


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_against_scipys_binomial_test(level) -> None:
    pairs = [(k, n) for n in (1, 2, 7, 40, 1204) for k in {0, 1, n // 3, n - 1, n}]
    hits, counts = np.array(pairs).T
    low, high = clopper_pearson(hits, counts, (0.5 - level / 2, 0.5 + level / 2))
    for (k, n), *ends in zip(pairs, low, high, strict=True):
        theirs = stats.binomtest(k, n).proportion_ci(level, method="exact")
        assert_allclose(ends, [theirs.low, theirs.high], rtol=1e-9, atol=1e-12)


def test_uneven_tails_against_the_definition() -> None:
    """At the lower end as many hits or more come up with probability 0.02, at the upper as few with 0.1."""
    ((low,), (high,)) = clopper_pearson(np.array([13]), np.array([50]), (0.02, 0.9))
    assert stats.binom.sf(12, 50, low) == pytest.approx(0.02)
    assert stats.binom.cdf(13, 50, high) == pytest.approx(0.1)


def test_no_hit_and_nothing_but_hits() -> None:
    low, high = clopper_pearson(np.array([0, 30]), np.array([30, 30]))
    assert (low[0], high[1]) == (0, 1)
    assert (high[0], low[1]) == pytest.approx((1 - 0.05 ** (1 / 30), 0.05 ** (1 / 30)))


@pytest.mark.parametrize("n", [3, 20, 150])
def test_they_cover_at_least_as_often_as_stated(n) -> None:
    """By summing the law of the hits: binomial, and for unequal probabilities Poisson-binomial."""
    low, high = clopper_pearson(np.arange(n + 1), np.full(n + 1, n))
    for p in np.linspace(0.01, 0.99, 33):
        equal = stats.binom.pmf(np.arange(n + 1), n, p)[(low <= p) & (p <= high)].sum()
        assert equal >= 0.9 - 1e-12
    rng = np.random.default_rng(n)
    for a, b in ((0.2, 0.3), (2, 5), (0.5, 4)):
        chances = rng.beta(a, b, size=n)
        covered = (low <= chances.mean()) & (chances.mean() <= high)
        assert hits_distribution(chances)[covered].sum() >= 0.9 - 1e-12


def test_of_a_diagram_at_the_levels_of_its_bars() -> None:
    lens = ClassLens("malignant")
    p = lens(load_example("breast-cancer"))
    found = reliability(p, UniformBinning(5), (0.025, 0.95))
    intervals = frequency_intervals(found, lens)
    assert intervals.level == pytest.approx(0.925)
    bins = UniformBinning(5).assign(p.probs)
    for b, number in enumerate(np.unique(bins)):
        inside = bins == number
        k, n = int((p.labels[inside] == 0).sum()), int(inside.sum())
        low, high = clopper_pearson(np.array([k]), np.array([n]), (0.025, 0.95))
        assert (intervals.low[b], intervals.high[b]) == (low[0], high[0])
        assert intervals.low[b] <= found.observed[b, 0] <= intervals.high[b]


def test_where_there_are_none_it_says_why() -> None:
    p = load_example("wine")
    weighted = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=np.arange(1, p.n + 1))
    region = RegionLens(PooledLens(), p.class_names[0], 0.0, 0.5)
    for data, lens, why in (
        (p, TopKLens(1), ""),
        (p, CanonicalLens(), "classes"),
        (p, PooledLens(), "pairs"),
        (p, region, "pairs"),
        (weighted, TopKLens(1), "weights"),
    ):
        found = frequency_intervals(reliability(lens(data), UniformBinning(4), n_resamples=9), lens)
        assert found.withheld == why
        assert np.isnan(found.low).all() == np.isnan(found.high).all() == bool(why)


def test_what_makes_no_sense_is_refused() -> None:
    for hits in (-1, 6):
        with pytest.raises(InputError, match="fewer hits than 0 or more than cases"):
            clopper_pearson(np.array([hits]), np.array([5]))
    with pytest.raises(InputError, match="expected 0 < low < high < 1"):
        clopper_pearson(np.array([1]), np.array([5]), (0.0, 0.9))


@pytest.mark.parametrize("decimals", [2, 17])
@pytest.mark.parametrize("spread", [0.05, 1.0, 8.0])
def test_shifted_predictions_are_summed_as_one_by_one(spread: float, decimals: int) -> None:
    """From the sums of sorted ones, word by word: with ties, at and beyond both ends."""
    rng = np.random.default_rng(1)
    for n in (1, 2, 300):
        p = np.round(rng.beta(spread, 2 * spread, n), decimals)
        shifted = _Shifted.of(p)
        for shift in (-1.0, -0.3, 0.0, 0.25, 1.0, *p[:3], *(p[:3] - 1)):
            q = np.clip(p - shift, 0, 1)
            assert_allclose(shifted.by(shift), ((p - q).sum(), (q * (1 - q)).sum()), rtol=0, atol=1e-11)
