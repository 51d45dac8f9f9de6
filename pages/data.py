"""Data: choose a file, see what was read and why, correct it."""

import streamlit as st

from pages.ui import reading, show, state

st.title("Your own predictions")
st.markdown(show.text("data"))
with st.container(border=True):
    left, right = st.columns(2)
    file = left.file_uploader(
        "Predictions", key="file", on_change=reading.forget_options, help=show.glossary("file")
    )
    labels = right.file_uploader("Labels, if they are in a file of their own", key="labels-file")
    options, noun = reading.options(file is not None)
if file is not None and not reading.read_and_use(file, labels, options, noun):
    st.stop()
if state.loaded().reading is not None:
    reading.explain(state.loaded())
elif file is not None:
    st.caption("This file was read. The diagnosis shows an example: choose the file under Predictions.")
