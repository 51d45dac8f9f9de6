"""Sentences agree with the numbers beside them: the same quantity has the same number, a direction its sign,
and no sentence says the opposite of another. Tried on data sets of many outcomes, calibrated and not."""

import re

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, diagnose, recalibrate, track_training
from calibcore.answers.classes import evidence_table
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence, headline
from calibcore.diagram.reliability import p_of_bins
from calibcore.questions.compare import words as comparing
from calibcore.questions.compare.says import models_table
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.says import groups_table
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.terminal import answer_text, survey_text
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.words.classes import classes_sentence
from calibcore.words.diagram import NO_PROBLEM, RESTS_ON, by_chance, reason
from calibcore.words.leading import leading, whole_parts
from calibcore.words.results import bins_outside
from calibcore.words.sizes import HOW_FAR, balance_sentence, net_gap, typical_sentence
from calibcore.words.tables import number_in
from calibcore.words.temperature import beside_verdicts
from calibcore.words.verdicts import answer_parts, as_a_whole, refuted_sentence
from tests.quick import compare, survey, survey_groups

SPEC = DiagnosisSpec(resamples=99, alpha=0.1)


def drawn(what: str, n: int, m: int, seed: int) -> Predictions:
    """Broad or sure predictions, and outcomes of other ones: too sure, too unsure, shifted, or as said."""
    rng = np.random.default_rng(seed)
    shape, error, *rounded = what.split(", ")
    said = rng.dirichlet(np.full(m, {"broad": 1.0, "sure": 0.15}[shape]), n)
    true = said.copy()
    if error == "too sure":
        true = said**0.5
    elif error == "too unsure":
        true = said**2
    elif error == "shifted":
        true = said * np.linspace(0.4, 1.6, m)
    elif error == "waves":
        true = said * (1 + 0.6 * np.sin(20 * said))
    true = true / true.sum(axis=1, keepdims=True)
    labels = (rng.random((n, 1)) >= np.cumsum(true, axis=1)[:, :-1]).sum(axis=1)
    if rounded:
        said = np.round(said, 2)
        said = said / said.sum(axis=1, keepdims=True)
    site = {"site": rng.choice(list("abc"), n)}
    return Predictions.from_arrays(said, labels, ["cat", "dog", "fox", "owl"][:m], metadata=site)


BATTERY = [
    ("broad, too sure", 500, 2), ("sure, too sure, rounded", 500, 3), ("broad, as said", 150, 2),
    ("broad, as said", 800, 3), ("broad, shifted", 500, 3), ("sure, as said, rounded", 600, 4),
    ("broad, too unsure", 400, 2), ("broad, waves", 600, 2), ("sure, as said", 120, 3),
    ("broad, as said", 60, 4), ("sure, waves", 900, 2), ("sure, shifted", 300, 4),
]  # fmt: skip
EVERY = pytest.mark.parametrize(("what", "n", "m"), BATTERY)


def surveyed(what: str, n: int, m: int) -> tuple[Predictions, Assessment]:
    p = drawn(what, n, m, len(what) + n)
    return p, assess(p, survey(p, SPEC))


_NUMBER = r"([+−-]?\d+(?:\.\d+)?)"
_WITHIN = re.compile(rf"{_NUMBER}(?: points?)?(?: too (?:high|low|sure|unsure))? \({_NUMBER} to {_NUMBER}\)")
_BEST = re.compile(rf"{_NUMBER} to {_NUMBER}(?: points)? \(best estimate {_NUMBER}\)")


_ALONE = re.compile(rf"[Tt]ypically (?:by )?(?:at most )?{_NUMBER} points?\b(?! off \(| \(| off in [^(]+ \()")


def assert_within(text: str) -> None:
    """No typical gap stands in a sentence without its interval, and no size beyond the ends of its own."""
    plain = text.replace("−", "-").replace("\N{NO-BREAK SPACE}", " ")
    assert _ALONE.findall(plain) == []
    for size, low, high in _WITHIN.findall(plain):
        assert float(low) <= float(size) <= float(high), (size, low, high)
    for low, high, size in _BEST.findall(plain):
        assert float(low) <= float(size) <= float(high), (size, low, high)


