"""What a page asks of one label, asked of all where each case has several: a table, begun when asked for."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore import MultiLabelPredictions, OverLabels
from calibcore.questions.over_labels import question_of
from calibcore.wording import count
from pages.ui import answered, progress
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work.studies import Study

TITLE = "All labels at once"


def draw(data: Loaded, asked: Callable[[MultiLabelPredictions], Study[OverLabels]]) -> None:
    """Below the answer on the label in use; nothing where cases have classes."""
    if data.labels is None:
        return
    p = data.labels
    st.subheader(TITLE)
    labels = count(p.k, "label")
    st.caption(plain(f"Above is '{data.predictions.label_of}', one of {labels}."))
    progress.show(
        asked(p).begun(),
        f"Asking about {labels}",
        partial(_table, noun=data.noun),
        start="Ask about all labels",
    )


def _table(over: OverLabels, noun: str) -> None:
    answered.draw(question_of(over).answer(over, noun).blocks, level=4)
