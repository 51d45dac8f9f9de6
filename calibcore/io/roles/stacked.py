"""Rows of the same case: the predictions of several models below each other, or cases that repeat.

A column that names cases has fewer values than there are rows. Where all rows of each value have the same
label, and another column, or several together, split the rows into sets in which every value stands, the
rows are most likely the answers of several models, runs or epochs about the same cases. Pooled, each case
would count several times.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import tokens
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.predictions import Predictions
from calibcore.data.units import LONGEST, NAME_THE_UNIT, NOT_INDEPENDENT, are_topics, codes_of
from calibcore.errors import InputError
from calibcore.io.roles import combined_sets
from calibcore.io.roles.combined_sets import MISSING, MOST_SETS
from calibcore.io.tables import Array
from calibcore.numerics.types import Int
from calibcore.wording import count, listed, quote

ALL = "all"
"""What is said where all rows are to be kept."""
FEWEST_CASES = 10
"""Cases that have to repeat before anything is said."""
_FEWEST_OTHER = 3
"""Cases, or changes from one row to the next, in which labels differ: fewer may be so by chance."""
_FEWEST_CHANGES = 12
_SURE = 4.0
"""Standard errors by which rows of one value agree more than any two rows do."""
_MOST_ROWS = 50
"""Rows that a case has on average at most: of more a column makes groups."""


@dataclass(frozen=True)
class Stacked:
    """Sets of rows about the same cases.

    Attributes
    ----------
    case : the column that names the cases; empty where only the order of the labels tells
    by : the columns that say which set a row is in, one or several together
    sets : the values of these columns in each set, in the order in which they come
    complete : whether every case stands in every set
    same_labels : whether the rows of a case were seen to have the same label; answers may be right or wrong
    rows_each : in how many rows of a set a case stands; 0 where that differs
    """

    case: str
    by: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    complete: bool
    same_labels: bool = True
    rows_each: int = 1

    @property
    def why(self) -> str:
        """Why the rows are not independent."""
        if not self.same_labels:
            return f"rows of the same {quote(self.case)} are of the same case"
        if self.case:
            return f"rows of the same {quote(self.case)} have the same label"
        return f"the labels stand in the same order for each of {self._many}"

    @property
    def sentence(self) -> str:
        """What the rows of a case have in common, and how many there are."""
        each = f"for each of {self._many}"
        if not self.case:
            return f"The labels stand in the same order {each}."
        every = "Every" if self.complete else "Nearly every"
        same = " with the same label" if self.same_labels else ""
        rows = f"{self.rows_each * len(self.sets):,}" if self.rows_each else "several"
        times = "once " if self.rows_each == 1 else f"{self.rows_each:,} " if self.rows_each else ""
        return f"{every} value of {quote(self.case)} stands in {rows} rows{same}, {times}{each}."

    @property
    def _many(self) -> str:
        return combined_sets.how_many(self.by, len(self.sets))


_known: WeakKeyDictionary[Predictions, Stacked | None] = WeakKeyDictionary()


def stacked(predictions: Predictions) -> Stacked | None:
    """Sets of rows with the same cases and labels; None where there are none. Cost O(n·columns), once."""
    if predictions not in _known:
        _known[predictions] = _stacked(predictions)
    return _known[predictions]


def _stacked(predictions: Predictions) -> Stacked | None:
    if predictions.n < 2 * FEWEST_CASES:
        return None
    truth, metadata = _truth(predictions), predictions.metadata
    answers = (PREDICTED, TRUTH) if predictions.confidence_only else ()
    columns = {name: codes for name, codes in _columns(metadata) if name not in answers}
    sets = _possible_sets({**columns, **dict(_settings(metadata))}, truth is None)
    cases = (
        case
        for case in sorted(columns, key=lambda name: not names_cases(name))
        if _is_repeated(columns[case])
        and (names_cases(case) if truth is None else _same_labels(columns[case], truth))
    )
    several: Stacked | None = None  # of which a case has several rows in every set
    for case in cases:
        codes = columns[case]
        by = combined_sets.columns_of_sets(codes, {name: sets[name] for name in sets if name != case})
        if not by:
            continue
        of_row = combined_sets.combined([sets[name] for name in by])
        rows = 1 if combined_sets.is_once(codes, of_row) else combined_sets.rows_of_each(codes, of_row)
        values = combined_sets.values_of([metadata[name] for name in by])
        stack = Stacked(case, by, values, not combined_sets.missing(codes, of_row), truth is not None, rows)
        if rows == 1:
            return stack
        several = several or stack
    if several or truth is None or any(int(codes.max()) + 1 == predictions.n for codes in columns.values()):
        return several  # or each row has a name of its own
    return _in_same_order(metadata, {name: sets[name] for name in sets if _says_which(name)}, truth)


def _possible_sets(columns: Mapping[str, Int], named: bool) -> dict[str, Int]:
    """The columns that may say which set a row is in, the likeliest first; ``named``: if called so."""
    return {
        name: columns[name]
        for name in sorted(columns, key=lambda name: not _says_which(name))
        if 2 <= columns[name].max() + 1 <= MOST_SETS and (_says_which(name) or not named)
    }


def _in_same_order(metadata: Mapping[str, Any], sets: Mapping[str, Int], truth: Int) -> Stacked | None:
    """The sets of one column in which the labels stand in the same order, or of two together, which may split
    those of the one further; None where there are none."""
    by: tuple[str, ...] = next(((name,) for name in sets if _same_order(sets[name], truth)), ())
    coarse = int(sets[by[0]].max()) if by else 0
    for pair in combinations(sets, 2):
        codes = combined_sets.combined([sets[name] for name in pair])
        finer = set(by) <= set(pair) and coarse < codes.max() < MOST_SETS
        if finer and _same_order(codes, truth):
            by = pair
            break
    return Stacked("", by, combined_sets.values_of([metadata[name] for name in by]), True) if by else None


def _truth(predictions: Predictions) -> Int | None:
    """(n,) what was so, which is the same whatever a model says; None where that is not known."""
    if not predictions.confidence_only:
        return predictions.labels
    if TRUTH not in predictions.metadata:
        return None
    return codes_of(predictions.metadata[TRUTH], names=False)[0]


def _says_which(name: str) -> bool:
    return _speaks(name, lexicon.VARIANT)


def repeated(predictions: Predictions) -> str:
    """The column that names cases of which some stand in several rows; empty where there is none.

    That of :func:`stacked`, or by its name. One that may only count rows is taken if rows of one value agree
    more than any two rows do. Cost as :func:`stacked`.
    """
    stack = stacked(predictions)
    if stack is not None and stack.case:
        return stack.case
    for name, codes in _columns(predictions.metadata):
        many = int(codes.max()) + 1
        plausible = FEWEST_CASES <= many < predictions.n <= _MOST_ROWS * many
        if not plausible or not names_cases(name) or are_topics(name, predictions.metadata[name]):
            continue
        if not _speaks(name, lexicon.PLACE) or _agree(codes, predictions.labels):
            return name
    return ""


def repeated_note(predictions: Predictions) -> str:
    """What is said of cases that stand in several rows; empty where none does."""
    case, n = repeated(predictions), predictions.n
    if not case:
        stack = stacked(predictions)
        return "" if stack is None else f"{stack.sentence} {NOT_INDEPENDENT}"
    cases = count(len(codes_of(predictions.metadata[case])[1]), "different value")
    copies = _copies(predictions, case)
    more = f" {count(copies, 'row')} repeat another one in every cell." if copies else ""
    return f"{count(n, 'row')} hold {cases} of {quote(case)}.{more} {NAME_THE_UNIT}"


def _copies(predictions: Predictions, case: str) -> int:
    """How many rows are as an earlier one in every column."""
    of_case = codes_of(predictions.metadata[case])[0]
    numbers = [of_case, predictions.labels, *predictions.probs.T]
    if not _duplicated(numbers):
        return 0
    return _duplicated(
        [*numbers, *(codes_of(column, names=False)[0] for column in predictions.metadata.values())]
    )


def _duplicated(columns: Sequence[Any]) -> int:
    hashes = pd.util.hash_pandas_object(pd.DataFrame(dict(enumerate(columns))), index=False)
    return int(hashes.duplicated().sum())


def chosen_rows(columns: Mapping[str, Array], n: int, wanted: Sequence[str]) -> Int:
    """The rows, from 0, in which columns have the values that are ``wanted``, each as "column=value".

    Raises
    ------
    InputError : no such column, or no such value in it.
    """
    mask = np.ones(n, bool)
    for words in wanted:
        if words == ALL:
            continue
        names = [name for name in columns if words.startswith(f"{name}=") or words.startswith(f"{name} =")]
        if not names:
            raise InputError(
                f"The rows to keep are {quote(words)}; expected the name of a column, = and one of its "
                f"values. The columns are {listed(tuple(columns))}."
            )
        name = max(names, key=len)
        value = words[len(name) :].lstrip().removeprefix("=").strip()
        codes, values = codes_of(columns[name])
        texts = [text.strip() for text in values]
        present = np.array([text == value for text in texts])
        if not present.any():
            raise InputError(
                f"No row has {quote(value)} in column {quote(name)}. It has "
                f"{listed(tuple(dict.fromkeys(texts)), 8)}."
            )
        mask &= present[codes]
    rows: Int = np.flatnonzero(mask)
    return rows


def _columns(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Int]]:
    """Columns that may name cases or sets, each with (n,) the number of its value; none with gaps."""
    for name, column in metadata.items():
        if column.dtype.kind not in "fiubUO" or (column.dtype.kind == "f" and np.mod(column, 1).any()):
            continue
        codes, values = codes_of(column, names=False)
        gaps = any(value.strip().lower() in lexicon.NO_VALUE for value in values[:1_000])
        if not gaps and max(map(len, values), default=0) <= LONGEST:
            yield name, codes


def _settings(metadata: Mapping[str, Any]) -> Iterator[tuple[str, Int]]:
    """Columns of few fractions, as a temperature, which may tell sets apart and name no cases."""
    for name, column in metadata.items():
        if column.dtype.kind == "f" and np.isfinite(column).all() and np.mod(column, 1).any():
            codes, values = codes_of(column, names=False)
            if len(values) <= MOST_SETS:
                yield name, codes


def values_of(column: Any) -> tuple[str, ...]:
    """The values of a column as text, each once, as they come first."""
    return tuple(dict.fromkeys(text.strip() for text in codes_of(column)[1]))


def _speaks(name: str, words: frozenset[str]) -> bool:
    return any(token.text in words for token in tokens(name))


def names_cases(name: str) -> bool:
    """Whether a column is called as those are that name cases."""
    return _speaks(name, lexicon.CASE) and not _speaks(name, lexicon.VARIANT | lexicon.GATHERED)


def are_of_same_cases(cases: Array, sets: Array) -> bool:
    """Whether a case stands in one row of a set, and half of the cases or more in several. O(n log n)."""
    case, by = codes_of(cases, names=False)[0], codes_of(sets, names=False)[0]
    rows = np.bincount(case)
    once = len(np.unique(case * (int(by.max()) + 1) + by)) == len(case)
    return once and bool(2 * np.count_nonzero(rows > 1) >= len(rows) >= FEWEST_CASES)


def _is_repeated(codes: Int) -> bool:
    """Whether many values stand in several rows each."""
    cases = int(codes.max()) + 1
    return FEWEST_CASES <= cases <= (1 + MISSING) * len(codes) / 2


def _same_labels(codes: Int, labels: Int) -> bool:
    """Whether all rows of a value have one label, and not all values the same."""
    first = np.zeros(int(codes.max()) + 1, np.int64)
    first[codes] = labels
    n_different = len(first) - int(np.bincount(first).max())
    return n_different >= _FEWEST_OTHER and bool((first[codes] == labels).all())


def _same_order(sets: Int, labels: Int) -> bool:
    """Whether the labels of every set come in the same order, which changes often."""
    sizes = np.bincount(sets)
    if sizes.min() != sizes.max() or sizes[0] < FEWEST_CASES:
        return False
    of_sets = labels[np.argsort(sets, kind="stable")].reshape(len(sizes), -1)
    changes = int(np.count_nonzero(np.diff(of_sets[0])))
    return changes >= _FEWEST_CHANGES and bool((of_sets == of_sets[0]).all())


def _agree(codes: Int, labels: Int) -> bool:
    """Whether two rows of one value have the same label more often than any two rows."""
    counts = np.bincount(labels).astype(float)
    by_chance = float(np.square(counts / len(labels)).sum())
    of_value = np.bincount(codes).astype(float)
    pairs = float((of_value * (of_value - 1)).sum() / 2)
    cells = np.unique(codes * len(counts) + labels, return_counts=True)[1].astype(float)
    same = float((cells * (cells - 1)).sum() / 2)
    return pairs > 0 and same / pairs > by_chance + _SURE * np.sqrt(by_chance * (1 - by_chance) / pairs)
