"""Exact p-values bin by bin."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import SimplexBinning, UniformBinning
from calibcore.diagram.bins import bins_of, diagram_order
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests import bins as bins_module
from calibcore.hypothesis_tests.adjust import holm, step_down_min_p
from calibcore.hypothesis_tests.bins import bin_pvalues, redraws_for_bins
from calibcore.numerics.distances import total_variation
from calibcore.numerics.resampling import draw_labels, redrawn_counts, redrawn_distances
from calibcore.transforms.lenses import PooledLens
from tests.oracles.literal_reliability import law_of_the_distance

RNG = np.random.default_rng


def calibrated(n: int, m: int, rng: np.random.Generator, alpha: float = 1.0) -> Predictions:
    g = rng.dirichlet(np.full(m, alpha), n)
    return Predictions.from_arrays(g, draw_labels(g, rng))


# --- counts of redrawn labels -----------------------------------------------


@pytest.mark.parametrize("m", [2, 3, 7])
def test_counts_are_those_of_labels_drawn_one_by_one(m: int) -> None:
    g = RNG(m).dirichlet(np.ones(m), 13)
    counts = redrawn_counts(g, 40, RNG(1))
    rng = RNG(1)
    literal = [
        [sum(u >= e for e in np.cumsum(row)[:-1]) for row, u in zip(g, rng.random(13), strict=True)]
        for _ in counts
    ]
    assert_array_equal(counts, [np.bincount(labels, minlength=m) for labels in literal])


@pytest.mark.parametrize("m", [2, 3, 33, 34, 70, 200])
def test_distances_are_those_of_the_counts(m: int, monkeypatch) -> None:
    """Above 33 classes without a table of counts, whatever is drawn at a time; of 19 cases also where they
    are few beside the classes."""
    g = RNG(m).dirichlet(np.full(m, 0.1), 19)
    mean = g.mean(axis=0)
    literal = total_variation(redrawn_counts(g, 70, RNG(1)) / 19, mean)
    for together in (1, 41, 512):
        monkeypatch.setattr("calibcore.numerics.resampling._TOGETHER", together)
        assert_allclose(redrawn_distances(g, mean, 70, RNG(1)), literal, rtol=0, atol=1e-14)


def test_counts_do_not_depend_on_blocks(monkeypatch) -> None:
    g = RNG(0).dirichlet(np.ones(4), 50)
    whole = redrawn_counts(g, 33, RNG(1))
    monkeypatch.setattr("calibcore.numerics.resampling._CACHED", 120)
    assert_array_equal(redrawn_counts(g, 33, RNG(1)), whole)
    assert_array_equal(whole.sum(axis=1), 50)


def test_impossible_classes_never_happen() -> None:
    g = np.array([[0.0, 0.5, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0]] * 20)
    counts = redrawn_counts(g, 500, RNG(0))
    assert not counts[:, [0, 3]].any()
    assert (counts[:, 2] >= 20).all()


# --- p-values ---------------------------------------------------------------


@pytest.mark.parametrize("adjust", ["step-down", "holm"])
@pytest.mark.parametrize(
    ("m", "binning"), [(2, UniformBinning(4)), (3, SimplexBinning(2)), (4, UniformBinning(2))]
)
def test_each_p_against_every_way_the_labels_can_come_out(m, binning, adjust) -> None:
    """Enumerated law of the distance; within 4 standard deviations of 4,000 redraws."""
    rng = RNG(m)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(m), 20), rng.integers(m, size=20))
    diagram = reliability(p, binning, n_resamples=1)
    found = bin_pvalues(p, binning, 4000, RNG(1), adjust)
    assert (found.adjustment, found.n_resamples) == (adjust, 4000 if m > 2 else 0)
    assert found.pvalue.shape == found.adjusted.shape == (diagram.n_bins,)
    index = binning.assign(p.probs)
    means = {b: p.probs[index == b].mean(axis=0) for b in set(index.tolist())}
    for i in range(diagram.n_bins):
        (b,) = [b for b, mean in means.items() if np.allclose(mean, diagram.mean_prediction[i], atol=1e-12)]
        law = law_of_the_distance(p.probs[index == b].tolist())
        seen = total_variation(diagram.observed[i], diagram.mean_prediction[i])
        exact = sum(chance for value, chance in law.items() if value >= seen - 1e-9)
        error = 4 * np.sqrt(exact * (1 - exact) / 4000) + 5e-4 if m > 2 else 1e-12
        assert found.pvalue[i] == pytest.approx(exact, abs=error)


def _two_classes(g: list[float], labels: tuple[int, ...]) -> Predictions:
    first = np.array(g)
    return Predictions.from_arrays(np.column_stack([first, 1 - first]), np.array(labels))


def test_two_classes_are_adjusted_as_all_outcomes_say() -> None:
    """Every way 9 cases in 3 bins can come out, with its chance: step-down minimum p word by word; and at
    every level the chance of any adjusted p that small is no larger."""
    g = [0.1, 0.15, 0.2, 0.5, 0.5, 0.55, 0.7, 0.9, 0.95]
    binning = UniformBinning(3)
    ways = list(product((0, 1), repeat=len(g)))
    chances = np.array(
        [np.prod([p if y == 0 else 1 - p for p, y in zip(g, way, strict=True)]) for way in ways]
    )
    found = [bin_pvalues(_two_classes(g, way), binning, 0, RNG(0)) for way in ways]
    pvalues, adjusted = (np.array([getattr(f, name) for f in found]) for name in ("pvalue", "adjusted"))
    for p, ours in list(zip(pvalues, adjusted, strict=True))[::7]:
        order, literal, so_far = np.argsort(p, kind="stable"), np.empty(3), 0.0
        for place, b in enumerate(order):
            smallest = pvalues[:, order[place:]].min(axis=1)
            so_far = max(so_far, float(chances[smallest <= p[b] + 1e-12].sum()))
            literal[b] = so_far
        assert_allclose(ours, literal, atol=1e-12)
    for alpha in np.linspace(0.01, 0.9, 40):
        assert chances[adjusted.min(axis=1) <= alpha].sum() <= alpha + 1e-12
    assert not found[0].at_floor.any()
    holms = bin_pvalues(_two_classes(g, ways[5]), binning, 0, RNG(0), "holm")
    assert_allclose(holms.adjusted, holm(pvalues[5]), atol=1e-15)


def test_two_classes_agree_with_many_redraws() -> None:
    rng = RNG(4)
    p = calibrated(400, 2, rng, 0.7)
    found = bin_pvalues(p, UniformBinning(8), 0, rng)
    bins = bins_of(p.probs, UniformBinning(8))
    labels = (rng.random((20_000, p.n)) >= p.probs[:, 0]).astype(np.int8)
    order = diagram_order(bins)
    drawn = np.stack([(labels[:, bins.index == b] == 0).mean(axis=1) for b in order])
    seen = np.array([(p.labels[bins.index == b] == 0).mean() for b in order])
    mean = bins.mean_prediction[order, 0]
    far = np.abs(np.column_stack([seen, drawn]) - mean[:, None])
    pvalue, adjusted = step_down_min_p(far)
    assert_allclose(found.pvalue, pvalue, atol=0.015)
    assert_allclose(found.adjusted, adjusted, atol=0.015)


def test_bins_without_chance_have_nothing_to_say() -> None:
    """Predictions of 0 and 1: what is expected happens, and else p is as small as can be told."""
    g = [0.0, 0.0, 1.0, 1.0, 1.0]
    assert_array_equal(
        bin_pvalues(_two_classes(g, (1, 1, 0, 0, 0)), UniformBinning(2), 0, RNG(0)).adjusted, 1
    )
    wrong = bin_pvalues(_two_classes(g, (1, 1, 0, 1, 0)), UniformBinning(2), 0, RNG(0))
    assert wrong.adjusted[0] == 1
    assert wrong.adjusted[1] < 1e-12


@pytest.mark.parametrize("numbers", [1, 40, 10**6])
def test_redraws_follow_one_another_bin_by_bin_however_they_are_shared_out(monkeypatch, numbers: int) -> None:
    monkeypatch.setattr(bins_module, "_NUMBERS", numbers)
    monkeypatch.setattr(bins_module, "_REDRAWS", 1)
    binning, kept = SimplexBinning(3), []
    monkeypatch.setattr(bins_module, "of_distances", lambda distances, *_how: kept.append(distances))
    p = calibrated(60, 3, RNG(8))
    rng, literal = RNG(5), RNG(5)
    bin_pvalues(p, binning, 25, rng)
    found = reliability(p, binning)
    index, rows = bins_of(p.probs, binning).index, []
    for b in diagram_order(bins_of(p.probs, binning)):
        g = p.probs[index == b]
        counts = np.vstack([np.bincount(p.labels[index == b], minlength=3), redrawn_counts(g, 25, literal)])
        rows.append(total_variation(counts / len(g), g.mean(axis=0)))
    assert_allclose(kept[0], rows, rtol=0, atol=1e-15)
    assert_allclose(kept[0][:, 0], found.deviation, rtol=0, atol=1e-15)
    assert rng.bit_generator.state == literal.bit_generator.state


def test_step_down_and_holm_adjust_the_same_pvalues() -> None:
    p = calibrated(300, 3, RNG(2))
    ours, holms = (bin_pvalues(p, SimplexBinning(4), 499, RNG(3), how) for how in ("step-down", "holm"))
    assert_allclose(ours.pvalue, holms.pvalue, rtol=1e-15)
    assert_allclose(holms.adjusted, holm(holms.pvalue), rtol=1e-15)
    assert (ours.adjusted <= holms.adjusted + 1e-12).all()
    assert (ours.adjusted >= ours.pvalue).all()


def test_redraws_of_all_bins_are_adjusted_together(monkeypatch) -> None:
    given = []
    monkeypatch.setattr(bins_module, "step_down_min_p", lambda t: given.append(t) or step_down_min_p(t))
    p = calibrated(100, 3, RNG(2))
    bin_pvalues(p, SimplexBinning(3), 50, RNG(3))
    diagram = reliability(p, SimplexBinning(3), n_resamples=1)
    assert given[0].shape == (diagram.n_bins, 51)
    assert_allclose(given[0][:, 0], diagram.deviation, atol=1e-12)


@pytest.mark.parametrize("adjust", ["step-down", "holm"])
def test_of_large_data_no_redraw_is_made_that_could_change_nothing(monkeypatch, adjust: str) -> None:
    """A stream of cases has all of them, and says the same; bins that deviate are drawn to the end."""
    p = calibrated(400, 3, RNG(2))
    labels = np.where(SimplexBinning(3).assign(p.probs) == 0, 0, p.labels)
    p, kept, of_distances = Predictions.from_arrays(p.probs, labels), [], bins_module.of_distances

    def keeping(distances, *how):
        kept.append(distances)
        return of_distances(distances, *how)

    monkeypatch.setattr(bins_module, "of_distances", keeping)
    monkeypatch.setattr(bins_module, "MANY_CLASSES", 3)
    monkeypatch.setattr(bins_module, "MOST_LABELS", p.n * 999 - 1)
    few = bin_pvalues(p, SimplexBinning(3), 999, RNG(3), adjust)
    monkeypatch.setattr(bins_module, "_FIRST_REDRAWS", 999)
    every = bin_pvalues(p, SimplexBinning(3), 999, RNG(3), adjust)
    drawn, all_drawn = (np.isfinite(rows[:, 1:]).sum(axis=1).tolist() for rows in kept)
    assert {256, 999} <= set(drawn)
    assert set(all_drawn) == {999}
    assert_array_equal(few.pvalue, every.pvalue)
    assert_array_equal(few.adjusted, every.adjusted)
    for row, p_of_bin in zip(kept[1], every.pvalue, strict=True):
        as_far = np.cumsum(row[1:] >= row[0] - 1e-9)
        literal = 100 / (1 + np.argmax(as_far == 100)) if as_far[-1] >= 100 else (1 + as_far[-1]) / 1000
        assert p_of_bin == pytest.approx(literal, rel=1e-12)
    monkeypatch.setattr(bins_module, "MOST_LABELS", p.n * 999)
    bin_pvalues(p, SimplexBinning(3), 999, RNG(3), adjust)
    assert_array_equal(kept[2], kept[1])
    monkeypatch.setattr(bins_module, "MOST_LABELS", 0)
    monkeypatch.setattr(bins_module, "MANY_CLASSES", 4)
    bin_pvalues(p, SimplexBinning(3), 999, RNG(3), adjust)
    assert_array_equal(kept[3], kept[1])


@pytest.mark.slow
def test_of_ten_classes_stopping_early_finds_as_many_wrong_bins() -> None:
    """On the same redraws, of 16 bins 4 wrong; and none of the others more often than it may."""
    rng, shared, early, wrongly = RNG(7), 0, 0, 0
    for _ in range(100):
        distances = np.empty((16, 3200))
        for b in range(16):
            g = rng.dirichlet(10 * rng.dirichlet(np.ones(10)), 30)
            share = 0.3 if b < 4 else 0.0
            labels = draw_labels((1 - share) * g + share * np.eye(10)[0], rng)
            mean = g.mean(axis=0)
            distances[b, 0] = total_variation(np.bincount(labels, minlength=10) / 30, mean)
            distances[b, 1:] = redrawn_distances(g, mean, 3199, rng)
        together = step_down_min_p(distances)[1] <= 0.05
        alone = bins_module.of_distances(distances, 10**9, 10, "step-down").significant(0.05)
        shared, early = shared + together[:4].sum(), early + alone[:4].sum()
        wrongly += alone[4:].any()
    assert shared > 80
    assert abs(early - shared) <= 0.04 * shared
    assert wrongly <= 100 * (0.05 + 3 * np.sqrt(0.05 * 0.95 / 100))


@pytest.mark.some(1)
@pytest.mark.parametrize(("m", "early"), [(2, False), (3, False), (3, True)])
def test_levels_of_single_bins_and_of_all_together(m: int, early: bool, monkeypatch) -> None:
    """400 calibrated data sets: each bin's p, and the smallest adjusted p."""
    if early:
        monkeypatch.setattr(bins_module, "MANY_CLASSES", 3)
        monkeypatch.setattr(bins_module, "MOST_LABELS", 0)
        monkeypatch.setattr(bins_module, "STOP_AT", 10)
    rng = RNG(20 + m)
    binning = UniformBinning(6) if m == 2 else SimplexBinning(3)
    single, any_of_all = [], []
    for _ in range(400):
        found = bin_pvalues(calibrated(150, m, rng), binning, 99, rng)
        single.append(found.pvalue[0])
        any_of_all.append(found.adjusted.min())
    for alpha in (0.05, 0.1, 0.2):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / 400)
        assert np.mean(np.array(single) <= alpha) <= alpha + tolerance
        assert np.mean(np.array(any_of_all) <= alpha) <= alpha + tolerance
    assert np.mean(np.array(any_of_all) <= 0.2) >= 0.08


