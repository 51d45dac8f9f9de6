"""Classwise and top-label ECE: the loops, the marginals one by one, what sets them apart from confidence."""

import numpy as np
import pytest
from hypothesis import given

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.ece import ECE
from calibcore.transforms.lenses import ClassLens, TopKLens
from tests.oracles import literal_binary as literal
from tests.strategies import FEW, predictions


@given(p=predictions(classes=(2, 6)))
@FEW
def test_estimates_against_the_literal_loops(p: Predictions) -> None:
    g, y = p.probs.tolist(), p.labels.tolist()
    for n_bins in (1, 5, 10):
        assert ClasswiseECE(UniformBinning(n_bins))(p) == pytest.approx(
            literal.classwise(n_bins, g, y), abs=1e-13
        )
        assert TopLabelECE(UniformBinning(n_bins))(p) == pytest.approx(
            literal.top_label(n_bins, g, y), abs=1e-13
        )


@pytest.mark.parametrize(
    "binning", [UniformBinning(10), EqualMassBinning(6), MedianVarianceBinning(5)], ids=lambda b: b.kind
)
def test_classwise_is_the_mean_of_the_marginals_and_top_label_of_the_predicted_classes(binning) -> None:
    rng = np.random.default_rng(1)
    p = Predictions.from_arrays(rng.dirichlet(np.full(4, 0.5), size=120), rng.integers(4, size=120))
    marginals = [ECE(binning)(ClassLens(name)(p)) for name in p.class_names]
    assert ClasswiseECE(binning)(p) == pytest.approx(np.mean(marginals), abs=1e-14)
    best = p.probs.argmax(axis=1)
    given_class = [
        np.count_nonzero(best == k) / 120 * ECE(binning)(TopKLens(1)(p.with_rows(np.flatnonzero(best == k))))
        for k in range(4)
    ]
    assert TopLabelECE(binning)(p) == pytest.approx(sum(given_class), abs=1e-14)


def test_rows_that_miss_the_sum_by_rounding() -> None:
    """|r̂ − ḡ| of the class itself; half of what its complement misses may lie between it and the lens."""
    rng = np.random.default_rng(2)
    g = rng.dirichlet(np.ones(3), size=80) * (1 + rng.uniform(-9e-6, 9e-6, size=(80, 1)))
    p = Predictions.from_arrays(g, rng.integers(3, size=80))
    expected = literal.classwise(10, p.probs.tolist(), p.labels.tolist())
    assert ClasswiseECE()(p) == pytest.approx(expected, abs=1e-14)
    assert ClasswiseECE()(p) == pytest.approx(np.mean([ECE()(ClassLens(k)(p)) for k in "012"]), abs=1e-5)


def test_two_classes_that_are_off_in_opposite_ways() -> None:
    """Confidence 0.8 for both: 10 of 10 right for one class, 6 of 10 for the other. Together 16 of 20."""
    g = [[0.8, 0.2]] * 10 + [[0.2, 0.8]] * 10
    p = Predictions.from_arrays(g, [0] * 10 + [1] * 6 + [0] * 4)
    assert ECE()(TopKLens(1)(p)) == pytest.approx(0, abs=1e-15)
    assert TopLabelECE()(p) == pytest.approx(0.2, rel=1e-14)


def test_three_cases_by_hand() -> None:
    """Class 0: 0.6, 0.6, 0.1 (hit, miss, miss): (|1 − 1.2| + |0 − 0.1|)/3 = 0.1; class 2 is never seen."""
    p = Predictions.from_arrays([[0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.1, 0.8, 0.1]], [0, 1, 1])
    by_hand = (0.2 + 0.1) / 3, (0.2 + 0.2) / 3, (0.0 + 0.1) / 3
    assert ClasswiseECE(UniformBinning(10))(p) == pytest.approx(sum(by_hand) / 3, rel=1e-13)
    assert TopLabelECE(UniformBinning(10))(p) == pytest.approx((0.2 + 0.2) / 3, rel=1e-13)
