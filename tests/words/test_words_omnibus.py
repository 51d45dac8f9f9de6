"""The components of the omnibus test in words, and in JSON and back."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from calibcore import Diagnosis, DiagnosisSpec, Predictions, diagnose
from calibcore.answers.diagnosis import components_table
from calibcore.data.examples import load_example
from calibcore.estimators._omnibus import MORE_NAMES, NAMES
from calibcore.hypothesis_tests import Component, TestResult
from calibcore.settings.codec import from_entry, write
from calibcore.transforms.lenses import ClassLens, TopKLens
from calibcore.words.omnibus import (
    LOOKS_AT,
    STANDS_OUT,
    components_sentence,
    mostly_sentence,
    mostly_words,
)

SPEC = DiagnosisSpec(resamples=49, tests=("exact-omnibus",), estimates=())


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(load_example("wine"), SPEC)


def impossible() -> Diagnosis:
    """Of two outcomes that were given probability 0."""
    labels = np.arange(30) % 3
    p = Predictions.from_arrays(np.eye(3)[labels], np.where(np.arange(30) < 2, (labels + 1) % 3, labels))
    return diagnose(p, SPEC)


def test_every_component_has_words() -> None:
    assert set(STANDS_OUT) == set(LOOKS_AT) == {*NAMES, *MORE_NAMES}
    assert len(set(LOOKS_AT.values())) == len(LOOKS_AT)
    for name in STANDS_OUT:
        assert mostly_sentence(name) == f"Mostly: {STANDS_OUT[name]}."


def test_a_sign_says_more_than_a_name() -> None:
    assert mostly_words("temperature", "too sure") == "too sure"
    assert mostly_sentence("temperature", "too unsure") == "Mostly: too unsure."
    assert mostly_sentence("") == ""
    assert mostly_sentence("of a later version") == ""


def test_what_stands_out_most_is_named(found: Diagnosis) -> None:
    result = found.test("exact-omnibus").result  # type: ignore[union-attr]
    most = result.decided_by
    assert most in result.components
    assert result.statistic == max(one.tail for one in result.components)
    assert components_sentence(found, result) == (
        "It looks in 9 ways at once and counts what stands out most, here: "
        f"{mostly_words(most.name, most.direction)}."
    )
    of_two = diagnose(load_example("wine"), replace(SPEC, lens=TopKLens(1)))
    sentence = components_sentence(of_two, of_two.test("exact-omnibus").result)  # type: ignore[union-attr,arg-type]
    assert sentence.startswith("It looks in 7 ways at once")
    assert components_sentence(found, TestResult(1.0, 0.5, "made", "exact")) == ""


def test_two_classes_are_too_high_or_too_low_not_some_of_them_too_often() -> None:
    rng = np.random.default_rng(4)
    said = rng.beta(5, 5, 2_000)
    p = Predictions.from_arrays(np.column_stack([1 - said, said]), (rng.random(2_000) < said - 0.1) * 1)
    found = diagnose(p, replace(SPEC, lens=ClassLens(p.class_names[1])))
    result = found.test("exact-omnibus").result  # type: ignore[union-attr]
    assert result.decided_by.name == "class-mix"
    words = "probabilities too high or too low on average"
    assert components_sentence(found, result).endswith(f"stands out most, here: {words}.")
    rows = components_table(found).rows()
    assert rows[0]["Would show"] == words  # what is named stands first
    assert components_table(found).rows(exact=True)[0]["component"] == "class-mix"
    assert mostly_sentence("class-mix", two=True) == "Mostly: probabilities too high or too low on average."


def test_the_rows_are_the_components_the_farthest_out_first(found: Diagnosis) -> None:
    components = found.test("exact-omnibus").result.components  # type: ignore[union-attr]
    rows, exact = components_table(found).rows(), components_table(found).rows(exact=True)
    assert len(rows) == len(exact) == len(components) == 9
    decided, *others = exact
    assert decided["component"] == found.test("exact-omnibus").result.decided_by.name  # type: ignore[union-attr]
    tails = [row["tail"] for row in others]
    assert tails == sorted(tails, reverse=True)
    assert {row["component"]: row["statistic"] for row in exact} == {c.name: c.statistic for c in components}
    reached = {one.name: one.as_extreme for one in components}
    assert [row["redraws as extreme"] for row in exact] == [reached[row["component"]] for row in exact]
    assert [row["Redraws that show as much"] for row in rows] == [
        f"{reached[row['component']]} of 49" for row in exact
    ]
    assert [row["Looks at"] for row in rows] == [LOOKS_AT[row["component"]] for row in exact]
    assert components_table(diagnose(load_example("wine"), replace(SPEC, tests=()))).rows() == []


def test_an_impossible_outcome_is_said_and_comes_back_from_json() -> None:
    found = impossible()
    result = found.test("exact-omnibus").result  # type: ignore[union-attr]
    assert math.isinf(result.statistic)
    assert {one.tail for one in result.components} >= {math.inf}
    assert components_table(found).rows()[0]["Redraws that show as much"].startswith("0 of ")
    text = found.to_json()
    assert "Infinity" not in text
    again = Diagnosis.from_json(text)
    assert again.to_json() == text
    assert again.test("exact-omnibus").result.components == result.components  # type: ignore[union-attr]
    assert again.test("exact-omnibus").result.statistic == math.inf  # type: ignore[union-attr]


def test_components_come_back_as_they_were() -> None:
    components = (
        Component("kernel-1", -0.25, 0.5),
        Component("temperature", math.inf, math.inf, "too sure", 2),
    )
    null = np.array([0.5, math.inf, 1.5])
    made = TestResult(math.inf, 0.25, "made", "exact", null, 3, components=components)
    document = json.loads(json.dumps(write(made), allow_nan=False))
    assert document["components"][1] == {
        "name": "temperature", "statistic": None, "tail": None, "direction": "too sure", "as_extreme": 2
    }  # fmt: skip
    again = from_entry(TestResult, document)
    assert (again.components, again.statistic) == (components, math.inf)
    assert again.null_distribution.tolist() == null.tolist()  # type: ignore[union-attr]
    assert again.decided_by == components[1]
    without = TestResult(0.5, 0.25, "made", "exact", null[:1], 1)
    assert "components" not in write(without)
