"""Calibration lenses (V19 §3.1, Example 2): predictions in, simpler predictions out.

If a model is calibrated, so is what every lens makes of it; the converse is
false (V19 Table 1). So whatever is rejected through a lens is rejected for the
model. A lens keeps what each row sums to.
"""

from calibcore.strategies import import_all
from calibcore.transforms.lenses.cases import CONFIDENCE, PooledLens, RegionLens
from calibcore.transforms.lenses.classes import CanonicalLens, ClassLens, GroupsLens
from calibcore.transforms.lenses.labels import LabelLens, LabelsLens, cases_seen
from calibcore.transforms.lenses.lens import LENSES, Lens
from calibcore.transforms.lenses.likeliest import OTHER, SetLens, TopKLens, order_decides
from calibcore.transforms.lenses.ordered import AtLeastLens, UpToLens

__all__ = [
    "CONFIDENCE",
    "LENSES",
    "OTHER",
    "AtLeastLens",
    "CanonicalLens",
    "ClassLens",
    "GroupsLens",
    "LabelLens",
    "LabelsLens",
    "Lens",
    "PooledLens",
    "RegionLens",
    "SetLens",
    "TopKLens",
    "UpToLens",
    "cases_seen",
    "order_decides",
]

import_all(__name__, __path__)
