"""Rows that belong together, such as those of one patient: they depend on each other."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calibcore.data.outside_text import no_column, shown
from calibcore.data.predictions import Predictions
from calibcore.data.row_numbers import list_rows
from calibcore.data.several_labels import Cases
from calibcore.errors import InputError
from calibcore.numerics.types import Int

FEWEST = 20
"""Units that what is approximate over units needs."""
_MOST = 2.0**63
"""From here on whole numbers of floats are no integers of 64 bits."""
_KEY = 16
"""Characters of a key of SipHash, by which pandas draws a number for a name."""
LONGEST = 10_000
"""Characters of the name of a unit, a group or a set of rows."""
NAME_THE_UNIT = "Tests assume independent cases, so p may be too small: name this column as the unit."
NOT_INDEPENDENT = "Such rows are no independent cases: p may be too small."
"""Ends of notes on rows that belong together, which a named unit has heeded."""
_MAY_BE_TOPICS = re.compile(r"\s*(subject|animal|cluster|item)s?\s*", re.IGNORECASE)
_ROWS_OF_A_TOPIC, _WORD = 5, 3
"""Rows that a topic has on average, and letters of a word: people have initials or numbers."""
_MISSING = frozenset(("", "nan", "nat", "none", "null", "na", "n/a", "<na>"))


_units: WeakKeyDictionary[Predictions, dict[str, tuple[Int, list[str]]]] = WeakKeyDictionary()


def units_of(predictions: Predictions, column: str) -> tuple[Int, list[str]]:
    """(n,) which unit each row is of, numbered as they come first, and the names of the units.

    Raises
    ------
    InputError : no such column, with those there are; a row without a unit.
    """
    if column in (known := _units.setdefault(predictions, {})):
        return known[column]
    if column not in predictions.metadata:
        raise InputError(no_column(column, predictions.metadata, "of units"))
    codes, values = codes_of(predictions.metadata[column])
    missing = np.array([value.strip().lower() in _MISSING for value in values])[codes]
    if missing.any():
        rows = list_rows(np.flatnonzero(missing), lambda _: f"has nothing in column {shown(column)}")
        raise InputError(f"{rows} Expected in every row the unit that it belongs to.")
    known[column] = codes, values
    return known[column]


_digests: WeakKeyDictionary[Cases, dict[str, str]] = WeakKeyDictionary()


def column_digest(predictions: Cases, column: str) -> str:
    """What tells two columns of metadata apart, which the fingerprint of predictions does not.

    Cost O(n), once.
    """
    known = _digests.setdefault(predictions, {})
    if column not in known:
        digest = hashlib.sha256()
        for text in predictions.metadata[column].tolist():
            digest.update(f"{text}\0".encode("utf-8", "surrogatepass"))
        known[column] = digest.hexdigest()[:16]
    return known[column]


def codes_of(column: NDArray[np.generic], names: bool = True) -> tuple[Int, list[str]]:
    """(n,) the number of each value, as they come first, and the values as text. Cost O(n).

    Whole numbers are alike however a file has them. A text that stands in many rows is held once: a column of
    long ones would else take as much memory as the longest for every row.

    Raises
    ------
    InputError : if values are to be ``names``, a text of more than :data:`LONGEST` characters.
    """
    if column.dtype.kind in "OU":
        known: dict[str, int] = {}
        texts = (value if isinstance(value, str) else str(value) for value in column.tolist())
        codes = np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int64, len(column))
        longest = max(map(len, known), default=0)
        if names and longest > LONGEST:
            raise InputError(
                f"A column holds a text of {longest:,} characters; expected a name of {LONGEST:,} at most."
            )
        return codes, list(known)
    numbers, values = pd.factorize(column, use_na_sentinel=False)
    return numbers.astype(np.int64), _as_written(values).tolist()


def _as_written(values: NDArray[np.generic]) -> NDArray[np.str_]:
    integral = np.isfinite(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    if values.dtype.kind == "f" and not (
        np.mod(values[integral], 1).any() or (abs(values[integral]) >= _MOST).any()
    ):
        texts = np.full(len(values), "", "U24")
        texts[integral] = values[integral].astype(np.int64).astype(str)
        return texts
    return values.astype(str)


def as_texts(column: NDArray[np.generic]) -> NDArray[np.object_]:
    """(n,) the texts of :func:`codes_of`."""
    codes, values = codes_of(column)
    return np.array(values, object)[codes]


def are_topics(name: str, column: NDArray[np.generic]) -> bool:
    """Whether a column says what cases are about and not whose they are, as the "subject" of a question does:
    a few words without numbers, each in many rows. Cost O(n)."""
    if not _MAY_BE_TOPICS.fullmatch(name) or column.dtype.kind not in "OU":
        return False
    values = codes_of(column, names=False)[1]
    words = sum(len(value) >= _WORD and not any(map(str.isdigit, value)) for value in values)
    return _ROWS_OF_A_TOPIC * len(values) <= len(column) and 2 * words > len(values)


_reduced: WeakKeyDictionary[Predictions, dict[tuple[str, int], Predictions]] = WeakKeyDictionary()
"""Every look through another lens takes the same rows: those are found once."""


def one_row_a_unit(predictions: Predictions, column: str | None, seed: int) -> Predictions:
    """One row of every unit, drawn at random by ``seed``, in the order in which they stand.

    What is exact for independent cases is so for these, whatever the rows of a unit have in common, if how
    many rows a unit has does not depend on outcomes. Else a row drawn of each unit, each as likely, does not
    stand for rows as they come: of visits until an event the last one has it. The same rows of any model of
    the same cases. The predictions themselves where ``column`` is None. Of pooled
    predictions pairs belong to one case anyway: they are refused. Of pairs of a case and a label, on which
    nothing is tested, all stay, and those of a unit belong together. Cost O(n log n), once.

    Raises
    ------
    InputError : as :func:`units_of`.
    """
    if column is None:
        return predictions
    known = _reduced.setdefault(predictions, {})
    if (column, seed) not in known:
        unit, names = units_of(predictions, column)
        if predictions.case_of is not None:
            known[column, seed] = replace(predictions, case_of=unit)
            return known[column, seed]
        rows = one_row_each(unit, names, seed)
        each_once = len(names) == predictions.n
        known[column, seed] = predictions if each_once else predictions.with_rows(rows)
    return known[column, seed]


def rows_looked_at(predictions: Predictions, column: str | None, seed: int) -> Int:
    """The rows that :func:`one_row_a_unit` takes, from 0 and rising."""
    if column is None:
        return np.arange(predictions.n)
    return one_row_each(*units_of(predictions, column), seed)


def first_rows(predictions: Predictions, column: str) -> tuple[Int, list[str]]:
    """The first row of every unit, rising, and the names of the units in that order."""
    unit, names = units_of(predictions, column)
    return np.unique(unit, return_index=True)[1].astype(np.int64), names


def one_row_each(unit: Int, names: Sequence[str], seed: int) -> Int:
    """One row of every unit, drawn at random, rising. Cost O(n log n).

    The same seed draws the same row of a unit of the same name and rows, whatever others stand beside it: a
    group that is opened for itself shows the patients' rows that it has among all.

    Parameters
    ----------
    unit : (n,) which unit each row is of, each number below the number of ``names`` at least once.
    """
    key = hashlib.sha256(f"{seed} one row of a unit".encode()).hexdigest()[:_KEY]
    texts = np.array([name.encode("utf-8", "surrogatepass") for name in names], object)
    drawn = pd.util.hash_array(texts, hash_key=key, categorize=False)
    sizes = np.bincount(unit, minlength=len(names))
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)[:-1]))
    by_unit = np.argsort(unit, kind="stable")
    return np.sort(by_unit[first + (drawn % sizes.astype(np.uint64)).astype(np.int64)]).astype(np.int64)


def notes_beside(unit: str | None, notes: Sequence[str]) -> tuple[str, ...]:
    """Notes on predictions beside results: where a ``unit`` is named none says any more to name it."""
    if unit is None:
        return tuple(notes)
    return tuple(note.removesuffix(f" {NAME_THE_UNIT}").removesuffix(f" {NOT_INDEPENDENT}") for note in notes)


def short_hashes(names: Sequence[str]) -> list[str]:
    """16 hex digits a name: who was seen is known again, and not written down."""
    return [hashlib.sha256(name.encode()).hexdigest()[:16] for name in names]
