"""Sentences about one test."""

from dataclasses import replace

import pytest

from calibcore import Diagnosis, DiagnosisSpec, diagnose
from calibcore.data.examples import load_example
from calibcore.hypothesis_tests import TestResult
from calibcore.transforms.lenses import ClassLens
from calibcore.words.phrases import as_extreme
from calibcore.words.testing import heading_of_test, sentence_of_test, share_words


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    spec = DiagnosisSpec(lens=ClassLens("grower 1"), resamples=99, estimates=())
    return diagnose(load_example("wine"), spec)


def _result(found: Diagnosis, name: str) -> TestResult:
    test = found.test(name)
    assert test is not None
    assert test.result is not None
    return test.result


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exact-skce", "sets of outcomes drawn from the model's own predictions had a kernel error"),
        ("exact-ece", "sets of outcomes drawn from the model's own predictions had an average gap (ECE)"),
        (
            "consistency-ece",
            "resampled sets of predictions, with outcomes drawn from them, had an average gap",
        ),
        ("asymptotic-unbiased", "bootstrap samples of a calibrated model had a kernel error"),
    ],
)
def test_redraws_in_natural_frequencies(found: Diagnosis, name: str, words: str) -> None:
    sentence = sentence_of_test(found, name)
    times = as_extreme(_result(found, name))
    assert sentence.startswith(f"{times or 'None'} of 99 ")
    assert words in sentence
    assert sentence.endswith("at least as large.")


def test_formulas_say_what_they_promise(found: Diagnosis) -> None:
    z = sentence_of_test(found, "spiegelhalter")
    assert z.startswith("With many cases")
    assert "a z at least as far from 0 with a probability of about" in z


@pytest.mark.parametrize(
    ("p", "promise", "words"),
    [
        (1.0, "bound", "This bound says nothing here"),
        (0.391, "bound", "a probability of 0.4 at most"),
        (float("nan"), "asymptotic", "not defined: all terms are equal"),
    ],
)
def test_bounds_and_undefined_values(found: Diagnosis, p: float, promise: str, words: str) -> None:
    name = "distribution-free-biased"
    tests = tuple(
        replace(t, result=TestResult(0.1, p, "made", promise)) if t.name == name else t for t in found.tests
    )
    assert words in sentence_of_test(replace(found, tests=tests), name)


@pytest.mark.parametrize(
    ("p", "promise", "words"),
    [
        (0.05, "exact", "By this test alone chance is a poor explanation. "),
        (0.051, "exact", "By this test alone chance may explain it. "),
        (0.01, "bound", "By this test alone chance is a poor explanation. "),
        (0.4, "bound", "By this bound one cannot tell. "),
        (0.4, "none", "By this test, which promises nothing, chance may explain it. "),
        (1.0, "bound", ""),
        (float("nan"), "asymptotic", ""),
    ],
)
def test_the_heading_of_a_test_leads_with_its_answer(
    found: Diagnosis, p: float, promise: str, words: str
) -> None:
    name = "distribution-free-biased"
    result = TestResult(0.1, p, "made", promise)
    made = replace(found, tests=(replace(found.tests[0], name=name, result=result),))
    assert heading_of_test(made, name) == f"{words}{sentence_of_test(made, name)}"
    assert heading_of_test(found, "no such test") == ""


def test_nothing_is_said_of_what_was_not_run(found: Diagnosis) -> None:
    assert sentence_of_test(found, "no such test") == ""
    withheld = tuple(replace(t, result=None, note="withheld") for t in found.tests)
    assert sentence_of_test(replace(found, tests=withheld), "exact-skce") == ""


def test_the_share_is_counted_out(found: Diagnosis) -> None:
    result = _result(found, "exact-skce")
    assert share_words(result).endswith(f"the observed one counted: {as_extreme(result) + 1} of 100.")
    assert share_words(_result(found, "spiegelhalter")) == ""
    stopped = replace(result, pvalue=10 / 57, n_resamples=57, details={"stop_at": 10, "most_resamples": 999})
    assert "the hatched share: 10 of 57, where the test stopped" in share_words(stopped)
