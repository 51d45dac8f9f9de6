"""What every null hypothesis is: which probabilities outcomes would have; and those that are bundled."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import ClassField, Field, NumberField, Strategies
from calibcore.wording import percent

NULLS = Strategies("null")


class Null(Protocol):
    """What every null does. It never sees labels. Cost O(nm).

    One more is a file in this folder: a frozen dataclass of this class with ``kind``, ``label``, ``probs``,
    ``phrase``, and with fields also ``settings``, ``syntax``, ``usual`` and ``from_words``.
    """

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "Calibrated when mixed"."""
    syntax: ClassVar[str] = ""
    """What follows the kind on the command line: ":T"."""
    settings: ClassVar[Sequence[Field]] = ()
    """Its fields as the side bar offers them."""

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) the probabilities ρ(g_i) of the outcomes."""
        ...

    def phrase(self) -> str:
        """What outcomes are drawn from under it, as part of a sentence."""
        ...

    @classmethod
    def usual(cls) -> Self:
        """The one to begin with."""
        return cls()

    @classmethod
    def from_words(cls, rest: str) -> "Self | None":
        """The null of what follows its kind on the command line; None where that fits none.

        Raises
        ------
        ValueError : what should be a number is none.
        """
        return cls() if not rest else None


def check_null(null: object) -> None:
    """Raises :class:`InputError` for what cannot be written down as settings, such as a function."""
    if not isinstance(null, tuple(NULLS.values())):
        raise InputError(f"The null is a {type(null).__name__}; expected one of {', '.join(NULLS)}.")


MEAN = "mean"
"""What ``towards`` says for the mean prediction."""


@NULLS.enter
@dataclass(frozen=True)
class Identity(Null):
    """Calibration, ``ρ(g) = g`` (V19 §4.3)."""

    kind: ClassVar[str] = "identity"
    label: ClassVar[str] = "Calibration"

    def probs(self, predictions: Predictions) -> Float:
        """The predictions themselves."""
        return predictions.probs

    def phrase(self) -> str:
        return "the model's own predictions"


@NULLS.enter
@dataclass(frozen=True)
class Temperature(Null):
    """``ρ_k(g) ∝ g_k^{1/T}``: T > 1 says that the model is overconfident, T < 1 the contrary.

    Probabilities of 0 stay 0.
    """

    temperature: float
    kind: ClassVar[str] = "temperature"
    label: ClassVar[str] = "Calibrated at a temperature"
    syntax: ClassVar[str] = ":T"
    settings: ClassVar[Sequence[Field]] = (NumberField("temperature", "Temperature", 0.01, 100.0, 0.1),)

    def __post_init__(self) -> None:
        if not 0 < self.temperature < math.inf:
            raise InputError(f"The temperature is {self.temperature:g}; expected a number above 0.")

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) rows that sum to 1."""
        with np.errstate(divide="ignore", over="ignore"):  # log 0, and a temperature near 0
            logs = np.log(predictions.probs)
            powers = np.exp((logs - logs.max(axis=1, keepdims=True)) / self.temperature)
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def phrase(self) -> str:
        return f"the lens's predictions at temperature {self.temperature:g}"

    @classmethod
    def usual(cls) -> "Temperature":
        return cls(1.5)

    @classmethod
    def from_words(cls, rest: str) -> "Temperature":
        return cls(float(rest))


@NULLS.enter
@dataclass(frozen=True)
class Mixture(Null):
    """``ρ(g) = (1 − λ)·g + λ·τ``, τ the mean prediction or certainty of one class.

    Towards the mean: the model is overconfident. Towards a class: it happens more
    often than predicted (with the first class, model M2 of W19 §7).
    """

    weight: float
    towards: str = MEAN
    kind: ClassVar[str] = "mixture"
    label: ClassVar[str] = "Calibrated when mixed"
    syntax: ClassVar[str] = ":WEIGHT[:mean or a class]"
    settings: ClassVar[Sequence[Field]] = (
        NumberField("weight", "Moved by", 0.0, 1.0, 0.05, share=True),
        ClassField("towards", "towards", {MEAN: "the mean prediction"}),
    )

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise InputError(f"The weight of the mixture is {self.weight:g}; expected a number from 0 to 1.")

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) rows that sum to what the predictions sum to, or to 1."""
        return np.asarray(
            (1 - self.weight) * predictions.probs + self.weight * self.target(predictions)[None]
        )

    def target(self, predictions: Predictions) -> Float:
        """(m,) τ."""
        if self.towards != MEAN:
            return np.asarray(np.eye(predictions.m)[predictions.class_index(self.towards)])
        if MEAN in predictions.class_names:
            raise InputError("A class is called 'mean', which here is the mean prediction. Rename the class.")
        return np.asarray(predictions.probs.mean(axis=0))

    def phrase(self) -> str:
        target = "the mean prediction" if self.towards == MEAN else f"'{self.towards}'"
        return f"the lens's predictions moved {percent(self.weight, 0)} towards {target}"

    @classmethod
    def usual(cls) -> "Mixture":
        return cls(0.1)

    @classmethod
    def from_words(cls, rest: str) -> "Mixture":
        weight, _, towards = rest.partition(":")
        return cls(float(weight), towards or MEAN)


@NULLS.enter
@dataclass(frozen=True)
class LabelNoise(Null):
    """``ρ_k(g) = (1 − ε) g_k + ε (1 − g_k)/(m − 1)``: a share ε of the labels names another class.

    Which one, is as likely for each. Cases with wrong labels are any.
    """

    share: float
    kind: ClassVar[str] = "label-noise"
    label: ClassVar[str] = "Calibrated, some labels wrong"
    syntax: ClassVar[str] = ":SHARE"
    settings: ClassVar[Sequence[Field]] = (NumberField("share", "Wrong labels", 0.0, 1.0, 0.01, share=True),)

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InputError(f"The share of wrong labels is {self.share:g}; expected a number from 0 to 1.")

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) rows that sum to 1."""
        g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
        return np.asarray((1 - self.share) * g + self.share * (1 - g) / (predictions.m - 1))

    def phrase(self) -> str:
        return f"the lens's predictions with {100 * self.share:.6g}\N{NO-BREAK SPACE}% of the labels wrong"

    @classmethod
    def usual(cls) -> "LabelNoise":
        return cls(0.03)

    @classmethod
    def from_words(cls, rest: str) -> "LabelNoise":
        return cls(float(rest))
