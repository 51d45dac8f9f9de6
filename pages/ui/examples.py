"""The bundled examples: one is chosen, said what it is, and opened."""

import streamlit as st

from calibcore.examples import EXAMPLES
from calibcore.words import count
from pages.ui import nav, state
from pages.ui.show import plain

TITLES = {example.key: example.title for example in EXAMPLES}


def draw(data: state.Loaded) -> None:
    """A select box of examples; the one in use is described."""
    in_use = data.key if data.key in TITLES else None
    if st.session_state.get("example") != in_use:
        st.session_state["example"] = in_use
    st.selectbox(
        "Example",
        list(TITLES),
        index=None if in_use is None else list(TITLES).index(in_use),
        format_func=TITLES.get,
        key="example",
        on_change=_use,
        placeholder="Choose an example",
    )
    if in_use is None:
        st.caption("Real models, and populations built so that the answer is known.")
        return
    st.markdown(plain(data.description))
    p = data.predictions
    st.caption(plain(f"{count(p.n, data.noun)} · {p.m:,} classes"))
    nav.link("overview", "See what it claims", "arrow_forward")


def _use() -> None:
    if st.session_state["example"] in TITLES:
        state.use(st.session_state["example"])
