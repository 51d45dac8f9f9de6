"""Null hypotheses ``r = ρ`` other than calibration (V19 §4.2): what labels are drawn from.

The predictions stay as they are; a null says which probabilities ρ(g) the
outcomes would have. Calibration is ``ρ = id``.
"""

from calibcore.strategies import import_all
from calibcore.transforms.nulls.identity import Identity
from calibcore.transforms.nulls.label_noise import LabelNoise
from calibcore.transforms.nulls.mixture import Mixture
from calibcore.transforms.nulls.null import NULLS, Null, check_null, null_syntax
from calibcore.transforms.nulls.temperature import Temperature

__all__ = ["NULLS", "Identity", "LabelNoise", "Mixture", "Null", "Temperature", "check_null", "null_syntax"]

import_all(__name__, __path__)
