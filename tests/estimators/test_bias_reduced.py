"""Bias-reduced calibration error: the loops, the exact mean under calibration, what happens at the edges."""

from itertools import product

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.estimators.bias_reduced import METHODS, BiasReducedECE
from calibcore.estimators.ece import ECE
from tests.oracles import literal_binary as literal

every_method = pytest.mark.parametrize("method", METHODS)


@every_method
@pytest.mark.parametrize(
    ("binning", "m"),
    [
        (UniformBinning(4), 2),
        (UniformBinning(4), 3),
        (EqualMassBinning(7), 2),
        (MedianVarianceBinning(4), 5),
        (UniformBinning(1000), 3),
    ],
    ids=str,
)
def test_estimates_against_the_literal_loops(method, binning, m) -> None:
    rng = np.random.default_rng(m)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(m), size=50), rng.integers(m, size=50))
    expected = literal.bias_reduced(
        method, binning.assign(p.probs).tolist(), p.probs.tolist(), p.labels.tolist()
    )
    assert BiasReducedECE(binning, method)(p) == pytest.approx(expected, rel=1e-11, abs=1e-14)


GROUPS = {
    # one bin of four cases, one of two, one case alone; unequal predictions within the bins
    2: [[0.3, 0.7], [0.35, 0.65], [0.22, 0.78], [0.4, 0.6], [0.81, 0.19], [0.9, 0.1], [0.55, 0.45]],
    3: [[0.3, 0.4, 0.3], [0.35, 0.25, 0.4], [0.22, 0.38, 0.4], [0.1, 0.85, 0.05], [0.2, 0.8, 0.0]],
}


@pytest.mark.parametrize("m", [2, 3])
def test_mean_under_calibration_by_every_way_the_labels_can_come_out(m: int) -> None:
    """Pairwise: 0. Bröcker: Σ_b n_b/n·(−var(g_b)/(n_b − 1)), var with n_b, summed over classes."""
    g = np.array(GROUPS[m])
    binning = UniformBinning(2)
    p = Predictions.from_arrays(g, np.zeros(len(g), int))
    labels = np.array(list(product(range(m), repeat=len(g))))
    chances = np.prod(g[np.arange(len(g)), labels], axis=1)
    assert chances.sum() == pytest.approx(1, rel=1e-12)
    expected = 0.0
    bins = binning.assign(g)
    for b in np.unique(bins):
        size = int((bins == b).sum())
        if size > 1:
            expected -= size / len(g) * g[bins == b].var(axis=0).sum() / (size - 1)
    assert expected < -1e-4
    means = {method: chances @ BiasReducedECE(binning, method).redrawn(p, labels) for method in METHODS}
    assert means["pairwise"] == pytest.approx(0, abs=1e-15)
    assert means["brocker"] == pytest.approx(expected, rel=1e-11)
    assert chances @ ECE(binning, "squared-euclidean").redrawn(p, labels) > 0.05  # what is taken away


@every_method
def test_one_case_in_a_bin_counts_for_nothing_and_keeps_its_weight(method) -> None:
    """Two equal cases at 0.5, both hits: ½ − 0 (Bröcker) or Σ r_i·r_j = ½; a third case alone: times ⅔."""
    two = Predictions.from_arrays([[0.5, 0.5]] * 2, [0, 0])
    three = Predictions.from_arrays([[0.5, 0.5], [0.5, 0.5], [0.9, 0.1]], [0, 0, 1])
    assert BiasReducedECE(method=method)(two) == pytest.approx(0.5, rel=1e-15)
    assert BiasReducedECE(method=method)(three) == pytest.approx(1 / 3, rel=1e-15)
    alone = Predictions.from_arrays([[0.1, 0.9], [0.9, 0.1]], [0, 1])
    assert BiasReducedECE(method=method)(alone) == 0


@every_method
def test_estimates_below_zero_are_shown(method) -> None:
    """One hit of two at 0.5: distance 0, less Σ_k ½·½/1 = ½."""
    p = Predictions.from_arrays([[0.5, 0.5]] * 2, [0, 1])
    assert BiasReducedECE(method=method)(p) == pytest.approx(-0.5, rel=1e-15)


def test_both_ways_agree_where_predictions_in_a_bin_are_equal() -> None:
    rng = np.random.default_rng(0)
    p = Predictions.from_arrays(np.repeat(rng.dirichlet(np.ones(3), 5), 12, axis=0), rng.integers(3, size=60))
    found = [BiasReducedECE(UniformBinning(200), method)(p) for method in METHODS]
    assert found[0] == pytest.approx(found[1], rel=1e-12)
    assert found[0] < ECE(UniformBinning(200), "squared-euclidean")(p)
