"""Labels as a file has them -> (n,) integers from 0, and the names of the classes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from calibcore.checks import InputError, Int, list_rows
from calibcore.io.affixes import BINARY_NAMES, NEGATIVE, POSITIVE, class_names_of, normal, probability_affix
from calibcore.io.look import label_text
from calibcore.io.tables import Array, Column, is_empty, listed, quoted

_INTEGER = re.compile(r"[+-]?\d{1,15}")
_WHOLE = re.compile(r"([+-]?\d{1,15})(?:\.0*)?")
_SET_BASE = "set label_base (--label-base) to 0 or to 1."
_NAME_CLASSES = "Give the names in the order of the columns (class_names, --class-names)."


@dataclass(frozen=True)
class Outcomes:
    """(n,) labels from 0, the class names, what the labels were, and sentences about it."""

    labels: Int
    class_names: tuple[str, ...]
    kind: str
    notes: tuple[str, ...] = ()


class Words:
    """The different labels of a column as trimmed text. Cost O(n)."""

    def __init__(self, column: Column, where: str) -> None:
        codes, values = pd.factorize(column)
        self.codes: Int = np.asarray(codes, dtype=np.int64)
        self.where = where
        self.words = ["" if is_empty(value) else label_text(value) for value in values]
        empty = np.array([word == "" for word in self.words] + [True])  # code -1 is a missing cell
        missing = np.flatnonzero(empty[self.codes])
        if len(missing):
            raise InputError(
                f"{list_rows(missing, lambda _: f'has no label in {where}')} Expected a label in every row."
            )
        whole = [_WHOLE.fullmatch(word) for word in self.words]
        if all(whole):  # "1.0" is written for 1 where a gap or a bad cell made a column text
            self.words = [match[1] for match in whole if match]
        self.integers = [int(word) for word in self.words if _INTEGER.fullmatch(word)]
        self.all_integers = len(self.integers) == len(self.words)
        self.all_bool = all(word.lower() in ("true", "false") for word in self.words)

    def mapped(self, numbers: Sequence[int]) -> Int:
        """(n,) the number of each row's label."""
        return np.asarray(numbers, dtype=np.int64)[self.codes]

    def refuse(self, numbers: Sequence[int], m: int, expected: str) -> None:
        """InputError naming the rows whose number is outside 0..m-1."""
        bad = np.flatnonzero(~np.isin(self.codes, [i for i, k in enumerate(numbers) if 0 <= k < m]))
        if len(bad):
            found = list_rows(bad, lambda i: f"has label {quoted(self.words[self.codes[i]])}")
            raise InputError(f"{found} {expected}")


def read_labels(
    column: Column,
    where: str,
    columns: Sequence[str] | None,
    class_names: tuple[str, ...] | None,
    base: int | None,
    m: int,
) -> Outcomes:
    """Labels of a model with m ≥ 2 columns of predictions.

    Parameters
    ----------
    where : what the column is called in a sentence
    columns : names of the columns of predictions; None if the file gives none
    class_names : names that the user or the file gives
    base : the integer that stands for the first class, if the user says so
    """
    found = Words(column, where)
    names = class_names or (class_names_of(columns, found.words) if columns else None)
    if base is not None and found.all_integers:
        numbers = [i - base for i in found.integers]
        found.refuse(
            numbers, m, f"Expected labels from {base} to {base + m - 1}, since label_base is {base}."
        )
        given = names or counted(m, base)
        said = f"Labels count from {base}, as asked: {base} is the first class, {quoted(given[0])}."
        return Outcomes(found.mapped(numbers), given, f"{base}-based", (said,))
    if names:
        aliases = [names, *([columns, class_names_of(columns, found.words)] if columns else [])]
        for alias in aliases:
            numbers = _places(found.words, alias)
            if min(numbers, default=-1) >= 0:
                decided = _names_decide(names) if found.all_integers else ()
                return Outcomes(found.mapped(numbers), names, "names", decided)
        if found.all_integers and all(_INTEGER.fullmatch(name) for name in names):
            found.refuse(
                _places(found.words, names),
                m,
                f"The classes are named {listed(names)}. If the labels count the columns, {_SET_BASE}",
            )
    if found.all_integers:
        return _counting(found, names, m)
    if found.all_bool and m == 2:
        numbers = [int(word.lower() == "true") for word in found.words]
        given = names or ("False", "True")
        said = f"False is the first class, {quoted(given[0])}, and True is the second, {quoted(given[1])}."
        return Outcomes(found.mapped(numbers), given, "boolean", (said,))
    if not names:
        raise InputError(
            f"The labels in {where} are {listed(sorted(found.words))}, and the {m} columns of predictions "
            f"have no names, so it is open which column is which class. {_NAME_CLASSES}"
        )
    places = _places(found.words, names)
    if max(places) < 0:  # other names altogether: that needs no list of rows
        raise InputError(
            f"The labels in {where} are {listed(sorted(found.words), 5)}, and none of them is a class; the "
            f"classes are {listed(names)}. {_NAME_CLASSES}"
        )
    found.refuse(places, m, f"The classes are {listed(names)}.")
    raise InputError(
        f"The labels in {where} cannot be told apart: two classes differ only in capital letters."
    )


