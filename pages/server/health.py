"""Whether the server lives, and whether it is ready for people. Anybody may ask, so little is said."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse

from pages.server import report_route

FRESH = 2.0
"""Seconds that an answer of the store holds: probes cost it nothing more, however many there are."""
PATIENCE = 2.0
"""Seconds until a store that does not answer counts as not reachable."""
_log = logging.getLogger("caliblens")


async def healthz(_request: Request) -> PlainTextResponse:
    """It answers, so it lives."""
    return PlainTextResponse("ok", headers={"Cache-Control": "no-store"})


class Readiness:
    """What has to be there before people are let in: compiled kernels, and the store of shared reports."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.warm = threading.Event()
        self._look: asyncio.Task[bool] | None = None
        self._ended = 0.0
        self._line: CapacityLimiter | None = None
        self._said = False

    async def readyz(self, _request: Request) -> JSONResponse:
        """200 where all is there, else 503; what is missing is named."""
        parts = {"kernels": self.warm.is_set(), "store": await self._reachable()}
        ready = all(parts.values())
        return JSONResponse({"ready": ready, **parts}, 200 if ready else 503, {"Cache-Control": "no-store"})

    async def _reachable(self) -> bool:
        """One look for all who ask at the same time, and for those who ask soon after."""
        if self._look is None or (self._look.done() and self._clock() - self._ended > FRESH):
            self._look = asyncio.create_task(self._looked())
        done, _ = await asyncio.wait({self._look}, timeout=PATIENCE)
        return bool(done) and self._look.result()

    async def _looked(self) -> bool:
        if self._line is None:
            self._line = CapacityLimiter(1)  # not the line of the links: one that hangs holds up nobody
        try:
            await to_thread.run_sync(lambda: report_route.store().check(), limiter=self._line)
        except Exception:
            if not self._said:
                _log.exception("The store of shared reports cannot be reached: the server is not ready.")
            self._said = True
            return False
        finally:
            self._ended = self._clock()
        self._said = False
        return True


READINESS = Readiness()
