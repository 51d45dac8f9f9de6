"""Exact tests of the calibration error and of the kernel error."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.exact import ExactTest
from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Run, Setup
from calibcore.hypothesis_tests.result import Promise, TestResult
from calibcore.numerics.progress import Report


@FAMILIES.enter
class Exact(Family):
    """Redraws of the outcomes; the linear and the block estimator only of streams."""

    kind: ClassVar[str] = "exact"
    place: ClassVar[int] = 2
    label: ClassVar[str] = "Exact"
    promise: ClassVar[Promise] = "exact"
    names: ClassVar[Mapping[str, Names]] = {
        "exact-ece": Names("Calibration error (ECE), exact", "Average gap (ECE)"),
        "exact-skce": Names("Kernel calibration error, exact", "Kernel error"),
        "exact-linear": Names("Kernel error, exact (linear)", "Kernel error, linear"),
        "exact-block": Names("Kernel error, exact (blocks)", "Kernel error, blocks"),
    }
    redrawn: ClassVar[tuple[str, ...]] = ("exact-skce", "exact-ece")

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        how = setup.resamples, setup.stop_at, setup.null
        ece: Run = ExactTest(setup.ece, *how)
        if setup.exact_ece is not None:
            ece = _known(setup.exact_ece)
        skce = ExactTest(SKCE(setup.kernel, precision=setup.precision), *how)
        words = "redrawing outcomes for the kernel test"
        return [
            Planned("exact-ece", "ece", 6, "redrawing outcomes", ece, of_calibration=False),
            Planned("exact-skce", "skce-unbiased", 50, words, skce, of_calibration=False),
        ]


def _known(result: TestResult) -> Run:
    def known(_p: Predictions, _rng: np.random.Generator, _report: Report) -> TestResult:
        return result

    return known
