"""One way to read a table of answers: how sure the model was of them, and which were right."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from calibcore.column_names.name_words import RIGHT, WRONG, loose
from calibcore.errors import InputError, Remedy
from calibcore.io.roles import right_answers
from calibcore.io.roles.look import FIRST_ROWS, Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import capitalised

ANSWERED, SURE, TRUE, WAS = "answered", "sure", "truth", "was"
"""What the cells of a first row are called."""


@dataclass(frozen=True, eq=False)
class Answered:
    """One way to read a table: how sure the model was, and which column says whether it was right."""

    look: Look
    label_look: Look
    sure: int  # the column of the confidence
    correct: int | None  # whether the answer was right, or wrong
    says: str  # which of both its 1 says
    predicted: int | None  # what was answered
    truth: int | None  # what was so; in the file of labels, if there is one, as ``correct``
    doubt: str = ""  # why a person is asked whether it is read so

    @property
    def own_file(self) -> bool:
        return self.label_look is not self.look

    @property
    def used(self) -> set[int]:
        """The columns of the file of predictions that are taken."""
        own = () if self.own_file else (self.correct, self.truth)
        return {j for j in (self.sure, self.predicted, *own) if j is not None}

    @property
    def label_columns(self) -> list[int]:
        """The columns that say what was right, in the file of labels if there is one."""
        return [j for j in (self.correct, self.truth) if j is not None]

    def remedy(self) -> Remedy:
        """This reading, as one to choose."""
        names = self.look.names
        change: dict[str, Any] = {"confidence_column": names[self.sure]}
        if self.correct is not None:
            change["correct_column"] = self.label_look.names[self.correct]
            says = f"{self.label_look.table.where(self.correct)} says whether that was {self.says}"
        else:
            assert self.predicted is not None
            assert self.truth is not None
            change |= {
                "prediction_column": names[self.predicted],
                "label_column": self.label_look.names[self.truth],
            }
            says = f"the answer is {self.look.table.where(self.predicted)}"
        where = capitalised(self.look.table.where(self.sure))
        return Remedy(f"{where} is how sure the model was of its answer; {says}", change, rows=self.rows())

    def rows(self) -> tuple[dict[str, str], ...]:
        """The first rows in this reading, nothing checked."""
        table, n = self.look.table, min(FIRST_ROWS, self.look.table.n)
        rows = []
        for i in range(n):
            row = {SURE: cell_text(table.columns[self.sure].iloc[i])}
            answer = "" if self.predicted is None else cell_text(table.columns[self.predicted].iloc[i])
            truth = "" if self.truth is None else cell_text(self._labels(self.truth).iloc[i])
            right: bool | None = loose(answer) == loose(truth)
            if self.correct is not None:
                right = self._is_said_right(self.correct, i)
            row = ({ANSWERED: answer} if answer else {}) | row | ({TRUE: truth} if truth else {})
            rows.append(row | {WAS: "" if right is None else RIGHT if right else WRONG})
        return tuple(rows)

    def _is_said_right(self, j: int, i: int) -> bool | None:
        """Whether the answer of row i was right, as the column j says; None where some of its cells are
        empty."""
        try:
            words = self.label_look.words(j)
        except InputError:
            return None
        yes = right_answers.truths(words)
        return yes is not None and bool(yes[int(words.codes[i])]) == (self.says == RIGHT)

    def _labels(self, j: int) -> "pd.Series[Any]":
        return self.label_look.table.columns[j]
