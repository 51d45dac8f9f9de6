"""A survey: which lenses, how their p-values are adjusted, and that one lens never stops another."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibcore import limits
from calibcore.assessment.assess import assess
from calibcore.assessment.defaults import default_lenses, resamples_needed
from calibcore.assessment.survey import Survey, holm, survey
from calibcore.assessment.verdict_tests import exact_pvalue
from calibcore.data.examples import v19_table1, v19_table2, w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagnose import diagnose
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.errors import InputError
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics.progress import Cancelled
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, RegionLens, TopKLens
from tests.oracles import literal_skce as literal

QUICK = DiagnosisSpec(resamples=99, alpha=0.5, kernel=ExponentialKernel("median", "total-variation"), seed=5)


def problem(n: int = 60, m: int = 3, seed: int = 1) -> Predictions:
    rng = np.random.default_rng(seed)
    names = [f"c{k}" for k in range(m)]
    return Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), rng.integers(m, size=n), names)


# --- lenses -----------------------------------------------------------------


def test_two_classes_are_seen_by_confidence_and_as_a_whole() -> None:
    assert default_lenses(problem(m=2)) == (TopKLens(1), CanonicalLens())


@pytest.mark.parametrize("m", [3, 5, 20])
def test_up_to_twenty_classes_are_seen_each(m: int) -> None:
    expected = (TopKLens(1), CanonicalLens(), *(ClassLens(f"c{k}") for k in range(m)))
    assert default_lenses(problem(m=m)) == expected


@pytest.mark.parametrize("m", [21, 30])
def test_of_more_classes_the_twenty_predicted_most_are_seen_whatever_the_labels(m: int) -> None:
    rng = np.random.default_rng(2)
    probs = rng.dirichlet(rng.permutation(np.arange(1, m + 1)), size=40)
    names = [f"c{k}" for k in range(m)]
    chosen = np.argsort(probs.mean(axis=0))[-20:]
    expected = (TopKLens(1), CanonicalLens(), *(ClassLens(names[c]) for c in sorted(chosen)))
    for labels in (np.zeros(40, int), np.full(40, m - 1), rng.integers(m, size=40)):
        assert default_lenses(Predictions.from_arrays(probs, labels, names)) == expected


# --- Holm -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pvalues", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # Holm's method, by hand
        ([0.3], [0.3]),
        ([0.5, 0.5], [1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.9, 0.001], [0.9, 0.002]),
        ([1.0, 1.0, 0.001], [1.0, 1.0, 0.003]),
        ([0.01, 0.011, 0.9], [0.03, 0.03, 0.9]),  # 2·0.011 = 0.022 rises to 0.03
    ],
)
def test_holm_by_hand(pvalues, adjusted) -> None:
    assert_allclose(holm(pvalues), adjusted, rtol=1e-12)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12))
@settings(max_examples=50)
def test_holm_against_the_literal_definition(fortieths) -> None:
    pvalues = [p / 40 for p in fortieths]
    assert_allclose(holm(pvalues), literal.holm(pvalues), rtol=1e-12)
    assert (holm(pvalues) >= np.array(pvalues) - 1e-15).all()
    assert (holm(pvalues) <= np.minimum(1, len(pvalues) * np.array(pvalues)) + 1e-15).all()


# --- redraws ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lenses", "alpha", "needed"),
    [(1, 0.05, 199), (5, 0.05, 999), (6, 0.05, 1199), (22, 0.05, 4399), (3, 0.07, 428)],
)
def test_redraws_needed(lenses, alpha, needed) -> None:
    """The least B with B + 1 ≥ 10·L/α."""
    assert resamples_needed(lenses, alpha) == needed
    assert needed + 1 >= 10 * lenses / alpha - 1e-9 > needed


def test_too_few_redraws_are_raised_and_more_are_kept() -> None:
    p = problem()
    assert {d.spec.resamples for d in survey(p, QUICK).diagnoses} == {99}  # 10·5/0.5 − 1
    assert {d.spec.resamples for d in survey(p, replace(QUICK, alpha=0.2)).diagnoses} == {249}
    assert {d.spec.resamples for d in survey(p, replace(QUICK, resamples=150)).diagnoses} == {150}


# --- a survey ---------------------------------------------------------------


def test_a_survey_is_its_diagnoses_and_their_adjusted_pvalues() -> None:
    p = problem()
    found = survey(p, QUICK)
    assert tuple(d.spec.lens for d in found.diagnoses) == default_lenses(p)
    raw = []
    for d in found.diagnoses:
        assert d.spec.tests == ("exact-omnibus",)
        assert [test.name for test in d.tests] == ["exact-omnibus"]
        alone = diagnose(p, replace(QUICK, lens=d.spec.lens, tests=("exact-omnibus",), estimates=()))
        assert alone.to_json() == d.to_json()
        assert exact_pvalue(d) == d.test("exact-omnibus").result.pvalue
        raw.append(exact_pvalue(d))
    assert_allclose(found.adjusted, literal.holm(raw), rtol=1e-12)
    assert found.refused == ()


def test_json_round_trip() -> None:
    spec = replace(QUICK, kernel=GaussianKernel("median", "total-variation"))
    found = survey(problem(), spec)
    assert found.refused
    again = Survey.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert (again.adjusted, again.refused) == (found.adjusted, found.refused)
    document = json.loads(found.to_json())
    assert document["adjustment"] == "holm"
    assert [entry["lens"] for entry in document["lenses"]] == ["top-k:1", "class:c0", "class:c1", "class:c2"]
    for entry, d, adjusted in zip(document["lenses"], found.diagnoses, found.adjusted, strict=True):
        assert (entry["p_value"], entry["adjusted_p_value"]) == (exact_pvalue(d), adjusted)


def test_a_lens_that_cannot_be_tested_is_told_and_stops_no_other() -> None:
    p = problem()
    lowest = float(np.sort(p.probs[:, 0])[-1])
    lenses = [
        ClassLens("no such class"),
        TopKLens(1),
        RegionLens(CanonicalLens(), "c0", 0.9999999, 1.0),  # empty
        TopKLens(3),
        RegionLens(CanonicalLens(), "c0", lowest, 1.0),  # one case
        CanonicalLens(),
    ]
    for kernel in (ExponentialKernel(), ExponentialKernel(0.3)):
        found = survey(p, replace(QUICK, kernel=kernel, alpha=0.6), lenses)
        assert [d.spec.lens for d in found.diagnoses] == [TopKLens(1), CanonicalLens()]
        assert len(found.adjusted) == 2
        refused = dict(found.refused)
        assert len(refused) == 4
        assert "There is no class" in refused["class:no such class"]
        assert "1 to 2" in refused["top-k:3"]


def test_no_lens_and_none_that_can_be_tested_are_errors() -> None:
    with pytest.raises(InputError, match="at least one"):
        survey(problem(), QUICK, [])
    with pytest.raises(InputError, match=r"No lens can be tested\. class:x: There is no class"):
        survey(problem(), QUICK, [ClassLens("x"), ClassLens("y")])
    without = diagnose(problem(), replace(QUICK, tests=()))
    with pytest.raises(InputError, match="no exact omnibus test"):
        exact_pvalue(without)


def test_a_binning_that_does_not_fit_a_lens_gives_way_there_only() -> None:
    found = survey(problem(), replace(QUICK, binning=EqualMassBinning(4)))
    used = {d.spec.lens: d.spec.binning for d in found.diagnoses}
    assert used.pop(CanonicalLens()) == UniformBinning(10)
    assert set(used.values()) == {EqualMassBinning(4)}


def test_progress_rises_to_one_and_may_stop_the_work() -> None:
    seen: list[float] = []
    survey(problem(), QUICK, progress=lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 1)

    def stop(fraction: float, words: str) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        survey(problem(), QUICK, progress=stop)


def test_progress_ends_at_one_where_the_last_lens_is_refused() -> None:
    seen: list[float] = []
    survey(problem(), QUICK, [TopKLens(1), ClassLens("x")], lambda fraction, words: seen.append(fraction))
    assert seen == sorted(seen)
    assert seen[-1] == 1


# --- what it finds ----------------------------------------------------------


def test_the_tables_of_v19_are_found_out_by_the_right_lenses() -> None:
    """Table 1 only as a whole; Table 2 by every class too; by confidence neither."""
    spec = replace(QUICK, alpha=0.05, kernel=ExponentialKernel())
    for table, wrong in (
        (v19_table1, {"canonical"}),
        (v19_table2, {"canonical", "class:1", "class:2", "class:3"}),
    ):
        entries = survey(table(50), spec).to_document()["lenses"]
        assert {entry["lens"] for entry in entries if entry["adjusted_p_value"] <= 0.05} == wrong


@pytest.mark.slow  # the verdicts' own test, in test_verdict_levels.py, is shorter
def test_the_familywise_level_holds_on_calibrated_models() -> None:
    """100 calibrated data sets, five lenses, level 0.2: at most 3 standard deviations above."""
    rng = np.random.default_rng(20190501)
    rejected = [
        min(survey(w19_model("M1", n=50, m=3, rng=rng), replace(QUICK, alpha=0.2)).adjusted) <= 0.2
        for _ in range(100)
    ]
    assert 0.02 <= np.mean(rejected) <= 0.2 + 3 * np.sqrt(0.2 * 0.8 / 100)


def test_lenses_of_many_classes_have_a_binning_of_their_own_and_diagnoses_come_one_by_one() -> None:
    p, came = problem(), []
    spec = replace(QUICK, binning=UniformBinning(4))
    lenses = (TopKLens(1), CanonicalLens(), ClassLens("c0"))
    found = survey(p, spec, lenses, binning_of_many=MedianVarianceBinning(20), on_result=came.append)
    assert tuple(came) == found.diagnoses
    binnings = [diagnosis.spec.binning for diagnosis in found.diagnoses]
    assert binnings == [UniformBinning(4), MedianVarianceBinning(20), UniformBinning(4)]


@pytest.mark.parametrize("look", [survey, diagnose])
def test_arrays_are_answered_with_how_to_make_predictions(look: Any) -> None:
    probs, labels = np.full((9, 2), 0.5), [0, 1, 1] * 3
    made = Predictions.from_arrays(probs, labels)
    name = look.__name__
    for arguments, sentence in (
        (
            (probs, labels),
            rf"{name} takes Predictions and was given an object of type ndarray\. Make them of ",
        ),
        (([[0.5, 0.5]], [1]), f"{name} takes Predictions and was given an object of type list"),
        (
            (made, labels),
            f"{name} takes a DiagnosisSpec after the predictions and was given an object of typ",
        ),
    ):
        with pytest.raises(TypeError, match=sentence):
            look(*arguments)
    with pytest.raises(TypeError, match="survey takes a list of lenses and was given an object of type TopK"):
        survey(made, None, TopKLens(1))  # type: ignore[arg-type]


def test_lenses_beside_each_other_have_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other with one thread; of many classes and of two, in bins and not, with two."""
    rng = np.random.default_rng(92)
    g = rng.dirichlet(np.ones(3), 4_500)
    p = Predictions.from_arrays(g, (rng.random((len(g), 1)) > g.cumsum(axis=1)).sum(axis=1).clip(max=2))
    documents = []
    for threads in (1, 2):
        monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, threads=threads))
        found = survey(p, DiagnosisSpec(resamples=99, alpha=0.5))
        documents.append(assess(p, found).to_document())
    assert documents[0] == documents[1]
