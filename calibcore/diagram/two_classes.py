"""What the estimators for two classes share: the first component, and cells that hold cases."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import EDGE, Binning
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int, Labels

_CELLS = 2_000_000


def first_component(predictions: Predictions, name: str) -> Float:
    """(n,) predictions of the first class; :class:`InputError` unless two classes and no weights."""
    refuse_weights(predictions)
    if predictions.m != 2:
        raise InputError(
            f"{name} needs a lens with two classes; this one has {predictions.m}. "
            "Look at the confidence or at one class."
        )
    return predictions.probs[:, 0]


def tied(x: Float) -> tuple[Float, Int, Int]:
    """(n,) -> distinct values rising (v,), which of them each case has (n,), how many have it (v,).

    Values within 1e-12 of the next are one: lenses add, and 0.1 + 0.2 > 0.3. Cost O(n log n).
    """
    order = np.argsort(x, kind="stable")
    new = np.concatenate([[True], np.diff(x[order]) > EDGE])
    index = np.empty(len(x), np.int64)
    index[order] = np.cumsum(new) - 1
    return x[order][new], index, np.bincount(index).astype(np.int64)


class Cells:
    """Sums over the cases of each cell, for any number of label sets: ``index (n,)`` from 0."""

    def __init__(self, index: Int) -> None:
        self.order = np.argsort(index, kind="stable")
        self.counts = np.bincount(index).astype(np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.counts)[:-1]])

    def sums(self, values: NDArray[np.generic]) -> Float:
        """(…, n) -> (…, cells). Every cell holds a case. Cost O(n) a set."""
        kind = np.float64 if values.dtype.kind == "f" else np.int64
        return np.asarray(np.add.reduceat(values[..., self.order], self.starts, axis=-1, dtype=kind), float)


def in_parts(labels: Labels, width: int) -> Iterator[Labels]:
    """(B, n) labels in parts that take some 16 MB at ``width`` numbers a set, or one set."""
    cells = len(labels) * max(labels.shape[1], width)
    yield from np.array_split(labels, max(1, min(len(labels), -(-cells // _CELLS))))


def check_one_dimensional(binning: Binning, name: str) -> None:
    """Raises :class:`InputError` for bins that cannot bin one probability."""
    if not binning.fits(2):
        raise InputError(
            f"{name} bins one probability at a time, which {binning.kind} bins cannot; "
            "expected bins for two classes."
        )
