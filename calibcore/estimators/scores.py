"""Proper scores and accuracy: how good the predictions are, calibrated or not."""

import numpy as np

from calibcore.predictions import Predictions

_SMALLEST = float(np.nextafter(0.0, 1.0))


def accuracy(predictions: Predictions) -> float:
    """Share of cases whose largest probability is that of the outcome; ties to the lower class index."""
    return float(np.mean(predictions.probs.argmax(axis=1) == predictions.labels))


def brier(predictions: Predictions) -> float:
    """Brier score ``mean_i Σ_k (g_ik − 1[y_i = k])²``, summed over classes; in 0..2."""
    residuals = predictions.onehot() - predictions.probs
    return float(np.mean(np.square(residuals).sum(axis=1)))


def log_loss(predictions: Predictions) -> float:
    """``−mean_i log g_i,y_i`` in nats; a probability of 0 counts as the smallest double (744.4 nats)."""
    p = predictions.probs[np.arange(predictions.n), predictions.labels]
    return float(-np.mean(np.log(np.maximum(p, _SMALLEST))))
