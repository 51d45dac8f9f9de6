"""The arrays that the workers of a cluster hold."""

import threading
from concurrent.futures import Future, wait
from typing import Any
from uuid import uuid4

from calibcore.cluster.link import LOOK, Link, Tick, Watch, Workers
from calibcore.cluster.packing import Array, digest
from calibcore.numerics.engine import EngineError

_KEPT = 400_000_000
"""Bytes of data no longer in use that each worker keeps for the next piece of work, at most."""
_KEPT_SHARE = 0.2
_SHARE = 0.6
"""Shares of a worker's memory that data may take, not in use and in all; beyond, dask writes to disk."""
_USED = 0.8
"""The share of its memory from which on dask lets a worker pause."""
_CODE = 200_000_000
"""Bytes that a worker takes without data."""


class Data:
    """What was sent and is still there, the newest last. Threads that need the same array send it once."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[Future[Any], int, str]] = {}
        self._lock = threading.Lock()

    def send(
        self, link: Link, arrays: list[Array], workers: Workers, tick: Tick
    ) -> tuple[list[Any] | None, int]:
        """Each array on every worker, and the bytes that were sent for it; None if workers left meanwhile."""
        _check(arrays, workers)
        begun, new = [], 0
        for array in arrays:
            key = digest(array)
            with self._lock:
                entry = self._held.pop(key, None)
                if entry is None or not _placed(entry[0]):
                    name = f"caliblens-{uuid4().hex}"
                    entry = link.begin(link.scatter(name, array)), array.nbytes, name
                    new += array.nbytes * len(workers)
                self._held[key] = entry
            begun.append(entry[0])
        self._drop(len(arrays), workers)
        watch = Watch(link)
        while wait(begun, timeout=LOOK).not_done:
            tick()
            watch.look()
            if left := watch.left(workers):  # what is on its way to a frozen one would never be there
                self._give_up(link, begun, left)
                return None, new
        return ([future.result() for future in begun] if all(map(_placed, begun)) else None), new

    def _give_up(self, link: Link, begun: list[Future[Any]], left: list[str]) -> None:
        with self._lock:
            lost = [key for key, entry in self._held.items() if entry[0] in begun and not entry[0].done()]
            entries = [self._held.pop(key) for key in lost]
        for future, _, _ in entries:
            future.cancel()
        link.release([name for _, _, name in entries], left)

    def forget(self) -> None:
        """The workers may drop everything."""
        with self._lock:
            self._held.clear()

    def _drop(self, used: int, workers: Workers) -> None:
        spare = min([_KEPT, *(_KEPT_SHARE * limit for limit in _limits(workers))])
        with self._lock:
            for key in list(self._held)[: -used or None][::-1]:
                spare -= self._held[key][1]
                if spare < 0:
                    del self._held[key]


def _placed(begun: "Future[Any]") -> bool:
    """On its way, or on the workers."""
    if not begun.done():
        return True
    return begun.exception() is None and begun.result().status == "finished"


def _limits(workers: Workers) -> list[int]:
    return [worker["memory_limit"] for worker in workers.values() if worker["memory_limit"]]


def _check(arrays: list[Array], workers: Workers) -> None:
    limits, needed = _limits(workers), sum(array.nbytes for array in arrays)
    if limits and needed > (room := min(_SHARE * min(limits), _USED * min(limits) - _CODE)):
        raise EngineError(
            f"The data take {needed / 1e6:,.0f} MB on each worker of the cluster; the smallest has "
            f"{min(limits) / 1e6:,.0f} MB, and room for {max(room, 0.0) / 1e6:,.0f} MB of data. Give the "
            "workers more memory, or use fewer cases."
        )
