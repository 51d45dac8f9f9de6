"""Reliability: where the probabilities hold and where not, bin by bin."""

import streamlit as st

from calibcore.words.results import bins_heading
from pages.ui import diagrams, frame, nav, show, state
from pages.ui.overview import verdicts, weights
from pages.ui.reliability import members, multiples, other_bins
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
    "level",
    "adjustment",
    "redraws",
    "stopping",
    "seed",
)
TOUR = "A cross outside its grey bar: there the model is off by more than chance allows."

data, spec = state.loaded(), current()
frame.heading(HEADING)
diagram = diagrams.diagram(data.predictions, spec)
st.markdown(f"## {show.plain(weights.claim(diagram, data, spec))}")
verdicts.line(data, spec)
st.subheader(show.plain(bins_heading(diagram, spec.binning, data.noun)), help=show.glossary("bin"))
members.diagram(diagram, data, spec)
other_bins.section(data, spec)
multiples.section(data, spec)
nav.link("tests", "Could this be chance?")
nav.link("compare", "Beside another model or lens")
