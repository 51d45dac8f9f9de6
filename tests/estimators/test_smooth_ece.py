"""Smooth ECE: the integral by brute force, closed forms, and how far the grid can put it off."""

from math import erf, sqrt

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import brentq

from calibcore.data.predictions import Predictions
from calibcore.estimators import smooth_ece as module
from calibcore.estimators.smooth_ece import GRID, SmoothECE
from calibcore.transforms.redraws import redrawn_labels
from tests.made import binary
from tests.oracles import literal_binary as literal
from tests.strategies import FEW, predictions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "n"), [((2, 2), 40), ((0.3, 0.5), 40), ((1, 6), 25), ((8, 1), 12), ((1, 1), 3)]
)
def test_estimates_against_the_integral_by_brute_force(law, n) -> None:
    rng = np.random.default_rng(n)
    x = rng.beta(*law, size=n)
    for hits in (rng.random(n) < x, rng.random(n) < 0.5, rng.random(n) < x**2):
        expected = literal.smooth_ece(x.tolist(), hits.tolist())
        assert SmoothECE()(binary(x, hits)) == pytest.approx(expected, abs=2e-6)


@given(p=predictions(classes=(2, 2), cases=(1, 8)))
@FEW
def test_estimates_with_ties_zeros_and_ones_against_brute_force(p: Predictions) -> None:
    hits = (p.labels == 0).tolist()
    found = SmoothECE()(p)
    if literal.smooth_ece_at(2e-3, p.probs[:, 0].tolist(), hits) > 2e-3:
        assert found == pytest.approx(literal.smooth_ece(p.probs[:, 0].tolist(), hits), abs=2e-6)
    else:
        assert found < 2.1e-3


def test_residuals_of_one_sign_give_their_mean() -> None:
    """Every kernel integrates to 1, whatever σ."""
    x = np.array([0.0, 0.013, 0.4, 0.77, 0.999])
    for hits in (np.zeros(5), np.ones(5)):
        assert SmoothECE()(binary(x, hits)) == pytest.approx(abs((hits - x).mean()), abs=1e-7)


def test_residuals_that_cancel_at_every_prediction_give_zero() -> None:
    assert SmoothECE()(binary([0.25] * 4 + [0.5] * 2, [1, 0, 0, 0, 1, 0])) == 0


@pytest.mark.parametrize("apart", 10.0 ** np.arange(-9, -1))
def test_what_the_grid_can_put_off(apart: float) -> None:
    """Opposite residuals of ±a at two neighbours: 2a·erf(δ/(2√2σ)) = σ, about 0.5 away from the borders."""
    x = np.array([0.5 - apart / 2, 0.5 + apart / 2])
    a = (0.5 + apart / 2) / 2
    exact = brentq(lambda s: 2 * a * erf(apart / (2 * sqrt(2) * s)) - s, 1e-7, 1, xtol=1e-12)
    worst = 1 / (2 * GRID) + 1e-6
    found = SmoothECE()(binary(x, [1, 0]))
    # The images beyond 0 and 1 are 0.5 away: nothing below σ = 0.06.
    assert abs(found - exact) < (worst if exact < 0.06 else 2e-3)
    if exact > 3e-3:
        assert found == pytest.approx(exact, rel=1e-3)
    assert worst < 1e-4


def test_a_finer_grid_finds_the_same(monkeypatch) -> None:
    rng = np.random.default_rng(5)
    x = rng.beta(0.2, 2, size=3000)
    p = binary(x, rng.random(3000) < x)
    coarse = SmoothECE()(p)
    monkeypatch.setattr(module, "GRID", 8 * GRID)
    assert coarse == pytest.approx(SmoothECE()(p), abs=2e-6)


def test_it_is_a_fixed_point_and_falls_with_the_bandwidth() -> None:
    rng = np.random.default_rng(6)
    x = rng.random(60)
    hits = (rng.random(60) < 0.5).tolist()
    at = [literal.smooth_ece_at(s, x.tolist(), hits) for s in (0.01, 0.03, 0.1, 0.3, 1.0)]
    assert np.all(np.diff(at) < 0)
    found = SmoothECE()(binary(x, hits))
    assert literal.smooth_ece_at(found, x.tolist(), hits) == pytest.approx(found, abs=2e-6)


def test_predictions_a_little_above_1() -> None:
    p = Predictions.from_arrays([[1 + 9e-6, 0.0], [0.5, 0.5 + 9e-6]], [0, 1])
    assert SmoothECE()(p) == pytest.approx(SmoothECE()(binary([1, 0.5], [1, 0])), abs=1e-5)


def test_redraws_of_ten_thousand_cases() -> None:
    rng = np.random.default_rng(7)
    x = rng.beta(2, 2, size=10_000)
    p = binary(x, rng.random(10_000) < x)
    labels = np.concatenate(list(redrawn_labels(p, 200, rng)))
    found = SmoothECE().redrawn(p, labels)
    assert 0.005 < found.min() < SmoothECE()(p) * 3
