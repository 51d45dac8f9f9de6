"""Binning sensitivity: every value is the ECE with those bins, every level that of its own redraws."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import calibration_curve

from calibcore import diagnose
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.diagram.bins import bins_of
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.numerics.distances import DISTANCES
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.resampling import draw_labels
from calibcore.sensitivity.binnings import (
    MOST_BINS,
    REDRAWS,
    BinningSensitivity,
    LeftClosedBinning,
    binning_sensitivity,
    ways_to_bin,
)
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, RegionLens, TopKLens
from tests.oracles import literal_binning as literal
from tests.strategies import FEW, predictions, probabilities

RNG = np.random.default_rng
QUICK = DiagnosisSpec(resamples=29, lens=CanonicalLens(), seed=2)


def calibrated(n: int, m: int, seed: int = 0, digits: int | None = None) -> Predictions:
    rng = RNG(seed)
    g = rng.dirichlet(np.ones(m), size=n)
    if digits is not None:
        first = np.round(g[:, 0], digits)
        g = np.column_stack([first, 1 - first])
    return Predictions.from_arrays(g, draw_labels(g, rng))


# --- every value is the ECE -------------------------------------------------


@pytest.mark.slow
@FEW
@given(predictions(classes=(2, 4), cases=(1, 14)))
def test_every_value_is_the_ece_with_those_bins(p: Predictions) -> None:
    found = binning_sensitivity(p, QUICK)
    assert found.m == p.m
    for way in found.ways:
        assert_allclose(way.ece, ECE(way.binning)(CanonicalLens()(p)), atol=1e-12)
        assert way.held == len(np.unique(way.binning.assign(CanonicalLens()(p).probs)))
        assert 0 < way.pvalue <= 1
        assert way.low <= way.high


@pytest.mark.some(3)
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("lens", [TopKLens(1), PooledLens(), RegionLens(ClassLens("1"), "0", 0.1, 0.9)])
def test_so_it_is_through_any_lens_of_two_and_with_any_distance(lens, distance) -> None:
    p = calibrated(200, 4)
    p = Predictions.from_arrays(p.probs, p.labels, ("0", "1", "2", "3"))
    found = binning_sensitivity(p, replace(QUICK, lens=lens, distance=distance))
    for way in found.ways:
        assert_allclose(way.ece, ECE(way.binning, distance)(lens(p)), atol=1e-12)


# --- its level is that of a diagnosis ---------------------------------------


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("lens", "binning"),
    [
        (TopKLens(1), UniformBinning(10)),
        (TopKLens(1), EqualMassBinning(15)),
        (PooledLens(), UniformBinning(7)),
        (CanonicalLens(), SimplexBinning(5)),
        (CanonicalLens(), MedianVarianceBinning(31)),
    ],
)
def test_the_level_of_the_chosen_bins_is_that_of_a_diagnosis(lens, binning) -> None:
    p = calibrated(400, 3, seed=4)
    spec = DiagnosisSpec(lens=lens, binning=binning, tests=(), estimates=(), resamples=999)
    errors = diagnose(p, spec).calibration_error
    found = binning_sensitivity(p, spec)
    way, sd = found.ways[found.chosen], errors["ece_sd"]
    assert way.binning == binning
    assert_allclose(way.ece, errors["ece"], atol=1e-12)
    assert_allclose(way.mean, errors["ece_mean"], atol=4.5 * sd * (1 / found.n_resamples + 1 / 999) ** 0.5)
    assert_allclose([way.low, way.high], [errors["ece_low"], errors["ece_high"]], atol=0.7 * sd)


@pytest.mark.slow
def test_redraws_of_two_classes_have_the_law_of_redrawn_labels() -> None:
    """All 2⁶ label sets and their chances: the mean of the ECE under calibration, for every way."""
    x = np.array([0.1, 0.2, 0.35, 0.5, 0.8, 0.9])
    g = np.column_stack([x, 1 - x])
    sets = np.array(np.meshgrid(*[[0, 1]] * 6)).reshape(6, -1).T
    chances = np.where(sets == 0, x, 1 - x).prod(axis=1)
    names = ("yes", "no")  # of which the first is the event, whose component is binned
    found = binning_sensitivity(Predictions.from_arrays(g, sets[5], names), replace(QUICK, resamples=9_999))
    for way in found.ways:
        values = np.array([ECE(way.binning)(Predictions.from_arrays(g, y)) for y in sets])
        mean = chances @ values
        sd = (chances @ (values - mean) ** 2) ** 0.5
        assert abs(way.mean - mean) <= 5 * sd / REDRAWS[True] ** 0.5 + 1e-12


def test_all_ways_share_their_redraws() -> None:
    p = Predictions.from_arrays(np.tile([0.3, 0.7], (40, 1)), RNG(1).integers(2, size=40))
    found = binning_sensitivity(p, QUICK)
    assert {way.held for way in found.ways} == {1}
    assert len({(way.ece, way.mean, way.low, way.high, way.pvalue) for way in found.ways}) == 1
    assert found.smallest == found.ways[0].pvalue


def test_pairs_of_one_case_are_redrawn_together() -> None:
    """Every case hits exactly one of its two pairs, and all pairs share a bin: it is never off."""
    p = Predictions.from_arrays(np.full((30, 2), 0.5), [0, 1] * 15)
    found = binning_sensitivity(p, replace(QUICK, lens=PooledLens()))
    assert {(way.ece, way.high, way.pvalue) for way in found.ways} == {(0.0, 0.0, 1.0)}


def test_the_smallest_p_pays_for_having_tried_many() -> None:
    found = binning_sensitivity(calibrated(150, 2, seed=8), replace(QUICK, resamples=199))
    assert found.smallest > 1.5 * min(way.pvalue for way in found.ways)


def test_the_seed_decides_and_redraws_are_bounded() -> None:
    p = calibrated(100, 2)
    spec = replace(QUICK, resamples=5000)
    one, same = binning_sensitivity(p, spec), binning_sensitivity(p, spec)
    assert one.ways == same.ways
    assert one.n_resamples == REDRAWS[True]
    assert one.ways != binning_sensitivity(p, replace(spec, seed=3)).ways
    assert binning_sensitivity(calibrated(30, 3), spec).n_resamples == REDRAWS[False]


# --- where an edge belongs --------------------------------------------------


@FEW
@given(probabilities(classes=(2, 2)))
def test_left_closed_bins_against_a_literal_loop(g: np.ndarray) -> None:
    for b in (1, 3, 10, 50):
        expected = []
        for row in g.tolist():
            k = 0
            while k < b - 1 and Fraction(k + 1, b) <= Fraction(row[0]) + Fraction(1, 10**12):
                k += 1
            expected.append(k)
        assert_array_equal(LeftClosedBinning(b).assign(g), expected)


@pytest.mark.parametrize("b", [2, 5, 10, 20])
def test_left_closed_bins_are_those_of_digitize(b: int) -> None:
    x = np.concatenate([RNG(0).random(500), np.arange(b + 1) / b])
    expected = np.minimum(np.digitize(x, np.arange(b + 1) / b) - 1, b - 1)
    assert_array_equal(LeftClosedBinning(b).assign(np.column_stack([x, 1 - x])), expected)


@pytest.mark.parametrize("b", [2, 5, 8, 16])
def test_right_closed_bins_are_those_of_scikit_learn(b: int) -> None:
    """``calibration_curve`` (uniform) searches its edges from the left; hundredths lie on some of them."""
    p = calibrated(600, 2, digits=2)
    observed, predicted = calibration_curve(p.labels == 0, p.probs[:, 0], n_bins=b)
    bins = bins_of(p.probs, UniformBinning(b))
    assert_allclose(bins.mean_prediction[:, 0], predicted)
    assert_allclose(bins.frequencies(p.labels)[:, 0], observed)


@FEW
@given(probabilities(classes=(2, 2), rounded=True))
def test_the_left_closed_rule_is_the_right_closed_one_of_the_other_class(g: np.ndarray) -> None:
    for b in (2, 5, 10):
        ours = LeftClosedBinning(b).assign(g)
        assert literal.by_key(ours.tolist()) == literal.by_key(
            UniformBinning(b).assign(np.ascontiguousarray(g[:, ::-1])).tolist()
        )


def test_edges_matter_for_rounded_predictions_only() -> None:
    def moved(p: Predictions) -> int:
        schemes = binning_sensitivity(p, QUICK).schemes
        pairs = zip(schemes["uniform"], schemes["uniform-left-closed"], strict=True)
        return sum(abs(a.ece - b.ece) > 1e-12 for a, b in pairs)

    assert moved(calibrated(300, 2, seed=5)) == 0
    assert moved(calibrated(300, 2, seed=5, digits=2)) > 10


# --- what is tried ----------------------------------------------------------


def test_what_is_tried_depends_on_numbers_alone() -> None:
    ways = ways_to_bin(1000, 2, UniformBinning(10))
    assert ways.count(UniformBinning(10)) == 1
    assert {b.n_bins for b in ways if type(b) is UniformBinning} == set(range(2, MOST_BINS + 1))
    assert {b.n_bins for b in ways if isinstance(b, EqualMassBinning)} == set(range(2, MOST_BINS + 1))
    assert any(isinstance(b, MedianVarianceBinning) for b in ways)
    assert not any(isinstance(b, MeanVarianceBinning | SimplexBinning) for b in ways)
    assert any(isinstance(b, SimplexBinning) for b in ways_to_bin(1000, 3, UniformBinning(10)))
    for m in (2, 3, 7):
        assert all(b.fits(m) for b in ways_to_bin(1000, m, UniformBinning(10)))
        assert all(b.fits(m) for b in ways_to_bin(1, m, UniformBinning(10)))


@pytest.mark.parametrize("chosen", [UniformBinning(137), EqualMassBinning(60), MeanVarianceBinning(33)])
def test_the_chosen_bins_are_among_them(chosen) -> None:
    found = binning_sensitivity(calibrated(120, 2), replace(QUICK, binning=chosen))
    assert found.ways[found.chosen].binning == chosen
    assert len(found.schemes[chosen.kind]) > 1
    for ways in found.schemes.values():
        assert [way.number for way in ways] == sorted(way.number for way in ways)
    assert sum(map(len, found.schemes.values())) == len(found.ways)


@pytest.mark.parametrize("m", [2, 3])
def test_one_case_and_one_outcome_can_be_looked_at(m: int) -> None:
    for g in (np.full((1, m), 1 / m), np.eye(m)[[0]], np.eye(m)[[0] * 30]):
        found = binning_sensitivity(Predictions.from_arrays(g, [0] * len(g)), QUICK)
        assert isinstance(found, BinningSensitivity)
        assert {way.held for way in found.ways} == {1}
        assert all(np.isfinite([way.ece, way.mean, way.low, way.high]).all() for way in found.ways)
    assert found.smallest == 1.0


def test_weighted_cases_are_refused() -> None:
    p = Predictions.from_arrays([[0.2, 0.8], [0.6, 0.4]], [0, 1], weights=[1.0, 2.0])
    with pytest.raises(InputError, match="weighted"):
        binning_sensitivity(p, QUICK)


@pytest.mark.parametrize("lens", [TopKLens(1), CanonicalLens(), PooledLens()])
def test_progress_rises_and_may_stop_the_work(lens) -> None:
    p, seen = calibrated(80, 3), []
    binning_sensitivity(p, replace(QUICK, lens=lens), lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    assert len(seen) > 3

    def stop(fraction: float, words: str) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        binning_sensitivity(p, replace(QUICK, lens=lens), stop)


# --- what it says under calibration -----------------------------------------


def test_errors_that_all_bins_see_are_above_chance_in_all() -> None:
    p = calibrated(2000, 2, seed=6)
    sharper = p.probs**3 / (p.probs**3).sum(axis=1, keepdims=True)
    found = binning_sensitivity(Predictions.from_arrays(sharper, p.labels), replace(QUICK, resamples=99))
    assert all(way.pvalue == 0.01 and way.ece > way.high for way in found.ways)
    assert found.smallest == 0.01


@pytest.mark.slow
def test_the_smallest_adjusted_p_keeps_its_level_where_the_smallest_p_does_not() -> None:
    adjusted, alone = [], []
    for seed in range(400):
        found = binning_sensitivity(calibrated(150, 2, seed=seed), replace(QUICK, resamples=99, seed=seed))
        adjusted.append(found.smallest <= 0.05)
        alone.append(min(way.pvalue for way in found.ways) <= 0.05)
    assert np.mean(adjusted) <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
    assert np.mean(alone) > 0.15
