"""What the redraws of a test are, in words and in full."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore import Diagnosis, DiagnosisSpec, diagnose
from calibcore.data.examples import load_example
from calibcore.diagnose import NamedTest
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import TestResult, monte_carlo_pvalue
from calibcore.hypothesis_tests.histogram import histogram
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import ClassLens
from calibcore.transforms.nulls import Temperature
from calibcore.words.phrases import ALONE
from calibcore.words.testing import chance_words, redraws_words, rows_of_redraws

SPEC = DiagnosisSpec(lens=ClassLens("grower 1"), resamples=99, estimates=())


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(load_example("wine"), SPEC)


def _test(found: Diagnosis, name: str) -> NamedTest:
    test = found.test(name)
    assert test is not None
    assert test.result is not None
    return test


@pytest.mark.parametrize(
    ("name", "beside", "words"),
    [
        (
            "exact-skce",
            "if calibrated",
            f"draws outcomes from them: exact for independent cases, {ALONE}.",
        ),
        ("exact-ece", "if calibrated", "A redraw keeps the predictions"),
        ("asymptotic-unbiased", "if calibrated, roughly", "bootstrap sample of the cases, centred as for a"),
        (
            "consistency-ece",
            "if calibrated, on other cases",
            f"with other data: no guarantee; for comparison, {ALONE}.",
        ),
    ],
)
def test_what_is_redrawn_and_what_that_promises(found: Diagnosis, name: str, beside: str, words: str) -> None:
    test = _test(found, name)
    assert test.result is not None
    assert words in redraws_words(found, test)
    assert chance_words(test.result) == beside


def test_another_hypothesis_is_named() -> None:
    found = diagnose(load_example("wine"), replace(SPEC, null=Temperature(2.0), tests=("exact",)))
    test = _test(found, "exact-skce")
    assert test.result is not None
    assert chance_words(test.result) == "if the hypothesis holds"
    assert "draws outcomes from the lens's predictions at temperature 2: exact" in redraws_words(found, test)


@pytest.mark.parametrize("name", ["exact-ece", "exact-skce", "consistency-ece", "asymptotic-unbiased"])
def test_the_csv_gives_p_again(found: Diagnosis, name: str) -> None:
    test = _test(found, name)
    assert test.result is not None
    first, *redraws = rows_of_redraws(test, "total-variation", exact=True)
    assert first == {"redraw": "observed", "statistic": test.result.statistic, "at least as large": ""}
    assert [row["redraw"] for row in redraws] == list(range(1, 100))
    values = np.array([row["statistic"] for row in redraws])
    assert_allclose(values, test.result.null_distribution, rtol=0)
    assert monte_carlo_pvalue(test.result.statistic, values) == test.result.pvalue
    large = sum(row["at least as large"] == "yes" for row in redraws)
    assert test.result.pvalue == (1 + large) / 100


def test_the_bootstrap_is_drawn_on_the_scale_of_its_statistic(found: Diagnosis) -> None:
    """p compares T′ with n/(n−1)·SKCE_uq − SKCE_b; moved by SKCE_b and shrunk, that is the same tail."""
    test = _test(found, "asymptotic-unbiased")
    p = SPEC.lens(load_example("wine"))
    kernel = ExponentialKernel(found.bandwidth.value)
    n, biased = p.n, SKCE(kernel, "biased")(p)
    unbiased = SKCE(kernel)(p)
    assert test.result is not None
    assert test.result.null_distribution is not None
    t = n / (n - 1) * test.result.null_distribution - biased
    tail = int(np.sum(t >= n / (n - 1) * unbiased - biased))
    assert test.result.pvalue == (1 + tail) / 100
    assert histogram(test.result).counts[histogram(test.result).beyond].sum() == tail


def test_the_table_is_the_bars(found: Diagnosis) -> None:
    for name in ("exact-ece", "exact-skce"):
        test = _test(found, name)
        assert test.result is not None
        bars, rows = histogram(test.result), rows_of_redraws(test, "total-variation")
        assert [row["Redraws"] for row in rows] == bars.counts.tolist()
        assert [row["At least as large"] == "yes" for row in rows] == bars.beyond.tolist()
        start = "From (points)" if name == "exact-ece" else "From"
        assert len({row[start] for row in rows}) == len(rows)
    assert "From" in rows_of_redraws(_test(found, "exact-ece"), "squared-euclidean")[0]


def test_narrow_bars_have_more_digits() -> None:
    null = np.linspace(0.1, 0.11, 99)
    result = TestResult(0.1051, monte_carlo_pvalue(0.1051, null), "made", "exact", null, 99)
    starts = [
        row["From (points)"] for row in rows_of_redraws(NamedTest("exact-ece", "ece", result), "euclidean")
    ]
    assert len(set(starts)) == len(starts)
    assert all(len(str(start).partition(".")[2]) == 2 for start in starts)


def test_nothing_is_said_of_what_was_not_redrawn(found: Diagnosis) -> None:
    for test in (_test(found, "spiegelhalter"), NamedTest("exact-skce", "skce-unbiased", None, "withheld")):
        assert redraws_words(found, test) == ""
        assert rows_of_redraws(test, "total-variation") == []
