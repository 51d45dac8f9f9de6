"""What recalibration would do to a model, with an honest gain."""

from calibcore.questions.recalibrate.ask import (
    Look,
    TemperatureCurve,
    look,
    recalibrate,
    split_of,
    temperature_curve,
)
from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.result import Method, Recalibration, Split

__all__ = [
    "MAPS",
    "Look",
    "Method",
    "Recalibration",
    "RecalibrationMap",
    "Split",
    "TemperatureCurve",
    "look",
    "recalibrate",
    "split_of",
    "temperature_curve",
]
