"""Labels that are counted as they are drawn: the same as drawing, picking and counting with NumPy."""

import numpy as np
import pytest

from calibcore import Predictions, UniformBinning
from calibcore.diagram.bars import redrawn_distances
from calibcore.diagram.bins import DEVIATION, bins_of
from calibcore.numerics.distances import distance
from calibcore.numerics.drawn_hits import drawn_hits
from calibcore.numerics.draws import CASES
from calibcore.numerics.resampling import class_edges
from calibcore.transforms.redraws import redrawn_labels


def literal(edges, index, n_bins, n_resamples, rng):
    hits = np.zeros((n_resamples, n_bins, edges.shape[1] + 1), np.int64)
    for s, row in enumerate(rng.random((n_resamples, len(edges)))):
        labels = (edges <= row[:, None]).sum(axis=1)
        np.add.at(hits[s], (index, labels), 1)
    return hits


@pytest.mark.parametrize(
    ("n", "m", "n_bins", "n_resamples"),
    [(1, 2, 1, 1), (50, 3, 7, 9), (2 * CASES + 3, 3, 20, 6), (CASES, 12, 3, 4), (9, 2, 2, 64)],
)
def test_they_are_those_of_numpys_numbers(n, m, n_bins, n_resamples) -> None:
    rng = np.random.default_rng(n)
    edges, index = class_edges(rng.dirichlet(np.full(m, 0.3), size=n)), rng.integers(n_bins, size=n)
    one, other = (np.random.default_rng(5) for _ in range(2))
    for each in (one, other):
        each.integers(9, size=3, dtype=np.uint32)  # an odd number of halves: one of them waits
    found = drawn_hits(edges, index, n_bins, n_resamples, one)
    np.testing.assert_array_equal(found, literal(edges, index, n_bins, n_resamples, other))
    assert one.integers(2**32, size=3, dtype=np.uint32).tolist() == (
        other.integers(2**32, size=3, dtype=np.uint32).tolist()
    )


def test_edges_at_the_ends_of_what_is_drawn_never_give_what_cannot_happen() -> None:
    edges = class_edges(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    found = drawn_hits(edges, np.arange(3), 3, 50, np.random.default_rng(0))
    assert found.sum(axis=0).tolist() == [[0, 50, 0], [50, 0, 0], [0, 0, 50]]


@pytest.mark.parametrize("m", [2, 3, 40])
def test_bars_are_those_of_labels_that_are_written_down(m) -> None:
    rng = np.random.default_rng(m)
    p = Predictions.from_arrays(rng.dirichlet(np.full(m, 0.5), size=700), rng.integers(m, size=700))
    bins = bins_of(p.probs, UniformBinning(4))
    told: list[float] = []
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    labels = np.concatenate(list(redrawn_labels(p, 37, other)))
    if m == 2:
        found = redrawn_distances(p, bins, (DEVIATION,), 37, one, told.append)[DEVIATION]
        wanted = bins.frequencies(labels)[..., 0] - bins.mean_prediction[:, 0]
        np.testing.assert_array_equal(found, wanted)
    else:
        names = ("total-variation", "euclidean")
        by_name = redrawn_distances(p, bins, iter(names), 37, one, told.append)
        for name in names:
            wanted = distance(name)(bins.frequencies(labels), bins.mean_prediction)
            np.testing.assert_allclose(by_name[name], wanted, rtol=0, atol=0 if m == 3 else 1e-12)
    assert told[-1] == 1.0
    assert one.random() == other.random()
