"""What may not change an estimate: of every estimator in tests/registry.py, for predictions of any kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.estimators.skce import SKCE
from calibcore.kernels import ExponentialKernel
from tests.cases import case
from tests.registry import ENTRIES, Entry
from tests.strategies import FEW, predictions

SMOOTH = {"rtol": 1e-11, "atol": 1e-12}
FEWER = settings(FEW, max_examples=12)
SEEDS = st.integers(0, 2**32 - 1)


class Drawn:
    """Predictions for every estimator, one for all that take the same."""

    def __init__(self, data: st.DataObject, **kind: bool) -> None:
        self.data, self.kind = data, kind
        self.drawn: dict[tuple[int, int, int], Predictions] = {}

    def of(self, entry: Entry, least_classes: int = 2) -> Predictions:
        """Predictions that the estimator takes, from a small pool of rows with zeros, ones and ties."""
        low, high, least = max(least_classes, entry.fits[0]), entry.fits[1], entry.least
        if (low, high, least) not in self.drawn:
            found = self.data.draw(predictions((low, high), (least, 20), **self.kind))
            self.drawn[low, high, least] = found
        return self.drawn[low, high, least]


def without_ties(seed: int, entry: Entry, least_classes: int) -> Predictions:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(max(least_classes, entry.fits[0]), min(6, entry.fits[1]) + 1))
    n = int(rng.integers(max(entry.least, 5), 41))
    return Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), rng.integers(m, size=n))


def with_classes(p: Predictions, order: np.ndarray) -> Predictions:
    names = [p.class_names[k] for k in order]
    return Predictions.from_arrays(p.probs[:, order], np.argsort(order)[p.labels], names)


@FEWER
@given(st.data(), st.booleans())
def test_an_estimate_is_a_number_in_its_range(data: st.DataObject, rounded: bool) -> None:
    drawn = Drawn(data, rounded=rounded)
    for entry in ENTRIES:
        with case(entry.name):
            estimate = entry.estimate(drawn.of(entry))
            assert isinstance(estimate, float)
            assert entry.low - 1e-12 <= estimate <= entry.high + 1e-12


@FEWER
@given(st.data(), SEEDS)
def test_the_order_of_the_rows_does_not_matter(data: st.DataObject, seed: int) -> None:
    drawn = Drawn(data)
    for entry in [e for e in ENTRIES if e.row_order]:
        with case(entry.name):
            p = drawn.of(entry)
            again = p.with_rows(np.random.default_rng(seed).permutation(p.n))
            assert_allclose(entry.estimate(again), entry.estimate(p), **SMOOTH)


@pytest.mark.slow
@FEWER
@given(st.data(), SEEDS)
def test_the_order_of_the_classes_does_not_matter(data: st.DataObject, seed: int) -> None:
    drawn = Drawn(data)
    for entry in [e for e in ENTRIES if e.class_order[0]]:
        with case(entry.name):
            p = drawn.of(entry, least_classes=entry.class_order[0])
            again = with_classes(p, np.random.default_rng(seed).permutation(p.m))
            assert_allclose(entry.estimate(again), entry.estimate(p), **SMOOTH)


@pytest.mark.slow
@FEWER
@given(SEEDS)
def test_the_order_of_the_classes_does_not_matter_without_ties(seed: int) -> None:
    for entry in [e for e in ENTRIES if e.class_order[1]]:
        with case(entry.name):
            p = without_ties(seed, entry, entry.class_order[1])
            again = with_classes(p, np.random.default_rng(seed + 1).permutation(p.m))
            assert_allclose(entry.estimate(again), entry.estimate(p), **SMOOTH)


@pytest.mark.slow
@FEWER
@given(st.data(), st.integers(2, 3))
def test_all_rows_twice_change_nothing(data: st.DataObject, copies: int) -> None:
    drawn = Drawn(data)
    for entry in [e for e in ENTRIES if e.copies]:
        with case(entry.name):
            p = drawn.of(entry)
            again = p.with_rows(np.tile(np.arange(p.n), copies))
            assert_allclose(entry.estimate(again), entry.estimate(p), **SMOOTH)


@pytest.mark.slow
@FEWER
@given(st.data(), st.integers(0, 3))
def test_a_class_that_is_never_predicted_and_never_happens_changes_nothing(
    data: st.DataObject, place: int
) -> None:
    drawn = Drawn(data)
    for entry in [e for e in ENTRIES if e.unseen]:
        with case(entry.name):
            p = drawn.of(entry, least_classes=3)
            wider = np.insert(p.probs, place, 0.0, axis=1)
            names = [str(k) for k in range(p.m + 1)]
            again = Predictions.from_arrays(wider, p.labels + (p.labels >= place), names)
            assert_allclose(entry.estimate(again), entry.estimate(p), **SMOOTH)


@pytest.mark.slow
@FEWER
@given(st.data())
def test_certain_predictions_that_are_right_have_no_error(data: st.DataObject) -> None:
    drawn = Drawn(data)
    for entry in ENTRIES:
        with case(entry.name):
            p = drawn.of(entry)
            right = Predictions.from_arrays(np.eye(p.m)[p.labels], p.labels, p.class_names)
            assert entry.estimate(right) == entry.of_right


@pytest.mark.slow
@FEWER
@given(st.data(), SEEDS)
def test_redrawn_labels_give_what_single_calls_give(data: st.DataObject, seed: int) -> None:
    """Also for labels to which the predictions gave probability 0."""
    drawn = Drawn(data)
    for entry in [e for e in ENTRIES if e.redrawn]:
        with case(entry.name):
            p = drawn.of(entry)
            labels = np.random.default_rng(seed).integers(p.m, size=(4, p.n))
            singles = [entry.estimate(p.through(p.probs, y, p.class_names)) for y in labels]
            assert_allclose(entry.redrawn(p, labels), singles, rtol=0, atol=1e-12)


@pytest.mark.some(2)
@pytest.mark.parametrize("m", [2, 3, 10, 127, 128, 1000])
def test_two_to_a_thousand_classes(m: int) -> None:
    for entry in ENTRIES:
        if entry.fits[0] <= m <= (entry.fits[1] if entry.fits[1] < 10 else m):
            with case(entry.name):
                _many_classes(entry, m)


def _many_classes(entry: Entry, m: int) -> None:
    rng = np.random.default_rng(m)
    p = Predictions.from_arrays(rng.dirichlet(np.full(m, 0.2), size=30), rng.integers(m, size=30))
    estimate = entry.estimate(p)
    assert entry.low <= estimate <= entry.high
    if entry.row_order:
        assert_allclose(entry.estimate(p.with_rows(rng.permutation(30))), estimate, **SMOOTH)
    if entry.redrawn:
        assert_allclose(entry.redrawn(p, p.labels[None]), [estimate], rtol=0, atol=1e-12)


KERNEL = ExponentialKernel(0.3)


@FEWER
@given(predictions(cases=(2, 20)), st.integers(2, 4))
def test_an_unbiased_kernel_error_of_copied_rows_follows_from_the_two_of_one_copy(p, k) -> None:
    """Each case meets its copies: SKCE_uq of k copies is ((k−1)n·SKCE_b + (n−1)·SKCE_uq)/(kn − 1)."""
    biased, unbiased = (SKCE(KERNEL, name)(p) for name in ("biased", "unbiased"))
    copies = SKCE(KERNEL, "unbiased")(p.with_rows(np.repeat(np.arange(p.n), k)))
    assert_allclose(copies, ((k - 1) * p.n * biased + (p.n - 1) * unbiased) / (k * p.n - 1), **SMOOTH)


@FEWER
@given(predictions(cases=(2, 20)), st.integers(2, 4), SEEDS)
def test_whole_pairs_may_be_copied_and_moved_in_the_linear_kernel_error(p, k, seed) -> None:
    even = p.with_rows(np.arange(p.n - p.n % 2))
    pairs = np.arange(even.n).reshape(-1, 2)
    moved = np.random.default_rng(seed).permutation(np.tile(pairs, (k, 1))).ravel()
    linear = SKCE(KERNEL, "linear")
    assert_allclose(linear(even.with_rows(moved)), linear(even), **SMOOTH)
