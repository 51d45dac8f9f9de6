"""Labels as they are given, names or integers -> (n,) integers 0..m-1, and the names of the classes."""

import re
from collections.abc import Collection, Sequence
from numbers import Integral
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.column_names.class_forms import class_forms, class_names_of
from calibcore.column_names.name_words import loose, squashed
from calibcore.data.arrays import as_array, column_names, numbers_in
from calibcore.data.outside_text import is_text, shown
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Int
from calibcore.wording import quote

L = TypeVar("L", bound=NDArray[np.integer])
MOST_NAMES = 20
"""Of classes, in a sentence."""


def _as_whole(names: list[Any]) -> list[Any]:
    """Names that are whole floats, as ``classes_`` of a model of such labels, as integers: 1.0 as 1."""
    are_whole = all(isinstance(name, float | np.floating) and float(name).is_integer() for name in names)
    return [int(name) for name in names] if are_whole else names


def checked_names(class_names: Sequence[object] | None, m: int, columns: str = "") -> tuple[str, ...]:
    """m names as text; ``columns`` says what they are names for."""
    names = tuple(str(k) for k in range(m)) if class_names is None else tuple(map(str, class_names))
    if len(names) != m:
        are = "is 1 class name" if len(names) == 1 else f"are {len(names)} class names"
        raise InputError(f"There {are} for {columns or f'{m} columns of probabilities'}.")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"The class name {quote(name)} stands twice; class names must differ.")
        seen.add(name)
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(f"The class name {name!r:.60} is no text in Unicode; rename it.") from None
    return names


def labels_and_names(
    labels: ArrayLike, class_names: Sequence[object] | None, n: int, m: int, event: bool = False
) -> tuple[Int, tuple[str, ...], tuple[str, ...]]:
    """(n,) labels 0..m-1, m names, and a sentence where the names are the labels' own.

    Labels are names of classes, as text or, where ``class_names`` are integers or truth values, as these;
    else 0..m-1. ``event``: there is one number a case, of the second of two classes.
    """
    told_apart = (
        "one probability a case, which tells 2 classes apart" if event else f"{m:,} columns of probabilities"
    )
    y = np.asarray(labels)
    if y.ndim != 1:
        raise InputError(f"The labels have {y.ndim} dimensions; expected 1, one label a case.")
    if len(y) != n:
        raise InputError(
            f"There are {n:,} rows of predictions and {len(y):,} labels; expected the same number of both."
        )
    given = None if class_names is None else _as_whole(list(class_names))
    numbers = given is not None and all(isinstance(name, Integral) for name in given)
    if not _is_names(y) and not (numbers and y.dtype.kind in "iub"):
        return _positions(y, m), checked_names(given, m, told_apart), ()
    values, codes = np.unique(y.astype(object), return_inverse=True)
    notes: tuple[str, ...] = ()
    if given is None:
        given = values.tolist()
        if len(given) != m:
            lead = (
                "Name all classes in the order of the columns (class_names)."
                if len(given) < m
                else "Expected no more classes than that: these may be no labels, or a column is missing."
            )
            raise InputError(
                f"The labels name {len(given):,} {'class' if len(given) == 1 else 'classes'}, "
                f"{some_names(given)}, and there {'is' if event else 'are'} {told_apart}. {lead}"
            )
        order = f"in the sorted order of their names, as scikit-learn has them: {some_names(given)}."
        notes = (f"The {'classes are' if event else 'columns were taken to be the classes'} {order}",)
    names = checked_names(given, m, told_apart)
    text = y.dtype.kind not in "iub"
    place = {(names[k] if text else name): k for k, name in enumerate(given)}
    numbered = np.array([place.get(value, -1) for value in values.tolist()], dtype=np.int64)[codes]
    unknown = np.flatnonzero(numbered < 0)
    if len(unknown):
        rows = list_rows(unknown, lambda i: f"has label {shown(str(y[i]) if text else y[i].item())}")
        raise InputError(f"{rows} Expected one of {some_names(names)}.", leaving_out(unknown, n))
    return numbered, names, notes


