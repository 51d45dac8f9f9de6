"""What stands on every page: its title, what is looked at, a first word to newcomers, a word of caution."""

import streamlit as st

from calibcore import words
from calibcore.words import data_words, looked_at
from pages.ui import nav, settings, state
from pages.ui.show import plain


def heading(title: str) -> None:
    """The title, and under it one quiet line: model, cases, classes, and what is looked at."""
    data, spec = state.loaded(), settings.current()
    st.title(title)
    m = settings.classes_through(spec.lens, data.predictions)
    line = f"{data_words(data.title, data.predictions, data.noun)} · {looked_at(spec, m, data.noun)}"
    st.caption(plain(line), help=plain(data.description) or None)


def welcome() -> None:
    """Where to start, once in a session and only beside an example."""
    if st.session_state.get("welcomed") or state.loaded().reading is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown("New here? This is an example: what its model claimed, and what happened.")
        nav.link("data", "Use your own predictions", "upload")
        st.button("Got it", type="tertiary", on_click=_welcomed)


def _welcomed() -> None:
    st.session_state["welcomed"] = True


def no_tests(data: state.Loaded) -> bool:
    """Whether cases are weighted, and then said: nothing can be tested."""
    if data.predictions.weights is None:
        return False
    st.info(plain(words.no_tests(data.noun)), icon=":material/balance:")
    return True


def caution(data: state.Loaded) -> None:
    """Stands beside every p-value and verdict: said where cases repeat, nothing otherwise."""
    if data.warning:
        st.warning(plain(data.warning), icon=":material/warning:")
