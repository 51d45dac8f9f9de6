"""What may reach Streamlit: requests to this server's own name, pages of its own, messages of a page.

Streamlit would ask addresses in the internet whether a foreign page is one of its own, and hold everybody up
meanwhile; and it does what any browser asks for, such as to empty the caches of all.
"""

import logging
import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibcore.limits import SERVER
from pages.server import places
from pages.server.places import FOREIGN
from pages.server.streamlit_internals import page_message

CLOSED = ("/_stcore/metrics", "/_stcore/agent/", "/_stcore/script-health-check")
"""What Streamlit tells or does for anybody who asks, below whatever base path."""
READS = ("GET", "HEAD", "OPTIONS")
TAKEN = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
"""Messages of a page that concern nobody else."""
TAKEN_BEHIND = ("deferred_file", "dataframe_chunk")
"""The same of what Streamlit calls operations: its others write to the server's disk."""
MOST_FILES = 20
"""Files that one message may announce."""
UNSUPPORTED = 1003
"""Why a websocket is closed: RFC 6455, 7.4.1."""
_HOST = re.compile(r"([A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?")
_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443"}
_log = logging.getLogger("caliblens")


class OwnPages:
    """ASGI middleware: refuses requests to another name than the server's, changes and websockets that pages
    of other sites ask for, and :data:`CLOSED`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        asks = scope["type"] == "websocket" or scope["method"] not in READS
        if any(place in scope["path"] for place in CLOSED):
            await _refuse(scope, receive, send, 404, "There is nothing here.")
        elif not named_so(hosts):
            words = f" It is reached at {places.with_base_path(SERVER.base_url)}." if SERVER.base_url else ""
            await _refuse(scope, receive, send, 421, f"This server has another name.{words}")
        elif asks and not own(origins, hosts):
            self._warn()
            await _refuse(scope, receive, send, 403, "This is only for pages of this server.")
        elif scope["type"] == "websocket":
            await self.app(_from_here(scope, origins), receive, send)
        else:
            await self.app(scope, receive, send)

    def _warn(self) -> None:
        if not self._warned:
            _log.warning(
                "A page of another site asked for a connection and was refused. If people reach this server "
                "by a name that a proxy does not pass on, CALIBLENS_BASE_URL has to say so."
            )
        self._warned = True


def named_so(hosts: Sequence[str]) -> bool:
    """Whether a request is meant for this server: where ``CALIBLENS_BASE_URL`` is set, it names that host,
    or one that no stranger's name server can answer for: an address, localhost, a name without a dot."""
    if not hosts:
        return True  # HTTP/1.0
    host = _HOST.fullmatch(hosts[0])
    if len(hosts) > 1 or host is None:
        return False
    return not SERVER.base_url or host[1].lower().rstrip(".") == _base()[1] or _internal(host[1])


def own(origins: Sequence[str], hosts: Sequence[str]) -> bool:
    """Whether the page that asks is one of this server: its origin names the host that it asks, or is that of
    ``CALIBLENS_BASE_URL``. Programs that are no browsers name no origin."""
    if not origins:
        return True
    if len(origins) > 1:
        return False
    scheme, host, port = _parts(origins[0])
    if not host:
        return False
    if SERVER.base_url and (scheme, host, port) == _base():
        return True
    if not hosts or (SERVER.base_url and not _internal(host)):
        return False
    asked = _HOST.fullmatch(hosts[0])
    return asked is not None and (asked[1].lower(), asked[2] or _PORTS[scheme]) == (host, port)


def _parts(origin: str) -> tuple[str, str, str]:
    """Scheme, host and port; an empty host if it is no such origin."""
    scheme, _, place = origin.partition("://")
    host = _HOST.fullmatch(place)
    if scheme not in ("http", "https") or host is None:
        return "", "", ""
    return scheme, host[1].lower(), host[2] or _PORTS[scheme]


def _base() -> tuple[str, str, str]:
    parts = urlsplit(SERVER.base_url)
    return _parts(f"{parts.scheme}://{parts.netloc}")


def _internal(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return "." not in host
    return True


def _from_here(scope: Scope, origins: Sequence[str]) -> Scope:
    """The same request, to the host that its page was loaded from: so Streamlit has nothing to look up."""
    if not origins:
        return scope
    place = origins[0].partition("://")[2].encode()
    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"host"]
    return {**scope, "headers": [*headers, (b"host", place)]}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, words: str) -> None:
    if scope["type"] == "http":
        answer: Response = PlainTextResponse(words, status)
        if places.is_api(places.place_of(scope)):
            answer = JSONResponse({"error": words}, status)
        await answer(scope, receive, send)
    else:
        await receive()
        await send({"type": "websocket.close", "code": FOREIGN})


class OwnMessages:
    """ASGI middleware: of what a browser sends over its websocket, only what a page of ours may ask for comes
    to Streamlit. ``clear_cache``, say, empties the caches of everybody and forgets whose the results are.

    What is for a browser that has gone is dropped: Streamlit would take the failure for a message of the
    browser that it cannot read, try to close the connection once more, and end in an error of the server's.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        gone = False

        async def sent(message: Message) -> None:
            nonlocal gone
            if gone:
                return
            try:
                await send(message)
            except OSError:
                gone = True

        async def taken() -> Message:
            nonlocal gone
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    gone = message["type"] == "websocket.disconnect"
                    return message
                if message.get("bytes") is None:  # a text: Streamlit would end in an error of its own
                    await sent({"type": "websocket.close", "code": UNSUPPORTED})
                    return {"type": "websocket.disconnect", "code": UNSUPPORTED}
                if wanted(message["bytes"]):
                    return message

        await self.app(scope, taken, sent)


def wanted(data: bytes) -> bool:
    """Whether a message is one that a page may send. Streamlit answers what is no message at all."""
    message = page_message(data)
    if message is None:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in TAKEN_BEHIND
    return kind in TAKEN and len(message.file_urls_request.file_names) <= MOST_FILES
