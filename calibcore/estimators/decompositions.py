"""Scores split by bins: reliability, resolution, uncertainty, and what happens within the bins."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import Bins, bins_of
from calibcore.estimators.scores import SMALLEST, log_losses, squared_errors
from calibcore.numerics import loops
from calibcore.numerics.distances import squared_euclidean
from calibcore.numerics.types import Float

_NUMBERS = 1 << 20
"""Predictions times classes that are looked at together, so that nothing as large as all of them is made."""


@dataclass(frozen=True)
class BinnedBrier:
    """``score = reliability − resolution + uncertainty + within_bin_variance − within_bin_covariance``.

    Murphy's three terms leave out what binning hides (Stephenson, Coelho & Jolliffe
    2008, here summed over classes); with the last two the sum is exact.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float


@dataclass(frozen=True)
class BinnedLogLoss:
    """``score = reliability − resolution + uncertainty + within_bins``, in nats.

    ``within_bins`` is what the bin's mean prediction would have saved or lost,
    mean ``log(ḡ_b,y / g_i,y)``; it may have either sign.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def binned_brier(predictions: Predictions, binning: Binning) -> BinnedBrier:
    """Brier score (summed over classes) split by bins. Cost O(nm) beside the binning.

    With bins b, mean prediction ḡ_b, observed r̂_b and overall ȳ: reliability
    ``Σ n_b/n ‖r̂_b − ḡ_b‖²``, resolution ``Σ n_b/n ‖r̂_b − ȳ‖²``, uncertainty
    ``Σ_k ȳ_k(1 − ȳ_k)``, within-bin variance ``mean ‖g_i − ḡ_b‖²``, within-bin
    covariance ``2·mean ⟨g_i − ḡ_b, e_y − r̂_b⟩``.
    """
    bins, observed, weights, base = _parts(predictions, binning)
    variance = covariance = 0.0
    for rows in loops.blocks(predictions.n, max(1, _NUMBERS // predictions.m)):
        off_mean = predictions.probs[rows] - bins.mean_prediction[bins.index[rows]]
        off_observed = -observed[bins.index[rows]]
        off_observed[np.arange(len(off_observed)), predictions.labels[rows]] += 1.0
        variance += float(np.square(off_mean).sum())
        covariance += float(np.vdot(off_mean, off_observed))
    return BinnedBrier(
        float(squared_errors(predictions).mean()),
        float(weights @ squared_euclidean(observed, bins.mean_prediction)),
        float(weights @ squared_euclidean(observed, base)),
        float((base * (1 - base)).sum()),
        variance / predictions.n,
        2 * covariance / predictions.n,
    )


def binned_log_loss(predictions: Predictions, binning: Binning) -> BinnedLogLoss:
    """Log loss split by bins. Cost O(nm) beside the binning.

    Reliability ``Σ n_b/n KL(r̂_b ‖ ḡ_b)``, resolution ``Σ n_b/n KL(r̂_b ‖ ȳ)``,
    uncertainty the entropy of ȳ. A probability of 0 counts as the smallest
    double, as in :func:`~calibcore.estimators.scores.log_losses`; so a bin in
    which something happened that no case thought possible costs 744.4 nats a case.
    """
    bins, observed, weights, base = _parts(predictions, binning)
    score = float(log_losses(predictions).mean())
    entropy = -float((base * _log(base)).sum())
    reliability = float(weights @ _divergence(observed, bins.mean_prediction))
    resolution = float(weights @ _divergence(observed, base))
    predicted = bins.mean_prediction[bins.index, predictions.labels]
    within = score + float(_log(predicted).mean())
    return BinnedLogLoss(score, reliability, resolution, entropy, within)


def _parts(predictions: Predictions, binning: Binning) -> tuple[Bins, Float, Float, Float]:
    """The bins, (b, m) observed in each, (b,) their shares of the cases, and (m,) observed in all."""
    refuse_weights(predictions)
    bins, n = bins_of(predictions.probs, binning), predictions.n
    return bins, bins.frequencies(predictions.labels), bins.counts / n, predictions.class_counts / n


def _log(p: Float) -> Float:
    return np.log(np.maximum(p, SMALLEST))


def _divergence(p: Float, q: Float) -> Float:
    """``Σ_k p_k log(p_k/q_k)`` along the last axis, 0·log 0 = 0."""
    return np.asarray((p * (_log(p) - _log(q))).sum(axis=-1))
