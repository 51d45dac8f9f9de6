"""Labels as a file has them -> (n,) integers from 0, and the names of the classes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from calibcore.checks import InputError, Int, leaving_out, list_rows
from calibcore.errors import Remedy
from calibcore.io.affixes import class_names_of
from calibcore.io.look import FIRST_ROWS, label_text
from calibcore.io.tables import MOST_NAMES_LISTED, Array, Column, is_empty, listed, quoted

INTEGER = re.compile(r"[+-]?\d{1,15}")
_WHOLE = re.compile(r"([+-]?\d{1,15})(?:\.0*)?")
_ASK_NAMES = Remedy("Name the classes in the order of the columns", asks="class_names")


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
                f"{list_rows(missing, lambda _: f'has no label in {where}')} Expected a label in every row.",
                leaving_out(missing, len(codes)),
            )
        whole = [_WHOLE.fullmatch(word) for word in self.words]
        if all(whole):  # "1.0" is written for 1 where a gap or a bad cell made a column text
            self.words = [match[1] for match in whole if match]
        self.integers = [int(word) for word in self.words if INTEGER.fullmatch(word)]
        self.all_integers = len(self.integers) == len(self.words)
        self.all_bool = all(word.lower() in ("true", "false") for word in self.words)

    def mapped(self, numbers: Sequence[int]) -> Int:
        """(n,) the number of each row's label."""
        return np.asarray(numbers, dtype=np.int64)[self.codes]

    def refuse(
        self, numbers: Sequence[int], m: int, expected: str, remedies: tuple[Remedy, ...] = ()
    ) -> None:
        """InputError naming the rows whose number is outside 0..m-1; ``remedies`` before leaving them out."""
        bad = np.flatnonzero(~np.isin(self.codes, [i for i, k in enumerate(numbers) if 0 <= k < m]))
        if len(bad):
            found = list_rows(bad, lambda i: f"has label {quoted(self.words[self.codes[i]])}")
            raise InputError(f"{found} {expected}", (*remedies, *leaving_out(bad, len(self.codes))))

    def first(self, names: Sequence[str], base: int) -> tuple[dict[str, str], ...]:
        """The first labels, integers, and the classes they are if ``base`` stands for the first."""
        found = (self.words[code] for code in self.codes[:FIRST_ROWS])
        return tuple({"Label": word, "Class": names[int(word) - base]} for word in found)


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
            numbers, m, f"Expected labels from {base} to {base + m - 1}, counted from {base} as asked."
        )
        given = names or counted(m, base)
        said = f"Labels count from {base}, as asked: {base} is the first class, {quoted(given[0])}."
        return Outcomes(found.mapped(numbers), given, f"{base}-based", (said,))
    if names:
        aliases = [names, *([columns, class_names_of(columns, found.words)] if columns else [])]
        for alias in aliases:
            numbers = places_of(found.words, alias)
            if min(numbers, default=-1) >= 0:
                decided = _names_decide(names) if found.all_integers else ()
                return Outcomes(found.mapped(numbers), names, "names", decided)
        if found.all_integers and all(INTEGER.fullmatch(name) for name in names):
            fitting = [b for b in (0, 1) if b <= min(found.integers) and max(found.integers) < b + m]
            found.refuse(
                places_of(found.words, names),
                m,
                f"The classes are named {listed(names)}.",
                tuple(Remedy(f"The labels count the columns from {b}", {"label_base": b}) for b in fitting),
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
            "have no names, so it is open which column is which class.",
            _orders(found.words, m),
        )
    places = places_of(found.words, names)
    if max(places) < 0:  # other names altogether: that needs no list of rows
        raise InputError(
            f"The labels in {where} are {listed(sorted(found.words), 5)}, and none of them is a class; the "
            f"classes are {listed(names)}.",
            _orders(found.words, m),
        )
    found.refuse(places, m, f"The classes are {listed(names)}.")
    raise InputError(
        f"The labels in {where} cannot be told apart: two classes differ only in capital letters."
    )


def _orders(words: Sequence[str], m: int) -> tuple[Remedy, ...]:
    """In which order the columns may be the classes: both of two, else that of the alphabet."""
    known = sorted(words)
    if len(known) != m or m > MOST_NAMES_LISTED:
        return (_ASK_NAMES,)
    orders = (known, known[::-1]) if m == 2 else (known,)
    return (
        *(Remedy(f"The columns are {listed(order)}", {"class_names": tuple(order)}) for order in orders),
        *(() if m == 2 else (_ASK_NAMES,)),
    )


def places_of(words: Sequence[str], names: Sequence[str]) -> list[int]:
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
    return str(int(name)) if INTEGER.fullmatch(name) else name


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
            "occurs, so it is open whether they count from 0 or from 1.",
            tuple(
                Remedy(f"They count from {b}", {"label_base": b}, rows=found.first(names or counted(m, b), b))
                for b in (0, 1)
            ),
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
            f"{listed(columns, 5)}.",
            leaving_out(bad, len(matrix)),
        )
    labels = np.asarray(order, dtype=np.int64)[np.argmax(ones, axis=1)]
    return Outcomes(labels, class_names, "one-hot")
