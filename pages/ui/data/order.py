"""Whether the classes are in order, as grades are: asked where their names suggest it, and never guessed."""

from dataclasses import replace

import streamlit as st

from calibcore.io.options import NO_ORDER
from calibcore.io.reading import in_order
from calibcore.words.readings import order_asked, order_sentence
from pages.ui import state, uploads
from pages.ui.show import glossary, plain


def ask(data: state.Loaded) -> None:
    """The question with a button for each answer; nothing where it is answered or does not arise."""
    names = None if data.reading is None else order_asked(data.reading)
    if names is None:
        return
    with st.container(gap="small", key="class-order"):
        st.info(plain(f"{order_sentence(names)} Are they?"))
        with st.container(horizontal=True):
            _button("Yes, they are in order", "in-order", data, names)
            _button("No, they have no order", "no-order", data, NO_ORDER)
        st.caption("In order, they are also judged up to each class, and by the ranks of classes.",
                   help=glossary("classes in order"))  # fmt: skip


def _button(words: str, key: str, data: state.Loaded, order: tuple[str, ...]) -> None:
    st.button(words, key=key, on_click=_take, args=(data.key, order))


def _take(key: str, order: tuple[str, ...]) -> None:
    """By the model's key; the file, if it is still there, would be read so too."""
    model = state.models().get(key)
    if model is None or model.reading is None:
        return
    reading = in_order(model.reading, order)
    state.models()[key] = replace(model, reading=reading, predictions=reading.predictions)
    source = uploads.current()
    if source is not None and key == f"model-{source.number}":
        uploads.keep(replace(source, options=reading.options))
