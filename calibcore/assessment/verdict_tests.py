"""The test of each lens on which a survey rests, in its diagnosis."""

from dataclasses import replace

from calibcore.diagnose import Diagnosis
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult

VERDICT_TEST = "exact-omnibus"
"""The test of each lens whose p is adjusted, and on which the verdicts rest."""
EARLIER_TEST = "exact-skce"
"""What surveys of earlier versions rest on."""


def verdict_test(diagnosis: Diagnosis) -> TestResult:
    """:data:`VERDICT_TEST`, which a survey always runs; :data:`EARLIER_TEST` of an earlier version's."""
    test = diagnosis.test(VERDICT_TEST) or diagnosis.test(EARLIER_TEST)
    if test is None or test.result is None:
        raise InputError("This diagnosis holds no exact omnibus test.")
    return test.result


def verdict_test_name(diagnosis: Diagnosis) -> str:
    """The name of :func:`verdict_test`."""
    return VERDICT_TEST if diagnosis.test(VERDICT_TEST) is not None else EARLIER_TEST


def exact_pvalue(diagnosis: Diagnosis) -> float:
    """p of :func:`verdict_test`."""
    return verdict_test(diagnosis).pvalue


def with_test_of_survey(diagnosis: Diagnosis, surveyed: Diagnosis) -> Diagnosis:
    """The diagnosis with the verdict's test as a survey made it, whose redraws are others in number.

    So one test has one p. As it is where the survey asked something else, or kept no redraws.
    """
    made, own = surveyed.test(VERDICT_TEST), diagnosis.test(VERDICT_TEST)
    if made is None or made.result is None or own is None or own.result is None:
        return diagnosis
    if made.result.null_distribution is None or surveyed.fingerprint != diagnosis.fingerprint:
        return diagnosis
    if any(getattr(surveyed.spec, name) != getattr(diagnosis.spec, name) for name in _ASKED):
        return diagnosis
    tests = tuple(made if test.name == VERDICT_TEST else test for test in diagnosis.tests)
    return replace(diagnosis, tests=tests)


_ASKED = ("lens", "kernel", "null", "unit", "seed", "stop_at", "precision")
"""Settings that the test depends on, beside how often it redraws."""