def _places(words: Sequence[str], names: Sequence[str]) -> list[int]:
    """Index of each word among the names, in any case of letters if that is unambiguous; -1 if none."""
    exact = {name.strip(): k for k, name in enumerate(names)}
    loose: dict[str, int] = {}
    for k, name in enumerate(names):
        key = _loose(name)
        loose[key] = k if key not in loose else -1
    return [exact.get(word, loose.get(_loose(word), -1)) for word in words]


def _loose(name: str) -> str:
    """ "Cat " and "cat" are one class; so are "01" and "1"."""
    name = name.strip().lower()
    return str(int(name)) if _INTEGER.fullmatch(name) else name


def counted(m: int, base: int) -> tuple[str, ...]:
    """Names of classes that have none: "0", "1", … or "1", "2", …"""
    return tuple(str(k + base) for k in range(m))


def _names_decide(names: Sequence[str]) -> tuple[str, ...]:
    return (f"The labels are integers and name the classes {listed(names, 5)}; they were not counted.",)


def _counting(found: Words, names: tuple[str, ...] | None, m: int) -> Outcomes:
    """Integers that count the columns, from 0 or from 1."""
    low, high = min(found.integers), max(found.integers)
    if low == 0 and high == m:
        raise InputError(
            f"The labels in {found.where} run from 0 to {m}, which are {m + 1} classes for {m} columns of "
            "predictions. Expected as many. A column may be missing, or one label stand for something else."
        )
    base = 0 if low <= 0 else 1 if high >= m else None
    if base is None:
        run = f"are all {low}" if low == high else f"run from {low} to {high}"
        raise InputError(
            f"The labels in {found.where} {run} with {m} classes: neither 0 nor {m} "
            f"occurs, so it is open whether they count from 0 or from 1. To say it, {_SET_BASE}"
        )
    numbers = [i - base for i in found.integers]
    among = f" The classes are {listed(names)}." if names else ""
    found.refuse(numbers, m, f"Expected labels from {base} to {base + m - 1}, one for each column.{among}")
    given = names or counted(m, base)
    why = "0 occurs" if base == 0 else f"{m} occurs and 0 does not"
    note = f"Labels count the columns from {base} ({why}): {base} is the first class, {quoted(given[0])}."
    return Outcomes(found.mapped(numbers), given, f"{base}-based", (note,))


def read_onehot(
    matrix: Array, columns: Sequence[str], class_names: tuple[str, ...], order: Sequence[int]
) -> Outcomes:
    """Labels as (n, m) zeros with exactly one 1 a row; ``order[k]`` is the class of column k."""
    ones = matrix == 1
    bad = np.flatnonzero((ones.sum(axis=1) != 1) | ~(ones | (matrix == 0)).all(axis=1))

    def describe(i: int) -> str:
        other = matrix[i][(matrix[i] != 0) & (matrix[i] != 1)]
        if len(other):
            return f"has {other[0]:.6g}"
        count = int(ones[i].sum())
        return f"has {count} {'one' if count == 1 else 'ones'}"

    if len(bad):
        raise InputError(
            f"{list_rows(bad, describe)} Expected exactly one 1, and zeros, in the one-hot labels "
            f"{listed(columns, 5)}."
        )
    labels = np.asarray(order, dtype=np.int64)[np.argmax(ones, axis=1)]
    return Outcomes(labels, class_names, "one-hot")


