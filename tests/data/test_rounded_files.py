"""Rows whose outcome stands at a 0 that rounding made: no test by redraws sees them, a count judges them."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibcore import (
    SKCE,
    ClassLens,
    DiagnosisSpec,
    ExactOmnibusTest,
    ExactTest,
    Predictions,
    TopKLens,
    UniformBinning,
    average_without_bins,
    compare,
    decide,
    diagnose,
    explain_by_wrong_labels,
    judge,
    monitor,
    survey,
    survey_groups,
)
from calibcore.assessment.impossible import OF_COUNT, impossible, with_count
from calibcore.assessment.temperature_set import temperature_set
from calibcore.data.labels import pooled_labels
from calibcore.diagnose.curves import curve_for
from calibcore.diagram.bins import bins_of
from calibcore.diagram.reliability import reliability
from calibcore.hypothesis_tests.asymptotic import SpiegelhalterTest
from calibcore.hypothesis_tests.bins import bin_pvalues
from calibcore.hypothesis_tests.units import across_units
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.questions.label_noise import looks_like_noise
from calibcore.questions.label_noise.words import sentence
from calibcore.questions.monitor.words import headline
from calibcore.questions.recalibrate.class_mix import class_mix_test
from calibcore.sensitivity.class_screen import screen_classes
from calibcore.transforms.lenses import CanonicalLens, PooledLens, RegionLens
from calibcore.transforms.nulls import LabelNoise
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each

SPEC = DiagnosisSpec(resamples=99, tests=("exact-omnibus",), estimates=())
SAID = (
    "3 rows whose outcome stands at a rounded 0 are left out of the omnibus test. Verdicts judge the number"
)


def sure(n: int, chance: float, rng: np.random.Generator, share: float = 0.8) -> tuple[Float, Int]:
    """Two classes with two decimals: in so many cases the first has that chance, told 1.00; else any."""
    often, p = rng.random(n) < share, rng.random(n)
    labels = (rng.random(n) > np.where(often, chance, p)).astype(np.int64)
    told = np.where(often, 1.0, np.round(p, 2))
    return np.column_stack([told, np.round(1 - told, 2)]), labels


def rare(n: int, chance: float, rng: np.random.Generator) -> tuple[Float, Int]:
    """Three classes; the third is rare everywhere, and its chance is written 0.00."""
    p = np.round(rng.beta(2, 2, n), 2)
    g = np.column_stack([p, np.round(1 - p, 2), np.zeros(n)])
    labels = (rng.random(n) > p).astype(np.int64)
    labels[rng.random(n) < chance] = 2
    return g, labels


def three_at_zero() -> Predictions:
    rng = np.random.default_rng(1)
    g, y = sure(300, 0.996, rng)
    y[g[np.arange(300), y] == 0] = 0
    zero = np.flatnonzero(g[:, 1] == 0)[:3]
    y[zero] = 1
    patient, site = np.arange(300).astype(str), np.where(np.arange(300) % 2, "A", "B")
    return Predictions.from_arrays(g, y, ["a", "b"], {"patient": patient, "site": site})


def test_the_rows_are_those_that_are_left_out_by_hand() -> None:
    p = three_at_zero()
    kept = [i for i in range(p.n) if p.probs[i, p.labels[i]] > 0]
    by_hand = p.with_rows(kept)
    assert (p.impossible_outcomes, len(kept)) == (3, 297)
    for lens in (
        CanonicalLens(),
        TopKLens(1),
        ClassLens("b"),
        RegionLens(CanonicalLens(), "a", 0.5, 1.0),
        PooledLens(),
    ):
        spec = replace(SPEC, lens=lens)
        found = diagnose(p, spec)
        test = found.test("exact-omnibus")
        assert test is not None
        assert test.result is not None
        kernel = spec.kernel.resolved(lens(p).probs)[0]
        expected = ExactOmnibusTest(kernel, 99)(lens(by_hand), stream(spec.seed, "exact-omnibus"))
        assert (test.result.pvalue, test.result.statistic) == (expected.pvalue, expected.statistic)
        assert any(note.startswith(SAID) for note in found.notes), found.notes
        assert found.lens_n == (lens(p).cases.n if lens.pairs else lens(p).n) or lens.pairs
    units = diagnose(p, replace(SPEC, unit="patient"))
    assert any(note.startswith(SAID) for note in units.notes)


def test_what_a_lens_does_not_show_at_0_stays() -> None:
    """A third class at 0: through the lens of the first it is an outcome like any other."""
    g, y = rare(200, 0.02, np.random.default_rng(4))
    p = Predictions.from_arrays(g, y, ["a", "b", "c"])
    at_zero = int((y == 2).sum())
    assert at_zero > 0
    assert CanonicalLens()(p).possible.n == 200 - at_zero
    assert ClassLens("c")(p).possible.n == 200 - at_zero
    assert ClassLens("a")(p).possible.n == 200 - int((y[g[:, 1] == 0] == 2).sum())
    assert TopKLens(1)(p).possible is not p
    plain = Predictions.from_arrays(g[y != 2], y[y != 2], ["a", "b", "c"])
    assert plain.possible is plain


def test_zeros_that_are_none_of_rounding_other_nulls_and_few_cases_leave_nothing_out() -> None:
    exact = Predictions.from_arrays([[1.0, 0.0], [1 / 3, 2 / 3], [0.5, 0.5]], [1, 0, 1])
    assert exact.possible is exact
    few = Predictions.from_arrays([[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]], [1, 1, 0])
    assert few.rounding == (2, 0.005)
    assert few.possible is few
    p = three_at_zero()
    noisy = diagnose(p, replace(SPEC, null=LabelNoise(0.03)))
    assert not any("rounded 0" in note for note in noisy.notes)


@pytest.mark.slow
def test_the_count_speaks_for_every_lens_that_shows_it() -> None:
    """Said 1.00, true 0.80: no test looks at the misses any more, and every verdict says it."""
    g, y = sure(400, 0.8, np.random.default_rng(2), share=1.0)
    g[:, 0], g[:, 1] = 1.0, 0.0
    g[:100] = [0.75, 0.25]
    p = Predictions.from_arrays(g, y, ["a", "b"])
    misses = int((y[100:] == 1).sum())
    for lenses in (None, [TopKLens(1)], [ClassLens("b"), TopKLens(1)]):
        found = survey(p, DiagnosisSpec(resamples=199), lenses)
        assert found.at_rounded == (misses,) * len(found.diagnoses)
        assert found.hypotheses == len(found.diagnoses) + 1
        for verdict in judge(p, found):
            assert verdict.answer == "miscalibrated"
            assert verdict.refuted is not None
            assert verdict.refuted.outcomes == misses
    through = impossible(p).through(3, 2)
    assert through.adjusted == pytest.approx(min(1.0, 2 * through.pvalue))
    again = survey(p, DiagnosisSpec(resamples=199))
    assert type(again).from_json(again.to_json()).at_rounded == again.at_rounded


@pytest.mark.slow
def test_models_and_groups_leave_them_out_and_count_them() -> None:
    p = three_at_zero()
    said = compare({"one": p, "two": p}, DiagnosisSpec(resamples=99))
    assert [note for note in said.notes if note.startswith(f"one: {SAID}")]
    found = survey_groups(p, ["site"], DiagnosisSpec(resamples=99))
    assert any(note.startswith(SAID) for note in found.notes)
    assert all(group.pvalue is not None and group.pvalue > 0.05 for group in found.groups)
    g, y = sure(400, 0.8, np.random.default_rng(2), share=1.0)
    g[:, 0], g[:, 1] = 1.0, 0.0
    g[:200] = [0.8, 0.2]
    site = np.where(np.arange(400) % 2, "A", "B")
    off = Predictions.from_arrays(g, y, ["a", "b"], {"site": site})
    for group in survey_groups(off, ["site"], DiagnosisSpec(resamples=99)).groups:
        assert group.pvalue is not None
        assert group.pvalue < 0.001
    for lens in (CanonicalLens(), TopKLens(1)):
        level = float((y == 0).mean())
        mean = Predictions.from_arrays(np.tile([level, 1 - level], (400, 1)), y, ["a", "b"])
        for model in compare({"one": off, "two": mean}, DiagnosisSpec(resamples=99, lens=lens)).models:
            assert (model.verdict.answer == "miscalibrated") == (model.name == "one")


def test_redraws_leave_them_as_they_are_while_rounding_explains_them() -> None:
    p = three_at_zero()
    rows = np.flatnonzero(p.probs[np.arange(300), p.labels] == 0)
    assert p.kept.tolist() == rows.tolist()
    others = np.setdiff1d(np.arange(300), rows)
    assert np.array_equal(p.chances[others], p.probs[others])
    drawn = np.concatenate(list(redrawn_labels(p, 50, np.random.default_rng(0))))
    assert (drawn[:, rows] == p.labels[rows]).all()
    again = np.concatenate(list(redrawn_labels(PooledLens()(p), 50, np.random.default_rng(0))))
    assert np.array_equal(again, pooled_labels(drawn, 2))
    assert p.without_kept.n == 297
    other = np.concatenate(list(redrawn_labels(p, 50, np.random.default_rng(0), LabelNoise(0.03))))
    assert not (other[:, rows] == p.labels[rows]).all()  # wrong labels give them a chance
    g, y = sure(400, 0.8, np.random.default_rng(2))  # far more of them than rounding explains
    off = Predictions.from_arrays(g, y, ["a", "b"])
    assert off.impossible_outcomes > 20
    assert not len(off.kept)
    assert off.without_kept is off
    assert off.chances is off.probs


def test_bars_bins_and_curves_have_the_law_of_what_is_redrawn() -> None:
    """Beside all labels drawn one by one, the kept ones as they are."""
    p = three_at_zero()
    binning = UniformBinning(10)
    chances = np.where(np.isin(np.arange(300), p.kept), p.labels == 0, p.probs[:, 0])
    exact = reliability(p, binning)
    bins = bins_of(p.probs, binning)
    top = int(np.argmax(bins.counts))
    rows = np.flatnonzero(bins.index == top)
    law = np.ones(1)
    for chance in chances[rows]:
        law = np.convolve(law, [1 - chance, chance])
    shown = int(np.argmax(exact.counts))
    ends = np.searchsorted(np.cumsum(law), (0.05, 0.95))
    for end, limit in zip(ends, (exact.low[shown], exact.high[shown]), strict=True):
        assert limit == pytest.approx(end / len(rows) - p.probs[rows, 0].mean(), abs=1e-9)
    assert not exact.outside[shown]
    hits = np.bincount(bins.index[p.labels == 0], minlength=bins.n_bins)[top]
    far = np.abs(np.arange(len(law)) - p.probs[rows, 0].sum())
    by_hand = law[far >= abs(hits - p.probs[rows, 0].sum()) - 1e-9].sum()
    found = bin_pvalues(p, binning, 99, np.random.default_rng(0))
    assert found.pvalue[shown] == pytest.approx(by_hand, abs=1e-9)
    resampled = reliability(p, binning, bars="resampled", n_resamples=199)
    assert not resampled.outside[shown]


def test_what_stands_alone_leaves_them_out() -> None:
    p = three_at_zero()
    rest = p.with_rows([i for i in range(p.n) if i not in p.kept])
    spec = DiagnosisSpec(resamples=99, tests=("exact", "asymptotic"), estimates=())
    found = {test.name: test.result for test in diagnose(p, spec).tests if test.result is not None}
    kernel = spec.kernel.resolved(spec.lens(p).probs)[0]
    by_hand = ExactTest(SKCE(kernel), 99)(spec.lens(rest), stream(spec.seed, "exact-skce"))
    assert found["exact-skce"].pvalue == by_hand.pvalue
    assert found["spiegelhalter"].pvalue == SpiegelhalterTest()(spec.lens(rest)).pvalue
    assert screen_classes(p).by_number.tolist() == screen_classes(rest).by_number.tolist()
    assert average_without_bins(p, spec).pvalue == average_without_bins(rest, spec).pvalue
    assert class_mix_test(p, n_resamples=19).pvalue == class_mix_test(rest, n_resamples=19).pvalue
    noise = DiagnosisSpec(resamples=199, lens=TopKLens(1))
    assert explain_by_wrong_labels(p, noise).pvalue == pytest.approx(
        ExactOmnibusTest(noise.kernel.resolved(noise.lens(p).probs)[0], 199)(
            noise.lens(rest), stream(0, "exact-omnibus")
        ).pvalue
    )


def test_label_noise_says_what_rounding_can_look_like() -> None:
    rng = np.random.default_rng(3)
    g, y = sure(1_000, 0.996, rng)
    wrong = rng.random(1_000) < 0.1
    p = Predictions.from_arrays(g, np.where(wrong, 1 - y, y), ["a", "b"])
    found = explain_by_wrong_labels(p, DiagnosisSpec(resamples=199, lens=TopKLens(1)))
    assert found.rounding == pytest.approx(0.005)
    assert found.smallest is not None
    assert 0.05 < found.smallest < 0.13
    assert sentence(found).endswith("Rounding alone can look like up to 0.5\u00a0% of them.")
    assert looks_like_noise(Predictions.from_arrays([[0.25, 0.75], [0.5, 0.5]], [0, 1])) == 0
    assert looks_like_noise(Predictions.from_arrays([[1.0, 0.0], [1 / 3, 2 / 3]], [0, 1])) == 0


def test_a_monitor_that_stops_at_a_rounded_0_refutes_nothing() -> None:
    p = three_at_zero()
    assert headline(monitor(p)).endswith("the evidence cannot go on, and rounding may be why.")


def test_rows_of_units_leave_them_out() -> None:
    p = three_at_zero()
    rest = [i for i in range(p.n) if i not in p.kept]
    kernel, unit = DiagnosisSpec().kernel, np.arange(p.n) // 2
    found = across_units(p, unit, kernel, 99, np.random.default_rng(0))
    by_hand = across_units(p.with_rows(rest), unit[rest], kernel, 99, np.random.default_rng(0))
    assert found.pvalue == by_hand.pvalue


def test_a_rounded_0_stays_0_at_every_temperature() -> None:
    """Sure cases say nothing of a temperature: the set is that of the others."""
    p = three_at_zero()
    unsure = p.with_rows(np.flatnonzero((p.probs > 0).all(axis=1)))
    of_all, of_some = temperature_set(p, 1_999), temperature_set(unsure, 1_999)
    assert of_all.estimate == pytest.approx(of_some.estimate, rel=1e-6)
    assert (of_all.low, of_all.high) == pytest.approx((of_some.low, of_some.high), rel=0.04)
    assert of_all.pvalue == pytest.approx(of_some.pvalue, abs=0.05)


@each("of_count", [None, 1.0, 0.02, 1e-6])
def test_one_p_of_a_test_and_a_count(of_count: float | None) -> None:
    """The count has a tenth of the level: rejected at α where the test is at 0.9 α or the count at 0.1 α."""
    for p in (0.001, 0.03, 0.8, 1.0):
        both = with_count(p, of_count)
        if of_count is None:
            assert both == p
            continue
        for level in (0.01, 0.05, 0.2):
            assert (both <= level) == (p <= (1 - OF_COUNT) * level or of_count <= OF_COUNT * level)
        assert both <= 1


def called_miscalibrated(
    runs: int, n: int, world: Callable[[int, float, np.random.Generator], tuple[Float, Int]], chance: float
) -> tuple[float, float]:
    """Shares of files: called miscalibrated through any lens, and as it would be with all rows tested."""
    now = before = 0
    for k in range(runs):
        g, y = world(n, chance, np.random.default_rng([k, n]))
        p = Predictions.from_arrays(g, y)
        found = survey(p, DiagnosisSpec(resamples=199))
        counted = (
            1.0
            if found.impossible is None or found.impossible.adjusted is None
            else found.impossible.adjusted
        )
        now += min(*found.adjusted, counted) <= 0.05
        all_rows = [
            ExactOmnibusTest(d.spec.kernel, 199)(d.spec.lens(p), np.random.default_rng(k)).pvalue
            for d in found.diagnoses
        ]
        before += min(all_rows) * found.hypotheses <= 0.05
    return now / runs, before / runs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "chance", "n", "runs", "most"),
    [
        (sure, 0.996, 1_000, 200, 0.05),
        (sure, 0.996, 3_000, 200, 0.05),
        (sure, 0.9975, 1_000, 200, 0.05),
        (rare, 0.004, 1_000, 100, 0.05),
        (rare, 0.0045, 300, 200, 0.05),
    ],
)
def test_the_level_of_rounded_files(
    world: Callable[[int, float, np.random.Generator], tuple[Float, Int]],
    chance: float,
    n: int,
    runs: int,
    most: float,
) -> None:
    now, _ = called_miscalibrated(runs, n, world, chance)
    assert now <= most + 3 * math.sqrt(most * (1 - most) / runs)


@pytest.mark.slow
def test_the_power_against_a_sure_model_whose_zeros_happen() -> None:
    """Said 1.00, true 0.985: three times what rounding explains; .90 of 30 files."""
    assert called_miscalibrated(60, 1_000, sure, 0.985)[0] >= 0.75


def sure_of_three(n: int, chance: float, rng: np.random.Generator) -> tuple[Float, Int]:
    """Three classes with two decimals: in 4 of 5 cases the first has that chance, told 1.00; else any."""
    true = rng.dirichlet(np.ones(3), n)
    true[rng.random(n) < 0.8] = (chance, (1 - chance) / 2, (1 - chance) / 2)
    labels = (true.cumsum(axis=1)[:, :2] < rng.random(n)[:, None]).sum(axis=1)
    told = np.round(true[:, :2], 2)
    return np.column_stack([told, np.round(1 - told.sum(axis=1), 2).clip(0)]), labels.astype(np.int64)


def found_in(p: Predictions, seed: int) -> dict[str, bool]:
    """What is called an error in one file, apart from verdicts."""
    m = p.m
    estimates = ("e50", "smooth-ece") if m == 2 else ("classwise-ece",)
    spec = DiagnosisSpec(resamples=99, tests=("exact", "asymptotic"), estimates=estimates, seed=seed)
    d = diagnose(p, spec)
    named = [*((t.name, t.result) for t in d.tests), *((e.name, e) for e in d.estimates)]
    rejected = {name: one.pvalue <= 0.05 for name, one in named if one is not None}
    rejected.pop("asymptotic-cme", None)  # rejects too often of such predictions, rounded or not
    assert d.bin_pvalues is not None
    rejected["bins"] = min(d.bin_pvalues["adjusted_p_value"]) <= 0.05
    rejected["the largest gap of a bin"] = d.calibration_error["mce"] > d.calibration_error["mce_high"]
    rejected["without bins"] = average_without_bins(p, spec).pvalue <= 0.05
    rejected["classes"] = screen_classes(p, seed=seed).beyond > 0
    temperature = temperature_set(p, 199, seed=seed)
    rejected["temperature"] = temperature.pvalue <= 0.05
    rejected["temperature set"] = temperature.empty or not temperature.low <= 1 <= temperature.high
    noise = explain_by_wrong_labels(p, replace(spec, lens=TopKLens(1)))
    rejected["label noise"] = noise.smallest is None or noise.smallest > 0
    rejected["decisions"] = decide(p, replace(spec, lens=TopKLens(1))).simultaneous_pvalue <= 0.05
    if m == 2:
        curve = curve_for(p, spec, "smooth")
        rejected["curve"] = curve.share_outside > curve.most_outside
    return rejected


@pytest.mark.slow
@pytest.mark.parametrize(("world", "n", "runs"), [(sure, 1_000, 100), (sure_of_three, 1_000, 60)])
def test_the_level_of_what_no_verdict_rests_on(
    world: Callable[[int, float, np.random.Generator], tuple[Float, Int]], n: int, runs: int
) -> None:
    """The figures in docs/statistics/rounded-files.md; testing all rows calls up to all files off."""
    files = []
    for k in range(runs):
        g, y = world(n, 0.996, np.random.default_rng([k, n]))
        files.append(found_in(Predictions.from_arrays(g, y), k))
    for name in files[0]:
        most = 0.1 if name in ("the largest gap of a bin", "curve") else 0.06
        share = float(np.mean([one[name] for one in files]))
        assert share <= most + 3.5 * math.sqrt(most * (1 - most) / runs), name
