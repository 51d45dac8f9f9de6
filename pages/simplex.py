"""Simplex: three or four classes at once, an arrow from what was predicted to what happened."""

import streamlit as st

from pages.ui import diagrams, frame, next_steps, show, state
from pages.ui.simplex import arrows, corners
from pages.work.costs import classes_through

TITLE = "Simplex"
HEADING = "Which way do the probabilities lean?"
ICON = "change_history"
GROUP = "Look"
PLACE = 30
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "bars", "bin adjustment", "kernel", "bandwidth", "level", "redraws", "seed")
TOUR = "Choose what the corners are, and each arrow leads from what the model said to what happened."

data, spec = state.loaded(), corners.looked_through()
frame.heading(HEADING, spec)
if classes_through(spec.lens, data.predictions) not in (3, 4):
    corners.offer(data)
    st.stop()
with show.above():
    corners.say_where_another(spec, data)
diagram = diagrams.diagram(data.predictions, spec)
arrows.draw(diagram, spec, data)
if data.predictions.m > 3:
    with st.expander("Choose other corners", key="other-corners"):
        corners.choose(data)
next_steps.row("simplex", data, spec.lens)