@pytest.mark.some(1)
@EVERY
def test_a_survey_says_one_thing(what: str, n: int, m: int) -> None:
    _, of = surveyed(what, n, m)
    whole = as_a_whole(of.verdicts)
    first, more = whole_parts(of.survey.diagnoses, of.verdicts)
    assert_within(survey_text(of))
    # One size: in the answer and in the table.
    rows = checks_table(of.survey.diagnoses, of.verdicts).rows()
    sized = [number_in(row["Typical gap"]) for row in rows]
    for verdict, shown in zip(sorted(of.verdicts, key=by_evidence), sized, strict=True):
        assert shown == pytest.approx(100 * verdict.typical_gap.value, abs=0.051)
    if whole.answer == "miscalibrated":
        stands_first = leading(of.survey.diagnoses, of.verdicts)
        size = typical_sentence(whole.lens, whole.typical_gap, off=True)
        assert (first if stands_first is None else more).startswith(size.removesuffix(HOW_FAR))
    # What refutes a model is said, and never first.
    for verdict in of.verdicts:
        if verdict.refuted is not None:
            assert refuted_sentence(verdict.refuted, verdict.lens) in answer_parts(verdict)[1]
            assert "happened that" not in answer_parts(verdict)[0]
    # How many checks found a problem.
    found = [v for v in of.verdicts if v.found]
    assert ("No sign" in first) == (whole.answer == "consistent")
    assert ("Too few cases to tell" in first) == (whole.answer == "cannot-tell")
    assert bool(found) == ("found a problem" in more and "one of" not in more.lower() and not _none(more))
    # Which way.
    for verdict in of.verdicts:
        said = balance_sentence(verdict.lens, verdict.frequencies)
        gap = verdict.frequencies[0].gap.value
        if verdict.lens == TopKLens(1) and said:
            assert ("too sure" in said) == (gap > 0)
        if len(verdict.frequencies) == 1:
            cell = number_in(net_gap(verdict.lens, verdict.frequencies))
            assert cell == pytest.approx(100 * gap, abs=0.051) or cell == pytest.approx(-100 * gap, abs=0.051)


def _none(more: str) -> bool:
    return any(words in more for words in ("None of", "Neither check", "The one check found no"))


@pytest.mark.some(1)
@EVERY
def test_the_figure_that_carries_the_answer_agrees_with_it(what: str, n: int, m: int) -> None:
    _, of = surveyed(what, n, m)
    top = headline(of.survey.diagnoses, of.verdicts)
    diagram = top.diagnosis.reliability
    said, outside = bins_outside(diagram), int(diagram.outside.sum())
    assert said.startswith(f"{outside} of {diagram.n_bins} bin")
    p = p_of_bins(diagram)
    if outside and p is not None and len(diagram.class_names) == 2:
        assert ("stands out by itself" in said) == (p <= 0.05) or "None of them stands out" in said
        assert ("not" in said or "None" in said) == (p > 0.05)
    if not any(v.found for v in of.verdicts):
        assert reason(top).startswith(NO_PROBLEM)
        assert (RESTS_ON in by_chance(top)) == bool(outside)  # never one without the other
    else:
        assert NO_PROBLEM not in reason(top)
        assert by_chance(top) == ""
        assert by_evidence(top.verdict)[0] == min(by_evidence(v)[0] for v in of.verdicts if v.found)
    if m > 2:
        classes = classes_by_evidence(of)
        sentence = classes_sentence(classes)
        off = sum(c.verdict.answer == "miscalibrated" for c in classes.classes)
        assert ("None of" in sentence) == (off == 0)
        assert f"strongest for '{classes.classes[0].name}'" in sentence
        ps = [number_in(row["Adjusted p"]) or 0.0 for row in evidence_table(classes).rows()]
        assert ps == sorted(ps)
    found, sentence = of.temperature, beside_verdicts(of.temperature, of.verdicts)
    if found is not None and not found.empty:
        fits, clear = found.low <= 1 <= found.high, found.pvalue <= SPEC.alpha
        said = ("No sign", "On balance", "Every temperature")
        assert sentence.startswith(said) == (fits and not clear)
        off = any(v.answer == "miscalibrated" for v in of.verdicts)
        assert ("would mend it" not in sentence) or off
        assert ("would mend it" in sentence or "No one temperature" in sentence) <= (clear and not fits)


