"""A question asked of each of several labels, as a table with a row a label."""

from calibcore.questions.over_labels.answer import mapped, question_of
from calibcore.questions.over_labels.ask import ask_each, asked_of_each
from calibcore.questions.over_labels.result import OverLabels, Refused

__all__ = ["OverLabels", "Refused", "ask_each", "asked_of_each", "mapped", "question_of"]
