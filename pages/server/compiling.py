"""Work that waits for its loops: on a machine where none was ever compiled, other processes do it first."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from calibcore.numerics.progress import Progress

WORDS = "compiling, once on this machine, about 10 seconds"
LONGEST = 120.0
"""Seconds after which nobody waits any more, and what is missing is compiled where it is needed."""
_BETWEEN_LOOKS = 0.1
_ready = threading.Event()
_ready.set()


@contextmanager
def under_way() -> Iterator[None]:
    """Within, loops that verdicts need are compiled by others."""
    _ready.clear()
    try:
        yield
    finally:
        _ready.set()


def wait(report: Progress) -> bool:
    """Until these loops are there; meanwhile ``report`` says so, and may stop it. Whether there was a wait.

    Who does not wait would compile the same once more: that takes the processor from the others, and holds
    the interpreter, so that no page answers.
    """
    for looks in range(round(LONGEST / _BETWEEN_LOOKS)):
        if _ready.is_set():
            return looks > 0
        report(0.0, WORDS)
        _ready.wait(_BETWEEN_LOOKS)
    return True
