"""The bins of a lens where nobody named any: of a survey, of every other question, and on every page."""

from calibcore.diagram.binning.binning import Binning
from calibcore.diagram.binning.bundled import MedianVarianceBinning, UniformBinning


def default_binning(m: int, n: int) -> Binning:
    """Ten equally wide bins; over many classes those hold a case or two each, so bins by size."""
    return UniformBinning(10) if m == 2 else MedianVarianceBinning(min(100, max(10, n // 20)))
