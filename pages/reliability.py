"""Reliability: where the probabilities hold and where not, bin by bin."""

import streamlit as st

from calibcore.words.results import bins_heading
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
MORE = (
    "region",
    "unit",
    "tolerance",
    "bars",
    "distance",
    "kernel",
    "bandwidth",
    "level",
    "adjustment",
    "redraws",
    "stopping",
    "seed",
)
TOUR = "A cross outside its grey bar: there the model is off by more than chance allows."

data, spec = state.loaded(), current()
frame.heading(HEADING)
spread = state.spread(data.predictions, spec)
drawn = views.drawn(spec, spread)
diagram = diagrams.diagram(data.predictions, drawn)
st.markdown(f"## {show.plain(weights.claim(diagram, data, spec))}")
verdicts.line(data, spec)
if without_bins.wanted(diagram, data, spec):
    without_bins.draw(data, spec)
else:
    st.subheader(show.plain(bins_heading(diagram, drawn.binning, data.noun)), help=show.glossary("bin"))
    members.diagram(diagram, data, drawn, spread)
other_bins.section(data, spec)
classes.fold(data, spec)
next_steps.row("reliability", data)
