"""How many cases are enough."""

from calibcore.questions.plan.law import Sketch, is_sketch, sketched
from calibcore.questions.plan.result import (
    Check,
    Plan,
    about,
    cases_for,
    cases_that_would_tell,
    detectable_with,
)
from calibcore.questions.plan.run import plan

__all__ = [
    "Check",
    "Plan",
    "Sketch",
    "about",
    "cases_for",
    "cases_that_would_tell",
    "detectable_with",
    "is_sketch",
    "plan",
    "sketched",
]
