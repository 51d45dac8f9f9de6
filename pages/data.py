"""Data: choose a file or an example, see what was read and why, correct it; say what the cases are."""

import streamlit as st

from calibcore.io.formats import people_say
from pages.ui import frame, show, state, uploads
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
own = data is not None and data.uploaded
if data is not None and data.whole is not None:
    frame.of_group(f"In use: {data.title}", data, data.whole)
elif data is not None and data.in_python:
    st.caption("These predictions were made in Python, and are shown as they are.")
elif data is not None:
    st.caption(f"In use: {show.plain(data.title)}", help=show.plain(data.description) or None)
read = reading.draw(large=not own and uploads.current() is None)
if not own:
    st.markdown(show.text("data").replace("{formats}", people_say()))
if not read:  # of what is in use only its name is shown: else it might be taken for what was refused
    reading.differently()
    models.other_models(None)
elif data is not None and data.reading is not None:
    models.read(data)
    reading.explain(data, data.reading)
    reading.differently()
    models.named(data)
    models.other_models(data)
elif data is not None and data.in_python and data.whole is None:
    models.read(data)
    show.points(data.predictions.notes)
    models.named(data)
    models.other_models(data)
else:
    models.other_models(data)
exporting.draw()
st.header("Or look at an example")
example_choice.draw(data)
