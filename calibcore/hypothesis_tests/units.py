"""Rows of one unit, such as those of one patient, depend on each other: what can still be tested.

The exact tests take one row of each, which stands for rows as they come if how many rows a unit has does not
depend on outcomes. Beside them stands a test of all rows that is approximate. The mean of
``h_ij`` over pairs of different units is 0 on average under calibration, whatever the rows of a unit share.
With ``H_cc' = Σ_{i∈c, j∈c'} h_ij`` it is ``Σ_{c≠c'} H_cc'`` by the number of such pairs. As the units become
many its law is that of ``Σ_{c≠c'} ε_c ε_c' H_cc'``, ε = ±1 (Leucht & Neumann 2013).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.bounds import Count, Share
from calibcore.data.predictions import Predictions
from calibcore.data.units import FEWEST
from calibcore.estimators.skce import residuals
from calibcore.hypothesis_tests.result import monte_carlo_pvalue
from calibcore.kernels import Kernel
from calibcore.numerics.types import Float, Int

ALL_PAIRS = 5_000
"""Rows up to which every pair is looked at; above, κ has the rank of so many of its rows."""
EXPECTED = 10.0
"""Events of the rarer outcome that have to be expected: under it sign flips reject too often."""
RARE = f"fewer than {EXPECTED:g} independent cases of the rarer outcome are expected"
_ROWS = 512
_LANDMARKS = 256
_NUMBERS = 20_000_000
_RIDGE = 1e-10


@dataclass(frozen=True)
class AcrossUnits:
    """What all rows say, beside one row a unit.

    Attributes
    ----------
    rows, units : how many were looked at
    statistic, pvalue : the mean of h over pairs of different units, and its approximate p; None where
        ``withheld`` says why
    """

    NAMES: ClassVar[Mapping[str, str]] = {"pvalue": "p_value"}
    KEYS: ClassVar = ("rows", "units", "statistic", "n_resamples", "withheld", "pvalue")

    rows: Count
    units: Count
    statistic: float | None = None
    pvalue: Share | None = None
    n_resamples: Count = 0
    withheld: str = ""


def across_units(
    predictions: Predictions, unit: Int, kernel: Kernel, n_resamples: int, rng: np.random.Generator
) -> AcrossUnits:
    """The test of all rows, withheld under :data:`.FEWEST` units and where an outcome is too rare.

    Rows that redraws would leave as they are, :attr:`.Predictions.kept`, are left out.
    """
    rows = np.setdiff1d(np.arange(predictions.n), predictions.kept)
    if len(rows) < predictions.n:
        predictions, unit = predictions.with_rows(rows), unit[rows]
    unit = np.unique(unit, return_inverse=True)[1].astype(np.int64)  # a region may leave some out
    many = int(unit.max()) + 1
    if many < FEWEST:
        return AcrossUnits(predictions.n, many, withheld=f"fewer than {FEWEST} units")
    if independent_events(predictions, unit) < EXPECTED:
        return AcrossUnits(predictions.n, many, withheld=RARE)
    flips = sign_flips(predictions, unit, kernel, n_resamples, rng)
    return AcrossUnits(predictions.n, many, *flips, n_resamples)


def independent_events(predictions: Predictions, unit: Int) -> float:
    """How many of the rarer outcome are expected, as if all rows of a unit had the same: the sum of its
    probabilities by the size of the unit that a row has on average. By predictions alone.

    The outcomes are the two classes, of three and more that the likeliest happens and that it does not.
    """
    g = predictions.probs
    expected = float((g[:, 0] if predictions.m == 2 else g.max(axis=1)).sum())
    sizes = np.bincount(unit).astype(np.float64)
    return min(expected, predictions.n - expected) * predictions.n / float(np.square(sizes).sum())


def sign_flips(
    predictions: Predictions, unit: Int, kernel: Kernel, n_resamples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The kernel error between units and its p by sign flips; asymptotic, in the number of units.

    Cost O(n²m + C²B) for C units, above 5,000 rows O(n·256·m + C·256·m·B): κ is then replaced by one of rank
    256 made of the predictions alone. ``unit (n,)``: numbers from 0 of the units, 2 at least.
    """
    many = int(unit.max()) + 1
    kernel = kernel.resolved(predictions.probs)[0]
    pairs = predictions.n**2 - float(np.square(np.bincount(unit).astype(np.float64)).sum())
    small = predictions.n <= ALL_PAIRS
    made = (between_units if small else _features)(predictions, unit, kernel)
    own = 0.0 if small else float(np.square(made).sum())
    parts, size = [], max(1, _NUMBERS // (8 * many))
    for first in range(-1, n_resamples, size):
        signs = 1.0 - 2.0 * rng.integers(2, size=(min(size, n_resamples - first), many))
        if first < 0:
            signs[0] = 1.0
        flipped = signs @ made
        parts.append(np.einsum("bc,bc->b", flipped, signs if small else flipped) - own)
    values = np.concatenate(parts) / pairs
    return float(values[0]), monte_carlo_pvalue(float(values[0]), values[1:])


def between_units(predictions: Predictions, unit: Int, kernel: Kernel) -> Float:
    """(C, C) ``Σ_{i∈c, j∈c'} h_ij``, 0 on the diagonal. Cost O(n²m) time, O(C² + n·512) memory."""
    r = residuals(predictions, kernel)
    order = np.argsort(unit, kind="stable")
    g, r, unit = predictions.probs[order], r[order], unit[order]
    starts = np.flatnonzero(np.diff(unit, prepend=-1))
    H = np.zeros((len(starts), len(starts)))
    for first in range(0, len(g), _ROWS):
        rows = slice(first, first + _ROWS)
        h = kernel.matrix(g[rows], g) * (r[rows] @ r.T)
        np.add.at(H, unit[rows], np.add.reduceat(h, starts, axis=1))
    np.fill_diagonal(H, 0.0)
    return H


def _features(predictions: Predictions, unit: Int, kernel: Kernel) -> Float:
    """(C, rank·q) ``Σ_{i∈c} φ_i ⊗ r_i`` with κ ≈ φφᵀ: of landmarks spread over the order of concentration."""
    g, r = predictions.probs, residuals(predictions, kernel)
    many = int(unit.max()) + 1
    rank = max(2, min(_LANDMARKS, _NUMBERS // (many * r.shape[1])))
    order = np.argsort(np.square(g).sum(axis=1), kind="stable")
    marks = np.unique(g[order[np.linspace(0, len(g) - 1, rank).astype(np.int64)]], axis=0)
    lower = np.linalg.cholesky(kernel.matrix(marks, marks) + _RIDGE * np.eye(len(marks)))
    inverse = np.linalg.inv(lower)
    Z = np.zeros((many, len(marks) * r.shape[1]))
    for first in range(0, len(g), _ROWS):
        rows = slice(first, first + _ROWS)
        phi = kernel.matrix(g[rows], marks) @ inverse.T
        np.add.at(Z, unit[rows], (phi[:, :, None] * r[rows][:, None, :]).reshape(len(phi), -1))
    return Z
