"""What a report is about, where each case has several labels: all of them, or the one in use."""

import streamlit as st

from calibcore.words.sharing import ALL_LABELS, one_of_labels
from pages.ui import looks
from pages.ui.show import plain
from pages.ui.state import Loaded


def all_labels(data: Loaded) -> bool:
    """Whether it is about all labels; asked where it may be about one."""
    if data.labels is None or data.labels.weights is not None:
        return False
    label = data.predictions.label_of
    if not label:  # all are looked at together
        return True
    words = {"all": ALL_LABELS, "one": f"'{label}' alone"}
    chosen = looks.one_of(
        "The report is about", list(words), f"share-labels-{data.key}", say=lambda key: plain(words[key])
    )
    if chosen == "one":
        st.caption(plain(one_of_labels(label, data.labels.k)))
    return chosen == "all"
