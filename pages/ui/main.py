"""What every page has: navigation, the settings in the side bar, and the data they apply to."""

import streamlit as st

from calibcore.limits import asset_path
from pages.server import page_list, sign_in, workspaces
from pages.ui import frame, nav, saving, show, state, tour, uploads
from pages.ui.data import files_at_start
from pages.ui.share import reviewing
from pages.ui.sidebar import parts
from pages.work import jobs

st.set_page_config(page_title="Caliblens", page_icon=str(asset_path("logo.png")), layout="centered")
if not sign_in.signed_in():
    workspaces.forget()
    sign_in.ask()
sign_in.way_out(workspaces.forget_all)
if workspaces.resume():
    state.use_nothing(workspaces.GONE)
reviewing.arrive()
page = st.navigation(nav.pages(), position="top", expanded=True)
st.logo(str(asset_path("wordmark.svg")), size="large")
of_page = page_list.page(page.url_path)
nav.arrange()
if of_page.name != "data":
    uploads.leave()
if files_at_start.load() and of_page.name != "data":
    st.switch_page(nav.page("data"))
data = state.in_use()
saving.about("" if data is None else data.title)
with st.sidebar:
    parts.draw(of_page)
if data is not None:
    of_all = () if data.labels is None else (data.labels.fingerprint,)
    jobs.leave_others(data.predictions.fingerprint, *of_all)
with show.above():
    workspaces.say_if_gone()
    tour.guide(of_page)
try:
    if data is None:
        frame.nothing_in_use(of_page.name)
    if data is not None or of_page.without_data:
        with reviewing.banner():
            page.run()
finally:  # a page may stop early
    workspaces.remember()
