"""The families that are bundled."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE, Name
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests.asymptotic import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    SpiegelhalterTest,
)
from calibcore.hypothesis_tests.bounds import DistributionFreeSKCETest
from calibcore.hypothesis_tests.consistency import ConsistencyTest
from calibcore.hypothesis_tests.exact import ExactTest
from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Run, Setup
from calibcore.hypothesis_tests.omnibus import ExactOmnibusTest
from calibcore.hypothesis_tests.result import Promise, TestResult
from calibcore.numerics.progress import Report

ORDERED = ("linear", "block")
"""Estimators that use the order of the rows."""
_CME_OF_TWO = (
    "withheld: with two outcomes the test locations say nearly the same and the approximation fails; "
    "the exact p of the UCME stands among the estimates"
)


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
        planned = Planned(
            "exact-omnibus", "omnibus", test, 12, words, of_calibration=False, only_possible=True
        )
        return [planned]


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
        known = setup.exact_ece
        ece: Run = ExactTest(setup.ece, *how) if known is None else lambda _p, _rng, _report: known
        skce = ExactTest(SKCE(setup.kernel, precision=setup.precision), *how)
        words = "redrawing outcomes for the kernel test"
        return [
            Planned("exact-ece", "ece", ece, 6, "redrawing outcomes", of_calibration=False),
            Planned("exact-skce", "skce-unbiased", skce, 50, words, of_calibration=False, without_kept=True),
        ]


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
        return [Planned("consistency-ece", "ece", test, 25, "resampling predictions and outcomes")]


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
        estimators: tuple[Name, ...] = ("biased", "unbiased", "linear", "block")
        planned = [
            Planned(
                f"distribution-free-{name}", f"skce-{name}", _bound(setup, name), uses_order=name in ORDERED
            )
            for name in estimators
        ]
        given = _bound(setup, "biased", given_predictions=True)
        return [*planned, Planned("distribution-free-given-predictions", "skce-biased", given)]


def _bound(setup: Setup, estimator: Name, given_predictions: bool = False) -> Run:
    def of_estimate(p: Predictions, _rng: np.random.Generator, _report: Report) -> TestResult:
        if estimator not in setup.skce:
            raise InputError(f"the {estimator} estimate needs more cases, neither weighted nor pooled")
        skce = SKCE(setup.kernel, estimator, setup.block_size)
        return DistributionFreeSKCETest(skce, given_predictions).of_statistic(p, setup.skce[estimator])

    return of_estimate


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
            Planned("asymptotic-linear", "skce-linear", _by_formula(linear), uses_order=True),
            Planned("asymptotic-block", "skce-block", _by_formula(block), uses_order=True),
            Planned("asymptotic-unbiased", "skce-unbiased", bootstrap, 25, words),
            Planned("asymptotic-cme", "ucme", _by_formula(cme), not_of_two=_CME_OF_TWO),
        ]
        if setup.m == 2:
            z = _by_formula(SpiegelhalterTest())
            planned.append(Planned("spiegelhalter", "spiegelhalter-z", z))
        return [replace(test, without_kept=True) for test in planned]


def _by_formula(test: AsymptoticBlockSKCETest | AsymptoticCMETest | SpiegelhalterTest) -> Run:
    def of_cases(p: Predictions, rng: np.random.Generator, _report: Report) -> TestResult:
        return test(p, rng)

    return of_cases
