"""Predictions from what people hold: logits, a DataFrame, a fitted classifier.

Labels are matched with classes by their names, never by a place that nobody named.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, check_same_order, column_names, numbers_in, widened
from calibcore.data.checks import SUM_AS_IS, list_rows, shown
from calibcore.data.labels import by_columns, name_of, some_names
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

if TYPE_CHECKING:
    import pandas as pd


class Constructors(ABC):
    """The ways to build predictions beside ``from_arrays``."""

    @classmethod
    @abstractmethod
    def from_arrays(
        cls,
        probs: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
    ) -> Self: ...

    notes: tuple[str, ...]

    @abstractmethod
    def noted(self, notes: tuple[str, ...]) -> Self: ...

    @classmethod
    def from_logits(
        cls,
        logits: Any,
        labels: Any,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Predictions from scores before the softmax, which is taken in float64. Cost O(nm).

        logits : (n, m) numbers, an array or a torch tensor, on any device
        labels : (n,) as in ``from_arrays``, or a tensor of integers
        class_names, metadata : as in ``from_arrays``

        Raises
        ------
        InputError : one column, numbers that are not finite, numbers that are probabilities already.

        Examples
        --------
        >>> from calibcore import Predictions
        >>> logits = [[2.0, 0.0, 0.0], [0.0, 3.0, 1.0]]
        >>> p = Predictions.from_logits(logits, ["cat", "owl"], class_names=["cat", "dog", "owl"])
        >>> p.probs.round(3).tolist()
        [[0.787, 0.107, 0.107], [0.042, 0.844, 0.114]]
        """
        scores = _logits(numbers_in(as_array(logits, "logits")))
        check_same_order(logits, labels, "labels")
        y, names, read_notes = by_columns(
            column_names(logits, scores.shape[1]), numbers_in(as_array(labels, "labels")), class_names
        )
        made = cls.from_arrays(softmax(scores), y, names, metadata)
        return made.noted((*read_notes, *made.notes, "Softmax was applied to the logits."))

    @classmethod
    def from_frame(
        cls,
        frame: "pd.DataFrame",
        label: object,
        columns: Sequence[object] | Mapping[Any, object] | None = None,
        metadata: Sequence[object] = (),
    ) -> Self:
        """Predictions from a table: a column a class with its probability, and one of labels. Cost O(nm).

        frame : a pandas DataFrame, a row a case
        label : the column of labels, which are names of classes
        columns : the columns of probabilities, whose names are those of the classes; or class name -> column.
            If left out: all columns but ``label`` and ``metadata``, which must then be floating-point numbers
        metadata : columns that are kept beside them

        Raises
        ------
        InputError : a column that is not there, that is no probability, or that stands twice; a label that
            names no class: integers are names too, never places of columns.

        Examples
        --------
        >>> import pandas as pd
        >>> from calibcore import Predictions
        >>> frame = pd.DataFrame({"well": [0.9, 0.3], "ill": [0.1, 0.7], "truth": ["well", "ill"]})
        >>> Predictions.from_frame(frame, label="truth")
        Predictions(2 cases, 2 classes: 'well', 'ill')
        >>> Predictions.from_frame(frame, label="truth", columns=["ill", "well"]).class_names
        ('ill', 'well')
        """
        names, places = _classes_of(frame, label, columns, metadata)
        labels = frame[label].to_numpy()
        note = f"The classes are the columns {some_names(places)}; the labels are those in {shown(label)}."
        beside = {str(name): frame[name].to_numpy() for name in metadata}
        made = cls.from_arrays(_numbers(frame[places]), *matched(labels, names), beside)
        return made.noted((*made.notes, note))

    @classmethod
    def from_classifier(
        cls, classifier: Any, X: Any, y: Any, metadata: Mapping[str, ArrayLike] | None = None
    ) -> Self:
        """Predictions of a fitted classifier with ``predict_proba`` and ``classes_``, as scikit-learn's have.

        Give cases that it was not fitted on: on its own it looks surer and better than it is.

        classifier : a fitted classifier, or a pipeline or a search that ends in one
        X : what its ``predict_proba`` takes, n cases
        y : (n,) their true classes, as it was fitted with
        metadata : as in ``from_arrays``

        Raises
        ------
        InputError : it gives no probabilities or does not say its classes; a label that is none of them.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from calibcore import Predictions
        >>> classifier = SimpleNamespace(
        ...     classes_=["ill", "well"], predict_proba=lambda X: [[x, 1 - x] for x in X]
        ... )  # or LogisticRegression().fit(X_train, y_train)
        >>> Predictions.from_classifier(classifier, [0.25, 0.75], ["well", "ill"]).probs.tolist()
        [[0.25, 0.75], [0.75, 0.25]]
        """
        what = type(classifier).__name__
        predict = getattr(classifier, "predict_proba", None)
        if predict is None:
            raise InputError(
                f"{what} has no predict_proba, so it gives no probabilities. Fit one that does, or give "
                "scores of all classes to Predictions.from_logits."
            )
        probs, classes = predict(X), getattr(classifier, "classes_", None)
        if classes is None:
            raise InputError(
                f"{what} does not name its classes (classes_). Name them yourself: "
                "Predictions.from_arrays(classifier.predict_proba(X), y, class_names=[…])."
            )
        if isinstance(probs, list) and any(np.ndim(part) == 2 for part in probs):
            raise InputError(
                f"{what} predicts {len(probs)} outputs; expected one. Take them one by one by "
                "Predictions.from_arrays."
            )
        check_same_order(X, y, "classes")
        return cls.from_arrays(probs, *matched(as_array(y, "classes"), list(classes)), metadata)


