"""What recalibration would do to a model, with an honest gain."""

from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap, map_from
from calibcore.questions.recalibrate.result import Method, Recalibration, Split
from calibcore.questions.recalibrate.run import recalibrate

__all__ = ["MAPS", "Method", "Recalibration", "RecalibrationMap", "Split", "map_from", "recalibrate"]
