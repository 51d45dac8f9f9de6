"""Probabilities made more or less extreme: powers of them, divided by their sums."""

import numpy as np
from scipy.optimize import brentq

from calibcore.numerics.types import Float

LEAST, MOST = 1 / 20, 20.0
"""Bounds of a temperature."""


def smallest_of(probs: Float) -> float:
    """What a probability of 0 counts as: the smallest positive one of the cases."""
    return float(probs.min(where=probs > 0, initial=1.0))


def logarithms(probs: Float, smallest: float) -> Float:
    """(n, m) logarithms, with ``smallest`` in place of what is below it."""
    return np.asarray(np.log(np.maximum(probs, smallest)))


def softmax(scores: Float) -> Float:
    """(n, m) exp, rows divided by their sums, without overflow."""
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def log_normaliser(logs: Float, b: float) -> Float:
    """(n,) ``log Σ_k exp(b log g_k)``."""
    top = logs.max(axis=1)
    return np.asarray(b * top + np.log(np.exp(b * (logs - top[:, None])).sum(axis=1)))


def inverse_temperature(logs: Float, observed: float) -> float:
    """b = 1/T at which ``Σ_i E_b[log g_i]`` is ``observed``, Σ log g_i(y_i); at a bound where none is."""

    def slope(b: float) -> float:
        return float((softmax(b * logs) * logs).sum()) - observed

    low, high = 1 / MOST, 1 / LEAST
    if slope(low) >= 0:
        return low
    if slope(high) <= 0:
        return high
    return float(brentq(slope, low, high, xtol=1e-14, rtol=1e-14))
