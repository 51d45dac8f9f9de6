"""Tests for many cases."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests.asymptotic import AsymptoticBlockSKCETest, AsymptoticSKCETest
from calibcore.hypothesis_tests.embedding import AsymptoticCMETest
from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Run, Setup
from calibcore.hypothesis_tests.result import Promise, TestResult
from calibcore.hypothesis_tests.spiegelhalter import SpiegelhalterTest
from calibcore.numerics.progress import Report

_CME_OF_TWO = (
    "withheld: with two classes the test locations say nearly the same and the approximation fails; "
    "the exact p of the UCME stands among the estimates"
)


@FAMILIES.enter
class Asymptotic(Family):
    """Of kernel errors (W19 §5) and, of two classes, Spiegelhalter's."""

    kind: ClassVar[str] = "asymptotic"
    place: ClassVar[int] = 5
    label: ClassVar[str] = "Asymptotic"
    promise: ClassVar[Promise] = "asymptotic"
    names: ClassVar[Mapping[str, Names]] = {
        "asymptotic-linear": Names("Kernel error, asymptotic (linear)", "Kernel error, linear"),
        "asymptotic-block": Names("Kernel error, asymptotic (blocks)", "Kernel error, blocks"),
        "asymptotic-unbiased": Names("Kernel error, asymptotic (bootstrap)", "Kernel error, bootstrap"),
        "asymptotic-cme": Names(
            "Kernel error at test locations, asymptotic", "Kernel error at test locations"
        ),
        "spiegelhalter": Names("Spiegelhalter's z, two-sided", "Spiegelhalter's z, two-sided"),
    }
    redrawn: ClassVar[tuple[str, ...]] = ("asymptotic-unbiased",)

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        kernel, precision = setup.kernel, setup.precision
        linear = AsymptoticBlockSKCETest(SKCE(kernel, "linear"))
        block = AsymptoticBlockSKCETest(SKCE(kernel, "block", setup.block_size, precision))
        bootstrap = AsymptoticSKCETest(SKCE(kernel, precision=precision), setup.resamples)
        cme = AsymptoticCMETest(UCME(kernel, setup.locations, setup.seed))
        words = "bootstrapping the kernel test"
        planned = [
            Planned("asymptotic-linear", "skce-linear", 0, "", _by_formula(linear), uses_order=True),
            Planned("asymptotic-block", "skce-block", 0, "", _by_formula(block), uses_order=True),
            Planned("asymptotic-unbiased", "skce-unbiased", 25, words, bootstrap),
            Planned("asymptotic-cme", "ucme", 0, "", _by_formula(cme), not_of_two=_CME_OF_TWO),
        ]
        if setup.m == 2:
            z = _by_formula(SpiegelhalterTest())
            planned.append(Planned("spiegelhalter", "spiegelhalter-z", 0, "", z))
        return planned


def _by_formula(test: AsymptoticBlockSKCETest | AsymptoticCMETest | SpiegelhalterTest) -> Run:
    def of_cases(p: Predictions, rng: np.random.Generator, _report: Report) -> TestResult:
        return test(p, rng)

    return of_cases
