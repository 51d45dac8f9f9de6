"""The lenses on classes in order: at most this one, or at least."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.transforms.lenses.lens import LENSES, Lens, refuse_but_confidence


@LENSES.enter
@dataclass(frozen=True)
class UpToLens(Lens):
    """Of classes in order, all up to one against those above: P(class ≤ k), as a cumulative model has it.

    >>> from calibcore import Predictions, UpToLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, [0, 2], ["low", "medium", "high"], ordered=True)
    >>> q = UpToLens("medium")(p)
    >>> q.probs.round(3).tolist(), q.class_names, q.labels.tolist()
    ([[0.9, 0.1], [0.9, 0.1]], ('up to medium', 'above medium'), [0, 1])
    """

    class_name: str
    kind: ClassVar[str] = "up-to"
    place: ClassVar[int] = 4
    label: ClassVar[str] = "Up to a class"
    syntax: ClassVar[str] = ":NAME"
    in_full: ClassVar[bool] = True

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the sum of the classes up to this one, and of those above."""
        refuse_but_confidence(predictions, self)
        _refuse_no_order(predictions, self)
        k = predictions.class_index(self.class_name) + 1
        if k == predictions.m:
            raise InputError(
                f"The class {shown(self.class_name)} is the last in order, so that none is above. "
                f"Expected one of the others, {shown(predictions.class_names[-2])} say."
            )
        return predictions.through(
            _sums(predictions, k), (predictions.labels >= k).astype(np.int64), self.names
        )

    @property
    def names(self) -> tuple[str, str]:
        """Of the two classes that it shows: up to this one, and above."""
        return f"up to {self.class_name}", f"above {self.class_name}"

    def phrase(self) -> str:
        return f"the classes up to '{self.class_name}'"

    def whose(self) -> str:
        return f"The probabilities of at most '{self.class_name}' are"

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "UpToLens | None":
        return cls(rest) if rest else None

    @classmethod
    def plainest(cls, predictions: Predictions) -> "UpToLens | None":
        return cls(predictions.class_names[0]) if predictions.ordered else None

    def fits(self, predictions: Predictions) -> bool:
        return predictions.ordered and self.class_name in predictions.class_names[:-1]


@LENSES.enter
@dataclass(frozen=True)
class AtLeastLens(Lens):
    """Of classes in order, one and all above it against those below: P(class ≥ k), as one acts from k on.

    >>> from calibcore import AtLeastLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, [0, 2], ["low", "medium", "high"], ordered=True)
    >>> q = AtLeastLens("medium")(p)
    >>> q.probs.round(3).tolist(), q.class_names, q.labels.tolist()
    ([[0.3, 0.7], [0.7, 0.3]], ('medium or above', 'below medium'), [1, 0])
    """

    class_name: str
    kind: ClassVar[str] = "at-least"
    place: ClassVar[int] = 4
    label: ClassVar[str] = "At least a class"
    syntax: ClassVar[str] = ":NAME"
    in_full: ClassVar[bool] = True

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the sum of this class and those above, and of those below."""
        refuse_but_confidence(predictions, self)
        _refuse_no_order(predictions, self)
        k = predictions.class_index(self.class_name)
        if k == 0:
            raise InputError(
                f"The class {shown(self.class_name)} is the first in order, so that none is below. "
                f"Expected one of the others, {shown(predictions.class_names[1])} say."
            )
        sums = np.ascontiguousarray(_sums(predictions, k)[:, ::-1])
        return predictions.through(sums, (predictions.labels < k).astype(np.int64), self.names)

    @property
    def names(self) -> tuple[str, str]:
        """Of the two classes that it shows: from this one on, and below."""
        return f"{self.class_name} or above", f"below {self.class_name}"

    def phrase(self) -> str:
        return f"the classes from '{self.class_name}' on"

    def whose(self) -> str:
        return f"The probabilities of at least '{self.class_name}' are"

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "AtLeastLens | None":
        return cls(rest) if rest else None

    @classmethod
    def plainest(cls, predictions: Predictions) -> "AtLeastLens | None":
        return cls(predictions.class_names[-1]) if predictions.ordered else None

    def fits(self, predictions: Predictions) -> bool:
        return predictions.ordered and self.class_name in predictions.class_names[1:]


def _refuse_no_order(predictions: Predictions, lens: Lens) -> None:
    if not predictions.ordered:
        raise InputError(
            f"The lens {shown(lens.to_words())} needs classes in order, and nobody said that they are. "
            "Declare the order: --ordered low,medium,high, or ordered=[…] in Python."
        )


def _sums(predictions: Predictions, k: int) -> Float:
    """(n, 2) of the first k classes, and of the rest."""
    g = predictions.probs
    return np.column_stack([g[:, :k].sum(axis=1), g[:, k:].sum(axis=1)])


def cumulative(predictions: Predictions) -> list[UpToLens]:
    """The m − 1 lenses of classes in order, from the lowest on."""
    return [UpToLens(name) for name in predictions.class_names[:-1]]
