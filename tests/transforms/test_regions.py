"""Regions of the simplex: conditioning on predictions keeps calibration (statistics: region A)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ConsistencyTest, ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import CanonicalLens, PooledLens, RegionLens, TopKLens
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
ALL = CanonicalLens()
P = Predictions.from_arrays([[0.3, 0.7], [0.5, 0.5], [0.9, 0.1]], [0, 1, 0], ("a", "b"))


@FEW
@given(predictions(), st.data())
def test_regions_of_regions_keep_what_is_in_both(p: Predictions, data) -> None:
    bounds = st.tuples(*[st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])] * 2).map(sorted)
    (a, b), (c, d) = data.draw(bounds), data.draw(bounds)
    first, last = p.class_names[0], p.class_names[-1]
    both = [i for i in range(p.n) if a <= p.probs[i, 0] <= b and c <= p.probs[i, -1] <= d]
    for lens in (
        RegionLens(RegionLens(TopKLens(1), last, c, d), first, a, b),
        RegionLens(RegionLens(TopKLens(1), first, a, b), last, c, d),
    ):
        if both:
            assert lens(p).fingerprint == TopKLens(1)(p.with_rows(np.array(both))).fingerprint
        else:
            with pytest.raises(InputError, match="The region is empty"):
                lens(p)


def test_the_whole_simplex_is_a_region() -> None:
    for name in P.class_names:
        assert RegionLens(ALL, name, 0, 1)(P).fingerprint == ALL(P).fingerprint


def test_a_region_of_one_case_gives_what_one_case_gives() -> None:
    """Documented: binned estimates and their tests are defined, kernel estimates need pairs."""
    one = RegionLens(ALL, "a", 0.4, 0.6)(P)
    assert one.n == 1
    assert ECE()(one) == 0.5
    assert ExactTest(ECE(), 19)(one, RNG(0)).pvalue == 1
    assert ConsistencyTest(ECE(), 19)(one, RNG(0)).pvalue == 1
    assert reliability(one, UniformBinning(3)).n_bins == 1
    for estimator in ("unbiased", "linear"):
        with pytest.raises(InputError, match="needs at least 2"):
            ExactTest(SKCE(ExponentialKernel(1.0), estimator), 19)(one, RNG(0))
    with pytest.raises(InputError):
        SKCE()(one)  # no pair to take a median over


def test_in_a_region_of_equal_cases_any_bandwidth_gives_the_same() -> None:
    same = RegionLens(ALL, "a", 0.2, 0.4)(P.with_rows(np.array([0, 0, 0, 1])))
    assert same.n == 3
    for bandwidth in ("median", 1.0, 0.01):
        assert SKCE(ExponentialKernel(bandwidth))(same) == pytest.approx(2 * 0.7**2)


def test_bounds_are_compared_with_the_probabilities_of_the_class_as_they_are() -> None:
    assert_array_equal(RegionLens(ALL, "a", 0.3, 0.9).rows(P), [0, 1, 2])
    assert_array_equal(RegionLens(ALL, "a", np.nextafter(0.3, 1), np.nextafter(0.9, 0)).rows(P), [1])
    with pytest.raises(InputError, match=r"from 0\.6 to 0\.8; they go from 0\.3 to 0\.9"):
        RegionLens(ALL, "a", 0.6, 0.8)(P)


def test_the_region_of_pooled_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="Take rows or a region before pooling"):
        RegionLens(ALL, "hit", 0, 1)(PooledLens()(P))


@pytest.mark.some(1)
@pytest.mark.parametrize("lens", [ALL, TopKLens(1), PooledLens()], ids=lambda lens: lens.kind)
def test_exact_tests_keep_their_level_in_a_region(lens) -> None:
    """200 calibrated data sets, only the cases whose first class is unlikely; 3.5 standard deviations."""
    rng = RNG(31)
    region = RegionLens(lens, "1", 0.0, 0.3)
    pvalues = []
    for _ in range(200):
        p = region(w19_model("M1", 80, 3, rng))
        pvalues.append(ExactTest(SKCE(ExponentialKernel(0.3)), 99)(p, rng).pvalue)
    for alpha in (0.05, 0.2, 0.5):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / 200)
        assert abs(np.mean(np.array(pvalues) <= alpha) - alpha) <= tolerance


def test_a_subgroup_chosen_by_labels_would_not_keep_it() -> None:
    """That the check above can fail: cases of the first class only, every one of them calibrated or not."""
    rng = RNG(32)
    found = []
    for _ in range(20):
        p = w19_model("M1", 80, 3, rng)
        chosen = p.with_rows(np.flatnonzero(p.labels == 0))
        found.append(ExactTest(SKCE(ExponentialKernel(0.3)), 99)(chosen, rng).pvalue <= 0.05)
    assert np.mean(found) > 0.5
