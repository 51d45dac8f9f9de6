"""Diagnosis: the answer in a sentence, the figure that shows it, the test."""

import streamlit as st

from calibcore.words import bins_heading, claim_and_outcome, count, lens_words
from pages.ui import jobs, nav, results, show, spec_controls, state

data, spec = state.loaded(), spec_controls.current()
p = data.predictions
st.title("Can these probabilities be believed?")
where = f"{data.title} · {count(p.n, data.noun)} · {p.m} classes · {lens_words(spec.lens)}"
with st.container(horizontal=True, vertical_alignment="center"):
    st.caption(show.plain(where), help=show.plain(data.description) or None)
    nav.link("data", "Use your own predictions", "upload")
if problem := spec_controls.problem():
    st.info(f"This setting cannot be shown: {show.plain(problem)}")
    st.stop()

found = state.diagram(p, spec)
st.markdown(f"#### {show.plain(claim_and_outcome(found, spec.lens, data.noun))}")
results.tests(jobs.diagnosis_job(p, spec), data.noun)
st.subheader(bins_heading(found, spec.binning), help=show.glossary("bin"))
show.diagram(found, data.noun)
results.details(jobs.diagnosis_job(p, spec), data)
