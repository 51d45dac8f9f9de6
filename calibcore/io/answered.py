"""Predictions of a table that says how sure the model was of its answers, and which were right."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibcore.column_names.lexicon import NO_VALUE
from calibcore.column_names.name_words import RIGHT, loose
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.predictions import Predictions
from calibcore.data.row_numbers import leaving_out, list_rows, row_number
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.reading import FirstRow, first_places
from calibcore.io.roles import sureness
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.meaning import Words
from calibcore.io.roles.right_answers import truths
from calibcore.io.tables import Array, capitalised
from calibcore.wording import count, listed, quote

ANSWERS = "answers"
"""The kind of labels that say whether answers were right."""
_MOST_LISTED = 5


@dataclass(frozen=True, eq=False)
class Columns:
    """What the columns of answers say, and sentences on it."""

    right: Array  # (n,) whether the answer was right
    predicted: Array | None  # (n,) names of what was answered
    truth: Array | None  # (n,) names of what was so
    notes: tuple[str, ...]
    against: int = 0  # rows in which the answer and the truth say otherwise, as a person knows


def columns_of(answered: Answered, options: ReadOptions) -> Columns:
    """Which answers were right. Cost O(n).

    Raises
    ------
    InputError : an empty cell, words that say neither right nor wrong; a question where what is said to be
        right is not what the answer and the truth say.
    """
    look, labels = answered.look, answered.label_look
    predicted = None if answered.predicted is None else look.words(answered.predicted)
    truth = None if answered.truth is None else labels.words(answered.truth)
    predicted_names, so = _names(predicted, truth)
    if answered.correct is None:
        assert predicted is not None
        assert truth is not None
        if options.label_column is None:
            _refuse_unknown(answered, truth)
        note = (
            f"An answer is right where {look.table.where(answered.predicted or 0)} is "
            f"{labels.table.where(answered.truth or 0)}."
        )
        return Columns(np.asarray(predicted_names == so), predicted_names, so, (note,))
    right, note = _said_to_be_right(answered)
    if predicted_names is not None and so is not None:
        rows = np.flatnonzero((predicted_names == so) != right)
        named = options.correct_column is not None
        if len(rows) and not named:
            raise _contradiction(answered, rows, predicted_names, so, right)
        return Columns(right, predicted_names, so, (note,), len(rows))
    return Columns(right, predicted_names, so, (note,))


def against_note(rows: int) -> tuple[str, ...]:
    """The sentence on :attr:`Columns.against`; none where there are none."""
    where = (
        f"In {count(rows, 'row')} the answer and the truth say otherwise than the column of what was right."
    )
    return (where,) if rows else ()


def _names(predicted: Words | None, truth: Words | None) -> tuple[Array | None, Array | None]:
    """(n,) what was answered and what was so, by the names of the truth where it is the same class."""
    known = {loose(word): word for word in (truth.words if truth else ())}

    def named(words: Words | None) -> Array | None:
        if words is None:
            return None
        return np.array([known.get(loose(word), word) for word in words.words], dtype=object)[words.codes]

    return named(predicted), named(truth)


def _refuse_unknown(answered: Answered, truth: Words) -> None:
    """A question where the truth is called "None" or "NA": nothing may be known there, or it is a class."""
    empty = np.array([word.lower() in NO_VALUE for word in truth.words])
    rows = np.flatnonzero(empty[truth.codes])
    if not len(rows):
        return
    words = listed([word for word, is_empty in zip(truth.words, empty, strict=True) if is_empty])
    where = list_rows(rows, lambda i: f"has {quote(truth.words[truth.codes[i]])} in {truth.where}")
    own = answered.remedy()
    raise InputError(
        f"{where} Either nothing is known there, and no answer is right or wrong, or {words} is a class.",
        [*leaving_out(rows, len(truth.codes)), Remedy(f"{words} is a class", own.change, rows=own.rows)],
    )


def _said_to_be_right(answered: Answered) -> tuple[Array, str]:
    words = answered.label_look.words(answered.correct or 0)
    where = capitalised(words.where)
    yes = truths(words)
    if yes is None:
        raise InputError(
            f"{where} holds {listed(sorted(words.words), _MOST_LISTED)}, which do not say whether answers "
            f"were {answered.says}. Expected 1 and 0, true and false, yes and no, or right and wrong.",
            (Remedy("Say which column tells if each answer was right", asks="correct_column"),),
        )
    right = np.array(yes, dtype=bool)[words.codes] == (answered.says == RIGHT)
    return right, f"{where} says whether each answer was {answered.says}."


def _contradiction(
    answered: Answered, rows: Array, predicted_names: Array, so: Array, right: Array
) -> InputError:
    """What is right by one column is wrong by two others: somebody chooses."""
    assert answered.correct is not None
    assert answered.predicted is not None
    assert answered.truth is not None
    i = int(rows[0])
    names, labels = answered.look.names, answered.label_look
    own = answered.remedy()
    change = {
        "confidence_column": names[answered.sure],
        "prediction_column": names[answered.predicted],
        "label_column": labels.names[answered.truth],
    }
    return InputError(
        f"Row {row_number(i):,} answers {predicted_names[i]!r:.40}, the truth is {so[i]!r:.40}, and "
        f"{labels.table.where(answered.correct)} says that it is {'right' if right[i] else 'wrong'} "
        f"({count(len(rows), 'such row')}).",
        (
            Remedy(f"Go by {labels.table.where(answered.correct)}", own.change),
            Remedy("Compare the answer with the truth", change),
        ),
    )


@dataclass(frozen=True, eq=False)
class Known:
    """Predictions of a table, and what :class:`.Reading` says of how they were understood."""

    predictions: Predictions
    kind: str
    label_kind: str
    label_source: str
    columns: tuple[str, ...]  # names of those of the predictions
    notes: tuple[str, ...]
    value_notes: tuple[str, ...]  # behind those on counts and weights
    first_rows: tuple[FirstRow, ...]


def confidence_notes(answered: Answered) -> tuple[str, ...]:
    """What is known, and where it stands."""
    table, predicted = answered.look.table, answered.predicted
    return (
        "Only the confidence in the answer is known, and which answers were right: what other answers "
        "were given is not.",
        f"Confidence: {table.where(answered.sure)}.",
        *((f"Answers: {table.where(predicted)}.",) if predicted is not None else ()),
    )


def known_of(
    answered: Answered, metadata: dict[str, Array], options: ReadOptions, more: Mapping[str, Array | None]
) -> Known:
    """Predictions of which only the confidence is known; ``more``: counts and weights.

    Raises
    ------
    InputError : as :func:`columns_of` and :func:`.sureness.read`.
    """
    table, labels = answered.look.table, answered.label_look.table
    sure, kind, value_notes = sureness.read(answered.look, answered.sure, options)
    columns = columns_of(answered, options)
    own = {PREDICTED: columns.predicted, TRUTH: columns.truth}
    taken = {name: values for name, values in own.items() if values is not None}
    beside = {name: values for name, values in metadata.items() if name not in taken}
    predictions = Predictions.from_confidence(
        sure, columns.right, {**taken, **beside}, counts=more["counts"], weights=more["weights"]
    )
    names = labels.names_of(answered.label_columns)
    notes = (*confidence_notes(answered), *columns.notes, *against_note(columns.against))
    first = tuple(
        FirstRow(
            row_number(i),
            tuple(map(float, predictions.probs[k])),
            int(predictions.labels[k]),
            "" if columns.predicted is None else str(columns.predicted[i]),
            "" if columns.truth is None else str(columns.truth[i]),
        )
        for i, k in first_places(table.n, more["counts"])
    )
    source = f"{'column' if len(names) == 1 else 'columns'}:{','.join(names)}"
    column = (table.names[answered.sure],)
    return Known(predictions, kind, ANSWERS, source, column, notes, value_notes, first)
