"""Calibration, seen through labels some of which are wrong."""

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
class LabelNoise(Null):
    """``ρ_k(g) = (1 − ε) g_k + ε (1 − g_k)/(m − 1)``: a share ε of the labels names another class.

    Which one, is as likely for each. Cases with wrong labels are any.
    """

    share: float
    kind: ClassVar[str] = "label-noise"
    place: ClassVar[int] = 4
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
