"""ECE of every class by itself, and of the confidence given the predicted class."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, UniformBinning, numbered
from calibcore.diagram.bins import Cells, in_parts
from calibcore.diagram.two_classes import check_one_dimensional
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Labels


@dataclass(frozen=True)
class ClasswiseECE(Estimator):
    """Mean over the m classes of the ECE of (one class, all others): class-wise calibration (V19 eq. 3).

    ``1/m Σ_k Σ_b (n_kb/n)·|r̂_kb − ḡ_kb|``, the bins of class k made from its
    probability alone; |·| is total variation between two classes. Nixon et al.
    2019 call it static calibration error, Kull et al. 2019 classwise-ECE.
    A number in 0..1. Cost O(nm) beside the binning.
    """

    binning: Binning = UniformBinning(10)

    def __post_init__(self) -> None:
        check_one_dimensional(self.binning, "Classwise ECE")

    def prepared(self, predictions: Predictions) -> Prepared:
        """The bins of every class once; then (B, n) labels -> (B,), O(n) a redraw whatever m is."""
        n, m = predictions.n, predictions.m
        cell = np.empty((n, m), np.int64)
        expected = []
        n_cells = 0
        for k, p in enumerate(predictions.probs.T):
            rest = predictions.probs.sum(axis=1) - p
            index = numbered(self.binning.assign(np.column_stack([p, rest])))
            expected.append(np.bincount(index, p))
            cell[:, k] = n_cells + index
            n_cells += len(expected[-1])
        sums = np.concatenate(expected)
        rows = np.arange(n)

        def evaluate(labels: Labels, _progress: Progress | None) -> Float:
            parts = []
            for part in in_parts(labels, n_cells):
                observed = cell[rows, part] + n_cells * np.arange(len(part))[:, None]
                hits = np.bincount(observed.ravel(), minlength=len(part) * n_cells)
                parts.append(np.abs(hits.reshape(len(part), n_cells) - sums).sum(axis=1) / (n * m))
            return np.concatenate(parts)

        return Prepared(evaluate)


@dataclass(frozen=True)
class TopLabelECE(Estimator):
    """``Σ_{k,b} (n_kb/n)·|accuracy − mean confidence|``, given the predicted class k (Gupta & Ramdas 2022).

    The confidence is binned within each predicted class, so that one class that
    is too sure and one that is too modest do not cancel. Without "given the
    class" it is the ECE of confidence. Ties of the largest go to the lower class.
    A number in 0..1. Cost O(nm) beside the binning.
    """

    binning: Binning = UniformBinning(10)

    def __post_init__(self) -> None:
        check_one_dimensional(self.binning, "Top-label ECE")

    def prepared(self, predictions: Predictions) -> Prepared:
        """The bins within each predicted class once; then (B, n) labels -> (B,)."""
        g = predictions.probs
        predicted = likeliest(g)
        confidence = g[np.arange(predictions.n), predicted]
        index = np.empty(predictions.n, np.int64)
        n_cells = 0
        for k in np.unique(predicted):
            rows = np.flatnonzero(predicted == k)
            p = confidence[rows]
            bins = numbered(self.binning.assign(np.column_stack([p, g[rows].sum(axis=1) - p])))
            index[rows] = n_cells + bins
            n_cells += int(bins.max()) + 1
        cells = Cells(index, np.bincount(index))
        expected = cells.sums(confidence)

        def evaluate(labels: Labels, _progress: Progress | None) -> Float:
            parts = [
                np.abs(cells.sums(part == predicted) - expected).sum(axis=1) / predictions.n
                for part in in_parts(labels, n_cells)
            ]
            return np.concatenate(parts)

        return Prepared(evaluate)
