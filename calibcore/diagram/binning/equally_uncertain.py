"""Bins for rare events: each expects as many outcomes that its predictions call the less likely."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.diagram.binning.binning import BINNINGS
from calibcore.diagram.binning.ranked import RankedBinning
from calibcore.numerics.types import Float, Int

ROUNDING = 1e-9
"""A share of the whole that falls short of a bin's edge by so little lies on it."""


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
        whole = upto[-1]
        if whole <= 0:
            return np.zeros(len(rising), np.int64)
        # Equal values have what lies below the first of them.
        below = np.maximum.accumulate(np.where(first, np.concatenate([[0.0], upto[:-1]]), 0.0))
        bins = np.minimum(self.n_bins * (below / whole) + ROUNDING, self.n_bins - 1)
        return np.asarray(bins, np.int64)
