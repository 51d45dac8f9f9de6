"""Learn: the ideas on live toy examples, and every term in one line."""

import streamlit as st

from pages.ui import lessons, show

st.title("What all this means")
st.markdown(show.text("learn"))
lessons.believed_and_yet_wrong()
st.header("Every term in one line")
st.markdown(show.glossary_text())