def test_a_multinomial_law_would_be_too_wide() -> None:
    """Half the cases certain of one class, half of another: the outcome is fixed, so nothing is unusual."""
    g = np.array([[0.6, 0.4, 0.0], [0.6, 0.0, 0.4]] * 20)
    certain = np.array([[1.0, 0, 0], [0, 1.0, 0]] * 20)
    assert (redrawn_counts(certain, 100, RNG(0)) == [20, 20, 0]).all()
    variance = redrawn_counts(g, 20_000, RNG(0))[:, 1].var()
    assert variance == pytest.approx(20 * 0.4 * 0.6, rel=0.05)  # a multinomial has 40·0.2·0.8


def test_a_bin_that_deviates_is_found_and_the_others_are_not() -> None:
    rng = RNG(5)
    p = calibrated(3000, 3, rng)
    here = SimplexBinning(3).assign(p.probs) == 0
    wrong = Predictions.from_arrays(p.probs, np.where(here, 0, p.labels))
    found = bin_pvalues(wrong, SimplexBinning(3), 999, rng)
    diagram = reliability(wrong, SimplexBinning(3), n_resamples=1)
    i = int(np.argmax(diagram.deviation))
    assert found.pvalue[i] == 1 / 1000
    assert found.adjusted[i] <= diagram.n_bins / 1000
    assert (np.delete(found.adjusted, i) > 0.05).all()


