"""A survey with its verdicts on a terminal and in tables: every number where it belongs."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, survey
from calibcore.answers.measures import checks_measured
from calibcore.answers.survey import (
    checks_of_survey,
    checks_of_verdicts,
    checks_table,
    strongest_first,
)
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence, headline
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Interval
from calibcore.questions.plan.words import whole_parts_and_cases
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.words.frequencies import frequency_sentence
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import number_p
from calibcore.words.sizes import gap_cell, smallest_words
from calibcore.words.tables import csv_of
from calibcore.words.verdicts import (
    CHIP_TEXTS,
    answer_parts,
    answer_sentence,
    as_a_whole,
    chip_text,
    not_said,
    sized_parts,
    worst_class,
)

LENSES = (TopKLens(1), CanonicalLens(), ClassLens("=a"))


@pytest.fixture(scope="module", params=[0.0, 0.6])
def some(request: pytest.FixtureRequest) -> Assessment:
    """300 × 3, calibrated or with a class that is said 60 % too often; its name would be a formula."""
    rng = np.random.default_rng(4)
    probs = rng.dirichlet(np.ones(3), size=300)
    keep = 1 - request.param
    truth = np.column_stack([probs[:, 0] * keep, probs[:, 1] + (1 - keep) * probs[:, 0], probs[:, 2]])
    labels = (rng.random((300, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=2)
    p = Predictions.from_arrays(probs, labels, ("=a", "b", "c"))
    return assess(p, survey(p, DiagnosisSpec(resamples=99, alpha=0.3), LENSES))


def test_the_terminal_shows_the_answer_then_every_lens_then_what_is_not_said(some: Assessment) -> None:
    text = survey_text(some)
    lines = text.splitlines()
    assert lines[2:5] == [chip_text(as_a_whole(some.verdicts)), *whole_parts_and_cases(some)]
    head = next(i for i, line in enumerate(lines) if line.startswith("  Check "))
    assert lines[head].split("  ")[-1].strip() == "Smallest detectable"
    for verdict, line in zip(sorted(some.verdicts, key=by_evidence), lines[head + 1 :], strict=False):
        assert chip_text(verdict) in line
        assert gap_cell(verdict.typical_gap) in line
        assert number_p(verdict.adjusted) in line
        assert ("(smallest)" in line) == (verdict.adjusted <= 3 / 100)
    assert lines[head - 1] == "Check by check"
    assert worst_class(some.verdicts) is None  # one class alone was looked at
    assert "furthest off" not in text
    assert not_said() in text
    assert text.index(not_said()) > head
    assert "is 0.3 or less" in text
    assert "an error of 5 points would have been seen" in text


def test_real_verdicts_have_a_sentence_of_their_numbers(some: Assessment) -> None:
    for verdict in some.verdicts:
        said = answer_sentence(verdict, "patient")
        if verdict.answer == "miscalibrated":
            if not verdict.by_lenses:
                assert number_p(verdict.adjusted) in said
                assert "exact for independent patients" in said
        elif verdict.smallest_detectable is None:
            assert "even the largest" in said
        else:
            assert smallest_words(verdict) in said
        assert said == " ".join(filter(None, answer_parts(verdict, "patient")))


def test_real_classes_have_sentences(some: Assessment) -> None:
    for found in some.frequencies:
        said = frequency_sentence(found, "patient")
        hits = found.called_and_happened
        for total in (found.called, found.happened):
            assert (f"({hits:,} of {total:,})" in said) == (total > 100)


def test_rows_wait_for_their_verdicts(some: Assessment) -> None:
    diagnoses, verdicts = some.survey.diagnoses, some.verdicts
    waiting = checks_table(diagnoses).rows()
    rows = {row["Check"]: row for row in checks_table(diagnoses, verdicts).rows()}
    for before, diagnosis, verdict in zip(waiting, diagnoses, verdicts, strict=True):
        row = rows[before["Check"]]
        assert list(before) == list(row)
        assert before["Verdict"] == "…"
        assert before["Smallest detectable"] == "…"
        assert str(before["Adjusted p"]).endswith("(not adjusted yet)")
        assert verdict.typical_gap == diagnosis.typical_gap
        assert before["Typical gap"] == gap_cell(verdict.typical_gap)
        assert row["Typical gap"] == gap_cell(verdict.typical_gap)
        assert row["Verdict"] == chip_text(verdict)
        assert chip_text(verdict) in CHIP_TEXTS
        assert str(row["Adjusted p"]).removesuffix(" (smallest)") == number_p(verdict.adjusted)
    assert waiting[2]["Check"] == "The class '=a'"
    none = replace(verdicts[2], smallest_detectable=None)
    assert checks_table(diagnoses[2:], [none]).rows()[0]["Smallest detectable"] == "none"


def test_a_size_that_can_be_seen_is_the_same_number_wherever_it_stands(some: Assessment) -> None:
    sizes = (0.0499, 0.05004, 0.2)
    verdicts = [replace(v, smallest_detectable=size) for v, size in zip(some.verdicts, sizes, strict=True)]
    rows = {row["Check"]: row for row in checks_table(some.survey.diagnoses, verdicts).rows()}
    shown = [rows[sentence_case(name_of(verdict))]["Smallest detectable"] for verdict in verdicts]
    assert shown == ["4.99 points", "5.004 points", "20 points"]
    assert shown == list(map(smallest_words, verdicts))


def test_rows_begin_with_the_strongest(some: Assessment) -> None:
    diagnoses = some.survey.diagnoses
    adjusted = (0.2, 0.01, 0.01)
    verdicts = [replace(v, adjusted=p) for v, p in zip(some.verdicts, adjusted, strict=True)]
    table = checks_table(diagnoses, verdicts)
    # Of two with one p that of two classes, whose figure says in percent what is wrong.
    assert [check.lens for check in table.items] == [diagnoses[place].spec.lens for place in (2, 1, 0)]
    assert [row["adjusted p"] for row in table.rows(exact=True)] == [0.01, 0.01, 0.2]
    assert [row["Check"] for row in checks_measured(strongest_first(diagnoses, verdicts)).rows()] == [
        row["Check"] for row in table.rows()
    ]
    if any(verdict.found for verdict in some.verdicts):
        first = checks_table(diagnoses, some.verdicts).items[0]
        assert headline(diagnoses, some.verdicts).diagnosis is first.diagnosis


def test_the_floor_of_an_adjusted_p_is_the_number_of_lenses_in_all_redraws(some: Assessment) -> None:
    for verdict in some.verdicts:
        assert verdict.at_floor == (verdict.adjusted <= 3 / 100)


def test_the_csv_has_full_precision_and_no_formula(some: Assessment) -> None:
    rows = checks_of_verdicts(some.verdicts).rows(exact=True)
    table = checks_table(some.survey.diagnoses, some.verdicts).rows(exact=True)
    assert {row["lens"]: row for row in rows} == {row["lens"]: row for row in table}
    assert [row["adjusted p"] for row in rows] == list(some.survey.adjusted)
    of_survey = checks_of_survey(some.survey).rows(exact=True)
    assert all(row == {key: full[key] for key in row} for row, full in zip(of_survey, rows, strict=True))
    assert not {"verdict", "smallest detectable"} & set(of_survey[0])
    assert rows[2]["lens"] == "class:=a"
    assert rows[2]["typical gap, high"] == some.verdicts[2].typical_gap.high
    measures = checks_measured(some.survey.diagnoses).rows(exact=True)
    assert measures[2]["net gap"] == some.verdicts[2].frequencies[0].gap.value
    assert measures[2]["net gap, of"] == some.verdicts[2].frequencies[0].class_name
    assert measures[1]["net gap"] is None  # three classes have three
    assert measures[0]["ECE"] == some.survey.diagnoses[0].calibration_error["ece"]
    for table in (rows, measures):
        assert len(csv_of(table).splitlines()) == 4
        assert len({tuple(row) for row in table}) == 1


# --- the whole ------------------------------------------------------------------


def of(some: Assessment, *answers: tuple[str, bool]) -> list[Verdict]:
    return [
        replace(v, answer=answer, small=small)
        for v, (answer, small) in zip(some.verdicts, answers, strict=False)
    ]


def test_the_canonical_verdict_stands_for_all_and_small_only_if_all_are(some: Assessment) -> None:
    fine = ("consistent", False)
    assert as_a_whole(of(some, fine, ("cannot-tell", False), fine)).answer == "cannot-tell"
    small, large = ("miscalibrated", True), ("miscalibrated", False)
    assert as_a_whole(of(some, fine, small, small)).small
    assert not as_a_whole(of(some, fine, small, large)).small
    assert as_a_whole(of(some, fine, small, fine)).lens == CanonicalLens()


def test_without_the_canonical_lens_the_worst_stands_for_all(some: Assessment) -> None:
    first, _, third = of(some, ("consistent", False), ("consistent", False), ("cannot-tell", False))
    assert as_a_whole([first, third]) == replace(third, small=as_a_whole([first, third]).small)
    assert as_a_whole([replace(first, answer="miscalibrated"), third]).lens == TopKLens(1)


def test_the_whole_says_how_sure_the_model_is_and_counts_the_lenses(some: Assessment) -> None:
    bad = ("miscalibrated", False)
    apart = replace(some.verdicts[0].frequencies[0], gap=Interval(0.12, 0.1, 0.14))
    verdicts = of(some, bad, bad, bad)
    sure = [replace(verdicts[0], frequencies=(apart,)), *verdicts[1:]]
    within = replace(apart, gap=Interval(0.12, -0.1, 0.34))
    unknown = [replace(verdicts[0], frequencies=(within,)), *verdicts[1:]]
    first, more = sized_parts(sure, "patient")
    assert first == answer_parts(sure[1], "patient")[0]
    assert more.startswith("On balance the model is too sure of its answers.")
    assert more.endswith("All 3 checks found a problem.")
    for direction in ("too sure", "too unsure"):  # one of them twice, or both, would be one too many
        seen = replace(sure[1], decided_by="temperature", direction=direction)
        both = sized_parts([sure[0], seen, sure[2]], "patient")[1]
        assert both.count("too ") == 1
        assert f"Mostly: {direction}." in sized_parts([unknown[0], seen, sure[2]], "patient")[1]
    top = replace(sure[0], decided_by="temperature", direction="too unsure")
    assert "Mostly" not in answer_parts(top, "patient")[1]
    assert "too sure of its answers" in answer_parts(top, "patient")[0]
    assert "Mostly: too unsure." in answer_parts(replace(top, frequencies=(within,)), "patient")[1]
    assert "of its answers" not in sized_parts(unknown)[1]
    fine = of(some, bad, ("consistent", False), bad)
    assert "of its answers" not in sized_parts([replace(fine[0], frequencies=(apart,)), *fine[1:]])[1]
    alone = sized_parts(sure[:1], "patient")
    assert alone == answer_parts(sure[0], "patient")


def test_the_class_that_is_typically_furthest_off_is_named(some: Assessment) -> None:
    far, near = (
        replace(some.verdicts[2], answer="consistent", lens=ClassLens(n), typical_gap=Interval(g, 0.0, 0.5))
        for n, g in (("b", 0.2), ("c", 0.1))
    )
    assert worst_class([some.verdicts[0], near, far]) == (
        ClassLens("b"),
        "Of the single classes, 'b' looks furthest off: typically 0.0 to 50.0 points "
        "(approximate 95\N{NO-BREAK SPACE}% interval; best estimate 20.0), which chance may explain.",
    )
    rejected = worst_class([far, replace(near, answer="miscalibrated")])
    assert rejected is not None
    assert rejected[1].startswith("Of the single classes, 'c' looks furthest off: typically ")
    assert rejected[1].endswith("; best estimate 10.0).")
    assert worst_class([replace(near, typical_gap=Interval(0.0, 0.0, 0.1))]) is None
    assert worst_class(some.verdicts[:2]) is None
