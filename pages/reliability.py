"""Reliability: where the probabilities hold and where not, bin by bin."""

import streamlit as st

from calibcore.words.results import bins_heading
from pages.ui import (
    compare,
    drawing,
    frame,
    members,
    multiples,
    nav,
    sensitivity,
    show,
    state,
    verdicts,
    weights,
)
from pages.ui.settings import current

data, spec = state.loaded(), current()
frame.heading("Where do the probabilities hold?")
found = drawing.diagram(data.predictions, spec)
st.markdown(f"## {show.plain(weights.claim(found, data, spec))}")
verdicts.line(data, spec)
st.subheader(show.plain(bins_heading(found, spec.binning, data.noun)), help=show.glossary("bin"))
members.diagram(found, data, spec)
sensitivity.section(data, spec)
multiples.section(data, spec)
nav.link("tests", "Could this be chance?", "casino")
compare.diagrams(data, spec)
