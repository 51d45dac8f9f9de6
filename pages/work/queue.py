"""The line for long work: it goes round by visitor, small work has a lane of its own, and work that takes
minutes leaves a place free."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pages.server.visitors import Visitor
from pages.work import costs

SMALL = 2.0
"""Seconds that work in the lane for small work may be expected to take."""


class Crowded(Exception):
    """The line is full; the work was not begun."""


@dataclass(eq=False)
class Ticket:
    """Work in line, in whose place ``refuse`` is called if others need it more. ``run`` raises nothing."""

    run: Callable[[], None]
    refuse: Callable[[], None]
    wanted: Callable[[], bool]
    visitor: Visitor = ("", "")
    expected: float = 0.0


class Line:
    """So many ``places``, and room for so many to wait. Threads may share it.

    Whoever was served longest ago is next: first among people or addresses, then among the tabs of each.
    Where the line is full, the one who has most in it gives way.
    """

    def __init__(self, places: int, most: int) -> None:
        self._places, self._most = places, most
        self._pool = ThreadPoolExecutor(places, thread_name_prefix="work")
        self._small = ThreadPoolExecutor(1, thread_name_prefix="small-work")
        self._waiting: list[Ticket] = []
        self._at_work: set[Ticket] = set()
        self._served: Counter[str | Visitor] = Counter()
        self._turn = 0
        self._lock = threading.Lock()

    def put(self, ticket: Ticket) -> None:
        """Join the line.

        Raises
        ------
        Crowded : it is full, and nobody has more in it than this visitor.
        """
        with self._lock:
            self._waiting = [other for other in self._waiting if other.wanted()]
            refused = self._to_give_way(ticket) if len(self._waiting) >= self._most else None
            if refused is not None:
                self._waiting.remove(refused)
            self._waiting.append(ticket)
        if refused is not None:
            refused.refuse()
        self._pool.submit(self._work)
        if ticket.expected <= SMALL:
            self._small.submit(self._work, small=True)

    def before(self, ticket: Ticket) -> int | None:
        """How many come first; None if it does not wait."""
        with self._lock:
            if ticket not in self._waiting:
                return None
            left, served, turn = list(self._waiting), self._served.copy(), self._turn
            for number in range(len(left)):
                following = min(left, key=lambda other: self._rank(other, served))
                if following is ticket:
                    return number
                left.remove(following)
                turn += 1
                served[following.visitor[0]] = served[following.visitor] = turn
        return None

    def __len__(self) -> int:
        """How much is at work or waits."""
        with self._lock:
            return len(self._at_work) + sum(ticket.wanted() for ticket in self._waiting)

    def counts(self) -> tuple[int, int]:
        """How much is at work, and how much waits."""
        with self._lock:
            return len(self._at_work), sum(ticket.wanted() for ticket in self._waiting)

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._small.shutdown(wait=False, cancel_futures=True)

    def _work(self, small: bool = False) -> None:
        """Until nothing is left that this lane may do."""
        while (ticket := self._next(small)) is not None:
            try:
                ticket.run()
            finally:
                with self._lock:
                    self._at_work.discard(ticket)

    def _next(self, small: bool) -> Ticket | None:
        with self._lock:
            self._waiting = [ticket for ticket in self._waiting if ticket.wanted()]
            full = sum(map(_long, self._at_work)) >= max(1, self._places - 1)
            fitting = [
                ticket
                for ticket in self._waiting
                if (ticket.expected <= SMALL if small else not (full and _long(ticket)))
            ]
            if not fitting:
                if not self._waiting:
                    self._served.clear()
                return None
            ticket_next = min(fitting, key=lambda ticket: self._rank(ticket, self._served))
            self._waiting.remove(ticket_next)
            self._at_work.add(ticket_next)
            self._turn += 1
            self._served[ticket_next.visitor[0]] = self._served[ticket_next.visitor] = self._turn
            return ticket_next

    @staticmethod
    def _rank(ticket: Ticket, served: "Counter[str | Visitor]") -> tuple[int, int]:
        return served[ticket.visitor[0]], served[ticket.visitor]

    def _to_give_way(self, ticket: Ticket) -> Ticket:
        """The last of who has most in line: of all people or addresses, or of the tabs of this one."""
        addresses = Counter(other.visitor[0] for other in self._waiting)
        most = max(addresses, key=addresses.__getitem__, default="")
        address = most if addresses[most] > addresses[ticket.visitor[0]] else ticket.visitor[0]
        tabs = Counter(other.visitor for other in self._waiting if other.visitor[0] == address)
        top = max(tabs.values(), default=0)
        if address == ticket.visitor[0] and top <= tabs[ticket.visitor]:
            raise Crowded
        return next(other for other in reversed(self._waiting) if tabs[other.visitor] == top)


def _long(ticket: Ticket) -> bool:
    return ticket.expected > costs.UNASKED
