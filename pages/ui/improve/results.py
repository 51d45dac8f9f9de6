"""What recalibration comes to: the answer, all ways by their gain, one of them in full."""

from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, Recalibration
from calibcore.answers.blocks import Beside, Caution, Chart, Fold, Headline, Methods, Sentences
from calibcore.painters.screen.recalibration import temperature_figure
from calibcore.questions.recalibrate import TemperatureCurve, words
from calibcore.questions.recalibrate import says as recalibrate
from calibcore.words.temperature import what_it_is
from pages.ui import answered, choices, frame, progress, saving, show, state
from pages.ui.improve import method
from pages.ui.show import glossary, plain
from pages.work import studies

CHOSEN = "improve-method"
"""Key of the session: the kind of the method that is open."""


def draw(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """All ways to recalibrate the model in use, and one in full."""
    job = studies.recalibration(data.predictions, spec).begun()
    progress.show(job, "Recalibrating", lambda found: _whole(found, data), height=progress.FIGURE)


def _whole(found: Recalibration, data: state.Loaded) -> None:
    answer = recalibrate.says(found, data.noun)
    (methods,), (_, class_mix) = answer.each(Methods), answer.each(Sentences)
    with st.container(gap="small", key="improvement"):
        answered.draw(answer.each(Headline, Beside))
        st.caption(plain(what_it_is()))
        answered.draw([class_mix])  # the gap stands with the method that is open
        frame.caution(data)
    if found.methods:
        answered.draw(answer.each(Chart))
        _chosen(found, data)
    _temperature(found, data)
    answered.draw(answer.each(Fold))
    answered.methods(methods, answer.each(Caution))


def _chosen(found: Recalibration, data: state.Loaded) -> None:
    """One method in full: the one with the largest gain, until a person chooses another."""
    kinds = {one.kind: one.map.label for one in found.methods}
    kept = st.session_state.get(CHOSEN)
    kind = kept if kept in kinds else found.methods[0].kind
    st.subheader("One method in full")
    choices.one("Method", kinds, kind, _keep, name="improve-method-box")
    method.draw(found, kind, data)


def _keep(kind: str) -> None:
    st.session_state[CHOSEN] = kind


def _temperature(found: Recalibration, data: state.Loaded) -> None:
    st.subheader("The temperature", help=glossary("temperature"))
    job = studies.curve_of_temperature(data.predictions, found).begun()
    progress.show(job, "Trying temperatures", lambda curve: _curve(found, curve), height=460)


def _curve(found: Recalibration, curve: TemperatureCurve) -> None:
    show.figure(
        temperature_figure(found, curve, show.theme()),
        key="temperature-curve",
        says=words.curve_sentence(found),
        reading="improve-temperature",
        rows=partial(words.curve_rows, curve),
        table_name="The curve as a table",
        printed=saving.on_paper("temperature_print", found, curve),
    )
