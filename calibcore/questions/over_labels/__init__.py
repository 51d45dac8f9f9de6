"""A question asked of each of several labels, as a table with a row a label."""

from calibcore.questions.over_labels.answer import mapped, question_of
from calibcore.questions.over_labels.ask import asked_of_each, over_labels
from calibcore.questions.over_labels.result import OverLabels, Refused

__all__ = ["OverLabels", "Refused", "asked_of_each", "mapped", "over_labels", "question_of"]
