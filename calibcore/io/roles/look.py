"""A look at a table: enough of it to tell what its columns may be."""

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from calibcore import limits
from calibcore.column_names import lexicon
from calibcore.column_names.name_words import (
    loose,
    names_an_event,
    outcomes_of,
    pieces,
    plain,
    tokens,
    version_of,
)
from calibcore.column_names.names import Name, complemented, parse
from calibcore.column_names.no_classes import class_within
from calibcore.data.checks import snapped
from calibcore.io.roles.meaning import Words, cell_text, label_text
from calibcore.io.roles.sums import share_of_probabilities
from calibcore.io.tables import Table, as_numbers, is_bool_column, is_number_column, position_name
from calibcore.numerics.types import Float, Int

_SAMPLE = 500
FIRST_ROWS, MOST_CELLS = 3, 8
"""Rows, and cells of a row, by which a person chooses between readings."""
MOST_OFFERED = 6
"""Readings to choose from at most."""
_MOST_FRACTIONS = 20
"""Classes at most that are called by a fraction."""


class Look:
    """A table and a sample of it: enough to tell what the columns may be. Cost O(columns).

    Attributes
    ----------
    rows : numbers, from 0, of the rows of the sample
    sample : (rows, columns) numbers, NaN where there is none
    numeric, integral, unit : whether a column holds numbers, only whole ones, only such from 0 to 1
    binary, fractional : whether a column holds 0 and 1 alone, numbers that are not all whole
    """

    def __init__(self, table: Table) -> None:
        self.table, self.names = table, table.names
        n, k = table.n, len(table.names)
        self.rows: Int = np.unique(np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64))
        self.sample: Float = np.full((len(self.rows), k), np.nan)
        self.numeric = np.zeros(k, dtype=bool)
        for j, column in enumerate(table.columns):
            part = column if len(self.rows) == n else column.iloc[self.rows]
            values, empty = as_numbers(part, table.decimal)
            self.sample[:, j] = snapped(values)
            numbers, filled = np.count_nonzero(~np.isnan(self.sample[:, j])), np.count_nonzero(~empty)
            # A column of text counts as numbers with a few bad cells if most of its cells are numbers.
            mostly = not is_bool_column(column) and numbers > 0.5 * filled
            self.numeric[j] = is_number_column(column) or mostly
        finite = np.isfinite(self.sample)
        integral = ~finite | (self.sample == np.floor(self.sample))
        few = np.count_nonzero(~integral, axis=0) <= 0.05 * len(self.rows)
        self.integral = self.numeric & finite.any(axis=0) & few
        inside = np.count_nonzero(finite & (self.sample >= 0) & (self.sample <= 1), axis=0)
        self.unit = self.numeric & (inside > 0.9 * np.count_nonzero(finite, axis=0))
        self.binary, self.fractional = self.integral & self.unit, self.numeric & ~self.integral
        for j in self._made:
            self.sample[:, j] = np.nan
            self.numeric[j] = self.integral[j] = self.unit[j] = self.binary[j] = self.fractional[j] = False
        self._words: dict[int, Words] = {}

    @property
    def _made(self) -> list[int]:
        """Columns that were made while reading: they are nothing but columns for groups."""
        return [j for j, name in enumerate(self.names) if name in self.table.made]

    @cached_property
    def parsed(self) -> tuple[Name, ...]:
        """What the names of the columns say; nothing where the file gives none."""
        return tuple(self._parsed(j, name) for j, name in enumerate(self.names))

    def _parsed(self, j: int, name: str) -> Name:
        if not self.table.named or name == position_name(j):
            return Name(name, "")
        if name in self.table.made:
            return Name(name, "other")
        own = parse(name)
        if j in self.outcomes and not (own.speaks_of_outcomes and own.inner):  # "prob1_outcome"
            return Name(name.strip(), "label", self.names[self.outcomes[j]].strip(), "…_outcome")
        rest = complemented(name)  # "1-p" is no "p" of the class 1, but where there is "0-p"
        if rest and not any(other != name and other.strip().endswith(f"-{rest}") for other in self.names):
            return Name(name.strip(), "other")
        parsed = parse(self._versions.get(j, name))
        if parsed.role == "other" and j in self.outcomes.values():
            return Name(name.strip(), "")  # "loss" beside "loss_outcome"
        weak = parsed.role == "probability" and not parsed.strong
        about = parsed.inner if weak else name.removeprefix("I_")
        decided = not self.numeric[j] or self.integral[j]
        if decided and about != name and about in self.names:  # "prediction(type)", or SAS's "I_type"
            return Name(name.strip(), "predicted")
        if parsed.inner and self._says_whose(j, parsed):
            return Name(name.strip(), "confidence")
        return parsed

    def _says_whose(self, j: int, parsed: Name) -> bool:
        """Whether a column is called a confidence, and after a model or whoever has it, not after a class.

        Where another column is called alike, what differs may be classes.
        """
        words = {token.text for token in tokens(parsed.text)}
        inner = {token.text for token in tokens(parsed.inner)}
        if words.isdisjoint(lexicon.CONFIDENCE) or not (
            inner <= lexicon.WHOSE or not class_within(parsed.inner)
        ):
            return False
        return not any(
            other.shape == parsed.shape and not {token.text for token in tokens(other.inner)} <= lexicon.WHOSE
            for other in (parse(name) for k, name in enumerate(self.names) if k != j)
            if other.inner
        )

    @cached_property
    def outcomes(self) -> dict[int, int]:
        """Columns of two values that are called as a column of fractions and a word for outcomes, and that
        one: "prob1_outcome" beside "prob1", "Ann_won" beside "Ann_prob".
        """
        if not self.table.named:
            return {}
        owners: dict[str, list[int]] = {}
        for j, name in enumerate(self.names):
            parsed = parse(name)
            if self.fractional[j] and self.unit[j] and parsed.role != "confidence":
                bare = (parsed.numeric or parsed.role == "predicted") and not parsed.inner
                own = () if bare else (name, parsed.inner, *outcomes_of(parsed.inner))
                for key in {plain(key) for key in own} - {""}:  # "score_class" may be decided by "score"
                    owners.setdefault(key, []).append(j)
        outcomes: dict[int, int] = {}
        for j, name in enumerate(self.names):
            predicted = parse(name).role == "predicted"  # "pred_label" is what was predicted
            keys = (
                {plain(key) for key in outcomes_of(name)}
                if self._says_whether(j) and not predicted
                else set()
            )
            mine = {owner for key in keys for owner in owners.get(key, ())}
            if len(mine) == 1:
                outcomes[j] = mine.pop()
        return outcomes if len(set(outcomes.values())) == len(outcomes) else {}

    def _says_whether(self, j: int) -> bool:
        text = not self.numeric[j] and self.table.columns[j].iloc[self.rows].nunique() <= 2
        return bool(self.binary[j] or text)

    @cached_property
    def _versions(self) -> dict[int, str]:
        """Columns of which there are several, as "label_x" and "label_y", and what each of them is one of.

        One-hot columns, and such of which each belongs to a column of probabilities, are no versions.
        """
        stems: dict[str, dict[int, str]] = {}
        for j, name in enumerate(self.names):
            if not self.fractional[j]:
                for stem in filter(None, (version_of(name), name.strip())):
                    stems.setdefault(plain(stem), {})[j] = stem
        fractions = [parse(name) for j, name in enumerate(self.names) if self.fractional[j]]
        of_classes = {loose(parsed.inner) for parsed in fractions if parsed.numeric}
        versions: dict[int, str] = {}
        for stem, columns in stems.items():
            about = parse(stem)
            named = names_an_event(stem) or (about.speaks_of_outcomes and not about.inner)
            suffixes = {loose(self.names[j].strip()[len(stem) :].strip("_. -()")) for j in columns} - {""}
            merged = suffixes == {"x", "y"} and not about.speaks_of_predictions  # by pandas, whatever it is
            apart = not suffixes & of_classes and not self._are_onehot(columns)
            if len(columns) > 1 and (merged or (named and apart)):
                versions |= columns
        return versions

    def _are_onehot(self, columns: Collection[int]) -> bool:
        """Whether every row of some columns has exactly one 1."""
        part = [j for j in columns if self.binary[j]]
        return len(part) > 1 and self.one_hot_share(part) == 1

    def one_hot_share(self, columns: Sequence[int]) -> float:
        """Share of the sample's rows with exactly one 1 in ``columns``, which hold 0, 1 or nothing."""
        ones = np.nansum(self.sample[:, list(columns)], axis=1)
        return float(np.mean(ones == 1)) if len(ones) else 1.0

    def share(self, columns: Sequence[int]) -> float:
        """Share of the sample's rows that sum to 1, or to 100, over ``columns``."""
        return share_of_probabilities(self.sample[:, list(columns)]) if len(columns) > 1 else 0.0

    def constant(self, name: str) -> str:
        """What stands in every row of the sample in the column of this name; "" if nothing does."""
        if not self.table.named or name not in self.names:
            return ""
        cells = self.table.columns[self.names.index(name)].iloc[self.rows].unique()
        return cell_text(cells[0]) if len(cells) == 1 else ""

    def name_groups(self, columns: Sequence[int]) -> dict[tuple[int, str], list[int]]:
        """Columns whose names begin alike (0), end alike (1), or have one form (2)."""
        groups: dict[tuple[int, str], list[int]] = {}
        for j in columns:
            parsed = self.parsed[j]
            if parsed.inner:
                groups.setdefault((2, parsed.shape), []).append(j)
            for side, piece in enumerate(pieces(parsed.text)):
                if piece and piece != parsed.text:
                    groups.setdefault((side, piece.casefold()), []).append(j)
        return groups

    def counts_rows(self, j: int) -> bool:
        """Whether a column numbers the rows from 0 or from 1."""
        values = self.table.numbers(j)
        return any(np.array_equal(values, np.arange(first, first + len(values))) for first in (0, 1))

    def numbers(self, j: int) -> Float:
        """All finite numbers of a column, those a hair outside 0 to 1 at its ends. Cost O(n)."""
        values = self.table.numbers(j).astype(np.float64)
        return snapped(values[np.isfinite(values)])

    def first_numbers(self, columns: Sequence[int], n: int) -> Float:
        """(n, columns) numbers of the first rows."""
        parts = [as_numbers(self.table.columns[j].iloc[:n], self.table.decimal)[0] for j in columns]
        return np.column_stack([part.astype(np.float64) for part in parts])

    def first_rows(self, columns: Sequence[int]) -> tuple[dict[str, str], ...]:
        """The first rows as they stand in ``columns``, for a person to choose by."""
        chosen = [(self.names[j], self.table.columns[j]) for j in columns[:MOST_CELLS]]
        return tuple(
            {name: cell_text(column.iloc[i]) for name, column in chosen}
            for i in range(min(FIRST_ROWS, self.table.n))
        )

    def may_hold_labels(self, j: int) -> bool:
        """Whether a column holds whole numbers, truth values or text, and not another one in every row."""
        if j in self._made:
            return False
        cells = self.table.columns[j].iloc[self.rows]
        if self.fractional[j]:
            return self._are_ends_of_names(j, [label_text(cell) for cell in cells.unique()])
        if cells.nunique() > limits.LIMITS.max_classes:
            return False
        return self.parsed[j].speaks_of_outcomes or self.table.n < 3 or not self.counts_rows(j)

    def _are_ends_of_names(self, j: int, words: Sequence[str]) -> bool:
        """Whether other columns end with each of a few words, as "p_0", "p_0.5", "p_1" with 0, 0.5 and 1."""
        if not self.parsed[j].speaks_of_outcomes or not 2 < len(words) <= _MOST_FRACTIONS:
            return False
        rest = [name.rstrip(" )]}%'\"") for i, name in enumerate(self.names) if i != j]
        return all(any(name.endswith(word) for name in rest) for word in words)

    def words(self, j: int) -> Words:
        """The labels that the column j would hold; :class:`InputError` if a cell is empty."""
        if j not in self._words:
            parsed = self.parsed[j]
            own = self.names[j].strip() if parsed.codes else parsed.text
            self._words[j] = self.read_words(j, own if self.table.named else "")
        return self._words[j]

    def filled_words(self, j: int) -> tuple[Words, Int]:
        """The labels of the rows that have one, and which rows of the sample these are. Cost O(n)."""
        column = self.table.columns[j]
        codes, values = pd.factorize(column)
        says = np.array([cell_text(value) != "" for value in values] + [False])  # code -1 is a missing cell
        filled = np.flatnonzero(says[codes])
        sampled = np.flatnonzero(says[codes[self.rows]])
        rows = np.searchsorted(filled, self.rows[sampled])
        name = self.parsed[j].text if self.table.named else ""
        return Words(column.iloc[filled], self.table.where(j), name, rows), sampled

    def read_words(self, j: int, name: str) -> Words:
        """The same, of a column of this name. Cost O(n)."""
        return Words(self.table.columns[j], self.table.where(j), name, self.rows)
