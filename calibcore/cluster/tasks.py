"""What a worker of the cluster does."""

import platform
from functools import partial
from importlib.metadata import version
from typing import Any

from calibcore.cluster.packing import Array, unpacked
from calibcore.limits import VERSION
from calibcore.numerics.engine import beside, in_order, looking_up, summed

Versions = dict[str, str]


class OtherVersions(Exception):
    """A worker runs something else than the one who asks."""


class Abandoned(Exception):
    """Nobody waits for the task any more."""


class NotFound(Exception):
    """The worker lacks a class or function that the work names."""


def versions() -> Versions:
    """What has to be the same everywhere, so that the same seed gives the same numbers."""
    packages = {name: version(name) for name in ("numpy", "scipy", "numba", "distributed")}
    return {"Caliblens": VERSION, "Python": ".".join(platform.python_version_tuple()[:2]), **packages}


def perform(expected: Versions, data: bytes, arrays: list[Array], items: list[Any], fold: bool) -> Any:
    """The result of each item, or their sum; ends early when nobody waits for it."""
    from distributed import get_worker

    worker = get_worker()
    if versions() != expected:
        raise OtherVersions(worker.address, versions())
    still_wanted = partial(_still_wanted, worker, worker.get_current_task())
    with beside(worker.state.nthreads), looking_up(still_wanted):
        try:
            work = unpacked(data, arrays)
        except (ImportError, AttributeError) as error:
            raise NotFound(str(error)) from None
        return summed(work, items) if fold else list(in_order(work, items))


def _still_wanted(worker: Any, key: Any) -> None:
    task = worker.state.tasks.get(key)
    if task is None or task.state == "cancelled":
        raise Abandoned


async def dismiss(addresses: list[str], dask_scheduler: Any) -> None:
    """On the scheduler: leave workers out that say nothing, so that others do their tasks. One that speaks
    again is told to begin anew."""
    for address in addresses:
        await dask_scheduler.remove_worker(address, stimulus_id="silent")


def release(names: list[str], client: str, left: list[str], dask_scheduler: Any) -> None:
    """On the scheduler: nobody needs these data, and nobody waits for these workers."""
    dask_scheduler.client_releases_keys(names, client)
    for address in left:
        dask_scheduler.rpc.remove(address)
