"""The gap in moving windows: what was said less what happened, beside what chance allows."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from calibcore.bounds import AtLeastOne, Count, Difference, Length, Shape, Share, Within
from calibcore.errors import InputError
from calibcore.numerics.poisson_binomial import hits_window, quantile_of_counts
from calibcore.numerics.types import Float
from calibcore.settings.faults import FieldError, misfit

CASES = 200
FEWEST = 20
MOST_WINDOWS = 5_000
LEVELS = (0.05, 0.95)
_DROPPED = 1e-14
Hit = Annotated[int, Within(0, 1)]


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

    first: AtLeastOne
    last: AtLeastOne
    said: Share
    happened: Share
    low: Difference
    high: Difference
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
        """Whether the gap lies outside where it is 9 times in 10 under calibration."""
        return not self.low <= self.gap <= self.high


@dataclass
class Before:
    """Half a window of cases before those that the next window is made of; fewer where there are none."""

    said: Annotated[list[Share], Shape("cases")] = field(default_factory=list)
    hits: Annotated[list[Hit], Shape("cases")] = field(default_factory=list)
    times: list[str] = field(default_factory=list)


@dataclass
class Windows:
    """Windows of ``size`` cases, each beginning half a window after the one before.

    Those whose number ``every`` divides are kept, so that there are :data:`MOST_WINDOWS` at most. The lists
    hold the cases from ``begin`` (counted from 0) on, of which the next window is made, and ``before`` those
    that stand before them: with these the last window ends at the last case. States of earlier versions have
    none.
    """

    LATER: ClassVar = ("before",)
    OPTIONAL: ClassVar = LATER

    size: AtLeastOne = CASES
    every: AtLeastOne = 1
    kept: Annotated[list[Window], Length(0, MOST_WINDOWS)] = field(default_factory=list)
    begin: Count = 0
    said: Annotated[list[Share], Shape("cases")] = field(default_factory=list)
    hits: Annotated[list[Hit], Shape("cases")] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    before: Before | None = None

    def __post_init__(self) -> None:
        if self.size < FEWEST or self.size % 2:
            raise InputError(f"The window is {self.size:,} cases; expected an even number from {FEWEST} up.")

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        half = self.size // 2
        if self.every & (self.every - 1):
            raise misfit(self.every, "a power of two").inside("every")
        if self.begin % half:
            raise misfit(self.begin, f"a number that {half:,} divides").inside("begin")
        if len(self.said) >= self.size:
            raise misfit(self.said, f"fewer than {self.size:,} cases").inside("said")
        if len(self.times) not in (0, len(self.said)):
            raise misfit(self.times, "one time a case, or none").inside("times")
        if self.before is not None:
            earlier = self.before
            if len(earlier.said) > min(half, self.begin):
                raise misfit(earlier.said, f"{min(half, self.begin):,} cases at most").inside("before")
            if len(earlier.times) not in (0, len(earlier.said)):
                raise misfit(earlier.times, "one time a case, or none").inside("before")
        firsts = range(1, self.begin + 1, half * self.every)
        if len(self.kept) != len(firsts):
            raise misfit(self.kept, f"{len(firsts):,} windows").inside("kept")
        for i, (window, first) in enumerate(zip(self.kept, firsts, strict=True)):
            if (window.first, window.last) != (first, first + self.size - 1) or window.low > window.high:
                raise FieldError("is no window there", ("kept", i))

    def add(self, predicted: Float, hits: Float, times: list[str]) -> None:
        """Go on by some cases; ``times`` is empty where there are none. Cost O(c·size)."""
        self.said += predicted.tolist()
        self.hits += hits.astype(int).tolist()
        self.times += times
        half = self.size // 2
        done = 0
        while len(self.said) - done >= self.size:
            number = (self.begin + done) // half
            if number % self.every == 0:
                held = slice(done, done + self.size)
                first = self.begin + done + 1
                self.kept.append(_window(first, self.said[held], self.hits[held], self.times[held]))
            done += half
        if done:
            earlier = self.before or Before()
            self.before = Before(
                (earlier.said + self.said[:done])[-half:],
                (earlier.hits + self.hits[:done])[-half:],
                (earlier.times + self.times[:done])[-half:],
            )
        self.begin += done
        self.said, self.hits, self.times = self.said[done:], self.hits[done:], self.times[done:]
        while len(self.kept) > MOST_WINDOWS:
            self.every *= 2
            self.kept = [window for window in self.kept if (window.first - 1) // half % self.every == 0]

    @property
    def latest(self) -> Window | None:
        """The window that ends at the last case; None where one that is kept does, or its cases are not held.

        Cost O(size²).
        """
        cases, earlier = self.begin + len(self.said), self.before
        if earlier is None or (self.kept and self.kept[-1].last == cases):
            return None
        predicted, hits = earlier.said + self.said, earlier.hits + self.hits
        if len(predicted) < self.size:
            return None
        held, times = slice(len(predicted) - self.size, None), earlier.times + self.times
        return _window(cases - self.size + 1, predicted[held], hits[held], times[held])

    @property
    def listed(self) -> list[Window]:
        """Those that figures and tables show: what is kept, and :attr:`latest`."""
        return [*self.kept, *filter(None, [self.latest])]


def _window(first: int, predicted: list[float], hits: list[int], times: list[str]) -> Window:
    chances = np.array(predicted)
    low, high = chance_range(chances)
    ends = (times[0], times[-1]) if times else ("", "")
    share = sum(hits) / len(hits)
    return Window(first, first + len(hits) - 1, float(chances.mean()), share, low, high, *ends)


def chance_range(predicted: Float) -> tuple[float, float]:
    """Where ``mean said − share of hits`` lies 9 times in 10 if every hit has the chance that is said."""
    first, law = hits_window(np.ascontiguousarray(predicted), _DROPPED)
    fewest, most = (first + quantile_of_counts(law / law.sum(), level) for level in LEVELS)
    mean = float(predicted.mean())
    return mean - most / len(predicted), mean - fewest / len(predicted)
