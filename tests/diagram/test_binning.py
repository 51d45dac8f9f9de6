"""Binnings against their literal definitions, and where values lie on an edge."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.errors import InputError
from calibcore.transforms.lenses import GroupsLens, TopKLens
from tests.cases import each
from tests.oracles import literal_binning as literal
from tests.strategies import FEW, probabilities

ALL = (
    UniformBinning(7),
    EqualMassBinning(4),
    SimplexBinning(5),
    MedianVarianceBinning(2),
    MedianVarianceBinning(1, max_bins=3),
    MeanVarianceBinning(4),
)


def two(*values: float) -> np.ndarray:
    """Two-class predictions from their first component."""
    return np.column_stack([values, 1 - np.array(values)])


def partition(index: np.ndarray) -> literal.Partition:
    return {frozenset(np.flatnonzero(index == b).tolist()) for b in np.unique(index)}


def exact(g: np.ndarray) -> literal.Rows:
    """The fractions that were meant: 0.1 is 1/10."""
    return [[Fraction(p).limit_denominator(100_000) for p in row] for row in g.tolist()]


# Every binning.


@FEW
@given(st.sampled_from(ALL), probabilities(), st.randoms(use_true_random=False))
def test_bins_follow_the_cases_when_rows_change_their_order(binning: Binning, g: np.ndarray, random):
    if not binning.fits(g.shape[1]):
        return
    order = list(range(len(g)))
    random.shuffle(order)
    shuffled = binning.assign(g[order])
    back = np.empty_like(shuffled)
    back[order] = shuffled
    assert partition(back) == partition(binning.assign(g))


@FEW
@given(st.sampled_from(ALL), probabilities())
def test_every_case_has_a_bin_and_equal_cases_share_it(binning: Binning, g: np.ndarray):
    if not binning.fits(g.shape[1]):
        return
    before = g.tobytes()
    g.flags.writeable = False
    index = binning.assign(g)
    assert index.shape == (len(g),)
    assert index.dtype == np.int64
    assert index.min() >= 0
    _, same = np.unique(g, axis=0, return_inverse=True)
    assert len(set(zip(same.tolist(), index.tolist(), strict=True))) == len(set(same.tolist()))
    assert g.tobytes() == before


@pytest.mark.parametrize("binning", [b for b in ALL if b.fits(2)], ids=repr)
def test_two_classes_are_binned_by_the_first_component_alone(binning: Binning):
    x = np.round(np.random.default_rng(0).random(60), 1)
    other = np.random.default_rng(1).random(60)
    assert_array_equal(binning.assign(np.column_stack([x, other])), binning.assign(two(*x)))


def test_how_many_classes_fit():
    assert [[b.fits(m) for m in (2, 3, 4, 1000)] for b in ALL] == [
        [True, True, True, True],
        [True, False, False, False],
        [False, True, False, False],
        [True, True, True, True],
        [True, True, True, True],
        [True, True, True, True],
    ]
    with pytest.raises(InputError, match="Equal-mass bins need a lens with two classes; this one has 3"):
        EqualMassBinning(4).assign(np.eye(3))
    for m in (2, 4):
        with pytest.raises(InputError, match=f"Simplex bins need three classes; this lens has {m}"):
            SimplexBinning(4).assign(np.eye(m))


def test_settings_that_make_no_bins_are_refused():
    makers = [UniformBinning, EqualMassBinning, SimplexBinning, MedianVarianceBinning, MeanVarianceBinning]
    for maker in makers:
        for value in (0, -3):
            with pytest.raises(InputError, match=f"is {value}; expected [12] or more"):
                maker(value)
    with pytest.raises(InputError, match="number of bins is 0"):
        MedianVarianceBinning(10, max_bins=0)
    with pytest.raises(InputError, match="threshold is 1; expected 2"):
        MeanVarianceBinning(1)


def test_which_bins_depend_on_the_other_cases():
    assert [b.adaptive for b in ALL] == [False, True, False, True, True, True]
    g = np.random.default_rng(2).dirichlet(np.ones(3), 40)
    for binning in (UniformBinning(4), SimplexBinning(4)):
        alone = [
            {i for i in range(40) if binning.assign(g[[i, j]])[0] == binning.assign(g[[i, j]])[1]}
            for j in (0, 1)
        ]
        together = binning.assign(g)
        assert alone == [set(np.flatnonzero(together == together[j]).tolist()) for j in (0, 1)]


# Uniform.


@FEW
@given(probabilities(), st.integers(1, 20))
def test_uniform_against_its_definition(g: np.ndarray, n_bins: int):
    assert partition(UniformBinning(n_bins).assign(g)) == literal.uniform(exact(g), n_bins)


@each("n_bins", [1, 2, 3, 7, 10, 15, 20, 25, 40, 100])
@each("decimals", [1, 2, 3])
def test_typed_decimals_lie_on_the_edges_they_name(n_bins: int, decimals: int):
    whole = range(10**decimals + 1)
    x = [float(f"{w / 10**decimals:.{decimals}f}") for w in whole]
    bins = UniformBinning(n_bins).assign(two(*x))
    assert bins.tolist() == [literal.interval(Fraction(w, 10**decimals), n_bins) - 1 for w in whole]


def test_edges_are_right_closed_with_0_in_the_first_and_1_in_the_last_bin():
    assert UniformBinning(20).assign(two(0.55, np.nextafter(0.55, 1), 0.5500001)).tolist() == [10, 10, 11]
    assert UniformBinning(10).assign(two(0.0, 5e-324, 0.1, 0.1000001, 0.9, 1.0)).tolist() == [
        0,
        0,
        0,
        1,
        8,
        9,
    ]
    assert UniformBinning(10).assign(np.array([[1.00001, 0.0]])).tolist() == [9]
    assert UniformBinning(1).assign(two(0.0, 0.3, 1.0)).tolist() == [0, 0, 0]


def test_sums_that_lenses_make_lie_on_the_edge_that_was_meant():
    p = Predictions.from_arrays([[0.1, 0.2, 0.7], [0.3, 0.0, 0.7], [0.2, 0.1, 0.7]], [0, 0, 0])
    q = GroupsLens({"a": ("0", "1"), "b": ("2",)})(p)
    assert q.probs[0, 0] > q.probs[1, 0] == 0.3
    assert UniformBinning(10).assign(q.probs).tolist() == [2, 2, 2]


def test_float32_decimals_lie_on_the_edges_they_name():
    g = np.array([[0.1, 0.9], [0.3, 0.7], [0.6, 0.4], [0.7, 0.3]], np.float32)
    p = Predictions.from_arrays(g, [0] * 4)
    assert UniformBinning(10).assign(TopKLens(1)(p).probs).tolist() == [8, 6, 5, 6]
    assert UniformBinning(10).assign(p.probs).tolist() == [0, 2, 5, 6]


@pytest.mark.some(2)
@pytest.mark.parametrize(("m", "n_bins"), [(3, 10), (19, 10), (20, 10), (1000, 10), (1000, 2), (300, 1000)])
def test_a_bin_is_a_distinct_tuple_for_any_number_of_classes(m: int, n_bins: int):
    rng = np.random.default_rng(3)
    g = rng.dirichlet(np.full(m, 0.02), 40)
    g = g[rng.integers(0, 40, 120)] * (1 - 1e-9)
    tuples = [tuple(max(1, int(np.ceil(round(p * n_bins, 9)))) for p in row) for row in g]
    index = UniformBinning(n_bins).assign(g)
    assert partition(index) == literal.by_key(tuples)
    assert [tuples[np.flatnonzero(index == b)[0]] for b in range(index.max() + 1)] == sorted(set(tuples))


def test_tuples_differ_by_their_first_and_last_component_alone():
    g = np.full((3, 1000), 1e-4)
    g[1, 0] = g[2, -1] = 0.9
    assert len(set(UniformBinning(10).assign(g).tolist())) == 3


# Equal mass.


@FEW
@given(probabilities(classes=(2, 2)), st.integers(1, 30))
def test_equal_mass_against_its_definition(g: np.ndarray, n_bins: int):
    assert partition(EqualMassBinning(n_bins).assign(g)) == literal.equal_mass(exact(g), n_bins)


def test_equal_mass_bins_hold_equally_many_distinct_values():
    x = np.random.default_rng(4).permutation(103) / 103
    index = EqualMassBinning(10).assign(two(*x))
    assert sorted(np.bincount(index).tolist()) == [10] * 7 + [11] * 3
    assert (np.diff(index[np.argsort(x)]) >= 0).all()


def test_equal_values_share_an_equal_mass_bin():
    assert EqualMassBinning(2).assign(two(0.1, 0.5, 0.5, 0.5)).tolist() == [0, 0, 0, 0]
    assert EqualMassBinning(4).assign(two(0.5, 0.5, 0.5, 0.9)).tolist() == [0, 0, 0, 3]
    assert EqualMassBinning(15).assign(two(0.7)).tolist() == [0]


# Median variance and mean variance.


@FEW
@given(probabilities(classes=(2, 5)), st.integers(1, 4), st.one_of(st.none(), st.integers(1, 8)))
@example(two(0.1, 0.2, 0.3, 0.7, 0.8, 0.9), 1, 3)
@example(np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]]), 1, 2)
def test_median_variance_against_its_definition(g: np.ndarray, min_size: int, max_bins: int | None):
    found = MedianVarianceBinning(min_size, max_bins).assign(g)
    assert partition(found) == literal.median_variance(exact(g), min_size, max_bins)
    assert len(set(found.tolist())) <= (max_bins or len(g))
    if len(set(found.tolist())) > 1:
        assert np.bincount(found).min() >= min_size


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(6))
def test_median_variance_of_more_cases_against_its_definition(seed: int):
    g = np.round(np.random.default_rng(seed).dirichlet(np.full(3, 0.4), 60), 2)
    for min_size, max_bins in ((1, None), (7, None), (1, 6), (20, None)):
        found = partition(MedianVarianceBinning(min_size, max_bins).assign(g))
        assert found == literal.median_variance(exact(g), min_size, max_bins)


@each("seed", range(12))
@each("max_bins", [3, 5])
def test_of_bins_with_equal_variance_the_older_is_split_in_any_order_of_the_rows(seed: int, max_bins: int):
    """Values that mirror each other about ½ make twins at every split."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 500, 16)
    x = rng.permutation(np.concatenate([whole, 1000 - whole]))
    g = np.column_stack([x, 1000 - x]) / 1000
    assert partition(MedianVarianceBinning(2, max_bins).assign(g)) == literal.median_variance(
        exact(g), 2, max_bins
    )


