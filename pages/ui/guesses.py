"""How many wrong guesses at secret links one address may make."""

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

MOST, WINDOW = 20, 60.0
"""Wrong guesses within so many seconds; after them everything is refused until the first is as old."""
MOMENT = 0.05
"""Seconds after which to ask again while others of the same address are being answered."""
MOST_ADDRESSES = 10_000
"""Addresses remembered; the one that guessed longest ago is forgotten first."""


class Guesses:
    """Counts wrong guesses by address, in memory, within a sliding window.

    A question that is not answered yet may be a wrong guess: no more are asked at once than may be wrong.
    """

    def __init__(
        self, most: int = MOST, window: float = WINDOW, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._window, self._clock = most, window, clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def begin(self, address: str) -> float:
        """0 if the address may ask now, and :meth:`end` must follow; else the seconds it has to wait.

        At most :data:`MOMENT` if it only waits for answers to what it asked at the same time.
        """
        with self._lock:
            times = self._recent(address)
            if len(times) >= self._most:
                return times[-self._most] + self._window - self._clock()
            if len(times) + self._asked[address] >= self._most:
                return MOMENT
            self._asked[address] += 1
            return 0.0

    def end(self, address: str, *, wrong: bool) -> None:
        """The answer to what was begun: a wrong guess is remembered."""
        with self._lock:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address]
            if not wrong:
                return
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
