"""Predictions of several labels of each case, of which any number may be true at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, check_same_order, column_names, numbers_in, widened
from calibcore.data.case_data import (
    CaseData,
    Columns,
    checked_columns,
    columns_of_rows,
    read_only,
    read_only_columns,
    weights_of_rows,
)
from calibcore.data.checks import clip, clipped_note
from calibcore.data.counts_and_weights import normalised_weights
from calibcore.data.decimals import rest_to_1, rounding_of
from calibcore.data.fingerprint import Fingerprint
from calibcore.data.label_pairs import MOST_PAIRS
from calibcore.data.labels import name_of
from calibcore.data.outside_text import shown
from calibcore.data.parts import rows_of
from calibcore.data.predictions import LABELS, DataKind, Predictions
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, listed

TRUE, NOT_TRUE = "true", "not true"
"""The classes of pairs of a case and a label."""
UNKNOWN = -1
"""What stands for an outcome that is not known."""
Outcomes = NDArray[np.int8]


@dataclass(frozen=True, eq=False, repr=False)
class MultiLabelPredictions(CaseData):
    """``n`` cases with ``k`` labels each: the probability of every label, and whether it is true.

    Labels exclude nothing: rows need not sum to 1. The labels of one case depend on each other, in a way that
    nothing says, so that each label is looked at by itself: :meth:`label`.

    probs : (n, k) float64 from 0 to 1, read-only
    outcomes : (n, k) int8, 1 where the label is true, 0 where it is not, -1 where that is unknown; read-only
    label_names : k distinct names
    metadata, notes, weights : as of :class:`.Predictions`

    >>> from calibcore import MultiLabelPredictions
    >>> p = MultiLabelPredictions.from_arrays(
    ...     [[0.9, 0.8], [0.2, 0.1], [0.4, 0.7]], [[1, 1], [0, None], [0, 1]], ["effusion", "mass"]
    ... )
    >>> len(p), p[:2]
    (3, MultiLabelPredictions(2 cases, 2 labels: 'effusion', 'mass'))
    >>> p.label("mass")
    Predictions(2 cases, 2 classes: 'not mass', 'mass')
    >>> p.label("mass").notes
    ("1 of 3 cases has no outcome of 'mass' and is left out there.",)
    """

    probs: Float
    outcomes: Outcomes
    label_names: tuple[str, ...]
    metadata: Columns = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    weights: Float | None = None

    kind: ClassVar[DataKind] = LABELS
    cross_fitted: ClassVar[str] = ""
    drawn_from: ClassVar[int | None] = None
    confidence_only: ClassVar[bool] = False
    case_of: ClassVar[Int | None] = None

    @classmethod
    def from_arrays(
        cls,
        probs: ArrayLike,
        outcomes: ArrayLike,
        label_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        weights: ArrayLike | None = None,
    ) -> "MultiLabelPredictions":
        """Check and copy. Cost O(nk).

        probs : (n, k) probabilities from 0 to 1, an array, a tensor or a table
        outcomes : (n, k) 1 and 0 or truth values; None or NaN where the outcome of a label is not known
        label_names : k names; if left out those of the columns of ``probs`` where it has such, else "0", …
        metadata : further columns of length n
        weights : (n,) numbers above 0; weighted cases give estimates only

        Raises
        ------
        InputError : says row, column, what was found and what was expected.
        """
        check_same_order(probs, outcomes, "outcomes")
        g = numbers_in(as_array(probs, "predictions"))
        if g.ndim != 2 or g.dtype.kind not in "fiub" or not g.size:
            raise InputError(
                f"The probabilities have the shape {g.shape} and the type {g.dtype}; expected numbers "
                "(n, k), one row a case and one column a label."
            )
        n, k = g.shape
        columns = column_names(probs, k)
        names = tuple(
            name_of(name) for name in (label_names if label_names is not None else columns or range(k))
        )
        if len(names) != k or len(set(names)) < k or not all(names):
            raise InputError(
                f"The labels are called {listed(names)}; expected {k:,} different names, one a column of "
                "probabilities."
            )
        g = np.array(widened(g), np.float64, order="C")
        clipped = clipped_note(*clip(g, False))
        bad = np.argwhere(~(np.isfinite(g) & (g >= 0) & (g <= 1)))
        if len(bad):
            columns_of = {int(i): int(j) for i, j in bad[::-1]}
            rows = np.array(sorted(columns_of), np.int64)
            where = list_rows(
                rows, lambda i: f"has {g[i, columns_of[i]]:g} for {shown(names[columns_of[i]])}"
            )
            raise InputError(f"{where} Expected probabilities from 0 to 1.")
        happened = _outcomes(outcomes, names, (n, k))
        beside = checked_columns(metadata, n, probs)
        w, notes = None, clipped
        if weights is not None:
            w, note = normalised_weights(weights, n)
            notes = (*notes, note)
        return cls(g, happened, names, beside, notes, w)

    def __post_init__(self) -> None:
        """Read-only, as nobody checks again."""
        for array in self._arrays():
            read_only(array)
        object.__setattr__(self, "metadata", read_only_columns(self.metadata))

    def __repr__(self) -> str:
        return f"MultiLabelPredictions({self._how_many}, {self.k:,} labels: {listed(self.label_names, 5)})"

    def __getitem__(self, rows: "slice | ArrayLike") -> "MultiLabelPredictions":
        """These cases, in that order, as of :class:`.Predictions`. Cost O(n′k)."""
        chosen = rows_of(rows, self.n)
        return MultiLabelPredictions(
            self.probs[chosen].copy(),
            self.outcomes[chosen].copy(),
            self.label_names,
            columns_of_rows(self.metadata, chosen),
            self.notes,
            weights_of_rows(self.weights, chosen),
        )

    @property
    def k(self) -> int:
        """Number of labels."""
        return len(self.label_names)

    @property
    def m(self) -> int:
        """:attr:`k`, as results of all labels have it."""
        return self.k

    @property
    def class_names(self) -> tuple[str, ...]:
        """:attr:`label_names`, as results of all labels have them."""
        return self.label_names

    @property
    def class_counts(self) -> Int:
        """(k,) of how many cases each label is known to be true. Cost O(nk)."""
        return np.asarray(np.count_nonzero(self.outcomes == 1, axis=0), np.int64)

    @property
    def known(self) -> tuple[str, ...]:
        """The labels of which at least 2 outcomes are known: those that can be looked at. Cost O(nk)."""
        outcomes = np.count_nonzero(self.outcomes != UNKNOWN, axis=0)
        return tuple(name for name, n in zip(self.label_names, outcomes, strict=True) if n >= 2)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of probabilities, outcomes, names and weights (64 hex digits); not of metadata."""
        digest = Fingerprint(self.n, self.k)
        digest.add_names((LABELS,))
        digest.add_cases(self.probs, self.outcomes, self.label_names, self.weights)
        return digest.hexdigest()

    def label(self, name: str) -> Predictions:
        """One label by itself: two classes, "not NAME" and NAME, of the cases whose outcome is known.

        A note says how many are left out. Cost O(n).

        Raises
        ------
        InputError : no such label, with those there are; fewer than 2 known outcomes.
        """
        if name not in self.label_names:
            raise InputError(f"There is no label {shown(name)}; the labels are {listed(self.label_names)}.")
        j = self.label_names.index(name)
        rows = np.flatnonzero(self.outcomes[:, j] != UNKNOWN)
        missing = self.n - len(rows)
        if len(rows) < 2:
            raise InputError(
                f"Of the label {shown(name)} {count(len(rows), 'known outcome')} "
                f"{'is' if len(rows) == 1 else 'are'} there; expected at least 2."
            )
        true = self.probs[rows, j]
        probs = np.column_stack([rest_to_1(true), true])
        metadata, weights = self.metadata, self.weights
        if missing:
            metadata, weights = columns_of_rows(metadata, rows), weights_of_rows(weights, rows)
        note = (
            f"{missing:,} of {count(self.n, 'case')} {'has' if missing == 1 else 'have'} no outcome of "
            f"{shown(name)} and {'is' if missing == 1 else 'are'} left out there."
        )
        return Predictions(
            probs,
            self.outcomes[rows, j].astype(np.int64),
            (f"not {name}", name),
            metadata,
            (*self.notes, *([note] if missing else [])),
            weights,
            rounding=rounding_of(probs),
            label_of=name,
        )

    def pairs(self) -> Predictions:
        """All pairs of a case and a label whose outcome is known, as yes or no: "true" and "not true".

        The pairs of a case stand side by side, and :attr:`.Predictions.case_of` says which they are. They
        depend on each other, so that nothing is tested on them. Cost O(nk).

        Raises
        ------
        InputError : more pairs than :data:`.MOST_PAIRS`, or fewer than 2 cases with a known outcome.
        """
        known = self.outcomes != UNKNOWN
        many, cases = int(np.count_nonzero(known)), int(np.count_nonzero(known.any(axis=1)))
        if many > MOST_PAIRS:
            raise InputError(
                f"{self.n:,} cases with {self.k:,} labels make {many:,} pairs; expected {MOST_PAIRS:,} at "
                "most. Use fewer cases, drawn at random, or look at one label."
            )
        if cases < 2:
            raise InputError(f"{count(cases, 'case')} has a known outcome; expected at least 2.")
        rows, columns = np.nonzero(known)
        true = self.probs[rows, columns]
        probs = np.column_stack([true, rest_to_1(true)])
        return Predictions(
            probs,
            (self.outcomes[rows, columns] == 0).astype(np.int64),
            (TRUE, NOT_TRUE),
            columns_of_rows(self.metadata, rows),
            self.notes,
            weights_of_rows(self.weights, rows),
            rounding=rounding_of(probs),
            case_of=read_only(rows.astype(np.int64)),
        )