def test_bins_that_cannot_be_split_count_towards_the_largest_number():
    g = two(0.0, 0.0, 0.0, 0.3, 0.5, 0.51, 0.52, 0.53)
    assert sorted(map(len, partition(MedianVarianceBinning(1, 3).assign(g)))) == [2, 2, 4]


def test_the_component_of_largest_variance_is_split_and_the_first_of_equals():
    g = np.array([[0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.4, 0.5, 0.1], [0.4, 0.2, 0.4]])
    assert partition(MedianVarianceBinning(2).assign(g)) == {frozenset({0, 2}), frozenset({1, 3})}
    tied = np.array([[0.6, 0.1, 0.3], [0.6, 0.5, 0.3], [0.2, 0.1, 0.3], [0.2, 0.5, 0.3]])
    assert partition(MedianVarianceBinning(2).assign(tied)) == {frozenset({0, 1}), frozenset({2, 3})}


def test_a_median_split_that_leaves_too_few_is_not_made():
    g = two(0.1, 0.2, 0.3, 0.4, 0.5)
    assert len(partition(MedianVarianceBinning(2).assign(g))) == 2
    assert len(partition(MedianVarianceBinning(3).assign(g))) == 1
    assert partition(MedianVarianceBinning(1).assign(two(0.1, 0.9, 0.9))) == {
        frozenset({0}),
        frozenset({1, 2}),
    }
    assert partition(MedianVarianceBinning(1).assign(two(0.1, 0.1, 0.9))) == {frozenset({0, 1, 2})}


