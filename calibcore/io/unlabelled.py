"""Probabilities of cases whose outcomes are not known: what a map is applied to."""

import csv
import io
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions, listed
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.reader import read
from calibcore.io.sources import File, name_of, tables_of


def read_for_map(path: Path, class_names: tuple[str, ...], options: ReadOptions) -> tuple[Predictions, bool]:
    """Predictions in the order of ``class_names``, and whether their labels are those of the file.

    Without labels of its own a file is read with some that stand for nothing.

    Raises
    ------
    InputError : it cannot be read either way; other classes.
    """
    try:
        predictions, labelled = read(path, options=options).predictions, True
    except InputError as error:
        try:
            predictions, labelled = _without_labels(path, class_names, options), False
        except InputError:
            raise error from None
    if set(predictions.class_names) != set(class_names):
        raise InputError(
            f"The file {shown(path.name)} has the classes {listed(predictions.class_names, 5)}; the map has "
            f"{listed(class_names, 5)}. Classes are joined by name."
        )
    places = [predictions.class_names.index(name) for name in class_names]
    labels = [class_names.index(predictions.class_names[k]) for k in predictions.labels.tolist()]
    columns = predictions.metadata
    made = Predictions.from_arrays(
        predictions.probs[:, places], labels, class_names, columns, renormalise=True
    )
    return made, labelled


def _without_labels(path: Path, class_names: tuple[str, ...], options: ReadOptions) -> Predictions:
    file = File(path, name_of(path))
    found = tables_of(file, None, options)
    text = io.StringIO()
    csv.writer(text).writerows([["label"], *([name] for name in islice(cycle(class_names), found.table.n))])
    given = replace(options, label_column=None, label_base=None)
    return read(path, labels=text.getvalue().encode(), labels_name="labels.csv", options=given).predictions
