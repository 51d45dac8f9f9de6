"""Overview: what the model claims and what happened; through which lenses it holds."""

import streamlit as st

from calibcore.words import claim_and_outcome
from pages.ui import drawing, frame, jobs, results, show, state, survey_table, weights
from pages.ui.settings import current

data, spec = state.loaded(), current()
frame.heading("Can these probabilities be believed?")
frame.welcome()
if data.predictions.weights is not None:
    weights.overview(data, spec)
    st.stop()
job = jobs.diagnosis(data.predictions, spec)
found = drawing.diagram(data.predictions, spec)
st.markdown(f"#### {show.plain(claim_and_outcome(found, spec.lens, data.noun))}")
results.overview(found, job, data)
st.subheader("Through every lens", help=show.glossary("survey"))
survey_table.shown(data)
