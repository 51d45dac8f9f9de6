"""The test of each lens on which a survey rests, in its diagnosis."""

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
