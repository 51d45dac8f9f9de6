"""Labels and columns that probably do not belong together: the warning, another order, and the way back."""

from dataclasses import replace

import streamlit as st

from calibcore.io.reading import file_columns_are, order_note, reordered
from calibcore.words.readings import mismatch_sentence, reorder_words
from pages.ui import state, uploads
from pages.ui.show import plain


def warn(data: state.Loaded) -> None:
    """What speaks against labels and columns belonging together, if anything does."""
    if data.mismatch is not None:
        st.warning(plain(mismatch_sentence(data.mismatch, data.noun)), icon=":material/warning:")


def caution(data: state.Loaded) -> None:
    """The same with the other order as a button; the order that was taken, with a button to take it back."""
    mismatch, reading = data.mismatch, data.reading
    if reading is None:
        return
    if mismatch is not None:
        with st.container(gap="small", key="mismatch"):
            warn(data)
            if mismatch.columns_are:
                _button(
                    reorder_words(mismatch), "reorder", data, file_columns_are(reading, mismatch.columns_are)
                )
    if note := order_note(reading):
        with st.container(gap="small", key="other-order"):
            st.info(plain(note))
            _button("Take the columns as they are named", "as-named", data, None)


def _button(words: str, key: str, data: state.Loaded, columns_are: tuple[str, ...] | None) -> None:
    st.button(words, key=key, on_click=_take, args=(data.key, columns_are))


def _take(key: str, columns_are: tuple[str, ...] | None) -> None:
    """By the model's key; the file, if it is still there, would be read so too."""
    model = state.models().get(key)
    if model is not None and model.reading is not None:
        reading = reordered(model.reading, columns_are)
        state.models()[key] = replace(model, reading=reading, predictions=reading.predictions)
    source = uploads.current()
    if source is not None and key == f"model-{source.number}":
        uploads.keep(replace(source, options=replace(source.options, columns_are=columns_are)))
