"""Overview: the verdict, the next step, the figure that carries it, one table; the rest is folded."""

import streamlit as st

from pages.ui import frame, next_steps, show, state
from pages.ui.overview import answer, classes, labels, survey_table, verdicts, weights

TITLE = "Overview"
HEADING = "Can these probabilities be believed?"
ICON = "task_alt"
GROUP = "Look"
PLACE = 10
SIDEBAR = ("data", "tolerance")
MORE = ("unit", "level", "adjustment", "redraws", "stopping", "seed")
TOUR = "First the verdict, then the figure behind it: grey is what chance alone allows."
TOUR_AT = "answer"

data = state.loaded()
if data.labels is not None and data.labels.weights is None:
    frame.heading(HEADING, about=labels.ABOUT, cases=data.labels)
    labels.overview(data.labels, data)
    st.stop()
if data.predictions.untested:
    spec = weights.looked_through()
    frame.heading(HEADING, spec)
    frame.welcome()
    weights.overview(data, spec)
    next_steps.row("overview", data, spec.lens)
    st.stop()
job = survey_table.start(data)
frame.heading(HEADING, about=survey_table.about(job, data))
with show.above():
    frame.welcome()
answer.draw(job, data)
survey_table.draw(job, data)
classes.by_name(job, data)
verdicts.folds(job, data)
