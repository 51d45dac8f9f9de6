"""What every recalibration map is: fitted to probabilities and labels, then a function of probabilities."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from calibcore.bounds import Length, Within
from calibcore.data.checks import as_probabilities
from calibcore.data.outside_text import shown
from calibcore.data.parts import contents
from calibcore.errors import InputError
from calibcore.estimators.scores import SMALLEST
from calibcore.numerics import loops
from calibcore.numerics.tempering import logarithms, smallest_of, softmax
from calibcore.numerics.types import Float, Int, Labels
from calibcore.settings.codec import form_of, from_entry, write_object
from calibcore.settings.documents import check_head, complete
from calibcore.settings.faults import FieldError, as_object
from calibcore.settings.forms import Schema, Shared, object_schema
from calibcore.settings.layout import SCHEMA, headed
from calibcore.settings.text import parsed
from calibcore.strategies import Strategies

MAPS = Strategies("recalibration method")
MOST_PARAMETER = 1e6
"""Of the numbers of a map: a probability that stretches so far is 0 or 1."""
_NUMBERS = 1 << 20
"""Probabilities that are squared together."""
MOST_NUMBERS, MANY_CLASSES = 10_000_000, 100
"""Cases times classes up to which a map that is fitted anew to every redraw is tried unasked: minutes. Of
more than so many classes, few of which have cases enough, a tenth of it."""

_SCIKIT_LEARN = '''

class Recalibrated:
    """A fitted classifier of scikit-learn, recalibrated; columns in the order of ``classes_``."""

    def __init__(self, classifier):
        self.classifier = classifier
        self.classes_ = classifier.classes_
        known = [str(name) for name in self.classes_]
        self.places = [known.index(name) for name in CLASSES]

    def predict_proba(self, X):
        probs = np.asarray(self.classifier.predict_proba(X), float)
        out = np.empty_like(probs)
        out[:, self.places] = recalibrate(probs[:, self.places])
        return out

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
'''


_CONFIDENCE = '''

def recalibrate_confidence(confidence):
    """(n,) P(the answer is right) as the model says it in, (n,) recalibrated out."""
    confidence = np.asarray(confidence, float)
    return recalibrate(np.column_stack([confidence, 1 - confidence]))[:, 0]
'''
_OF_CONFIDENCE = """# Only the confidence in the answer was known: the columns of probs are no classes.
# The first is P(the answer is right), the second the rest to 1.
"""


Smallest = Annotated[float, Within(0, 1, strict=True)]
"""What a probability of 0 counts as."""
Parameter = Annotated[float, Within(-MOST_PARAMETER, MOST_PARAMETER)]


@dataclass(frozen=True)
class _OfClasses:
    """The names of the classes in the document of a map."""

    class_names: Annotated[tuple[str, ...], Length(2)]

    def check_agreement(self) -> None:
        if len(set(self.class_names)) < len(self.class_names):
            raise InputError("Two of its classes have the same name.")


@dataclass(frozen=True)
class RecalibrationMap(ABC):
    """A map of probabilities with its parameters: ``map(probs (n, m)) -> (n, m)``, rows sum to 1.

    Classes say of themselves

    kind, label : its name in JSON and on the command line; in words
    help : one line: what it changes
    two_classes : whether it needs two classes
    has_log_loss : whether it gives no outcome the probability 0, so that its log loss is finite
    of_classes : whether it says something of classes, which it cannot where only a confidence is known
    redrawn : whether its gain has an exact test: a fit that takes long has none
    every_number : whether each redraw takes a look at every probability
    """

    kind: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str]
    two_classes: ClassVar[bool] = False
    has_log_loss: ClassVar[bool] = True
    of_classes: ClassVar[bool] = False
    redrawn: ClassVar[bool] = True
    every_number: ClassVar[bool] = False

    @classmethod
    def why_not(cls, n: int, m: int) -> str:
        """Why it is not fitted to ``n`` cases of ``m`` classes; empty if it can be."""
        if cls.two_classes and m != 2:
            return f"it needs two classes, and there are {m:,}"
        return "" if n >= 2 else "it needs 2 cases or more"

    @classmethod
    def why_not_unasked(cls, n: int, m: int) -> str:
        """Why it is tried only where someone asks for it by name; empty where it is tried anyway."""
        if not cls.every_number or few_numbers(n, m):
            return ""
        return f"with {n:,} cases of {m:,} classes its test takes hours; on a random sample it takes minutes"

    @classmethod
    def fit(cls, probs: ArrayLike, labels: ArrayLike) -> Self:
        """Fitted to ``probs (n, m)`` and what happened, ``labels (n,)`` from 0 to m − 1; arrays, tables or
        tensors.

        Raises
        ------
        InputError : other shapes, numbers that are none, labels that are none.
        """
        g = rows_of(probs)
        return cls._fit(*contents(g, labels, g.shape[1]))

    @classmethod
    @abstractmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Fitted to arrays as compiled code takes them."""

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """``gain(labels (B, n)) -> (B,)`` the mean gain of the cross-fitted map, fitted anew to each set.

        In log loss, or in the Brier score where the log loss may be infinite. What does not see labels is
        done once; here nothing is.
        """

        before = np.maximum(probs, smallest_of(probs)) if cls.has_log_loss else probs

        def gain(labels: Int) -> float:
            after = cross_fitted(cls, probs, labels, folds)
            difference = losses(before, labels, cls.has_log_loss) - losses(after, labels, cls.has_log_loss)
            return float(difference.mean())

        return set_by_set(gain)

    def __call__(self, probs: ArrayLike) -> Float:
        """(n, m) -> (n, m), of an array, a table or a tensor; (n,) is of the second of two classes.

        Raises
        ------
        InputError : no numbers, or another number of classes.
        """
        g = rows_of(probs)
        self.check_classes(g.shape[1])
        return self._mapped(g)

    @abstractmethod
    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""

    def about(self) -> str:
        """What its code says of itself."""
        return "Rows of probabilities in, rows of probabilities out."

    @abstractmethod
    def body(self) -> str:
        """The lines of its code in NumPy: what becomes of ``probs``."""

    def code(self) -> str:
        """The map as a function ``recalibrate(probs)`` of NumPy, in some ten lines that stand alone."""
        return f'''import numpy as np


def recalibrate(probs):
    """{self.about()}"""
{self.body()}'''

    def confidence_code(self) -> str:
        """The same, and a function ``recalibrate_confidence(confidence)``, where only that was known."""
        return f"{_OF_CONFIDENCE}{self.code()}\n{_CONFIDENCE}"

    def torch_code(self) -> str:
        """The map as a function ``recalibrate(logits)`` of PyTorch; empty where it is none of the logits."""
        return ""

    def scikit_learn_code(self, class_names: Sequence[str]) -> str:
        """The same, with a class around a fitted classifier, whose classes are joined by their names."""
        names = f"CLASSES = {list(class_names)!r}  # in the order of the map's columns\n"
        return f"{self.code()}\n\n{names}{_SCIKIT_LEARN}"

    def json_code(self, class_names: Sequence[str]) -> str:
        """Its document with the names of its classes, as :meth:`from_document` reads it."""
        document = headed("map") | self.to_document() | {"class_names": list(class_names)}
        return json.dumps(document, ensure_ascii=False)

    def to_document(self) -> dict[str, Any]:
        """``{"kind": …, parameter: …}``."""
        return {"kind": self.kind} | write_object(self)

    @classmethod
    def from_document(cls, document: Any) -> "RecalibrationMap":
        """The inverse of :meth:`to_document`, of whatever kind.

        Raises
        ------
        InputError : no object, another kind, or parameters that are missing, do not fit or contradict each
            other; names them.
        """
        kind = as_object(document).get("kind")
        if not isinstance(kind, str) or kind not in MAPS:
            raise InputError(f"There is no map of kind {shown(kind)}; expected one of {', '.join(MAPS)}.")
        try:
            made: RecalibrationMap = from_entry(MAPS[kind], document)
        except FieldError as error:
            raise error.of(f"The map {kind!r}") from None
        return made

    @classmethod
    def from_json(cls, text: str) -> tuple["RecalibrationMap", tuple[str, ...]]:
        """A map and the names of its classes, of the text of :meth:`json_code`.

        Raises
        ------
        InputError : no such text, names the parameter that does not fit; another number of names.
        """
        with complete("The map"):
            document = parsed(text, "The map")
            check_head({"schema": SCHEMA, **document}, "The map", "map")  # earlier versions wrote none
            names = from_entry(_OfClasses, document).class_names
            made = cls.from_document(document)
            made.check_classes(len(names))
            return made, names

    @classmethod
    def json_schema(cls, shared: Shared) -> Schema:
        """The JSON Schema of a map of any kind within a result, see :meth:`to_document`."""
        return shared.ref(
            "RecalibrationMap", lambda _: {"anyOf": [_schema(kind, shared) for kind in MAPS.values()]}
        )

    @classmethod
    def document_schema(cls, shared: Shared) -> Schema:
        """The JSON Schema of :meth:`json_code`."""
        head = {key: {"const": value} for key, value in headed("map").items()}
        names = {"class_names": form_of(cast(Any, tuple[str, ...])).schema(shared)}
        return {"anyOf": [_schema(kind, shared, head, names) for kind in MAPS.values()]}

    @property
    def m(self) -> int | None:
        """Of how many classes it is; None where it does not matter."""
        return 2 if self.two_classes else None

    def check_classes(self, m: int) -> None:
        """Raises :class:`InputError` unless it is a map of predictions of ``m`` classes."""
        if self.m not in (None, m):
            raise InputError(f"The map {self.kind!r} is one of {self.m:,} classes, and there are {m:,}.")


