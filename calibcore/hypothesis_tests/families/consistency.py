"""Consistency resampling."""

from collections.abc import Mapping
from typing import ClassVar

from calibcore.hypothesis_tests.consistency import ConsistencyTest
from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Setup
from calibcore.hypothesis_tests.result import Promise


@FAMILIES.enter
class Consistency(Family):
    """Redraws of predictions and outcomes (V19 §4.1); for comparison."""

    kind: ClassVar[str] = "consistency"
    place: ClassVar[int] = 3
    label: ClassVar[str] = "Consistency resampling"
    promise: ClassVar[Promise] = "none"
    names: ClassVar[Mapping[str, Names]] = {
        "consistency-ece": Names(
            "Calibration error (ECE), consistency resampling", "Average gap (ECE), resampled"
        )
    }
    redrawn: ClassVar[tuple[str, ...]] = ("consistency-ece",)

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        test = ConsistencyTest(setup.ece, setup.resamples)
        return [Planned("consistency-ece", "ece", 25, "resampling predictions and outcomes", test)]
