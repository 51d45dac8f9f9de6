"""Mean and median of all distances between points on a line, without looking at every pair."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

SAME = 1e-12
"""Distances up to this count as 0: lenses add, and the same prediction may be summed in two ways."""
FEW = 4_096
"""Values up to which pairs are counted without a compiled loop: to compile it takes a third of a second."""
_LISTED = 1_000
"""So many pairs are listed at least, in place of further guesses."""
_ASIDE = 0.01
"""Guesses are so far above and below what a straight line says, as a share of the pairs: so the range narrows
from both sides."""
_UNIT = 2.0**-52
"""Values from 0 to 2 are whole multiples of it, or nearly: in these units distances are exact integers."""


def in_units(values: Float) -> Int:
    """(n,) values in 0..2 as whole multiples of 2⁻⁵²."""
    return np.rint(values / _UNIT).astype(np.int64)


def distinct(x: Int, copies: NDArray[np.int32]) -> int:
    """Moves the distinct of rising values to the front of ``x`` and counts each in ``copies``; how many."""
    u = 0
    for part in loops.blocks(len(x)):
        values, times = np.unique(x[part], return_counts=True)
        again = int(u > 0 and x[u - 1] == values[0])
        if again:
            copies[u - 1] += times[0]
        new = slice(u, u + len(values) - again)
        x[new], copies[new], u = values[again:], times[again:], new.stop
    return u


@loops.compiled
def pairs_within(x: Int, copies: NDArray[np.int32], d: int) -> int:
    """How many pairs of the values, each there ``copies`` times, are at most ``d`` apart."""
    pairs, inside, j = 0, 0, 0  # inside: values from i to before j
    for i in range(len(x)):
        while j < len(x) and x[j] - x[i] <= d:
            inside += copies[j]
            j += 1
        own: Any = np.int64(copies[i])  # a product of two 32-bit numbers could overflow
        inside -= own
        pairs += own * inside + own * (own - 1) // 2
    return pairs


def pairs_between(x: Int, copies: NDArray[np.int32], low: int, high: int) -> tuple[Int, Int]:
    """Every distance d, ``low < d ≤ high``, of two different values, and of how many pairs it is.

    Cost O(u log u) and what is written.
    """
    distances, times = [], []
    for part in loops.blocks(len(x)):
        first = np.maximum(
            np.searchsorted(x, x[part] + low, side="right"),
            np.arange(part.start + 1, min(part.stop, len(x)) + 1),
        )
        many = np.maximum(np.searchsorted(x, x[part] + high, side="right") - first, 0)
        j = np.arange(many.sum()) + np.repeat(first - np.cumsum(many) + many, many)
        distances.append(x[j] - np.repeat(x[part], many))
        times.append(np.repeat(copies[part].astype(np.int64), many) * copies[j])
    return np.concatenate(distances), np.concatenate(times)


@dataclass(frozen=True, eq=False)
class PairsOnALine:
    """The n(n−1)/2 distances ``|x_i − x_j|``, i < j.

    ``x (u,)`` are the distinct values in units of 2⁻⁵², rising, ``copies (u,)`` how often each occurs.
    """

    x: Int
    copies: NDArray[np.int32]

    @classmethod
    def of(cls, values: Float) -> "PairsOnALine":
        """From (n,) values in 0..2. Cost O(n log n)."""
        return cls.of_units(in_units(values))

    @classmethod
    def of_units(cls, x: Int) -> "PairsOnALine":
        """From (n,) whole numbers of units, which are sorted in place and kept. Cost O(n log n)."""
        x.sort()
        copies = np.empty(len(x), np.int32)
        u = distinct(x, copies)
        return cls(x[:u], copies[:u])

    @property
    def total(self) -> int:
        """The number of pairs."""
        n = int(self.copies.sum())
        return n * (n - 1) // 2

    def mean(self) -> float:
        """Of all pairs: ``Σ_i (2i − n + 1)·x_(i)`` over their number; 0 if that is at most :data:`SAME`."""
        n = int(self.copies.sum())
        before = np.cumsum(self.copies, dtype=np.int64) - self.copies
        weights = self.copies * (2 * before + self.copies - n)
        # The weights sum to 0, so that any origin will do: one among the values, lest digits cancel.
        average = float(weights @ ((self.x - self.x[len(self.x) // 2]) * _UNIT)) / self.total
        return average if average > SAME else 0.0

    def median(self, diagonal: bool = False, positive: bool = False) -> float:
        """Of all pairs, distances up to :data:`SAME` counting as 0. Cost O(u log u).

        ``diagonal``: of all n² ordered pairs, each point with itself among them. ``positive``:
        of the distances above :data:`SAME` only, 0 if there is none.
        """
        zeros, copies, skipped = 0, 1, 0
        if diagonal:
            zeros, copies = int(self.copies.sum()), 2
        if positive:
            skipped = self._up_to(int(SAME / _UNIT))
            if skipped == self.total:
                return 0.0
        count = zeros + copies * (self.total - skipped)
        ranks = ((count - 1) // 2, count // 2)
        first, second = (max(skipped + (rank - zeros) // copies, 0) for rank in ranks)
        middle = [
            0.0 if rank < zeros else d for rank, d in zip(ranks, self._ranked(first, second), strict=True)
        ]
        return sum(d for d in middle if d > SAME) / 2

    def _up_to(self, d: int) -> int:
        """How many pairs are at most d ≥ 0 apart. Cost O(u); of few values O(u log u), nothing compiled."""
        if len(self.x) <= FEW:
            end = np.searchsorted(self.x, self.x + d, side="right")
            up_to = np.concatenate((np.zeros(1, np.int64), np.cumsum(self.copies, dtype=np.int64)))
            own = self.copies.astype(np.int64)
            return int((own * (up_to[end] - up_to[1:]) + own * (own - 1) // 2).sum())
        return int(pairs_within(loops.read_only(self.x), loops.read_only(self.copies), d))

    def _ranked(self, first: int, second: int) -> tuple[float, float]:
        """The distances of two ranks from 0, ``first ≤ second ≤ first + 1``."""
        low, high = (0, self._up_to(0)), (int(self.x[-1] - self.x[0]), self.total)
        if second < low[1]:
            return 0.0, 0.0
        if first < low[1]:
            return 0.0, self._between(second, second, low, high)[1]
        return self._between(first, second, low, high)

    def _between(
        self, first: int, second: int, low: tuple[int, int], high: tuple[int, int]
    ) -> tuple[float, float]:
        """The same of ranks above one distance and up to another one, each with how many pairs are within it.

        Counting at guesses on either side narrows the range, until few enough pairs are in it to be listed.
        Cost O(u) a guess, of which there are about ten, twice as many as of halving at worst, and O(u log u).
        """
        room, aside, halve = max(_LISTED, 2 * len(self.x)), _ASIDE, False
        (below, before), (up_to, within) = low, high
        while within - before > room and up_to - below > 1:
            inside = within - before
            share = 0.5 if halve else min(max((first + 0.5 - before) / inside + aside, 0.0), 1.0)
            guess = min(max(below + int(share * (up_to - below)), below + 1), up_to - 1)
            count = self._up_to(guess)
            if count <= first:
                below, before = guess, count
            elif count > second:
                up_to, within = guess, count
            else:  # it parts the two
                lower, _ = self._between(first, first, (below, before), (guess, count))
                return lower, self._between(second, second, (guess, count), (up_to, within))[1]
            aside, halve = -aside, not halve and within - before > inside / 2
        if up_to - below <= 1:
            return up_to * _UNIT, up_to * _UNIT
        distances, times = pairs_between(self.x, self.copies, below, up_to)
        order = np.argsort(distances, kind="stable")
        counts = before + np.cumsum(times[order])
        places = np.searchsorted(counts, (first, second), side="right")
        lower, upper = (distances[order[places]] * _UNIT).tolist()
        return lower, upper
