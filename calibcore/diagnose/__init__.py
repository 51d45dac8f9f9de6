"""Predictions and settings in, a diagnosis out."""

from calibcore.diagnose.estimates import Estimate
from calibcore.diagnose.parts import bin_pvalues_for, gap_for, reliability_for, typical_gap_for
from calibcore.diagnose.result import Diagnosis, NamedTest
from calibcore.diagnose.run import diagnose

__all__ = [
    "Diagnosis",
    "Estimate",
    "NamedTest",
    "bin_pvalues_for",
    "diagnose",
    "gap_for",
    "reliability_for",
    "typical_gap_for",
]
