"""Curves of what happened against other people's, and their bands against every set of outcomes there is."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import isotonic_regression

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagnose.curves import curve_for, curve_settings
from calibcore.diagram import curves as module
from calibcore.diagram.curves import KINDS, Curve, reliability_curve
from calibcore.errors import InputError
from calibcore.estimators.ici import _smoother
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens, PooledLens, TopKLens
from tests.estimators.test_ici import smooth_curve
from tests.made import binary
from tests.oracles import literal_curves as literal
from tests.oracles import published_binary as published

every_kind = pytest.mark.parametrize("kind", KINDS)
LITERAL = {"isotonic": literal.isotonic_curve, "smooth": literal.smooth_curve}


def problem(n: int, decimals: int = 15, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    x = np.round(rng.beta(2, 1.2, size=n), decimals)
    return binary(x, rng.random(n) < x**1.3)


@pytest.mark.parametrize("decimals", [2, 15])
def test_isotonic_against_scikit_learn(decimals) -> None:
    isotonic = pytest.importorskip("sklearn.isotonic")
    p = problem(800, decimals)
    x, hits = p.probs[:, 0], p.labels == 0
    found = reliability_curve(p, "isotonic", n_resamples=1)
    theirs = isotonic.IsotonicRegression(y_min=0, y_max=1).fit(x, hits)
    assert_allclose(found.observed, theirs.predict(found.predicted), atol=1e-12)
    assert found.counts.sum() == 800
    assert_allclose(found.predicted, np.unique(x), atol=1e-12)


def test_isotonic_against_reliabilitydiag() -> None:
    """Their recalibrated Brier score, of one class, is their score less their miscalibration."""
    x, hits = np.array(published.RELIABILITYDIAG_Z), np.array(published.RELIABILITYDIAG_Y)
    found = reliability_curve(binary(x, hits), "isotonic", n_resamples=1)
    recalibrated = found.observed[np.searchsorted(found.predicted, x - 1e-9)]
    score, miscalibration = published.RELIABILITYDIAG_BRIER[:2]
    assert np.mean((recalibrated - hits) ** 2) == pytest.approx(score - miscalibration, abs=1e-7)


def test_smooth_is_the_curve_of_the_ici() -> None:
    p = problem(900)
    found = reliability_curve(p, "smooth", n_resamples=1)
    at, curve = smooth_curve(p)
    assert_allclose(found.predicted, at)
    assert_allclose(found.observed, np.clip(curve, 0, 1), atol=1e-12)


@every_kind
@pytest.mark.parametrize("seed", range(3))
def test_curve_against_the_definition(kind, seed) -> None:
    p = problem(25, decimals=2, seed=seed)
    x, hits = p.probs[:, 0].tolist(), (p.labels == 0).tolist()
    found = reliability_curve(p, kind, n_resamples=1)
    assert_allclose(found.observed, LITERAL[kind](x, hits), atol=1e-9)


def _lies_where_it_should(found: Curve, laws, interval: tuple[float, float], noise: float) -> None:
    """``P(curve < low) ≤ level ≤ P(curve ≤ low)`` and so for high, up to the noise of the redraws."""
    for law, low, high in zip(laws, found.low, found.high, strict=True):
        for end, level in ((low, interval[0]), (high, interval[1])):
            assert literal.up_to(law, end, strictly=True) <= level + noise
            assert literal.up_to(law, end) >= level - noise


@pytest.mark.slow
@every_kind
def test_band_against_every_set_of_outcomes(kind) -> None:
    x = [0.1, 0.25, 0.25, 0.4, 0.55, 0.7, 0.7, 0.9, 0.97]
    interval = (0.1, 0.8)
    found = reliability_curve(
        binary(x, [1] * 9), kind, interval, n_resamples=40_000, rng=np.random.default_rng(1)
    )
    laws = literal.laws(x, literal.of_two_classes(x), LITERAL[kind])
    _lies_where_it_should(found, laws, interval, noise=0.01)
    outside = [
        1 - literal.up_to(law, high) + literal.up_to(law, low, strictly=True)
        for law, low, high in zip(laws, found.low, found.high, strict=True)
    ]
    assert found.expected_outside == pytest.approx(np.average(outside, weights=found.counts), abs=0.01)
    shares = []
    for k, (chance, _) in enumerate(literal.of_two_classes(x)):
        values = np.array([law[k][0] for law in laws])
        out = (values < found.low - 1e-9) | (values > found.high + 1e-9)
        shares.append((np.average(out, weights=found.counts), chance))
    assert literal.up_to(shares, found.most_outside) >= 0.8 - 0.01
    assert literal.up_to(shares, found.most_outside, strictly=True) <= 0.8 + 0.01


@pytest.mark.slow
@every_kind
def test_pairs_of_a_case_are_drawn_together(kind) -> None:
    """One case's classes exclude each other: drawn one by one the band would be another."""
    g = [[0.15, 0.25, 0.6], [0.05, 0.5, 0.45], [0.1, 0.8, 0.1], [0.3, 0.35, 0.35]]
    p = PooledLens()(Predictions.from_arrays(g, [0, 1, 2, 0]))
    x = [value for row in g for value in row]
    found = reliability_curve(p, kind, (0.2, 0.9), n_resamples=20_000)
    laws = literal.laws(x, literal.of_pairs(g), LITERAL[kind])
    _lies_where_it_should(found, laws, (0.2, 0.9), noise=0.012)


