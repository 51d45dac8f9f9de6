"""What is tested: cases that count alike, and whose own outcomes did not help to make their probabilities."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calibcore.data.predictions import Predictions

CROSS_FITTED = "caliblens_cross_fitted"
"""The column that marks recalibrated probabilities of the very cases that the maps were fitted to, by folds.
It holds the kind of map."""

CROSS_FITTED_REFUSED = (
    f"These probabilities were recalibrated on these same cases: the column '{CROSS_FITTED}' says so. Their "
    "outcomes helped to make them, so a test would find too little. Test the recalibrated model on other "
    "cases."
)


def cross_fitted_by(metadata: Mapping[str, NDArray[np.generic]]) -> str:
    """The kind of map that such a column names: its first value that is not empty; empty without one."""
    values = metadata[CROSS_FITTED].tolist() if CROSS_FITTED in metadata else []
    return next((text for value in values if (text := str("" if value is None else value).strip())), "")


def why_untested(predictions: "Predictions") -> str:
    """Why nothing is tested on these predictions, after "withheld:"; empty where tests can be made."""
    if predictions.weights is not None:
        return "the cases are weighted, and weights give estimates only"
    if predictions.cross_fitted:
        return "the probabilities were recalibrated on these same cases, and a test would find too little"
    return ""
