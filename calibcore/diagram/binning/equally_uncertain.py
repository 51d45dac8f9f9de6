"""Bins for rare events: each expects as many outcomes that its predictions call the less likely."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.diagram.binning.binning import BINNINGS, Binning, check_number
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.wording import count

ROUNDING = 1e-9
"""A share of the whole that falls short of a bin's edge by so little lies on it."""


@BINNINGS.enter
@dataclass(frozen=True)
class EquallyUncertainBinning(Binning):
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

    n_bins: int = 15
    kind: ClassVar[str] = "equally-uncertain"
    label: ClassVar[str] = "Equally uncertain"
    size_label: ClassVar[str] = "Number of bins"
    edge_rule: ClassVar[str] = "equal values share a bin"
    adaptive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_number(self.n_bins)

    def fits(self, m: int) -> bool:
        return m == 2

    def assign(self, probs: Float) -> Int:
        if probs.shape[1] != 2:
            raise InputError(
                f"Equally uncertain bins need a lens with two classes; this one has {probs.shape[1]}. "
                "Uniform and median-variance bins take any number."
            )
        order = np.argsort(probs[:, 0])
        rising = probs[order, 0]
        upto = np.cumsum(np.minimum(rising, 1 - rising))
        whole = upto[-1]
        if whole <= 0:
            return np.zeros(len(probs), np.int64)
        # Equal values have what lies below the first of them.
        first = np.diff(rising, prepend=-1.0) > 0
        below = np.maximum.accumulate(np.where(first, np.concatenate([[0.0], upto[:-1]]), 0.0))
        bins = np.empty(len(probs), np.int64)
        bins[order] = np.minimum(self.n_bins * (below / whole) + ROUNDING, self.n_bins - 1).astype(np.int64)
        return bins

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        return count(self.n_bins, "equally uncertain bin")