def softmax(scores: Float) -> Float:
    """Softmax of each row, without overflow."""
    with np.errstate(over="ignore"):  # farther apart than doubles go: e^−∞ is 0
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    out: Float = shifted / shifted.sum(axis=1, keepdims=True)
    return out


def _logits(given: NDArray[Any]) -> Float:
    """(n, m) finite numbers; InputError says what else they are."""
    if given.ndim != 2:
        raise InputError(
            f"The logits have {given.ndim} {'dimension' if given.ndim == 1 else 'dimensions'}; expected 2, a "
            f"row a case and a column a class.{_OF_ONE if given.ndim == 1 else ''}"
        )
    if given.dtype.kind not in "fiu":
        raise InputError(f"The logits are of type {given.dtype}; expected numbers.")
    if given.shape[1] < 2:
        raise InputError(f"There is {given.shape[1]} column of logits; expected one a class.{_OF_ONE}")
    scores = given.astype(np.float64)
    if not len(scores):
        raise InputError("There are no cases; expected at least one row of logits.")
    bad = ~np.isfinite(scores)
    if len(rows := np.flatnonzero(bad.any(axis=1))):

        def describe(i: int) -> str:
            k = int(np.argmax(bad[i]))
            return f"has {scores[i, k]} in column {k + 1}"

        raise InputError(f"{list_rows(rows, describe)} Expected finite numbers.")
    if (scores >= 0).all() and (np.abs(scores.sum(axis=1) - 1) <= SUM_AS_IS).all():
        raise InputError(
            "These are probabilities already: every row sums to 1. Give them to Predictions.from_arrays."
        )
    return scores


_OF_ONE = (
    " Of one logit a case, before a sigmoid, give both classes: "
    "np.column_stack([np.zeros(len(logits)), logits])."
)


def _classes_of(
    frame: Any,
    label: object,
    columns: Sequence[object] | Mapping[Any, object] | None,
    metadata: Sequence[object],
) -> tuple[list[object], list[Any]]:
    """The names of the classes, and the column of each."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"from_frame takes a pandas DataFrame and was given an object of type {type(frame).__name__}."
        )
    if isinstance(columns, str) or isinstance(metadata, str):
        what = "columns" if isinstance(columns, str) else "metadata"
        raise InputError(f"There is one name where {what} are expected; put it in a list.")
    names = list(frame.columns)
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"The column {shown(twice[0])} stands twice; columns must differ.")
    given = [] if columns is None else list(columns.values() if isinstance(columns, Mapping) else columns)
    for name in [label, *metadata, *given]:
        if name not in names:
            raise InputError(f"There is no column {shown(name)}; the columns are {some_names(names)}.")
    if columns is None:
        places = [name for name in names if name != label and name not in metadata]
        for name in places:  # all are taken, so all must look like probabilities
            if frame[name].dtype.kind != "f":
                raise InputError(
                    f"The column {shown(name)} is of type {frame[name].dtype}, so it may hold no "
                    "probabilities. Name the columns of probabilities (columns=[…]), one a class."
                )
        return list(places), places
    if label in given:
        raise InputError(f"The column {shown(label)} is that of the labels; it holds no probabilities.")
    return list(columns), given


def _numbers(frame: Any) -> NDArray[Any]:
    """(n, m) as they are; columns of pandas' own kinds of numbers as doubles, NaN where one is missing."""
    if all(isinstance(dtype, np.dtype) for dtype in frame.dtypes):
        if len(set(frame.dtypes)) > 1 and all(dtype.kind == "f" for dtype in frame.dtypes):
            return np.column_stack([widened(frame.iloc[:, j].to_numpy()) for j in range(frame.shape[1])])
        return np.asarray(frame.to_numpy())
    if not all(dtype.kind in "fiu" for dtype in frame.dtypes):
        return np.asarray(frame.to_numpy())
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
    return np.column_stack(
        [widened(as_array(column.to_numpy(_held(column.dtype), na_value=np.nan))) for column in columns]
    )


def _held(dtype: Any) -> "np.dtype[Any]":
    """The floats that a column holds, missing values apart; doubles for whole numbers."""
    held = getattr(dtype, "numpy_dtype", dtype)
    return held if isinstance(held, np.dtype) and held.kind == "f" else np.dtype(np.float64)


def matched(labels: NDArray[Any], names: Sequence[object]) -> tuple[Int, list[str]]:
    """(n,) the place of each label among ``names``, and these as text; InputError for one that is no name."""
    if labels.ndim != 1:
        raise InputError(f"The labels have {labels.ndim} dimensions; expected 1, one label a case.")
    class_names = [name_of(name) for name in names]
    place = {name: k for k, name in enumerate(class_names)}
    called = [name_of(label) for label in labels.tolist()]
    positions = np.array([place.get(name, -1) for name in called], dtype=np.int64)
    if len(unknown := np.flatnonzero(positions < 0)):
        rows = list_rows(unknown, lambda i: f"has label {shown(called[i])}")
        raise InputError(f"{rows} Expected one of {some_names(list(place))}.")
    return positions, class_names