def read_binary(
    column: Column,
    where: str,
    name: str | None,
    class_names: tuple[str, ...] | None,
    base: int | None,
) -> Outcomes:
    """Labels of a model with one column of probabilities; class 0 of the result is the positive class.

    ``name`` is the column's name, ``class_names`` the (negative, positive) names.
    """
    found = Words(column, where)
    if len(found.words) > 2:
        raise InputError(
            f"{where[0].upper() + where[1:]} has {len(found.words):,} different labels, "
            f"{listed(sorted(found.words), 5)}, "
            "and there is one column of probabilities; expected two labels, or one column a class."
        )
    inner = None
    if name and normal(name) not in BINARY_NAMES:
        affix = probability_affix(name)
        inner = affix[1] if affix else name
    positive, kind, why = _positive(found, inner, class_names, base)
    labels = 1 - found.mapped([int(word == positive) for word in found.words])
    names = _binary_names(found, positive, inner, class_names, kind)
    note = (
        f"One column of probabilities: those of the positive class {quoted(names[0])} ({why}), which is "
        f"put first; the second class, {quoted(names[1])}, has the rest to 1."
    )
    return Outcomes(labels, names, kind, (note,))


def _positive(
    found: Words, inner: str | None, class_names: tuple[str, ...] | None, base: int | None
) -> tuple[str, str, str]:
    """The label of the positive class (which may not occur), what the labels are, and why this one."""
    words = found.words
    if class_names and min(_places(words, class_names), default=-1) >= 0:
        places = _places(words, class_names)
        return next((w for w, k in zip(words, places, strict=True) if k == 1), ""), "names", "as asked"
    if found.all_integers and base is not None:
        if not set(found.integers) <= {base, base + 1}:
            numbers = [i - base for i in found.integers]
            found.refuse(numbers, 2, f"Expected labels {base} and {base + 1}, since label_base is {base}.")
        return _word(found, base + 1), f"{base}-based", f"label {base + 1}"
    for word in words:
        if inner is not None and word.lower() == inner.lower():
            return word, "names", "the column is named after it"
    if found.all_integers:
        for pair, one, kind in (((0, 1), 1, "0-based"), ((1, 2), 2, "1-based"), ((-1, 1), 1, "names")):
            if set(found.integers) <= set(pair) and (found.integers != [1]):
                return _word(found, one), kind, f"label {one} of {pair[0]} and {pair[1]}"
        if found.integers == [1]:
            raise InputError(
                f"Every label in {found.where} is 1, so it is open whether that is the positive class of 0 "
                f"and 1 or the negative class of 1 and 2. To say it, {_SET_BASE}"
            )
        found.refuse(
            [i if i in (0, 1) else -1 for i in found.integers],
            2,
            "Expected labels 0 and 1, or 1 and 2, for one column of probabilities.",
        )
    if found.all_bool:
        return next((w for w in words if w.lower() == "true"), ""), "boolean", "True"
    if class_names:
        found.refuse(_places(words, class_names), 2, f"The classes are {listed(class_names)}.")
    plain = [word for word in words if word.lower() in POSITIVE]
    if len(plain) == 1:
        return plain[0], "names", "by its name"
    negative = [word for word in words if word.lower() in NEGATIVE]
    if len(negative) == 1 and len(words) == 2:
        return (
            next(word for word in words if word not in negative),
            "names",
            "the other one is negative by its name",
        )
    raise InputError(
        f"The labels in {found.where} are {listed(sorted(words))}, and nothing says which of them the "
        "column of probabilities is about. Give class_names (--class-names): the negative class, then the "
        "positive one."
    )


def _word(found: Words, integer: int) -> str:
    return next((word for word in found.words if int(word) == integer), "")


def _binary_names(
    found: Words, positive: str, inner: str | None, class_names: tuple[str, ...] | None, kind: str
) -> tuple[str, str]:
    """(positive, negative)."""
    if class_names:
        return class_names[1], class_names[0]
    other = next((word for word in found.words if word != positive), "")
    if kind == "boolean":
        return "True", "False"
    if found.all_integers:
        if inner is not None and not _INTEGER.fullmatch(inner):
            return inner, f"not {inner}"
        if positive and other:
            return positive, other
        first, second = {"1-based": ("2", "1")}.get(kind, ("1", "0"))
        return positive or first, other or (second if (positive or first) != second else f"not {positive}")
    return positive or f"not {other}", other or f"not {positive}"
