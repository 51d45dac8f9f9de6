"""The exact omnibus test."""

from collections.abc import Mapping
from typing import ClassVar

from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Setup
from calibcore.hypothesis_tests.omnibus import ExactOmnibusTest
from calibcore.hypothesis_tests.result import Promise


@FAMILIES.enter
class ExactOmnibus(Family):
    """The test that verdicts rest on."""

    kind: ClassVar[str] = "exact-omnibus"
    place: ClassVar[int] = 1
    label: ClassVar[str] = "Exact omnibus"
    promise: ClassVar[Promise] = "exact"
    names: ClassVar[Mapping[str, Names]] = {"exact-omnibus": Names("Omnibus test, exact", "Omnibus")}
    redrawn: ClassVar[tuple[str, ...]] = ("exact-omnibus",)

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        test = ExactOmnibusTest(setup.kernel, setup.resamples, setup.stop_at, setup.null)
        words = "redrawing outcomes for the exact omnibus test"
        return [Planned("exact-omnibus", "omnibus", 12, words, test, of_calibration=False)]
