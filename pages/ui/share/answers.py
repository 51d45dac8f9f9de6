"""What other pages found, each with a box that puts it into the report."""

import streamlit as st

from calibcore import Decisions, DiagnosisSpec, GroupSurvey, Monitoring, Recalibration
from calibcore.answers import decide, monitor, plan, recalibrate
from calibcore.wording import in_noun
from calibcore.words.sharing import (
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
    there: dict[str, tuple[str, Asking | None]] = {
        "recalibration": (recalibrate.QUESTION.included, _recalibration(data, spec)),
        "groups": (with_groups(by) if by else "", _groups(data, spec, by)),
        "monitoring": (monitor.QUESTION.included, _monitoring(data, spec)),
        "decisions": (decide.QUESTION.included, _decisions(data, spec)),
        "plan": (in_noun(plan.QUESTION.included, data.noun), enough.study(data).finished()),
    }
    return {
        name: found
        for name, (words, found) in there.items()
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
