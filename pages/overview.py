"""Overview: the verdict in a sentence, the figure that shows it, every lens, and the details folded."""

import streamlit as st

from pages.ui import drawing, frame, results, show, state, survey_table, verdicts, weights
from pages.ui.settings import current

data, spec = state.loaded(), current()
frame.heading("Can these probabilities be believed?")
frame.welcome()
if data.predictions.weights is not None:
    weights.overview(data, spec)
    st.stop()
job = survey_table.begun(data)
verdicts.answer(job, data)
found = drawing.diagram(data.predictions, spec)
results.overview(found, data, spec)
verdicts.membership(data, spec)
st.subheader("Lens by lens", help=show.glossary("survey"))
survey_table.shown(job, data)
verdicts.folds(job, data)
