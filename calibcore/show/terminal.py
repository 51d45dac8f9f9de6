"""Whole answers as a person reads them on a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from calibcore.answers.blocks import (
    Answer,
    Beside,
    Block,
    Cases,
    Caution,
    Chart,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.tables import Table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import verdict_test_name
from calibcore.data.checks import visible
from calibcore.diagnose import Diagnosis
from calibcore.questions.plan.words import whole_parts_and_cases
from calibcore.questions.registry import QUESTIONS
from calibcore.settings import DiagnosisSpec
from calibcore.wording import count
from calibcore.words.frequencies import frequencies_note, rows_of_frequencies
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.measures import (
    AS_GIVEN,
    OF_LENS,
    UNADJUSTED,
    measures_notes,
    measures_of_lenses,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_measures,
    rows_of_recalibration,
    score_rows,
)
from calibcore.words.phrases import (
    PROMISES,
    VERDICT_TEST_NAMES,
    cases_words,
)
from calibcore.words.results import bins_heading, claim_and_outcome, methods
from calibcore.words.sizes import most_words, size_sentence, tolerance_words
from calibcore.words.tables import Cells
from calibcore.words.temperature import beside_verdicts
from calibcore.words.testing import rows_of_tests, units_sentence, verdict_test_sentence
from calibcore.words.verdict_rows import lens_notes, survey_cells
from calibcore.words.verdicts import as_a_whole, chip_text, not_said, worst_class

LONGEST = 80
"""Characters of a cell."""


def blocks(*parts: Iterable[str]) -> str:
    """Blocks of lines with an empty line between two; empty lines and blocks are left out."""
    filled = (list(filter(None, part)) for part in parts)
    return "\n\n".join("\n".join(map(visible, lines)) for lines in filled if lines)


def points(*lines: str) -> list[str]:
    """Each line that is not empty as a point of a list."""
    return [f"- {line}" for line in lines if line]


def indented(*lines: str) -> list[str]:
    """Lines that belong to the table above."""
    return [f"  {line}" for line in lines if line]


def table(rows: Sequence[Mapping[str, str]], right: tuple[str, ...] = ()) -> list[str]:
    """Aligned lines with a head; none where there are no rows."""
    if not rows:
        return []
    heads = list(rows[0])
    rows = [{head: _cell(row[head]) for head in heads} for row in rows]
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: Mapping[str, str]) -> str:
        parts = [cells[h].rjust(widths[h]) if h in right else cells[h].ljust(widths[h]) for h in heads]
        return "  " + "  ".join(parts).rstrip()

    return [line({head: head for head in heads}), *map(line, rows)]


def _cell(text: str) -> str:
    cell = visible(text)
    return cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 1]}…"


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


def _section(rows: Cells, *after: str) -> list[str]:
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
            units_sentence(next((d for d in survey.diagnoses if d.spec.lens.whole), first)),
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
            f"larger and an error of {tolerance_words(first.spec.tolerance)} would have been seen. The upper "
            f"limit of the typical gap is then at most {most_words(first.spec.tolerance)}: one-sided, "
            "90\N{NO-BREAK SPACE}%, or of four and more classes the upper end of its interval.",
            lens_notes(verdicts),
            f"Adjusted p: {VERDICT_TEST_NAMES[verdict_test_name(first)][0]}, "
            f"{PROMISES['exact']} ({_redraws(first.spec)}, seed {first.spec.seed}). Adjusted for the number "
            f"of checks: {ADJUSTMENT_WORDS[first.spec.adjustment]}.",
            *first.notes,
            f"Caliblens {first.version}; fingerprint {first.fingerprint}.",
        ),
    )


def answer_text(result: Any) -> str:
    """What a question found, as a person reads it on a terminal."""
    return text_of(QUESTIONS[type(result)].answer(result))


def text_of(answer: Answer) -> str:
    """An answer in paragraphs; notes, how it was found out, and what is to be kept in mind, as points at the
    end."""
    paragraphs: list[list[str]] = [[f"{', '.join(answer.about)}; {answer.lens}"], []]
    notes: list[str] = []
    methods: list[str] = []
    cautions: list[str] = []

    def write(blocks: Iterable[Block]) -> None:
        for block in blocks:
            match block:
                case Headline() | Cases() | Beside():
                    paragraphs[-1].append(block.text)
                case Sentences():
                    paragraphs[-1] += block.lines
                case Fold():
                    write(block.blocks)
                case Table():
                    rows, below = table(block.few_rows(), block.right), indented(*block.notes)
                    paragraphs.extend([[block.title, *rows, *below] if rows else below, []])
                case Methods():
                    methods.extend(block.with_redraws())
                case Caution():
                    cautions.append(block.text)
                case Notes():
                    notes.extend(block.lines)
                case Chart():  # a terminal draws nothing
                    pass
                case _:
                    assert_never(block)

    write(answer.blocks)
    return blocks(*paragraphs, points(*notes, *methods, *cautions))
