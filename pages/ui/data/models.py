"""The uploaded models of a session: which is in use, what it is called, whether its cases repeat."""

from typing import Any

import streamlit as st

from calibcore.wording import plural
from pages.ui import choices, column_order, frame, nav, settings, state, uploads
from pages.ui.data import order
from pages.ui.show import fold, glossary, plain
from pages.work import jobs

NO_COLUMN = "– none –"
REPEATS = [
    ("I do not know", None),
    ("No, each stands for itself", False),
    ("Yes, some belong together", True),
]


def read(data: state.Loaded) -> None:
    """The uploaded model in use: what it is, the way to its verdict, and whether its cases repeat."""
    st.success(f"{plain(frame.loaded_words(data))}.", icon=":material/check:")
    column_order.caution(data)
    order.ask(data)
    if st.button("See the verdict", icon=":material/arrow_forward:", type="primary"):
        st.switch_page(nav.page("overview"))
    frame.cases(data, button=True)


def named(data: state.Loaded) -> None:
    """What the uploaded model in use and its cases are called, which of them belong together, and the way to
    be rid of it."""
    st.header("What it is called")
    left, right = st.columns(2)
    with left:
        _typed("Name of the model", "title", data, 80)
    with right:
        _typed("One case is called", "noun", data, 40)
    if data.group_column is not None or data.repeats is not None or state.unit_column(data.predictions):
        _belonging(data)
    else:
        words = f"Do some {plain(plural(data.noun))} belong together?"
        fold(words, "fold-belonging", lambda: _belonging(data), look="compact")
    st.button(
        "Remove this model", icon=":material/delete:", on_click=_remove, args=(data.key,), type="tertiary"
    )


def _belonging(data: state.Loaded) -> None:
    """The column that says whose cases they are, or at least whether some belong together."""
    p = data.predictions
    left, right = st.columns(2)
    with left:
        _chosen(
            "Column that names the patient or group of each case", "group_column", data,
            [(NO_COLUMN, None), *((name, name) for name in p.metadata)], help=glossary("group of a case"),
        )  # fmt: skip
    with right:
        _chosen(f"Do some {plain(plural(data.noun))} belong together?", "repeats", data, REPEATS)
    if data.group_column is not None and data.groups == p.n:
        st.caption(f"Every case has a value of its own in '{plain(data.group_column)}': none repeats.")


def other_models(data: state.Loaded | None) -> None:
    """The other uploaded models, and whether they speak of the same cases."""
    rest = [model for model in state.models().values() if data is None or model.key != data.key]
    if not rest:
        return
    st.header("Loaded" if data is None else "Also loaded")
    for model in rest:
        with st.container(horizontal=True, vertical_alignment="center"):
            words = frame.loaded_words(model)
            if data is not None:
                words += " · the same cases" if model.same_cases(data) else " · other cases"
            st.markdown(plain(words))
            st.button("Look at it", key=f"use-{model.key}", on_click=state.use, args=(model.key,))
            st.button("Remove", key=f"remove-{model.key}", on_click=_remove, args=(model.key,))
    st.caption(f"Up to {state.MOST_MODELS} models; one more takes the place of the oldest.")


def _typed(label: str, field: str, data: state.Loaded, most: int) -> None:
    """A text about a model; an empty one changes nothing."""
    model, key = data.key, f"model-{field}-{data.key}"
    value = getattr(data, field)

    def keep() -> None:
        settings.done_for_good()
        state.describe(model, **{field: st.session_state[key].strip() or value})

    if st.session_state.get(key) != value:
        st.session_state[key] = value
    st.text_input(label, value, key=key, on_change=keep, max_chars=most)


def _chosen(
    label: str, field: str, data: state.Loaded, options: list[tuple[str, Any]], help: str | None = None
) -> None:
    """A choice about a model, ``options`` pairs of what is shown and what is kept."""
    model = data.key
    words = choices.worded(range(len(options)), lambda place: options[place][0])
    values = {words[place]: value for place, (_, value) in enumerate(options)}
    current = next(choice for choice, value in values.items() if value == getattr(data, field))

    def keep(choice: str | None) -> None:
        if choice is not None:
            state.describe(model, **{field: values[choice]})

    same = dict(zip(values, values, strict=True))
    choices.choose_one(label, same, current, keep, name=f"model-{field}-{data.key}", help=help)


def _remove(key: str) -> None:
    """By its key: Streamlit keeps what a callback is given while the tab is open."""
    data = state.models().get(key)
    if data is None:
        return
    jobs.forget(data.predictions.fingerprint)
    state.remove(key)
    source = uploads.current()
    if source is not None and key == f"model-{source.number}":
        uploads.release()
