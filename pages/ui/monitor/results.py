"""What monitoring comes to: whether there is an alarm, since when, the evidence and the gap over time."""

from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.charts.evidence import evidence_says
from calibcore.figures.evidence import evidence_figure
from calibcore.questions.monitor import Monitoring
from calibcore.words import monitoring
from pages.ui import dates, frame, progress, saving, show, state
from pages.ui.monitor import continuing, order
from pages.ui.show import glossary, plain
from pages.work import studies

METHODS = (monitoring.METHOD, monitoring.ORDER, monitoring.NO_PROOF)


def draw(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """The evidence through the lens in use, on top of what these predictions go on from."""
    before = continuing.before(data)
    with show.above():
        if before is not None:
            continuing.goes_on(before, data)
    held = None if before is None else before.state
    study = studies.monitored(data.predictions, spec, order.column(data), dates.order(data), held)
    job = study.begun()
    if dates.asked(job, data):
        return
    progress.show(job, "Monitoring", lambda found: _whole(found, data), height=progress.FIGURE)
    if job.refused is not None:
        if before is not None:
            continuing.other_look(before)
        continuing.draw(None, data)


def _whole(found: Monitoring, data: state.Loaded) -> None:
    noun = data.noun
    with st.container(gap="small", key="monitor-answer"):
        st.markdown(f"## {plain(monitoring.headline(found, noun))}")
        for words in monitoring.more(found, noun):
            st.markdown(plain(words))
        frame.caution(data, monitoring.unit_sentence(found))
    st.subheader("Evidence and gap over time", help=glossary("evidence"))
    show.figure(
        evidence_figure(found, show.theme(), noun),
        key="evidence",
        says=evidence_says(found, noun),
        reading="evidence",
        rows=partial(monitoring.window_rows, found),
        table_name="The windows as a table",
        printed=saving.on_paper("evidence_print", found, noun),
    )
    for words in (*frame.own_notes(found.notes, data), monitoring.order_sentence(found)):
        st.caption(plain(words))
    continuing.draw(found, data)
    show.fold("How it is watched", "fold-monitor-methods", partial(show.points, METHODS))
