"""A program that asks the server over HTTP: all layers of the server in this process, without a socket."""

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.api import asks
from pages.api.routes import routes as api
from pages.server import routes
from tests.browser.conftest import free_port

File = tuple[str, bytes]
BASE = "/api/v1"
EVENT = "no,yes,site,day,label\n" + "".join(
    f"{1 - p:.2f},{p:.2f},{'NS'[i % 2]},2025-01-{i % 28 + 1:02},{['no', 'yes'][i * 7919 % 100 < 100 * p]}\n"
    for i, p in enumerate([0.1, 0.25, 0.4, 0.6, 0.8] * 24)
)
"""120 cases of two classes, with a group and a day."""
EVENT_FILE = ("event.csv", EVENT.encode())


@contextmanager
def client() -> Iterator[TestClient]:
    """A program; its questions go on between its requests, and nobody asked any before."""
    asks._asked.clear()
    app = Starlette(routes=[*routes.routes, *api], middleware=routes.middleware)
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as program:
        yield program


@contextmanager
def serving() -> Iterator[str]:
    """The same behind a socket of this machine; its address."""
    app = Starlette(routes=[*routes.routes, *api], middleware=routes.middleware)
    port, access = free_port(), logging.getLogger("uvicorn.access")
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_config=None, lifespan="off"))
    before, access.disabled = access.disabled, True  # as where people run the server
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)
    access.disabled = before


def ask(
    program: TestClient,
    question: str,
    files: Mapping[str, File | Sequence[File]],
    headers: Mapping[str, str] | None = None,
    **fields: Any,
) -> Any:
    """The response to a question; a field that is a list is sent several times."""
    parts: list[tuple[str, Any]] = []
    for name, given in files.items():
        parts += [(name, file) for file in ([given] if isinstance(given, tuple) else given)]
    for name, value in fields.items():
        parts += [(name, (None, str(each))) for each in (value if isinstance(value, list) else [value])]
    return program.post(f"{BASE}/{question}", files=parts, headers=dict(headers or {}))


def fetched(program: TestClient, response: Any) -> Any:
    """The answer, waited for where it takes longer."""
    if response.status_code != 202:
        return response.json()
    while True:
        told = program.get(response.json()["href"], params={"wait": "5"}).json()
        if told["state"] in ("done", "failed"):
            return told.get("result", told.get("problem"))
