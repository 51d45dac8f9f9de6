"""Simplex: three or four classes at once, an arrow from what was predicted to what happened."""

import streamlit as st

from pages.ui import compare, corners, drawing, frame, nav, simplex_view, state
from pages.ui.settings import classes_through, current

data, spec = state.loaded(), current()
frame.heading("Which way do the probabilities lean?")
if classes_through(spec.lens, data.predictions) not in (3, 4):
    corners.offer(data)
    st.stop()
found = drawing.diagram(data.predictions, spec)
simplex_view.shown(found, spec, data)
nav.link("tests", "Could this be chance?", "casino")
if data.predictions.m > 3:
    with st.expander("Choose other corners", key="other-corners"):
        corners.choose(data)
compare.arrows(data, spec)
