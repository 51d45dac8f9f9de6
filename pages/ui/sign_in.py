"""Who may come in, where the server asks people to sign in (OpenID Connect)."""

import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import Request
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from calibcore.limits import SERVER

COOKIE = "_streamlit_user"
CALLBACK = "/oauth2callback"
CHECKED = "signed-in"
"""The key of a session whose sign-in was looked at."""


def secrets() -> dict[str, Any] | None:
    """What ``st.login`` needs to know, out of the server's settings; None where nobody signs in."""
    if not SERVER.signs_in:
        return None
    return {
        "auth": {
            "redirect_uri": SERVER.base_url + CALLBACK,
            "cookie_secret": SERVER.cookie_secret,
            "client_id": SERVER.oidc_client_id,
            "client_secret": SERVER.oidc_client_secret,
            "server_metadata_url": SERVER.oidc_metadata_url,
        }
    }


def holds(claims: Mapping[str, Any]) -> bool:
    """Whether someone is signed in, and not longer ago than the provider allows."""
    expires = claims.get("exp")
    return bool(claims.get("is_logged_in")) and isinstance(expires, int | float) and expires > time.time()


def came_in(request: Request) -> bool:
    """Whether a request outside the pages may be answered: its cookie is signed by us and still holds.

    Streamlit reads that cookie by a private function, hence this one place.
    """
    if not SERVER.signs_in:
        return True
    try:
        found = _get_signed_cookie_with_chunks(dict(request.cookies), COOKIE)
        claims = json.loads(found) if found else {}
    except (ValueError, TypeError):
        return False
    base = urlsplit(SERVER.base_url)
    return (
        isinstance(claims, dict)
        and claims.get("origin") == f"{base.scheme}://{base.netloc}"
        and holds(claims)
    )


def gate() -> None:
    """Nothing but a button until someone has signed in; then a way out in the side bar."""
    if not SERVER.signs_in:
        return
    if not st.session_state.get(CHECKED):
        if not holds(st.user.to_dict()):
            st.title("Caliblens")
            st.markdown("Sign in to look at predictions here.")
            st.button("Sign in", on_click=st.login, icon=":material/login:")
            st.stop()
        st.session_state[CHECKED] = True
    st.sidebar.button("Sign out", type="tertiary", on_click=st.logout, icon=":material/logout:")
