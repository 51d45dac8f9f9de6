"""``/metrics`` for Prometheus, where the server is told to have it: how much there is to do, and no data.

Labels are words of ours alone: a kind of address, of work, of an end. So nothing of a visitor gets here.
"""

import threading
import time
from collections.abc import Callable, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from calibcore.extras import need
from calibcore.limits import SERVER
from pages.server import places, report_route, streamlit_internals, upkeep, workspaces
from pages.server.budget import BUDGET

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily

PLACE = "metrics"
SECONDS = (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000)
"""Bounds of the histogram of work."""
OTHER = "other"
API = "api/"
FRESH = 15.0
"""Seconds that the number of shared reports holds, for which the store is asked."""


class Metrics:
    """What is counted, and what is looked at when somebody asks."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        need("/metrics", "app", "prometheus_client")
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self.registry = CollectorRegistry()
        self.requests = Counter(
            "caliblens_requests", "Requests answered, by kind of address and class of the status.",
            ("kind", "status"), registry=self.registry,
        )  # fmt: skip
        self.jobs = Counter(
            "caliblens_jobs", "Long work that ended, by what it was and how it ended.",
            ("kind", "state"), registry=self.registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "caliblens_job_seconds", "Seconds at work, without those in line.",
            ("kind",), buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        self.work: upkeep.Work | None = None
        self._clock, self._looked = clock, -FRESH
        self._shares: int | None = None
        self._lock = threading.Lock()
        self.registry.register(_Now(self))

    def shares(self) -> int | None:
        """How many reports are shared; None where the store does not answer."""
        with self._lock:
            if self._clock() - self._looked >= FRESH:
                self._looked = self._clock()
                try:
                    self._shares = len(report_route.store().tokens())
                except Exception:  # whoever asks for numbers is no probe: /readyz says that it is gone
                    self._shares = None
            return self._shares


class _Now:
    """What is looked at when somebody asks."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def describe(self) -> "Iterable[GaugeMetricFamily]":
        """Nothing beforehand."""
        return ()

    def collect(self) -> "Iterable[GaugeMetricFamily]":
        """A gauge each."""
        from prometheus_client.core import GaugeMetricFamily

        tabs, closed, _ = streamlit_internals.held()
        at_work, waiting = (0, 0) if self._metrics.work is None else self._metrics.work.in_line()
        shares = self._metrics.shares()
        for name, words, number in (
            ("tabs_open", "Open tabs.", tabs),
            ("tabs_closed", "Closed tabs that are remembered.", closed),
            ("workspaces", "Work of tabs that is held in memory.", workspaces.sweep()),
            ("jobs_at_work", "Long work that is done now.", at_work),
            ("jobs_waiting", "Long work that waits in line.", waiting),
            ("uploads_bytes", "Bytes of uploads, and of what was read from them.", BUDGET.held()),
            ("memory_bytes", "Memory of the process.", upkeep.resident()),
            ("shares", "Shared reports in the store.", shares),
        ):
            if number is not None:
                yield GaugeMetricFamily(f"caliblens_{name}", words, number)


METRICS = Metrics() if SERVER.metrics else None
"""None where nobody asked for them."""


def kind_of(place: str | None) -> str:
    """A kind of address: one of few words, whatever is asked for."""
    if place is None:
        return OTHER
    if place.startswith(report_route.PREFIX):
        return "report"
    if place.startswith(API):
        return "api"
    if place.startswith("_stcore/upload_file/"):
        return "upload"
    if place in (*places.AT_THE_ROOT, PLACE, "_stcore/health"):
        return "probe"
    if place.startswith(("static/", "_stcore/")):
        return "parts"
    return "page" if places.is_page(place) else OTHER


class Counting:
    """ASGI middleware: counts what is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if METRICS is None or scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        metrics, kind = METRICS, kind_of(places.place_of(scope))

        async def counted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                metrics.requests.labels(kind, f"{int(message['status']) // 100}xx").inc()
            await send(message)

        await self.app(scope, receive, counted)


def ended(kind: str, state: str, seconds: float | None) -> None:
    """Work of that kind is over; ``seconds`` at work, None where it never was."""
    if METRICS is not None:
        METRICS.jobs.labels(kind or OTHER, state).inc()
        if seconds is not None:
            METRICS.seconds.labels(kind or OTHER).observe(seconds)


async def show(_request: Request) -> Response:
    """All of it, as Prometheus reads it. There is no such address where nobody asked for it."""
    assert METRICS is not None, "else there is no route"
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    registry: CollectorRegistry = METRICS.registry
    text = await to_thread.run_sync(generate_latest, registry)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})
