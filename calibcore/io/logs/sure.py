"""Logs that hold how sure a model was of its answer, and no probabilities of the other options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calibcore.io.logs.log import columns_beside
from calibcore.io.tables import Columns, Table, column_of

CONFIDENCE, RIGHT = "confidence", "correct"
"""Names of columns: how sure the model was of its answer, and whether that was right."""


@dataclass(frozen=True)
class Answer:
    """How sure the model was of what it ``said``, from 0 to 1 or in per cent; what was so, and whether it was
    right."""

    confidence: float
    said: str = ""
    truth: str = ""
    right: bool = False
    columns: Mapping[str, Any] = field(default_factory=dict)


def table_of_answers(answers: Sequence[Answer], source: str, notes: Sequence[str] = ()) -> Table:
    """One row an answer. What was answered, and what was so, are told where they agree with what was right:
    a scorer may take two texts for the same."""
    is_told = all(a.said and a.truth and (a.said == a.truth) == a.right for a in answers)
    columns = Columns()
    columns.add(CONFIDENCE, column_of([answer.confidence for answer in answers]))
    columns.add(RIGHT, column_of([answer.right for answer in answers]))
    if is_told:
        columns.add("prediction", column_of([answer.said for answer in answers]))
        columns.add("truth", column_of([answer.truth for answer in answers]))
    beside = columns_beside([answer.columns for answer in answers])
    for name, cells in beside.items():
        columns.add(name if name not in columns.names else f"{name}_", column_of(cells))
    note = "The log holds how sure the model was of its answer, and not the probabilities of all options."
    return columns.table(source, notes=(note, *notes))
