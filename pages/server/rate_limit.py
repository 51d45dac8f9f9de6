"""How many wrong guesses at secret links one address may make before it is slowed down."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST, WINDOW = 20, 60.0
"""Wrong guesses within so many seconds; those beyond are slow, until the first is as old."""
MOST_ADDRESSES = 10_000
"""Addresses remembered; the one that guessed longest ago is forgotten first."""


class Guesses:
    """Counts wrong guesses by address, in memory, within a sliding window. Whoever has a right link is not
    counted and never waits: many people may have one address."""

    def __init__(
        self, most: int = MOST, window: float = WINDOW, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._window, self._clock = most, window, clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def wrong(self, address: str) -> float:
        """A wrong guess: 0 if it may be answered like any other, else the seconds until such may be again."""
        with self._lock:
            now = self._clock()
            times = self._wrong.get(address, deque())
            while times and times[0] <= now - self._window:
                times.popleft()
            if len(times) >= self._most:
                return times[0] + self._window - now
            times.append(now)
            self._wrong[address] = times
            self._wrong.move_to_end(address)
            while len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)
            return 0.0
