"""The app: `streamlit run app.py`. Streamlit finds `app` by reading this file: so it stands here as it is."""

import streamlit as st

from pages.ui.routes import middleware, on_script_error, routes, warm_up
from pages.ui.sign_in import secrets

app = st.App(
    "pages/ui/main.py",
    routes=routes,
    middleware=middleware,
    lifespan=warm_up,
    on_script_error=on_script_error,
    secrets=secrets(),
)
