"""Weighted cases: they give estimates, and no redraws, as nothing says how their outcomes vary together."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.numerics.types import Float, Int


@dataclass(frozen=True, eq=False)
class WeightedBins:
    """Bins in which a case counts by its weight.

    ``index (n,)``, ``numbers`` and ``counts (n_bins,)`` as in :class:`~calibcore.diagram.bins.Bins`, the
    counts without weights; ``shares (n_bins,)`` of all weight; ``mean_prediction`` and ``observed``
    (n_bins, m) are weighted means.
    """

    index: Int
    numbers: Int
    counts: Int
    shares: Float
    mean_prediction: Float
    observed: Float


def weighted_bins(predictions: Predictions, binning: Binning) -> WeightedBins:
    """The bins that hold cases; weights do not move their edges. Cost O(nm) beside the binning's own."""
    w = np.ones(predictions.n) if predictions.weights is None else predictions.weights
    numbers, index = np.unique(binning.assign(predictions.probs), return_inverse=True)
    size = len(numbers)
    mass = np.bincount(index, w, minlength=size)

    def means(values: Float) -> Float:
        sums = [np.bincount(index, w * column, minlength=size) for column in values.T]
        return np.column_stack(sums) / mass[:, None]

    return WeightedBins(
        index.astype(np.int64),
        numbers.astype(np.int64),
        np.bincount(index, minlength=size).astype(np.int64),
        mass / mass.sum(),
        means(predictions.probs),
        means(predictions.onehot()),
    )
