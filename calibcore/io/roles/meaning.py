"""The different labels of a column, and one way to understand them: which class each of them stands for."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from calibcore.column_names.name_words import loose, squashed
from calibcore.column_names.names import parse
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io.tables import Column, is_empty
from calibcore.numerics.types import Int
from calibcore.wording import quote

INTEGER = re.compile(r"[+-]?\d{1,15}")
_WHOLE = re.compile(r"([+-]?\d{1,15})(?:\.0*)?")
_NUMBERED = re.compile(r"\d{1,6}:(.(?s:.*))")


def label_text(value: object) -> str:
    """A label as trimmed text: 3.0 -> "3", numpy's True -> "True"."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


def cell_text(value: object) -> str:
    """The same of any cell; "" for an empty one."""
    return "" if is_empty(value) else label_text(value)


class Words:
    """The different labels of a column as trimmed text. Cost O(n).

    Attributes
    ----------
    words : the labels
    texts : the same as they stand in the file
    codes : (n,) the number of each row's label among them
    sample : the same of the rows by which the labels are compared with predictions
    first : the same of the first rows that are at hand
    where : what the column is called in a sentence
    name : what it is called in the file; "" if nothing
    """

    def __init__(
        self,
        column: Column,
        where: str,
        name: str = "",
        rows: Int | slice = slice(None),
        numbered: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> None:
        codes, values = pd.factorize(column)
        self.codes: Int = np.asarray(codes, dtype=np.int64)
        self.sample, self.first = self.codes[rows], self.codes
        self.where, self.name = where, name
        self._numbered = numbered
        self.words = [cell_text(value) for value in values]
        empty = np.array([word == "" for word in self.words] + [True])  # code -1 is a missing cell
        missing = np.flatnonzero(empty[self.codes])
        if len(missing):
            with numbered():
                raise InputError(
                    f"{list_rows(missing, lambda _: f'has no label in {where}')} Expected a label in every "
                    "row.",
                    leaving_out(missing, len(codes)),
                )
        self.texts = self.words
        # "1.0" is written for 1 where a gap or a bad cell made a column text; Weka writes "2:dog" for "dog".
        for form in (_WHOLE, _NUMBERED):
            matches = [form.fullmatch(word) for word in self.texts]
            if all(matches):
                self.words = [match[1].strip() for match in matches if match]
                break

    def sampled_as(self, texts: Sequence[str]) -> "Words":
        """The same, compared with predictions at rows that have these labels."""
        places = {text: i for i, text in enumerate(self.texts)}
        self.sample = self.first = np.array([places[text] for text in texts], dtype=np.int64)
        return self

    @cached_property
    def known(self) -> frozenset[str]:
        """The labels as a set."""
        return frozenset(self.words)

    def decoded(self) -> "Words | None":
        """The same where 0 and 1 are written as what the column's name says that they stand for; None if it
        says nothing.
        """
        codes = parse(self.name).codes
        if not codes or not set(self.words) <= {"0", "1"}:
            return None
        other = copy(self)
        other.words = [codes[int(word)] for word in self.words]
        for name in ("known", "integers", "all_integers", "truths"):
            other.__dict__.pop(name, None)
        return other

    @cached_property
    def integers(self) -> list[int]:
        """The labels that are integers."""
        return [int(word) for word in self.words if INTEGER.fullmatch(word)]

    def counted_from(self, base: int) -> tuple[int, ...]:
        """The labels' classes where they count these from ``base``."""
        return tuple(i - base for i in self.integers)

    @cached_property
    def all_integers(self) -> bool:
        return len(self.integers) == len(self.words)

    @cached_property
    def truths(self) -> list[bool] | None:
        """The labels if they are truth values in words, else None."""
        words = list(map(str.lower, self.words))
        return [word == "true" for word in words] if {"true", "false"}.issuperset(words) else None

    def mapped(self, numbers: Sequence[int]) -> Int:
        """(n,) the number of each row's label."""
        return np.asarray(numbers, dtype=np.int64)[self.codes]

    def sampled(self, numbers: Sequence[int]) -> Int:
        """The same of the rows of the sample."""
        return np.asarray(numbers, dtype=np.int64)[self.sample]

    def refuse(self, numbers: Sequence[int], m: int, expected: str) -> None:
        """InputError naming the rows whose number is outside 0..m-1."""
        bad = np.flatnonzero(~np.isin(self.codes, [i for i, k in enumerate(numbers) if 0 <= k < m]))
        if len(bad):
            with self._numbered():
                where = list_rows(bad, lambda i: f"has label {quote(self.words[self.codes[i]])}")
                raise InputError(f"{where} {expected}", leaving_out(bad, len(self.codes)))


ASK_NAMES = Remedy("Name the classes in the order of the columns", asks="class_names")


@dataclass(frozen=True)
class Meaning:
    """One way to understand the labels."""

    # the class of each of the labels' words, or of each column of one-hot labels; of a single column of
    # probabilities 0 is its own class
    numbers: tuple[int, ...]
    class_names: tuple[str, ...]  # in the order of the columns
    kind: str  # names, 0-based, 1-based, boolean or one-hot
    notes: tuple[str, ...] = ()  # sentences on why
    change: Mapping[str, Any] = field(default_factory=dict)  # what a person says to have it so
    words: str = ""  # the same, as a button says it
    doubt: str = ""  # why it is not taken without a question, although nothing else is likelier
    # whether the labels name other classes than the columns, so that any order of them might be meant
    open: bool = False
    says: str = (
        "outcome"  # or "right", "wrong": whether the rounded answer was that; then 1 of numbers is yes
    )


@dataclass(frozen=True)
class ClassOptions:
    """What the user, or the file beside its arrays, says about classes."""

    # of the classes; of one column of probabilities the negative class, then the positive one
    names: tuple[str, ...] | None = None
    base: int | None = None  # the integer that stands for the first class


def places_of(words: Sequence[str], names: Sequence[str]) -> list[int]:
    """Index of each word among the names; in any case of letters, then also with other signs between them, if
    that is unambiguous; -1 if none.
    """
    exact = {name.strip(): k for k, name in enumerate(names)}
    known, short = _only(map(loose, names)), _only(map(squashed, names))
    return [exact.get(word, known.get(loose(word), short.get(squashed(word), -1))) for word in words]


def _only(keys: Iterable[str]) -> dict[str, int]:
    """Where each key stands; -1 if it does twice."""
    places: dict[str, int] = {}
    for k, key in enumerate(keys):
        places[key] = k if key not in places else -1
    return places


def counted(m: int, base: int) -> tuple[str, ...]:
    """Names of classes that have none: "0", "1", … or "1", "2", …"""
    return tuple(str(k + base) for k in range(m))


def pairs_in_words(labels: Words, numbers: Sequence[int], names: Sequence[str]) -> str:
    """ "label 0 is 'cat', label 1 is 'dog'"."""
    pairs = sorted(zip(numbers, labels.words, strict=True))[:5]
    more = "" if len(labels.words) <= 5 else ", …"
    return ", ".join(f"label {word} is {quote(names[k])}" for k, word in pairs) + more
