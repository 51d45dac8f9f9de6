"""Overview: the verdict, the figure that carries it, every class, every lens, and the details folded."""

import streamlit as st

from pages.ui import frame, show, state
from pages.ui.overview import answer, classes, survey_table, verdicts, weights
from pages.ui.settings import current

TITLE = "Overview"
HEADING = "Can these probabilities be believed?"
ICON = "task_alt"
GROUP = "Look"
PLACE = 10
SIDEBAR = ("data", "lens", "bins", "tolerance")
MORE = ("region", "unit", "bars", "distance", "kernel", "level", "adjustment", "redraws", "stopping", "seed")
TOUR = "First the verdict, then the figure behind it: grey is what chance alone allows."

data, spec = state.loaded(), current()
frame.heading(HEADING)
frame.welcome()
if data.predictions.untested:
    weights.overview(data, spec)
    st.stop()
job = survey_table.start(data)
answer.draw(job, data, spec)
verdicts.membership(data, spec)
classes.section(job, data)
st.subheader("Lens by lens", help=show.glossary("survey"))
survey_table.draw(job, data)
verdicts.folds(job, data)
