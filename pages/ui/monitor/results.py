"""What monitoring comes to: whether there is an alarm, since when, the evidence and the gap over time."""

import streamlit as st

from calibcore import DiagnosisSpec, MultiLabelPredictions, OverLabels, monitor
from calibcore.answers.blocks import Caution, Chart, Headline, Methods, Notes, Sentences
from calibcore.questions.monitor import Monitoring, says
from calibcore.questions.monitor import words as monitoring
from pages.ui import answered, dates, frame, progress, show, state
from pages.ui.monitor import continuing, order
from pages.work import costs, studies
from pages.work.studies import Study


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
    progress.show(
        job, "Monitoring", lambda monitoring: _draw_results(monitoring, data), height=progress.FIGURE
    )
    if job.refused is not None:
        if before is not None:
            continuing.other_look(before)
        continuing.draw(None, data)


def of_labels(p: MultiLabelPredictions, data: state.Loaded, spec: DiagnosisSpec) -> Study[OverLabels]:
    """The same of each label, from the first case on."""
    column = order.column(data)
    return studies.over_labels(
        monitor, p, spec, lambda n, _: costs.seconds_of_monitoring(n, 2), () if column is None else (column,),
        time=column, dates=dates.order(data),
    )  # fmt: skip


def _draw_results(result: Monitoring, data: state.Loaded) -> None:
    answer, of_units = says.QUESTION.answer(result, data.noun), monitoring.unit_sentence(result)
    headline, beside, *_ = answer.each(Headline, Sentences)  # the figure says the rest
    (lately, *evidence), windows = filter(None, beside.lines), monitoring.windows_sentence(result, data.noun)
    with st.container(gap="small", key="monitor-answer"):
        answered.draw([headline])
    (chart,) = answer.each(Chart)
    answered.figure(chart, sentence_above=False)
    with st.container(gap="small", key="monitor-evidence"):
        answered.draw([Sentences((lately, *evidence, windows))])
        frame.caution(data, of_units)
    for notes in answer.each(Notes):
        answered.small_print(notes.lines, (*data.predictions.notes, of_units))
    continuing.draw(result, data)
    (methods,) = answer.each(Methods)
    answered.methods(methods, answer.each(Caution))
