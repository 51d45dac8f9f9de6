"""What can go wrong with the machines of a cluster: what was found, where, and what to do."""

from collections.abc import Mapping
from typing import Any

from calibcore.cluster.tasks import NotFound, OtherVersions, Versions, versions
from calibcore.numerics.engine import EngineError


def other_versions(machine: str, theirs: Versions) -> EngineError:
    """A machine runs other versions."""
    differ = [
        f"{name} {theirs.get(name, 'is missing')} in place of {wanted}"
        for name, wanted in versions().items()
        if theirs.get(name) != wanted
    ]
    return EngineError(
        f"{machine} runs {', '.join(differ)}. Numbers could differ: run the same version of everything on "
        "all machines, best from one image."
    )


def cannot_travel(error: BaseException) -> EngineError:
    """Somebody's own estimator, kernel or the like that a worker cannot have."""
    return EngineError(
        f"What is to be computed cannot be sent to the cluster: {str(error)[:150]!r}. Define its classes "
        "in a module that the workers have too, or compute without the cluster."
    )


def out_of_memory(what: str) -> EngineError:
    """Workers end in the middle of the same task, again and again."""
    return EngineError(
        f"Workers of the cluster ended in the middle of the work, most likely for lack of memory ({what}). "
        "Give the workers more memory, or use fewer cases."
    )


def failed(error: BaseException) -> BaseException:
    """What to raise for the error that a task ended in."""
    from distributed import KilledWorker

    if isinstance(error, OtherVersions):
        address, theirs = error.args
        return other_versions(f"The worker at {address}", theirs)
    if isinstance(error, NotFound):
        return cannot_travel(error)
    if isinstance(error, KilledWorker):
        return out_of_memory("a task was begun several times and never ended")
    if isinstance(error, MemoryError):
        return out_of_memory("it was told that there is none left")
    return error


def check_versions(answers: Mapping[str, Any]) -> None:
    """Raises :class:`.EngineError` for the first machine, by its name, that does not answer our versions."""
    for machine, theirs in sorted(answers.items()):
        if not isinstance(theirs, dict):  # it cannot find our code, or finds another
            raise EngineError(
                f"{machine} does not run this version of Caliblens. Install the same version on all "
                "machines, best from one image."
            )
        if theirs != versions():
            raise other_versions(machine, theirs)
