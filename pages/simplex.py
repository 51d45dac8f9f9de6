"""Simplex: three classes at once, an arrow from what was predicted to what happened."""

import streamlit as st

from calibcore.words import arrows_sentence, bins_heading
from pages.ui import frame, show, state, three_classes
from pages.ui.settings import classes_through, current

data, spec = state.loaded(), current()
frame.heading("Which way do the probabilities lean?")
if classes_through(spec.lens, data.predictions) != 3:
    three_classes.offer(data)
    st.stop()
with st.spinner("Drawing the triangle …", show_time=False):
    found = state.diagram(data.predictions, spec)
st.markdown(f"#### {show.plain(arrows_sentence(found))}")
st.subheader(bins_heading(found, spec.binning), help=show.glossary("bin"))
show.triangle(found, data.noun)
