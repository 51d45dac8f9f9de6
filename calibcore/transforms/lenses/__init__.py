"""Calibration lenses (V19 §3.1, Example 2): predictions in, simpler predictions out."""

from calibcore.strategies import import_all
from calibcore.transforms.lenses.bundled import (
    MOST_PAIRS,
    OTHER,
    CanonicalLens,
    ClassLens,
    GroupsLens,
    PooledLens,
    RegionLens,
    TopKLens,
    event_of,
    lens_syntax,
    ordinal,
    top_k_ties,
)
from calibcore.transforms.lenses.lens import LENSES, Lens

__all__ = [
    "LENSES",
    "MOST_PAIRS",
    "OTHER",
    "CanonicalLens",
    "ClassLens",
    "GroupsLens",
    "Lens",
    "PooledLens",
    "RegionLens",
    "TopKLens",
    "event_of",
    "lens_syntax",
    "ordinal",
    "top_k_ties",
]

import_all(__name__, __path__)
