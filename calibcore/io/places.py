"""Places for work of which only so much is done at once: whoever was served longest ago is next."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

LOOK = 0.1
"""Seconds between two looks whether somebody still waits, or at what is waited for."""


@dataclass(eq=False)
class _Ticket:
    visitor: str


class Places:
    """So many places, of which no visitor has more than ``each``. Threads may share it."""

    def __init__(self, places: int, each: int) -> None:
        self._places, self._each = places, each
        self._waiting: list[_Ticket] = []
        self._inside: Counter[str] = Counter()
        self._served: dict[str, int] = {}
        self._turn = 0
        self._changed = threading.Condition()

    @contextmanager
    def one(self, visitor: str, check: Callable[[], None]) -> Iterator[None]:
        """A place, once there is one; ``check`` is called while it is waited for, and may raise."""
        ticket = _Ticket(visitor)
        with self._changed:
            self._waiting.append(ticket)
        try:
            while not self._entered(ticket):
                check()
        except BaseException:
            with self._changed:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            raise
        try:
            yield
        finally:
            with self._changed:
                self._inside -= Counter((visitor,))
                if not self._waiting:
                    self._served.clear()
                self._changed.notify_all()

    def _entered(self, ticket: _Ticket) -> bool:
        with self._changed:
            if not self._changed.wait_for(lambda: self._next() is ticket, LOOK):
                return False
            self._waiting.remove(ticket)
            self._inside[ticket.visitor] += 1
            self._turn += 1
            self._served[ticket.visitor] = self._turn
            self._changed.notify_all()
            return True

    def _next(self) -> _Ticket | None:
        fitting = [ticket for ticket in self._waiting if self._inside[ticket.visitor] < self._each]
        if not fitting or self._inside.total() >= self._places:
            return None
        return min(fitting, key=lambda ticket: self._served.get(ticket.visitor, 0))