def one_a_case(
    labels: Any, m: int, columns: Sequence[object] | None, class_names: Sequence[object] | None
) -> tuple[NDArray[Any], Sequence[object] | None, tuple[str, ...]]:
    """(n,) labels, class names and sentences, of labels in one column, as whole floats, or one-hot.

    columns : what the columns of probabilities are called. A one-hot table whose columns are called so is
        matched by names, else by places

    Raises
    ------
    InputError : rows that are not one-hot; numbers between two whole ones, which are no labels.
    """
    y = numbers_in(as_array(labels, "labels"))
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim == 2 and y.shape[1] == m and y.dtype.kind in "fiub":
        places, hot = _ones(y), column_names(labels, m)
        named = columns if columns is None or not _count(columns) else None
        given = class_names if class_names is not None else named
        own = None if hot is None else class_names_of([name_of(name) for name in hot])
        if hot is not None and given is not None:
            places = _matched_places(hot, given)[places]
        if class_names is None and given is not None:
            given = class_names_of([name_of(name) for name in given], own or ())
        known = given if given is not None else own
        note = "The labels were one-hot: the class of a case is the column of its 1."
        return places, None if known is None else [str(name) for name in _as_whole(list(known))], (note,)
    if y.ndim == 1 and y.dtype.kind == "f":
        y = y.astype(np.float64)
        between = np.flatnonzero(~(np.isfinite(y) & (y == np.round(y)) & (np.abs(y) < 2.0**53)))
        if len(between):
            rows = list_rows(between, lambda i: f"has label {y[i]:.6g}")
            inside = np.isfinite(y).all() and y.min() >= 0 and y.max() <= 1
            raise InputError(f"{rows} Expected whole numbers, or names of classes.{_SWAPPED * bool(inside)}")
        y = y.astype(np.int64)
    return y, class_names, ()


_SWAPPED = " If these are the probabilities, they come first; Predictions.from_predictions takes them second."


def _ones(y: NDArray[Any]) -> Int:
    """(n,) the column of the 1 in each row."""
    other = np.flatnonzero(~((y == 0) | (y == 1)).all(axis=1) | ((y == 1).sum(axis=1) != 1))
    if len(other):

        def describe(i: int) -> str:
            ones = int((y[i] == 1).sum())
            odd = [value for value in y[i].tolist() if value not in (0, 1)]
            return f"holds {odd[0]:.6g}" if odd else f"has {ones or 'no'} ones"

        shares = bool(np.isfinite(y.astype(np.float64)).all() and y.min() >= 0 and y.max() <= 1)
        raise InputError(
            f"{list_rows(other, describe)} Labels in {y.shape[1]:,} columns are expected to be one-hot: a 1 "
            f"for the class that happened, 0 for all others.{_SWAPPED * (shares and y.dtype.kind == 'f')}"
        )
    return np.asarray(y.argmax(axis=1), np.int64)


def _matched_places(hot: Sequence[object], given: Sequence[object]) -> Int:
    """(m,) the place of each one-hot column among the classes ``given``, by their names where these agree."""
    own, classes = ([name_of(name) for name in names] for names in (hot, given))
    for form in class_forms(own):
        for other in class_forms(classes):
            if set(form) == set(other) and len(set(form)) == len(form):
                return np.array([other.index(name) for name in form], dtype=np.int64)
    if _count(own):
        return np.arange(len(own))
    raise InputError(
        f"The columns of the one-hot labels are {some_names(own)}, and the classes are "
        f"{some_names(classes)}. Expected the same names in both."
    )


