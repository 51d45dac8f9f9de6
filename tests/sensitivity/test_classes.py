"""Classes by evidence: each is what the survey says of its lens, in the order of the survey's p."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.defaults import MOST_CLASSES
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.resampling import draw_labels
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from tests.quick import survey
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
QUICK = DiagnosisSpec(resamples=99, alpha=0.5, seed=3)


def one_is_off(n: int = 1500, m: int = 4, seed: int = 0) -> Predictions:
    """Classes a, b, c, d; half of what was a is called b, and the model does not know."""
    rng = RNG(seed)
    g = rng.dirichlet(np.ones(m), size=n)
    truth = g.copy()
    truth[:, 1] += truth[:, 0] / 2
    truth[:, 0] /= 2
    return Predictions.from_arrays(g, draw_labels(truth, rng), tuple("abcdefgh"[:m]))


def surveyed(p: Predictions, spec: DiagnosisSpec = QUICK) -> Assessment:
    return assess(p, survey(p, spec))


def test_each_class_is_what_the_survey_says() -> None:
    of = surveyed(one_is_off(200))
    found = classes_by_evidence(of)
    there = {v.lens: (d, v) for d, v in zip(of.survey.diagnoses, of.verdicts, strict=True)}
    assert sorted(c.name for c in found.classes) == ["a", "b", "c", "d"]
    for c in found.classes:
        diagnosis, verdict = there[ClassLens(c.name)]
        assert c.diagram is diagnosis.reliability
        assert c.verdict is verdict
    assert found.lenses == 6


@pytest.mark.slow
def test_the_classes_that_are_off_come_first_and_of_equal_p_the_larger_gap() -> None:
    found = classes_by_evidence(surveyed(one_is_off()))
    assert {c.name for c in found.classes[:2]} == {"a", "b"}
    keys = [(c.verdict.pvalue, -c.verdict.typical_gap.value) for c in found.classes]
    assert keys == sorted(keys)
    assert found.classes[0].verdict.pvalue == found.classes[1].verdict.pvalue


@settings(FEW, max_examples=10)
@given(predictions(classes=(3, 6), cases=(2, 15)))
@pytest.mark.slow
def test_any_predictions_can_be_looked_at(p: Predictions) -> None:
    found = classes_by_evidence(surveyed(p, replace(QUICK, resamples=19, alpha=0.9)))
    assert sorted(c.name for c in found.classes) == sorted(p.class_names)
    assert not found.left_out
    assert all(c.verdict.adjusted >= c.verdict.pvalue for c in found.classes)


@pytest.mark.slow
def test_the_likeliest_twenty_are_looked_at_whatever_happened() -> None:
    rng = RNG(1)
    g = rng.dirichlet(np.r_[np.full(MOST_CLASSES, 2.0), np.full(5, 0.2)][::-1], size=60)
    p = Predictions.from_arrays(g, rng.integers(25, size=60), [f"c{k}" for k in range(25)])
    found = classes_by_evidence(surveyed(p, replace(QUICK, alpha=0.9)))
    assert found.left_out == ("c0", "c1", "c2", "c3", "c4")
    assert len(found.classes) == MOST_CLASSES
    assert found.lenses == MOST_CLASSES + 2


def test_a_survey_of_no_single_class_is_refused() -> None:
    two = Predictions.from_arrays([[0.2, 0.8], [0.6, 0.4], [0.5, 0.5]], [0, 1, 1])
    with pytest.raises(InputError, match="no single class"):
        classes_by_evidence(surveyed(two))
    p = one_is_off(60)
    with pytest.raises(InputError, match="no single class"):
        classes_by_evidence(assess(p, survey(p, QUICK, (TopKLens(1), CanonicalLens()))))
