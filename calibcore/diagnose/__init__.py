"""Predictions and settings in, a diagnosis out."""

from calibcore.diagnose.result import SCHEMA, Diagnosis, NamedTest, check_schema, complete, parsed
from calibcore.diagnose.run import Cancelled, Progress, diagnose, reliability_for, stream

__all__ = [
    "SCHEMA",
    "Cancelled",
    "Diagnosis",
    "NamedTest",
    "Progress",
    "check_schema",
    "complete",
    "diagnose",
    "parsed",
    "reliability_for",
    "stream",
]
