"""Shifts by chance alone: against the law by plain convolution, and on simulated calibrated models."""

import math

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram import bars
from calibcore.diagram.bars import shifts_by_chance
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability

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
def test_the_bound_is_the_quantile_of_the_law_of_the_hits(make) -> None:
    g = make(np.random.default_rng(3))
    n = len(g)
    for c, bound in enumerate(shifts_by_chance(g, 0.06)):
        law = np.ones(1)
        for p in g[:, c]:
            law = np.convolve(law, [1 - p, p])
        off = np.arange(n + 1) - g[:, c].sum()
        sides = [law[off > n * bound + 1e-9].sum(), law[off < -n * bound - 1e-9].sum()]
        assert max(sides) <= 0.01 + 1e-12
        nearer = [law[off > n * bound - 1 - 1e-9].sum(), law[off < -n * bound + 1 + 1e-9].sum()]
        assert max(nearer) > 0.01


def test_of_many_hits_it_is_the_normal_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    g = np.random.default_rng(4).dirichlet((2, 3, 4), 2_000)
    exact = shifts_by_chance(g)
    monkeypatch.setattr(bars, "MANY_HITS", 10)
    by_hand = 2.393980 * np.sqrt((g * (1 - g)).sum(axis=0)) / len(g)
    assert shifts_by_chance(g) == pytest.approx(by_hand, rel=1e-6)
    assert exact == pytest.approx(by_hand, abs=1.5 / len(g))


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("make", "binning"),
    [
        (lambda rng: rng.dirichlet((0.5, 0.8, 1.2), size=80), FOUR),
        (lambda rng: sure(rng, 300, 3), FOUR),
        (lambda rng: sure(rng, 300, 4), UniformBinning(5)),
        (lambda rng: sure(rng, 300, 3), MedianVarianceBinning(15)),
    ],
)
@pytest.mark.slow
def test_chance_alone_explains_the_shifts_of_calibrated_models(make, binning) -> None:
    """300 sets, all classes together; counts of rare classes are not normal."""
    rng = np.random.default_rng(20261121)
    beyond = 0
    for _ in range(300):
        found = diagram(make(rng), rng, binning)
        assert found.shifts_by_chance is not None
        beyond += bool((np.abs(found.shifts) > found.shifts_by_chance + 1e-12).any())
    assert beyond <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)


@pytest.mark.some(1)
@pytest.mark.parametrize("n", [100, 1_000])
def test_a_bin_of_unlike_cases_does_not_widen_it(n: int) -> None:
    """Sure of one class or another: one bin holds all, and its mean prediction is sure of none."""
    rng = np.random.default_rng(n)
    g = np.where(np.arange(3) == rng.integers(3, size=n)[:, None], 0.98, 0.01)
    found = diagram(g, rng, MedianVarianceBinning(n // 2))
    assert found.n_bins == 1
    drawn = np.array([diagram(g, rng, UniformBinning(1)).shifts for _ in range(400)])
    at_most = np.quantile(np.abs(drawn), 1 - 0.05 / 3, axis=0)
    assert found.shifts_by_chance == pytest.approx(at_most, rel=0.35)


def test_it_is_known_where_arrows_are_drawn() -> None:
    rng = np.random.default_rng(1)
    for m, known in ((2, False), (3, True), (4, True), (5, False)):
        found = diagram(rng.dirichlet(np.ones(m), 20), rng, UniformBinning(2))
        assert (found.shifts_by_chance is not None) == known
    heavy = Predictions.from_arrays(np.full((4, 3), 1 / 3), [0, 1, 2, 0], weights=[1, 2, 1, 1])
    assert reliability(heavy, UniformBinning(2)).shifts_by_chance is None


def test_sure_predictions_do_not_shift() -> None:
    assert shifts_by_chance(np.eye(3)[[0, 1, 2, 0]]).tolist() == [0, 0, 0]
