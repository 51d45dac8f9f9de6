"""Null hypotheses ``r = ρ`` other than calibration (V19 §4.2): what labels are drawn from.

The predictions stay as they are; a null says which probabilities ρ(g) the
outcomes would have. Calibration is ``ρ = id``.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import Strategies

NULLS = Strategies("null")


class Null(Protocol):
    """What every null does. It never sees labels. Cost O(nm)."""

    kind: ClassVar[str]

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) the probabilities ρ(g_i) of the outcomes."""
        ...


@NULLS.enter
@dataclass(frozen=True)
class Identity:
    """Calibration, ``ρ(g) = g`` (V19 §4.3)."""

    kind: ClassVar[str] = "identity"

    def probs(self, predictions: Predictions) -> Float:
        """The predictions themselves."""
        return predictions.probs


@NULLS.enter
@dataclass(frozen=True)
class Temperature:
    """``ρ_k(g) ∝ g_k^{1/T}``: T > 1 says that the model is overconfident, T < 1 the contrary.

    Probabilities of 0 stay 0.
    """

    temperature: float
    kind: ClassVar[str] = "temperature"

    def __post_init__(self) -> None:
        if not 0 < self.temperature < math.inf:
            raise InputError(f"The temperature is {self.temperature:g}; expected a number above 0.")

    def probs(self, predictions: Predictions) -> Float:
        """(n, m) rows that sum to 1."""
        with np.errstate(divide="ignore", over="ignore"):  # log 0, and a temperature near 0
            logs = np.log(predictions.probs)
            powers = np.exp((logs - logs.max(axis=1, keepdims=True)) / self.temperature)
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


@NULLS.enter
@dataclass(frozen=True)
class Mixture:
    """``ρ(g) = (1 − λ)·g + λ·τ``, τ the mean prediction or certainty of one class.

    Towards the mean: the model is overconfident. Towards a class: it happens more
    often than predicted (with the first class, model M2 of W19 §7).
    """

    weight: float
    towards: str = "mean"
    kind: ClassVar[str] = "mixture"

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
        if self.towards != "mean":
            return np.asarray(np.eye(predictions.m)[predictions.class_index(self.towards)])
        if "mean" in predictions.class_names:
            raise InputError("A class is called 'mean', which here is the mean prediction. Rename the class.")
        return np.asarray(predictions.probs.mean(axis=0))


def check_null(null: object) -> None:
    """Raises :class:`InputError` for what cannot be written down as settings, such as a function."""
    if not isinstance(null, tuple(NULLS.values())):
        raise InputError(f"The null is a {type(null).__name__}; expected one of {', '.join(NULLS)}.")
