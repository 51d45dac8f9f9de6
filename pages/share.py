"""Share: hand what was found to somebody else; open the settings of somebody's report."""

import streamlit as st

from calibcore.words.sharing import no_report
from pages.ui import frame, reviewing, share, show, state, survey_table, verdicts
from pages.ui.settings import current

data, spec = state.loaded(), current()
frame.heading("Who else should see this?")
if data.predictions.weights is None:
    job = survey_table.begun(data)
    verdicts.answer(job, data)
    if job.ready:
        share.form(survey_table.tolerated(job.future.result()), data, spec)
else:
    st.info(show.plain(no_report(data.noun)), icon=":material/balance:")
share.under_way()
share.links()
st.header("Settings from a report")
reviewing.place()
