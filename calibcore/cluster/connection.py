"""A cluster as an engine: data sent once, few large tasks, and what happens when machines leave."""

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pickle import PicklingError
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from calibcore.cluster import faults
from calibcore.cluster.data import Data
from calibcore.cluster.link import AGAIN, GONE, LOOK, Link, NoAnswer, Tick, Watch, Workers
from calibcore.cluster.packing import packed
from calibcore.cluster.tasks import perform, versions
from calibcore.extras import MissingExtra, need
from calibcore.numerics.engine import EngineError, Progress

R = TypeVar("R")
SMALLEST = 2e9
"""Cost from which work is worth a journey: some seconds of one core."""
LARGEST = 1e10
"""Cost of one task at most, so that progress is seen."""
TASKS = 4
"""Tasks for each worker at least, so that fast ones take over from slow ones."""
PATIENCE = 10.0
"""Seconds to wait for a scheduler and for a first worker."""
ATTEMPTS = 3
"""Times in a row that the data may get lost before anything is done."""


@dataclass
class Traffic:
    """What was asked of the cluster so far, in bytes and tasks; data count once a worker."""

    tasks: int = 0
    sent: int = 0
    received: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def add(self, tasks: int = 0, sent: int = 0, received: int = 0) -> None:
        """By several threads."""
        with self._lock:
            self.tasks += tasks
            self.sent += sent
            self.received += received


