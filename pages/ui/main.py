"""What every page has: navigation, the settings in the side bar, and the data they apply to."""

import streamlit as st

from calibcore.limits import asset_path
from pages.ui import jobs, nav, reviewing, sign_in, spec_controls, state, uploads, workspaces

st.set_page_config(page_title="Caliblens", page_icon=str(asset_path("logo.png")), layout="centered")
st.html(asset_path("style.css"))
sign_in.gate()
workspaces.resume()
reviewing.arrive()
page = st.navigation(nav.pages(), position="top")
st.logo(str(asset_path("wordmark.svg")), size="large")
with st.sidebar:
    state.draw_choice_of_data()
    spec_controls.draw(state.predictions())
jobs.leave_others(state.predictions().fingerprint)
if page.url_path != "data":
    uploads.let_go()
workspaces.say_if_gone()
try:
    with reviewing.banner():
        page.run()
finally:  # a page may stop early
    workspaces.remember()
