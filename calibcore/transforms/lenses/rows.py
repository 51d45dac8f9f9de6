"""Lenses on each row by itself, in compiled code."""

from collections.abc import Callable

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int


def row_by_row(work: Callable[..., None], predictions: Predictions, k: int) -> tuple[Float, Int]:
    """(n, k + 1) probabilities and (n,) labels that ``work`` fills in, some rows at a time."""
    probs, labels = np.empty((predictions.n, k + 1)), np.empty(predictions.n, np.int64)
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    loops.in_threads(
        lambda rows: work(g[rows], y[rows], probs[rows], labels[rows]), loops.blocks(predictions.n)
    )
    return probs, labels
