"""How many cases are enough."""

from calibcore.questions.plan.law import Sketch, is_sketch, sketched
from calibcore.questions.plan.result import Check, Plan, about, cases_that_would_tell
from calibcore.questions.plan.run import plan

__all__ = ["Check", "Plan", "Sketch", "about", "cases_that_would_tell", "is_sketch", "plan", "sketched"]
