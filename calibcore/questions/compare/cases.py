"""Several models on the same cases: their rows brought into one order, or a sentence that says why not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibcore.data.confidence import TRUTH
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.units import one_row_a_unit, units_of
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.numerics.types import Int
from calibcore.wording import listed
from calibcore.words.testing import ROWS_AS_THEY_COME


@dataclass(frozen=True, eq=False)
class SameCases:
    """Models whose row i is one case.

    Attributes
    ----------
    models : name -> predictions, all with the labels and the class names of the first
    joined_by : the column that joined them all; None where some stood in one order
    notes : sentences: which classes or rows were put into another order, and by which column
    """

    models: Mapping[str, Predictions]
    joined_by: str | None
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Predictions:
        """The first model's predictions."""
        return next(iter(self.models.values()))


def same_cases(models: Mapping[str, Predictions], by: str | None = None) -> SameCases:
    """Models on the same cases, row by row.

    Each is joined to the first by the column ``by``; where none is said by a column of one name in both that
    tells their rows apart and holds the same values; else by position. Classes of one set of names come into
    the order of the first model. Cost O(knm).

    Raises
    ------
    InputError : other classes, other cases or labels (with the first row that differs), no such column,
        values that stand twice in it, or weights.
    """
    if len(models) < 2:
        raise InputError(f"There {'is 1 model' if models else 'are no models'}; expected at least 2.")
    names = list(models)
    for name in names:
        try:
            refuse_untested(models[name])
        except InputError as error:
            raise InputError(f"{shown(name)}: {error}") from None
    notes: list[str] = []
    alike = {names[0]: models[names[0]]}
    for name in names[1:]:
        alike[name], note = _with_classes_of(alike[names[0]], models[name], names[0], name)
        notes += note
    first = alike[names[0]]
    columns = {}
    for name in names[1:]:
        column = by if by is not None else _common_column(first, alike[name])
        if column is not None:
            first_keys, keys = _keys(first, column, names[0]), _keys(alike[name], column, name)
            rows = _rows_by_key(first_keys, keys, column, names[0], name)
            if (rows != np.arange(len(rows))).any():
                alike[name] = alike[name].with_rows(rows)
                notes.append(
                    f"The rows of {shown(name)} were put into the order of {shown(names[0])}, by the column "
                    f"{shown(column)}."
                )
        columns[name] = column
        _check_labels(first, alike[name], names[0], name, column)
    of_all = set(columns.values())
    return SameCases(alike, of_all.pop() if len(of_all) == 1 else None, tuple(notes))


def one_row_each(cases: SameCases, column: str | None, seed: int) -> tuple[SameCases, SameCases]:
    """All rows, in which every model has the ``column`` of units of one of them, and one row a unit.

    The cases themselves, twice, where ``column`` is None.

    Raises
    ------
    InputError : no model has such a column.
    """
    if column is None:
        return cases, cases
    with_column = next((p for p in cases.models.values() if column in p.metadata), cases.first)
    units_of(with_column, column)  # says what is missing
    models = {
        name: replace(p, metadata=dict(p.metadata) | {column: with_column.metadata[column]})
        for name, p in cases.models.items()
    }
    rows = {name: one_row_a_unit(p, column, seed) for name, p in models.items()}
    units = next(iter(rows.values())).n
    note = (
        f"{with_column.n:,} rows of {units:,} units ({column}): one row of each was drawn at random, seed "
        f"{seed}."
    )
    return replace(cases, models=models), replace(
        cases, models=rows, notes=(*cases.notes, note, ROWS_AS_THEY_COME)
    )


def _with_classes_of(
    first: Predictions, other: Predictions, first_name: str, name: str
) -> tuple[Predictions, list[str]]:
    if first.confidence_only != other.confidence_only:
        alone, full = (first_name, name) if first.confidence_only else (name, first_name)
        raise InputError(
            f"Of {shown(alone)} only the confidence in the answer is known, of {shown(full)} the "
            "probabilities of all classes; expected the same of both. Give of the other the confidence in "
            "its likeliest class."
        )
    if other.class_names == first.class_names:
        return other, []
    if set(other.class_names) != set(first.class_names):
        raise InputError(
            f"{shown(name)} has the classes {listed(other.class_names)} and {shown(first_name)} has "
            f"{listed(first.class_names)}; expected the same classes."
        )
    places = [other.class_names.index(c) for c in first.class_names]
    new_place = np.argsort(places)
    moved = other.through(
        other.probs[:, places], np.asarray(new_place[other.labels], np.int64), first.class_names, None
    )
    return moved, [f"The classes of {shown(name)} were put into the order of {shown(first_name)}."]


