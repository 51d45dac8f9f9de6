"""Distances between probability vectors, along the last axis.

The four that the calibration error is measured with (V19 §3.2). In V19
Appendix D the column "squared Euclidean" holds plain Euclidean values.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.errors import InputError

Array = NDArray[np.float64]
DEFAULT = "total-variation"


def total_variation(p: Array, q: Array) -> Array:
    """``½ Σ_k |p_k − q_k|``, shapes (…, m) -> (…); in 0..1."""
    return np.asarray(0.5 * np.abs(p - q).sum(axis=-1))


def squared_euclidean(p: Array, q: Array) -> Array:
    """``Σ_k (p_k − q_k)²``, shapes (…, m) -> (…); in 0..2."""
    return np.asarray(np.square(p - q).sum(axis=-1))


def euclidean(p: Array, q: Array) -> Array:
    """``√Σ_k (p_k − q_k)²``, shapes (…, m) -> (…); in 0..√2."""
    return np.asarray(np.sqrt(squared_euclidean(p, q)))


def cityblock(p: Array, q: Array) -> Array:
    """``Σ_k |p_k − q_k|``, shapes (…, m) -> (…); in 0..2."""
    return np.asarray(np.abs(p - q).sum(axis=-1))


DISTANCES: dict[str, Callable[[Any, Any], Array]] = {
    "total-variation": total_variation,
    "squared-euclidean": squared_euclidean,
    "euclidean": euclidean,
    "cityblock": cityblock,
}


def distance(name: str) -> Callable[[Any, Any], Array]:
    """The distance of that name; :class:`InputError` lists the names there are."""
    if name not in DISTANCES:
        raise InputError(f"There is no distance {name!r:.60}; expected one of {', '.join(DISTANCES)}.")
    return DISTANCES[name]
