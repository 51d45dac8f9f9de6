"""What people put into their own tests and searches: a check that fails with a verdict, a score."""

import re

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

from calibcore import (
    CalibrationScorer,
    InputError,
    Predictions,
    TopKLens,
    assert_calibrated,
    diagnose,
    judge,
    survey,
)
from calibcore.settings import DiagnosisSpec


def two(n: int, off: float, seed: int = 0, zeros: bool = False) -> Predictions:
    """The event happens ``off`` more often than was said."""
    rng = np.random.default_rng(seed)
    said = rng.uniform(0.1, 0.9 - max(0.0, off), n)
    happened = rng.random(n) < said + off
    if zeros:
        said[0], happened[0] = 0.0, True
    return Predictions.from_arrays(np.column_stack([1 - said, said]), happened.astype(int), ["well", "ill"])


def test_many_calibrated_cases_pass_and_the_verdicts_come_back() -> None:
    p = two(6000, 0.0)
    found = assert_calibrated(p)
    assert [verdict.answer for verdict in found] == ["consistent"] * 2
    assert found == judge(p, survey(p))


def test_what_is_miscalibrated_fails_with_the_verdict_s_sentence() -> None:
    with pytest.raises(AssertionError, match=r"^✕ Miscalibrated\. .*typically \d+\.\d points off") as caught:
        assert_calibrated(two(1000, 0.2))
    assert "adjusted p = 0.00" in str(caught.value)


def test_too_few_cases_do_not_pass_in_silence() -> None:
    p = two(60, 0.0)
    says = r"^\? Cannot tell\. Too few cases to tell: .*60 cases.*and with cannot_tell='pass' it does"
    with pytest.raises(AssertionError, match=says):
        assert_calibrated(p)
    assert {verdict.answer for verdict in assert_calibrated(p, cannot_tell="pass")} == {"cannot-tell"}
    with pytest.raises(InputError, match="cannot_tell is 'maybe'; expected 'fail' or 'pass'"):
        assert_calibrated(p, cannot_tell="maybe")  # type: ignore[arg-type]


@pytest.mark.slow
def test_what_is_off_by_less_than_the_tolerance_passes_unless_the_impossible_happened() -> None:
    p = two(20_000, 0.02)
    (whole,) = {(verdict.answer, verdict.small) for verdict in assert_calibrated(p)[1:]}
    assert whole == ("miscalibrated", True)
    with pytest.raises(AssertionError, match="Miscalibrated"):
        assert_calibrated(p, tolerance=0.01)
    with pytest.raises(AssertionError, match="1 outcome happened that was called impossible"):
        assert_calibrated(two(20_000, 0.02, zeros=True))


def test_the_score_is_the_typical_gap_in_searches_of_scikit_learn() -> None:
    X, y = make_classification(600, 8, n_informative=3, n_classes=3, n_clusters_per_class=1, random_state=0)
    y = np.array(["low", "mid", "high"])[y]
    model = LogisticRegression()
    scores = cross_val_score(model, X, y, scoring=CalibrationScorer(), cv=3)
    assert len(scores) == 3
    assert (scores <= 0).all()
    search = GridSearchCV(model, {"C": [1e-4, 1.0]}, scoring=CalibrationScorer(TopKLens(1)), cv=3).fit(X, y)
    assert search.best_params_ == {"C": 1.0}  # the other is far too unsure
    p = Predictions.from_estimator(search, X, y)
    spec = DiagnosisSpec(lens=TopKLens(1), tests=(), estimates=(), resamples=1)
    gap = diagnose(p, spec).typical_gap
    assert gap is not None
    assert CalibrationScorer(TopKLens(1))(search, X, y) == -gap.value
    assert re.fullmatch(r"CalibrationScorer\(lens=CanonicalLens\(\)\)", repr(CalibrationScorer()))
