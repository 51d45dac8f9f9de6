"""What other pages found, each with a box that puts it into the report."""

from collections.abc import Callable, Mapping
from typing import Any

from calibcore import (
    Decisions,
    DiagnosisSpec,
    GroupSurvey,
    Monitoring,
    MultiLabelPredictions,
    OverLabels,
    Recalibration,
)
from calibcore.answers.question import Question
from calibcore.questions.groups import says as groups
from calibcore.questions.registry import QUESTIONS
from calibcore.wording import in_noun
from calibcore.words.sharing import with_groups
from pages.ui import dates, enough, looks
from pages.ui.decisions import subjects
from pages.ui.groups import columns
from pages.ui.groups import results as groups_page
from pages.ui.improve import results as improve
from pages.ui.monitor import continuing, order
from pages.ui.monitor import results as time
from pages.ui.share.report_files import Asking
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work import studies
from pages.work.studies import Study


def chosen(data: Loaded, spec: DiagnosisSpec) -> dict[str, Asking]:
    """The answers that are there and whose boxes are ticked, by their names in a report."""
    finished: dict[str, Asking] = {}
    for question in QUESTIONS.values():
        name, result = question.name, None
        if name in FOUND:
            result = FOUND[name](data, spec)
        if result is not None and looks.ticked(plain(_words(question, data, spec)), f"share-{name}"):
            finished[name] = result
    return finished


def chosen_of_labels(data: Loaded, spec: DiagnosisSpec) -> dict[str, Asking]:
    """The same where the report is about all labels: what other pages were asked about all of them."""
    assert data.labels is not None, "else there is one label"
    finished: dict[str, Asking] = {}
    for name, study in _of_labels(data.labels, data, spec).items():
        if (result := study.finished()) is None:
            continue
        (question,) = (each for each in QUESTIONS.values() if each.name == name)
        if looks.ticked(plain(_words(question, data, spec)), f"share-of-all-{name}"):
            finished[name] = result
    return finished


def _of_labels(p: MultiLabelPredictions, data: Loaded, spec: DiagnosisSpec) -> dict[str, Study[OverLabels]]:
    """Name of a question -> what its page asks of all labels."""
    by = columns.chosen(data, spec)
    studies_of = {"recalibration": improve.of_labels(p, spec), "decisions": subjects.of_labels(p, data, spec)}
    if by:
        studies_of["groups"] = groups_page.of_labels(p, data, spec, by)
    if order.chosen(data) is not None:
        studies_of["monitoring"] = time.of_labels(p, data, spec)
    return studies_of


def _words(question: Question[Any], data: Loaded, spec: DiagnosisSpec) -> str:
    """Of its box; of groups by their columns."""
    if question is groups.QUESTION:
        return with_groups(columns.chosen(data, spec))
    return in_noun(question.included, data.noun)


def _recalibration(data: Loaded, spec: DiagnosisSpec) -> Recalibration | None:
    """What the page Improve shows."""
    return studies.recalibration(data.predictions, spec).finished()


def _groups(data: Loaded, spec: DiagnosisSpec) -> GroupSurvey | None:
    """What the page Groups shows of its columns, with its search if that was made."""
    by = columns.chosen(data, spec)
    return studies.finished_groups(data.predictions, by, spec, dates.order(data)) if by else None


def _monitoring(data: Loaded, spec: DiagnosisSpec) -> Monitoring | None:
    """What the page Time shows; None where an outcome in an earlier file has ended it."""
    if order.chosen(data) is None:
        return None
    before = continuing.before(data)
    held = None if before is None else before.state
    p = data.predictions
    monitoring = studies.monitored(p, spec, order.column(data), dates.order(data), held).finished()
    return monitoring if monitoring is not None and p.fingerprint in monitoring.files[-1:] else None


def _decisions(data: Loaded, spec: DiagnosisSpec) -> Decisions | None:
    """What the page Decisions shows through the lens in use: without groups where those cannot be told."""
    column = subjects.groups(data, spec)
    return subjects.asked(data, spec, column).finished() or subjects.asked(data, spec, None).finished()


FOUND: Mapping[str, Callable[[Loaded, DiagnosisSpec], Asking | None]] = {
    "recalibration": _recalibration,
    "groups": _groups,
    "monitoring": _monitoring,
    "decisions": _decisions,
    "plan": lambda data, _: enough.study(data).finished(),
}
"""Name of a question -> what its page has found of the data in use, if it has."""
