"""How many wrong labels would explain that a model looks miscalibrated."""

from calibcore.questions.label_noise.ask import explain_by_wrong_labels, looks_like_noise, most_likely_share
from calibcore.questions.label_noise.result import WrongLabels

__all__ = [
    "WrongLabels",
    "explain_by_wrong_labels",
    "looks_like_noise",
    "most_likely_share",
]
