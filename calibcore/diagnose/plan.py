"""Which tests a diagnosis runs, and how."""

from collections.abc import Mapping

from calibcore.data.predictions import Predictions
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import FAMILIES, Planned, Setup
from calibcore.kernels import Kernel
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.nulls import Identity

ORDERED = (
    "withheld: the labels stand in a visible order and this test needs rows in random order; "
    "shuffle the rows to run it"
)


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
    setup = Setup(
        ece=ECE(spec.binning, spec.distance),
        kernel=kernel,
        m=m,
        resamples=spec.resamples,
        stop_at=spec.stop_at,
        null=spec.null,
        block_size=spec.block_size,
        locations=spec.locations,
        precision=spec.precision,
        seed=spec.seed,
        skce=skce,
        exact_ece=exact_ece,
    )
    return [
        planned for kind, family in FAMILIES.items() if kind in spec.tests for planned in family.tests(setup)
    ]


def why_not(planned: Planned, spec: DiagnosisSpec, induced: Predictions, ordered: bool) -> str:
    """Why a test is withheld; empty if it can be run."""
    if induced.untested:
        return f"withheld: {induced.untested}"
    if planned.uses_order and ordered:
        return ORDERED
    if induced.m == 2 and planned.not_of_two:
        return planned.not_of_two
    if planned.of_calibration and not isinstance(spec.null, Identity):
        return "withheld: only the exact tests can test another null hypothesis than calibration"
    return ""