def test_bins_of_one_case_and_one_bin() -> None:
    p = calibrated(5, 3, RNG(0))
    assert len(bin_pvalues(p, UniformBinning(1000), 19, RNG(0)).pvalue) == 5
    alone = bin_pvalues(p, UniformBinning(1), 19, RNG(0))
    assert_array_equal(alone.pvalue, alone.adjusted)


def test_what_cannot_be_done_is_refused(monkeypatch) -> None:
    p = calibrated(50, 3, RNG(0))
    with pytest.raises(InputError, match="expected one of step-down, holm"):
        bin_pvalues(p, SimplexBinning(2), 9, RNG(0), "none")
    with pytest.raises(InputError, match="redraws is 0; expected 1 or more"):
        bin_pvalues(p, SimplexBinning(2), 0, RNG(0))
    with pytest.raises(InputError, match="bin by bin test needs independent rows"):
        bin_pvalues(PooledLens()(p), UniformBinning(3), 9, RNG(0))
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.arange(1, 51))
    with pytest.raises(InputError, match="weights give estimates only"):
        bin_pvalues(weighted, SimplexBinning(2), 9, RNG(0))
    monkeypatch.setattr(bins_module, "MOST_STATISTICS", 39)
    with pytest.raises(InputError, match="4 bins and 9 redraws make 40 numbers; expected 39 at most"):
        bin_pvalues(p, SimplexBinning(2), 9, RNG(0))


