"""What the probabilities are worth where one acts from a threshold on."""

from calibcore.questions.decide.ask import RANGES, decide, default_thresholds
from calibcore.questions.decide.guarantee import RISK, TARGET
from calibcore.questions.decide.result import Decisions
from calibcore.questions.decide.sets import Sets, sets_of
from calibcore.questions.decide.thresholds import AtThreshold

__all__ = [
    "RANGES",
    "RISK",
    "TARGET",
    "AtThreshold",
    "Decisions",
    "Sets",
    "decide",
    "default_thresholds",
    "sets_of",
]
