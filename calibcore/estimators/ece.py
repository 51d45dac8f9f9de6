"""Binned estimators of the calibration error (V19 eq. 6)."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import Binning, UniformBinning
from calibcore.diagram.bins import Bins, bins_of, hit_laws, uniform_pairs, weighted_bins
from calibcore.estimators import Draw, Estimator, Prepared, Progress
from calibcore.numerics import distances
from calibcore.numerics.resampling import drawn_counts
from calibcore.numerics.types import Float, Int, Labels

_DRAWN_CELLS = 1_000_000


@dataclass(frozen=True)
class _Binned(Estimator):
    """What sums up the distances of bins."""

    binning: Binning = UniformBinning(10)
    distance: str = distances.DEFAULT

    def __call__(self, predictions: Predictions) -> float:
        """A number ≥ 0, at most the largest distance there is. Cost O(nm) beside the binning.

        Weighted cases: weighted means per bin, bins by their share of the weight.
        """
        if predictions.weights is not None:
            bins, observed, shares = weighted_bins(predictions, predictions.weights, self.binning)
            return float(self.of_bins(observed, bins.mean_prediction, shares))
        if predictions.m == 2 and isinstance(self.binning, UniformBinning):
            counts, predicted, observed = uniform_pairs(predictions, self.binning)
            return float(self.of_bins(observed, predicted, counts))
        return super().__call__(predictions)

    def prepared(self, predictions: Predictions) -> Prepared:
        """Bins once; then (B, n) labels -> (B,), or with two classes (B,) from the law of each bin's hits.

        Given the predictions, the bins' numbers of hits are independent and Poisson-binomial, and they are
        all of the labels that counts: B draws cost O(B n_bins) after O(n log n). Weighted predictions
        are refused.
        """
        refuse_weights(predictions)
        bins = bins_of(predictions.probs, self.binning)
        draw = self._from_laws(predictions, bins) if predictions.m == 2 else None
        return Prepared(lambda labels, _: self.of_labels(labels, bins), draw=draw)

    def _from_laws(self, predictions: Predictions, bins: Bins) -> Draw:
        @cache
        def laws() -> list[Float]:
            return [np.cumsum(law) for law in hit_laws(predictions, self.binning, bins)]

        def draw(n_resamples: int, rng: np.random.Generator, _: Progress | None = None) -> Float:
            return self.of_drawn_hits(laws(), 0, bins, n_resamples, rng)

        return draw

    def of_drawn_hits(
        self,
        cumulated: Sequence[Float],
        firsts: Int | int,
        bins: Bins,
        n_resamples: int,
        rng: np.random.Generator,
    ) -> Float:
        """(B,) of two classes, hits drawn from each bin's cumulated law, which begins with so many."""
        block = max(1, _DRAWN_CELLS // bins.n_bins)
        sizes = [min(block, n_resamples - start) for start in range(0, n_resamples, block)]
        hits = (firsts + drawn_counts(cumulated, size, rng) for size in sizes)
        return np.concatenate([self.of_frequencies(bins.frequencies_of_hits(h), bins) for h in hits])

    def of_frequencies(self, frequencies: Float, bins: Bins) -> Float:
        """(…, n_bins, m) in bins that hold cases -> (…)."""
        return self.of_bins(frequencies, bins.mean_prediction, bins.counts)

    def of_labels(self, labels: Labels, bins: Bins) -> Float:
        """(B, n) labels -> (B,) over the same bins, in threads."""
        return bins.of_distances(labels, lambda far: self.summary(far, bins.counts), self.distance)

    def of_bins(self, observed: Float, predicted: Float, counts: NDArray[Any]) -> Float:
        """(…, n_bins, m) frequencies and mean predictions, (…, n_bins) cases -> (…).

        A bin of no cases has zeros for both.
        """
        return self.summary(distances.distance(self.distance)(observed, predicted), counts)

    @abstractmethod
    def summary(self, per_bin: Float, counts: NDArray[Any]) -> Float:
        """(…, n_bins) distances of bins and their cases -> (…)."""


@dataclass(frozen=True)
class ECE(_Binned):
    r"""Expected calibration error (V19 eq. 6), over bins b of n_b cases.

    $$\mathrm{ECE}_d = \sum_b \frac{n_b}{n}\, d(\hat r_b, \bar g_b)$$

    r̂_b are the observed frequencies of the classes in a bin, ḡ_b the mean predictions, d a distance.
    It has no scale of its own: biased upwards for calibrated models, and with
    fixed bins downwards, asymptotically, for others (V19 Thm 2). Read it beside
    its level under calibration.

    >>> from calibcore import ECE, Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["a", "b", "b"])
    >>> round(ECE()(p), 3)
    0.4
    """

    def summary(self, per_bin: Float, counts: NDArray[Any]) -> Float:
        # Not a matrix product: its last bits depend on how many rows there are.
        return np.asarray((per_bin * (counts / counts.sum(axis=-1, keepdims=True))).sum(axis=-1))


@dataclass(frozen=True)
class MCE(_Binned):
    r"""Maximum calibration error, over the bins that hold cases; letters as for :class:`ECE`.

    $$\mathrm{MCE}_d = \max_b d(\hat r_b, \bar g_b)$$

    A bin of one case often decides it.

    >>> from calibcore import MCE, Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["a", "b", "b"])
    >>> round(MCE()(p), 3)
    0.8
    """

    def summary(self, per_bin: Float, counts: NDArray[Any]) -> Float:
        return np.asarray(per_bin.max(axis=-1))
