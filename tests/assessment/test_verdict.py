"""Verdicts: which answer when, what they hold, to JSON and back."""

import json
from dataclasses import replace

import numpy as np
import pytest

from calibcore import Survey, Verdict, diagnose, judge, survey
from calibcore.assessment.verdict import answered
from calibcore.data.examples import v19_table1, v19_table2, w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.gap_sizes import frequencies
from calibcore.diagram.typical_gap import TypicalGap, typical_gap
from calibcore.errors import InputError
from calibcore.numerics.progress import Cancelled
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, RegionLens, TopKLens

LENSES = (TopKLens(1), CanonicalLens(), ClassLens("1"))
QUICK = DiagnosisSpec(resamples=99, alpha=0.5, seed=5)


def problem(n: int = 60, m: int = 3, seed: int = 1) -> Predictions:
    """Calibrated."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.ones(m), size=n)
    labels = (rng.random((n, 1)) >= probs.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(probs, labels, [f"c{k}" for k in range(m)])


@pytest.fixture(scope="module")
def looked() -> tuple[Predictions, Survey]:
    p = problem(150)
    return p, survey(p, QUICK)


def with_adjusted(found: Survey, *adjusted: float) -> Survey:
    return replace(found, adjusted=adjusted)


def with_tolerance(found: Survey, tolerance: float) -> Survey:
    changed = (replace(d, spec=replace(d.spec, tolerance=tolerance)) for d in found.diagnoses)
    return replace(found, diagnoses=tuple(changed))


# --- the answer -----------------------------------------------------------------


def test_each_answer_follows_its_rule(looked) -> None:
    """Miscalibrated by the adjusted p alone; else by D80 and the typical gap's limit against the tolerance,
    their own values included."""
    p, found = looked
    small = tuple(replace(d, typical_gap=TypicalGap(0.0, 0.0, 1e-6)) for d in found.diagnoses)
    calm = replace(with_adjusted(found, *[0.9] * 5), diagnoses=small)
    sizes = [v.smallest_detectable for v in judge(p, calm)]
    assert all(size is not None and 0 < size < 1 for size in sizes)
    for i, size in list(enumerate(sizes))[:2]:
        for tolerance, answer in ((size, "consistent"), (size * (1 - 1e-9), "cannot-tell")):
            one = judge(p, with_tolerance(calm, tolerance))[i]
            assert (one.answer, one.small, one.tolerance) == (answer, False, tolerance)
    one = judge(p, with_tolerance(calm, 0.9))[1]
    assert one.answer == "consistent"
    for gap in (
        TypicalGap(0.1, 0.0, 0.4),
        TypicalGap(0.1, 0.0, 0.2, 0.4),
        TypicalGap(0.1, 0.0, 0.6, None, 0.4),
    ):
        for tolerance, answer in ((0.4, "consistent"), (0.2829, "consistent"), (0.2827, "cannot-tell")):
            of = replace(one, typical_gap=gap, detectable=(), tolerance=tolerance)
            seen = tuple(replace(size, size=0.01) for size in one.detectable)
            assert answered(of, seen, tolerance).answer == answer
    for adjusted, answer in (
        (0.5, "miscalibrated"),
        (np.nextafter(0.5, 1), "miscalibrated"),
        (0.501, "cannot-tell"),
    ):
        one = judge(p, with_adjusted(found, adjusted, *[0.9] * 4))[0]
        assert (one.answer, one.adjusted, one.alpha) == (answer, adjusted, 0.5)


@pytest.mark.slow
def test_the_model_as_a_whole_is_rejected_by_any_lens(looked) -> None:
    p, found = looked
    lenses = [d.spec.lens for d in found.diagnoses]
    assert lenses[:2] == [TopKLens(1), CanonicalLens()]
    for adjusted, by in (
        ((0.1, 0.9, 0.9, 0.9, 0.9), ("top-k:1",)),
        ((0.9, 0.9, 0.2, 0.9, 0.3), ("class:c0", "class:c2")),
        ((0.1, 0.4, 0.9, 0.9, 0.9), ()),  # by itself
        ((0.9, 0.9, 0.9, 0.9, 0.9), ()),
    ):
        whole = judge(p, with_adjusted(found, *adjusted))
        assert whole[1].by_lenses == by
        assert (whole[1].answer == "miscalibrated") == (min(adjusted) <= 0.5)
        for v, p_value in zip(whole, adjusted, strict=True):
            if v.lens != CanonicalLens():
                assert (v.answer == "miscalibrated") == (p_value <= 0.5)
                assert v.by_lenses == ()


@pytest.mark.slow
def test_small_is_what_cannot_reach_the_tolerance(looked) -> None:
    p, found = looked
    rejected = with_adjusted(found, 0.1, 0.9, 0.9, 0.9, 0.9)
    limits = [v.typical_gap.high for v in judge(p, rejected)]
    first, whole = limits[:2]
    for tolerance in (min(first, whole) * 0.999, (first + whole) / 2, max(first, whole) * 1.001):
        found_small = [v.small for v in judge(p, with_tolerance(rejected, tolerance))]
        # What rejects the whole must be small too.
        assert found_small == [first < tolerance, max(first, whole) < tolerance, False, False, False]
        both = with_adjusted(found, 0.1, 0.1, 0.9, 0.9, 0.9)
        found_small = [v.small for v in judge(p, with_tolerance(both, tolerance))]
        assert found_small == [first < tolerance, max(first, whole) < tolerance, False, False, False]


@pytest.mark.slow
def test_examples_have_the_answers_they_should() -> None:
    table1, table2 = (
        {lens_to_words(v.lens): v.answer for v in judge(t, survey(t, DiagnosisSpec(seed=3), LENSES))}
        for t in (v19_table1(50), v19_table2(50))
    )
    assert {lens for lens, answer in table1.items() if answer == "miscalibrated"} == {"canonical"}
    assert {lens for lens, answer in table2.items() if answer != "miscalibrated"} == {"top-k:1"}
    few = problem(15)
    assert "cannot-tell" in {v.answer for v in judge(few, survey(few, DiagnosisSpec(seed=3)))}
    many = problem(4_000, 2)
    assert {v.answer for v in judge(many, survey(many, DiagnosisSpec(seed=3)))} == {"consistent"}


# --- what it holds ----------------------------------------------------------------


def test_a_verdict_holds_what_the_survey_found(looked) -> None:
    p, found = looked
    for v, d, adjusted in zip(judge(p, found), found.diagnoses, found.adjusted, strict=True):
        induced = d.spec.lens(p)
        assert v.lens == d.spec.lens
        test = d.test("exact-omnibus").result
        assert (v.pvalue, v.adjusted) == (test.pvalue, adjusted)
        assert (v.decided_by, v.direction) == (test.decided_by.name, test.decided_by.direction)
        assert v.refuted is None
        assert (v.n, v.tolerance) == (150, 0.05)
        assert v.frequencies == frequencies(induced)
        assert len(v.frequencies) == (1 if induced.m == 2 else 3)
        assert v.typical_gap == typical_gap(induced, v.frequencies)
        assert {one.pattern for one in v.detectable} == {"overconfidence", "bias", "uneven"}
        assert v.smallest_detectable == max(one.size for one in v.detectable) == v.detectable[0].size


def test_a_pattern_that_cannot_be_seen_leaves_no_smallest_size() -> None:
    p = problem(6)
    for v in judge(p, survey(p, DiagnosisSpec())):
        if any(one.size is None for one in v.detectable):
            assert v.smallest_detectable is None
            assert v.answer in ("cannot-tell", "miscalibrated")
    assert v.detectable[0].size is None


@pytest.mark.slow
def test_fewer_lenses_see_smaller_sizes() -> None:
    """The level is α over the number of lenses that were tested."""
    p, spec = problem(400, 2), replace(QUICK, alpha=0.1, resamples=999)
    alone, one_of_eight = (judge(p, survey(p, spec, [TopKLens(1)] * k))[0] for k in (1, 8))
    assert alone.smallest_detectable < 0.9 * one_of_eight.smallest_detectable


@pytest.mark.slow
def test_an_error_that_cannot_matter_does_not_count(looked) -> None:
    """D80 is the largest over the patterns whose largest possible size exceeds the tolerance."""
    p, found = looked
    (first, *_) = judge(p, with_adjusted(found, *[0.9] * 5))
    shown = [one for one in first.detectable if one.size is not None]
    largest = sorted(one.largest for one in shown)
    for tolerance in (1e-6, *largest[:-1]):
        one = judge(p, with_tolerance(with_adjusted(found, *[0.9] * 5), tolerance))[0]
        assert one.smallest_detectable == max(d.size for d in shown if d.largest > tolerance)
    # Where no pattern can be as large as the tolerance, all count.
    one = judge(p, with_tolerance(with_adjusted(found, *[0.9] * 5), largest[-1]))[0]
    assert one.smallest_detectable == max(d.size for d in shown)


def test_redraws_that_stopped_early_are_made_anew() -> None:
    p = problem(150)
    full = judge(p, survey(p, QUICK, [TopKLens(1)]))[0]
    found = survey(p, replace(QUICK, stop_at=10), [TopKLens(1)])
    assert found.diagnoses[0].test("exact-omnibus").result.n_resamples < 99
    early = judge(p, found)[0]
    assert early.smallest_detectable == pytest.approx(full.smallest_detectable, rel=0.25)


def test_a_region_has_a_verdict_of_its_cases() -> None:
    p = problem()
    lens = RegionLens(ClassLens("c0"), "c0", 0.2, 1.0)
    v = judge(p, survey(p, QUICK, [lens]))[0]
    assert v.n == v.frequencies[0].n == len(lens.rows(p)) < 60


# --- in order, again, and refused ---------------------------------------------------


def test_they_come_one_by_one_in_the_order_of_the_survey_and_progress_ends_at_one(looked) -> None:
    p, found = looked
    came: list[Verdict] = []
    told: list[tuple[float, str]] = []
    all_found = judge(p, found, lambda *step: told.append(step), came.append)
    assert all_found == judge(p, found)  # the same seed, the same verdict
    whole, *others = came  # all classes together come first
    assert isinstance(whole.lens, CanonicalLens)
    assert tuple(others) == tuple(v for v in all_found if v != whole)
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert (fractions[-1], told[-1][1]) == (1.0, "done")
    assert told[0][1] == "canonical: what these cases could have shown"

    def stop(fraction: float, words: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        judge(p, found, stop)


def test_to_json_and_back(looked) -> None:
    p, found = looked
    for v in judge(p, with_adjusted(found, 0.1, 0.9, 0.9, 0.9, 0.9)):
        text = json.dumps(v.to_document(), allow_nan=False)
        assert Verdict.from_document(json.loads(text)) == v
    document = json.loads(text)
    with pytest.raises(InputError, match="schema 2"):
        Verdict.from_document(document | {"schema": 2})
    beyond = document["typical_gap"] | {"limit": document["typical_gap"]["high"] + 0.1}
    for broken in (
        {"frequencies": 3}, {"typical_gap": None}, {"typical_gap": beyond}, {"detectable": [{}]}
    ):  # fmt: skip
        with pytest.raises(InputError, match="The verdict cannot be used: "):
            Verdict.from_document(document | broken)
    del document["answer"]
    with pytest.raises(InputError, match="The verdict cannot be used: "):
        Verdict.from_document(document)


def test_other_predictions_are_refused_and_of_pooled_pairs_nothing_could_be_said(looked) -> None:
    p, found = looked
    with pytest.raises(InputError, match="other predictions"):
        judge(problem(seed=2), found)
    pooled = judge(p, survey(p, QUICK, [TopKLens(1), PooledLens()]))[1]
    assert (pooled.detectable, pooled.smallest_detectable) == ((), None)
    assert pooled.answer != "consistent"


def test_without_the_exact_test_there_is_no_verdict() -> None:
    p = problem()
    bare = diagnose(p, replace(QUICK, tests=(), lens=CanonicalLens(), binning=UniformBinning(5)))
    with pytest.raises(InputError, match="no exact omnibus test"):
        judge(p, Survey((bare,), (0.5,)))


def test_a_case_of_probability_zero_that_happened_is_found() -> None:
    p = w19_model("M2", n=120, m=3, rng=np.random.default_rng(1))
    assert judge(p, survey(p, QUICK))[1].answer == "miscalibrated"
