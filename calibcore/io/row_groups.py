"""A Parquet file too large for memory: read in slices, understood as :func:`calibcore.io.read` does.

What the file is (which columns are what, what the numbers and the labels are) is decided once, from the
schema, the sample of rows that a :class:`.look.Look` takes and all labels; then every slice is read by it.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from calibcore import limits
from calibcore.data.checks import as_probabilities, check_range, clip, clipped_note
from calibcore.data.confidence import RIGHT, WRONG
from calibcore.data.cross_fitted import CROSS_FITTED, CROSS_FITTED_REFUSED
from calibcore.data.decimals import decimals_used
from calibcore.data.predictions import Predictions
from calibcore.data.row_numbers import rows_numbered
from calibcore.data.sums import all_alike, divide_rows, divided_note
from calibcore.errors import InputError
from calibcore.io.answer_slices import AnswerSlices
from calibcore.io.answered import ANSWERS
from calibcore.io.formats.parquet import ParquetSlices
from calibcore.io.options import ReadOptions, checked_options
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.confidences import asked, instead
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import Words, cell_text
from calibcore.io.roles.table_reading import Understanding
from calibcore.io.roles.understanding import understand
from calibcore.io.roles.values import errors_of, read_values, to_probabilities
from calibcore.io.tables import Column, Table, as_numbers
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, listed, quote

_SAMPLE = 500
_STEP = 1 << 17
"""Rows of a single column that are looked at together."""

_REFUSED = {
    "model": "All columns and rows of a stream are of one model; keep those of one model in the file.",
    "model_column": "All columns and rows of a stream are of one model; keep those of one model in the file.",
    "count_column": "Counts and weights cannot be streamed; expected one row a case.",
    "weight_column": "Counts and weights cannot be streamed; expected one row a case.",
    "sample": "A stream reads all cases; a sample of them is for 'diagnose' and 'survey'.",
    "leave_out_rows": "No rows can be left out of a stream; leave them out of the file.",
    "label_says": "A stream reads what happened, and not whether answers were right.",
    "rows_where": "All rows of a stream are read; keep those of one model in the file.",
    "transpose": "A stream reads a row a case; turn predictions with a row a class round in the file.",
    "by_length": "A stream holds no log of a language model, so that nothing can be divided by lengths.",
    "ordered": "A stream does not ask for the order of classes; that is for 'diagnose' and 'survey'.",
    "columns_are": "The columns of a stream are the classes that they say; name them so in the file.",
}
"""What cannot be said about a stream."""


def _understood(table: Table, options: ReadOptions, look: Look) -> Understanding | Answered:
    answered = asked(table, None, options)
    if answered is not None:
        return answered
    try:
        return understand(table, None, options, look)
    except InputError as refusal:
        return instead(table, None, options, refusal)


class RowGroups:
    """Predictions in a Parquet file, as slices.

    Raises :class:`InputError` for a file that is no Parquet, and as :func:`calibcore.io.read` does; one-hot
    labels, counts, weights and a second file of labels are refused. Metadata columns are not read.

    Attributes
    ----------
    n, m : cases and classes
    class_names : m names
    confidence_only : whether only the confidence in the answer is known, and which answers were right
    value_kind, label_kind : as in :class:`.Reading`
    """

    FIELDS = (
        "label_column", "probability_columns", "values", "label_base", "class_names", "renormalise",
        "confidence_column", "prediction_column", "correct_column", "confidence_words",
    )  # fmt: skip
    """Of :class:`.ReadOptions`: what can be said about a stream."""

    def __init__(self, path: Path | str, options: ReadOptions | None = None) -> None:
        options = checked_options(options or ReadOptions())
        for field, sentence in _REFUSED.items():
            if getattr(options, field) not in (None, (), False):
                raise InputError(sentence)
        self._file = ParquetSlices(Path(path))
        self.n = self._file.n
        if self.n < 2:
            raise InputError(f"There are {self.n} cases; expected at least 2 rows of predictions.")
        self._renormalise = options.renormalise
        self._sample, rows = self._file.sample(_SAMPLE)
        table = self._sample
        with rows_numbered(lambda i: int(rows[i]) + 1):
            look = _WholeLook(table, self._file)
            understood = _understood(table, options, look)
        if CROSS_FITTED in table.names:
            raise InputError(CROSS_FITTED_REFUSED)
        self._divided: tuple[int, float] | None = None
        self._clipped = 0, 0.0
        self.confidence_only = isinstance(understood, Answered)
        self.class_names: tuple[str, ...]
        if isinstance(understood, Answered):
            self._answers = AnswerSlices(understood, look, self._file, rows, options)
            self.value_kind, self.label_kind, self.class_names = (
                self._answers.value_kind,
                ANSWERS,
                (RIGHT, WRONG),
            )
        else:
            with rows_numbered(lambda i: int(rows[i]) + 1):
                self._take(understood)
        self.m = len(self.class_names)

    def _take(self, understood: Understanding) -> None:
        """What is read of probabilities of classes, by what a sample says of the columns."""
        if understood.words is None:
            raise InputError("One-hot labels cannot be streamed; expected one column of labels.")
        table = self._sample
        self.value_kind, why = understood.kind.name, understood.kind.why
        if self.value_kind == "percent" and not why:
            column = table.names[understood.probs[0]]
            highest = max(as_numbers(part)[0].max() for _, part in self._file.column(column, _STEP))
            why = f"they go up to {highest:.6g}"
        _, self._value_notes = to_probabilities(
            understood.values, table, understood.probs, self.value_kind, why, self._renormalise
        )
        self._one, (self._label,) = understood, understood.place.columns
        self._class_of = dict(zip(understood.words.texts, understood.meaning.numbers, strict=True))
        self.class_names, self.label_kind = understood.meaning.class_names, understood.meaning.kind

    @property
    def before(self) -> tuple[str, ...]:
        """Sentences on how the file was understood."""
        read = f"Read as Parquet, in slices: {self.n:,} rows, {count(len(self._sample.names), 'column')}."
        if self.confidence_only:
            return (read, *self._sample.notes, *self._answers.notes)
        return (
            read,
            *self._sample.notes,
            *self._one.notes,
            *self._one.meaning.notes,
            *self._value_notes,
            *clipped_note(*self._clipped),
            *(divided_note(*self._divided, self.n) if self._divided else ()),
        )

    @property
    def after(self) -> tuple[str, ...]:
        """Sentences on what was left out."""
        used = self._columns
        left = [name for name in self._sample.names if name not in used]
        return (f"Columns not read: {listed(left)}.",) if left else ()

    def slices(self, step: int) -> Iterator[tuple[int, Predictions]]:
        """The cases in slices of ``step``, the last one shorter, each with the number of its first case.

        Cost O(bytes); memory of a few copies of one slice.

        Raises
        ------
        InputError : a cell, a row or a label cannot be used; names the row in the file.
        """
        if self.confidence_only:
            yield from self._slices_of_answers(step)
            return
        changed, furthest = 0, 1.0
        outside, outermost = 0, 0.0
        for first, table in self._file.tables(self._columns, step):
            last = min(first + step, self.n)
            with _numbered(first, last):
                probs, (rows, over) = self._probs(table)
                with errors_of(self.value_kind):
                    sampled, far = divide_rows(
                        probs, self._renormalise, lambda: self._decimals, lambda: self._alike
                    )
                labels = self._numbers(table.columns[-1])
                predictions = Predictions.from_arrays(probs, labels, self.class_names)
            changed += sampled
            furthest = far if abs(far - 1) > abs(furthest - 1) else furthest
            outside, outermost = outside + rows, max(outermost, over)
            yield first, predictions
        self._divided, self._clipped = (changed, furthest), (outside, outermost)

    def _slices_of_answers(self, step: int) -> Iterator[tuple[int, Predictions]]:
        for first, table in self._file.tables(self._columns, step):
            with _numbered(first, min(first + step, self.n)):
                predictions = self._answers.predictions(table)
            yield first, predictions

    @property
    def _columns(self) -> list[str]:
        """The columns that are read."""
        if self.confidence_only:
            return self._answers.names
        return self._sample.names_of((*self._one.probs, self._label))

    def labels(self) -> Iterator[Int]:
        """All labels, in parts."""
        if self.confidence_only:
            yield from (self._answers.labels(table) for _, table in self._file.tables(self._columns, _STEP))
            return
        for _, column in self._file.column(self._sample.names[self._label], _STEP):
            yield self._numbers(column)

    def _probs(self, table: Table) -> tuple[Float, tuple[int, float]]:
        """(n, m) as they stand there, checked, and what :func:`clip` did; rows may still sum to something
        else than 1."""
        places = range(len(self._one.probs))
        values = read_values(table, places)
        with errors_of(self.value_kind):
            columns, _ = to_probabilities(values, table, places, self.value_kind, "", self._renormalise)
            probs = as_probabilities(columns)
            clipped = clip(probs, self._renormalise)
            check_range(probs, self.class_names, self._renormalise)
        return probs, clipped

    def _numbers(self, column: Column) -> Int:
        codes, values = pd.factorize(column)
        try:
            numbers = [self._class_of[cell_text(value)] for value in values]
        except KeyError as error:
            raise InputError(f"The file changed while it was read: {quote(error.args[0])}.") from None
        return np.asarray(numbers, np.int64)[codes]

    @cached_property
    def _alike(self) -> bool:
        """:func:`all_alike` of all rows."""
        parts = self._file.tables(self._sample.names_of(self._one.probs), _STEP)
        sums = [self._probs(table)[0].sum(axis=1) for _, table in parts]
        return all_alike(self.n, min(part.min() for part in sums), max(part.max() for part in sums))

    @cached_property
    def _decimals(self) -> int | None:
        """:func:`decimals_used` of all rows."""
        most = 1
        for _, table in self._file.tables(self._sample.names_of(self._one.probs), _STEP):
            decimals = decimals_used(self._probs(table)[0])
            if decimals is None:
                return None
            most = max(most, decimals)
        return most


def _numbered(first: int, last: int) -> AbstractContextManager[None]:
    """Inside, sentences have the rows of the file from ``first``, from 0, to ``last``."""
    return rows_numbered(lambda i: first + i + 1, f" of the first {last:,}")


class _WholeLook(Look):
    """A look at a sample, whose columns are looked through in the file where that is asked for."""

    def __init__(self, table: Table, file: ParquetSlices) -> None:
        super().__init__(table)
        self._file = file

    def numbers(self, j: int) -> Float:
        parts = [as_numbers(part)[0] for _, part in self._file.column(self.names[j], _STEP)]
        values = np.concatenate(parts).astype(np.float64)
        return values[np.isfinite(values)]

    def read_words(self, j: int, name: str) -> Words:
        """The first row of every label stands for all of its rows."""
        firsts = _firsts(self._file.column(self.names[j], _STEP))
        most = limits.LIMITS.max_classes + 2
        where = self.table.where(j)
        if len(firsts) > most:
            raise InputError(f"{where} has more than {most:,} different labels; expected classes.")
        column = pd.concat([cell for _, cell in firsts], ignore_index=True)

        def numbered() -> AbstractContextManager[None]:
            return rows_numbered(lambda i: firsts[i][0] + 1)

        labels = Words(column, where, name, numbered=numbered)
        return labels.sampled_as([cell_text(cell) for cell in self.table.columns[j].tolist()])

    def counts_rows(self, j: int) -> bool:
        may = {0, 1}
        for first, column in self._file.column(self.names[j], _STEP):
            values, _ = as_numbers(column)
            rows = np.arange(first, first + len(values))
            may = {start for start in may if np.array_equal(values, rows + start)}
            if not may:
                break
        return bool(may)


def _firsts(parts: Iterator[tuple[int, Column]]) -> list[tuple[int, Column]]:
    """Row and cell of the first of each label; also where one is missing."""
    firsts: dict[str, tuple[int, Column]] = {}
    most = limits.LIMITS.max_classes + 2
    for first, column in parts:
        codes, values = pd.factorize(column, use_na_sentinel=False)
        texts = [cell_text(value) for value in values]
        if all(text in firsts for text in texts) or len(firsts) > most:
            continue
        places = np.full(len(texts), len(codes), np.int64)
        np.minimum.at(places, codes, np.arange(len(codes)))
        for text, place in zip(texts, places.tolist(), strict=True):
            if text not in firsts:
                firsts[text] = first + place, column.iloc[[place]]
    return list(firsts.values())
