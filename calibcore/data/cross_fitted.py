"""Probabilities that the outcomes of these very cases helped to make: how a column marks them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

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
