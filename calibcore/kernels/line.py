"""Mean and median of all distances between points on a line, without looking at every pair."""

from dataclasses import dataclass

import numpy as np

from calibcore.predictions import Float, Int

SAME = 1e-12
"""Distances up to this count as 0: lenses add, and the same prediction may be summed in two ways."""
_UNIT = 2.0**-52
"""Values from 0 to 2 are whole multiples of it, or nearly: in these units distances are exact integers."""
_ALWAYS_KEPT = 10_000


@dataclass(frozen=True, eq=False)
class PairsOnALine:
    """The n(n−1)/2 distances ``|x_i − x_j|``, i < j.

    ``x (u,)`` are the distinct values in units of 2⁻⁵², rising, ``copies (u,)`` how often each occurs.
    """

    x: Int
    copies: Int

    @classmethod
    def of(cls, values: Float) -> "PairsOnALine":
        """From (n,) values in 0..2. Cost O(n log n)."""
        return cls(*np.unique(np.rint(values / _UNIT).astype(np.int64), return_counts=True))

    @property
    def total(self) -> int:
        """The number of pairs."""
        n = int(self.copies.sum())
        return n * (n - 1) // 2

    def mean(self) -> float:
        """Of all pairs: ``Σ_i (2i − n + 1)·x_(i)`` over their number; 0 if that is at most :data:`SAME`."""
        n = int(self.copies.sum())
        before = np.cumsum(self.copies) - self.copies
        weights = self.copies * (2 * before + self.copies - n)
        # The weights sum to 0, so that any origin will do: one among the values, lest digits cancel.
        found = float(weights @ ((self.x - self.x[len(self.x) // 2]) * _UNIT)) / self.total
        return found if found > SAME else 0.0

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

    def _reach(self, d: int) -> Int:
        """(u,) how many values are at most ``x_i + d``."""
        return np.asarray(np.searchsorted(self.x, self.x + d, side="right"), np.int64)

    def _up_to(self, d: int) -> int:
        """How many pairs are at most d ≥ 0 apart."""
        return self._pairs_within(self._reach(d))

    def _pairs_within(self, reach: Int) -> int:
        up_to = np.concatenate([[0], np.cumsum(self.copies)])
        return int(self.copies @ (up_to[reach] - up_to[1:]) + (self.copies * (self.copies - 1) // 2).sum())

    def _ranked(self, first: int, second: int) -> tuple[float, float]:
        """The distances of two ranks from 0, ``first ≤ second``: bisected until few pairs are left."""
        low, high = 0, int(self.x[-1] - self.x[0])
        start, stop = self._reach(low), self._reach(high)
        # One distance belongs to at most u pairs of distinct values, so that this ends.
        while (stop - start).sum() > _ALWAYS_KEPT + 2 * len(self.x):
            half = (low + high) // 2
            reach = self._reach(half)
            up_to_half = self._pairs_within(reach)
            if up_to_half > second:
                high, stop = half, reach
            elif up_to_half <= first:
                low, start = half, reach
            else:
                return self._ranked(first, first)[0], self._ranked(second, second)[0]
        # The pairs (i, j) with start_i ≤ j < stop_i, all in one array.
        kept = stop - start
        i = np.repeat(np.arange(len(self.x)), kept)
        j = np.arange(len(i)) - np.repeat(np.cumsum(kept) - kept - start, kept)
        d = self.x[j] - self.x[i]
        order = np.argsort(d)
        up_to = self._pairs_within(start) + np.cumsum((self.copies[i] * self.copies[j])[order])
        found = np.concatenate([[0], d[order]])
        nearer = np.concatenate([[self._pairs_within(start)], up_to])
        one, two = (float(found[np.searchsorted(nearer, k, side="right")]) * _UNIT for k in (first, second))
        return one, two
