"""Looks through lenses as a person reads them on a terminal."""

from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import Survey, verdict_test_name
from calibcore.diagnose import Diagnosis
from calibcore.spec import DiagnosisSpec
from calibcore.wording import count
from calibcore.words.estimates import (
    UNADJUSTED,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_recalibration,
)
from calibcore.words.frequencies import frequencies_note, rows_of_frequencies
from calibcore.words.lens_names import name_of
from calibcore.words.looking import sentence_case
from calibcore.words.measures import measures_notes, measures_of_lenses, rows_of_measures
from calibcore.words.phrases import PROMISES, VERDICT_TEST_NAMES, cases_words
from calibcore.words.planning import whole_parts_and_cases
from calibcore.words.results import (
    bins_heading,
    claim_and_outcome,
    methods,
    rows_of_tests,
)
from calibcore.words.scores import AS_GIVEN, OF_LENS, score_rows
from calibcore.words.sizes import size_sentence, tolerance_words
from calibcore.words.temperature import beside_verdicts
from calibcore.words.terminal.layout import blocks, indented, points, table
from calibcore.words.testing import units_sentence, verdict_test_sentence
from calibcore.words.verdict_rows import lens_notes, survey_cells
from calibcore.words.verdicts import (
    as_a_whole,
    chip_text,
    not_said,
    worst_class,
)


def _cases(result: Diagnosis) -> str:
    return sentence_case(cases_words(result.n, "case", result.drawn_from))


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A diagnosis as a person reads it on a terminal."""
    spec, diagram = diagnosis.spec, diagnosis.reliability
    return blocks(
        [
            f"{_cases(diagnosis)}, {diagnosis.m} classes; {name_of(diagnosis)}, "
            f"{bins_heading(diagram, spec.binning)}"
        ],
        [
            claim_and_outcome(diagram, spec.lens),
            _size(diagnosis),
            verdict_test_sentence(diagnosis),
            units_sentence(diagnosis),
        ],
        _measures(diagnosis),
        _section(score_rows(diagnosis), AS_GIVEN),
        _section(rows_of_estimates(diagnosis), UNADJUSTED),
        _section(rows_of_recalibration(diagnosis)),
        _section(rows_of_decompositions(diagnosis), OF_LENS),
        table(rows_of_tests(diagnosis)) if diagnosis.tests else ["No tests were asked for."],
        points(*methods(diagnosis)),
    )


def _section(rows: list[dict[str, str]], *after: str) -> list[str]:
    return [*table(rows), *indented(*after)] if rows else []


def _size(diagnosis: Diagnosis) -> str:
    gap = diagnosis.typical_gap
    return "" if gap is None else size_sentence(diagnosis.spec.lens, gap, diagnosis.frequencies)


def _measures(diagnosis: Diagnosis) -> list[str]:
    """The other measures, and below them how they differ."""
    rows = rows_of_measures(diagnosis)
    differs = [f"{row['Measure'].partition(',')[0]}: {row['How it differs']}" for row in rows]
    cells = [{name: row[name] for name in row if name != "How it differs"} for row in rows]
    lines = [line for line, row in zip(differs, rows, strict=True) if row["How it differs"]]
    return ["More measures", *table(cells), *indented(*lines)]


ADJUSTMENT_WORDS = {
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini–Hochberg, which needs tests that do not speak against each other "
    "(positive dependence)",
}


def _of_whole(survey: Survey) -> Diagnosis:
    """The look at all classes together, else the first."""
    return next((d for d in survey.diagnoses if d.spec.lens.whole), survey.diagnoses[0])


def _redraws(spec: DiagnosisSpec) -> str:
    if spec.stop_at is None:
        return f"{spec.resamples:,} redraws"
    return f"up to {spec.resamples:,} redraws, fewer where {spec.stop_at:,} were as extreme before"


def survey_text(assessment: Assessment) -> str:
    """A survey and its verdicts as a person reads them on a terminal."""
    survey, verdicts = assessment.survey, assessment.verdicts
    first = survey.diagnoses[0]
    unit = first.spec.unit
    rows = survey_cells(survey.diagnoses, verdicts)
    worst = worst_class(verdicts)
    return blocks(
        [f"{_cases(first)}, {first.m} classes, {count(len(rows), 'check')}"],
        [
            chip_text(as_a_whole(verdicts)),
            *whole_parts_and_cases(verdicts),
            units_sentence(_of_whole(survey)),
            beside_verdicts(assessment.temperature, verdicts),
        ],
        [
            *table(rows, right=("Adjusted p",)),
            *indented(*(f"{lens}: not tested. {reason}" for lens, reason in survey.refused)),
            "" if worst is None else worst[1],
        ],
        [not_said()],
        [*table(rows_of_frequencies(assessment.frequencies, unit=unit)), *indented(frequencies_note(unit))],
        ["More measures", *table(measures_of_lenses(survey.diagnoses)), *indented(*measures_notes())],
        points(
            f"Verdict: miscalibrated if the adjusted p is {first.spec.alpha:g} or less. Consistent if it is "
            f"larger and an error of {tolerance_words(first.spec.tolerance)} would have been seen.",
            lens_notes(verdicts),
            f"Adjusted p: {VERDICT_TEST_NAMES[verdict_test_name(first)][0]}, "
            f"{PROMISES['exact']} ({_redraws(first.spec)}, seed {first.spec.seed}). Adjusted for the number "
            f"of checks: {ADJUSTMENT_WORDS[first.spec.adjustment]}.",
            *first.notes,
            f"Caliblens {first.version}; fingerprint {first.fingerprint}.",
        ),
    )