def _common_column(first: Predictions, other: Predictions) -> str | None:
    """The first column of one name in both that tells the rows of each apart, with the same values."""
    for column in first.metadata:
        if column not in other.metadata:
            continue
        texts = [_texts(p.metadata[column]).tolist() for p in (first, other)]
        values = set(texts[0])
        if set(texts[1]) == values and all(len(text) == len(values) for text in texts):
            return column
    return None


def _texts(column: NDArray[np.generic]) -> NDArray[np.str_]:
    """(n,) as text, whole numbers alike however a file has them."""
    if column.dtype.kind == "f" and np.all(np.mod(column, 1) == 0):
        column = column.astype(np.int64)
    return column.astype(str)


def _keys(predictions: Predictions, column: str, name: str) -> NDArray[np.str_]:
    if column not in predictions.metadata:
        raise InputError(
            f"{shown(name)} has no column {shown(column)}; its other columns are "
            f"{listed(tuple(predictions.metadata)) or 'none'}."
        )
    keys = _texts(predictions.metadata[column])
    values, first, counts = np.unique(keys, return_index=True, return_counts=True)
    if (counts > 1).any():
        twice = values[counts > 1][np.argmin(first[counts > 1])]
        raise InputError(
            f"{shown(str(twice))} stands twice in column {shown(column)} of {shown(name)}; expected once, as "
            "it says which rows are one case."
        )
    return keys


def _rows_by_key(
    first: NDArray[np.str_], other: NDArray[np.str_], column: str, first_name: str, name: str
) -> Int:
    place = {key: i for i, key in enumerate(other.tolist())}
    rows = np.array([place.get(key, -1) for key in first.tolist()], np.int64)
    if (rows < 0).any():
        i = int(np.argmax(rows < 0))
        raise InputError(
            f"Row {i + 1:,} of {shown(first_name)} has {shown(str(first[i]))} in column {shown(column)}, "
            f"which {shown(name)} does not have; expected the same cases."
        )
    if len(other) > len(first):
        known = set(first.tolist())
        i = next(i for i, key in enumerate(other.tolist()) if key not in known)
        raise InputError(
            f"Row {i + 1:,} of {shown(name)} has {shown(str(other[i]))} in column {shown(column)}, which "
            f"{shown(first_name)} does not have; expected the same cases."
        )
    return rows


def _check_truth(first: Predictions, other: Predictions, first_name: str, name: str) -> None:
    """Which answers are right differs between models. Where the truth is known, it is the same."""
    if TRUTH not in first.metadata or TRUTH not in other.metadata:
        return
    differ = np.flatnonzero(first.metadata[TRUTH] != other.metadata[TRUTH])
    if len(differ):
        i = int(differ[0])
        of_first, of_other = (shown(str(p.metadata[TRUTH][i])) for p in (first, other))
        raise InputError(
            f"The truth in row {i + 1:,} is {of_first} in {shown(first_name)} and {of_other} in "
            f"{shown(name)}; expected the same of the same cases ({len(differ):,} differ)."
        )


def _check_labels(
    first: Predictions, other: Predictions, first_name: str, name: str, column: str | None
) -> None:
    if first.n != other.n:
        raise InputError(
            f"{shown(first_name)} has {first.n:,} cases and {shown(name)} has {other.n:,}; expected the same "
            "cases in both."
        )
    if first.confidence_only:
        _check_truth(first, other, first_name, name)
        return
    differ = np.flatnonzero(first.labels != other.labels)
    if not len(differ):
        return
    i = int(differ[0])
    of_first, of_other = (p.class_names[p.labels[i]] for p in (first, other))
    where = f"Row {i + 1:,}"
    if column is not None:
        where = f"The case with {shown(str(_texts(first.metadata[column])[i]))} in column {shown(column)}"
    raise InputError(
        f"{where} is {shown(of_first)} in {shown(first_name)} and {shown(of_other)} in {shown(name)}; "
        f"expected the same labels of the same cases ({len(differ):,} differ)."
        + ("" if column else " A column that names the cases in every file would join them.")
    )