@dataclass(eq=False)
class Cluster:
    """An engine (:mod:`calibcore.numerics.engine`) for several threads. Close it, or use it in ``with``.

    Tasks run Caliblens' own functions by name on workers that have the same versions installed. A worker that
    leaves has its tasks done by others, and its data sent anew. A scheduler that comes back is found again.
    Results come back in the order of the items.
    """

    link: Link
    smallest: float = SMALLEST
    traffic: Traffic = field(default_factory=Traffic)
    _data: Data = field(default_factory=Data)

    @classmethod
    def at(cls, address: str, smallest: float = SMALLEST, patience: float = PATIENCE) -> "Cluster":
        """Connect to the scheduler at ``address``, "tcp://HOST:PORT" or "tls://HOST:PORT".

        Raises
        ------
        EngineError : dask is not installed; no such address; no scheduler or no worker within ``patience``
            seconds each; a worker with other versions.
        """
        try:
            need("A cluster", "cluster")
        except MissingExtra as missing:
            raise EngineError(str(missing)) from None
        port = re.fullmatch(r"(?:tcp|tls)://[^\s/]+:(\d{1,5})", address)
        if port is None or int(port[1]) > 65535:
            raise EngineError(
                f"The address of the cluster is {address!r:.80}; expected tcp://HOST:PORT or tls://HOST:PORT."
            )
        cluster = cls(Link(address, patience), smallest)
        try:
            cluster._check(patience)
        except BaseException:
            cluster.close()
            raise
        return cluster

    def close(self) -> None:
        """Forget the data that were sent, and leave."""
        self._data.forget()
        self.link.close()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the scheduler is connected."""
        return self.link.running

    def workers(self) -> Workers:
        """What the scheduler knows of each worker now, by address; none if it does not answer."""
        return self.link.workers()

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
        """The result of each item, in their order; see :class:`calibcore.numerics.engine.Engine`."""
        groups = self._groups(items, cost)
        waiting: dict[int, list[R]] = {}
        given = 0
        for k, results in self._done(work, groups, progress, fold=False):
            waiting[k] = results
            while given < len(items) and (group := given % len(groups)) in waiting:
                yield waiting[group][given // len(groups)]
                given += 1

    def sums(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """The sum over each group of items; see :class:`calibcore.numerics.engine.Engine`."""
        waiting: dict[int, R] = {}
        given = 0  # each as soon as those before it are there: sums may be large
        for k, result in self._done(work, self._groups(items, cost), progress, fold=True):
            waiting[k] = result
            while given in waiting:
                yield waiting.pop(given)
                given += 1

    def _groups(self, items: Sequence[Any], cost: float) -> list[list[Any]]:
        """Each group takes items from the beginning to the end, as their cost often falls along the way."""
        many = min(len(items), self.parts(cost))
        return [list(items[k::many]) for k in range(many)]

    def _check(self, patience: float) -> None:
        until, address = time.monotonic() + patience, self.link.address
        while not self.workers():
            if time.monotonic() > until:
                raise EngineError(
                    f"The cluster at {address} has no workers (waited {patience:.0f} seconds). Start one: "
                    f"dask worker {address}."
                )
            time.sleep(LOOK)
        self._compare(patience)

    def _compare(self, patience: float) -> None:
        """Raises :class:`.EngineError` if the scheduler or a worker that answers has other versions."""
        client = self.link.client
        answered: dict[str, Any] = {}
        try:  # the scheduler reads what tasks are given
            answer = self.link.answer(client.run_on_scheduler(versions, asynchronous=True), patience)
            answered[f"The scheduler at {self.link.address}"] = answer
        except NoAnswer as silent:
            if silent.__cause__ is not None:
                answered[f"The scheduler at {self.link.address}"] = silent.__cause__
        with suppress(NoAnswer):  # each task compares them too
            answers = self.link.answer(client.run(versions, on_error="return", asynchronous=True), patience)
            answered |= {f"The worker at {address}": answer for address, answer in answers.items()}
        faults.check_versions(answered)

    def _done(
        self, work: "partial[R]", groups: list[list[Any]], progress: Progress | None, fold: bool
    ) -> Iterator[tuple[int, Any]]:
        """Number and result of each group, as they come."""
        try:
            data, arrays = packed(work)
        except (PicklingError, AttributeError, TypeError) as error:
            raise faults.cannot_travel(error) from None
        left = set(range(len(groups)))

        def tick() -> None:
            if progress is not None:
                progress(1 - len(left) / len(groups))

        failed = 0
        while left and failed < ATTEMPTS:
            workers = Watch(self.link).workers(tick)
            sent, new = self._data.send(self.link, arrays, workers, tick)
            self.traffic.add(sent=new)
            before = len(left)
            if sent is not None:
                for k, result in self._attempt(data, sent, {k: groups[k] for k in left}, tick, fold):
                    left.discard(k)
                    yield k, result
            failed = failed + 1 if len(left) == before else 0
            if left:
                time.sleep(LOOK)
        if left:
            raise EngineError(
                f"Workers of the cluster at {self.link.address} left {ATTEMPTS} times and took the data with "
                f"them. {AGAIN}"
            )
        tick()

    def _attempt(
        self, data: bytes, sent: list[Any], groups: dict[int, list[Any]], tick: Tick, fold: bool
    ) -> Iterator[tuple[int, Any]]:
        """The groups, until all are done or what is not done is lost."""
        expected, client = versions(), self.link.client
        ended: SimpleQueue[Any] = SimpleQueue()
        waiting: dict[Any, int] = {}
        watch = Watch(self.link)

        def look() -> None:
            tick()
            watch.look()

        try:
            for k, items in groups.items():
                future = client.submit(perform, expected, data, sent, items, fold, pure=False)
                waiting[future] = k
                future.add_done_callback(ended.put)
            self.traffic.add(tasks=len(waiting))
            while waiting:
                look()
                with suppress(Empty):
                    ended.get(timeout=LOOK)
                for future in [f for f in waiting if f.status != "pending"]:
                    k = waiting.pop(future)
                    if future.status == "error":
                        raise self._fault(future.exception(timeout=GONE)) from None
                    if future.status == "finished" and (result := self._fetched(future, look)) is not None:
                        yield k, result[0]
                    future.release()
        finally:
            for future in waiting:
                future.release()

    def _fault(self, error: BaseException) -> BaseException:
        """What to raise for the error that a task ended in."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker | ImportError | AttributeError):
            self._compare(PATIENCE)  # a worker that cannot find our code ends as if for lack of memory
        return faults.failed(error)

    def _fetched(self, future: Any, tick: Tick) -> tuple[Any] | None:
        """The result; None if it went with its worker."""
        try:
            (result,) = self.link.answer(self.link.client.gather([future], asynchronous=True), GONE, tick)
        except NoAnswer:
            return None
        self.traffic.add(received=_size(result))
        return (result,)


def _size(result: Any) -> int:
    if isinstance(result, list | tuple):
        return sum(map(_size, result))
    return int(getattr(result, "nbytes", 8))
