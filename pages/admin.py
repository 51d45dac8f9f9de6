"""Admin: reports that are shared, tokens of programs, and how much there is to do, for who looks after it."""

import streamlit as st

from pages.server import sign_in
from pages.ui.admin import load, shares, tokens

TITLE = "Admin"
HEADING = "What does this server hold?"
ICON = "shield_person"
GROUP = "Admin"
PLACE = 90
SIDEBAR = ()
WITHOUT_DATA = True
FOR_ADMINS = True

if not sign_in.is_admin():
    st.stop()
st.title(HEADING)
load.draw()
with st.container(key="admin-lists"):
    shares.draw()
    tokens.draw()
