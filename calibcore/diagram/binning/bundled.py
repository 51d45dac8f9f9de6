"""The binnings that are bundled."""

import heapq
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import shown
from calibcore.diagram.binning.binning import BINNINGS, Binning, check_number
from calibcore.diagram.binning.ranked import RankedBinning
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.wording import count

ROUNDING = 1e-9
"""A share of the whole that falls short of a bin's edge by so little lies on it."""
EDGE = 1e-12
"""A value this far above an edge lies on it: lenses add, and 0.1 + 0.2 > 0.3."""


def uniform_edges(n_bins: int) -> Float:
    """(n_bins,) right edges: the doubles k/b."""
    return np.arange(1, n_bins + 1) / n_bins


@BINNINGS.enter
@dataclass(frozen=True)
class UniformBinning(Binning):
    """Equal intervals per component, right-closed, 0 in the first (V19 App. B, "fixed-width").

    The smallest k ≥ 1 with p ≤ k/b. Two classes: b bins of the first component,
    numbered 0..b-1. More: a bin is a distinct tuple of intervals, numbered in
    lexicographic order. Cost O(nm), and a sort of n for m ≥ 3.

    >>> import numpy as np
    >>> from calibcore import UniformBinning
    >>> UniformBinning(4).assign(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]]))
    array([3, 3, 1, 1])
    """

    n_bins: int = 10
    kind: ClassVar[str] = "uniform"
    label: ClassVar[str] = "Equally wide"
    size_label: ClassVar[str] = "Bins from 0 to 100 %"
    edge_rule: ClassVar[str] = "a value on an edge belongs to the bin below, 0 to the first"

    def __post_init__(self) -> None:
        check_number(self.n_bins)

    @property
    def inner_edges(self) -> Float:
        """(b − 1,) rising; a component lies in the interval after those that are below it."""
        return uniform_edges(self.n_bins)[:-1] + EDGE

    def assign(self, probs: Float) -> Int:
        edges = self.inner_edges
        if probs.shape[1] == 2:
            return intervals(probs, edges)
        bins = np.zeros(len(probs), np.int64)
        first, largest = 0, 1
        for column in range(probs.shape[1]):
            if largest > 2**62 // self.n_bins:
                _add_intervals(probs, slice(first, column), edges, bins)
                bins, first, largest = numbered(bins), column, len(probs)
            largest *= self.n_bins
        _add_intervals(probs, slice(first, probs.shape[1]), edges, bins)
        return numbered(bins)

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        bins = self.n_bins
        return (
            count(bins, "equal-width bin") if m == 2 else f"{count(bins, 'equal-width interval')} per class"
        )


def intervals(probs: Float, inner_edges: Float) -> Int:
    """(n,) how many of the rising edges, about evenly from 0 to 1, are below the first component."""
    out = np.zeros(len(probs), np.int64)
    _add_intervals(probs, slice(0, 1), inner_edges, out)
    return out


def _add_intervals(probs: Float, columns: slice, inner_edges: Float, keys: Int) -> None:
    """To the keys of all rows, in place, the intervals of some components as further digits."""
    g = loops.read_only(probs)
    loops.in_threads(
        lambda rows: loops.interval_keys(g[rows], columns.start, columns.stop, inner_edges, keys[rows]),
        loops.blocks(len(g)),
    )


def numbered(bins: Int) -> Int:
    """The same bins numbered from 0 without gaps."""
    return np.unique(bins, return_inverse=True)[1].astype(np.int64)


