"""Matrix products in one thread while lenses are looked through, whose threads have all cores.

Threads of a BLAS wait busily for the next product, some hundredths of a second after each. Beside threads
that work they made a survey of 10,000 × 10 a quarter longer. How many there are changes last digits: so it is
one, however many threads there are.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Event, Lock, Thread

from threadpoolctl import ThreadpoolController

_one_at_a_time = Lock()
_within = 0


class _Keeper(Thread):
    """Sets one thread, and in the end what was before.

    A thread of its own, as some libraries only listen to the thread that spoke first, until it ends: whoever
    comes first may be gone when the last one leaves.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._begun, self._over = Event(), Event()
        self.start()
        self._begun.wait()

    def run(self) -> None:
        try:
            with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
                self._begun.set()
                self._over.wait()
        finally:
            self._begun.set()

    def end(self) -> None:
        self._over.set()
        self.join()


_keeper: _Keeper | None = None


@lru_cache(maxsize=1)
def _libraries(_modules: int) -> ThreadpoolController:
    """Those that are loaded; looked for again (2 ms) where more modules are."""
    return ThreadpoolController()


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Within, products of the whole process take one thread. After the last that is within, what was before.

    Cost 0.2 ms, and nothing within another one.
    """
    global _within, _keeper
    with _one_at_a_time:
        if _within == 0:
            _keeper = _Keeper()
        _within += 1
    try:
        yield
    finally:
        with _one_at_a_time:
            _within -= 1
            if _within == 0 and _keeper is not None:
                _keeper.end()
                _keeper = None
