"""The bandwidth that the rule gives for all cases, from cases that come in slices."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from calibcore.kernels import Bandwidth, Kernel
from calibcore.kernels.bandwidths import (
    ALL_PAIRS_UP_TO,
    SAMPLED_PAIRS,
    bandwidth_by_rule,
    bandwidth_of_sample,
    bandwidth_on_a_line,
    paired_distances,
    sampled_pairs,
)
from calibcore.kernels.line import SAME, PairsOnALine, in_units
from calibcore.numerics.types import Float, Int

BYTES = 256_000_000
"""Of predictions that wait for the other one of their pair."""
_PART = 65_536


class Seen(Protocol):
    """What a rule keeps of the predictions."""

    def add(self, first: int, probs: Float) -> None:
        """A slice, beginning with the case ``first``."""
        ...

    def again(self) -> bool:
        """After a pass over all slices: whether another one is needed."""
        ...

    def found(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        """After the last pass."""
        ...


def seen_by(kernel: Kernel, n: int, m: int, most_bytes: int = BYTES) -> Seen | None:
    """What ``kernel`` has to see of ``n`` predictions over ``m`` classes; None if its bandwidth is a number.

    Two classes: 8 bytes a case. More: all predictions if they are few, else the 10⁶ pairs, in as many passes
    as keep what is held below ``most_bytes``: one for 16 classes, 63 for 1,000.
    """
    kernel.check(m)
    if not isinstance(kernel.bandwidth, str):
        return None
    if m == 2:
        return _OnALine(n)
    if n <= ALL_PAIRS_UP_TO or 8 * n * m <= most_bytes:
        return _All(n, m)
    return _Sampled(n, m, kernel.metric, most_bytes)


def resolved(kernel: Kernel, seen: Seen | None, low: Float, high: Float) -> Bandwidth:
    """As :meth:`Kernel.resolved` finds it; ``low`` and ``high (m,)`` are the columns' extremes."""
    if seen is None:
        return Bandwidth(float(kernel.bandwidth), "number", "none")
    rule = str(kernel.bandwidth)
    deciding = slice(1) if len(low) == 2 else slice(None)
    if (high - low)[deciding].max() <= SAME:
        return Bandwidth(1.0, rule, "same")
    return seen.found(rule, kernel.metric, lambda: bool((low == high).all()))


class _OnALine:
    def __init__(self, n: int) -> None:
        self._x = np.empty(n, np.int64)

    def add(self, first: int, probs: Float) -> None:
        self._x[first : first + len(probs)] = in_units(probs[:, 0])

    def again(self) -> bool:
        return False

    def found(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        n = len(self._x)
        line = PairsOnALine.of_units(self._x)
        self._x = np.empty(0, np.int64)
        return bandwidth_on_a_line(line, rule, metric, n, alike)


class _All:
    def __init__(self, n: int, m: int) -> None:
        self._probs = np.empty((n, m))

    def add(self, first: int, probs: Float) -> None:
        self._probs[first : first + len(probs)] = probs

    def again(self) -> bool:
        return False

    def found(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        return bandwidth_by_rule(self._probs, rule, metric)


class _Sampled:
    def __init__(self, n: int, m: int, metric: str, most_bytes: int) -> None:
        self._n, self._m, self._metric = n, m, metric
        self._pairs = sampled_pairs(n)
        self._at_once = max(1, most_bytes // (16 * m))
        self._distances = np.empty(SAMPLED_PAIRS)
        self._start = 0
        self._begin()

    def _begin(self) -> None:
        wanted: Int = np.concatenate([x[self._start : self._start + self._at_once] for x in self._pairs])
        self._order = np.argsort(wanted)
        self._rows = wanted[self._order]
        self._held = np.empty((len(wanted), self._m))

    def add(self, first: int, probs: Float) -> None:
        low, high = np.searchsorted(self._rows, (first, first + len(probs)))
        self._held[self._order[low:high]] = probs[self._rows[low:high] - first]

    def again(self) -> bool:
        size = len(self._held) // 2
        one, other = self._held[:size], self._held[size:]
        for start in range(0, size, _PART):
            part = slice(start, min(start + _PART, size))
            at = slice(self._start + part.start, self._start + part.stop)
            self._distances[at] = paired_distances(one[part], other[part], self._metric)
        self._start += size
        self._held = np.empty((0, self._m))
        if self._start < SAMPLED_PAIRS:
            self._begin()
            return True
        return False

    def found(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        self._distances[self._distances <= SAME] = 0.0
        return bandwidth_of_sample(self._distances, rule, self._n, alike)
