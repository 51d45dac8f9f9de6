"""Predictions of which only the confidence in the answer is known."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibcore import (
    CanonicalLens,
    ClassLens,
    Diagnosis,
    DiagnosisSpec,
    GroupsLens,
    PooledLens,
    Predictions,
    RegionLens,
    SetLens,
    TopKLens,
    compare,
    decide,
    diagnose,
    monitor,
    recalibrate,
    survey,
    survey_groups,
    track_training,
)
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.mismatch import mismatch
from calibcore.errors import InputError

FEW = DiagnosisSpec(resamples=99, lens=TopKLens(1))
R = np.random.default_rng(0)
FULL = Predictions.from_arrays(R.dirichlet(np.ones(4), 300), R.integers(0, 4, 300), list("abcd"))
SURE = FULL.probs.max(axis=1)
NAMES = np.array(FULL.class_names)
ANSWERS, TRUE = NAMES[FULL.probs.argmax(axis=1)], NAMES[FULL.labels]
ALONE = Predictions.from_confidence(SURE, ANSWERS == TRUE)


def test_it_is_what_the_lens_on_the_confidence_makes_of_all_probabilities() -> None:
    induced = TopKLens(1)(FULL)
    assert np.allclose(TopKLens(1)(ALONE).probs, induced.probs, rtol=0, atol=1e-15)
    assert (TopKLens(1)(ALONE).labels == induced.labels).all()
    assert TopKLens(1)(ALONE).class_names == induced.class_names
    of_all, alone = diagnose(FULL, FEW), diagnose(ALONE, FEW)
    assert alone.calibration_error == pytest.approx(of_all.calibration_error, abs=1e-12)
    pvalues = [{t.name: t.result.pvalue for t in d.tests if t.result} for d in (of_all, alone)]
    assert pvalues[0] == pytest.approx(pvalues[1])
    assert alone.scores["accuracy"] == of_all.scores["accuracy"]
    gaps = [
        (d.typical_gap.value, d.typical_gap.low, d.typical_gap.high) for d in (of_all, alone) if d.typical_gap
    ]
    assert gaps[0] == pytest.approx(gaps[1])


def test_answers_and_truth_say_which_are_right() -> None:
    by_names = Predictions.from_confidence(SURE, predicted=ANSWERS, truth=TRUE)
    assert (by_names.labels == ALONE.labels).all()
    assert by_names.fingerprint == ALONE.fingerprint
    assert by_names.metadata[PREDICTED].tolist() == ANSWERS.tolist()
    assert by_names.metadata[TRUTH].tolist() == TRUE.tolist()
    groups = survey_groups(by_names, [TRUTH], replace(FEW, lens=CanonicalLens()))
    assert groups.spec.lens == TopKLens(1)
    assert {group.value for group in groups.groups} == set("abcd")


@pytest.mark.parametrize("words", [("1", "0"), (True, False), ("Yes", "no"), ("right", "WRONG"), (1.0, 0.0)])
def test_what_says_right_and_wrong(words: tuple[Any, Any]) -> None:
    given = [words[0] if right else words[1] for right in ANSWERS == TRUE]
    assert (Predictions.from_confidence(SURE, given).labels == ALONE.labels).all()


def test_a_confidence_may_lie_below_a_half() -> None:
    p = Predictions.from_confidence([0.2, 0.3, 0.6], [True, False, True])
    assert p.kind == "confidence"
    assert diagnose(p, FEW).scores["accuracy"] == pytest.approx(2 / 3)
    assert TopKLens(1)(p).probs[:, 0].tolist() == [0.2, 0.3, 0.6]
    assert TopKLens(1).ties(Predictions.from_confidence([0.5, 0.5], [1, 0])) == 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (([0.5, 1.2], [1, 0]), "Row 2 has the confidence 1.2. Expected 0 to 1."),
        (([50, 95.5], [1, 0]), "Expected 0 to 1. Divide per cent by 100."),
        (([0.5, np.nan], [1, 0]), "Row 2 has the confidence nan"),
        (([0.5, 0.7], [1, 2]), "Row 2 has '2'. Expected 1 or 0, true or false, yes or no, right or wrong."),
        (([0.5, 0.7], [1]), "correct has the shape"),
        (([], []), "There are no cases"),
        (([[0.5, 0.5]], [1]), "The confidences have the shape"),
        (([0.5, 0.7],), "give correct, or predicted and truth"),
        (([0.5, 0.7], [1, 0], {"a": [1]}), "Metadata column 'a'"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(given: Any, says: str) -> None:
    with pytest.raises(InputError) as error:
        Predictions.from_confidence(*given)
    assert says in str(error.value)


def test_answers_that_contradict_are_refused() -> None:
    sure = [0.9, 0.8]
    with pytest.raises(InputError, match="There is predicted and no truth"):
        Predictions.from_confidence(sure, predicted=["a", "b"])
    with pytest.raises(InputError, match="Row 2 answers 'b', the truth is 'a', and it is said to be right"):
        Predictions.from_confidence(sure, [1, 1], predicted=["a", "b"], truth=["a", "a"])
    with pytest.raises(InputError, match="No answer is a class that is true anywhere"):
        Predictions.from_confidence(sure, predicted=["1", "2"], truth=["cat", "dog"])


@pytest.mark.parametrize(
    "lens",
    [
        ClassLens("right"),
        TopKLens(2),
        SetLens(0.8),
        PooledLens(),
        GroupsLens({"a": ["right"], "b": ["wrong"]}),
    ],
    ids=lambda lens: lens.kind,
)
def test_a_lens_that_needs_all_probabilities_says_so(lens: Any) -> None:
    assert not lens.fits(ALONE)
    with pytest.raises(InputError, match="Look through the lens 'confidence'"):
        lens(ALONE)
    with pytest.raises(InputError):
        diagnose(ALONE, replace(FEW, lens=lens))


def test_a_region_of_the_confidence_is_looked_at() -> None:
    lens = RegionLens(TopKLens(1), "right", 0.5, 1.0)
    assert lens.fits(ALONE)
    assert diagnose(ALONE, replace(FEW, lens=lens)).lens_n == int((SURE >= 0.5).sum())


def test_all_classes_together_become_the_confidence_everywhere() -> None:
    spec = replace(FEW, lens=CanonicalLens())
    other = Predictions.from_confidence(SURE**1.1, predicted=ANSWERS, truth=TRUE)
    results = [
        diagnose(ALONE, spec),
        recalibrate(ALONE, ["temperature"], spec),
        decide(ALONE, spec),
        monitor(ALONE, spec),
        compare([ALONE, other], spec),
        track_training({1: ALONE, 2: other}, spec),
    ]
    assert {result.spec.lens for result in results} == {TopKLens(1)}
    assert [d.spec.lens for d in survey(ALONE).diagnoses] == [TopKLens(1)]


def test_models_may_answer_differently_but_the_truth_is_one() -> None:
    turned = np.roll(TRUE, 1)
    a, b = (Predictions.from_confidence(SURE, predicted=answers, truth=TRUE) for answers in (ANSWERS, turned))
    assert compare([a, b], FEW).nested == ()
    with pytest.raises(InputError, match="The truth in row"):
        compare([a, Predictions.from_confidence(SURE, predicted=ANSWERS, truth=turned)], FEW)
    with pytest.raises(InputError, match="only the confidence in the answer is known"):
        compare([a, FULL], FEW)


def test_it_stays_so_and_is_told() -> None:
    assert pickle.loads(pickle.dumps(ALONE)).confidence_only
    assert ALONE[:10].confidence_only
    assert ALONE.fingerprint != replace(ALONE, confidence_only=False).fingerprint
    document = diagnose(ALONE, FEW).to_document()
    assert document["data"]["kind"] == "confidence"
    assert Diagnosis.from_document(document).kind == "confidence"
    del document["data"]["kind"]  # as earlier versions wrote it
    assert Diagnosis.from_document(document).kind is None


def test_no_order_of_columns_is_suspected() -> None:
    assert mismatch(Predictions.from_confidence(np.full(200, 0.2), np.arange(200) % 5 == 0)) is None
