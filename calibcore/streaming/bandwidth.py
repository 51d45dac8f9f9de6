"""The bandwidth that the rule gives for all cases, from cases that come in slices."""

from abc import ABC, abstractmethod
from collections.abc import Callable

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


class BandwidthRule(ABC):
    """What a rule keeps of the predictions."""

    @abstractmethod
    def add(self, first: int, probs: Float) -> None:
        """A slice, beginning with the case ``first``."""

    def needs_another_pass(self) -> bool:
        """After a pass over all slices: whether another one is needed."""
        return False

    @abstractmethod
    def bandwidth(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        """After the last pass."""


def rule_for(kernel: Kernel, n: int, m: int, most_bytes: int = BYTES) -> BandwidthRule | None:
    """What ``kernel`` has to see of ``n`` predictions over ``m`` classes; None if its bandwidth is a number.

    Two classes: 8 bytes a case. More: all predictions if they are few, else the 10⁶ pairs, in as many passes
    as keep what is held below ``most_bytes``: one for 16 classes, 63 for 1,000.
    """
    kernel.check(m)
    if not isinstance(kernel.bandwidth, str):
        return None
    if m == 2:
        return _LineRule(n)
    if n <= ALL_PAIRS_UP_TO or 8 * n * m <= most_bytes:
        return _AllPredictions(n, m)
    return _SampledPairs(n, m, kernel.metric, most_bytes)


def resolved(kernel: Kernel, rule: BandwidthRule | None, low: Float, high: Float) -> Bandwidth:
    """As :meth:`Kernel.resolved` finds it; ``low`` and ``high (m,)`` are the columns' extremes."""
    if rule is None:
        return Bandwidth(float(kernel.bandwidth), "number", "none")
    name = str(kernel.bandwidth)
    deciding = slice(1) if len(low) == 2 else slice(None)
    if (high - low)[deciding].max() <= SAME:
        return Bandwidth(1.0, name, "same")
    return rule.bandwidth(name, kernel.metric, lambda: bool((low == high).all()))


class _LineRule(BandwidthRule):
    def __init__(self, n: int) -> None:
        self._x = np.empty(n, np.int64)

    def add(self, first: int, probs: Float) -> None:
        self._x[first : first + len(probs)] = in_units(probs[:, 0])

    def bandwidth(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        n = len(self._x)
        line = PairsOnALine.of_units(self._x)
        self._x = np.empty(0, np.int64)
        return bandwidth_on_a_line(line, rule, metric, n, alike)


class _AllPredictions(BandwidthRule):
    def __init__(self, n: int, m: int) -> None:
        self._probs = np.empty((n, m))

    def add(self, first: int, probs: Float) -> None:
        self._probs[first : first + len(probs)] = probs

    def bandwidth(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        return bandwidth_by_rule(self._probs, rule, metric)


class _SampledPairs(BandwidthRule):
    def __init__(self, n: int, m: int, metric: str, most_bytes: int) -> None:
        self._n, self._m, self._metric = n, m, metric
        self._pairs = sampled_pairs(n)
        self._at_once = max(1, most_bytes // (16 * m))
        self._distances = np.empty(SAMPLED_PAIRS)
        self._start = 0
        self._begin()

    def _begin(self) -> None:
        rows: Int = np.concatenate([x[self._start : self._start + self._at_once] for x in self._pairs])
        self._order = np.argsort(rows)
        self._rows = rows[self._order]
        self._probs = np.empty((len(rows), self._m))

    def add(self, first: int, probs: Float) -> None:
        low, high = np.searchsorted(self._rows, (first, first + len(probs)))
        self._probs[self._order[low:high]] = probs[self._rows[low:high] - first]

    def needs_another_pass(self) -> bool:
        size = len(self._probs) // 2
        first, other = self._probs[:size], self._probs[size:]
        for start in range(0, size, _PART):
            part = slice(start, min(start + _PART, size))
            places = slice(self._start + part.start, self._start + part.stop)
            self._distances[places] = paired_distances(first[part], other[part], self._metric)
        self._start += size
        self._probs = np.empty((0, self._m))
        if self._start < SAMPLED_PAIRS:
            self._begin()
            return True
        return False

    def bandwidth(self, rule: str, metric: str, alike: Callable[[], bool]) -> Bandwidth:
        self._distances[self._distances <= SAME] = 0.0
        return bandwidth_of_sample(self._distances, rule, self._n, alike)
