"""Where a request goes. Every address stands below the base path; what is no address is answered by 404.

Streamlit would answer its own page to whatever it does not know, so that every probe and every typing error
seems to succeed. And a proxy in front may take a prefix away that the server knows nothing of: so links and
redirects are relative.
"""

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibcore.limits import SERVER
from pages.server import page_list
from pages.server.plain_page import plain_page
from pages.server.streamlit_internals import static_files

HEALTH, READY = "healthz", "readyz"
API = "api/"
VERSIONED = f"{API}v1"
"""Where programs ask, which come in by themselves."""
AT_THE_ROOT = (HEALTH, READY)
"""Answered at the root too: who asks from the same machine or container need not know the base path."""
STREAM = "_stcore/stream"
"""The one websocket. Behind it every page begins by asking who is there."""
FOREIGN = 1008
"""Why a websocket is closed: RFC 6455, 7.4.1."""


def base() -> str:
    """The base path that Streamlit is told, as "/tools/caliblens"; empty where there is none."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def with_base_path(base_url: str) -> str:
    """``CALIBLENS_BASE_URL`` with the base path at its end, whether it was given with it or without; empty
    where it is."""
    path = base()
    return base_url if not base_url or urlsplit(base_url).path.endswith(path) else base_url + path


def prefix() -> str:
    """The path below which browsers reach the server, as far as that is known: "/caliblens", or empty."""
    return urlsplit(with_base_path(SERVER.base_url)).path if SERVER.base_url else base()


def place(path: str, root_path: str = "") -> str | None:
    """A path below the base path, without its first slash; None for what is not below it."""
    path = _below(path, root_path.rstrip("/")) or path
    below = _below(path, base())
    if below is None:
        return path[1:] if path[1:] in AT_THE_ROOT else None
    return below.removeprefix("/")


def place_of(scope: Scope) -> str | None:
    """The :func:`place` of a request."""
    return place(scope["path"], scope.get("root_path", ""))


def is_page(name: str | None) -> bool:
    """Whether a place is that of a page of the app; Streamlit takes a slash at its end away."""
    if name is None:
        return False
    known = (*page_list.pages(), *(page_list.pages_for_admins() if SERVER.admin_claim else ()))
    return name == "" or name.removesuffix("/") in {page.name for page in known}


def home(scope: Scope) -> str:
    """The way from a request's path to the first page, as a link."""
    if place_of(scope) is None:
        return _up(scope) + base().removeprefix("/") + "/"
    return _up(scope, base())


def is_api(name: str | None) -> bool:
    """Whether a place is one where programs ask, and may."""
    return SERVER.api and name is not None and name.startswith(API)


class Own(Route):
    """A route of ours: below whatever base path the server is told when it starts."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for it."""
        here = place_of(scope) if scope["type"] == "http" else None
        if here is None:
            return Match.NONE, {}
        return super().matches({**scope, "path": f"/{here}", "root_path": ""})


class Places:
    """ASGI middleware: lets requests through for which there is something, and answers all others."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, here = scope["type"], None
        if kind in ("http", "websocket"):
            here = place_of(scope)
        if kind == "websocket" and here != STREAM:
            await receive()
            await send({"type": "websocket.close", "code": FOREIGN})
        elif kind == "http" and here == "" and not scope["path"].endswith("/"):
            await _with_a_slash(scope)(scope, receive, send)  # else what a page loads would stand beside it
        elif kind == "http" and (here is None or not _is_there(here, scope)):
            await _nothing(scope)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


class Below:
    """ASGI middleware: redirects are relative, and cookies go to no other app of the same host."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def mended(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "location" in headers:
                    headers["location"] = _relative(headers["location"], scope)
                message["headers"] = [pair for header in headers.raw for pair in _kept_below(*header)]
            await send(message)

        await self.app(scope, receive, mended if scope["type"] == "http" else send)


def _below(path: str, top: str) -> str | None:
    if path == top:
        return ""
    return path[len(top) :] if path.startswith(f"{top}/") else None


def _up(scope: Scope, top: str = "") -> str:
    """From a request's path to the folder ``top`` above it, as a browser goes."""
    raw = scope.get("raw_path")  # as it was asked for: "%2F" is no step
    path = raw.decode("latin-1").partition("?")[0] if raw else scope["path"]
    return "../" * (path.count("/") - top.count("/") - 1) or "./"


def _is_there(here: str, scope: Scope) -> bool:
    files = static_files()
    if is_page(here) or files is None or here in files:
        return True
    routes = getattr(scope.get("app"), "routes", ())
    return any(route.matches(scope)[0] != Match.NONE for route in routes if not isinstance(route, Mount))


def _with_a_slash(scope: Scope) -> Response:
    query = scope.get("query_string", b"").decode("latin-1")
    name = scope["path"].rpartition("/")[2]
    return RedirectResponse(f"./{name}/" + (f"?{query}" if query else ""), 307)


def _nothing(scope: Scope) -> Response:
    if "text/html" in Headers(scope=scope).get("accept", ""):
        words = f'The address may have a typing error. <a href="{home(scope)}">Go to Caliblens</a>.'
        return plain_page(404, "There is no such page", words)
    return PlainTextResponse("There is nothing here.", 404)


def _relative(location: str, scope: Scope) -> str:
    """A redirect within this server, from the path of the request; any other as it is."""
    if not location.startswith("/") or location.startswith("//"):
        return location
    top = base()
    if place_of(scope) is None or _below(location.partition("?")[0], top) is None:
        top = ""
    return _up(scope, top) + location.removeprefix(top).removeprefix("/")


def _kept_below(name: bytes, value: bytes) -> list[tuple[bytes, bytes]]:
    """A header; a cookie for the whole host is one for this server's part of it. What takes an old cookie
    away does so at both."""
    if name.lower() != b"set-cookie" or not prefix():
        return [(name, value)]
    parts = value.split(b"; ")
    ours = [f"Path={prefix()}".encode() if part.lower() == b"path=/" else part for part in parts]
    gone = ours != parts and any(part.lower() == b"max-age=0" for part in parts)
    return [(name, value)] * gone + [(name, b"; ".join(ours))]
