"""CORP curve and decomposition: the max-min formula, closed forms, and that it adds up."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibcore.data.predictions import Predictions
from calibcore.diagram.curves import reliability_curve
from calibcore.errors import InputError
from calibcore.estimators.corp import CORPMiscalibration, corp_decomposition
from calibcore.estimators.scores import brier, log_loss
from tests.made import binary
from tests.oracles import literal_binary as literal
from tests.strategies import FEW, predictions

SCORES = {"brier": brier, "log-loss": log_loss}
every_score = pytest.mark.parametrize("score", SCORES)


@pytest.mark.parametrize("seed", range(4))
@every_score
def test_decomposition_against_the_max_min_formula(score, seed) -> None:
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(0.02, 0.98, size=30), 1 + seed % 2).clip(0.01, 0.99)  # ties
    hits = rng.random(30) < x**1.5

    def per_case(p: float, hit: bool) -> float:
        if score == "brier":
            return literal.brier_of_two(p, hit)
        return 0.0 if p == float(hit) else literal.log_loss_of_two(p, hit)

    expected = literal.corp(x.tolist(), hits.tolist(), per_case)
    found = corp_decomposition(binary(x, hits), score)
    parts = found.score, found.miscalibration, found.discrimination, found.uncertainty
    assert parts == pytest.approx(expected, rel=1e-11, abs=1e-14)


@every_score
@given(p=predictions(classes=(2, 2)))
@FEW
def test_it_adds_up_and_no_part_is_negative(score, p: Predictions) -> None:
    """Zeros and ones, right and wrong: the log loss costs 744.4 nats where it would be infinite."""
    found = corp_decomposition(p, score)
    assert found.score == SCORES[score](p)
    total = found.miscalibration - found.discrimination + found.uncertainty
    assert total == pytest.approx(found.score, rel=1e-13, abs=1e-15)
    assert min(found.miscalibration, found.discrimination) >= -1e-13
    base = float(np.mean(p.labels == 0))
    if score == "brier":
        assert found.uncertainty == pytest.approx(2 * base * (1 - base), abs=1e-15)
    elif 0 < base < 1:
        assert found.uncertainty == pytest.approx(-base * log(base) - (1 - base) * log(1 - base), rel=1e-13)
    else:
        assert found.uncertainty == 0
    if score == "brier":
        assert CORPMiscalibration()(p) == pytest.approx(found.miscalibration, rel=1e-12, abs=1e-13)


@every_score
@given(p=predictions(classes=(2, 2)), power=st.sampled_from([0.5, 2.0, 3.0]))
@FEW
def test_discrimination_sees_only_the_order_of_predictions(score, p: Predictions, power) -> None:
    x = p.probs[:, 0]
    moved = binary(x**power, p.labels == 0)
    if len(np.unique(np.round(x**power, 9))) < len(np.unique(np.round(x, 9))):
        return
    first, second = corp_decomposition(binary(x, p.labels == 0), score), corp_decomposition(moved, score)
    assert second.discrimination == pytest.approx(first.discrimination, abs=1e-12)


@every_score
def test_calibrated_to_the_letter(score) -> None:
    """2 of 8 at 0.25, 3 of 4 at 0.75: nothing to recalibrate."""
    p = binary([0.25] * 8 + [0.75] * 4, [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0])
    found = corp_decomposition(p, score)
    assert found.miscalibration == pytest.approx(0, abs=1e-15)
    assert found.discrimination == pytest.approx(found.uncertainty - found.score, rel=1e-13)


def test_order_turned_round_leaves_no_discrimination() -> None:
    p = binary([0.2, 0.2, 0.8, 0.8], [1, 1, 0, 0])
    assert reliability_curve(p, "isotonic", n_resamples=1).observed.tolist() == [0.5, 0.5]
    assert corp_decomposition(p).discrimination == 0
    assert corp_decomposition(p).miscalibration == pytest.approx(2 * (0.64 - 0.25), rel=1e-14)


def test_curve_pools_equal_predictions_first() -> None:
    """Pooled as it stood in the file the curve would follow the order of rows; 0.1 + 0.2 is 0.3."""
    p = binary([0.3, 0.1 + 0.2, 0.3, 0.9, 0.1], [0, 1, 1, 1, 0])
    curve = reliability_curve(p, "isotonic", n_resamples=1)
    assert curve.predicted == pytest.approx([0.1, 0.3, 0.9])
    assert curve.counts.tolist() == [1, 3, 1]
    assert curve.observed == pytest.approx([0, 2 / 3, 1])
    # And so does the decomposition.
    assert corp_decomposition(p).miscalibration == pytest.approx(
        corp_decomposition(p).score - 2 * (3 * (2 / 3) * (1 / 3)) / 5
    )


@given(p=predictions(classes=(2, 2)))
@FEW
def test_curve_rises_and_keeps_the_mean(p: Predictions) -> None:
    curve = reliability_curve(p, "isotonic", n_resamples=1)
    assert np.all(np.diff(curve.predicted) > 0)
    assert np.all(np.diff(curve.observed) >= 0)
    assert curve.observed.min() >= 0
    assert curve.observed.max() <= 1
    hits = float((p.labels == 0).sum())
    assert curve.observed @ curve.counts == pytest.approx(hits, abs=1e-10)


def test_what_cannot_be_decomposed() -> None:
    three = Predictions.from_arrays([[0.2, 0.3, 0.5]], [0])
    with pytest.raises(InputError, match="two classes"):
        corp_decomposition(three)
