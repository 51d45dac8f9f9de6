"""The cluster that the server's settings name: one connection for everybody, made when work is worth it."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from calibcore.cluster import Cluster
from calibcore.cluster.connection import SMALLEST
from calibcore.limits import SERVER
from calibcore.numerics.engine import Engine, EngineError, Progress
from pages.server import logs

R = TypeVar("R")
REMEMBERED = 3.0
"""Seconds for which it is known that there is no cluster."""


class Connection:
    """Made when it is first needed, and anew when it has died. Threads may share it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._cluster: Cluster | None = None
        self._users: Counter[Cluster] = Counter()
        self._lock = threading.Lock()
        self._refused = 0.0, ""

    @contextmanager
    def lent(self) -> Iterator[Cluster]:
        """The cluster; EngineError says why there is none. One that has died is closed by its last user."""
        with self._lock:
            if self._cluster is None or not self._cluster.alive:
                self._leave()
                self._cluster = self._made()
            cluster = self._cluster
            self._users[cluster] += 1
        try:
            yield cluster
        finally:
            with self._lock:
                self._users[cluster] -= 1
                if not self._users[cluster]:
                    del self._users[cluster]
                    if cluster is not self._cluster:
                        cluster.close()

    def close(self) -> None:
        """Leave the cluster, as soon as nobody uses it."""
        with self._lock:
            self._leave()

    def _leave(self) -> None:
        before, self._cluster = self._cluster, None
        if before is not None and before not in self._users:
            before.close()

    def _made(self) -> Cluster:
        """Those who waited while somebody tried in vain do not try again, one after the other."""
        begun, refusal = self._refused
        if refusal and time.monotonic() - begun < REMEMBERED:
            raise EngineError(refusal)
        try:
            return Cluster.at(self.address)
        except EngineError as error:
            self._refused = time.monotonic(), str(error)
            raise
        finally:
            logs.quiet()  # importing dask gives it a log of its own


class Sent:
    """The engine of one job: takes long work to the cluster, and tells how many workers are at it."""

    def __init__(self, connection: Connection, tell: Callable[[int], None]) -> None:
        self._connection, self._tell = connection, tell

    def worth(self, cost: float) -> bool:
        """Whether so much work is taken; asked without a connection."""
        return cost >= SMALLEST

    def parts(self, cost: float) -> int:
        """As the cluster says."""
        with self._connection.lent() as cluster:
            return cluster.parts(cost)

    def each(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """The result of each item, in their order."""
        with self._lent() as cluster:
            yield from cluster.each(work, items, progress, cost)

    def sums(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """Sums over some items each."""
        with self._lent() as cluster:
            yield from cluster.sums(work, items, progress, cost)

    @contextmanager
    def _lent(self) -> Iterator[Cluster]:
        with self._connection.lent() as cluster:
            self._tell(len(cluster.workers()))
            try:
                yield cluster
            finally:
                self._tell(0)


CONNECTION = Connection(SERVER.cluster)


def engine(tell: Callable[[int], None]) -> Engine | None:
    """For one job; None where the settings name no cluster."""
    return Sent(CONNECTION, tell) if CONNECTION.address else None


def named() -> bool:
    """Whether the settings name a cluster."""
    return bool(CONNECTION.address)
