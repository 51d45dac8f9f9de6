"""Numbers of CalibrationErrors.jl, CalibrationTests.jl and their Python interface pycalibration.

Facts from github.com/devmotion, each with where it stands. SKCE there is SKCE_uq unless said; their
Euclidean distance of two probabilities p, q of one class is |p − q|, ours of (p, 1 − p) is √2|p − q|.
"""

import math
import random

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Case = tuple[Array, NDArray[np.int64]]

# --- pycalibration, README.md, "Calibration errors": k = exp(−|p − q|)·1[y = z] ------
PYTHON_RANDOM_SKCE = 0.028399084017414655
GENERATOR_SKCE = 0.03320398246523166
DIRICHLET_SKCE = 0.02015240706950358
TWO_ROWS: Case = (np.array([[0.1, 0.8, 0.1], [0.2, 0.5, 0.3]]), np.array([1, 2]))
TWO_ROWS_SKCE = -0.10317943453412069


def python_random() -> Case:
    """`random.seed(1234)`: 100 probabilities of True, then 100 bits."""
    source = random.Random(1234)
    probs = np.array([source.random() for _ in range(100)])
    happened = np.array([bool(source.getrandbits(1)) for _ in range(100)])
    return np.column_stack([probs, 1 - probs]), np.where(happened, 0, 1)


def generator() -> Case:
    """`np.random.default_rng(1234)`: 100 probabilities of True, then 100 choices."""
    rng = np.random.default_rng(1234)
    probs = rng.random(100)
    happened = rng.choice([True, False], 100)
    return np.column_stack([probs, 1 - probs]), np.where(happened, 0, 1)


def dirichlet() -> Case:
    """`np.random.default_rng(1234)`: 100 rows from Dir(3, 2, 5), then labels 1 to 3."""
    rng = np.random.default_rng(1234)
    return rng.dirichlet((3, 2, 5), 100), rng.integers(low=1, high=4, size=100) - 1


# --- pycalibration, tests/test_caltests.py: 500 rows from Dir(1, 1), kernel exp(−3d) -----
# "consistent" labels: p > 0.7 in every test. Only the second class: p < 1e-6 in the bound of SKCE_b and the
# asymptotic tests, < 0.4 in the bounds of SKCE_uq and of blocks of two. (AsymptoticCMETest likewise, at the
# five rows and labels drawn next from the same generator.)
TREND_BANDWIDTH = 1 / 3


def trend() -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
    """Rows, consistent labels, and labels that are all of the second class."""
    rng = np.random.default_rng(1234)
    probs = rng.dirichlet((1, 1), 500)
    return probs, 1 - (rng.random(500) < probs[:, 0]), np.ones(500, np.int64)


def trend_locations() -> tuple[Array, NDArray[np.int64]]:
    """The five test locations and their classes (from 0)."""
    rng = np.random.default_rng(1234)
    rng.dirichlet((1, 1), 500)
    rng.random(500)
    return rng.dirichlet((1, 1), 5), rng.integers(low=1, high=3, size=5) - 1


# --- pycalibration, tests/test_calerrors.py: (1, 0), (0, 1) ten times over, blocks of two, Gaussian, ν = 1
TWO_POINT_BLOCKS = {(0, 1): 0.0, (0, 0): 0.0, (1, 0): -2 * math.exp(-1), (1, 1): 0.0}
# CalibrationErrors.jl, test/ece.jl, "Trivial tests": ECE with 10 uniform bins.
PERFECT: tuple[tuple[list[list[float]], list[int]], ...] = (
    ([[0, 1], [1, 0]], [1, 0]),
    ([[0, 1], [0.5, 0.5], [0.5, 0.5], [1, 0]], [1, 1, 0, 0]),
)
# CalibrationErrors.jl, test/binning/medianvariance.jl, "Simple example": rows, and the bins (rows from 0)
# by least number of rows. (Before 0.4 a median was in the lower bin, and the two bins were others.)
MEDIAN_VARIANCE: tuple[tuple[list[list[float]], dict[int, list[list[int]]]], ...] = (
    (
        [[0.4, 0.1, 0.5], [0.5, 0.3, 0.2], [0.3, 0.7, 0.0]],
        {1: [[0], [1], [2]], 2: [[0, 1, 2]]},
    ),
    (
        [[0.4, 0.1, 0.5], [0.5, 0.3, 0.2], [0.3, 0.7, 0.0], [0.1, 0.0, 0.9], [0.8, 0.1, 0.1]],
        {1: [[0], [1], [2], [3], [4]], 2: [[0, 1, 3], [2, 4]], 3: [[0, 1, 2, 3, 4]]},
    ),
)
# CalibrationErrors.jl, test/ucme.jl, "Two-dimensional example": predictions (1, 0), (0, 1); by labels; kernel
# exp(−4d²), that is Gaussian with ν = 1/√8.
UCME_LOCATIONS = ([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], [0, 0, 1])
UCME_BANDWIDTH = 1 / math.sqrt(8)
UCME = {
    (0, 1): 0.0,
    (0, 0): (math.exp(-16) + math.exp(-4) + 1) / 12,
    (1, 0): (1 - math.exp(-8)) ** 2 / 6,
    (1, 1): (math.exp(-16) + math.exp(-4) + 1) / 12,
}
