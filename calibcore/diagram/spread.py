"""How predictions of two classes are spread, and how to look where most of them are nearly sure."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, MedianVarianceBinning, UniformBinning
from calibcore.numerics.types import Float, Int

MOST_TOGETHER = 0.7
"""A tenth of the axis that holds so many of the cases hides how they differ."""
LEAST_TOGETHER = 100
"""Fewer cases than these have too little to show in finer bins."""
INTERVALS = 40
ENDS = (0.005, 0.995)
"""Shares of the cases between which the intervals of log-odds lie."""
NEAREST: Final = 1e-6
"""To 0 and 1 that has a place on an axis of log-odds, where both are infinitely far away."""
SPREAD_BINS = 15


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
    """

    n: int
    tenth: int
    together: int
    edges: Float
    counts: Int

    @property
    def share(self) -> float:
        """Of the cases in the fullest tenth."""
        return self.together / self.n

    @property
    def crowded(self) -> bool:
        """Whether one of ten equal-width bins holds most cases, and they differ."""
        enough = self.together >= LEAST_TOGETHER and self.share >= MOST_TOGETHER
        return bool(enough and self.edges[0] < self.edges[-1])


def spread_of(predictions: Predictions) -> Spread:
    """How the first class's predictions are spread. Cost O(n log n). Labels are not looked at."""
    p = predictions.probs[:, 0]
    tenths = np.bincount(UniformBinning(10).assign(predictions.probs), minlength=10)
    fullest = int(tenths.argmax())
    places = log_odds(p)
    low, high = np.quantile(places, ENDS, method="inverted_cdf")
    edges = np.linspace(low, high, INTERVALS + 1)
    inside = np.clip(np.searchsorted(edges, places, side="right") - 1, 0, INTERVALS - 1)
    return Spread(
        predictions.n,
        fullest,
        int(tenths[fullest]),
        1 / (1 + np.exp(-edges)),
        np.bincount(inside, minlength=INTERVALS).astype(np.int64),
    )


def log_odds(probs: Float) -> Float:
    """log(p/(1 − p)), of probabilities no nearer to 0 and 1 than :data:`NEAREST`."""
    p = np.clip(probs, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p) - np.log1p(-p))


def spread_binning(n: int) -> Binning:
    """Bins that are fine where predictions differ most, none of them of few cases."""
    return MedianVarianceBinning(MedianVarianceBinning.suggested(n).min_size, SPREAD_BINS)
