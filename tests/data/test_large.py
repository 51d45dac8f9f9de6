"""Predictions of many classes: what is computed makes no second array as large as they are."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from calibcore.assessment.alternatives import alternatives, uneven
from calibcore.data.checks import as_probabilities, check_range
from calibcore.data.decimals import rounded_to
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning
from calibcore.diagram.gap_sizes import class_frequencies
from calibcore.estimators.decompositions import binned_brier
from calibcore.estimators.scores import with_standard_errors
from calibcore.numerics.largest import likeliest
from calibcore.sensitivity.class_screen import screen_classes

N, M = 40_000, 500
BINS = MedianVarianceBinning(4_000)


@pytest.fixture(scope="module")
def large() -> Predictions:
    rng = np.random.default_rng(0)
    g = rng.random((N, M), np.float32).astype(np.float64) ** 30
    g /= g.sum(axis=1, keepdims=True)
    return Predictions.from_arrays(g, rng.integers(0, M, N))


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "work",
    [
        lambda p: with_standard_errors(p),
        lambda p: binned_brier(p, BINS),
        lambda p: class_frequencies(p),
        lambda p: [*alternatives(p), uneven(p)],
        lambda p: likeliest(p.probs),
        lambda p: rounded_to(p.probs),
        lambda p: check_range(p.probs, p.class_names, False),
        lambda p: screen_classes(p),
    ],
    ids=["scores", "brier", "frequencies", "patterns", "likeliest", "digits", "range", "screen"],
)
@pytest.mark.slow
def test_it_takes_little_beside_the_predictions(large: Predictions, work: Callable[..., object]) -> None:
    binned_brier(large, BINS)  # its bins are kept
    small = large.with_rows(np.arange(400))
    work(small)  # compiled
    assert peak(lambda: work(large)) < 0.5 * large.probs.nbytes


@pytest.mark.slow
def test_reading_narrow_floats_makes_one_copy(large: Predictions) -> None:
    narrow = large.probs.astype(np.float32)
    assert peak(lambda: as_probabilities(narrow)) < 1.5 * large.probs.nbytes


@pytest.mark.slow
def test_a_pattern_mixed_in_is_one_array(large: Predictions) -> None:
    patterns = [*alternatives(large), uneven(large)]
    for pattern in patterns:
        assert peak(lambda one=pattern: one.probs(large.probs, 0.3)) < 1.3 * large.probs.nbytes


def peak(work: Callable[[], object]) -> int:
    """Bytes that it takes at most beside what was there."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_the_likeliest_is_the_first_of_equals(large: Predictions) -> None:
    assert np.array_equal(likeliest(large.probs[:3000]), large.probs[:3000].argmax(axis=1))
    assert likeliest(np.array([[0.4, 0.4, 0.2], [0.1, 0.45, 0.45]])).tolist() == [0, 1]
