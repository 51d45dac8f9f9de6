"""What a result says, as blocks that every interface renders: plain text, tables, and what is drawn."""

from collections.abc import Mapping
from typing import Any

from calibcore.answers import compare, decide, groups, label_noise, monitor, plan, recalibrate, training
from calibcore.answers.question import Question

_ALL: tuple[Question[Any], ...] = (
    compare.QUESTION,
    decide.QUESTION,
    groups.QUESTION,
    label_noise.QUESTION,
    monitor.QUESTION,
    plan.QUESTION,
    recalibrate.QUESTION,
    training.QUESTION,
)
QUESTIONS: Mapping[type, Question[Any]] = {
    question.result: question for question in sorted(_ALL, key=lambda question: question.place)
}
"""Type of a result -> its question, in the order of a report's parts."""
