"""What a result says, as blocks that every interface renders: plain text, tables, and what is drawn."""

from collections.abc import Mapping
from typing import Any

from calibcore.answers import decide, label_noise, plan, recalibrate
from calibcore.answers.question import Question

_ALL: tuple[Question[Any], ...] = (
    decide.QUESTION,
    plan.QUESTION,
    label_noise.QUESTION,
    recalibrate.QUESTION,
)
QUESTIONS: Mapping[type, Question[Any]] = {
    question.result: question for question in sorted(_ALL, key=lambda question: question.place)
}
"""Type of a result -> its question, in the order of a report's parts."""
