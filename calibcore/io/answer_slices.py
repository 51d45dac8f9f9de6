"""A file of which only the confidence in the answer is known, read in slices as it is read whole."""

from copy import copy
from dataclasses import replace

import numpy as np
import pandas as pd

from calibcore.data.predictions import Predictions
from calibcore.data.row_numbers import rows_numbered
from calibcore.errors import InputError
from calibcore.io.answered import against_note, columns_of, confidence_notes
from calibcore.io.formats.parquet import ParquetSlices
from calibcore.io.options import ReadOptions
from calibcore.io.roles import sureness
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import Words, cell_text
from calibcore.io.tables import Array, Table
from calibcore.numerics.types import Int
from calibcore.wording import quote

_ALL = 4
"""Columns where the answer, the truth and what was right are known."""
_STEP = 1 << 17


class AnswerSlices:
    """How slices are read: on what scale the confidences are and which words there are, by whole columns.

    ``answered`` is what a sample, of ``rows``, says of the columns; ``whole`` a look at it that reads words
    in the file.

    Attributes
    ----------
    names : the columns that are read, that of the confidence first
    value_kind : as in :class:`.Reading`
    notes : sentences on how it was understood

    Raises
    ------
    InputError : as :func:`.sureness.read`, and where the words of a column cannot be used. Cost O(n), memory
        of a few copies of the confidences.
    """

    def __init__(
        self, answered: Answered, look: Look, file: ParquetSlices, rows: Int, options: ReadOptions
    ) -> None:
        if answered.correct is not None and None in (answered.predicted, answered.truth):
            answered = replace(
                answered, predicted=None, truth=None
            )  # one alone says nothing of what is right
        order = [
            j for j in (answered.sure, answered.predicted, answered.correct, answered.truth) if j is not None
        ]
        place = {j: i for i, j in enumerate(order)}
        self.names = look.table.names_of(order)
        self._words = {place[j]: look.words(j) for j in order[1:]}
        self._places = [
            None if j is None else place[j] for j in (answered.predicted, answered.correct, answered.truth)
        ]
        self._answered = answered
        (_, column), *_ = file.tables([self.names[0]], file.n)
        _, self.value_kind, value_notes = sureness.read(Look(column), 0, options)
        self._options = replace(options, values=self.value_kind)
        first = self._slice(look.table.part(order))
        with rows_numbered(lambda i: int(rows[i]) + 1):
            of_sample = columns_of(first, self._options)
        against = 0
        if options.correct_column is not None and len(self.names) == _ALL:
            for start, table in file.tables(self.names, _STEP):
                with rows_numbered(lambda i, start=start: start + i + 1):  # type: ignore[misc]
                    against += columns_of(self._slice(table), self._options).against
        self.notes = (*confidence_notes(first), *of_sample.notes, *against_note(against), *value_notes)

    def predictions(self, table: Table) -> Predictions:
        """Of a slice with the columns :attr:`names`."""
        answered = self._slice(table)
        sure, _, _ = sureness.read(answered.look, 0, self._options)
        return Predictions.from_confidence(sure, columns_of(answered, self._options).right)

    def labels(self, table: Table) -> Int:
        """0 where an answer was right and 1 where it was wrong."""
        right: Array = columns_of(self._slice(table), self._options).right
        return np.where(right, 0, 1).astype(np.int64)

    def _slice(self, table: Table) -> Answered:
        look = _SliceLook(table, self._words)
        predicted, correct, truth = self._places
        return Answered(look, look, 0, correct, self._answered.says, predicted, truth)


class _SliceLook(Look):
    """A look at a slice, whose columns have the words of the whole file."""

    def __init__(self, table: Table, words: dict[int, Words]) -> None:
        super().__init__(table)
        self._of_file = words

    def words(self, j: int) -> Words:
        of_file = self._of_file[j]
        places = {text: i for i, text in enumerate(of_file.texts)}
        codes, values = pd.factorize(self.table.columns[j])
        try:
            numbers = [places[cell_text(value)] for value in values]
        except KeyError as error:
            raise InputError(f"The file changed while it was read: {quote(error.args[0])}.") from None
        part = copy(of_file)
        part.codes = np.asarray(numbers, np.int64)[codes]
        return part