def event_is_first(values: Any, names: Sequence[str], named: bool) -> bool:
    """Whether one number a case is of the first of two classes: its column or series is called so.

    Raises
    ------
    InputError : it is called so, and the classes were ``named`` in the other order.
    """
    called = getattr(values, "name", None)
    if not isinstance(called, str):
        called = (column_names(values, 1) or [None])[0]
    if not isinstance(called, str):
        return False
    spoken = [re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", called) is not None for name in names]
    if spoken != [True, False]:
        return False
    if named:
        raise InputError(
            f"The predictions are called {shown(called)}, and one number a case is the probability of the "
            f"second class, {shown(names[1])}. Name the classes in the other order (class_names)."
        )
    return True


def of_event_note(names: Sequence[str], first: bool) -> str:
    """The sentence on what one number a case was read as."""
    if first:
        return f"One number a case was read as the probability of {shown(names[0])}, as its column is called."
    return f"One number a case was read as the probability of {shown(names[1])}, the second class."


def by_columns(
    columns: Sequence[object] | None, labels: NDArray[Any], class_names: Sequence[object] | None
) -> tuple[Any, Sequence[object] | None, tuple[str, ...]]:
    """Labels, class names and a sentence, where a table names its ``columns``: these are the classes.

    Names that only count, as ``column_0`` does, name none.

    Raises
    ------
    InputError : the columns' names contradict the class names or the labels.
    """
    if columns is None:
        return labels, class_names, ()
    names = [name_of(name) for name in columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"The column {shown(twice)} stands twice; columns must differ.")
    forms = class_forms(names)
    if class_names is not None:
        _refuse_other_order(forms, [name_of(name) for name in class_names])
        return labels, class_names, ()
    if labels.ndim != 1 or not (_is_names(labels) or labels.dtype.kind in "iub"):
        return labels, None, ()
    called = list(map(name_of, labels.tolist()))
    known = set(called)
    counting = next((start for start in (0, 1) if tuple(counted(len(names), start)) in forms), None)
    form, places = named_places(names, known)
    if counting != 0 and places:
        note = f"The classes are the columns {some_names(names)}."
        return np.array([places[name] for name in called], dtype=np.int64), form, (note,)
    begun = [name for name in known.difference(names) if name.startswith(tuple(names))]
    if counting is not None and not (
        _is_names(labels) and begun and all(isinstance(name, str) for name in columns)
    ):
        return labels, None, ()
    if _is_names(labels) or any(all(map(_is_number, form)) for form in forms):
        own = set(map(loose, form))
        i = next((i for i, name in enumerate(called) if loose(name) not in own), 0)
        if own.isdisjoint(map(loose, known)) and len(known) != len(names):
            values = "1 value" if len(known) == 1 else f"{len(known):,} different values"
            raise InputError(
                f"The labels hold {values}, {some_names(sorted(known))}, and none of them is a class. The "
                f"{len(names):,} columns are {some_names(names)}. Expected the class of every case."
            )
        raise InputError(
            f"{list_rows([i], lambda i: f'has label {shown(called[i])}')} The columns are "
            f"{some_names(names)}. Name the classes in the order of the columns (class_names)."
        )
    note = f"The labels count the columns from 0: {some_names(names)}."
    return labels, form, (note,)


def named_places(names: Sequence[str], labels: Collection[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """What the classes are called whose columns have these names, and the place of each label among them, by
    the rule by which files are read; no places where a label names none."""
    form = class_names_of(names, labels)
    for key in (str, loose, squashed):
        places = {key(name): k for k, name in enumerate(form)}
        if len(places) == len(form) and all(key(label) in places for label in labels):
            return form, {label: places[key(label)] for label in labels}
    return form, {}


def _refuse_other_order(forms: Sequence[Sequence[str]], given: Sequence[str]) -> None:
    """InputError if the columns have names of classes that stand at another place among the names given."""
    for form in forms:
        places = {name: k for k, name in enumerate(form)}
        alike = set(form) == set(given)
        if all(map(_is_number, form)) and not alike:
            continue
        if any(places.get(name, k) != k for k, name in enumerate(given)):
            raise InputError(
                f"The columns are {some_names(forms[0])}, and the class names are {some_names(given)}. "
                "Expected one order: take the columns in that of the class names."
            )


def counted(m: int, start: int) -> list[str]:
    """ "0", "1", … or "1", "2", …"""
    return [str(k) for k in range(start, start + m)]


def _count(names: Sequence[object]) -> bool:
    """Whether names say no more than which column each is: "column_0", "column_1", …, or from 1."""
    forms = class_forms([name_of(name) for name in names])
    return any(tuple(counted(len(names), start)) in forms for start in (0, 1))


def _is_number(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def name_of(value: Any) -> str:
    """What a class is called: as text; 1.0 as 1, as a column of integers with gaps becomes floats."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def some_names(names: Sequence[object]) -> str:
    """Names in a sentence, the first of many."""
    return ", ".join(shown(name) for name in names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")


def _is_names(y: NDArray[Any]) -> bool:
    """Whether labels are text, all of them."""
    if y.dtype.kind == "O":
        return all(isinstance(label, str) for label in y)
    return y.dtype.kind in "UT" and is_text(y)


def _positions(y: NDArray[Any], m: int) -> Int:
    """(n,) integers as they are."""
    if y.dtype.kind not in "iub":
        raise InputError(
            f"The labels are of type {y.dtype}; expected integers from 0 to {m - 1}, or names of classes."
        )
    outside = np.flatnonzero((y < 0) | (y >= m))
    if len(outside):
        rows = list_rows(outside, lambda i: f"has label {y[i]}")
        ignored = " A label of −100 is to be ignored: leave these rows out." * bool(
            (y[outside] == -100).all()
        )
        raise InputError(f"{rows} Expected labels from 0 to {m - 1}.{ignored}", leaving_out(outside, len(y)))
    return y.astype(np.int64)


def pooled_labels(labels: L, m: int) -> L:
    """(…, n) labels -> (…, n·m) 0 ("hit") for the class that happened, 1 ("miss") for all others."""
    misses = (labels[..., None] != np.arange(m)).astype(labels.dtype)
    return cast(L, misses.reshape(*labels.shape[:-1], -1))