@dataclass(frozen=True)
class Parameters:
    """The numbers of a map, in a document that says its kind beside them."""

    of: RecalibrationMap

    def to_document(self) -> dict[str, Any]:
        """``{parameter: …}``."""
        return write_object(self.of)

    @classmethod
    def json_schema(cls, shared: Shared) -> Schema:
        """The JSON Schema of the numbers of a map of any kind."""
        return {"anyOf": [object_schema(_numbers(kind, shared), ()) for kind in MAPS.values()]}


def _numbers(cls: type[RecalibrationMap], shared: Shared) -> dict[str, Schema]:
    return {f.name: form_of(cast(Any, f.type)).schema(shared) for f in fields(cls)}


def _schema(cls: type[RecalibrationMap], shared: Shared, *beside: Mapping[str, Schema]) -> Schema:
    """The JSON Schema of one kind of map; alone in its document, with its head and names ``beside``, it has
    all of its numbers. In a report it lacks those that are probabilities of single cases."""
    properties: dict[str, Schema] = {"kind": {"const": cls.kind}} | _numbers(cls, shared)
    for more in beside:
        properties |= more
    return object_schema(
        properties, [key for key in properties if key not in headed("map")] if beside else ["kind"]
    )


def rows_of(probs: ArrayLike) -> Float:
    """(n, m) doubles of whatever holds them; the array itself where it fits."""
    if isinstance(probs, np.ndarray) and probs.ndim == 2 and probs.dtype == np.float64:
        return probs
    return as_probabilities(probs)


