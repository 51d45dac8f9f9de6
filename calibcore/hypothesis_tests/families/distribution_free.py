"""Distribution-free bounds of the kernel error."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE, Name
from calibcore.hypothesis_tests.bounds import DistributionFreeSKCETest
from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Run, Setup
from calibcore.hypothesis_tests.result import Promise, TestResult
from calibcore.numerics.progress import Report


@FAMILIES.enter
class DistributionFree(Family):
    """Bounds at every number of cases (W19 §5), out of estimates that are there."""

    kind: ClassVar[str] = "distribution-free"
    place: ClassVar[int] = 4
    label: ClassVar[str] = "Distribution-free bounds"
    promise: ClassVar[Promise] = "bound"
    names: ClassVar[Mapping[str, Names]] = {
        "distribution-free-biased": Names("Kernel error, distribution-free (biased)", "Kernel error, biased"),
        "distribution-free-unbiased": Names(
            "Kernel error, distribution-free (unbiased)", "Kernel error, unbiased"
        ),
        "distribution-free-linear": Names("Kernel error, distribution-free (linear)", "Kernel error, linear"),
        "distribution-free-block": Names("Kernel error, distribution-free (blocks)", "Kernel error, blocks"),
        "distribution-free-given-predictions": Names(
            "Kernel error, distribution-free given predictions", "Kernel error, given predictions"
        ),
    }

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        def planned(name: str, estimator: Name, ordered: bool = False, given: bool = False) -> Planned:
            run = _bound(setup, estimator, given)
            return Planned(f"distribution-free-{name}", f"skce-{estimator}", 0, "", run, uses_order=ordered)

        return [
            planned("biased", "biased"),
            planned("unbiased", "unbiased"),
            planned("linear", "linear", ordered=True),
            planned("block", "block", ordered=True),
            planned("given-predictions", "biased", given=True),
        ]


def _bound(setup: Setup, estimator: Name, given_predictions: bool) -> Run:
    def of_estimate(p: Predictions, _rng: np.random.Generator, _report: Report) -> TestResult:
        if estimator not in setup.skce:
            raise InputError(f"the {estimator} estimate needs more cases, neither weighted nor pooled")
        skce = SKCE(setup.kernel, estimator, setup.block_size)
        return DistributionFreeSKCETest(skce, given_predictions).of_statistic(p, setup.skce[estimator])

    return of_estimate
