"""Says that loops are being compiled, to whoever waits for it, and only then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event
from numba.core.caching import NullCache

COMPILES = "numba:compile"
"""The event of numba for what it finds in no cache."""
PATIENCE = 0.5
"""Seconds of compiling that nothing is said of: a loop or two, where the others are there."""
ONCE = "Compiling, once: about 6 seconds on one core. 'caliblens warm' does it ahead for all commands."
EVERY_TIME = (
    "Compiling, about 6 seconds on one core. Nothing can be kept, so it is done every time: "
    "name a folder that can be written to by NUMBA_CACHE_DIR."
)


class _Waiting(event.Listener):
    """Adds up what is compiled, and says so once it takes long."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell, self.seconds, self.depth, self.begun, self.has_told = tell, 0.0, 0, 0.0, False

    def on_start(self, event: Any) -> None:
        """A loop, or what it calls."""
        self.depth += 1
        if self.depth > 1:
            return
        self.begun = time.perf_counter()
        if self.seconds > PATIENCE and not self.has_told:
            self.has_told = True
            keeps = not isinstance(getattr(event.data["dispatcher"], "_cache", None), NullCache)
            self.tell(ONCE if keeps else EVERY_TIME)

    def on_end(self, event: Any) -> None:
        """The same is compiled."""
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self.begun


@contextmanager
def saying_that_it_compiles(tell: Callable[[str], None]) -> Iterator[None]:
    """Within, ``tell`` is given a sentence once where compiling takes longer than :data:`PATIENCE`."""
    with event.install_listener(COMPILES, _Waiting(tell)):
        yield
