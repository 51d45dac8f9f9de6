"""How results look in a notebook: the verdict, the figure and the table, and nothing that is fetched or run.

Names that come from users are escaped. ``calibcore`` gives :data:`VIEWS` to :mod:`calibcore.display`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.assessment.assess import SoFar
from calibcore.assessment.headline import headline
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import Verdict, Verdicts, decided
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_sizes import class_frequencies
from calibcore.diagram.reliability import Reliability
from calibcore.display import View
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult
from calibcore.notebook.pieces import figure_of, fold, lines, page, table, text
from calibcore.notebook.questions import QUESTION_VIEWS
from calibcore.painters.inline import reliability_svg
from calibcore.questions.plan.words import FUNCTION, how_many_sentence, whole_parts_and_cases
from calibcore.settings import lens_to_words
from calibcore.wording import count, percent, sentences
from calibcore.words.diagram import by_chance, heading, reason
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.measures import rows_of_measures, score_rows
from calibcore.words.phrases import PROMISES, cases_words, pvalue, pvalue_remark
from calibcore.words.reporting import refused_lines
from calibcore.words.results import (
    bins_outside,
    claim_and_outcome,
    impossible_outcomes,
    methods,
    reliability_rows,
)
from calibcore.words.sizes import in_full, size_sentence
from calibcore.words.testing import rows_of_tests, units_sentence, verdict_test_sentence
from calibcore.words.verdict_rows import exact_lens_row, lens_notes, survey_cells, survey_rows
from calibcore.words.verdicts import answer_parts, as_a_whole, chip, chip_text, not_said

NONE_DIFFERS = "In no check do the probabilities differ from what happened by more than chance allows."


def _answer(verdict: Verdict, first: str, more: str) -> str:
    """The verdict, the answer in a sentence, and what it rests on."""
    colour = chip(verdict).colour
    return lines(chip_text(verdict), kind=f"chip {colour}") + lines(first, kind="answer") + lines(more)


def _drawing(diagram: Reliability, title: str) -> str:
    svg = reliability_svg(diagram, bins_outside(diagram))
    return f"<figure><figcaption>{text(title)}</figcaption>{svg}</figure>"


# --- figures ----------------------------------------------------------------------------


_plotly = figure_of("reliability.reliability_figure")


def _of_headline(survey: Survey, verdicts: Sequence[Verdict], theme: str) -> Any:
    return _plotly(headline(survey.diagnoses, verdicts).diagnosis.reliability, theme)


def _carrying(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> str:
    """The figure that carries the answer, named, with its reason."""
    of = headline(diagnoses, verdicts)
    return _drawing(of.diagnosis.reliability, heading(of)) + lines(reason(of), by_chance(of))


# --- what each type shows ---------------------------------------------------------------


def _cases(of: Predictions | Diagnosis) -> str:
    return f"{sentence_case(cases_words(of.n, 'case', of.drawn_from))} · {of.m:,} classes"


def _predictions(p: Predictions) -> str:
    weighted = " · weighted" if p.weights is not None else ""
    weighted += " · recalibrated on these cases" if p.cross_fitted else ""
    rows = [
        {
            "Class": classes.class_name,
            "Happened": f"{classes.happened:,} ({percent(classes.happened / classes.n)})",
            "Predicted on average": percent(classes.mean_prediction),
        }
        for classes in (class_frequencies(p) if p.weights is None else ())
    ]
    return page(
        lines(f"{_cases(p)}{weighted}", kind="answer"),
        table(rows, "Classes"),
        lines(*p.notes, kind="quiet"),
    )


def _predictions_columns(p: Predictions) -> dict[str, Any]:
    heads = [*p.class_names, "label", *p.metadata]
    if twice := [name for name in heads if heads.count(name) > 1]:
        raise InputError(f"Two columns would be called {twice[0]!r}; rename the class or the metadata.")
    columns = [*p.probs.T, [p.class_names[k] for k in p.labels.tolist()], *p.metadata.values()]
    return dict(zip(heads, columns, strict=True))


def _test_rows(result: TestResult) -> list[dict[str, object]]:
    row = {
        "statistic": result.statistic,
        "p": result.pvalue,
        "method": result.method,
        "promise": result.promise,
        "redraws": result.n_resamples,
    }
    return [row]


def _test(result: TestResult) -> str:
    row = {
        "Statistic": f"{result.statistic:.4g}".replace("-", "−"),
        "p-value": pvalue(result),
        "Promise": PROMISES[result.promise],
        "Remark": pvalue_remark(result),
        "Method": result.method,
    }
    return page(table([row], "The test"))


def _diagnosis_rows(diagnosis: Diagnosis) -> list[dict[str, object]]:
    """One row a number: scores, typical gap, calibration errors, estimates, tests with their statistic."""
    gap = {} if diagnosis.typical_gap is None else {"typical gap": diagnosis.typical_gap.value}
    errors = {name: diagnosis.calibration_error[name] for name in ("ece", "mce")}
    kernel = {f"skce-{kind}": value for kind, value in diagnosis.skce.items()}
    rows: list[dict[str, object]] = [
        {"name": name, "value": value}
        for name, value in {**diagnosis.scores, **gap, **errors, **kernel}.items()
    ]
    rows += [{"name": e.name, "value": e.value, "p": e.pvalue, "note": e.note} for e in diagnosis.estimates]
    for test in diagnosis.tests:
        result = test.result
        row: dict[str, object] = {"name": f"test {test.name}", "note": test.note}
        if result is not None:
            row |= {"value": result.statistic, "p": result.pvalue, "promise": result.promise}
        rows.append(row)
    return rows


def _reliability(diagram: Reliability) -> str:
    return page(
        _drawing(diagram, f"{count(diagram.n_bins, 'bin')}, {count(diagram.n_cases, 'case')}"),
        lines(bins_outside(diagram), kind="quiet"),
        fold("The numbers as a table", table(reliability_rows(diagram), "Bins")),
    )


def _diagnosis(diagnosis: Diagnosis) -> str:
    gap, diagram = diagnosis.typical_gap, diagnosis.reliability
    size = "" if gap is None else size_sentence(diagnosis.spec.lens, gap, diagnosis.frequencies)
    return page(
        lines(f"{_cases(diagnosis)} · {name_of(diagnosis)}", kind="quiet"),
        lines(size or claim_and_outcome(diagram, diagnosis.spec.lens), kind="answer"),
        lines(verdict_test_sentence(diagnosis), units_sentence(diagnosis)),
        lines(impossible_outcomes(diagnosis), kind="caution"),
        _drawing(diagram, f"Reliability: {name_of(diagnosis)}"),
        lines(bins_outside(diagram), kind="quiet"),
        table(rows_of_tests(diagnosis), "Tests"),
        fold("More measures", table(rows_of_measures(diagnosis), "More measures")),
        fold("Scores of the predictions as given", table(score_rows(diagnosis), "Scores")),
        fold("Methods", lines(*methods(diagnosis))),
    )


def _heading(diagnoses: Sequence[Diagnosis]) -> str:
    return lines(f"{_cases(diagnoses[0])} · {count(len(diagnoses), 'check')}", kind="quiet")


def _below(survey: Survey) -> str:
    first = survey.diagnoses[0]
    whole = next((d for d in survey.diagnoses if d.spec.lens.whole), first)
    notes = (units_sentence(whole), *refused_lines(survey.refused), *first.notes, not_said())
    return lines(*notes, kind="quiet")


def _survey(survey: Survey) -> str:
    """As far as the tests decide; what could have been seen is for the verdicts to say."""
    try:
        so_far = SoFar.of([survey], survey.diagnoses[0].spec.tolerance)
    except InputError as error:  # of an earlier version
        return page(_heading(survey.diagnoses), lines(str(error), kind="caution"))
    rows = [
        {name: cell[0] if isinstance(cell, list) else cell for name, cell in row.items()}
        for row in survey_rows(so_far.diagnoses, so_far.verdicts, so_far.coming)
    ]
    answer = lines(NONE_DIFFERS, kind="answer")
    read = survey.predictions is None
    function = "calibcore.judge(predictions, survey)" if read else "survey.verdicts"
    if so_far.whole:
        whole = as_a_whole(so_far.whole)
        answer = _answer(whole, *answer_parts(whole))
    return page(
        _heading(survey.diagnoses),
        answer,
        lines(f"What these cases could have shown, and with it each verdict, is worked out by {function}."),
        _carrying(so_far.diagnoses, so_far.verdicts),
        table(rows, "Check by check"),
        _below(survey),
    )


def _survey_rows(survey: Survey) -> list[dict[str, object]]:
    return [
        {"lens": lens_to_words(d.spec.lens), "n": d.lens_n, "p": p, "adjusted p": adjusted}
        | in_full("typical gap", d.typical_gap)
        for d, p, adjusted in zip(survey.diagnoses, survey.pvalues, survey.adjusted, strict=True)
    ]


def _verdict(verdict: Verdict) -> str:
    first, more = answer_parts(verdict)
    more = sentences(how_many_sentence(verdict, None, says=FUNCTION), more)
    return page(lines(sentence_case(name_of(verdict)), kind="quiet"), _answer(verdict, first, more))


def _verdicts(verdicts: Verdicts) -> str:
    diagnoses = verdicts.survey.diagnoses
    impossible = max(diagnoses, key=lambda d: d.impossible_outcomes)
    refuted = any(verdict.refuted for verdict in verdicts)
    return page(
        _heading(diagnoses),
        _answer(as_a_whole(verdicts), *whole_parts_and_cases(verdicts, says=FUNCTION)),
        lines("" if refuted else impossible_outcomes(impossible), kind="caution"),
        _carrying(diagnoses, verdicts),
        table(survey_cells(diagnoses, verdicts), "Check by check"),
        fold("What the columns say", lines(lens_notes(verdicts))),
        _below(verdicts.survey),
    )


# --- one entry a type -------------------------------------------------------------------

VIEWS: Mapping[type, View] = {
    Predictions: View(_predictions, _predictions_columns),
    TestResult: View(_test, _test_rows),
    Reliability: View(_reliability, lambda of: reliability_rows(of, exact=True), _plotly),
    Diagnosis: View(_diagnosis, _diagnosis_rows, lambda of, theme: _plotly(of.reliability, theme)),
    Survey: View(_survey, _survey_rows, lambda of, theme: _of_headline(of, decided(of), theme)),
    Verdict: View(_verdict, lambda of: [exact_lens_row(of)]),
    Verdicts: View(
        _verdicts,
        lambda of: list(map(exact_lens_row, of)),
        lambda of, theme: _of_headline(of.survey, of, theme),
    ),
    **QUESTION_VIEWS,
}
"""What :func:`calibcore.display.show_by` is told."""
