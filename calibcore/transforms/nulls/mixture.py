"""Calibration after mixing with the mean prediction or one class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float
from calibcore.strategies import ClassField, Field, NumberField
from calibcore.transforms.nulls.null import NULLS, Null
from calibcore.wording import percent

MEAN = "mean"
"""What ``towards`` says for the mean prediction."""


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
    place: ClassVar[int] = 3
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
