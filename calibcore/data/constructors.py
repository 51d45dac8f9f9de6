"""Predictions from what people hold: confidences, logits, a table, a fitted classifier, what a Trainer gives.

Labels are matched with classes by their names, never by a place that nobody named.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, check_same_order, column_names, eager, numbers_in
from calibcore.data.case_data import CaseData, checked_columns
from calibcore.data.checks import of_event, refuse_transposed
from calibcore.data.confidence import RIGHT, WRONG, answers_of
from calibcore.data.eval_prediction import SEQUENCE, labelled, names_by_number
from calibcore.data.labels import by_columns, event_is_first, name_of, named_places, one_a_case, some_names
from calibcore.data.logits import checked_logits, softmax
from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Int


class Constructors(CaseData, ABC):
    """The ways to build predictions beside ``from_arrays``."""

    @classmethod
    @abstractmethod
    def from_arrays(
        cls,
        probs: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        counts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> Self: ...

    class_names: tuple[str, ...]

    @classmethod
    def from_confidence(
        cls,
        confidence: ArrayLike,
        correct: ArrayLike | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        predicted: ArrayLike | None = None,
        truth: ArrayLike | None = None,
        counts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Of each case how sure the model was of its answer, and whether that was right. Cost O(n).

        Two classes come of it, "right" and "wrong", and only the lens on the confidence looks at them: what
        was given to other classes is not known.

        confidence : (n,) from 0 to 1; below ½, too, where there are more than two answers
        correct : (n,) truth values, 1 and 0, yes and no, right and wrong
        predicted, truth : (n,) what was answered and what was so, names or numbers alike, in place of
            ``correct``; kept as "predicted class" and "true class", by which groups can be made
        metadata, counts, weights : as in :meth:`from_arrays`

        Raises
        ------
        InputError : says row, what was found and what was expected.

        Examples
        --------
        >>> from calibcore import Predictions
        >>> Predictions.from_confidence([0.9, 0.4, 0.7], [True, False, True])
        Predictions(3 cases, confidence only)
        >>> p = Predictions.from_confidence([0.9, 0.4], predicted=["cat", "dog"], truth=["cat", "owl"])
        >>> p.labels.tolist(), p.metadata["true class"].tolist()
        ([0, 1], ['cat', 'owl'])
        """
        answers = answers_of(confidence, correct, predicted, truth)
        columns = answers.columns | dict(metadata or {})
        made = cls.from_arrays(
            answers.probs, answers.labels, (RIGHT, WRONG), columns, counts=counts, weights=weights
        )
        return replace(made, confidence_only=True, notes=(*answers.notes, *made.notes))

    @classmethod
    def from_logits(
        cls,
        logits: Any,
        labels: Any,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
    ) -> Self:
        """Predictions from scores before the softmax, which is taken in float64. Cost O(nm).

        logits : (n, m) numbers, an array or a torch tensor, on any device; or (n,) or (n, 1) logits of the
            second of two classes, before a sigmoid, and a note says so
        labels : as in ``from_arrays``
        class_names, metadata : as in ``from_arrays``

        Raises
        ------
        InputError : numbers that are not finite, numbers that are probabilities already.

        Examples
        --------
        >>> from calibcore import Predictions
        >>> logits = [[2.0, 0.0, 0.0], [0.0, 3.0, 1.0]]
        >>> p = Predictions.from_logits(logits, ["cat", "owl"], class_names=["cat", "dog", "owl"])
        >>> p.probs.round(3).tolist()
        [[0.787, 0.107, 0.107], [0.042, 0.844, 0.114]]
        """
        logits, labels = eager(logits), eager(labels)
        given = numbers_in(as_array(logits, "logits"))
        event = of_event(given)
        scores = checked_logits(np.column_stack([np.zeros(len(given)), given]) if event else given, event)
        check_same_order(logits, labels, "labels")
        columns = column_names(logits, scores.shape[1])
        y, names, hot_notes = one_a_case(labels, scores.shape[1], columns, class_names)
        refuse_transposed(scores, y)
        y, names, read_notes = by_columns(columns, y, names)
        made = cls.from_arrays(softmax(scores), y, names, metadata)
        done = "Softmax was applied to the logits."
        if event:
            first = event_is_first(logits, made.class_names, class_names is not None)
            if first:
                made = cls.from_arrays(softmax(scores[:, ::-1]), y, names, metadata)
            called = shown(made.class_names[0 if first else 1])
            done = f"Sigmoid was applied to the logits, one a case, which were read as those of {called}."
        return made.noted((*hot_notes, *read_notes, *made.notes, done))

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        class_names: Sequence[object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """``from_arrays`` in the order of scikit-learn's functions: what happened first. Cost O(nm).

        y_true : (n,) classes, as the labels of ``from_arrays``
        y_prob : (n, m) probabilities of all classes in their sorted order, as of ``predict_proba``; or (n,)
            of the second of two classes
        class_names, metadata : as in ``from_arrays``
        sample_weight : the weights of ``from_arrays``

        Raises
        ------
        InputError : as ``from_arrays``.

        Examples
        --------
        >>> from calibcore import Predictions
        >>> Predictions.from_predictions(["ill", "well", "well"], [0.2, 0.9, 0.7])
        Predictions(3 cases, 2 classes: 'ill', 'well')
        """
        return cls.from_arrays(y_prob, y_true, class_names, metadata, weights=sample_weight)

    @classmethod
    def from_eval_prediction(
        cls,
        output: Any,
        class_names: Sequence[object] | Mapping[Any, object] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        ignore_index: int = -100,
    ) -> Self:
        """Predictions of what Hugging Face's Trainer hands to ``compute_metrics``, or ``predict`` gives back.

        What has the label ``ignore_index`` is left out, and a note says how much. Of token classification
        each token is a case, and the column "sequence" says of which row it is. Tokens of one sequence belong
        together: name it as the unit, ``DiagnosisSpec(unit="sequence")``. Cost O(nm).

        output : an ``EvalPrediction`` or a ``PredictionOutput``, or a pair of (n, m) or (n, T, m) logits and
            (n,) or (n, T) labels. Of a tuple of outputs the first are the logits
        class_names : as in ``from_arrays``, or the model's ``config.id2label``
        metadata : columns of length n

        Raises
        ------
        InputError : no labels, other shapes, nothing that has a label; else as ``from_logits``.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from calibcore import Predictions
        >>> output = SimpleNamespace(predictions=[[2.0, 0.0], [0.0, 3.0]], label_ids=[0, -100])
        >>> Predictions.from_eval_prediction(output, {0: "calm", 1: "angry"}).notes
        ('1 of 2 cases was left out: it has the label -100.', 'Softmax was applied to the logits.')
        """
        given = labelled(output, ignore_index)
        if isinstance(class_names, Mapping):
            class_names = names_by_number(class_names, given.logits.shape[1])
        beside: dict[str, ArrayLike] = {SEQUENCE: given.rows} if given.tokens else {}
        columns = checked_columns(metadata, given.n, noun="row")
        beside |= {name: column[given.rows] for name, column in columns.items()}
        made = cls.from_logits(given.logits, given.labels, class_names, beside)
        return made.noted((*given.notes, *made.notes))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        label: object,
        columns: Sequence[object] | Mapping[Any, object] | None = None,
        metadata: Sequence[object] = (),
    ) -> Self:
        """Predictions from a table: a column a class with its probability, and one of labels. Cost O(nm).

        frame : a table of pandas, polars, Arrow, or anything else that narwhals reads, a row a case
        label : the column of labels, which are names of classes
        columns : the columns of probabilities, named after the classes as in files ("cat", "p_cat");
            or class name -> column. If left out: those that are named so in one way, else all columns of
            numbers but ``label`` and ``metadata``, which must then be floating-point numbers
        metadata : columns that are kept beside them. A note names those that are not

        Raises
        ------
        InputError : a column that is not there, that is no probability, or that stands twice; a label that
            names no class: integers are names too, never places of columns.
        TypeError : no table.

        Examples
        --------
        >>> import pandas as pd
        >>> from calibcore import Predictions
        >>> frame = pd.DataFrame({"well": [0.9, 0.3], "ill": [0.1, 0.7], "truth": ["well", "ill"]})
        >>> Predictions.from_frame(frame, label="truth")
        Predictions(2 cases, 2 classes: 'well', 'ill')
        >>> Predictions.from_frame(frame, label="truth", columns=["ill", "well"]).class_names
        ('ill', 'well')
        >>> Predictions.from_frame(frame.set_axis(["p_well", "p_ill", "truth"], axis=1), "truth").class_names
        ('well', 'ill')
        """
        from calibcore.data.tables import Columns, classes_of  # tables of any library take a while to load

        table = Columns(frame)
        labels = table[label] if label in table.names else np.empty(0)
        names, places = classes_of(table, label, labels, columns, metadata)
        if len(places) == 1:
            raise InputError(
                f"There is one column of probabilities, {shown(places[0])}; expected one a class. Of two "
                "classes Predictions.from_arrays takes the column of one beside that of the labels."
            )
        note = f"The classes are the columns {some_names(places)}; the labels are those in {shown(label)}."
        left = [name for name in table.names if name not in (label, *places, *metadata)]
        if left:
            note += f" Left out: {some_names(left)}; metadata=[…] keeps columns for groups, units and times."
        beside = {str(name): table[name] for name in metadata}
        named = isinstance(columns, Mapping)
        made = cls.from_arrays(table.probabilities(places), *matched(labels, names, not named), beside)
        return made.noted((*made.notes, note))

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, metadata: Mapping[str, ArrayLike] | None = None
    ) -> Self:
        """Predictions of a fitted classifier with ``predict_proba`` and ``classes_``, as scikit-learn's have.

        Give cases that it was not fitted on: on its own it looks surer and better than it is.

        estimator : a fitted classifier, or a pipeline or a search that ends in one
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
        >>> Predictions.from_estimator(classifier, [0.25, 0.75], ["well", "ill"]).probs.tolist()
        [[0.25, 0.75], [0.75, 0.25]]
        """
        what = type(estimator).__name__
        predict = getattr(estimator, "predict_proba", None)
        if predict is None:
            raise InputError(
                f"{what} has no predict_proba, so it gives no probabilities. Fit one that does, or give "
                "scores of all classes to Predictions.from_logits."
            )
        probs, classes = predict(X), getattr(estimator, "classes_", None)
        if classes is None:
            raise InputError(
                f"{what} does not name its classes (classes_). Name them yourself: "
                "Predictions.from_arrays(estimator.predict_proba(X), y, class_names=[…])."
            )
        if isinstance(probs, list) and any(np.ndim(part) == 2 for part in probs):
            raise InputError(
                f"{what} predicts {len(probs)} outputs; expected one. Take them one by one by "
                "Predictions.from_arrays."
            )
        check_same_order(X, y, "classes")
        return cls.from_arrays(probs, *matched(as_array(y, "classes"), list(classes)), metadata)


def matched(labels: NDArray[Any], names: Sequence[object], of_columns: bool = False) -> tuple[Int, list[str]]:
    """(n,) the place of each label among ``names``, and these as text; InputError for one that is no name.

    of_columns : these are names of columns, which may have words around the name of the class
    """
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise InputError(f"The labels have {labels.ndim} dimensions; expected 1, one label a case.")
    called = [name_of(label) for label in labels.tolist()]
    class_names = [name_of(name) for name in names]
    place: dict[str, int] = {}
    if of_columns:
        form, place = named_places(class_names, set(called))
        class_names = list(form)
    place = place or {name: k for k, name in enumerate(class_names)}
    positions = np.array([place.get(name, -1) for name in called], dtype=np.int64)
    if len(unknown := np.flatnonzero(positions < 0)):
        rows = list_rows(unknown, lambda i: f"has label {shown(called[i])}")
        raise InputError(f"{rows} Expected one of {some_names(list(place))}.")
    return positions, class_names
