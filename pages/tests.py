"""Tests: could it be chance? Every p-value with its promise."""

from functools import partial

import streamlit as st

from pages.ui import diagrams, frame, next_steps, over_labels, progress, show, state
from pages.ui.overview import labels, verdicts, weights
from pages.ui.settings import current
from pages.ui.tests import details, p_values
from pages.work import studies

TITLE = "Tests"
HEADING = "Could it be chance?"
ICON = "casino"
GROUP = "Look"
PLACE = 40
SIDEBAR = ("data", "lens", "tests", "kernel", "bandwidth")
MORE = (
    "region",
    "unit",
    "bins",
    "tolerance",
    "bars",
    "distance",
    "level",
    "adjustment",
    "null",
    "redraws",
    "stopping",
    "estimates",
    "bootstrap",
    "blocks",
    "locations",
    "shuffling",
    "precision",
    "seed",
)
TOUR = "Each p-value says how often a calibrated model would look as bad, and how far it can be trusted."
TOUR_AT = "null-figure"

data, spec = state.loaded(), current()
frame.heading(HEADING)
job = studies.diagnosis(data.predictions, spec).begun()
with show.above():
    verdicts.line(data, spec, caution=False)
together = over_labels.all_together(data)
if data.predictions.untested:
    st.markdown(show.plain(weights.claim(diagrams.diagram(data.predictions, spec), data, spec)))
if together:
    labels.checks(data)
elif not frame.no_tests(data):
    progress.show(job, "Testing", lambda diagnosis: p_values.draw(diagnosis, data), height=progress.FIGURE)
    frame.caution(data)
show.fold("For statisticians", "fold-statisticians", partial(details.draw, job, data, spec))
next_steps.row("tests", data)
