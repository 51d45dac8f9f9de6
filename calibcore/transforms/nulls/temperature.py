"""Calibration at another temperature."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import Field, NumberField
from calibcore.transforms.nulls.null import NULLS, Null


@NULLS.enter
@dataclass(frozen=True)
class Temperature(Null):
    """``ρ_k(g) ∝ g_k^{1/T}``: T > 1 says that the model is overconfident, T < 1 the contrary.

    Probabilities of 0 stay 0.
    """

    temperature: float
    kind: ClassVar[str] = "temperature"
    place: ClassVar[int] = 2
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
