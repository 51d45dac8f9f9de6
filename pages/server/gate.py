"""Where the server asks people to sign in: what may be asked for before. All else is closed, known or not."""

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from calibcore.limits import SERVER
from pages.server import page_list, report_route, sign_in
from pages.server.entry import FOREIGN

OPEN = (
    "_stcore/health",
    "_stcore/host-config",
    "auth/login",
    "auth/logout",
    "favicon.png",
    "manifest.json",
    "oauth2callback",
    "version",
)
"""Addresses that anybody may ask for, beside those of the pages, which show a stranger the way in."""
OPEN_BELOW = ("static/", report_route.PREFIX.removeprefix("/"))
"""Folders of which anybody may ask for all: Streamlit's own scripts, and reports, which ask by themselves."""
STREAM = "_stcore/stream"
"""The one websocket. Behind it every page begins by asking who is there."""


class Gate:
    """ASGI middleware: closes what is not open to whoever has not signed in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        free = kind not in ("http", "websocket") or is_open(scope["path"], kind)
        if free or sign_in.came_in(HTTPConnection(scope)):
            await self.app(scope, receive, send)
        elif kind == "http":
            await _refusal(scope)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": FOREIGN})


def is_open(path: str, kind: str = "http") -> bool:
    """Whether anybody may ask for a path."""
    place = _below_base(path)
    if kind == "websocket":
        return place == STREAM
    if place in ("", *OPEN) or place.startswith(OPEN_BELOW):
        return True
    return place.removesuffix("/") in {page.name for page in page_list.pages()}


def _below_base(path: str) -> str:
    """A path without its first slash, and without the base path that Streamlit is told."""
    place, base = path.removeprefix("/"), str(st.get_option("server.baseUrlPath")).strip("/")
    if base and place in (base, f"{base}/"):
        return ""
    return place.removeprefix(f"{base}/") if base else place


def _refusal(scope: Scope) -> Response:
    if "text/html" in Headers(scope=scope).get("accept", ""):
        words = f'First <a href="{SERVER.base_url}/">sign in</a>, then open this again.'
        return report_route.plain_page(401, "This is for people who have signed in", words)
    return JSONResponse({"error": "Sign in first."}, 401)
