r"""What is linear in the probabilities of three and more classes: errors that no bins of few classes see.

To first order ``q = softmax(log g + A g)`` differs from g by ``J A g``, ``J = diag(g) − g gᵀ``, whatever the
matrix A. Temperatures, shifts and classes that take from each other in turn are such errors. With the
features ``φ_i = (J_i r_i) ⊗ g_i`` and the Gram matrix ``G = mean(J² ⊗ g gᵀ)`` the square of the nearest such
error is ``b·G⁺b``, b the mean of what φ is expected to be. Pairs of cases estimate it without bias.
"""

import math

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.squares import Square, across_units, of_units
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

_ROWS = 8_192
_MOST = 65_536
"""Cases, evenly spaced, whose predictions make what does not see labels."""
_FOR_THE_RATIO = 500
_RANK = 1e-7


def linear_square(predictions: Predictions, unit: Int | None = None) -> tuple[Square, float]:
    """½‖linear error‖² of the mean case, and how many times its root the mean total variation usually is.

    The ratio is that of errors with a normal A whose every direction is as large. Cost O(nm⁴).
    """
    g, n, m = predictions.probs, predictions.n, predictions.m
    gram, claimed = _moments(g[:: max(1, n // _MOST)])
    values, vectors = np.linalg.eigh(gram)
    usable = values > _RANK * values[-1]
    if not values[-1] > 0:
        return Square(0.0, 0.0), 1.0
    # (m², rank): whiteᵀφ has the identity as Gram matrix
    white = vectors[:, usable] / np.sqrt(values[usable])
    ratio = _ratio(g[:: max(1, n // _FOR_THE_RATIO)], white)
    total, squares = np.zeros(m * m), np.zeros((m * m, m * m))
    off = predictions.onehot() - g
    along = g * (off - (g * off).sum(axis=1, keepdims=True))  # J r
    for rows in loops.blocks(n, _ROWS):
        features = (along[rows, :, None] * g[rows, None, :]).reshape(-1, m * m)
        total += features.sum(axis=0)
        squares += features.T @ features
    mean = white.T @ total / n
    of_sample, of_claim = (white.T @ matrix @ white for matrix in (squares / n, claimed))
    value = (n * float(mean @ mean) - float(np.trace(of_sample))) / (n - 1)
    pairs = 2 * max(float(np.square(matrix).sum()) for matrix in (of_sample, of_claim)) / n**2
    linear = 4 * max(float(mean @ matrix @ mean) for matrix in (of_sample, of_claim)) / n
    square = Square(value / 2, (max(0.0, linear - 2 * pairs) + pairs) / 4)
    if unit is None:
        return square, ratio
    features = (along[:, :, None] * g[:, None, :]).reshape(n, m * m) @ white
    between, moved = across_units(features, np.arange(n), np.array([0, n]), unit)
    return of_units(square, between / 2, moved / 2), ratio


def _moments(g: Float) -> tuple[Float, Float]:
    """(m², m²) the means of ``J² ⊗ g gᵀ`` and, the covariance of φ under calibration, of ``J³ ⊗ g gᵀ``."""
    n, m = g.shape
    sums = np.zeros((2, m * m, m * m))
    for rows in loops.blocks(n, _ROWS):
        part = g[rows]
        J = part[:, :, None] * (np.eye(m) - part[:, None, :])
        second = J @ J
        outer = (part[:, :, None] * part[:, None, :]).reshape(-1, m * m)
        sums[0] += second.reshape(-1, m * m).T @ outer
        sums[1] += (second @ J).reshape(-1, m * m).T @ outer
    gram, claimed = sums.reshape(2, m, m, m, m).transpose(0, 1, 3, 2, 4).reshape(2, m * m, m * m) / n
    return (gram + gram.T) / 2, (claimed + claimed.T) / 2


def _ratio(g: Float, white: Float) -> float:
    """Mean total variation over root mean square of ``J A g``, A = white·z with z normal."""
    n, m = g.shape
    J = g[:, :, None] * (np.eye(m) - g[:, None, :])
    by_class = white.reshape(m, m, -1)
    at_case = np.einsum("kar,ia->ikr", by_class, g)  # (n, m, rank) A g of each direction
    variance = np.square(J @ at_case).sum(axis=2)
    size = math.sqrt(float(variance.sum()) / (2 * n))
    # A component is N(0, σ²), and E|N(0, σ²)| = √(2/π)·σ.
    return float(np.sqrt(2 / np.pi * variance).sum()) / (2 * n) / size if size > 0 else 1.0
