"""How many wrong guesses at secret links one address may make."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST, WINDOW = 20, 60.0
"""Wrong guesses within so many seconds; after them everything is refused until the first is as old."""
MOST_ADDRESSES = 10_000
"""Addresses remembered; the one that guessed longest ago is forgotten first."""


class Guesses:
    """Counts wrong guesses by address, in memory, within a sliding window."""

    def __init__(
        self, most: int = MOST, window: float = WINDOW, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._window, self._clock = most, window, clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def seconds_left(self, address: str) -> float:
        """How long the address has to wait before it may ask again; 0 if it may now."""
        with self._lock:
            times = self._recent(address)
            if len(times) < self._most:
                return 0.0
            return times[-self._most] + self._window - self._clock()

    def wrong(self, address: str) -> None:
        """Remember a wrong guess."""
        with self._lock:
            times = self._recent(address)
            times.append(self._clock())
            self._wrong[address] = times
            self._wrong.move_to_end(address)
            while len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)

    def _recent(self, address: str) -> deque[float]:
        times = self._wrong.get(address, deque(maxlen=self._most))
        while times and times[0] <= self._clock() - self._window:
            times.popleft()
        return times