@FEW
@given(probabilities(classes=(2, 5), rounded=True), st.integers(2, 8))
@example(two(0.1, 0.2, 0.3), 2)
@example(two(0.3, 0.2, 0.1), 2)
def test_mean_variance_against_its_definition(g: np.ndarray, threshold: int):
    assert partition(MeanVarianceBinning(threshold).assign(g)) == literal.mean_variance(exact(g), threshold)


@pytest.mark.parametrize("n", [3, 6, 7, 100, 5000])
def test_equal_values_whose_floating_mean_exceeds_them_end_the_splitting(n: int):
    assert np.mean([0.1] * 3) > 0.1
    g = np.full((n, 3), 0.1)
    for binning in (MeanVarianceBinning(2), MedianVarianceBinning(1), MeanVarianceBinning(1000)):
        assert set(binning.assign(g).tolist()) == {0}


def test_mean_variance_splits_bins_of_at_least_the_threshold():
    x = np.arange(16) / 16
    for threshold, bins in ((17, 1), (16, 2), (9, 2), (8, 4), (5, 4), (4, 8), (3, 8), (2, 16)):
        assert len(set(MeanVarianceBinning(threshold).assign(two(*x)).tolist())) == bins
    skewed = two(0.0, 0.0, 0.0, 1.0)
    assert partition(MeanVarianceBinning(3).assign(skewed)) == {frozenset({0, 1, 2}), frozenset({3})}


def test_thousands_of_splits_need_no_recursion():
    x = np.cumsum(1.5 ** -np.arange(0, 60))[::-1]
    x = np.concatenate([x / 4, np.linspace(0, 1, 5000)])
    assert len(set(MeanVarianceBinning(2).assign(two(*x)).tolist())) > 3000
    assert len(set(MedianVarianceBinning(1).assign(two(*x)).tolist())) > 3000
