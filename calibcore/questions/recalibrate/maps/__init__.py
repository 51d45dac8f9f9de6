"""Recalibration maps; each enters itself where it is defined."""

from calibcore.questions.recalibrate.maps.map import MAPS, Parameters, RecalibrationMap
from calibcore.strategies import import_all

import_all(__name__, __path__)

__all__ = ["MAPS", "Parameters", "RecalibrationMap"]
