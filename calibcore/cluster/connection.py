"""A connection to a cluster: data sent once, few large tasks, and what happens when machines leave."""

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from calibcore.cluster import faults
from calibcore.cluster.packing import Array, digest, packed
from calibcore.cluster.tasks import perform, versions
from calibcore.engine import Progress

R = TypeVar("R")
SMALLEST = 2e9
"""Cost from which work is worth a journey: some seconds of one core."""
LARGEST = 2e10
"""Cost of one task at most, so that progress is seen."""
TASKS = 4
"""Tasks for each worker at least, so that fast ones take over from slow ones."""
PATIENCE = 10.0
"""Seconds to wait for a scheduler and for a first worker."""
GONE = 20.0
"""Seconds without any worker, or without the scheduler, after which the work is given up."""
ATTEMPTS = 3
_LOOK = 0.2
_ASK = 2.0
_KEPT = 400_000_000
"""Bytes of data no longer in use that each worker keeps for the next piece of work."""
_SHARE = 0.6
"""Share of a worker's memory that data may take."""


@dataclass
class Traffic:
    """What was asked of the cluster so far, in bytes and tasks; data count once a worker."""

    tasks: int = 0
    sent: int = 0
    received: int = 0


@dataclass(eq=False)
class Cluster:
    """An engine of :mod:`calibcore.engine`; may be used by several threads. Close it, or use it in ``with``.

    Tasks run Caliblens' own functions by name on workers that have the same versions installed. A worker that
    leaves has its tasks done by others, and its data sent anew. Results come back in the order of the items.
    """

    client: Any
    address: str
    smallest: float = SMALLEST
    traffic: Traffic = field(default_factory=Traffic)
    _sent: dict[str, tuple[Any, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def at(cls, address: str, smallest: float = SMALLEST, patience: float = PATIENCE) -> "Cluster":
        """Connect to the scheduler at ``address``, "tcp://HOST:PORT" or "tls://HOST:PORT".

        Raises
        ------
        EngineError : dask is not installed; no such address; no scheduler or no worker within ``patience``
            seconds each; a worker with other versions.
        """
        try:
            from distributed import Client
        except ImportError:
            raise faults.not_installed() from None
        if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
            raise faults.bad_address(address)
        try:
            client: Any = Client(address, timeout=patience, set_as_default=False, name="caliblens")
        except Exception:
            raise faults.no_scheduler(address, patience) from None
        found = cls(client, address, smallest)
        try:
            found._check(patience)
        except BaseException:
            found.close()
            raise
        return found

    def close(self) -> None:
        """Forget the data that were sent, and leave."""
        self._sent.clear()
        self.client.close(timeout=2)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the scheduler is connected."""
        return bool(self.client.status == "running")

    def workers(self) -> dict[str, Any]:
        """What the scheduler knows of each worker now, by address; none if it does not answer."""
        try:
            identity = self.client.sync(self.client.scheduler.identity, n_workers=-1, callback_timeout=5)
        except Exception:
            return {}
        found: dict[str, Any] = identity["workers"]
        return found

    def worth(self, cost: float) -> bool:
        """Whether so much work is taken."""
        return cost >= self.smallest

    def parts(self, cost: float) -> int:
        """:data:`TASKS` for each thread of a worker, more if they were larger than :data:`LARGEST`."""
        slots = sum(worker["nthreads"] for worker in self.workers().values())
        return int(max(1, slots * TASKS, cost / LARGEST))

    def each(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """The result of each item, in their order; see :class:`calibcore.engine.Engine`."""
        groups = self._groups(items, cost)
        found = dict(self._done(work, groups, progress, fold=False))
        for i in range(len(items)):
            yield found[i % len(groups)][i // len(groups)]

    def sums(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """The sum over each group of items; see :class:`calibcore.engine.Engine`."""
        found = dict(self._done(work, self._groups(items, cost), progress, fold=True))
        for k in range(len(found)):
            yield found.pop(k)

    def _groups(self, items: Sequence[Any], cost: float) -> list[list[Any]]:
        """Each group takes items from the beginning to the end, as their cost often falls along the way."""
        many = min(len(items), self.parts(cost))
        return [list(items[k::many]) for k in range(many)]

    def _check(self, patience: float) -> None:
        until = time.monotonic() + patience
        while not self.workers():
            if time.monotonic() > until:
                raise faults.no_workers(self.address, patience)
            time.sleep(_LOOK)
        answers = self.client.run(versions, on_error="return")
        wrong = faults.differing(answers, versions())
        if wrong is not None:
            raise wrong

    def _done(
        self, work: "partial[R]", groups: list[list[Any]], progress: Progress | None, fold: bool
    ) -> Iterator[tuple[int, Any]]:
        """Number and result of each group, as they come."""
        data, arrays = packed(work)
        self._check_memory(arrays)
        left = set(range(len(groups)))
        for _ in range(ATTEMPTS):
            for k, result in self._attempt(data, arrays, groups, left, progress, fold):
                left.discard(k)
                yield k, result
            if not left:
                return
            self._forget(arrays)
        raise faults.lost_too_often(self.address, ATTEMPTS)

    def _attempt(
        self,
        data: bytes,
        arrays: list[Array],
        groups: list[list[Any]],
        left: set[int],
        progress: Progress | None,
        fold: bool,
    ) -> Iterator[tuple[int, Any]]:
        """The groups that are ``left``, until all are done or what is not done is lost."""
        expected = versions()
        sent = self._send(arrays)
        ended: SimpleQueue[Any] = SimpleQueue()
        waiting: dict[Any, int] = {}
        try:
            for k in sorted(left):
                future = self.client.submit(perform, expected, data, sent, groups[k], fold, pure=False)
                waiting[future] = k
                future.add_done_callback(ended.put)
            self.traffic.tasks += len(waiting)
            watch = _Watch(self)
            while waiting:
                if progress is not None:
                    progress(1 - len(left) / len(groups))
                watch.look()
                with suppress(Empty):
                    ended.get(timeout=_LOOK)
                for future in [f for f in waiting if f.status != "pending"]:
                    k = waiting.pop(future)
                    if future.status == "error":
                        raise faults.failed(future.exception(), expected, self.address) from None
                    if future.status == "finished" and (result := self._fetched(future)) is not None:
                        yield k, result[0]
                    future.release()
            if progress is not None:
                progress(1 - len(left) / len(groups))
        finally:
            for future in waiting:
                future.release()

    def _fetched(self, future: Any) -> tuple[Any] | None:
        """The result; None if it went with its worker."""
        try:
            result = future.result(timeout=GONE)
        except Exception:
            return None
        self.traffic.received += _size(result)
        return (result,)

    def _check_memory(self, arrays: list[Array]) -> None:
        limits = [worker["memory_limit"] for worker in self.workers().values() if worker["memory_limit"]]
        needed = sum(array.nbytes for array in arrays)
        if limits and needed > _SHARE * min(limits):
            raise faults.too_large(needed, min(limits))

    def _send(self, arrays: list[Array]) -> list[Any]:
        """Each array on every worker; what is there already is not sent again."""
        with self._lock:
            sent = []
            for array in arrays:
                key = digest(array)
                if key in self._sent and self._sent[key][0].status != "finished":
                    del self._sent[key]
                if key not in self._sent:
                    future = self._scattered(array)
                    self.traffic.sent += array.nbytes * max(1, len(self.workers()))
                else:
                    future, _ = self._sent.pop(key)
                self._sent[key] = future, array.nbytes  # the newest last
                sent.append(future)
            spare = _KEPT
            for key in list(self._sent)[: -len(arrays) or None][::-1]:
                spare -= self._sent[key][1]
                if spare < 0:
                    del self._sent[key]
            return sent

    def _scattered(self, array: Array) -> Any:
        try:
            return self.client.scatter(array, broadcast=True, hash=False, timeout=GONE)
        except Exception:
            raise faults.workers_gone(self.address, GONE) from None

    def _forget(self, arrays: list[Array]) -> None:
        with self._lock:
            for array in arrays:
                self._sent.pop(digest(array), None)


class _Watch:
    """Gives up when nobody is left to do the work."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.asked = cluster, time.monotonic()
        self.workers = self.scheduler = self.asked

    def look(self) -> None:
        """Raises :class:`.EngineError` if the workers or the scheduler have been gone for long."""
        now = time.monotonic()
        if now - self.asked < _ASK:
            return
        self.asked, address = now, self.cluster.address
        if self.cluster.alive:
            self.scheduler = now
            if self.cluster.workers():
                self.workers = now
            if now - self.workers > GONE:
                raise faults.workers_gone(address, GONE)
        elif now - self.scheduler > GONE:
            raise faults.scheduler_gone(address, GONE)


def _size(result: Any) -> int:
    if isinstance(result, list | tuple):
        return sum(map(_size, result))
    return int(getattr(result, "nbytes", 8))
