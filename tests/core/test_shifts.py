"""Shifts by chance alone: against the law by plain convolution, and on simulated calibrated models."""

import math

import numpy as np
import pytest

from calibcore import shifts
from calibcore.binning import SimplexBinning, UniformBinning
from calibcore.predictions import Predictions
from calibcore.reliability import Reliability, reliability
from calibcore.shifts import shifts_by_chance

FOUR = SimplexBinning(4)


def diagram(g, rng, binning=FOUR) -> Reliability:
    labels = (rng.random((len(g), 1)) >= g.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return reliability(Predictions.from_arrays(g, labels), binning, n_resamples=1)


def sure(rng, n: int, m: int):
    """Two classes that the model is sure of, and others that it hardly gives a chance."""
    g = np.full((n, m), 2e-4)
    g[np.arange(n), rng.integers(2, size=n)] = 1
    return g / g.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    "make", [lambda rng: rng.dirichlet((0.5, 0.8, 1.2), 40), lambda rng: sure(rng, 60, 3)]
)
def test_the_bound_is_the_quantile_of_the_law_of_the_bins(make) -> None:
    rng = np.random.default_rng(3)
    found = diagram(make(rng), rng)
    n = found.n_cases
    for c, bound in enumerate(shifts_by_chance(found, 0.06)):
        law = np.ones(1)
        for p, cases in zip(found.mean_prediction[:, c], found.counts, strict=True):
            for _ in range(cases):
                law = np.convolve(law, [1 - p, p])
        off = np.arange(n + 1) - found.counts @ found.mean_prediction[:, c]
        sides = [law[off > n * bound + 1e-9].sum(), law[off < -n * bound - 1e-9].sum()]
        assert max(sides) <= 0.01 + 1e-12
        nearer = [law[off > n * bound - 1 - 1e-9].sum(), law[off < -n * bound + 1 + 1e-9].sum()]
        assert max(nearer) > 0.01


def test_of_many_hits_it_is_the_normal_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    found = diagram(rng.dirichlet((2, 3, 4), 2_000), rng)
    exact = shifts_by_chance(found)
    monkeypatch.setattr(shifts, "MANY_HITS", 10)
    said = found.mean_prediction
    by_hand = 2.393980 * np.sqrt(found.counts @ (said * (1 - said))) / found.n_cases
    assert shifts_by_chance(found) == pytest.approx(by_hand, rel=1e-6)
    assert exact == pytest.approx(by_hand, abs=1.5 / found.n_cases)


@pytest.mark.parametrize(
    ("make", "binning"),
    [
        (lambda rng: rng.dirichlet((0.5, 0.8, 1.2), size=80), FOUR),
        (lambda rng: sure(rng, 300, 3), FOUR),
        (lambda rng: sure(rng, 300, 4), UniformBinning(5)),
    ],
)
def test_chance_alone_explains_the_shifts_of_calibrated_models(make, binning) -> None:
    """300 sets, all classes together; counts of rare classes are not normal."""
    rng = np.random.default_rng(20261121)
    beyond = 0
    for _ in range(300):
        found = diagram(make(rng), rng, binning)
        beyond += bool((np.abs(found.shifts) > shifts_by_chance(found) + 1e-12).any())
    assert beyond <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)


def test_sure_predictions_do_not_shift() -> None:
    g = np.eye(3)[[0, 1, 2, 0]]
    assert shifts_by_chance(
        reliability(Predictions.from_arrays(g, [0, 1, 2, 0]), SimplexBinning(2))
    ).tolist() == [0, 0, 0]