@pytest.mark.slow
def test_equal_predictions_have_binomial_quantiles() -> None:
    found = reliability_curve(binary([0.3] * 40, [1] * 20 + [0] * 20), "isotonic", n_resamples=40_000)
    low, high = stats.binom.ppf([0.05, 0.95], 40, 0.3) / 40
    assert_allclose([found.predicted[0], found.observed[0]], [0.3, 0.5])
    assert_allclose([found.low[0], found.high[0]], [low, high])
    assert found.outside.tolist() == [True]
    assert found.share_outside == 1


def test_of_twenty_redraws_the_band_holds_all_but_the_largest() -> None:
    """q(u) is the smallest drawn value that a share u of the draws does not exceed."""
    p = binary([0.5] * 1000, [1] * 1000)
    found = reliability_curve(p, "isotonic", n_resamples=20, rng=np.random.default_rng(8))
    cells = module.bins_by_number(p.probs, np.zeros(1000, np.int64))
    drawn = np.sort(module._drawn_hits(p, cells, 20, np.random.default_rng(8), print)[:, 0])
    assert drawn[-2] < drawn[-1]
    assert drawn[0] < drawn[1]
    assert_allclose([found.low[0], found.high[0]], drawn[[0, -2]] / 1000)


@pytest.mark.some(1)
@pytest.mark.parametrize("sets", [150, pytest.param(600, marks=pytest.mark.slow)])
@every_kind
def test_few_redraws_do_not_flatter_the_share_outside(kind, sets: int) -> None:
    rng = np.random.default_rng(4)
    outside, stated, beyond = [], [], []
    for _ in range(sets):
        x = rng.beta(0.6, 1.2, 60)
        found = reliability_curve(binary(x, rng.random(60) < x), kind, n_resamples=19, rng=rng)
        outside.append(found.share_outside)
        stated.append(found.expected_outside)
        beyond.append(found.share_outside > found.most_outside)
    noise = 4 * np.std(outside) / np.sqrt(sets)
    assert -noise <= np.mean(stated) - np.mean(outside) <= noise + 0.02
    assert np.mean(beyond) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / sets)


@every_kind
def test_one_case(kind) -> None:
    found = reliability_curve(binary([0.7], [0]), kind)
    assert (found.observed[0], found.low[0], found.high[0]) == (0, 0, 1)
    assert (found.share_outside, found.expected_outside) == (0, 0)


