"""How many wrong labels would explain what happened, asked for by a click."""

from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, WrongLabels
from calibcore.words import wrong_labels
from pages.ui import frame, progress
from pages.ui.show import csv_button, fold, glossary, plain
from pages.ui.state import Loaded
from pages.work import studies


def offered(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold with a button; the sentence and its numbers once they are there."""
    if data.predictions.untested:
        return
    fold("How many wrong labels would explain it?", "fold-wrong-labels", partial(_asked, data, spec))


def _asked(data: Loaded, spec: DiagnosisSpec) -> None:
    job = studies.labels_explained(data.predictions, spec).begun()
    if not job.ready:
        st.markdown(
            "The smallest share of wrong labels with which what happened is no surprise.",
            help=glossary("wrong labels"),
        )
    progress.show(job, "Trying shares of wrong labels", partial(_draw, data))


def _draw(data: Loaded, found: WrongLabels) -> None:
    st.markdown(f"**{plain(wrong_labels.sentence(found))}**", help=glossary("wrong labels"))
    if more := wrong_labels.likeliest_sentence(found):
        st.markdown(plain(more))
    st.caption(plain(wrong_labels.METHOD))
    frame.caution(data)
    csv_button(partial(wrong_labels.rows, found), "wrong-labels", "wrong-labels")
