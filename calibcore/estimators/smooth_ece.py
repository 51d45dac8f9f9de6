"""Smooth ECE: calibration error with a kernel in place of bins, and no setting."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.fft import dct
from scipy.sparse import csr_array

from calibcore.data.predictions import Predictions
from calibcore.diagram.bins import in_parts
from calibcore.diagram.two_classes import first_component
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.numerics.types import Float, Labels

GRID = 8192
"""Intervals of the grid on [0, 1]: the estimate is off by at most 1/(2·8192), 6e-5."""
_A_SIGMA = 64
"""Intervals in a bandwidth σ: enough for the integral to 1e-6. What is smoothed has no shorter waves."""
_ENOUGH = 1e-7
_STEPS = 60


@dataclass(frozen=True)
class SmoothECE(Estimator):
    """The σ* at which ``smECE_σ = σ`` (Błasiok & Nakkiran 2024), two classes.

    ``smECE_σ = ∫₀¹ |1/n Σ_i (y_i − g_i)·K_σ(g_i, t)| dt`` with K_σ the Gaussian
    kernel reflected at 0 and 1. It falls as σ grows, so σ* is unique; 0 if the
    residuals of equal predictions cancel. A consistent measure of the distance
    from calibration, and the only estimate here without bins or bandwidth to choose.

    Residuals are spread on a grid and smoothed there by the heat kernel of the
    grid (never negative, mass and variance exact), a cosine transform a step.
    As smECE_σ falls, an error ε of it moves σ* by at most ε.
    A number in 0..1. Cost O(n + grid·log grid + 64/σ·log(1/σ)·steps), about ten steps.
    """

    two_classes_only: ClassVar[bool] = True

    def prepared(self, predictions: Predictions) -> Prepared:
        """Where each residual goes on the grid once; then (B, n) labels -> (B,)."""
        x = first_component(predictions, "Smooth ECE")
        spread = _spread(x) / predictions.n
        expected = spread @ x

        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            errors = []
            done = 0
            for part in in_parts(labels, 8 * GRID):
                hits = spread @ np.asarray(part == 0, np.float64).T
                errors.append(_fixed_points(np.asarray(hits.T - expected)))
                done += len(part)
                if progress is not None:
                    progress(done / len(labels))
            return np.concatenate(errors)

        return Prepared(evaluate)


def _spread(x: Float) -> csr_array:
    """(GRID + 1, n): each case shared between the two grid points around it."""
    position = np.clip(x, 0.0, 1.0) * GRID
    left = np.minimum(position.astype(np.int64), GRID - 1)
    share = position - left
    n = len(x)
    points, cases = np.concatenate([left, left + 1]), np.tile(np.arange(n), 2)
    return csr_array((np.concatenate([1 - share, share]), (points, cases)), shape=(GRID + 1, n))


def _fixed_points(masses: Float) -> Float:
    """(B, GRID + 1) residual mass on the grid -> (B,) the σ at which ``smECE_σ = σ``.

    Illinois' variant of false position, every row by itself until
    ``|smECE_σ − σ| ≤ 1e-7``, which bounds the error of σ as smECE_σ − σ falls at least as fast as σ.
    """
    # A point at the border is its own mirror image: twice the density, half the weight.
    density = masses.copy()
    density[:, [0, -1]] *= 2
    waves = dct(density, type=1, axis=1)
    low, high = np.zeros(len(masses)), np.ones(len(masses))
    above = np.abs(masses).sum(axis=1)
    below = _smoothed(waves, high) - high
    sigma = np.where(above <= _ENOUGH, 0.0, high)
    open_rows = np.flatnonzero((above > _ENOUGH) & (below < -_ENOUGH))
    side = np.zeros(len(masses))
    for _ in range(_STEPS):
        if not len(open_rows):
            break
        i = open_rows
        sigma[i] = (low[i] * below[i] - high[i] * above[i]) / (below[i] - above[i])
        excess = _smoothed(waves[i], sigma[i]) - sigma[i]
        up = excess > 0
        j, k = i[up], i[~up]
        below[j] *= np.where(side[j] > 0, 0.5, 1.0)
        above[k] *= np.where(side[k] < 0, 0.5, 1.0)
        low[j], above[j], side[j] = sigma[j], excess[up], 1
        high[k], below[k], side[k] = sigma[k], excess[~up], -1
        open_rows = i[np.abs(excess) > _ENOUGH]
    return sigma


def _smoothed(waves: Float, sigma: Float) -> Float:
    """(B, GRID + 1) transformed densities, (B,) bandwidths -> (B,) smECE_σ; wide ones on a coarser grid."""
    values = np.empty(len(sigma))
    enough = np.exp2(np.ceil(np.log2(_A_SIGMA / np.maximum(sigma, _A_SIGMA / GRID)))).astype(np.int64)
    for grid in np.unique(enough):
        rows = np.flatnonzero(enough == grid)
        decay = (np.cos(np.pi * np.arange(grid + 1) / GRID) - 1) * GRID**2
        damped = waves[rows, : grid + 1] * np.exp(np.square(sigma[rows])[:, None] * decay)
        smooth = np.abs(dct(damped, type=1, axis=1)) / (2 * grid)
        values[rows] = smooth.sum(axis=1) - 0.5 * (smooth[:, 0] + smooth[:, -1])
    return values
