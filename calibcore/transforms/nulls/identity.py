"""Calibration."""

from dataclasses import dataclass
from typing import ClassVar

from calibcore.data.predictions import Predictions
from calibcore.numerics.types import Float
from calibcore.transforms.nulls.null import NULLS, Null


@NULLS.enter
@dataclass(frozen=True)
class Identity(Null):
    """Calibration, ``ρ(g) = g`` (V19 §4.3)."""

    kind: ClassVar[str] = "identity"
    place: ClassVar[int] = 1
    label: ClassVar[str] = "Calibration"

    def probs(self, predictions: Predictions) -> Float:
        """The predictions themselves."""
        return predictions.probs

    def phrase(self) -> str:
        return "the model's own predictions"
