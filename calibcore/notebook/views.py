"""How results look in a notebook: the verdict, the figure and the table, and nothing that is fetched or run.

Names that come from users are escaped. ``calibcore`` gives :data:`VIEWS` to :mod:`calibcore.display`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from calibcore.answers import diagnosis as diagnoses
from calibcore.answers import diagram as diagrams
from calibcore.answers import predictions as cases
from calibcore.answers import survey as surveys
from calibcore.answers import without_bins
from calibcore.answers.blocks import Answer, every_table
from calibcore.answers.measures import every_number
from calibcore.answers.question import Question
from calibcore.assessment.assess import Assessment, SoFar
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import Verdict, Verdicts
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis
from calibcore.diagram.reliability import Reliability
from calibcore.display import View
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.notebook.answers import view
from calibcore.questions.over_labels import OverLabels, question_of
from calibcore.questions.plan.words import FUNCTION, how_many_of
from calibcore.questions.registry import QUESTIONS


def _of_survey(survey: Survey) -> Answer:
    """As far as the tests decide; what could have been seen is for the verdicts to say."""
    try:
        so_far = SoFar.of([survey], survey.diagnoses[0].spec.tolerance)
    except InputError as error:  # of an earlier version
        return surveys.says_nothing_yet(survey, str(error))
    read = survey.predictions is None
    where = "calibcore.judge(predictions, survey)" if read else "survey.verdicts"
    return surveys.says_so_far(survey, so_far, where)


def _of_verdicts(verdicts: Verdicts) -> Answer:
    assessment = Assessment(verdicts.survey, tuple(verdicts), ())
    return surveys.says(assessment, how_many=how_many_of(verdicts, says=FUNCTION))


def _of_verdict(verdict: Verdict) -> Answer:
    return surveys.says_verdict(verdict, how_many=how_many_of([verdict], says=FUNCTION))


def _predictions_columns(p: Predictions) -> dict[str, Any]:
    given, label = (("confidence",), "the answer was") if p.confidence_only else (p.class_names, "label")
    heads = [*given, label, *p.metadata]
    if twice := [name for name in heads if heads.count(name) > 1]:
        raise InputError(f"Two columns would be called {twice[0]!r}; rename the class or the metadata.")
    columns = [*p.probs.T[: len(given)], [p.class_names[k] for k in p.labels.tolist()], *p.metadata.values()]
    return dict(zip(heads, columns, strict=True))


def view_of(question_of: Callable[[Any], Question[Any]]) -> View:
    """How what a question finds is shown: its answer, one of its tables, its first figure."""

    def shown(result: Any) -> Answer:
        question = question_of(result)
        shared = None if question.in_notebooks is None else question.in_notebooks(result)
        return question.shared_answer(result, "case", shared)

    def data(result: Any) -> Any:
        question = question_of(result)
        tables = every_table(question.answer(result).blocks)
        return next(each for each in tables if question.frame in ("", each.name)).rows(exact=True)

    return view(shown, data)


VIEWS: Mapping[type, View] = {
    Predictions: view(cases.says, _predictions_columns),
    TestResult: view(diagnoses.says_test, lambda test: diagnoses.statistic_table(test).rows(exact=True)),
    Reliability: view(diagrams.says, lambda diagram: diagrams.bins_table(diagram).rows(exact=True)),
    Diagnosis: view(diagnoses.says, every_number),
    Survey: view(_of_survey, lambda survey: surveys.checks_of_survey(survey).rows(exact=True)),
    Verdict: view(_of_verdict, lambda verdict: surveys.checks_of_verdicts([verdict]).rows(exact=True)),
    Verdicts: view(_of_verdicts, lambda verdicts: surveys.checks_of_verdicts(verdicts).rows(exact=True)),
    SmoothArrows: view(without_bins.says, lambda arrows: without_bins.places_table(arrows).rows(exact=True)),
    **dict.fromkeys((*QUESTIONS, OverLabels), view_of(question_of)),
}
"""What :func:`calibcore.display.show_by` is told."""
