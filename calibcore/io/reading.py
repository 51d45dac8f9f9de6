"""A reading: predictions and how a file was understood; of a sample, or with its columns in another order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io.options import NO_ORDER, ReadOptions
from calibcore.io.roles.look import FIRST_ROWS
from calibcore.io.tables import Array
from calibcore.numerics.types import Int
from calibcore.wording import listed, quote

_MOST_NAMED = 6


class FirstRow(NamedTuple):
    """A row of the file as it was taken: its number, from 1, the probability of each class, and its class.

    Where only the confidence is known, also what was answered and what was so, if the file says it.
    """

    number: int
    probs: tuple[float, ...]
    label: int
    answered: str = ""
    truth: str = ""


def first_places(n: int, counts: Array | None) -> list[tuple[int, int]]:
    """The first rows of n, from 0, each with its place among the predictions: a row that counts several times
    stands there as often, and one that counts 0 has no place."""
    if counts is None:
        return [(i, i) for i in range(min(FIRST_ROWS, n))]
    times = np.asarray(counts, np.float64)
    rows = np.flatnonzero(times)[:FIRST_ROWS].tolist()
    return [(i, int(times[:i].sum())) for i in rows]


@dataclass(frozen=True)
class Reading:
    """Predictions and how the file was understood.

    Attributes
    ----------
    predictions : checked; they carry the notes, so that a result can tell how its data were read
    notes : sentences: what was taken for what and why, what was changed, what is worth knowing
    label_source : "column:NAME", "columns:NAME,NAME" (one-hot), "array:NAME" or "file:NAME"
        ("file:labels" for bytes without a name)
    value_kind : probabilities, percent or logits
    label_kind : names, 0-based, 1-based, boolean or one-hot; "answers" where these were right or wrong
    probability_columns : their names in the file, in the order of the classes
    metadata_columns : names of all others
    name, labels_name : of the file and of a second one of labels, without folders; "" for bytes without a
        name, None where there was no second file
    options : what the user said about the file
    columns, label_columns : names of all columns of the file of predictions, and of the file of labels if
        there is one
    swapped : whether the second file was taken for the predictions and the first for the labels
    first_rows : of the file, as they were taken
    """

    predictions: Predictions
    notes: tuple[str, ...]
    label_source: str
    value_kind: str
    label_kind: str
    probability_columns: tuple[str, ...]
    metadata_columns: tuple[str, ...]
    name: str = ""
    labels_name: str | None = None
    options: ReadOptions = ReadOptions()
    columns: tuple[str, ...] = ()
    label_columns: tuple[str, ...] = ()
    swapped: bool = False
    first_rows: tuple[FirstRow, ...] = ()

    def of_sample(self, n: int) -> "Reading":
        """The same with ``n`` of the cases, drawn at random; :class:`InputError` if there are not so many."""
        sample = sampled(self.predictions, n)
        return replace(self, predictions=sample, notes=sample.notes, options=replace(self.options, sample=n))


def in_order(reading: Reading, ordered: Sequence[str] | None) -> Reading:
    """The same with its classes in this order, the lowest first, or said to have none. Cost O(nm).

    Columns that are taken for other classes stay so.

    Raises
    ------
    InputError : other classes, fewer than three, or one of them twice.
    """
    if ordered is None or tuple(ordered) == NO_ORDER:
        order = None if ordered is None else NO_ORDER
        return replace(reading, options=replace(reading.options, ordered=order))
    before, p = reading.predictions, reading.predictions.in_order(ordered)
    places = [before.class_names.index(name) for name in p.class_names]
    known = {label: place for place, label in enumerate(places)}
    names, dropped = reading.probability_columns, remarks_on(before)
    remaining = [note for note in reading.notes if note not in dropped]
    note = f"Classes in order, the lowest first, as said: {', '.join(map(quote, p.class_names))}."
    notes = (*remaining[:1], note, *remaining[1:], *remarks_on(p))
    return replace(
        reading,
        predictions=p.noted(notes),
        notes=notes,
        first_rows=tuple(
            row._replace(probs=tuple(row.probs[k] for k in places), label=known[row.label])
            for row in reading.first_rows
        ),
        probability_columns=tuple(names[k] for k in places) if len(names) == p.m else names,
        options=options_in_order(reading, tuple(ordered)),
    )


def options_in_order(reading: Reading, ordered: tuple[str, ...]) -> ReadOptions:
    """What was said about the file, and this order of its classes. Columns are taken for what they were."""
    options, own = reading.options, reading.predictions.class_names
    taken = None if options.columns_are is None else dict(zip(own, options.columns_are, strict=True))
    known = taken is not None and sorted(ordered) == sorted(own)
    columns_are = tuple(taken[name] for name in ordered) if taken is not None and known else None
    return replace(options, ordered=ordered, columns_are=columns_are)


def reordered(reading: Reading, columns_are: Sequence[str] | None) -> Reading:
    """The same file with its columns taken for ``columns_are``, whose order is that of the class names.

    None takes every column for the class that it says. What was said so before does not count any more. The
    names of the classes and the labels stay as they are. Cost O(nm).

    Raises
    ------
    InputError : ``columns_are`` are other classes, or one of them stands twice.
    """
    p = reading.predictions
    own = p.class_names
    before = reading.options.columns_are or own
    classes = tuple(own if columns_are is None else columns_are)
    if sorted(classes) != sorted(own):
        raise InputError(
            f"The columns were said to be {listed(classes)}; expected each class once: {listed(own)}."
        )
    if classes == before:
        return reading
    if p.confidence_only:
        raise InputError(
            "Only the confidence in the answer is known: there are no columns of classes to order."
        )
    places = [own.index(before[classes.index(name)]) for name in own]  # of each class, its column now
    moved = p.with_columns(places)
    names = reading.probability_columns
    dropped = {*remarks_on(p), *_order_notes(own, before)}
    remaining = [note for note in reading.notes if note not in dropped]
    notes = (*remaining[:1], *_order_notes(own, classes), *remaining[1:], *remarks_on(moved))
    return replace(
        reading,
        predictions=moved.noted(notes),
        notes=notes,
        first_rows=tuple(
            row._replace(probs=tuple(row.probs[k] for k in places)) for row in reading.first_rows
        ),
        probability_columns=tuple(names[k] for k in places) if len(names) == p.m else names,
        options=replace(reading.options, columns_are=None if classes == own else classes),
    )


def file_columns_are(reading: Reading, columns_are: Sequence[str]) -> tuple[str, ...]:
    """What the columns of the file are, where the predictions' as they are now are ``columns_are``."""
    own = reading.predictions.class_names
    return tuple(columns_are[own.index(name)] for name in reading.options.columns_are or own)