@every_kind
def test_a_calibrated_curve_lies_in_the_band_as_often_as_stated(kind) -> None:
    """4,000 predictions, pooled for the band; 400 sets of outcomes, fitted one prediction at a time."""
    rng = np.random.default_rng(20210401)
    x = np.sort(rng.beta(1.5, 1.0, size=4000))
    band = reliability_curve(binary(x, np.ones(4000)), kind, rng=rng)
    assert len(band.counts) < 1300
    sets = rng.random((400, 4000)) < x
    if kind == "isotonic":
        curves = np.array([isotonic_regression(hits).x for hits in sets])
        at = x
    else:
        smoother, cells = _smoother(x, 2 / 3)
        curves, at = smoother.curve(cells.sums(sets)), smoother.values
    low, high = (np.interp(at, band.predicted, ends) for ends in (band.low, band.high))
    inside = ((curves >= low) & (curves <= high)).mean(axis=0)
    for place in (0.05, 0.2, 0.5, 0.8, 0.95):
        assert inside[int(place * 4000)] == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 400))
    assert inside.mean() == pytest.approx(1 - band.expected_outside, abs=0.02)


@pytest.mark.some(1)
@pytest.mark.parametrize("law", [(2, 2), (0.3, 0.6), (8, 0.5)])
@pytest.mark.slow
def test_pooled_neighbours_give_nearly_the_same_curves(law) -> None:
    rng = np.random.default_rng(5)
    x = rng.beta(*law, size=6000)
    p = binary(x, rng.random(6000) < x**1.2)
    found, order = reliability_curve(p, "isotonic"), np.argsort(x)
    exact = isotonic_regression(p.labels[order] == 0).x
    apart = np.abs(np.interp(x[order], found.predicted, found.observed) - exact)
    assert apart.mean() < 0.06 * np.average(found.high - found.low, weights=found.counts)
    found, (at, curve) = reliability_curve(p, "smooth"), smooth_curve(p)
    apart = np.abs(np.interp(at, found.predicted, found.observed) - np.clip(curve, 0, 1))
    assert apart.max() < 0.003
    pooled = [x[module._cell_numbers(x) == number] for number in np.unique(module._cell_numbers(x))]
    assert max(np.ptp(some) for some in pooled) <= 1 / module.PLACES
    assert max(map(len, pooled)) == 6
    assert [len(some) for some in pooled] == found.counts.tolist()


@every_kind
def test_what_a_curve_depends_on(kind) -> None:
    p = load_example("digits-forest")
    spec = DiagnosisSpec(lens=TopKLens(1), seed=3, resamples=99, interval=(0.1, 0.9))
    found, again = (curve_for(p, spec, kind) for spec in (spec, curve_settings(spec)))
    assert found.low.tobytes() == again.low.tobytes()
    assert (found.interval, found.n_resamples) == ((0.1, 0.9), 99)
    other = curve_for(p, replace(spec, seed=4), kind)
    assert other.low.tobytes() != found.low.tobytes()
    assert other.observed.tobytes() == found.observed.tobytes()
    through = curve_for(p, replace(spec, lens=ClassLens("3")), kind)
    assert_allclose(through.counts @ through.predicted / through.counts.sum(), p.probs[:, 3].mean())


@every_kind
@pytest.mark.parametrize("lens", [PooledLens(), TopKLens(1)])
def test_progress_rises_to_the_end_and_the_redraws_do_not_depend_on_blocks(kind, lens, monkeypatch) -> None:
    p, told = lens(load_example("wine")), [0.0]
    found = reliability_curve(p, kind, n_resamples=50)
    monkeypatch.setattr(module, "_BLOCK", 7)
    again = reliability_curve(p, kind, n_resamples=50, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) > 8
    assert_allclose(again.low, found.low, atol=1e-12)
    assert_allclose(again.high, found.high, atol=1e-12)


def test_what_has_no_curve() -> None:
    p = problem(20)
    with pytest.raises(InputError, match="no curve 'linear'; expected one of isotonic, smooth"):
        reliability_curve(p, "linear")
    with pytest.raises(InputError, match="expected 0 < low < high < 1"):
        reliability_curve(p, "smooth", (0.5, 0.5))
    with pytest.raises(InputError, match="number of redraws is 0"):
        reliability_curve(p, "smooth", n_resamples=0)
    with pytest.raises(InputError, match="two classes"):
        reliability_curve(Predictions.from_arrays([[0.2, 0.3, 0.5]], [0]), "isotonic")
    weighted = Predictions.from_arrays([[0.2, 0.8], [0.5, 0.5]], [0, 1], weights=[1, 2])
    with pytest.raises(InputError, match="eighted"):
        reliability_curve(weighted, "isotonic")
