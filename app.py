"""The app: `streamlit run app.py`. Streamlit finds `app` by reading this file: so it stands here as it is."""

import streamlit as st

from pages.api.routes import routes as api
from pages.server.routes import lifespan, middleware, on_script_error, routes
from pages.server.sign_in import secrets
from pages.work import job

app = st.App(
    "pages/ui/main.py",
    routes=[*routes, *api],
    middleware=middleware,
    lifespan=lifespan(job),
    on_script_error=on_script_error,
    secrets=secrets(),
)
