"""All tests of a diagnosis in a sentence and a table, grouped by what they promise."""

from dataclasses import replace
from typing import Any

import pytest

from calibcore import Diagnosis, DiagnosisSpec, diagnose
from calibcore.answers.diagnosis import p_values_table
from calibcore.data.examples import load_example
from calibcore.diagnose import NamedTest
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import FAMILIES, names_of
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.transforms.nulls import Temperature
from calibcore.words.phrases import PROMISES
from calibcore.words.tables import csv_of
from calibcore.words.testing import (
    grouped_tests,
    row_words,
    smallest_possible,
    together_sentence,
    withheld_words,
)

WINE = load_example("wine")


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(WINE, DiagnosisSpec(lens=TopKLens(1), resamples=99, estimates=()))


def _made(p: float, promise: str = "exact", name: str = "exact-skce", **more: Any) -> NamedTest:
    return NamedTest(name, "skce-unbiased", TestResult(0.1, p, "made", promise, **more))


def _with(found: Diagnosis, *tests: NamedTest, **settings: Any) -> Diagnosis:
    return replace(found, tests=tests, spec=replace(found.spec, **settings))


def test_the_sentence_counts_what_has_a_promise(found: Diagnosis) -> None:
    counted = [t.result for t in found.tests if t.result is not None and t.result.promise != "none"]
    against = sum(result.pvalue <= 0.05 for result in counted)
    assert 1 < against < len(counted)
    assert together_sentence(found) == (
        f"{against} of {len(counted)} tests of calibration have a p of 0.05 or less, of this lens alone, not "
        "adjusted. The exact omnibus test has p = 0.01, the smallest possible (none of 99 redraws was as "
        "extreme). The one without guarantee is not counted."
    )


BOUND = _made(0.6, "bound", "distribution-free-biased")
NONE = _made(0.01, "none", "consistency-ece")


@pytest.mark.parametrize(
    ("tests", "sentence"),
    [
        ((_made(0.05),), "The one test of calibration has a p of 0.05 or less, of this lens alone,"),
        ((_made(0.051),), "The one test of calibration does not have a p of 0.05 or less,"),
        ((_made(0.2), BOUND), "None of 2 tests of calibration has a p"),
        ((_made(0.01), BOUND), "1 of 2 tests of calibration has a p"),
        ((_made(0.01), _made(0.02, name="exact-ece")), "All 2 tests of calibration have a p"),
        ((_made(0.02, name="exact-ece"),), "The exact test of the average gap has p = 0.02."),
        ((BOUND,), "None of them is exact."),
        ((NONE,), "None of them is exact. The only test has no guarantee."),
        ((NamedTest("exact-skce", "skce-unbiased", None, "withheld: so"),), "No test could be run."),
        ((_made(float("nan")),), "No test could be run."),
        ((), "No test could be run."),
    ],
)
def test_sentences_of_few(found: Diagnosis, tests: tuple[NamedTest, ...], sentence: str) -> None:
    assert sentence in together_sentence(_with(found, *tests))


def test_level_and_hypothesis_are_the_settings(found: Diagnosis) -> None:
    said = together_sentence(_with(found, _made(0.2), BOUND, alpha=0.25, null=Temperature(2.0)))
    assert said.startswith("1 of 2 tests of the hypothesis has a p of 0.25 or less,")


def test_every_test_is_in_the_group_of_its_promise(found: Diagnosis) -> None:
    groups = grouped_tests(found)
    assert [promise for promise, _ in groups] == list(PROMISES)
    assert sorted(t.name for _, tests in groups for t in tests) == sorted(t.name for t in found.tests)
    for promise, tests in groups:
        assert {t.result.promise for t in tests if t.result is not None} == {promise}
    assert [p for p, _ in grouped_tests(_with(found, BOUND, _made(0.1)))] == ["exact", "bound"]


def test_short_names_differ_within_a_group(found: Diagnosis) -> None:
    for _, tests in grouped_tests(found):
        assert len({names_of(t.name).short for t in tests}) == len(tests)
    assert names_of("distribution-free-block").short == "Kernel error, blocks"
    assert names_of("asymptotic-linear").short == "Kernel error, linear"
    shorts = [names.short for family in FAMILIES.values() for names in family.names.values()]
    assert max(map(len, shorts)) <= 31  # a phone shows them whole


def test_words_beside_a_row() -> None:
    floor = _made(1 / 100, n_resamples=99)
    assert row_words(floor) == "p = 0.01, the smallest possible"
    assert smallest_possible(floor)
    assert row_words(_made(2 / 100, n_resamples=99)) == "p = 0.02"
    assert not smallest_possible(_made(2 / 100, n_resamples=99))
    assert row_words(BOUND) == "p ≤ 0.6"
    assert row_words(_made(float("nan"))) == "not defined"
    assert row_words(NamedTest("exact-skce", "x", None, "withheld: so")) == "withheld"
    pooled = TestResult(0.1, 0.01, "made", "exact", None, 99, details={"tests": "canonical calibration"})
    assert smallest_possible(NamedTest("exact-skce", "skce-unbiased", pooled))


def test_withheld_tests_are_listed_by_reason(found: Diagnosis) -> None:
    tests = (
        NamedTest("asymptotic-linear", "skce-linear", None, "withheld: rows are sorted"),
        NamedTest("distribution-free-linear", "skce-linear", None, "withheld: rows are sorted"),
        NamedTest("asymptotic-cme", "ucme", None, "withheld: Too few."),
        _made(0.1),
    )
    assert withheld_words(_with(found, *tests)) == [
        "Withheld: Kernel error, asymptotic (linear); Kernel error, distribution-free (linear). "
        "Rows are sorted.",
        "Withheld: Kernel error at test locations, asymptotic. Too few.",
    ]
    assert withheld_words(_with(found, _made(0.1))) == []


def test_the_csv_holds_every_digit(found: Diagnosis) -> None:
    rows = p_values_table(found).rows(exact=True)
    assert [row["test"] for row in rows] == [t.name for t in found.tests]
    for row, test in zip(rows, found.tests, strict=True):
        if test.result is None:
            assert row["p_value"] == ""
            assert row["remark"] == test.note
        else:
            assert row["p_value"] == test.result.pvalue
            assert row["statistic"] == test.result.statistic
            assert row["promise"] == test.result.promise
            assert repr(float(row["p_value"])) in csv_of(rows)
    shown = {row["p-value"] for row in p_values_table(found).rows()}
    assert shown >= {"p = 0.01, the smallest possible", "–"}
    undefined = p_values_table(_with(found, _made(float("nan")))).rows(exact=True)
    assert undefined[0]["p_value"] == ""


def test_all_tests_of_every_family_have_a_place() -> None:
    three = diagnose(WINE, DiagnosisSpec(lens=CanonicalLens(), resamples=19, estimates=()))
    assert sum(len(tests) for _, tests in grouped_tests(three)) == len(three.tests)
