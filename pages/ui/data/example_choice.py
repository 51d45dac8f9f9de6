"""The bundled examples: one is chosen, said what it is, and opened."""

import streamlit as st

from calibcore.data.examples import EXAMPLES
from calibcore.wording import count
from calibcore.words.phrases import classes_words
from pages.ui import choices, nav, state
from pages.ui.show import plain
from pages.ui.sidebar import data_choice

TITLES = {example.key: example.title for example in EXAMPLES}


def draw(data: state.Loaded | None) -> None:
    """A select box of examples; the one in use is described."""
    in_use = data.key if data is not None and data.key in TITLES else None
    choices.choose_one(
        "Example", TITLES, in_use, data_choice.use, name="example", placeholder="Choose an example"
    )
    if data is None or in_use is None:
        st.caption("Real models, and populations built so that the answer is known.")
        return
    st.markdown(plain(data.description))
    p = data.labels or data.predictions
    st.caption(plain(f"{count(p.n, data.noun)} · {classes_words(p.m, p.kind)}"))
    nav.link("overview", "See the verdict", "arrow_forward")
