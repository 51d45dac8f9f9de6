"""Cox's recalibration: statsmodels, closed forms, and the limits at 0 and 1."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import brentq
from scipy.special import expit, logit

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators import recalibration
from calibcore.estimators.recalibration import (
    CalibrationInTheLarge,
    CoxRecalibration,
    calibration_in_the_large,
    cox_intercept_slope,
)
from calibcore.transforms.lenses import TopKLens
from tests.made import binary
from tests.strategies import FEW, predictions


def numbers(found: CoxRecalibration | CalibrationInTheLarge) -> list[float]:
    fields = (
        (found.cox_intercept, found.cox_slope)
        if isinstance(found, CoxRecalibration)
        else (found.intercept_with_slope_fixed_at_1,)
    )
    assert all(c is not None for c in fields), found.notes
    return [c.estimate for c in fields] + [c.standard_error for c in fields]


def undefined(found: CoxRecalibration | CalibrationInTheLarge) -> str:
    if isinstance(found, CoxRecalibration):
        assert found.cox_intercept is None
        assert found.cox_slope is None
    else:
        assert found.intercept_with_slope_fixed_at_1 is None
    return found.notes[-1]


@pytest.mark.parametrize(("n", "law", "seed"), [(60, (2, 2), 0), (500, (0.3, 0.5), 1), (3000, (0.2, 4), 2)])
def test_against_statsmodels(n, law, seed) -> None:
    models = pytest.importorskip("statsmodels.discrete.discrete_model")
    general = pytest.importorskip("statsmodels.genmod.generalized_linear_model")
    families = pytest.importorskip("statsmodels.genmod.families")
    rng = np.random.default_rng(seed)
    x = rng.beta(*law, size=n).clip(1e-9, 1 - 1e-9)
    p = binary(x, rng.random(n) < expit(0.3 + 0.7 * logit(x)))
    hits = (p.labels == 0).astype(float)
    fit = models.Logit(hits, np.column_stack([np.ones(n), logit(x)])).fit(disp=0, tol=1e-12)
    found = cox_intercept_slope(p)
    assert numbers(found) == pytest.approx([*fit.params, *fit.bse], rel=1e-6)
    intervals = [found.cox_intercept.interval, found.cox_slope.interval]
    assert np.array(intervals) == pytest.approx(fit.conf_int(), rel=1e-6, abs=1e-8)
    large = general.GLM(hits, np.ones(n), offset=logit(x), family=families.Binomial()).fit(tol=1e-12)
    assert numbers(calibration_in_the_large(p)) == pytest.approx([*large.params, *large.bse], rel=1e-6)


def test_two_predictions_by_hand() -> None:
    """A line through two points: 30 of 100 at 0.2, 60 of 100 at 0.7."""
    p = binary([0.2] * 100 + [0.7] * 100, [1] * 30 + [0] * 70 + [1] * 60 + [0] * 40)
    slope = (logit(0.6) - logit(0.3)) / (logit(0.7) - logit(0.2))
    intercept = logit(0.3) - slope * logit(0.2)
    error = (1 / 21 + 1 / 24) ** 0.5 / (logit(0.7) - logit(0.2))
    found = cox_intercept_slope(p)
    assert numbers(found)[:2] == pytest.approx([intercept, slope], rel=1e-12)
    assert found.cox_slope.standard_error == pytest.approx(error, rel=1e-10)
    assert found.cox_slope.interval == pytest.approx(
        (slope - 1.959964 * error, slope + 1.959964 * error), rel=1e-6
    )


def test_equal_predictions_by_hand() -> None:
    """25 of 100 at 0.5: the intercept is logit ¼; there is no slope."""
    p = binary([0.5] * 100, [1] * 25 + [0] * 75)
    found = calibration_in_the_large(p)
    assert numbers(found) == pytest.approx([-log(3), 1 / (100 * 0.1875) ** 0.5], rel=1e-12)
    assert "all predictions are equal" in undefined(cox_intercept_slope(p))


def test_the_two_intercepts_are_not_the_same_number() -> None:
    rng = np.random.default_rng(4)
    x = expit(1 + 2 * rng.normal(size=4000))
    p = binary(x, rng.random(4000) < expit(0.5 * logit(x)))
    intercept, slope = numbers(cox_intercept_slope(p))[:2]
    assert (intercept, slope) == pytest.approx((0, 0.5), abs=0.12)
    truth = brentq(lambda a: expit(a + logit(x)).mean() - expit(0.5 * logit(x)).mean(), -2, 2)
    large, error = numbers(calibration_in_the_large(p))
    assert truth < -0.25
    assert abs(large - truth) < 4 * error


@pytest.mark.slow
def test_intervals_cover_under_calibration() -> None:
    """400 data sets from calibrated predictions: each 95 % interval holds its 0, 1, 0 about 380 times."""
    rng = np.random.default_rng(5)
    x = rng.beta(2, 2, size=300)
    covered = np.zeros(3)
    for _ in range(400):
        p = binary(x, rng.random(300) < x)
        cox, large = cox_intercept_slope(p), calibration_in_the_large(p)
        coefficients = cox.cox_intercept, cox.cox_slope, large.intercept_with_slope_fixed_at_1
        for k, (c, truth) in enumerate(zip(coefficients, (0, 1, 0), strict=True)):
            covered[k] += c.interval[0] <= truth <= c.interval[1]
    assert np.all(np.abs(covered / 400 - 0.95) < 4 * (0.95 * 0.05 / 400) ** 0.5)


def clipped(p: Predictions, at: float) -> Predictions:
    return binary(p.probs[:, 0].clip(at, 1 - at), p.labels == 0)


def mixed(certain, outcomes) -> Predictions:
    rng = np.random.default_rng(6)
    x = rng.uniform(0.1, 0.9, size=200)
    hits = rng.random(200) < x
    return binary(np.concatenate([x, certain]), np.concatenate([hits, outcomes]))


def test_certain_predictions_that_came_true_are_the_limit_of_clipping() -> None:
    p = mixed([0.0, 0.0, 1.0], [0, 0, 1])
    found = cox_intercept_slope(p)
    assert found.notes == ("3 predictions of 0 or 1 came true and were left out: their logits are infinite.",)
    assert numbers(found) == pytest.approx(numbers(cox_intercept_slope(clipped(p, 1e-15))), rel=1e-9)
    large = calibration_in_the_large(p)
    assert numbers(large) == pytest.approx(numbers(calibration_in_the_large(clipped(p, 1e-15))), rel=1e-9)


def test_certain_predictions_that_did_not_come_true() -> None:
    """In the large they count, right or wrong, as the limit of clipping; no slope is defined."""
    p = mixed([0.0, 1.0, 1.0, 1.0], [0, 0, 0, 1])
    large = calibration_in_the_large(p)
    assert numbers(large) == pytest.approx(numbers(calibration_in_the_large(clipped(p, 1e-15))), rel=1e-9)
    assert numbers(large)[0] < numbers(calibration_in_the_large(mixed([0.0], [0])))[0] - 0.02
    assert "2 predictions of 0 or 1 did not come true" in undefined(cox_intercept_slope(p))


def test_what_is_not_defined_says_why() -> None:
    apart = binary([0.2, 0.3, 0.7, 0.8], [0, 0, 1, 1])
    touching = binary([0.2, 0.5, 0.5, 0.8], [0, 0, 1, 1])
    turned = binary([0.2, 0.3, 0.7, 0.8], [1, 1, 0, 0])
    for p in (apart, touching, turned):
        assert "separates the outcomes" in undefined(cox_intercept_slope(p))
        assert numbers(calibration_in_the_large(p))
    hits = binary([0.2, 0.3], [1, 1])
    assert "all outcomes" in undefined(cox_intercept_slope(hits))
    assert "all outcomes" in undefined(calibration_in_the_large(hits))
    certain = binary([0.0, 1.0], [0, 1])
    assert "Every prediction is 0 or 1" in undefined(calibration_in_the_large(certain))
    outweighed = binary([0.5, 1.0, 1.0, 0.3], [1, 0, 0, 0])
    assert "outweigh" in undefined(calibration_in_the_large(outweighed))
    falling = binary([0.2, 0.4, 0.6, 0.8, 1.0], [1, 1, 0, 1, 1])
    assert "not above 0" in undefined(cox_intercept_slope(falling))
    faint = Predictions.from_arrays([[1 - 1e-300, 1e-300], [1e-300, 1 - 1e-300]], [0, 1])
    assert "so close to 0 and 1" in undefined(calibration_in_the_large(faint))


def test_a_fit_that_does_not_settle_is_not_shown(monkeypatch) -> None:
    p = mixed([], [])
    assert numbers(cox_intercept_slope(p))
    monkeypatch.setattr(recalibration, "_STEPS", 2)
    assert "did not settle" in undefined(cox_intercept_slope(p))


@pytest.mark.parametrize("seed", range(20))
def test_heavy_tails_and_lone_outliers(seed) -> None:
    """Logits up to 700, a few cases: the score equations hold, or outcomes are separated."""
    rng = np.random.default_rng(seed)
    logits = np.clip(np.exp(rng.normal(scale=3, size=9)) * rng.choice([-1, 1], size=9), -700, 700)
    p = Predictions.from_arrays(np.column_stack([expit(logits), expit(-logits)]), rng.integers(2, size=9))
    found = cox_intercept_slope(p)
    if found.cox_slope is None:
        assert "separates" in found.notes[0] or "all outcomes" in found.notes[0]
        return
    intercept, slope = numbers(found)[:2]
    off = (p.labels == 0) - expit(intercept + slope * logits)
    assert abs(off.sum()) < 1e-9
    assert abs((off * logits).sum()) < 1e-9 * np.abs(logits).max()


def test_two_classes_only() -> None:
    p = Predictions.from_arrays([[0.2, 0.3, 0.5]], [0])
    for fit in (cox_intercept_slope, calibration_in_the_large):
        with pytest.raises(InputError, match="two classes"):
            fit(p)


@given(p=predictions(classes=(2, 2), cases=(2, 20)))
@FEW
def test_any_predictions_give_finite_numbers_or_a_reason(p: Predictions) -> None:
    for fit in (cox_intercept_slope, calibration_in_the_large):
        found, turned = fit(p), fit(p.with_rows(np.arange(p.n)[::-1]))
        if "Not defined" in " ".join(found.notes) or "Every prediction" in " ".join(found.notes):
            assert undefined(found) == undefined(turned)
            continue
        assert np.all(np.isfinite(numbers(found)))
        assert numbers(turned) == pytest.approx(numbers(found), rel=1e-6, abs=1e-8)
        assert numbers(fit(p.with_rows(np.repeat(np.arange(p.n), 2))))[0] == pytest.approx(
            numbers(found)[0], rel=1e-6, abs=1e-8
        )


def test_the_score_equations_hold_at_the_fit() -> None:
    rng = np.random.default_rng(7)
    x = expit(rng.normal(scale=8, size=200))
    p = binary(x, rng.random(200) < expit(1 + 0.2 * logit(x)))
    intercept, slope = numbers(cox_intercept_slope(p))[:2]
    off = (p.labels == 0) - expit(intercept + slope * np.log(p.probs[:, 0] / p.probs[:, 1]))
    assert abs(off.sum()) < 1e-9
    assert abs((off * logit(x)).sum()) < 1e-7


def test_values_that_differ_by_rounding_alone_do_not_hide_that_the_slope_is_infinite() -> None:
    hit = [0.05] * 10 + [0.3] * 5 + [0.95] * 10  # through the lens of confidence: 0.95, 0.7 and 0.95
    labels = [1] * 15 + [0] * 9 + [1]
    p = Predictions.from_arrays([[x, 1 - x] for x in hit], labels)
    found = cox_intercept_slope(TopKLens(1)(p))
    assert found.cox_slope is None
    assert "separates the outcomes" in found.notes[0]
