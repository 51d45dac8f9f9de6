"""The different labels of a column."""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from calibcore.data.checks import leaving_out, list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io.tables import Column, is_empty, quoted
from calibcore.numerics.types import Int

INTEGER = re.compile(r"[+-]?\d{1,15}")
_WHOLE = re.compile(r"([+-]?\d{1,15})(?:\.0*)?")
_NUMBERED = re.compile(r"\d{1,6}:(?=.)")
_TRUTH_VALUES = {"true": True, "false": False}


def label_text(value: object) -> str:
    """A label as trimmed text: 3.0 -> "3", numpy's True -> "True"."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


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
        self, column: Column, where: str, numbered: Callable[[], AbstractContextManager[Any]] = nullcontext
    ) -> None:
        codes, values = pd.factorize(column)
        self.codes: Int = np.asarray(codes, dtype=np.int64)
        self.sample = self.first = self.codes
        self.where, self.name = where, ""
        self._numbered = numbered
        self.words = ["" if is_empty(value) else label_text(value) for value in values]
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
        whole = [_WHOLE.fullmatch(word) for word in self.words]
        if all(whole):  # "1.0" is written for 1 where a gap or a bad cell made a column text
            self.words = [match[1] for match in whole if match]
        elif all(_NUMBERED.match(word) for word in self.words):  # "2:dog", as Weka writes the class "dog"
            self.words = [word[word.index(":") + 1 :].strip() for word in self.words]

    def with_name(self, name: str) -> "Words":
        """The same, of a column of this name."""
        self.name = name
        return self

    def sampled_at(self, rows: Int) -> "Words":
        """The same, compared with predictions at these rows."""
        self.sample = self.codes[rows]
        return self

    def sampled_as(self, texts: Sequence[str]) -> "Words":
        """The same, compared with predictions at rows that have these labels."""
        at = {text: i for i, text in enumerate(self.texts)}
        self.sample = self.first = np.array([at[text] for text in texts], dtype=np.int64)
        return self

    @cached_property
    def known(self) -> frozenset[str]:
        """The labels as a set."""
        return frozenset(self.words)

    @cached_property
    def integers(self) -> list[int]:
        """The labels that are integers."""
        return [int(word) for word in self.words if INTEGER.fullmatch(word)]

    @cached_property
    def all_integers(self) -> bool:
        return len(self.integers) == len(self.words)

    @cached_property
    def truths(self) -> list[bool] | None:
        """The labels if they are truth values in words, else None."""
        values = [_TRUTH_VALUES.get(word.lower()) for word in self.words]
        return [value for value in values if value is not None] if None not in values else None

    def mapped(self, numbers: Sequence[int]) -> Int:
        """(n,) the number of each row's label."""
        return np.asarray(numbers, dtype=np.int64)[self.codes]

    def sampled(self, numbers: Sequence[int]) -> Int:
        """The same of the rows of the sample."""
        return np.asarray(numbers, dtype=np.int64)[self.sample]

    def refuse(
        self, numbers: Sequence[int], m: int, expected: str, remedies: tuple[Remedy, ...] = ()
    ) -> None:
        """InputError naming the rows whose number is outside 0..m-1; ``remedies`` before leaving them out."""
        bad = np.flatnonzero(~np.isin(self.codes, [i for i, k in enumerate(numbers) if 0 <= k < m]))
        if len(bad):
            with self._numbered():
                where = list_rows(bad, lambda i: f"has label {quoted(self.words[self.codes[i]])}")
                raise InputError(f"{where} {expected}", (*remedies, *leaving_out(bad, len(self.codes))))
