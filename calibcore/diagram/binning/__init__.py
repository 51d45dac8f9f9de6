"""Binnings: predictions in, one bin index a case out. They never see labels.

So a test that keeps the predictions keeps the bins (V19 Appendix B;
Nobel 1996; CalibrationErrors.jl). A two-class problem is binned by its first
component alone: with both, points on an edge would open bins of their own.
"""

from calibcore.diagram.binning.binning import BINNINGS, MOST_BINS, Binning, binning_syntax
from calibcore.diagram.binning.bundled import (
    EDGE,
    Cuts,
    EquallyUncertainBinning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    Splitting,
    UniformBinning,
    intervals,
    numbered,
    uniform_edges,
)
from calibcore.diagram.binning.default import default_binning
from calibcore.strategies import import_all

__all__ = [
    "BINNINGS",
    "EDGE",
    "MOST_BINS",
    "Binning",
    "Cuts",
    "EqualMassBinning",
    "EquallyUncertainBinning",
    "MeanVarianceBinning",
    "MedianVarianceBinning",
    "SimplexBinning",
    "Splitting",
    "UniformBinning",
    "binning_syntax",
    "default_binning",
    "intervals",
    "numbered",
    "uniform_edges",
]

import_all(__name__, __path__)
