"""Where the server asks people to sign in: what may be asked for before. All else is closed, known or not."""

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.server import metrics, places, report_route, sign_in
from pages.server.places import FOREIGN, STREAM
from pages.server.plain_page import plain_page

OPEN = (
    "_stcore/health",
    "_stcore/host-config",
    "auth/login",
    "auth/logout",
    "favicon.png",
    places.HEALTH,
    "manifest.json",
    metrics.PLACE,
    "oauth2callback",
    places.READY,
    "version",
)
"""Addresses that anybody may ask for, beside those of the pages, which show a stranger the way in."""
OPEN_BELOW = ("static/", report_route.PREFIX)
"""Folders of which anybody may ask for all: Streamlit's own scripts, and reports, which ask by themselves."""


class Gate:
    """ASGI middleware: closes what is not open to whoever has not signed in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        free = kind not in ("http", "websocket") or is_open(places.place_of(scope), kind)
        if free or sign_in.came_in(HTTPConnection(scope)):
            await self.app(scope, receive, send)
        elif kind == "http":
            await _refusal(scope)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": FOREIGN})


def is_open(place: str | None, kind: str = "http") -> bool:
    """Whether anybody may ask for a place below the base path; not for what is beside it."""
    if place is None:
        return False
    if kind == "websocket":
        return place == STREAM
    return place in OPEN or place.startswith(OPEN_BELOW) or places.is_api(place) or places.is_page(place)


def _refusal(scope: Scope) -> Response:
    if "text/html" in Headers(scope=scope).get("accept", ""):
        words = f'First <a href="{places.home(scope)}">sign in</a>, then open this again.'
        return plain_page(401, "This is for people who have signed in", words)
    return JSONResponse({"error": "Sign in first."}, 401)
