"""How many cases it takes to see an error of a given size."""

from calibcore.questions.plan.ask import SKETCHES, about, is_sketch, plan, plan_of_survey, sketched
from calibcore.questions.plan.result import Plan

__all__ = ["SKETCHES", "Plan", "about", "is_sketch", "plan", "plan_of_survey", "sketched"]
