"""Simplex: three or four classes at once, an arrow from what was predicted to what happened."""

from functools import partial

import streamlit as st

from pages.ui import diagrams, frame, next_steps, state
from pages.ui.sidebar import looked_through
from pages.ui.simplex import arrows, corners
from pages.work.costs import classes_through

TITLE = "Simplex"
HEADING = "Which way do the probabilities lean?"
ICON = "change_history"
GROUP = "Look"
PLACE = 30
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "bars", "bin adjustment", "level", "redraws")
TOUR = "Choose what the corners are, and each arrow leads from what the model said to what happened."
TOUR_AT = "stage"

data = state.loaded()
spec = looked_through.on_page("simplex", data)
frame.heading(HEADING, spec)
if classes_through(spec.lens, data.predictions) not in (3, 4):
    if data.predictions.m == 2:
        corners.line(data, spec)
        next_steps.row("simplex", data, spec.lens)
    else:
        corners.offer(data)
    st.stop()
arrows.draw(
    diagrams.diagram(data.predictions, spec),
    spec,
    data,
    chips=partial(corners.choose, data, spec.lens),
    first=partial(corners.say_everywhere, spec),
    below=partial(corners.say_where_another, spec, data),
)
next_steps.row("simplex", data, spec.lens)
