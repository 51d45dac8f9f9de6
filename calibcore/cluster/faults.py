"""What can go wrong with a cluster, one sentence each: what was found, where, and what to do."""

from collections.abc import Mapping
from typing import Any

from calibcore.cluster.tasks import NotFound, OtherVersions, Versions
from calibcore.numerics.engine import EngineError

AGAIN = "Nothing is lost: start it again when the cluster is back, or compute without it."


def bad_address(address: str) -> EngineError:
    """No address of a scheduler."""
    return EngineError(
        f"The address of the cluster is {address!r:.80}; expected tcp://HOST:PORT or tls://HOST:PORT."
    )


def no_scheduler(address: str, seconds: float) -> EngineError:
    """Nobody answers."""
    return EngineError(
        f"No scheduler of a cluster answers at {address} (waited {seconds:.0f} seconds). Check that it runs "
        "and that this machine can reach it."
    )


def no_workers(address: str, seconds: float) -> EngineError:
    """A scheduler without workers, from the beginning."""
    return EngineError(
        f"The cluster at {address} has no workers (waited {seconds:.0f} seconds). Start one: "
        f"dask worker {address}."
    )


def workers_gone(address: str, seconds: float) -> EngineError:
    """All workers left in the middle."""
    return EngineError(
        f"All workers of the cluster at {address} are gone, and none came back within {seconds:.0f} seconds. "
        + AGAIN
    )


def workers_silent(address: str, seconds: float) -> EngineError:
    """All workers are connected and say nothing: frozen, or their machines are."""
    return EngineError(
        f"No worker of the cluster at {address} has answered for {seconds:.0f} seconds. {AGAIN}"
    )


def scheduler_gone(address: str, seconds: float) -> EngineError:
    """The scheduler left in the middle."""
    return EngineError(
        f"The scheduler of the cluster at {address} has not answered for {seconds:.0f} seconds. {AGAIN}"
    )


def lost_too_often(address: str, times: int) -> EngineError:
    """Data or results vanish again and again."""
    return EngineError(
        f"Workers of the cluster at {address} left {times} times and took the data with them. {AGAIN}"
    )


def other_versions(machine: str, versions: Versions, expected: Versions) -> EngineError:
    """A machine runs other versions."""
    differ = [
        f"{name} {versions.get(name, 'is missing')} in place of {wanted}"
        for name, wanted in expected.items()
        if versions.get(name) != wanted
    ]
    return EngineError(
        f"{machine} runs {', '.join(differ)}. Numbers could differ: run the same version of everything on "
        "all machines, best from one image."
    )


def not_caliblens(machine: str) -> EngineError:
    """A machine that cannot find our code, or finds another."""
    return EngineError(
        f"{machine} does not run this version of Caliblens. Install the same version on all machines, best "
        "from one image."
    )


def cannot_travel(error: BaseException) -> EngineError:
    """Somebody's own estimator, kernel or the like that a worker cannot have."""
    return EngineError(
        f"What is to be computed cannot be sent to the cluster: {str(error)[:150]!r}. Define its classes "
        "in a module that the workers have too, or compute without the cluster."
    )


def too_large(needed: int, limit: int, room: float) -> EngineError:
    """Known beforehand not to fit."""
    return EngineError(
        f"The data take {needed / 1e6:,.0f} MB on each worker of the cluster; the smallest has "
        f"{limit / 1e6:,.0f} MB, and room for {room / 1e6:,.0f} MB of data. Give the workers more memory, or "
        "use fewer cases."
    )


def out_of_memory(what: str) -> EngineError:
    """Workers end in the middle of the same task, again and again."""
    return EngineError(
        f"Workers of the cluster ended in the middle of the work, most likely for lack of memory ({what}). "
        "Give the workers more memory, or use fewer cases."
    )


def failed(error: BaseException, expected: Versions) -> BaseException:
    """What to raise for the error that a task ended in."""
    from distributed import KilledWorker

    if isinstance(error, OtherVersions):
        address, arguments = error.args
        return other_versions(f"The worker at {address}", arguments, expected)
    if isinstance(error, NotFound):
        return cannot_travel(error)
    if isinstance(error, KilledWorker):
        return out_of_memory("a task was begun several times and never ended")
    if isinstance(error, MemoryError):
        return out_of_memory("it was told that there is none left")
    return error


def differing(theirs: Mapping[str, Any], expected: Versions) -> EngineError | None:
    """What is wrong with machines that answered ``theirs``, each by its name; None: nothing."""
    for machine, versions in sorted(theirs.items()):
        if not isinstance(versions, dict):
            return not_caliblens(machine)
        if versions != expected:
            return other_versions(machine, versions, expected)
    return None
