"""The connection to a scheduler: asked without waiting for long, made anew when it was lost."""

import asyncio
import threading
import time
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

from calibcore.cluster import faults
from calibcore.cluster.quiet import heard_again, silence_this_thread
from calibcore.cluster.tasks import dismiss, release
from calibcore.numerics.engine import EngineError

GONE = 20.0
"""Seconds without any worker, or without the scheduler, after which the work is given up; a worker that has
said nothing for as long is done without, though its connection stands: it is frozen, or its machine is."""
LOOK = 0.1
"""Seconds after which one who waits looks up."""
ASK = 2.0
AGAIN = "Nothing is lost: start it again when the cluster is back, or compute without it."
Workers = dict[str, Any]
"""What the scheduler knows of each worker, by address, and for how many seconds it was ``silent`` then."""
Tick = Callable[[], None]
"""Is called while something is waited for; may raise to stop."""


class NoAnswer(Exception):
    """The cluster failed to do what it was asked, or not in time."""


class Link:
    """A client of dask.distributed for several threads."""

    def __init__(self, address: str, patience: float) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._signs: dict[str, tuple[float, float]] = {}
        self._use(self._connected(patience))

    def _use(self, client: Any) -> None:
        self.client = client
        self._thread: int = self.answer(silence_this_thread(), GONE)

    def _connected(self, patience: float) -> Any:
        """A new client; from a thread of its own, as dask waits for ever if what listens is no scheduler."""
        connection: Future[Any] = Future()
        threading.Thread(target=_connect, args=(self.address, patience, connection), daemon=True).start()
        if not wait([connection], timeout=patience + 1).done or connection.exception() is not None:
            connection.add_done_callback(_leave)
            raise EngineError(
                f"No scheduler of a cluster answers at {self.address} (waited {patience:.0f} seconds). Check "
                "that it runs and that this machine can reach it."
            )
        return connection.result()

    @property
    def running(self) -> bool:
        """Whether the scheduler is connected."""
        return bool(self.client.status == "running")

    def mend(self) -> None:
        """Connect anew if the connection was given up."""
        with self._lock:
            if self.client.status in ("closed", "closing"):
                with suppress(EngineError):
                    anew = self._connected(ASK)
                    self.close()
                    self._use(anew)

    def close(self) -> None:
        """Leave."""
        self.client.close(timeout=2)
        heard_again(self._thread)

    def begin(self, coroutine: Coroutine[Any, Any, Any]) -> "Future[Any]":
        """Have the connection's own thread do something, and go on."""
        try:
            return asyncio.run_coroutine_threadsafe(coroutine, self.client.loop.asyncio_loop)
        except Exception as error:
            coroutine.close()
            failed: Future[Any] = Future()
            failed.set_exception(error)
            return failed

    def answer(self, coroutine: Coroutine[Any, Any, Any], seconds: float, tick: Tick | None = None) -> Any:
        """What comes of it; :class:`NoAnswer` if it fails, or after so many seconds."""
        begun, until = self.begin(coroutine), time.monotonic() + seconds
        try:
            while not wait([begun], timeout=LOOK).done:
                if tick is not None:
                    tick()
                if time.monotonic() > until:
                    raise NoAnswer
        finally:
            begun.cancel()
        if begun.exception() is not None:
            raise NoAnswer from begun.exception()
        return begun.result()

    async def identity(self) -> Workers:
        """The workers that there are."""
        workers: Workers = (await self.client.scheduler.identity(n_workers=-1))["workers"]
        now, before = time.monotonic(), self._signs
        # The scheduler's clock may be any: what counts is when its last sign of a worker became another.
        signs = {address: (worker["last_seen"], now) for address, worker in workers.items()}
        self._signs = {
            address: before[address] if before.get(address, (None,))[0] == sign[0] else sign
            for address, sign in signs.items()
        }
        return {a: worker | {"silent": now - self._signs[a][1]} for a, worker in workers.items()}

    async def scatter(self, name: str, data: Any) -> Any:
        """Send data to every worker, under a name of its own; the future of dask."""
        return (await self.client.scatter({name: data}, broadcast=True, asynchronous=True))[name]

    def release(self, names: list[str], left: list[str]) -> None:
        """Have the scheduler drop what is still on its way to workers that left: it would try for ever, and
        send nobody anything meanwhile."""
        self.begin(self.client.run_on_scheduler(release, names, self.client.id, left, asynchronous=True))

    def dismiss(self, addresses: list[str]) -> None:
        """Have the scheduler give what these workers do to others, without waiting for it."""
        self.begin(self.client.run_on_scheduler(dismiss, addresses, asynchronous=True))

    def workers(self) -> Workers:
        """The workers that there are now; none if the scheduler does not answer."""
        try:
            answer: Workers = self.answer(self.identity(), ASK)
        except NoAnswer:
            return {}
        return answer


