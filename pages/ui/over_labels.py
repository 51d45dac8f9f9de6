"""What a page asks of one label, asked of all where each case has several: a table, begun when asked for."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore import MultiLabelPredictions, OverLabels
from calibcore.questions.over_labels import question_of
from calibcore.wording import count
from calibcore.words.looking import no_tests
from pages.ui import answered, progress
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work.studies import Study

TITLE = "All labels at once"


def all_together(data: Loaded) -> bool:
    """Whether all labels are looked at together, and then said: of that there is no p, but of each label."""
    if data.labels is None or data.labels.weights is not None or data.predictions.case_of is None:
        return False
    st.info(plain(no_tests(data.predictions, data.noun)), icon=":material/balance:")
    return True


def draw(data: Loaded, asked: Callable[[MultiLabelPredictions], Study[OverLabels]]) -> None:
    """Below the answer on the label in use, or in its place where all are looked at together; nothing where
    cases have classes."""
    if data.labels is None:
        return
    p = data.labels
    st.subheader(TITLE)
    labels = count(p.k, "label")
    if data.predictions.label_of:
        st.caption(plain(f"Above is '{data.predictions.label_of}', one of {labels}."))
    progress.show(
        asked(p).begun(),
        f"Asking about {labels}",
        partial(_table, noun=data.noun),
        start="Ask about all labels",
    )


def _table(over: OverLabels, noun: str) -> None:
    answered.draw(question_of(over).answer(over, noun).blocks, level=4)
