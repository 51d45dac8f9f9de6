"""A survey with its verdicts: one document, and another tolerance without computing anything anew."""

import json
from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, Survey, survey
from calibcore.assessment.assess import Assessment, assess
from calibcore.errors import InputError
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, TopKLens

LENSES = (TopKLens(1), CanonicalLens(), ClassLens("a"))
TOLERANCES = (0.001, 0.05, 0.1, 0.3, 0.9)


def drawn(n: int, off: float = 0.0, seed: int = 1, sure: float = 1.0) -> Predictions:
    """n × 3; calibrated, but for class a that is said ``off`` too often."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(3, sure), size=n)
    truth = np.column_stack([probs[:, 0] * (1 - off), probs[:, 1] + off * probs[:, 0], probs[:, 2]])
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=2)
    return Predictions.from_arrays(probs, labels, ("a", "b", "c"))


def found(p: Predictions, tolerance: float = 0.05, lenses: tuple[Lens, ...] = LENSES) -> Assessment:
    spec = DiagnosisSpec(resamples=199, alpha=0.2, tolerance=tolerance)
    return assess(p, survey(p, spec, lenses))


@pytest.fixture(scope="module", params=[(150, 0.0, 1.0), (150, 0.6, 1.0), (60, 0.0, 0.01)])
def some(request: pytest.FixtureRequest) -> tuple[Predictions, Assessment]:
    n, off, sure = request.param
    p = drawn(n, off, sure=sure)
    return p, found(p)


@pytest.mark.some(1)
@pytest.mark.slow
def test_another_tolerance_is_what_a_survey_with_it_says(some: tuple[Predictions, Assessment]) -> None:
    p, first = some
    answers = set()
    for tolerance in TOLERANCES:
        anew = found(p, tolerance) if tolerance in (0.001, 0.3) else None
        moved = first.at(tolerance)
        if anew is not None:
            assert moved.to_json() == anew.to_json()
        answers |= {(v.answer, v.small) for v in moved.verdicts}
    assert len(answers) > 1
    assert first.at(0.05).to_json() == first.to_json()


def test_where_other_lenses_reject_for_the_canonical_one_theirs_must_be_small_too() -> None:
    judgement = found(drawn(150, 0.6))
    canonical, rejecting = judgement.verdicts[1], judgement.verdicts[2]
    gap = replace(rejecting.typical_gap, high=0.2)
    by = replace(canonical, by_lenses=("class:a",), typical_gap=replace(gap, high=0.1))
    changed = replace(judgement, verdicts=(judgement.verdicts[0], by, replace(rejecting, typical_gap=gap)))
    assert [changed.at(t).verdicts[1].small for t in (0.09, 0.15, 0.21)] == [False, False, True]
    own = replace(changed, verdicts=(changed.verdicts[0], replace(by, by_lenses=()), changed.verdicts[2]))
    assert [own.at(t).verdicts[1].small for t in (0.09, 0.15, 0.21)] == [False, False, True]
    assert [own.at(t).verdicts[2].small for t in (0.15, 0.21)] == [False, True]


@pytest.mark.some(1)
def test_the_document_is_the_surveys_with_verdicts_and_classes(some: tuple[Predictions, Assessment]) -> None:
    p, judgement = some
    document = json.loads(judgement.to_json())
    assert set(document) == {*judgement.survey.to_document(), "class_frequencies", "mismatch", "temperature"}
    for entry, verdict in zip(document["lenses"], judgement.verdicts, strict=True):
        assert entry["verdict"]["answer"] == verdict.answer
        assert entry["verdict"]["adjusted"] == entry["adjusted_p_value"]
    assert [entry["class_name"] for entry in document["class_frequencies"]] == list(p.class_names)
    assert sum(entry["happened"] for entry in document["class_frequencies"]) == p.n
    again = Assessment.from_json(judgement.to_json())
    assert again.to_json() == judgement.to_json()
    assert again.verdicts == judgement.verdicts
    assert Survey.from_document(document).to_json() == judgement.survey.to_json()


def test_a_document_without_verdicts_is_refused_and_named() -> None:
    p = drawn(40)
    only = survey(p, DiagnosisSpec(resamples=99, alpha=0.5), [TopKLens(1)])
    with pytest.raises(InputError, match="The survey"):
        Assessment.from_json(only.to_json())


def test_pooled_pairs_are_judged_without_what_could_have_been_seen() -> None:
    judgement = found(drawn(60), lenses=(PooledLens(), TopKLens(1)))
    pooled, other = judgement.verdicts
    assert (pooled.detectable, pooled.smallest_detectable) == ((), None)
    assert pooled.answer in ("miscalibrated", "cannot-tell")
    assert other.detectable


def test_progress_rises_to_one() -> None:
    p, seen = drawn(60), []
    assess(p, survey(p, DiagnosisSpec(resamples=99, alpha=0.5), LENSES), lambda f, _: seen.append(f))
    assert seen == sorted(seen)
    assert seen[-1] == 1
