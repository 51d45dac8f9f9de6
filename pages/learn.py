"""Learn: the ideas on live toy examples, and every term in one line."""

import streamlit as st

from pages.ui import show
from pages.ui.learn import lessons

TITLE = "Learn"
HEADING = "What all this means"
ICON = "school"
PLACE = 70
SIDEBAR = ("data", "settings")
WITHOUT_DATA = True

st.title(HEADING)
st.markdown(show.text("learn"))
lessons.contents()
for lesson in lessons.LESSONS:
    lessons.draw(lesson)
st.header("What a p-value does not say", anchor="p-value", help=show.glossary("p-value"))
st.markdown(show.text("learn-p"))
st.header("Every term in one line", anchor="glossary")
st.markdown(show.glossary_text())
