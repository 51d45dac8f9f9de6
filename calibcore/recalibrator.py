"""A recalibration map as a classifier of scikit-learn."""

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from calibcore.data.arrays import as_array, column_names, numbers_in
from calibcore.data.checks import of_event
from calibcore.data.labels import name_of, some_names
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap

_PARAMETERS = ("estimator", "method", "class_names", "cv")


@dataclass(eq=False, repr=False)
class Recalibrator:
    """A classifier that recalibrates probabilities, for scikit-learn: ``clone``, pipelines, searches, pickle.

    Alone it takes probabilities for X, and learns the map of them. With an ``estimator`` it takes what that
    takes. The map is then fitted to predictions for folds that the estimator was not fitted on, and the
    estimator to all cases. A model that is fitted already, and stays so, comes in ``FrozenEstimator``: then
    give other cases than it was fitted on. scikit-learn is needed for an estimator only.

    Whether a map gains anything says :func:`~calibcore.recalibrate`: it compares all of them.

    estimator : a classifier with ``predict_proba``, or None
    method : the kind of map, ``"temperature"``, ``"logistic"``, ``"isotonic"`` and so on; or a fitted map,
        which is taken as it is
    class_names : of probabilities, the classes in the order of their columns; if left out the names of the
        columns, else the sorted classes of y
    cv : folds of the estimator's cases, as scikit-learn's ``cross_val_predict`` takes them

    Fitted, it has ``classes_``, ``map_`` and, with an estimator, ``estimator_``.

    >>> from calibcore import Recalibrator
    >>> unsure = [[0.6, 0.4], [0.4, 0.6], [0.6, 0.4], [0.4, 0.6], [0.4, 0.6]]
    >>> fitted = Recalibrator(method="temperature").fit(unsure, ["ill", "well", "ill", "well", "ill"])
    >>> fitted.predict_proba([[0.6, 0.4]]).round(2).tolist(), fitted.predict([[0.6, 0.4]]).tolist()
    ([[0.8, 0.2]], ['ill'])
    """

    estimator: Any = None
    method: str | RecalibrationMap = "temperature"
    class_names: Any = field(default=None, kw_only=True)
    cv: Any = field(default=5, kw_only=True)
    _estimator_type: ClassVar[str] = "classifier"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Its settings by name; ``deep``: the estimator's, too, as ``estimator__C``."""
        params: dict[str, Any] = {name: getattr(self, name) for name in _PARAMETERS}
        if deep and hasattr(self.estimator, "get_params") and not isinstance(self.estimator, type):
            params |= {f"estimator__{name}": value for name, value in self.estimator.get_params().items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Other settings, by the names of :meth:`get_params`.

        Raises
        ------
        InputError : there is no such setting.
        """
        of_estimator = {}
        for name, value in params.items():
            inner = name.removeprefix("estimator__")
            if name in _PARAMETERS:
                setattr(self, name, value)
            elif inner != name:
                of_estimator[inner] = value
            else:
                raise InputError(
                    f"There is no setting {shown(name)}; expected one of {', '.join(_PARAMETERS)}."
                )
        if of_estimator:
            self.estimator.set_params(**of_estimator)
        return self

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the map, and with an estimator that. Cost: of a map O(nm) a step, and ``cv`` + 1 fits.

        X : (n, m) probabilities, or with an estimator what it takes
        y : (n,) the classes that happened

        Raises
        ------
        InputError : as :meth:`Predictions.from_arrays`; no such method, or one that cannot be fitted to these
            cases.
        """
        probs, names = X, self.class_names
        if self.estimator is not None:
            from sklearn.base import clone
            from sklearn.model_selection import cross_val_predict

            probs = cross_val_predict(self.estimator, X, y, cv=self.cv, method="predict_proba")
            self.estimator_ = clone(self.estimator).fit(X, y)
            names = self.estimator_.classes_
        given = numbers_in(as_array(probs, "probabilities"))
        event, labels = of_event(given), numbers_in(as_array(y, "classes"))
        m = 2 if event else given.shape[-1]
        columns = None if event else column_names(probs, m)
        values = np.unique(labels.astype(object)) if labels.dtype.kind == "O" else np.unique(labels)
        if names is None and columns is None and len(values) == m and labels.ndim == 1:
            names = values.tolist()
        p = Predictions.from_predictions(y, probs, names)
        self.map_ = self._map(p)
        self.columns_ = columns
        self.classes_ = _classes(p.class_names, values.tolist())
        return self

    def predict_proba(self, X: Any) -> Float:
        """(n, m) recalibrated probabilities, in the order of ``classes_``.

        Raises
        ------
        InputError : it is not fitted; another number of classes, or columns in another order.
        """
        if not hasattr(self, "map_"):
            raise InputError("The Recalibrator is not fitted yet; call fit(X, y) first.")
        if self.estimator is not None:
            return self.map_(self.estimator_.predict_proba(X))
        columns = column_names(X, len(self.classes_))
        if self.columns_ is not None and columns is not None and columns != self.columns_:
            raise InputError(
                f"The columns are {some_names(columns)}, and the map was fitted to "
                f"{some_names(self.columns_)}. Expected the same in the same order."
            )
        probs = self.map_(X)
        if probs.shape[1] != len(self.classes_):
            raise InputError(
                f"There are {probs.shape[1]:,} columns; the map was fitted to {len(self.classes_):,}."
            )
        return probs

    def predict(self, X: Any) -> NDArray[Any]:
        """(n,) the likeliest class of each case."""
        places = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])

    def score(self, X: Any, y: Any) -> float:
        """The share of right answers, as of scikit-learn's classifiers."""
        return float(np.mean(self.predict(X) == as_array(y, "classes")))

    def _map(self, p: Predictions) -> RecalibrationMap:
        if isinstance(self.method, RecalibrationMap):
            self.method.check_classes(p.m)
            return self.method
        if self.method not in MAPS:
            raise InputError(f"There is no map {shown(self.method)}; expected one of {', '.join(MAPS)}.")
        kind: type[RecalibrationMap] = MAPS[self.method]
        if why := kind.why_not(p.n, p.m):
            raise InputError(f"The map {self.method!r} cannot be fitted: {why}.")
        return kind.fit(p.probs, p.labels)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "map_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
        )

    def __repr__(self) -> str:
        settings = [(f.name, repr(getattr(self, f.name)), repr(f.default)) for f in fields(self)]
        given = [f"{name}={value}" for name, value, usual in settings if value != usual]
        return f"Recalibrator({', '.join(given)})"


def _classes(names: tuple[str, ...], values: list[Any]) -> NDArray[Any]:
    """(m,) the classes as y has them; one that y lacks by its name."""
    own = {name_of(value): value for value in values}
    if not own.keys() & set(names):  # y counts the columns
        return np.arange(len(names))
    numbers = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    classes = [own.get(name, int(name) if numbers and name.isdecimal() else name) for name in names]
    return np.array(classes, dtype=None if len({type(value) for value in classes}) == 1 else object)
