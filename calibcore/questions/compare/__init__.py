"""Which of several models is better calibrated, and by how much, on the same cases."""

from calibcore.questions.compare.ask import compare
from calibcore.questions.compare.by_bin import SharedBin, bins_of_both
from calibcore.questions.compare.cases import same_cases
from calibcore.questions.compare.result import ComparedModel, Comparison, Nested, Pair

__all__ = [
    "ComparedModel",
    "Comparison",
    "Nested",
    "Pair",
    "SharedBin",
    "bins_of_both",
    "compare",
    "same_cases",
]