@pytest.mark.some(1)
@pytest.mark.parametrize(("what", "n", "m"), [one for one in BATTERY if one[1] <= 500])
def test_recalibration_says_what_its_numbers_say(what: str, n: int, m: int) -> None:
    p = drawn(what, n, m, n)
    found = recalibrate(p, ["temperature", "vector", "isotonic"], SPEC, folds=3)
    worth = [method for method in found.methods if method.answer == "worthwhile"]
    assert ("Recalibration would help" in recalibrating.headline(found)) == bool(worth)
    for method in found.methods:
        said = recalibrating.gain_sentence(method)
        assert ("(worse: a gain of −" in said) == recalibrating.is_worse(method)
        assert recalibrating.is_worse(method) == ("−" in recalibrating.share_words(method))
        assert "0.0 (" not in recalibrating.share_words(method).replace("10.0", "")
        assert method not in worth or method.gain.value > 0
        right = recalibrating.gap_sentence(found, method)
        assert_within(right)
        assert f"after the {method.map.label[:1].lower()}{method.map.label[1:]} map." in right
        same = f"{found.accuracy:.3f}" == f"{method.accuracy:.3f}"
        assert (" before and after." in right.partition("Right in")[2]) == same
        for constant in (recalibrating.CANNOT_MEND, recalibrating.METHOD):
            assert "right more often" not in constant
    losses = [m for m in found.methods if recalibrating.is_worse(m)]
    assert ("the score was better before" in recalibrating.figure_sentence(found)) == bool(losses)


def test_models_and_groups_are_told_apart_the_way_their_sizes_say() -> None:
    a, b = drawn("broad, as said", 900, 2, 1), drawn("broad, too sure", 900, 2, 1)
    worse = Predictions.from_arrays(
        a.probs**3 / (a.probs**3).sum(axis=1, keepdims=True), a.labels, a.class_names
    )
    found = compare({"good": a, "sure": worse}, SPEC)
    first, *_ = found.by_gap
    said = comparing.pair_sentence(found, found.pairs[0])
    assert f"{first.name}' is better calibrated than" in comparing.headline(found)
    assert_within(answer_text(found))
    assert f"'{first.name}' is better calibrated than" in said
    gaps = [number_in(row["Typical gap"]) for row in models_table(found).rows()]
    assert gaps == sorted(gaps)
    for one in found.nested:
        if one.rejects(SPEC.alpha) and not one.refuted:
            assert f"better than '{one.model}' alone" in comparing.nested_sentence(found, one)
            # One is a function of the other: neither knows more.
            assert "holds information" not in comparing.nested_sentence(found, one)
    looked = survey_groups(b, ["site"], SPEC)
    assert_within(grouping.headline(looked))
    run = track_training({1: a, 2: worse}, SPEC)
    assert run.rejected
    assert_within(answer_text(run))
    off = [g for g in looked.tested if g.verdict and g.verdict.answer == "miscalibrated"]
    assert (
        grouping.headline(looked).startswith(("Worst in ", "Largest estimate in "))
        == bool(off)
        == bool(grouping.worst_sentences(looked))
    )
    for row in groups_table(looked).rows():
        assert_within(" ".join(row.values()))


@pytest.mark.some(1)
@pytest.mark.parametrize(("m", "unit"), [(3, None), (2, "who")])
def test_a_typical_gap_is_one_number_whoever_says_it(m: int, unit: str | None) -> None:
    """Survey, diagnosis, comparison, training, recalibration and groups, also of units."""
    made = drawn("sure, waves", 180, m, 7)
    columns = {"all": np.full(180, "x"), "who": np.arange(180) // 3}
    p = Predictions.from_arrays(made.probs, made.labels, made.class_names, metadata=columns)
    lens = CanonicalLens() if m == 2 else TopKLens(1)
    spec = DiagnosisSpec(resamples=99, lens=lens, unit=unit)
    of, other = assess(p, survey(p, spec)), p.with_rows(np.arange(p.n))
    verdict = next(v for v in of.verdicts if v.lens == lens)
    (group,) = survey_groups(p, ["all"], spec).groups
    epoch = track_training({1: p, 2: other}, spec).epochs[0].diagnosis
    model = compare([p, other], spec).models[0]
    alone = diagnose(p, spec)
    assert group.verdict is not None
    gaps = [
        verdict.typical_gap, group.verdict.typical_gap, model.verdict.typical_gap, epoch.typical_gap,
        alone.typical_gap, recalibrate(p, ["temperature"], spec, folds=3).typical_gap,
    ]  # fmt: skip
    assert {(gap.value, gap.low, gap.high) for gap in gaps if gap is not None} == {
        (verdict.typical_gap.value, verdict.typical_gap.low, verdict.typical_gap.high)
    }
    assert None not in gaps
    net = verdict.frequencies[0].gap
    assert net == alone.frequencies[0].gap == group.verdict.frequencies[0].gap
    assert alone.scores == model.diagnosis.scores == epoch.scores
