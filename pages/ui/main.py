"""What every page has: navigation, the settings in the side bar, and the data they apply to."""

import streamlit as st

from calibcore.limits import asset_path
from pages.ui import (
    files_at_start,
    frame,
    jobs,
    nav,
    reviewing,
    sign_in,
    spec_controls,
    state,
    uploads,
    workspaces,
)

st.set_page_config(page_title="Caliblens", page_icon=str(asset_path("logo.png")), layout="centered")
st.html(asset_path("style.css"))
if not sign_in.signed_in():
    workspaces.forget()
    sign_in.ask()
sign_in.way_out(workspaces.forget_all)
workspaces.resume()
reviewing.arrive()
page = st.navigation(nav.pages(), position="top")
st.logo(str(asset_path("wordmark.svg")), size="large")
if page.url_path != "data":
    uploads.leave()
if files_at_start.load() and page.url_path != "data":
    st.switch_page(nav.page("data"))
data = state.in_use()
with st.sidebar:
    state.draw_choice_of_data()
    if data is not None:
        spec_controls.draw(data.predictions)
if data is not None:
    jobs.leave_others(data.predictions.fingerprint)
workspaces.say_if_gone()
try:
    if data is None:
        frame.nothing_in_use(page.url_path)
    if data is not None or page.url_path in nav.WITHOUT_A_MODEL:
        with reviewing.banner():
            page.run()
finally:  # a page may stop early
    workspaces.remember()
