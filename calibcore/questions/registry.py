"""The questions, each entered in the ``says`` of its folder."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from calibcore import questions
from calibcore.answers.question import Question


def _entered() -> Mapping[type, Question[Any]]:
    folders = (module.name for module in iter_modules(questions.__path__) if module.ispkg)
    names = (f"{questions.__name__}.{folder}.says" for folder in folders)
    entered: list[Question[Any]] = [import_module(name).QUESTION for name in names if find_spec(name)]
    return {question.result: question for question in sorted(entered, key=lambda question: question.place)}


QUESTIONS = _entered()
"""Type of a result -> its question, in the order of a report's parts."""


def question_called(command: str) -> Question[Any]:
    """The question that a command asks. StopIteration where none is called so."""
    return next(question for question in QUESTIONS.values() if question.command == command)
