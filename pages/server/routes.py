"""What the server does beside the pages: security headers, /version, warm-up, and errors nobody foresaw."""

import asyncio
import gc
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from calibcore import __version__
from calibcore.io import apart as reader
from calibcore.limits import SERVER, for_one_person
from calibcore.questions.warm import STAGES, compiling_apart, never_compiled, warm
from pages.server import (
    after_sign_in,
    arriving,
    compiling,
    entry,
    gate,
    handed,
    health,
    logs,
    metrics,
    places,
    report_route,
    streamlit_internals,
    tabs,
    tokens,
    upkeep,
)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self' ws: wss:; worker-src 'self' blob:; frame-ancestors 'none'; "
        "object-src 'none'; base-uri 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
BETWEEN_LOOKS = 0.3
"""Seconds between two looks at the process that compiles."""
_log = logging.getLogger("caliblens")
report_route.need_a_database()


class SecurityHeaders:
    """ASGI middleware: :data:`HEADERS` on every HTTP response, stricter ones on shared reports."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                ours = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
                if (places.place_of(scope) or "").startswith(report_route.PREFIX):
                    ours |= {
                        name.lower().encode(): value.encode() for name, value in report_route.POLICY.items()
                    }
                headers = [pair for pair in message["headers"] if pair[0].lower() not in ours]
                message["headers"] = [*headers, *ours.items()]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


async def version(_request: Request) -> JSONResponse:
    """Name and version, for whoever runs the server."""
    return JSONResponse({"name": "caliblens", "version": __version__})


def _compiled(parts: tuple[str, ...], stopped: threading.Event) -> bool:
    """Have parts compiled side by side in processes of their own, which end when it is ``stopped``: False."""
    processes = [compiling_apart(part) for part in parts]
    while any(process.poll() is None for process in processes):
        if stopped.wait(BETWEEN_LOOKS):
            for process in processes:
                process.kill()
                process.wait()
            return False
    return True


def _warm(stopped: threading.Event) -> None:
    """Have the kernels ready, and those that were never compiled compiled in a process of its own."""
    began = time.perf_counter()
    if never_compiled():
        _log.info("Compiling the kernels, once on this machine: about a minute.")
        with compiling.under_way():
            in_time = _compiled(STAGES[0], stopped)
        if not in_time or not all(_compiled(parts, stopped) for parts in STAGES[1:]):
            return
    warm()
    reader.warm()
    # Streamlit collects garbage after every run, which looks through all that was ever imported: a sixth of
    # a second before a redraw arrives. What is there now stays, and need not be looked through.
    gc.collect()
    gc.freeze()
    health.READINESS.warm.set()
    _log.info("The kernels are warm after %.2f s.", time.perf_counter() - began)


def lifespan(work: upkeep.Work) -> Callable[[st.App], AbstractAsyncContextManager[None]]:
    """What begins with the server: compile the kernels, so that nobody waits for them, and delete what has
    expired. What ends with it: all ``work``."""

    @asynccontextmanager
    async def until_it_stops(_app: st.App) -> AsyncIterator[None]:
        logs.quiet()
        streamlit_internals.check()
        streamlit_internals.mend(places.prefix)
        arriving.keep_in_memory()
        handed.receive()
        if metrics.METRICS is not None:
            metrics.METRICS.work = work
        stopped = threading.Event()
        threading.Thread(target=_warm, args=(stopped,), name="warm-up", daemon=True).start()
        rounds = [
            asyncio.create_task(report_route.delete_expired()),
            asyncio.create_task(upkeep.rounds(work)),
            *([asyncio.create_task(tokens.watch())] if SERVER.signs_in and SERVER.api else []),
        ]
        if for_one_person():
            print(f"Caliblens is at {_address()}, for this machine alone. Ctrl+C ends it.", flush=True)
        yield
        for task in rounds:
            task.cancel()
        stopped.set()
        work.close()

    return until_it_stops


def _address() -> str:
    """Of the server, on its own machine."""
    host, port = (st.get_option(f"server.{name}") for name in ("address", "port"))
    return f"http://{host}:{port}{places.base()}"


def on_script_error(error: Exception) -> bool:
    """The last resort: the log gets the traceback, the person a sentence."""
    _log.error("A page failed.", exc_info=error)
    st.error(
        "Something went wrong on our side, and this part cannot be shown. Your data are still loaded: "
        "change a setting or choose another page. The server's log says more."
    )
    return True


routes = [
    places.Own("/version", version),
    places.Own(f"/{places.HEALTH}", health.healthz),
    places.Own(f"/{places.READY}", health.READINESS.readyz),
    *([] if metrics.METRICS is None else [places.Own(f"/{metrics.PLACE}", metrics.show)]),
    places.Own(f"/{report_route.PREFIX}{{token}}", report_route.report),
]
middleware = [
    Middleware(metrics.Counting),
    Middleware(SecurityHeaders),
    Middleware(places.Below),
    Middleware(gate.Gate),
    Middleware(entry.OwnPages),
    Middleware(places.Places),
    Middleware(entry.OwnMessages),
    Middleware(arriving.Arriving),
    Middleware(after_sign_in.ComingBack),
    Middleware(tabs.Tabs),
]
