"""How predictions of two classes are spread, and how to look where most of them are nearly sure."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    Binning,
    EquallyUncertainBinning,
    MedianVarianceBinning,
    UniformBinning,
)
from calibcore.numerics.types import Float, Int

MOST_TOGETHER = 0.7
"""A tenth of the axis that holds so many of the cases hides how they differ."""
LEAST_TOGETHER = 100
"""Fewer cases than these have too little to show in finer bins."""
INTERVALS = 40
ENDS = (0.005, 0.995)
"""Shares between which the intervals of log-odds lie: of the cases, or where events are rare of the less
likely outcomes that are expected."""
NEAREST: Final = 1e-6
"""To 0 and 1 that has a place on an axis of log-odds, where both are infinitely far away."""
SPREAD_BINS = 15
RARE = 0.95
"""Where a tenth of the axis holds more than this share of the cases, medians fall among them alone."""
FEWEST_RARE = 5
EXPECTED_A_BIN = 8
"""Less likely outcomes that a bin of rare events expects at least, down to :data:`FEWEST_RARE` bins."""


@dataclass(frozen=True, eq=False)
class Spread:
    """Where first-class predictions lie.

    Attributes
    ----------
    n : cases
    tenth : of ten equal-width intervals the one that holds most cases, from 0
    together : the cases in it
    edges : (41,) rising probabilities, evenly apart in log-odds
    counts : (40,) cases between them; the first and the last hold all beyond
    uncertain : how many outcomes are expected to be the less likely of the two
    """

    n: int
    tenth: int
    together: int
    edges: Float
    counts: Int
    uncertain: float

    @property
    def share(self) -> float:
        """Of the cases in the fullest tenth."""
        return self.together / self.n

    @property
    def crowded(self) -> bool:
        """Whether one of ten equal-width bins holds most cases, and they differ."""
        enough = self.together >= LEAST_TOGETHER and self.share >= MOST_TOGETHER
        return bool(enough and self.edges[0] < self.edges[-1])

    @property
    def rare(self) -> bool:
        """Whether all but a few cases lie together, as where one class of many is looked at."""
        return self.crowded and self.share > RARE


def spread_of(predictions: Predictions) -> Spread:
    """How the first class's predictions are spread. Cost O(n log n). Labels are not looked at."""
    p = predictions.probs[:, 0]
    tenths = np.bincount(UniformBinning(10).assign(predictions.probs), minlength=10)
    fullest = int(tenths.argmax())
    places, uncertain = log_odds(p), np.minimum(p, 1 - p)
    rare = tenths[fullest] > RARE * predictions.n
    weights = uncertain if rare and uncertain.any() else None
    low, high = np.quantile(places, ENDS, method="inverted_cdf", weights=weights)
    edges = np.linspace(low, high, INTERVALS + 1)
    inside = np.clip(np.searchsorted(edges, places, side="right") - 1, 0, INTERVALS - 1)
    return Spread(
        predictions.n,
        fullest,
        int(tenths[fullest]),
        1 / (1 + np.exp(-edges)),
        np.bincount(inside, minlength=INTERVALS).astype(np.int64),
        float(uncertain.sum()),
    )


def log_odds(probs: Float) -> Float:
    """log(p/(1 − p)), of probabilities no nearer to 0 and 1 than :data:`NEAREST`."""
    p = np.clip(probs, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p) - np.log1p(-p))


def spread_binning(spread: Spread) -> Binning:
    """Bins that are fine where predictions differ most, none of them of few cases.

    Where events are rare they are few where nearly all cases have next to no chance of one: medians would
    put the others, which say what there is to see, into the last bin.
    """
    if spread.rare:
        return EquallyUncertainBinning(
            min(SPREAD_BINS, max(FEWEST_RARE, int(spread.uncertain / EXPECTED_A_BIN)))
        )
    return MedianVarianceBinning(MedianVarianceBinning.suggested(spread.n).min_size, SPREAD_BINS)
