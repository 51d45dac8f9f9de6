"""Calibration lenses (V19 §3.1, Example 2): predictions in, simpler predictions out.

If a model is calibrated, so is what every lens makes of it; the converse is
false (V19 Table 1). So whatever is rejected through a lens is rejected for the
model. A lens keeps what each row sums to.
"""

from calibcore.strategies import import_all
from calibcore.transforms.lenses.canonical import CanonicalLens
from calibcore.transforms.lenses.groups import GroupsLens
from calibcore.transforms.lenses.lens import LENSES, Lens, lens_syntax
from calibcore.transforms.lenses.one_class import ClassLens
from calibcore.transforms.lenses.pooled import PooledLens
from calibcore.transforms.lenses.region import RegionLens
from calibcore.transforms.lenses.sets import SetLens
from calibcore.transforms.lenses.top_k import OTHER, TopKLens, ordinal, top_k_ties

__all__ = [
    "LENSES",
    "OTHER",
    "CanonicalLens",
    "ClassLens",
    "GroupsLens",
    "Lens",
    "PooledLens",
    "RegionLens",
    "SetLens",
    "TopKLens",
    "lens_syntax",
    "ordinal",
    "top_k_ties",
]

import_all(__name__, __path__)
