"""Share: hand what was found to somebody else; open the settings of somebody's report."""

from dataclasses import replace

import streamlit as st

from calibcore.transforms.lenses import CanonicalLens
from calibcore.words.sharing import no_report
from pages.ui import frame, show, state, surveyed
from pages.ui.overview import survey_table, verdicts
from pages.ui.settings import current
from pages.ui.share import links, reviewing, subject

TITLE = "Share"
HEADING = "Who else should see this?"
ICON = "share"
GROUP = "Hand on"
PLACE = 50
SIDEBAR = ("data", "lens", "bins", "tolerance")
MORE = ("unit", "bars", "level", "adjustment", "redraws", "seed")
TOUR = "Hand on a report or a link: whoever gets it can check every number."
TOUR_AT = "share-ways"

data, spec = state.loaded(), current()
frame.heading(HEADING)
if subject.all_labels(data):
    assert data.labels is not None, "else there is one label"
    job = surveyed.study_of_labels(data.labels).begun()
    verdicts.shared(job, data)
    if job.ready:
        of_all = replace(spec, lens=CanonicalLens())
        links.form(survey_table.tolerated(job.future.result()), data, of_all, all_labels=True)
elif not data.predictions.untested:
    job = survey_table.start(data)
    verdicts.shared(job, data)
    if job.ready:
        links.form(survey_table.tolerated(job.future.result()), data, spec)
else:
    st.info(show.plain(no_report(data.predictions, data.noun)), icon=":material/balance:")
    frame.ways_on(data, alone=True)
links.under_way()
links.links()
st.header("Settings from a report")
reviewing.place()
