"""What a result says, as blocks that every interface renders: plain text, tables, and what is drawn."""

from collections.abc import Mapping
from typing import Any

from calibcore.answers import compare, decide, label_noise, plan, recalibrate, training
from calibcore.answers.question import Question

QUESTIONS: Mapping[type, Question[Any]] = {
    question.result: question
    for question in (
        compare.QUESTION,
        decide.QUESTION,
        label_noise.QUESTION,
        plan.QUESTION,
        recalibrate.QUESTION,
        training.QUESTION,
    )
}
"""Type of a result -> its question."""
