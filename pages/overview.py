"""Overview: the verdict, the figure that carries it, every class, every check, and the details folded."""

import streamlit as st

from pages.ui import frame, show, state
from pages.ui.overview import answer, classes, survey_table, verdicts, weights

TITLE = "Overview"
HEADING = "Can these probabilities be believed?"
ICON = "task_alt"
GROUP = "Look"
PLACE = 10
SIDEBAR = ("data", "bins of one class", "tolerance")
MORE = (
    "bins of all classes",
    "unit",
    "bars",
    "distance",
    "kernel",
    "level",
    "adjustment",
    "redraws",
    "stopping",
    "seed",
)
TOUR = "First the verdict, then the figure behind it: grey is what chance alone allows."

data = state.loaded()
if data.predictions.untested:
    spec = weights.looked_through()
    frame.heading(HEADING, spec)
    frame.welcome()
    weights.overview(data, spec)
    st.stop()
job = survey_table.start(data)
frame.heading(HEADING, about=survey_table.about(job, data))
with show.above():
    frame.welcome()
answer.draw(job, data)
classes.section(job, data)
st.subheader("Check by check", help=show.glossary("survey"))
survey_table.draw(job, data)
verdicts.folds(job, data)
