"""What several questions make of what they are given, and refuse in the same words."""

import math

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import no_column
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.settings import MOST_RESAMPLES, DiagnosisSpec
from calibcore.transforms.lenses import TopKLens

FLOORS = 2
"""The smallest adjusted p is the level divided by this, or less."""


def column_given(predictions: Predictions, name: str) -> NDArray[np.generic]:
    """(n,) a column of metadata. Raises :class:`InputError` where there is none of that name."""
    if name not in predictions.metadata:
        raise InputError(no_column(name, predictions.metadata))
    return predictions.metadata[name]


def enough_redraws(hypotheses: int, spec: DiagnosisSpec, many: str, needs: str, fewer: str) -> int:
    """Redraws for so many p-values that are adjusted together, those of ``spec`` at the least.

    Raises
    ------
    InputError : more than :data:`MOST_RESAMPLES`, with words for what there are so many of.
    """
    needed = max(spec.resamples, math.ceil(FLOORS * hypotheses / spec.alpha - 1e-9) - 1)
    if needed > MOST_RESAMPLES:
        raise InputError(
            f"For {many} at the level {spec.alpha:g} {needs} {needed:,} redraws; {MOST_RESAMPLES:,} is the "
            f"most. Take fewer {fewer} or a larger level."
        )
    return needed


def as_two_classes(induced: Predictions) -> Predictions:
    """What a lens of two classes shows; of more whether the likeliest class happened."""
    return induced if induced.m == 2 else TopKLens(1)(induced)
