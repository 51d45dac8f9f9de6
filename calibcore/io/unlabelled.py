"""Predictions of cases whose outcomes are not known, or are not looked at."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle, islice

import numpy as np

from calibcore.column_names.class_forms import class_names_of, counts_up
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io.columns import other_columns, without_column
from calibcore.io.options import ReadOptions, checked_options
from calibcore.io.reader import read, read_labels
from calibcore.io.roles import label_places, prediction_columns
from calibcore.io.roles.look import Look
from calibcore.io.roles.values import kinds_of, read_values, to_probabilities
from calibcore.io.sources import File, Source, name_of, tables_of
from calibcore.io.tables import Table
from calibcore.wording import listed

NO_LABELS = "The file has no labels, or none that go with the predictions: none are used."
_ALONE = ("no event", "event")
"""What one column is about, and the rest."""


def read_pilot(
    source: Source,
    *,
    name: str | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> Predictions:
    """As :func:`calibcore.io.read`; of a file without labels the predictions alone, with made-up labels.

    A note says so: such predictions are for what never looks at labels.

    Raises
    ------
    InputError : what reading with labels refuses, where the predictions cannot be told without.
    """
    try:
        return read(source, name=name, labels=labels, labels_name=labels_name, options=options).predictions
    except InputError as refused:
        if labels is not None:
            raise
        try:
            return _bare(File(source, name or name_of(source)), checked_options(options))
        except InputError:
            raise refused from None


def _bare(file: File, options: ReadOptions) -> Predictions:
    if options.model is not None or options.model_column is not None:
        raise InputError("One of several models is read with its labels.")
    table, counts, _ = without_column(tables_of(file, None, options).table, options.count_column, "counts")
    look = Look(table)
    likely = {place.columns[0] for place in label_places.find_places(look, None, False) if place.rank > 0}
    labels = {j for j in likely if look.parsed[j].speaks_of_outcomes}
    free = [j for j in range(len(look.names)) if look.numeric[j] and j not in labels]
    usable = prediction_columns.candidates(look, free, [], options)[0]
    kinds = kinds_of(look, usable[0].columns, options) if len(usable) == 1 else []
    if len(kinds) != 1 or usable[0].doubt or kinds[0].doubt:
        raise InputError("It is open what the predictions are.")
    candidate, kind = usable[0], kinds[0]
    values = read_values(table, candidate.columns)
    probs, notes = to_probabilities(
        values, table, candidate.columns, kind.name, kind.why, options.renormalise
    )
    predictions = Predictions.from_arrays(
        probs,
        np.zeros(len(probs), np.int64),
        _names(table, candidate.columns, options),
        other_columns(table, set(candidate.columns)),
        renormalise=options.renormalise,
        counts=counts,
    )
    predictions = predictions.noted((NO_LABELS, *notes, *predictions.notes))
    return predictions if options.sample is None else predictions.sampled(options.sample)


def _names(table: Table, columns: tuple[int, ...], options: ReadOptions) -> tuple[str, ...] | None:
    class_names = options.class_names or table.class_names
    if len(columns) == 1 and len(class_names or ()) != 2:
        return _ALONE
    if class_names:
        return class_names
    names = table.names_of(columns)
    return class_names_of(names) if table.named and not table.blocks and not counts_up(names) else None


def read_for_map(
    source: Source,
    class_names: tuple[str, ...],
    *,
    name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> tuple[Predictions, bool]:
    """Predictions in the order of ``class_names``, and whether their labels are those of the file.

    Without labels of its own a file is read with some that stand for nothing.

    Raises
    ------
    InputError : it cannot be read either way; other classes.
    """
    name = name or name_of(source)
    try:
        predictions, labelled = read(source, name=name, options=options).predictions, True
    except InputError as error:
        try:
            predictions, labelled = _with_any_labels(File(source, name), class_names, options), False
        except InputError:
            raise error from None
    if set(predictions.class_names) != set(class_names):
        raise InputError(
            f"The file {shown(name)} has the classes {listed(predictions.class_names, 5)}; the map has "
            f"{listed(class_names, 5)}. Classes are joined by name."
        )
    places = [predictions.class_names.index(name) for name in class_names]
    labels = [class_names.index(predictions.class_names[k]) for k in predictions.labels.tolist()]
    probs, columns = predictions.probs[:, places], predictions.metadata
    return Predictions.from_arrays(probs, labels, class_names, columns, renormalise=True), labelled


def read_labels_for_map(
    source: Source,
    label_names: tuple[str, ...],
    *,
    name: str | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> tuple[MultiLabelPredictions, bool]:
    """Predictions of several labels of each case, and whether their outcomes are those of the file.

    Of a file without outcomes those of ``label_names`` are read, with outcomes that stand for nothing.

    Raises
    ------
    InputError : it cannot be read either way.
    """
    name = name or name_of(source)
    try:
        known = read_labels(source, name=name, labels=labels, labels_name=labels_name, options=options)
        return known.predictions, True
    except InputError as error:
        if labels is not None:
            raise
        try:
            made = _any_outcomes(File(source, name), label_names, options)
            bare = read_labels(source, name=name, labels=made, labels_name="labels.csv", options=options)
        except InputError:
            raise error from None
        return bare.predictions, False


def _any_outcomes(file: File, label_names: tuple[str, ...], options: ReadOptions) -> bytes:
    n = tables_of(file, None, options).table.n
    rows = [[row % 2] * len(label_names) for row in range(n)]
    return _as_csv([label_names, *rows])


def _as_csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _with_any_labels(file: File, class_names: tuple[str, ...], options: ReadOptions) -> Predictions:
    n = tables_of(file, None, options).table.n
    labels = _as_csv([["label"], *([name] for name in islice(cycle(class_names), n))])
    given = replace(options, label_column=None, label_base=None, label_says=None)
    return read(
        file.source, name=file.name, labels=labels, labels_name="labels.csv", options=given
    ).predictions
