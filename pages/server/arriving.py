"""Files on their way to the server: within the budget, and in memory only; what is too much the page says."""

import threading
from dataclasses import dataclass

import streamlit as st
from python_multipart.multipart import parse_options_header
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server import audit, sign_in, streamlit_internals, visitors
from pages.server.budget import BUDGET, Full, Hold

PLACE = "/_stcore/upload_file/"
"""Where files arrive, below whatever base path; then follow a session and the name of a file."""
MOST_HEAD = 65_536
"""Bytes in which the name of a file has to come."""
_END = b"\r\n\r\n"


@dataclass
class Arrival:
    """A file that is here, until a page takes it: it counts as ``hold``, or was ``refused``, for reasons."""

    session: str
    hold: Hold | None = None
    refused: str = ""


_arrivals: dict[str, Arrival] = {}
_lock = threading.Lock()


def keep_in_memory() -> None:
    """Else what is larger than a megabyte is written to a disk on its way: somebody's data, on a disk that
    may be too small."""
    MultiPartParser.spool_max_size = 0  # without end


def take(file_id: str) -> Arrival:
    """What is known of a file that a page takes; it is forgotten here."""
    with _lock:
        return _arrivals.pop(file_id, Arrival(""))


class Arriving:
    """ASGI middleware: of a file for which there is no room in the budget only its name goes on, or what has
    come of it until then, which no page takes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or PLACE not in scope["path"]:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        length = request.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()) or len(length) > 15:
            await PlainTextResponse("The length of the file must be sent first.", 411)(scope, receive, send)
            return
        if int(length) > st.get_option("server.maxUploadSize") * 1024 * 1024:
            await self.app(scope, receive, send)  # which refuses it at once
            return
        session, _, file_id = scope["path"].partition(PLACE)[2].partition("/")
        arrival, person = Arrival(session), sign_in.owner(sign_in.claims_of(request))
        try:
            visitor = person or visitors.address_of(request)
            _forget_what_is_gone()
            arrival.hold = BUDGET.arriving(visitor, int(length))
            receive = _counted(arrival, arrival.hold, request, receive)
        except Full as full:
            arrival.refused = str(full)
            scope, receive = await _name_only(scope, receive)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 204:
                with _lock:
                    _arrivals[file_id] = arrival
                if not arrival.refused:
                    audit.record("uploaded", bytes=int(length), by=audit.pseudonym(person))
            await send(message)

        await self.app(scope, receive, noted)


def _counted(arrival: Arrival, hold: Hold, request: Request, receive: Receive) -> Receive:
    """What comes, counted as it comes. Where there is no room any more the file ends, and the rest passes."""

    async def receive_some() -> Message:
        message = await receive()
        try:
            BUDGET.grow(hold, len(message.get("body", b"")))
        except Full as full:
            arrival.refused = str(full)  # what came until now counts until a page lets it go
            while message["type"] == "http.request" and message.get("more_body"):
                message = await receive()
            if message["type"] == "http.request":
                _, named = parse_options_header(request.headers.get("content-type"))
                message = {**message, "body": b"\r\n--" + named.get(b"boundary", b"") + b"--\r\n"}
        return message

    return receive_some


async def _name_only(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """The same request with an empty file of that name. The file is let pass to its end, as a browser listens
    to no answer before."""
    head = b""
    while (message := await receive())["type"] == "http.request":
        if len(head) < MOST_HEAD and _END not in head:
            head += message.get("body", b"")
        if not message.get("more_body"):
            break
    name, end, _ = head[:MOST_HEAD].partition(_END)
    boundary = name.partition(b"\r\n")[0]
    body = name + end + b"\r\n" + boundary + b"--\r\n"

    async def receive_head() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"content-length"]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}, receive_head


def _forget_what_is_gone() -> None:
    """Streamlit forgets files of closed tabs, and those that were taken out of a widget."""
    with _lock:
        for file_id, arrival in list(_arrivals.items()):
            if not streamlit_internals.has_upload(arrival.session, file_id):
                del _arrivals[file_id]
