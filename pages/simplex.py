"""Simplex: three or four classes at once, an arrow from what was predicted to what happened."""

import streamlit as st

from pages.ui import diagrams, frame, nav, state
from pages.ui.compare import side_by_side
from pages.ui.settings import current
from pages.ui.simplex import arrows, corners
from pages.work.costs import classes_through

data, spec = state.loaded(), current()
frame.heading("Which way do the probabilities lean?")
if classes_through(spec.lens, data.predictions) not in (3, 4):
    corners.offer(data)
    st.stop()
found = diagrams.diagram(data.predictions, spec)
arrows.shown(found, spec, data)
nav.link("tests", "Could this be chance?", "casino")
if data.predictions.m > 3:
    with st.expander("Choose other corners", key="other-corners"):
        corners.choose(data)
side_by_side.simplex(data, spec)
