"""The matrix part M of a kernel ``k = κ·M``: a symmetric positive semi-definite matrix over the classes."""

import json
import math
from typing import Any

import numpy as np

from calibcore import flags
from calibcore.data import arrays
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.numerics.types import Float

ClassMatrix = tuple[float, ...] | tuple[tuple[float, ...], ...] | None
"""None is the identity, numbers are the diagonal (class weights), rows are the whole matrix."""

_TOLERANCE = 1e-12
"""Relative to the largest entry or eigenvalue: what rounding may do to symmetry and definiteness."""


def checked(given: object) -> ClassMatrix:
    """The same as tuples of floats, lists and arrays allowed; :class:`InputError` if it is no such matrix."""
    if given is None:
        return None
    try:
        numbers = arrays.as_array(given, "the class matrix")
    except InputError:  # rows of different length
        numbers = np.empty(0)
    # Text is no number, nor is a whole number too large for a double.
    values = numbers.astype(np.float64) if numbers.dtype.kind in "iuf" else np.empty(0)
    square = values.ndim == 2 and values.shape[0] == values.shape[1]
    if not values.size or not (values.ndim == 1 or square):
        raise InputError(
            f"The class matrix is {shown(given)}; expected one weight a class, or a square matrix of numbers."
        )
    if not np.isfinite(values).all():
        where = np.argwhere(~np.isfinite(values))[0]
        raise InputError(f"The class matrix holds {values[tuple(where)]:g}; expected finite numbers.")
    largest = float(np.abs(values).max())
    if largest == 0:
        raise InputError("The class matrix is zero throughout; expected at least one class that counts.")
    if values.ndim == 1:
        if values.min() < 0:
            raise InputError(f"A class weight is {values.min():g}; expected numbers from 0 up.")
        return tuple(values.tolist())
    if np.abs(values - values.T).max() > _TOLERANCE * largest:
        i, j = np.unravel_index(np.abs(values - values.T).argmax(), values.shape)
        raise InputError(
            f"The class matrix is not symmetric: row {i + 1}, column {j + 1} is {values[i, j]:g}, and the "
            f"other way round {values[j, i]:g}."
        )
    smallest = float(np.linalg.eigvalsh(_symmetric(values))[0])
    if smallest < -_TOLERANCE * largest:
        raise InputError(
            f"The class matrix is not positive semi-definite: its smallest eigenvalue is {smallest:g}; "
            "expected 0 or more."
        )
    return tuple(tuple(row) for row in values.tolist())


def from_words(words: str) -> Any:
    """Weights as in 1,2,2, a whole matrix as JSON, or none.

    Raises
    ------
    InputError : anything else. What is no matrix part :func:`checked` refuses.
    """
    if words == flags.NONE:
        return None
    expected = "one number a class as in 1,2,2, rows as in [[1,0],[0,1]], or none"
    if not words.startswith("["):
        return flags.numbers_from_list(words, "The class weights are", expected)
    try:
        return json.loads(words, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise InputError(f"The class weights are {shown(words)}; expected {expected}.") from None


def _finite(text: str) -> float:
    """JSON has no word for what is not finite, but 1e999 would become it."""
    if not math.isfinite(value := float(text)):
        raise ValueError
    return value


def in_words(matrix: ClassMatrix) -> str:
    """The inverse of :func:`from_words`."""
    is_nested = matrix is not None and isinstance(matrix[0], tuple)
    return json.dumps(matrix) if is_nested else flags.in_words(matrix)


def _symmetric(values: Float) -> Float:
    return 0.5 * (values + values.T)


def as_array(matrix: tuple[float, ...] | tuple[tuple[float, ...], ...]) -> Float:
    """(m, m)."""
    values = np.array(matrix, dtype=np.float64)
    return np.diag(values) if values.ndim == 1 else _symmetric(values)


def factor(matrix: ClassMatrix) -> Float | None:
    """(m, r) L with ``M = L Lᵀ`` and r the rank of M, or None for the identity. Cost O(m³)."""
    if matrix is None:
        return None
    if np.ndim(matrix) == 1:
        roots = np.sqrt(np.array(matrix, dtype=np.float64))
        return np.diag(roots)[:, roots > 0]
    eigenvalues, vectors = np.linalg.eigh(as_array(matrix))
    positive = eigenvalues > len(eigenvalues) * np.finfo(np.float64).eps * eigenvalues[-1]
    return np.asarray(vectors[:, positive] * np.sqrt(eigenvalues[positive]))


def spectral_norm(matrix: ClassMatrix) -> float:
    """The largest eigenvalue; 1 for the identity. Cost O(m³)."""
    if matrix is None:
        return 1.0
    if np.ndim(matrix) == 1:
        return float(np.max(matrix))
    return float(np.linalg.eigvalsh(as_array(matrix))[-1])
