"""Tests: could it be chance? Every p-value with its promise."""

import streamlit as st

from pages.ui import details, drawing, frame, progress, show, state, studies, testing, verdicts, weights
from pages.ui.settings import current

data, spec = state.loaded(), current()
frame.heading("Could it be chance?")
job = studies.diagnosis(data.predictions, spec)
found = drawing.diagram(data.predictions, spec)
st.markdown(show.plain(weights.claim(found, data, spec)))
verdicts.line(data, spec, caution=not job.ready)
if not frame.no_tests(data):
    progress.shown(job, "Testing", lambda diagnosis: testing.shown(diagnosis, data, spec))
details.shown(job, data, spec)
