"""Who may come in, where the server asks people to sign in (OpenID Connect)."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import HTTPConnection

from calibcore.limits import SERVER, app_path
from pages.server import audit, places
from pages.server.streamlit_internals import look_beside, signed_cookie

COOKIE = "_streamlit_user"
CALLBACK = "/oauth2callback"
CHECKED = "signed-in"
"""The key of a session: since when its sign-in has been looked at."""
_left: dict[str, float] = {}
"""Person -> when they signed out last."""


def secrets() -> dict[str, Any] | None:
    """What ``st.login`` needs to know, out of the server's settings; None where nobody signs in."""
    if not SERVER.signs_in:
        return None
    look_beside(app_path())
    return {
        "auth": {
            "redirect_uri": places.with_base_path(SERVER.base_url) + CALLBACK,
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


def came_in(connection: HTTPConnection) -> bool:
    """Whether a request outside the pages may be answered: its cookie is signed by us and still holds."""
    return not SERVER.signs_in or holds(claims_of(connection))


def claims_of(connection: HTTPConnection) -> dict[str, Any]:
    """What its cookie, signed by us for this server, says of whoever asks; nothing if there is none."""
    if not SERVER.signs_in:
        return {}
    try:
        cookie = signed_cookie(dict(connection.cookies), COOKIE)
        claims = json.loads(cookie) if cookie else {}
    except (ValueError, TypeError):
        return {}
    base = urlsplit(SERVER.base_url)
    ours = isinstance(claims, dict) and claims.get("origin") == f"{base.scheme}://{base.netloc}"
    return claims if ours else {}


def owner(claims: Mapping[str, Any]) -> str:
    """Whom a provider's claims are about; empty where nobody signs in."""
    if not SERVER.signs_in:
        return ""
    return json.dumps([claims.get("iss"), claims.get("sub")])


def signed_in() -> bool:
    """Whether the pages may be shown to whoever looks. Somebody who has signed out has done so in every
    tab: Streamlit ends the sign-in of one."""
    if not SERVER.signs_in:
        return True
    claims, since = st.user.to_dict(), st.session_state.get(CHECKED)
    if since is None and holds(claims):
        since = st.session_state[CHECKED] = time.monotonic()
        audit.record("signed-in", by=audit.pseudonym(owner(claims)))
    if since is None or not claims.get("is_logged_in"):
        return False
    return bool(since > _left.get(owner(claims), 0.0))


def has_claim(claims: Mapping[str, Any], wanted: str) -> bool:
    """Whether claims hold ``NAME=VALUE``: as that word, or in a list of words.

    ``a.b`` is the claim of that name or, where there is none, the claim b inside the claim a.
    """
    name, _, value = (part.strip() for part in wanted.partition("="))
    given: Any = claims.get(name)
    if name not in claims:
        given = claims
        for part in name.split("."):
            given = given.get(part) if isinstance(given, Mapping) else None
    return bool(name and value) and value in (given if isinstance(given, list | tuple) else [given])


def is_admin() -> bool:
    """Whether who looks has signed in and has the claim that ``CALIBLENS_ADMIN_CLAIM`` names."""
    if not (SERVER.signs_in and SERVER.admin_claim and signed_in()):
        return False
    return has_claim(st.user.to_dict(), SERVER.admin_claim)


def ask() -> None:
    """Nothing but a button."""
    st.title("Caliblens")
    out = CHECKED in st.session_state
    st.markdown("You have signed out." if out else "Sign in to look at predictions here.")
    st.button("Sign in", on_click=st.login, icon=":material/login:")
    st.stop()


def way_out(leave: Callable[[], None]) -> None:
    """A button in the side bar, where people sign in; ``leave`` is called first."""
    if SERVER.signs_in:
        st.sidebar.button(
            "Sign out", type="tertiary", on_click=_sign_out, args=(leave,), icon=":material/logout:"
        )


def _sign_out(leave: Callable[[], None]) -> None:
    leave()
    audit.record("signed-out", by=audit.pseudonym(owner(st.user.to_dict())))
    _left[owner(st.user.to_dict())] = time.monotonic()
    st.logout()