@BINNINGS.enter
@dataclass(frozen=True)
class EqualMassBinning(RankedBinning):
    """Equally many cases a bin, two classes only: bin ⌊b·#{j: x_j < x_i}/n⌋.

    Equal values share a bin, so there may be fewer than b. Cost O(n log n).

    >>> import numpy as np
    >>> from calibcore import EqualMassBinning
    >>> EqualMassBinning(2).assign(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]]))
    array([1, 1, 0, 0])
    """

    kind: ClassVar[str] = "equal-mass"
    label: ClassVar[str] = "Equally many cases"
    called: ClassVar[str] = "equal-mass bin"

    def in_order(self, rising: Float, first: NDArray[np.bool_]) -> Int:
        below = np.maximum.accumulate(np.where(first, np.arange(len(rising)), 0))
        return np.asarray(self.n_bins * below // len(rising), np.int64)


def _component(probs: Float) -> Float:
    """What is split: a two-class problem by its first component only."""
    return loops.read_only(probs[:, :1] if probs.shape[1] == 2 else probs)


def _widest(x: Float, rows: Int) -> tuple[int, float]:
    """(component, sample variance) of the largest variance of ``rows``; ties within 1e-12 go to the first."""
    if len(rows) < 2:
        return 0, 0.0
    variances = np.zeros(x.shape[1])
    loops.add_squares(x, rows, np.zeros(x.shape[1]), variances)
    variances /= len(rows) - 1
    largest = float(variances.max())
    return int(np.argmax(variances >= largest * (1 - 1e-12))), largest


Cuts = tuple[tuple[int, float, bool], ...]
"""How a bin was split off: (component, value, whether it is the side below), cut after cut."""
_Parts = list[tuple[Int, Cuts]]


class Splitting(Binning):
    """Bins that are split off one another along the component of largest variance."""

    adaptive: ClassVar[bool] = True

    def assign(self, probs: Float) -> Int:
        bins = np.empty(len(probs), np.int64)
        for b, (rows, _) in enumerate(self._parts(_component(probs))):
            bins[rows] = b
        return bins

    def cuts(self, probs: Float) -> list[Cuts]:
        """How each bin of ``probs`` was split off, by its number."""
        return [cuts for _, cuts in self._parts(_component(probs))]

    @abstractmethod
    def _parts(self, x: Float) -> _Parts:
        """The rows of each bin of (n, 1 or m) components, and how it was split off."""


@BINNINGS.enter
@dataclass(frozen=True)
class MedianVarianceBinning(Splitting):
    """Split the bin of largest variance at its median (CalibrationErrors.jl `MedianVarianceBinning`).

    Of all bins the one whose largest per-component sample variance is largest
    (ties: the older) is split at the upper median of that component, "<" below
    and the rest above. A split that leaves a side under ``min_size`` is not
    made, and that bin is final. Cost O(nm log n) for balanced splits.

    >>> import numpy as np
    >>> from calibcore import MedianVarianceBinning
    >>> MedianVarianceBinning(min_size=2).assign(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]]))
    array([1, 1, 0, 0])
    """

    min_size: int = 100
    max_bins: int | None = None
    kind: ClassVar[str] = "median-variance"
    label: ClassVar[str] = "Split at the median"
    size_label: ClassVar[str] = "Fewest cases in a bin"
    edge_rule: ClassVar[str] = "each split puts values below the median on one side, the others on the other"
    syntax: ClassVar[str] = ":SIZE[:MAX]"

    def __post_init__(self) -> None:
        if self.min_size < 1:
            raise InputError(f"The smallest bin size is {shown(self.min_size)}; expected 1 or more.")
        if self.max_bins is not None:
            check_number(self.max_bins)

    def _parts(self, x: Float) -> _Parts:
        final: _Parts = []
        # Largest variance first, then the older: (-variance, age, component, rows, cuts).
        heap: list[tuple[float, int, int, Int, Cuts]] = []
        born = 0

        def add(rows: Int, cuts: Cuts) -> None:
            nonlocal born
            component, variance = _widest(x, rows)
            # Rounded, or the order of the rows would decide between bins of equal variance.
            heapq.heappush(heap, (-float(f"{variance:.11e}"), born, component, rows, cuts))
            born += 1

        add(np.arange(len(x)), ())
        while heap and (self.max_bins is None or len(heap) + len(final) < self.max_bins):
            _, _, component, rows, cuts = heapq.heappop(heap)
            values = x[rows, component]
            median = float(np.partition(values, len(values) // 2)[len(values) // 2])
            below = values < median
            n_below = int(np.count_nonzero(below))
            if min(n_below, len(rows) - n_below) < self.min_size:
                final.append((rows, cuts))
            else:
                add(rows[below], (*cuts, (component, median, True)))
                add(rows[~below], (*cuts, (component, median, False)))
        return final + [(rows, cuts) for _, _, _, rows, cuts in heap]

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        limit = "" if self.max_bins is None else f", {self.max_bins:,} at most"
        return f"bins split at the median, {count(self.min_size, noun)} or more each{limit}"

    @classmethod
    def suggested(cls, n: int) -> "MedianVarianceBinning":
        return cls(min(100, max(10, n // 20)))


@BINNINGS.enter
@dataclass(frozen=True)
class MeanVarianceBinning(Splitting):
    """Split at the mean of the component of largest variance (V19 App. B, threshold 1000 there).

    As long as a bin holds at least ``threshold`` cases; a bin whose split would
    leave a side empty is final. Cost O(nm log n) for balanced splits.

    >>> import numpy as np
    >>> from calibcore import MeanVarianceBinning
    >>> MeanVarianceBinning(threshold=3).assign(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]]))
    array([1, 1, 0, 0])
    """

    threshold: int = 1000
    kind: ClassVar[str] = "mean-variance"
    label: ClassVar[str] = "Split at the mean"
    size_label: ClassVar[str] = "Split while a bin holds"
    edge_rule: ClassVar[str] = "each split puts values below the mean on one side, the others on the other"
    syntax: ClassVar[str] = ":SIZE"
    smallest: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.threshold < 2:
            raise InputError(f"The threshold is {shown(self.threshold)}; expected 2 or more.")

    def _parts(self, x: Float) -> _Parts:
        waiting: _Parts = [(np.arange(len(x)), ())]
        final: _Parts = []
        while waiting:
            rows, cuts = waiting.pop()
            component, _ = _widest(x, rows)
            # The floating mean of 0.1, 0.2, 0.3 exceeds 0.2 in one order of the rows and not in another, and
            # that of equal values can exceed them all. An empty side ends the splitting.
            mean = float(x[rows, component].mean()) - EDGE
            below = x[rows, component] < mean
            if len(rows) < self.threshold or not below.any():
                final.append((rows, cuts))
            else:
                waiting.append((rows[~below], (*cuts, (component, mean, False))))
                waiting.append((rows[below], (*cuts, (component, mean, True))))
        return final

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        return f"bins split at the mean while they hold {count(self.threshold, noun)}"


@BINNINGS.enter
@dataclass(frozen=True)
class SimplexBinning(Binning):
    """Three classes: the triangle cut into k² equal triangles (V19 Fig. 1 shows 25 and 100).

    With a = min(⌊k p₁⌋, k−1) and b = min(⌊k p₂⌋, k−1−a) a point is in the
    triangle "up" at (a, b) if a + b = k−1 or its remainders sum to at most 1,
    else in "down". Bin number 2(ak + b), and one more for "down". Cost O(n log k).

    >>> import numpy as np
    >>> from calibcore import SimplexBinning
    >>> SimplexBinning(2).assign(np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3]]))
    array([4, 1])
    """

    k: int = 10
    kind: ClassVar[str] = "simplex"
    label: ClassVar[str] = "Triangles"
    size_label: ClassVar[str] = "Cuts per side"
    edge_rule: ClassVar[str] = "a point on an edge belongs to the upright triangle beside it"
    syntax: ClassVar[str] = ":K"

    def __post_init__(self) -> None:
        check_number(self.k)

    def fits(self, m: int) -> bool:
        return m == 3

    def assign(self, probs: Float) -> Int:
        if probs.shape[1] != 3:
            raise InputError(
                f"Simplex bins need three classes; this lens has {probs.shape[1]}. "
                "Uniform and median-variance bins take any number."
            )
        k = self.k
        edges = uniform_edges(k)
        a = np.minimum(np.searchsorted(edges, probs[:, 0], side="right"), k - 1)
        b = np.minimum(np.searchsorted(edges, probs[:, 1], side="right"), k - 1 - a)
        remainders = (k * probs[:, 0] - a) + (k * probs[:, 1] - b)
        down = (a + b < k - 1) & (remainders > 1 + k * EDGE)  # 0.17 + 0.13 lies on the edge at 0.3
        return np.asarray(2 * (a * k + b) + down, np.int64)

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        return count(self.k * self.k, "triangle")

    @classmethod
    def suggested(cls, n: int) -> "SimplexBinning":
        return cls(5)


@BINNINGS.enter
@dataclass(frozen=True)
class EquallyUncertainBinning(RankedBinning):
    """Equally many less likely outcomes expected in a bin, two classes only: bin ⌊b·W(x_i)/W⌋.

    W(x) is the sum of min(x_j, 1 − x_j) over the cases with x_j < x, W that over all. Where an event is rare,
    bins of equally many cases put every case that may have it into the last bin; these spread such cases out
    and put those that are as good as certain together. Equal values share a bin, so there may be fewer than
    b; where all are certain there is one. Cost O(n log n).

    >>> import numpy as np
    >>> from calibcore import EquallyUncertainBinning
    >>> EquallyUncertainBinning(2).assign(np.array([[0.5, 0.5], [0.1, 0.9], [0.2, 0.8], [0.1, 0.9]]))
    array([0, 0, 0, 0])
    >>> EquallyUncertainBinning(3).assign(np.array([[0.5, 0.5], [0.1, 0.9], [0.2, 0.8], [0.1, 0.9]]))
    array([1, 0, 0, 0])
    """

    kind: ClassVar[str] = "equally-uncertain"
    label: ClassVar[str] = "Equally uncertain"
    called: ClassVar[str] = "equally uncertain bin"

    def in_order(self, rising: Float, first: NDArray[np.bool_]) -> Int:
        upto = np.cumsum(np.minimum(rising, 1 - rising))
        total = upto[-1]
        if total <= 0:
            return np.zeros(len(rising), np.int64)
        # Equal values have what lies below the first of them.
        below = np.maximum.accumulate(np.where(first, np.concatenate([[0.0], upto[:-1]]), 0.0))
        bins = np.minimum(self.n_bins * (below / total) + ROUNDING, self.n_bins - 1)
        return np.asarray(bins, np.int64)
