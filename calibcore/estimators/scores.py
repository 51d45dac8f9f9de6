"""Proper scores and accuracy: how good the predictions are, calibrated or not."""

import numpy as np

from calibcore.predictions import Float, Predictions

SMALLEST = float(np.nextafter(0.0, 1.0))
"""What a probability of 0 counts as in the log loss: 2⁻¹⁰⁷⁴."""


def hits(predictions: Predictions) -> Float:
    """(n,) 1 where the largest probability is that of the outcome, else 0; ties to the lower class index."""
    return np.asarray(predictions.probs.argmax(axis=1) == predictions.labels, np.float64)


def squared_errors(predictions: Predictions) -> Float:
    """(n,) ``Σ_k (g_ik − 1[y_i = k])²``, summed over classes; in 0..2."""
    return np.asarray(np.square(predictions.onehot() - predictions.probs).sum(axis=1))


def log_losses(predictions: Predictions) -> Float:
    """(n,) ``−log g_i,y_i`` in nats; a probability of 0 counts as the smallest double (744.4 nats)."""
    p = predictions.probs[np.arange(predictions.n), predictions.labels]
    return np.asarray(-np.log(np.maximum(p, SMALLEST)))


def spherical_scores(predictions: Predictions) -> Float:
    """(n,) ``g_i,y_i / ‖g_i‖₂`` (Roby 1965); in 0..1, larger is better."""
    g = predictions.probs
    return np.asarray(g[np.arange(predictions.n), predictions.labels] / np.sqrt(np.square(g).sum(axis=1)))


def accuracy(predictions: Predictions) -> float:
    """Share of :func:`hits`."""
    return float(hits(predictions).mean())


def brier(predictions: Predictions) -> float:
    """Brier score, the mean of :func:`squared_errors`; in 0..2."""
    return float(squared_errors(predictions).mean())


def log_loss(predictions: Predictions) -> float:
    """The mean of :func:`log_losses`."""
    return float(log_losses(predictions).mean())


def spherical(predictions: Predictions) -> float:
    """The mean of :func:`spherical_scores`."""
    return float(spherical_scores(predictions).mean())


def with_standard_errors(predictions: Predictions) -> tuple[dict[str, float], dict[str, float]]:
    """Accuracy and the proper scores, and their standard errors (independent cases; 0 for one case)."""
    cases = {
        "accuracy": hits(predictions),
        "brier": squared_errors(predictions),
        "log_loss": log_losses(predictions),
        "spherical": spherical_scores(predictions),
    }
    n = predictions.n
    errors = {name: float(x.std(ddof=1)) / n**0.5 if n > 1 else 0.0 for name, x in cases.items()}
    return {name: float(x.mean()) for name, x in cases.items()}, errors
