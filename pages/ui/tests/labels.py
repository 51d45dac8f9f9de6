"""How many wrong labels would explain what happened, asked for by a click."""

from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, WrongLabels
from calibcore.answers.blocks import Methods, Sentences
from calibcore.answers.tables import Table
from calibcore.questions.label_noise import says as label_noise
from pages.ui import answered, frame, progress
from pages.ui.show import csv_button, fold, glossary, plain
from pages.ui.state import Loaded
from pages.work import studies


def offered(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold with a button; the sentence and its numbers once they are there."""
    if data.predictions.untested:
        return
    fold(label_noise.QUESTION.title, "fold-wrong-labels", partial(_asked, data, spec))


def _asked(data: Loaded, spec: DiagnosisSpec) -> None:
    job = studies.labels_explained(data.predictions, spec).begun()
    if not job.ready:
        st.markdown(
            "The smallest share of wrong labels with which what happened is no surprise.",
            help=glossary("wrong labels"),
        )
    progress.show(job, "Trying shares of wrong labels", partial(_draw, data))


def _draw(data: Loaded, wrong_labels: WrongLabels) -> None:
    answer = label_noise.QUESTION.answer(wrong_labels, data.noun)
    (methods,), (table,) = answer.each(Methods), answer.each(Table)
    st.markdown(f"**{plain(answer.headline)}**", help=glossary("wrong labels"))
    answered.draw(answer.each(Sentences))
    st.caption(plain(" ".join(methods.lines)))
    frame.caution(data)
    csv_button(partial(table.rows, exact=True), table.name, table.name)