def _order_notes(own: Sequence[str], columns_are: Sequence[str]) -> tuple[str, ...]:
    """The sentence on columns that are taken for other classes; none where they are as they say."""
    pairs = zip(own, columns_are, strict=True)
    other = [f"that of {quote(a)} for {quote(b)}" for a, b in pairs if a != b]
    more = f", and {len(other) - _MOST_NAMED:,} more" if len(other) > _MOST_NAMED else ""
    note = f"Columns were taken for other classes, as asked: {', '.join(other[:_MOST_NAMED])}{more}."
    return (note,) if other else ()


def order_note(reading: Reading) -> str:
    """The note on columns that are taken for other classes; empty where they are as they say."""
    own = reading.predictions.class_names
    return "".join(_order_notes(own, reading.options.columns_are or own))


def remarks(
    class_names: tuple[str, ...],
    class_counts: Int,
    impossible: int,
    ordered: bool,
    confidence_only: bool = False,
) -> tuple[str, ...]:
    """What is worth knowing about data that are right as they are."""
    sentences = []
    unseen = [name for name, count in zip(class_names, class_counts, strict=True) if not count]
    if len(unseen) == len(class_names) - 1:
        only = class_names[int(np.argmax(class_counts))]
        sentences.append(
            f"Every answer was {only}." if confidence_only else f"Every case has the class {quote(only)}."
        )
    elif unseen:
        sentences.append(f"No case has the class {listed(unseen)}.")
    if impossible:
        if confidence_only:
            were = "1 answer was" if impossible == 1 else f"{impossible:,} answers were"
            happened, rounded = f"{were} wrong with a confidence of 1, or right with one of 0", "confidence"
        else:
            cases = "1 case has an outcome" if impossible == 1 else f"{impossible:,} cases have an outcome"
            happened, rounded = f"{cases} that was given probability 0", "0"
        sentences.append(f"{happened}. One such case refutes calibration, unless the {rounded} was rounded.")
    if ordered:
        what = "Right answers" if confidence_only else "Equal labels"
        sentences.append(
            f"{what} stand together, or alternate, more than by chance: the rows are in no random order. "
            "Tests that use the order of the rows (linear SKCE) need shuffled rows."
        )
    return tuple(sentences)


def remarks_on(p: Predictions) -> tuple[str, ...]:
    """:func:`.remarks` on these predictions."""
    return remarks(p.class_names, p.class_counts, p.impossible_outcomes, p.labels_ordered, p.confidence_only)


NOTE = "A random sample: "
"""How the note of a sample begins."""


def sampled(predictions: Predictions, n: int) -> Predictions:
    """``n`` of the cases, drawn at random as :meth:`.Predictions.sampled` does; their notes say so.

    What the notes remark on all cases gives way to what is to be remarked on these.
    """
    before, sample = remarks_on(predictions), predictions.sampled(n)
    notes = [note for note in predictions.notes if note not in before and not note.startswith(NOTE)]
    note = f"{NOTE}{sample.n:,} of {sample.drawn_from:,} cases, the same ones every time."
    return sample.noted((*notes[:1], note, *notes[1:], *remarks_on(sample)))