@pytest.mark.parametrize("n_bins", [1, 8, 64, 300, 700])
def test_redraws_let_a_bin_stand_out(n_bins: int) -> None:
    redraws = redraws_for_bins(n_bins, 3, 999, 0.05)
    assert redraws is not None
    assert redraws >= 999
    assert n_bins / (redraws + 1) <= 0.05
    assert n_bins * (redraws + 1) <= bins_module.MOST_KEPT
    if n_bins <= 64:
        assert n_bins / (redraws + 1) <= 0.005 + 1e-12


def test_more_bins_than_can_be_told_apart_have_no_redraws() -> None:
    assert redraws_for_bins(710, 3, 999, 0.05) is None
    assert redraws_for_bins(710, 3, 19_999, 0.05) == 19_999  # asked for
    assert redraws_for_bins(60, 3, 10, 1e-6) is None
    assert redraws_for_bins(60, 3, 900_000, 0.05) is None  # more than are kept


@pytest.mark.slow
def test_a_clear_bin_among_many_is_significant_only_with_such_redraws() -> None:
    rng = RNG(2)
    g = np.repeat(np.linspace(0.2, 0.7, 100), 40)[:, None]
    p = np.column_stack([g[:, 0], 0.3 * (1 - g[:, 0]), 0.7 * (1 - g[:, 0])])
    labels = draw_labels(p, rng)
    labels[:40] = 0
    wrong = Predictions.from_arrays(p, labels)
    binning = UniformBinning(400)
    few = bin_pvalues(wrong, binning, 999, RNG(0))
    redraws = redraws_for_bins(len(few.pvalue), 3, 999, 0.05)
    assert redraws is not None
    enough = bin_pvalues(wrong, binning, redraws, RNG(0))
    assert not few.significant(0.05).any()
    assert np.flatnonzero(enough.significant(0.05)).tolist() == [0]


def test_progress_is_told_and_may_stop() -> None:
    p, told = calibrated(90, 3, RNG(0)), []
    bin_pvalues(p, SimplexBinning(3), 9, RNG(0), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bin_pvalues(p, SimplexBinning(3), 9, RNG(0), progress=stop)
