"""What the estimators for two classes share: the first component, and which cases share one."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import EDGE, Binning
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int


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


def check_one_dimensional(binning: Binning, name: str) -> None:
    """Raises :class:`InputError` for bins that cannot bin one probability."""
    if not binning.fits(2):
        raise InputError(
            f"{name} bins one probability at a time, which {binning.kind} bins cannot; "
            "expected bins for two classes."
        )
