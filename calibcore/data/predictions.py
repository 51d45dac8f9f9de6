"""Predictions: what a model said and what happened, checked once.

Everything in Caliblens works on this one type. It is built by
:meth:`Predictions.from_arrays` (or by :mod:`calibcore.io`, which calls it);
after that nobody checks again, so the arrays are read-only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from calibcore.data.case_data import (
    Columns,
    Rows,
    columns_of_rows,
    read_only,
    read_only_columns,
    weights_of_rows,
)
from calibcore.data.constructors import Constructors
from calibcore.data.cross_fitted import CROSS_FITTED, cross_fitted_by
from calibcore.data.decimals import Rounding
from calibcore.data.fingerprint import Fingerprint, neighbours, visibly_ordered
from calibcore.data.given_arrays import checked_arrays
from calibcore.data.label_pairs import PAIRS_UNTESTED
from calibcore.data.labels import (
    pooled_labels,
)
from calibcore.data.outcomes_at_zero import OutcomesAtZero
from calibcore.data.outside_text import shown
from calibcore.data.parts import contents, rows_of, rows_of_sample
from calibcore.display import Displayed
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.wording import listed

CONFIDENCE_ONLY, ORDERED = "caliblens_confidence_only", "caliblens_ordered"
DataKind = Literal["probabilities", "confidence", "labels"]
LABELS: Literal["labels"] = "labels"
"""The kind of data of which each case has several labels; see :class:`.MultiLabelPredictions`."""


@dataclass(frozen=True, eq=False, repr=False)
class Predictions(OutcomesAtZero, Constructors, Displayed):
    """``n`` predictions over ``m`` classes with their outcomes.

    probs : (n, m) float64, rows sum to 1 within 1e-5, read-only
    labels : (n,) int64 in 0..m-1, read-only
    class_names : m distinct names
    metadata : other columns, name -> (n,) array
    notes : sentences about what was changed on the way in
    weights : (n,) above 0 with mean 1, read-only, or None if all cases count alike
    pooled_from : the n / m′ rows over m′ classes whose pairs these are, case by case, or None
    drawn_from : how many cases these were drawn from at random, or None
    rounding : how the probabilities were rounded as they came, None if they were not; see
        :func:`~calibcore.data.decimals.rounding_of`
    cross_fitted : the kind of map that recalibrated these probabilities on these same cases, fold by fold;
        else empty. Nothing is tested on them
    ordered : whether the classes are in order, as grades are, the lowest first; see :meth:`in_order`
    confidence_only : of each case only how sure the model was of its answer, and whether that was right: two
        classes, :data:`.confidence.RIGHT` and "wrong", see :meth:`from_confidence`
    label_of : the label of several whose outcomes these are, see :class:`.MultiLabelPredictions`; else empty
    case_of : (n,) the case of which each row is a label, where rows are pairs of a case and a label, see
        :meth:`.MultiLabelPredictions.pairs`; else None. Nothing is tested on them

    >>> from calibcore import Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.3, 0.7]], ["ill", "well"], class_names=["ill", "well"])
    >>> p, p.labels.tolist(), p.m
    (Predictions(2 cases, 2 classes: 'ill', 'well'), [0, 1], 2)

    Some of the cases are taken as of an array, see :meth:`__getitem__`.

    >>> len(p), p[p.probs[:, 1] > 0.5], p[:1].labels.tolist()
    (2, Predictions(1 case, 2 classes: 'ill', 'well'), [0])
    """

    probs: Float
    labels: Int
    class_names: tuple[str, ...]
    metadata: Columns = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    weights: Float | None = None
    pooled_from: "Predictions | None" = None
    drawn_from: int | None = None
    rounding: Rounding | None = None
    cross_fitted: str = ""
    confidence_only: bool = False
    label_of: str = ""
    ordered: bool = False
    case_of: Int | None = None

    def __post_init__(self) -> None:
        """Whatever made them, a lens say: what compiled code is given has the types and sizes that it knows.

        Raises
        ------
        InputError : arrays of other shapes or types; a label that is none of 0..m-1.
        """
        probs, labels = contents(self.probs, self.labels, len(self.class_names))
        object.__setattr__(self, "probs", probs)
        object.__setattr__(self, "labels", labels)
        if self.confidence_only and probs.shape[1] != 2:
            raise InputError(f"A confidence has 2 classes, right and wrong, and not {probs.shape[1]}.")

    @classmethod
    def from_arrays(
        cls,
        probs: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        renormalise: bool = False,
        counts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        ordered: bool | Sequence[str] = False,
    ) -> "Predictions":
        """Check and copy. Cost O(nm), n after repeating.

        probs : (n, m) probabilities, an array, a tensor, or a table of any library. float32 and float16
            values that are rounded decimals are read as those decimals, so that 0.1 lies on the edge 1/10.
            Values up to a millionth outside 0 to 1 are set to 0 or 1, and a note says so. One number a case,
            (n,) or (n, 1), is the probability of the second of two classes, as scikit-learn has it, or of
            the one that its column or series is called after; a note says of which. Of the confidence in
            whatever was answered see :meth:`from_confidence`
        labels : (n,) names of classes as text; or whole numbers or truth values, which are names where
            ``class_names`` holds such (as ``model.classes_`` may), else 0..m-1 in the order of the columns;
            or (n, m) one-hot, whose columns are matched by their names where both have such
        class_names : m names in the order of the columns. If left out: the names of the columns, where
            ``probs`` has such; of labels that are text their sorted names, as scikit-learn has them, and a
            note says so; else "0", "1", …
        metadata : further columns of length n; one named "caliblens_cross_fitted" marks recalibrated
            probabilities of these same cases, see :attr:`cross_fitted`
        renormalise : divide every row by its sum, however far that is from 1
        counts : (n,) whole numbers from 0; a row stands for so many identical, independent cases and
            is repeated
        weights : (n,) numbers above 0, such as sampling weights; kept with mean 1. Weighted
            predictions give estimates only, no tests. Equal weights are as none.
        ordered : the classes are in order, as grades are: the first column is that of the lowest; or their
            names from the lowest on, see :meth:`in_order`

        Raises
        ------
        InputError : says row, column, what was found and what was expected.
        """
        given = checked_arrays(
            probs, labels, class_names, metadata, renormalise=renormalise, counts=counts, weights=weights
        )
        in_order = isinstance(ordered, bool | np.bool_) and bool(ordered)
        if in_order and given.sorted_names:
            raise InputError(
                f"The classes {listed(given.class_names)} were sorted by their names, which is no order of "
                "grades. Name them from the lowest on: ordered=[…]."
            )
        mark, notes = cross_fitted_by(given.columns), given.notes
        if mark:
            notes += (f"The probabilities were recalibrated on these same cases ({shown(mark)}): no tests.",)
        made = cls(
            read_only(given.probs),
            read_only(given.labels),
            given.class_names,
            read_only_columns(given.columns),
            notes,
            None if given.weights is None else read_only(given.weights),
            rounding=given.rounding,
            cross_fitted=mark,
            ordered=in_order,
        )
        return made if isinstance(ordered, bool | np.bool_) else made.in_order(ordered)

    def __repr__(self) -> str:
        if self.confidence_only:
            return f"Predictions({self._how_many}, confidence only)"
        return f"Predictions({self._how_many}, {self.m:,} classes: {listed(self.class_names, 5)})"

    def __getitem__(self, rows: "slice | ArrayLike") -> "Predictions":
        """These cases, in that order, with their metadata; their weights have mean 1 again. Cost O(n′m).

        rows : a slice, a mask of n truth values, or whole numbers from −n to n − 1, which may repeat

        Raises
        ------
        InputError : one number, which is no selection; a mask of another length; a number that is no row;
            no row; pairs that were pooled.
        """
        return self.with_rows(rows_of(rows, self.n))

    def through(
        self,
        probs: Float,
        labels: Int,
        class_names: Sequence[str],
        rows: Rows | None = None,
    ) -> "Predictions":
        """What a lens makes of these, of ``rows`` (default all).

        Raises
        ------
        InputError : pooled predictions; arrays that are none, as in :meth:`__post_init__`.
        """
        if self.pooled_from is not None:
            raise InputError(
                "Pooled pairs of one case belong together: no lens looks at them and no rows are taken from "
                "them. Take rows or a region before pooling."
            )
        metadata, weights = self.metadata, self.weights
        if rows is not None:
            metadata, weights = columns_of_rows(metadata, rows), weights_of_rows(weights, rows)
        case_of = self.case_of if rows is None or self.case_of is None else read_only(self.case_of[rows])
        return replace(
            self,
            case_of=case_of,
            probs=probs,
            labels=labels,
            class_names=tuple(class_names),
            metadata=metadata,
            weights=weights,
            drawn_from=None,
            ordered=self.ordered and tuple(class_names) == self.class_names,
        )

    def in_order(self, names: Sequence[str]) -> "Predictions":
        """The same with the classes in this order, the lowest first, and declared to be ordered.

        Raises
        ------
        InputError : fewer than three classes, which have no order, or other names.
        """
        if self.confidence_only:
            raise InputError("Only the confidence in the answer is known: there are no classes in order.")
        if self.m < 3:
            raise InputError(f"There are {self.m} classes; expected 3 or more in order: two have none.")
        if sorted(names) != sorted(self.class_names):
            raise InputError(
                f"The order names {listed(tuple(names))}, and the classes are {listed(self.class_names)}; "
                "expected each of them once."
            )
        places = [self.class_names.index(name) for name in names]
        labels = np.argsort(places)[self.labels].astype(np.int64)
        moved = self.through(np.ascontiguousarray(self.probs[:, places]), labels, names)
        return replace(moved, ordered=True, drawn_from=self.drawn_from)

    def with_rows(self, rows: Rows) -> "Predictions":
        """The same predictions, only ``rows``, in that order."""
        return self.through(self.probs[rows], self.labels[rows], self.class_names, rows)

    def with_columns(self, places: Sequence[int]) -> "Predictions":
        """The same cases and labels; class k has the probabilities of what is column ``places[k]`` now."""
        return replace(self, probs=self.probs[:, list(places)])

    def sampled(self, n: int) -> "Predictions":
        """``n`` cases drawn at random without replacement, in the order in which they stand.

        The same ones every time, of every model of as many cases; a sample of a sample is one of all cases.
        Cost O(n) of all cases.

        Raises
        ------
        InputError : fewer than 2 cases, or more than there are.
        """
        if not 2 <= n <= self.n:
            raise InputError(f"A sample of {shown(n)} cases was asked for; expected 2 to {self.n:,}.")
        total = self.drawn_from or self.n
        return replace(self.with_rows(rows_of_sample(n, self.n, total)), drawn_from=total)

    def with_cases(self, rows: Int, labels: Int | None = None) -> "Predictions":
        """Only the cases ``rows``, in that order, with their own or other ``labels``.

        Of pooled predictions a case is all its pairs, and its label one of the classes before pooling.
        """
        if self.pooled_from is None:
            labels = self.labels[rows] if labels is None else labels
            return self.through(self.probs[rows], labels, self.class_names, rows)
        source = self.pooled_from.with_cases(rows, labels)
        pairs = self.probs.reshape(self.pooled_from.n, -1, 2)[rows]
        return source.pooled(pairs.reshape(-1, 2))

    def pooled(self, probs: Float) -> "Predictions":
        """The predictions of "hit" and "miss" for all pairs, row by row: (n·m, 2)."""
        rows = np.repeat(np.arange(self.n), self.m)
        pairs = self.through(probs, pooled_labels(self.labels, self.m), ("hit", "miss"), rows)
        return replace(pairs, pooled_from=self)

    def bare(self) -> "Predictions":
        """The same without metadata: all that another machine is given to compute with."""
        return replace(self, metadata={}, pooled_from=self.pooled_from and self.pooled_from.bare())

    @property
    def cases(self) -> "Predictions":
        """What happens to one case at a time: these predictions, or those that were pooled."""
        return self if self.pooled_from is None else self.pooled_from

    @property
    def rows_are_cases(self) -> bool:
        """Whether every row is one independent case: neither pooled nor weighted, and no pair of a label."""
        return self.pooled_from is None and self.weights is None and self.case_of is None

    @property
    def untested(self) -> str:
        """Why nothing is tested on these, after "withheld:"; empty where tests can be made."""
        if self.weights is not None:
            return "the cases are weighted, and weights give estimates only"
        if self.cross_fitted:
            return "the probabilities were recalibrated on these same cases, and a test would find too little"
        return "" if self.case_of is None else PAIRS_UNTESTED

    @property
    def kind(self) -> "DataKind":
        """What is known of each case: "probabilities" of all classes, or the "confidence" in the answer."""
        return "confidence" if self.confidence_only else "probabilities"

    def class_index(self, name: str) -> int:
        """Index of a class by its name; :class:`InputError` lists the names there are."""
        if name not in self.class_names:
            raise InputError(f"There is no class {shown(name)}; the classes are {listed(self.class_names)}.")
        return self.class_names.index(name)

    @property
    def m(self) -> int:
        """Number of classes."""
        return int(self.probs.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of probabilities, labels, class names and weights (64 hex digits); not of metadata.

        Of cross-fitted predictions, and of those of which only a confidence is known, of their mark too.
        """
        digest = Fingerprint(self.n, self.m)
        digest.add_cases(self.probs, self.labels, self.class_names, self.weights)
        if self.cross_fitted:
            digest.add_names((CROSS_FITTED, self.cross_fitted))
        if self.confidence_only:
            digest.add_names((CONFIDENCE_ONLY,))
        if self.ordered:
            digest.add_names((ORDERED,))
        if self.case_of is not None:
            digest.add_labels(self.case_of)
        return digest.hexdigest()

    @cached_property
    def class_counts(self) -> Int:
        """(m,) how often each class happened."""
        return np.bincount(self.labels, minlength=self.m).astype(np.int64)

    @cached_property
    def labels_ordered(self) -> bool:
        """Whether the labels are visibly ordered, as in a file sorted by class or with pairs of rows alike.

        One of: all cases of a class stand together, which happens by chance less than once in
        1,000; the number of runs of equal labels lies 5 standard deviations (and 8 runs) from its
        mean under random order (Wallis & Roberts 1956); so many of the pairs of rows (1, 2),
        (3, 4), … agree or differ that it lies 5 standard deviations (and 4 pairs) from its mean.
        """
        if self.pooled_from is not None:
            return self.pooled_from.labels_ordered
        changes, alike = neighbours(self.labels)
        return visibly_ordered(self.class_counts, changes, alike)

    def onehot(self) -> Float:
        """(n, m) one-hot outcomes."""
        out = np.zeros(self.probs.shape)
        out[np.arange(self.n), self.labels] = 1.0
        return out
