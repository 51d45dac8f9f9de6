"""A tab of a browser and its name: script and style of ours in every page, and the handshake that brings the
name."""

import re
from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibcore.limits import asset_path
from pages.server import places, sign_in, streamlit_internals, workspaces
from pages.server.workspaces import HEADER

STREAM = "/_stcore/stream"
"""Where a page connects, below whatever base path."""
PROTOCOLS = "sec-websocket-protocol"
"""Header of the handshake in which a page may send something."""
SESSION = 2
"""Place in that header of the session with which a page that was connected wants to go on."""
_OURS = re.compile(r"caliblens\.([a-z]{0,10})\.([A-Za-z0-9_-]{32})?\.([A-Za-z0-9_-]{32})")
_ONLY_WHOLE = ("accept-encoding", "if-none-match", "if-modified-since", "range")
_OF_A_FILE = ("etag", "last-modified", "accept-ranges")

PROGRAMS = (
    "Html",
    "Button",
    "Selectbox",
    "NumberInput",
    "Progress",
    "Multiselect",
    "PlotlyChart",
    "DataFrame",
)
"""Of Streamlit, by what they draw, the smallest first."""
HELD = range(20, 1_601, 20)
"""Heights in pixels at which the place of what is on its way can be held from the first frame on."""


class Tabs:
    """ASGI middleware: adds script and style to every page, and takes up what a tab held that comes back.

    With each connection a tab says the name under which it was known and one that it takes from now on.
    The first names a workspace, which is copied and stays as it is; only the second is used from here on.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"].endswith(STREAM):
            await self._connect(scope, receive, send)
        elif _asks_for_a_page(scope):
            await self._page(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope).get(PROTOCOLS, "").split(",")
        protocols = [name.strip() for name in asked if not name.strip().startswith("caliblens.")]
        names = next(filter(None, (_OURS.fullmatch(name.strip()) for name in asked)), None)
        owner = sign_in.owner(sign_in.claims_of(HTTPConnection(scope)))
        before = (names[2] if names else None) or ""
        if len(protocols) > SESSION and not workspaces.WORKSPACES.goes_on(protocols[SESSION], before, owner):
            del protocols[SESSION:]
        # Streamlit reads a meaning into the places of these: ours goes, and its names travel by a header.
        headers = [pair for pair in scope["headers"] if pair[0] not in (PROTOCOLS.encode(), HEADER.encode())]
        headers.append((PROTOCOLS.encode(), ", ".join(protocols).encode("latin-1")))
        if names is not None:
            headers.append((HEADER.encode(), f"{names[3]} {names[1]}".encode()))
        scope = {**scope, "headers": headers, "subprotocols": protocols}

        async def accepted(message: Message) -> None:
            if names is not None and message["type"] == "websocket.accept":
                workspaces.WORKSPACES.copy(before, names[3], owner)
            await send(message)

        await self.app(scope, receive, accepted)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The page is asked for whole, as what a browser has kept of it may be without the script."""
        headers = [pair for pair in scope["headers"] if pair[0].decode("latin-1") not in _ONLY_WHOLE]
        started: Message = {}
        parts: list[bytes] = []

        async def with_script(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.update(message)
                if not _is_html(started):
                    await send(message)
            elif not _is_html(started):
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    page = b"".join(parts).replace(b"<head>", b"<head>" + script(), 1)
                    page = page.replace(b"<body>", b"<body>" + style(), 1)
                    page = page.replace(b"</head>", preloads() + b"</head>", 1)
                    page_headers = MutableHeaders(scope=started)
                    page_headers["content-length"] = str(len(page))
                    for name in _OF_A_FILE:
                        del page_headers[name]
                    await send(started)
                    await send({"type": "http.response.body", "body": page})

        await self.app({**scope, "headers": headers}, receive, with_script)


def _asks_for_a_page(scope: Scope) -> bool:
    """Whether a browser opens a page of the app."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and places.is_page(places.place_of(scope))
        and "text/html" in Headers(scope=scope).get("accept", "")
    )


def _is_html(started: Message) -> bool:
    return Headers(raw=started["headers"]).get("content-type", "").startswith("text/html")


@cache
def style() -> bytes:
    """The style, as it stands in a page: from the first frame on, and after what Streamlit writes into the
    head, which it overrules."""
    held = "".join(f'[class*="st-key-held-{h}-"]{{min-height:{h}px}}' for h in HELD)
    return b"<style>" + asset_path("style.css").read_bytes() + held.encode() + b"</style>"


@cache
def preloads() -> bytes:
    """Links to the programs that nearly every page needs. Streamlit would fetch each when it first meets what
    it draws, and show that 40 pixels tall until it is there."""
    links = (
        f'<link rel="modulepreload" crossorigin href="./{name}">'
        for name in streamlit_internals.programs(PROGRAMS)
    )
    return "".join(links).encode()


@cache
def script() -> bytes:
    """The script, as it stands in a page."""
    return b"<script>" + asset_path("tab.js").read_bytes() + b"</script>"
