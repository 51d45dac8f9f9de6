"""Predictions of any numbers, and labels in any order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from tests.strategies import FEW, probabilities

NUMBERS = st.one_of(
    st.sampled_from(
        [0.0, -0.0, 1.0, 0.1, 0.3, 0.33, 0.5, 0.9, 1.000001, 1.001, -1e-9, 5e-324, np.nan, np.inf]
    ),
    st.floats(0, 1),
    st.floats(),
)


@FEW
@given(
    hnp.arrays(
        np.float64, st.tuples(st.integers(1, 4), st.integers(2, 30)), elements=NUMBERS, fill=st.just(0.0)
    ),
    st.sampled_from([np.float64, np.float32, np.float16]),
)
def test_any_numbers_are_refused_or_become_probabilities(g: np.ndarray, dtype: type):
    with np.errstate(over="ignore"):
        g = g.astype(dtype)
    try:
        p = Predictions.from_arrays(g, np.zeros(len(g), int))
    except InputError as error:
        assert "ow " in str(error)  # noqa: PT017
        return
    assert np.isfinite(p.probs).all()
    assert (p.probs >= 0).all()
    assert np.abs(p.probs.sum(axis=1) - 1).max() <= 1.1e-5


@FEW
@given(st.integers(2, 30), st.integers(1, 3), st.data())
def test_any_table_of_few_decimals_is_refused_or_becomes_probabilities(
    m: int, decimals: int, data: st.DataObject
):
    whole = st.integers(0, 10**decimals)
    row = st.lists(st.one_of(st.just(0), whole), min_size=m, max_size=m)
    g = np.array(data.draw(st.lists(row, min_size=1, max_size=3))) / 10**decimals
    try:
        p = Predictions.from_arrays(g, np.zeros(len(g), int))
    except InputError as error:
        assert "sums to" in str(error)  # noqa: PT017
        return
    # What was used is within half a last digit a class, zeros rounding no sum up.
    digits = next(d for d in range(1, decimals + 1) if np.abs(g - g.round(d)).max() < 1e-12)
    allowed = np.where(g.sum(axis=1) > 1, (g > 0).sum(axis=1), m) * 0.5 * 10.0**-digits
    assert (np.abs(g.sum(axis=1) - 1) <= np.maximum(allowed, 1e-3) + 1e-8).all()
    assert np.abs(p.probs.sum(axis=1) - 1).max() <= 1e-12


@FEW
@given(probabilities())
def test_rows_that_sum_to_1_are_never_changed(g: np.ndarray):
    p = Predictions.from_arrays(g, np.zeros(len(g), int))
    assert p.probs.tobytes() == g.tobytes()
    assert p.notes == ()


@FEW
@given(probabilities(rounded=True), st.sampled_from([np.float32, np.float16]))
def test_tenths_survive_narrow_floats(g: np.ndarray, dtype: type):
    assert_array_equal(Predictions.from_arrays(g.astype(dtype), np.zeros(len(g), int)).probs, g)


# Whether the labels are visibly ordered.


def ordered(labels: np.ndarray) -> bool:
    m = max(2, int(labels.max()) + 1)
    return Predictions.from_arrays(np.full((len(labels), m), 1 / m), labels).labels_ordered


@pytest.mark.parametrize("m", [2, 3, 10])
@pytest.mark.parametrize("n", [60, 1000])
def test_labels_sorted_by_class_are_ordered(m: int, n: int):
    labels = np.sort(np.arange(n) % m)
    assert ordered(labels)
    assert ordered(labels[::-1])


def test_a_file_with_its_few_cases_of_a_class_at_one_end_is_ordered():
    assert ordered(np.repeat([0, 1], [980, 20]))


@pytest.mark.parametrize(("m", "n"), [(2, 60), (3, 60), (10, 1000)])
def test_labels_in_turn_are_ordered(m: int, n: int):
    assert ordered(np.arange(n) % m)


def test_sorted_blocks_are_ordered():
    assert ordered(np.tile(np.sort(np.arange(100) % 2), 10))


def test_few_cases_or_one_class_are_never_ordered():
    for n in (1, 2, 3, 5, 8):
        assert not ordered(np.zeros(n, int))
        assert not ordered(np.sort(np.arange(n) % 2))
        assert not ordered(np.arange(n))
    assert not ordered(np.zeros(10_000, int))


@pytest.mark.slow
@pytest.mark.parametrize(
    "counts",
    [
        (15, 15),
        (25,) * 2,
        (5,) * 10,
        (100, 200),
        (2,) * 100,
        (1938, 62),
        (1964, 36),
        (1951, 49),
        (1900, 60, 40),
    ],
)
def test_labels_in_random_order_are_called_ordered_less_than_once_in_a_thousand(counts: tuple[int, ...]):
    """Also with a rare class, whose neighbours by chance are few and come in steps of two runs."""
    rng = np.random.default_rng(5)
    labels = np.repeat(np.arange(len(counts)), counts)
    g = np.full((len(labels), len(counts)), 1 / len(counts))
    names = tuple(map(str, range(len(counts))))
    found = sum(Predictions(g, rng.permutation(labels), names).labels_ordered for _ in range(5000))
    assert found <= 9  # more than 9 of 5,000 at a rate of 1e-3: probability 0.03


def in_runs(runs: int, each: int = 200) -> np.ndarray:
    """Three classes of ``each`` cases, in turn at first and then sorted, so that there are ``runs`` runs."""
    turns = runs // 3 - 1
    return np.concatenate([np.tile([0, 1, 2], turns), np.repeat([0, 1, 2], each - turns)])


@pytest.mark.parametrize("side", [-1, 1])
def test_the_border_lies_five_simulated_standard_deviations_from_the_simulated_mean(side: int):
    rng = np.random.default_rng(6)
    labels = np.repeat([0, 1, 2], 200)
    runs = np.array([1 + np.count_nonzero(np.diff(rng.permutation(labels))) for _ in range(8000)])
    border = runs.mean() + side * 5 * runs.std()
    beyond, within = (3 * round((border + by) / 3) for by in (5 * side, -5 * side))
    assert 1 + np.count_nonzero(np.diff(in_runs(beyond))) == beyond
    assert ordered(in_runs(beyond))
    assert not ordered(in_runs(within))


@pytest.mark.parametrize("n", [14, 20, 30, 100])
def test_a_file_sorted_by_class_is_ordered_in_whatever_order_of_classes(n: int):
    labels = np.repeat([1, 0], [n // 2, n - n // 2])
    assert Predictions.from_arrays(np.full((n, 2), 0.5), labels).labels_ordered


@pytest.mark.parametrize("n", [100, 400, 1000])
def test_pairs_of_rows_that_agree_are_seen_though_the_runs_are_as_by_chance(n: int):
    labels = np.tile([0, 0, 1, 1], n // 4)
    assert Predictions.from_arrays(np.full((n, 2), 0.5), labels).labels_ordered


@pytest.mark.some(1)
@pytest.mark.parametrize("rare", [1, 2, 5])
def test_a_rare_class_in_random_order_is_rarely_called_ordered(rare: int):
    rng = np.random.default_rng(rare)
    labels = np.r_[np.ones(rare, int), np.zeros(200 - rare, int)]
    probs = np.full((200, 2), 0.5)
    found = sum(Predictions.from_arrays(probs, rng.permutation(labels)).labels_ordered for _ in range(1500))
    assert found <= 15


def test_a_name_that_is_no_unicode_text_is_refused():
    with pytest.raises(InputError, match="no text in Unicode"):
        Predictions.from_arrays([[0.5, 0.5]], [0], ("\ud800", "b"))
