"""The uploaded models of a session: which is in use, what it is called, whether its cases repeat."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from calibcore.words import data_words, plural
from pages.ui import frame, jobs, nav, state
from pages.ui.show import glossary, plain

REPEATS = {None: "I do not know", False: "No, each stands for itself", True: "Yes, some belong together"}


def in_use(data: state.Loaded) -> None:
    """The uploaded model in use: what it is, its name, its noun, whether its cases repeat."""
    p = data.predictions
    st.success(f"{plain(data_words(data.title, p, data.noun))}.", icon=":material/check:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("See what it claims", type="primary", icon=":material/arrow_forward:"):
            st.switch_page(nav.page("overview"))
        st.button("Remove this model", icon=":material/delete:", on_click=_remove, args=(data,))
    left, right = st.columns(2)
    with left:
        _said(st.text_input, "Name of the model", "title", data, max_chars=80)
    with right:
        _said(st.text_input, "One case is called", "noun", data, max_chars=40)
    with left:
        _said(
            st.selectbox, "Column that names the patient or group of each case", "group_column", data,
            options=[None, *p.metadata], format_func=lambda name: "None" if name is None else plain(name, 80),
            help=glossary("group of a case"),
        )  # fmt: skip
    with right:
        _said(
            st.selectbox, f"Do some {plain(plural(data.noun))} belong together?", "repeats", data,
            options=list(REPEATS), format_func=REPEATS.get,
        )  # fmt: skip
    if data.group_column is not None and data.groups == p.n:
        st.caption(f"Every case has a value of its own in '{plain(data.group_column)}': none repeats.")
    frame.caution(data)


def others(data: state.Loaded) -> None:
    """The other uploaded models, and whether they speak of the same cases."""
    rest = [model for model in state.models().values() if model.key != data.key]
    if not rest:
        return
    st.subheader("Also loaded")
    for model in rest:
        with st.container(horizontal=True, vertical_alignment="center"):
            same = "the same cases" if model.same_cases(data) else "other cases"
            st.markdown(plain(f"{data_words(model.title, model.predictions, model.noun)} · {same}"))
            st.button("Look at it", key=f"use-{model.key}", on_click=state.use, args=(model.key,))
            st.button("Remove", key=f"remove-{model.key}", on_click=_remove, args=(model,))
    st.caption(f"Up to {state.MOST_MODELS} models; one more takes the place of the oldest.")


def _said(widget: Callable[..., Any], label: str, field: str, data: state.Loaded, **how: Any) -> None:
    """A control of one thing that is said about a model; it shows what is kept and keeps what it is told."""
    widget_key, value = f"model-{field}-{data.key}", getattr(data, field)
    if st.session_state.get(widget_key, ...) != value:
        st.session_state[widget_key] = value
    if widget is st.selectbox:  # as in spec_controls.control
        how["index"] = how["options"].index(value)
    else:
        how["value"] = value

    def keep() -> None:
        said = st.session_state[widget_key]
        if isinstance(said, str) and field in ("title", "noun"):
            said = said.strip() or value
        state.describe(data.key, **{field: said})

    widget(label, key=widget_key, on_change=keep, **how)


def _remove(data: state.Loaded) -> None:
    jobs.forget(data.predictions.fingerprint)
    state.remove(data.key)
