"""Which of several models is better calibrated, and by how much, on the same cases."""

from calibcore.questions.compare.compare import compare
from calibcore.questions.compare.comparison import ComparedModel, Comparison, Nested, Pair
from calibcore.questions.compare.same_cases import SameCases, same_cases

__all__ = ["ComparedModel", "Comparison", "Nested", "Pair", "SameCases", "compare", "same_cases"]
