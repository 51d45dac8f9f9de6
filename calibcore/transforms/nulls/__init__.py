"""Null hypotheses ``r = ρ`` other than calibration (V19 §4.2): what labels are drawn from.

The predictions stay as they are; a null says which probabilities ρ(g) the
outcomes would have. Calibration is ``ρ = id``.
"""

from calibcore.strategies import import_all
from calibcore.transforms.nulls.null import (
    NULLS,
    Identity,
    LabelNoise,
    Mixture,
    Null,
    Temperature,
    check_null,
)

__all__ = ["NULLS", "Identity", "LabelNoise", "Mixture", "Null", "Temperature", "check_null"]

import_all(__name__, __path__)
