"""What stands on every page: its title, what is looked at, a first word to newcomers, a word of caution."""

import streamlit as st

from calibcore.words.looking import data_words, looked_at
from calibcore.words.looking import no_tests as no_tests_sentence
from calibcore.words.phrases import sample_sentence
from pages.ui import column_order, nav, settings, state
from pages.ui.show import plain
from pages.work import costs


def heading(title: str) -> None:
    """The title, and under it one quiet line: model, cases, classes, and what is looked at."""
    data, spec = state.loaded(), settings.current()
    st.title(title)
    m = costs.classes_through(spec.lens, data.predictions)
    line = f"{data_words(data.title, data.predictions, data.noun)} · {looked_at(spec, m, data.noun)}"
    st.caption(plain(line), help=plain(data.description) or None)


def welcome() -> None:
    """Where to start, once in a session and only beside an example."""
    if st.session_state.get("welcomed") or state.loaded().reading is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown("New here? This is an example: what a model predicted, and what happened.")
        nav.link("data", "Use your own predictions")
        st.button("Got it", type="tertiary", on_click=_welcomed)


def _welcomed() -> None:
    st.session_state["welcomed"] = True


def nothing_in_use(name: str) -> None:
    """Said where what was in use is not there any more, with the ways out; ``name`` is the page's."""
    st.info(f"{plain(state.why_nothing())} No model is in use: choose one.", icon=":material/help:")
    with st.container(horizontal=True, vertical_alignment="center", key="nothing-in-use"):
        ways = [(model.key, f"Look at '{plain(model.title, 60)}'") for model in state.models().values()]
        for key, words in [*ways, (state.DEFAULT_EXAMPLE, "Look at an example")]:
            st.button(words, key=f"instead-{key}", on_click=state.use, args=(key,))
        if name != "data":
            nav.link("data", "Load a file")


def no_tests(data: state.Loaded) -> bool:
    """Whether cases are weighted or recalibrated, and then said: nothing can be tested."""
    p = data.predictions
    if not p.untested:
        return False
    st.info(plain(no_tests_sentence(data.noun, p.cross_fitted)), icon=":material/balance:")
    return True


def caution(data: state.Loaded) -> None:
    """Stands beside every p-value and verdict: whether data are probably wrong, a sample, or repeat."""
    column_order.warn(data)
    cases(data)


def cases(data: state.Loaded) -> None:
    """Said where cases are a sample, and where they repeat; nothing otherwise."""
    p = data.predictions
    if of_sample := sample_sentence(p.n, data.noun, p.drawn_from):
        st.caption(f":material/casino: {plain(of_sample)}")
    if data.warning:
        st.warning(plain(data.warning), icon=":material/warning:")
