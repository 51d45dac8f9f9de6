"""Data: choose a file or an example, see what was read and why, correct it; say what the cases are."""

import streamlit as st

from calibcore.io.formats import people_say
from pages.ui import frame, show, state
from pages.ui.data import example_choice, exporting, models, reading

TITLE = "Data"
HEADING = "Your own predictions"
ICON = "upload"
GROUP = "Data"
PLACE = 60
SIDEBAR = ("data",)
WITHOUT_DATA = True

st.title(HEADING)
data = state.in_use()
if data is not None and data.whole is not None:
    frame.of_group(f"In use: {data.title}", data, data.whole)
elif data is not None and data.in_python:
    st.caption("These predictions were made in Python, and are shown as they are.")
elif data is not None:
    st.caption(f"In use: {show.plain(data.title)}", help=show.plain(data.description) or None)
if data is None or not (data.reading or data.in_python):
    st.markdown(show.text("data").replace("{formats}", people_say()))
reading.draw()
if data is not None and data.reading is not None:
    models.in_use(data)
    models.other_models(data)
    reading.explain(data, data.reading)
elif data is not None and data.in_python and data.whole is None:
    models.in_use(data)
    models.other_models(data)
    show.points(data.predictions.notes)
else:
    models.other_models(data)
exporting.draw()
st.header("Or look at an example")
example_choice.draw(data)