def few_numbers(n: int, m: int) -> bool:
    """Whether maps that are fitted anew to every redraw are tried unasked."""
    return n * m <= MOST_NUMBERS / (1 if m <= MANY_CLASSES else 10)


def cross_fitted(
    cls: type[RecalibrationMap], probs: Float, labels: Int, folds: Int, fitting: Int | None = None
) -> Float:
    """(n, m) each fold mapped by what was fitted to the others, or of these to the rows ``fitting`` alone."""
    out = np.empty_like(probs)
    for fold in np.unique(folds):
        inside = folds == fold
        rest = ~inside if fitting is None else fitting[~inside[fitting]]
        out[inside] = cls.fit(probs[rest], labels[rest])(probs[inside])
    return out


def losses(probs: Float, labels: Int, log_loss: bool) -> Float:
    """(n,) log losses, or squared errors summed over classes."""
    claimed = probs[np.arange(len(probs)), labels]
    if log_loss:
        return np.asarray(-np.log(np.maximum(claimed, SMALLEST)))
    squares = np.empty(len(probs))
    for rows in loops.blocks(len(probs), max(1, _NUMBERS // probs.shape[1])):
        squares[rows] = np.square(probs[rows]).sum(axis=1)
    return np.asarray(squares - 2 * claimed + 1)


def set_by_set(gain: Callable[[Int], float]) -> Callable[[Labels], Float]:
    """(B, n) -> (B,) of what is known for one label set (n,)."""
    return lambda labels: np.array([gain(drawn.astype(np.int64)) for drawn in labels])


class SoftmaxMap(RecalibrationMap):
    """A map that makes scores of logarithms, and of these probabilities by the softmax: one of logits too.

    smallest : what a probability of 0 counts as
    """

    smallest: Smallest

    @abstractmethod
    def scores(self, logs: Float) -> Float:
        """(n, m) -> (n, m)."""

    @abstractmethod
    def numpy_scores(self) -> str:
        """Lines of NumPy that make ``scores`` of ``probs``."""

    @abstractmethod
    def torch_scores(self) -> str:
        """Lines of PyTorch that make ``scores`` of ``logs``."""

    def title(self) -> str:
        """What its code calls it."""
        return self.label

    def about(self) -> str:
        """What its code says of itself."""
        return f"{self.title()}: rows of probabilities in, rows of probabilities out."

    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return softmax(self.scores(logarithms(probs, self.smallest)))

    def body(self) -> str:
        """Scores, and their softmax."""
        return f"""    {self.numpy_scores()}
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""

    def torch_code(self) -> str:
        """A few lines of PyTorch."""
        return f'''import torch


def recalibrate(logits):
    """{self.title()}: rows of logits in, rows of probabilities out."""
    logs = torch.log_softmax(logits, dim=-1).clamp(min={math.log(self.smallest)!r})
    {self.torch_scores()}
    return torch.softmax(scores, dim=-1)
'''
