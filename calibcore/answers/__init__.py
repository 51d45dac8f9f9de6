"""What a result says, as blocks that every interface renders: plain text, tables, and what is drawn."""

from collections.abc import Mapping
from typing import Any

from calibcore.answers import decide, groups, monitor
from calibcore.answers.question import Question

QUESTIONS: Mapping[type, Question[Any]] = {
    question.result: question for question in (decide.QUESTION, groups.QUESTION, monitor.QUESTION)
}
"""Type of a result -> its question."""
