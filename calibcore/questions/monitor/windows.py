"""The gap in moving windows: what was said less what happened, beside what chance allows."""

from dataclasses import dataclass, field

import numpy as np

from calibcore.errors import InputError
from calibcore.numerics.poisson_binomial import hits_window, quantile_of_counts
from calibcore.numerics.types import Float

CASES = 200
FEWEST = 20
MOST_WINDOWS = 5_000
LEVELS = (0.05, 0.95)
_DROPPED = 1e-14


@dataclass(frozen=True)
class Window:
    """Some cases one after the other, from ``first`` to ``last``, counted from 1.

    Attributes
    ----------
    said, happened : mean prediction and share
    low, high : where ``said − happened`` lies 9 times in 10 under calibration, exactly: of the law of the
        hits given the predictions, the 5 % and the 95 % quantile
    start, end : times of the first and last case; empty where the order is that of the rows
    """

    first: int
    last: int
    said: float
    happened: float
    low: float
    high: float
    start: str = ""
    end: str = ""

    @property
    def gap(self) -> float:
        """Said less happened."""
        return self.said - self.happened

    @property
    def deviation(self) -> float:
        """Happened less said: observed minus predicted, as figures and tables show it."""
        return self.happened - self.said

    @property
    def chance(self) -> tuple[float, float]:
        """Where the deviation lies 9 times in 10 under calibration."""
        return -self.high, -self.low

    @property
    def outside(self) -> bool:
        """Whether the gap lies outside what chance allows."""
        return not self.low <= self.gap <= self.high


@dataclass
class Windows:
    """Windows of ``size`` cases, each beginning half a window after the one before.

    Those whose number ``every`` divides are kept, so that there are :data:`MOST_WINDOWS` at most. The lists
    hold the cases from ``begin`` (counted from 0) on, of which the next window is made.
    """

    size: int = CASES
    every: int = 1
    kept: list[Window] = field(default_factory=list)
    begin: int = 0
    said: list[float] = field(default_factory=list)
    hits: list[int] = field(default_factory=list)
    times: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.size < FEWEST or self.size % 2:
            raise InputError(f"The window is {self.size:,} cases; expected an even number from {FEWEST} up.")

    def add(self, said: Float, hits: Float, times: list[str]) -> None:
        """Go on by some cases; ``times`` is empty where there are none. Cost O(c·size)."""
        self.said += said.tolist()
        self.hits += hits.astype(int).tolist()
        self.times += times
        half = self.size // 2
        done = 0
        while len(self.said) - done >= self.size:
            number = (self.begin + done) // half
            if number % self.every == 0:
                self.kept.append(self._window(done))
            done += half
        self.begin += done
        self.said, self.hits, self.times = self.said[done:], self.hits[done:], self.times[done:]
        while len(self.kept) > MOST_WINDOWS:
            self.every *= 2
            self.kept = [one for one in self.kept if (one.first - 1) // half % self.every == 0]

    def _window(self, start: int) -> Window:
        last = start + self.size
        said = np.array(self.said[start:last])
        low, high = chance_range(said)
        times = (self.times[start], self.times[last - 1]) if self.times else ("", "")
        return Window(
            self.begin + start + 1,
            self.begin + last,
            float(said.mean()),
            sum(self.hits[start:last]) / self.size,
            low,
            high,
            *times,
        )


def chance_range(said: Float) -> tuple[float, float]:
    """Where ``mean said − share of hits`` lies 9 times in 10 if every hit has the chance that is said."""
    first, law = hits_window(np.ascontiguousarray(said), _DROPPED)
    fewest, most = (first + quantile_of_counts(law / law.sum(), level) for level in LEVELS)
    mean = float(said.mean())
    return mean - most / len(said), mean - fewest / len(said)