def _connect(address: str, patience: float, connection: "Future[Any]") -> None:
    from distributed import Client
    from distributed.versions import VersionMismatchWarning

    class Ours(Client):  # type: ignore[misc, unused-ignore]
        def __del__(self) -> None:
            """Does not wait for a connection that never was."""

    # Versions are compared in sentences of our own.
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)
    try:
        connection.set_result(Ours(address, timeout=patience, set_as_default=False, name="caliblens"))
    except Exception as error:
        connection.set_exception(error)


def _leave(connection: "Future[Any]") -> None:
    """What comes too late."""
    if connection.exception() is None:
        connection.result().close(timeout=2)


class Watch:
    """Gives up when nobody is left to do the work."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._looked = time.monotonic()
        self._seconds = self._heard = self._able = 0.0
        self._next = self._left = 0.0
        self._asked: Future[Any] | None = None
        self._found: Workers = {}

    def look(self) -> None:
        """Without waiting. :class:`.EngineError` if for long the scheduler is silent or no worker works."""
        now, address = time.monotonic(), self._link.address
        # While nobody looks nobody is silent: whoever waits for results may do much between two of them.
        self._seconds += min(now - self._looked, 2 * ASK)
        self._looked = now
        if self._asked is not None and self._asked.done():
            with suppress(Exception):
                self._found = self._asked.result()
                self._heard = self._seconds
                self._take_note()
            self._asked, self._next = None, now + ASK
        if self._asked is None and now >= self._next:
            self._asked = self._link.begin(self._link.identity())
        if self._seconds - self._heard > GONE:
            raise EngineError(
                f"The scheduler of the cluster at {address} has not answered for {GONE:.0f} seconds. {AGAIN}"
            )
        if self._seconds - self._able > GONE:
            if self._found:
                raise faults.out_of_memory(f"they have been paused for {GONE:.0f} seconds")
            raise EngineError(
                f"All workers of the cluster at {address} are gone, and none came back within {GONE:.0f} "
                f"seconds. {AGAIN}"
            )
        if self._seconds > 2 * ASK and self._found and all(map(_silent, self._found.values())):
            raise EngineError(
                f"No worker of the cluster at {address} has answered for {GONE:.0f} seconds. {AGAIN}"
            )

    def left(self, workers: Workers) -> list[str]:
        """Those of these workers that are there no more, and have not gone just now."""
        gone = [address for address in workers if address not in self._found] if self._found else []
        self._left = (self._left or time.monotonic()) if gone else 0.0
        return gone if gone and time.monotonic() - self._left > ASK else []

    def _take_note(self) -> None:
        if any(map(_able, self._found.values())):
            self._able = self._seconds
            if silent := [address for address, worker in self._found.items() if _silent(worker)]:
                self._link.dismiss(silent)

    def workers(self, tick: Tick) -> Workers:
        """The workers, once there are some that work."""
        begun = self._able
        while True:
            self._link.mend()
            self.look()
            if self._found and self._able > begun and self._link.running:
                return self._found
            if self._asked is not None:
                wait([self._asked], timeout=LOOK)
            else:
                time.sleep(LOOK)
                self._next = 0.0
            tick()


def _silent(worker: dict[str, Any]) -> bool:
    """Whether nothing was heard of a worker for long."""
    return bool(worker["silent"] > GONE)


def _able(worker: dict[str, Any]) -> bool:
    """Whether a worker takes tasks or is busy with one: with its memory full it is paused."""
    if _silent(worker):
        return False
    busy = worker.get("metrics", {}).get("task_counts", {}).get("executing", 0)
    return bool(worker["status"] == "running" or busy)
