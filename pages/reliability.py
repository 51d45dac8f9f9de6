"""Reliability: where the probabilities hold and where not, bin by bin."""

import streamlit as st

from pages.ui import diagrams, frame, next_steps, show, state
from pages.ui.overview import classes, verdicts, weights
from pages.ui.reliability import members, other_bins, views, without_bins
from pages.ui.settings import current

TITLE = "Reliability"
HEADING = "Where do the probabilities hold?"
ICON = "show_chart"
GROUP = "Look"
PLACE = 20
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "bars", "level", "redraws", "seed")
TOUR = "A cross outside its grey bar: there the model is off by more than chance allows."
TOUR_AT = "diagram"

data, spec = state.loaded(), current()
frame.heading(HEADING, diagrams.binned(spec, state.spread(data.predictions, spec)))
diagram, drawn, spread = views.diagram_of(data, spec)
with st.container(key="stage-answer"):
    st.markdown(f"## {show.plain(weights.claim(diagram, data, spec))}")
with show.above():
    verdicts.line(data, spec)
with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="diagram-bar"):
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content")
    without = without_bins.wanted(diagram, data, spec)
if without:
    without_bins.draw(data, spec)
else:
    with without_bins.place():
        members.diagram(diagram, data, drawn, spread, bar)
other_bins.section(data, spec)
classes.fold(data, spec)
next_steps.row("reliability", data)
