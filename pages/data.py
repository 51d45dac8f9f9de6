"""Data: choose a file, see what was read and why, correct it."""

import streamlit as st

from pages.ui import nav, reading, show, state

st.title("Your own predictions")
st.markdown(show.text("data"))
with st.container(border=True):
    left, right = st.columns(2)
    file = left.file_uploader("Predictions", key="file", help=show.glossary("file"))
    labels = right.file_uploader("Labels, if they are in a file of their own", key="labels-file")
    options, noun = reading.options()
if file is not None:
    reading.read_and_use(file, labels, options, noun)
if state.loaded().reading is not None:
    reading.explain(state.loaded())
elif file is None:
    nav.link("diagnosis", "Look at a bundled example first", "query_stats")
