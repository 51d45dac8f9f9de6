"""The first rows of each of several models as they were read, which a person compares with the file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.predictions import Predictions
from calibcore.data.units import codes_of
from calibcore.io.model_sets import ModelSet, cells_of
from calibcore.io.reading import Reading
from calibcore.io.roles import combined_sets
from calibcore.io.roles.answer_reading import ANSWERED, SURE, TRUE, WAS
from calibcore.io.roles.look import FIRST_ROWS, MOST_OFFERED
from calibcore.io.roles.table_reading import row_cells
from calibcore.io.sources import Tables
from calibcore.numerics.types import Int

Rows = tuple[Mapping[str, str], ...]
_ENOUGH = 500
"""Rows of each model by which it is seen how its first ones are read."""


def rows_of_reading(reading: Reading) -> Rows:
    """The first rows as they were read, class by class or as answers."""
    names = reading.predictions.class_names
    if reading.predictions.confidence_only:
        return tuple(
            _answer(row.answered, row.probs[0], row.truth, names[row.label]) for row in reading.first_rows
        )
    return tuple(row_cells(names, row.probs, names[row.label]) for row in reading.first_rows)


def rows_of_models(predictions: Predictions, models: ModelSet) -> dict[str, Rows]:
    """Name -> the first rows of each model that is offered, of predictions that were read together.

    None where a column that names the models was not kept. Cost O(n).
    """
    known = predictions.metadata
    if not set(models.columns) <= set(known):
        return {}
    places = _places([codes_of(known[column]) for column in models.columns], models, FIRST_ROWS)
    return {name: tuple(_row(predictions, i) for i in rows.tolist()) for name, rows in places.items()}


def few_rows(tables: Tables, models: ModelSet) -> Tables:
    """The first rows of each model that is offered: enough to see how it is read. Cost O(n)."""
    if tables.second is not None:
        return tables
    columns = [codes_of(cells_of(tables, column)) for column in models.columns]
    rows = np.sort(np.concatenate(list(_places(columns, models, _ENOUGH).values())))
    shorter = tuple(column.iloc[rows].reset_index(drop=True) for column in tables.table.columns)
    return replace(tables, table=replace(tables.table, columns=shorter))


def _places(columns: Sequence[tuple[Int, list[str]]], models: ModelSet, most: int) -> dict[str, Int]:
    """Name -> up to ``most`` first rows, from 0, of each model that is offered."""
    codes = combined_sets.combined([numbers for numbers, _ in columns])
    firsts = np.unique(codes, return_index=True)[1]
    values = [tuple(texts[numbers[i]].strip() for numbers, texts in columns) for i in firsts.tolist()]
    return {
        name: np.flatnonzero(codes == values.index(of_model))[:most]
        for name, of_model in list(zip(models.names, models.values, strict=True))[:MOST_OFFERED]
        if of_model in values
    }


def _row(predictions: Predictions, i: int) -> Mapping[str, str]:
    names, label = predictions.class_names, int(predictions.labels[i])
    if not predictions.confidence_only:
        return row_cells(names, predictions.probs[i], names[label])
    answered, truth = (
        str(predictions.metadata[column][i]) if column in predictions.metadata else ""
        for column in (PREDICTED, TRUTH)
    )
    return _answer(answered, float(predictions.probs[i, 0]), truth, names[label])


def _answer(answered: str, sure: float, truth: str, was: str) -> Mapping[str, str]:
    cells = {ANSWERED: answered, SURE: f"{sure:.3g}", TRUE: truth, WAS: was}
    return {word: cell for word, cell in cells.items() if cell}
