"""What every page has: navigation, the settings in the side bar, and the data they apply to."""

import streamlit as st

from calibcore.limits import asset_path
from pages.server import sign_in, workspaces
from pages.ui import frame, nav, state, uploads
from pages.ui.share import reviewing
from pages.ui.sidebar import controls, data_choice
from pages.work import jobs

st.set_page_config(page_title="Caliblens", page_icon=str(asset_path("logo.png")), layout="centered")
st.html(asset_path("style.css"))
if not sign_in.signed_in():
    workspaces.forget()
    sign_in.ask()
sign_in.way_out(workspaces.forget_all)
if workspaces.resume():
    state.use_nothing(workspaces.GONE)
reviewing.arrive()
page = st.navigation(nav.pages(), position="top")
st.logo(str(asset_path("wordmark.svg")), size="large")
data = state.in_use()
with st.sidebar:
    data_choice.draw()
    if data is not None:
        controls.draw(data.predictions)
if data is not None:
    jobs.leave_others(data.predictions.fingerprint)
if page.url_path != "data":
    uploads.leave()
workspaces.say_if_gone()
try:
    if data is None:
        frame.nothing_in_use(page.url_path)
    if data is not None or page.url_path in nav.WITHOUT_A_MODEL:
        with reviewing.banner():
            page.run()
finally:  # a page may stop early
    workspaces.remember()
