"""What other pages found, each with a box that puts it into the report."""

from collections.abc import Callable, Mapping
from operator import itemgetter

import streamlit as st

from calibcore import Decisions, DiagnosisSpec, GroupSurvey, Monitoring, Recalibration
from calibcore.answers import QUESTIONS
from calibcore.report.content import GROUPED, MONITORED
from calibcore.wording import in_noun
from calibcore.words.sharing import (
    WITH_MONITORING,
    with_groups,
)
from pages.ui import dates, enough
from pages.ui.decisions import subjects
from pages.ui.groups import columns
from pages.ui.monitor import continuing, order
from pages.ui.share.report_files import Asking
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work import studies


def chosen(data: Loaded, spec: DiagnosisSpec) -> dict[str, Asking]:
    """The answers that are there and whose boxes are ticked, by their names in a report."""
    by = columns.chosen(data, spec)
    there: list[tuple[int, str, str, Asking | None]] = [
        (GROUPED, "groups", with_groups(by) if by else "", _groups(data, spec, by)),
        (MONITORED, "monitoring", WITH_MONITORING, _monitoring(data, spec)),
    ]
    for question in QUESTIONS.values():
        if question.name in FOUND:
            found = FOUND[question.name](data, spec)
            there.append((question.place, question.name, in_noun(question.included, data.noun), found))
    return {
        name: found
        for _, name, words, found in sorted(there, key=itemgetter(0))
        if found is not None and st.checkbox(plain(words), key=f"share-{name}")
    }


def _recalibration(data: Loaded, spec: DiagnosisSpec) -> Recalibration | None:
    """What the page Improve shows."""
    return studies.recalibration(data.predictions, spec).finished()


def _groups(data: Loaded, spec: DiagnosisSpec, by: list[str]) -> GroupSurvey | None:
    """What the page Groups shows of its columns, with its search if that was made."""
    return studies.finished_groups(data.predictions, by, spec, dates.order(data)) if by else None


def _monitoring(data: Loaded, spec: DiagnosisSpec) -> Monitoring | None:
    """What the page Time shows; None where an outcome in an earlier file has ended it."""
    if order.chosen(data) is None:
        return None
    before = continuing.before(data)
    held = None if before is None else before.state
    p = data.predictions
    found = studies.monitored(p, spec, order.column(data), dates.order(data), held).finished()
    return found if found is not None and p.fingerprint in found.files[-1:] else None


def _decisions(data: Loaded, spec: DiagnosisSpec) -> Decisions | None:
    """What the page Decisions shows through the lens in use."""
    return studies.decisions(data.predictions, spec, subjects.thresholds(spec)).finished()


FOUND: Mapping[str, Callable[[Loaded, DiagnosisSpec], Asking | None]] = {
    "recalibration": _recalibration,
    "decisions": _decisions,
    "plan": lambda data, _: enough.study(data).finished(),
}
"""Name of a question -> what its page has found of the data in use, if it has."""
