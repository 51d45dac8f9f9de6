"""Which tests a diagnosis runs, and how."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactOmnibusTest,
    ExactTest,
    SpiegelhalterTest,
    TestResult,
)
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Report
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.nulls import Identity

Run = Callable[[Predictions, np.random.Generator, Report], TestResult]


@dataclass(frozen=True)
class Planned:
    """A test that will be run: its name and estimator, its share of the work, and how."""

    name: str
    estimator: str
    share: int
    words: str
    run: Run
    uses_order: bool = False
    of_calibration: bool = True
    """Whether it can test calibration alone, and no other null hypothesis."""


def plan(
    spec: DiagnosisSpec,
    kernel: Kernel,
    m: int,
    skce: Mapping[str, float],
    exact_ece: TestResult | None,
) -> list[Planned]:
    """The tests that ``spec`` asks for through a lens with ``m`` classes.

    The bounds reuse the estimates ``skce``, and so does the exact test of the ECE if it is there already.
    """
    ece, unbiased = ECE(spec.binning, spec.distance), SKCE(kernel, precision=spec.precision)
    block = SKCE(kernel, "block", spec.block_size, spec.precision)

    def exact(estimator: ECE | SKCE) -> Run:
        return ExactTest(estimator, spec.resamples, spec.stop_at, spec.null)

    def known(_p: Predictions, _rng: np.random.Generator, _report: Report) -> TestResult:
        assert exact_ece is not None
        return exact_ece

    def bound(estimator: str, given_predictions: bool = False) -> Run:
        def of_estimate(p: Predictions, _rng: np.random.Generator, _report: Report) -> TestResult:
            if estimator not in skce:
                raise InputError(f"the {estimator} estimate needs more cases, neither weighted nor pooled")
            test = DistributionFreeSKCETest(SKCE(kernel, estimator, spec.block_size), given_predictions)
            return test.of_statistic(p, skce[estimator])

        return of_estimate

    def by_formula(test: AsymptoticBlockSKCETest | AsymptoticCMETest | SpiegelhalterTest) -> Run:
        return lambda p, rng, _report: test(p, rng)

    free, asymptotic = "distribution-free", "asymptotic"
    omnibus = ExactOmnibusTest(kernel, spec.resamples, spec.stop_at, spec.null)
    families = {
        "exact-omnibus": [
            Planned(
                "exact-omnibus", "omnibus", 12, "redrawing outcomes for the exact omnibus test", omnibus,
                of_calibration=False,
            ),
        ],
        "exact": [
            Planned(
                "exact-ece", "ece", 6, "redrawing outcomes", exact(ece) if exact_ece is None else known,
                of_calibration=False,
            ),
            Planned(
                "exact-skce", "skce-unbiased", 50, "redrawing outcomes for the kernel test", exact(unbiased),
                of_calibration=False,
            ),
        ],
        "consistency": [
            Planned(
                "consistency-ece", "ece", 25, "resampling predictions and outcomes",
                ConsistencyTest(ece, spec.resamples),
            ),
        ],
        free: [
            Planned(f"{free}-biased", "skce-biased", 0, "", bound("biased")),
            Planned(f"{free}-unbiased", "skce-unbiased", 0, "", bound("unbiased")),
            Planned(f"{free}-linear", "skce-linear", 0, "", bound("linear"), uses_order=True),
            Planned(f"{free}-block", "skce-block", 0, "", bound("block"), uses_order=True),
            Planned(f"{free}-given-predictions", "skce-biased", 0, "", bound("biased", True)),
        ],
        asymptotic: [
            Planned(
                f"{asymptotic}-linear", "skce-linear", 0, "",
                by_formula(AsymptoticBlockSKCETest(SKCE(kernel, "linear"))), uses_order=True,
            ),
            Planned(
                f"{asymptotic}-block", "skce-block", 0, "", by_formula(AsymptoticBlockSKCETest(block)),
                uses_order=True,
            ),
            Planned(
                f"{asymptotic}-unbiased", "skce-unbiased", 25, "bootstrapping the kernel test",
                AsymptoticSKCETest(unbiased, spec.resamples),
            ),
            Planned(
                f"{asymptotic}-cme", "ucme", 0, "",
                by_formula(AsymptoticCMETest(UCME(kernel, spec.locations, spec.seed))),
            ),
        ],
    }  # fmt: skip
    if m == 2:
        families[asymptotic].append(
            Planned("spiegelhalter", "spiegelhalter-z", 0, "", by_formula(SpiegelhalterTest()))
        )
    return [planned for family in families if family in spec.tests for planned in families[family]]


def why_not(planned: Planned, spec: DiagnosisSpec, induced: Predictions, ordered: bool) -> str:
    """Why a test is withheld; empty if it can be run."""
    if induced.weights is not None:
        return "withheld: the cases are weighted, and weights give estimates only"
    if planned.uses_order and ordered:
        return ORDERED
    if planned.name == "asymptotic-cme" and induced.m == 2:
        return (
            "withheld: with two classes the test locations say nearly the same and the approximation fails; "
            "the exact p of the UCME stands among the estimates"
        )
    if planned.of_calibration and not isinstance(spec.null, Identity):
        return "withheld: only the exact tests can test another null hypothesis than calibration"
    return ""


ORDERED = (
    "withheld: the labels stand in a visible order and this test needs rows in random order; "
    "shuffle the rows to run it"
)
