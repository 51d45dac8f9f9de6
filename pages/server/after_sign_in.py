"""Who follows a link to settings and has to sign in first comes back to those settings."""

import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibcore.limits import SERVER
from pages.server import places, sign_in
from pages.server.report_route import PARAMETER

COOKIE = "caliblens_wanted"
SECONDS = 600
"""How long somebody may take to sign in."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}")


class ComingBack:
    """ASGI middleware: the token in the address of a stranger is kept in a cookie of theirs, and put back
    into the address to which their sign-in leads; nothing is looked up or stored here."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not SERVER.signs_in:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        returns = f"/{places.place_of(scope)}" == sign_in.CALLBACK
        wanted = request.cookies.get(COOKIE, "") if returns else request.query_params.get(PARAMETER, "")
        if not _TOKEN.fullmatch(wanted) or (not returns and sign_in.came_in(request)):
            await self.app(scope, receive, send)
            return

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if not returns:
                    headers.append("set-cookie", _cookie(wanted, SECONDS))
                elif headers.get("location", "?").endswith("/"):
                    headers["location"] += f"?{PARAMETER}={wanted}"
                    headers.append("set-cookie", _cookie("", 0))
            await send(message)

        await self.app(scope, receive, noted)


def _cookie(value: str, seconds: int) -> str:
    secure = "; Secure" if SERVER.base_url.startswith("https:") else ""
    return f"{COOKIE}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{secure}"