def _outcomes(outcomes: Any, names: Sequence[str], shape: tuple[int, int]) -> Outcomes:
    """(n, k) 1, 0 and -1 of what may hold None or NaN."""
    given = as_array(outcomes, "outcomes")
    values = (
        np.array(given, np.float64) if given.dtype.kind == "O" and _are_numbers(given) else numbers_in(given)
    )
    if values.shape != shape or values.dtype.kind not in "fiub":
        raise InputError(
            f"The outcomes have the shape {values.shape} and the type {values.dtype}; expected {shape}, 1 or "
            "0 for every label of every case, and NaN where it is not known."
        )
    out = np.full(shape, UNKNOWN, np.int8)
    known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(shape, bool)
    bad = np.argwhere(known & (values != 0) & (values != 1))
    if len(bad):
        columns = {int(i): int(j) for i, j in bad[::-1]}
        rows = np.array(sorted(columns), np.int64)
        where = list_rows(rows, lambda i: f"has {values[i, columns[i]]:g} for {shown(names[columns[i]])}")
        raise InputError(f"{where} Expected 1 or 0, and NaN where an outcome is not known.")
    out[known] = values[known].astype(np.int8)
    return out


def _are_numbers(values: NDArray[Any]) -> bool:
    return all(
        value is None or isinstance(value, int | float | np.number | np.bool_) for value in values.flat
    )


Cases = Predictions | MultiLabelPredictions
"""What can be diagnosed and surveyed."""
