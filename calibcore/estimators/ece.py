"""Binned estimators of the calibration error (V19 eq. 6)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore import distances
from calibcore.binning import Binning, UniformBinning
from calibcore.estimators import Prepared, Redrawable
from calibcore.predictions import Float, Predictions
from calibcore.reliability import Bins, bins_of
from calibcore.weighted import refuse_weights, weighted_bins


@dataclass(frozen=True)
class ECE(Redrawable):
    """Expected calibration error ``Σ_b (n_b/n) d(r̂_b, ḡ_b)`` (V19 eq. 6).

    It has no scale of its own: biased upwards for calibrated models, and with
    fixed bins downwards, asymptotically, for others (V19 Thm 2). Read it beside
    its level under calibration.
    """

    binning: Binning = UniformBinning(10)
    distance: str = distances.DEFAULT

    def __call__(self, predictions: Predictions) -> float:
        """A number ≥ 0, at most the largest distance there is. Cost O(nm) beside the binning.

        Weighted cases: weighted means per bin, bins by their share of the weight.
        """
        if predictions.weights is not None:
            bins = weighted_bins(predictions, self.binning)
            d = distances.distance(self.distance)
            return float(d(bins.observed, bins.mean_prediction) @ bins.shares)
        return float(self.redrawn(predictions, predictions.labels[None])[0])

    def prepared(self, predictions: Predictions) -> Prepared:
        """Bins once; then (B, n) labels -> (B,). Weighted predictions are refused."""
        refuse_weights(predictions)
        bins = bins_of(predictions.probs, self.binning)
        return Prepared(lambda labels, _progress: self.from_bins(bins, labels))

    def from_bins(self, bins: Bins, labels: NDArray[np.integer]) -> Float:
        """The same for bins that are there already, (B, n) -> (B,)."""
        return _deviations(bins, labels, self.distance, "sum")


@dataclass(frozen=True)
class MCE(Redrawable):
    """Maximum calibration error ``max_b d(r̂_b, ḡ_b)`` over the bins that hold cases."""

    binning: Binning = UniformBinning(10)
    distance: str = distances.DEFAULT

    def __call__(self, predictions: Predictions) -> float:
        """A number ≥ 0; a bin of one case often decides it. Cost O(nm) beside the binning."""
        if predictions.weights is not None:
            bins = weighted_bins(predictions, self.binning)
            return float(distances.distance(self.distance)(bins.observed, bins.mean_prediction).max())
        return float(self.redrawn(predictions, predictions.labels[None])[0])

    def prepared(self, predictions: Predictions) -> Prepared:
        """Bins once; then (B, n) labels -> (B,). Weighted predictions are refused."""
        refuse_weights(predictions)
        bins = bins_of(predictions.probs, self.binning)
        return Prepared(lambda labels, _progress: _deviations(bins, labels, self.distance, "max"))


def _deviations(bins: Bins, labels: NDArray[np.integer], name: str, summary: str) -> Float:
    """(B, n) labels -> (B,) sum weighted by counts, or maximum, of the bins' distances."""
    d = distances.distance(name)
    weights = bins.counts / bins.counts.sum()
    parts = []
    for some in bins.in_parts(labels):
        per_bin = d(bins.frequencies(some), bins.mean_prediction)
        parts.append(per_bin @ weights if summary == "sum" else per_bin.max(axis=-1))
    return np.concatenate(parts)
