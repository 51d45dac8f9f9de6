"""Random partitions that stand for a kernel, labels drawn in blocks, and the confidence beside them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.estimators import _label_blocks
from calibcore.estimators._omnibus import statistics_of
from calibcore.estimators._omnibus_parts import OF_CONFIDENCE
from calibcore.estimators._partitions import Partitions
from calibcore.estimators.skce import SKCE
from calibcore.kernels import ExponentialKernel
from calibcore.kernels.bandwidths import distances
from calibcore.transforms.lenses import TopKLens
from tests.hypothesis_tests.test_omnibus import made, predictions_like

# --- random partitions ----------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "total-variation"])
def test_cells_are_shared_as_often_as_the_kernel_says(metric: str) -> None:
    g = np.random.default_rng(4).dirichlet(np.ones(4), size=40)
    bandwidths = (1.0, 0.25, 0.0625)
    trees = 3_000
    found = Partitions.of(g, metric, bandwidths, trees=trees)
    for level, nu in enumerate(bandwidths):
        same = np.zeros((40, 40))
        for order, opens in zip(found.order, found.opens, strict=True):
            cell = np.empty(40, int)
            cell[found.cases[order]] = np.cumsum(opens <= level)
            same += cell[:, None] == cell[None]
        kappa = np.exp(-distances(g, g, metric) / nu)
        error = np.sqrt(kappa * (1 - kappa) / trees)
        assert np.all(np.abs(same / trees - kappa) <= 5 * error + 5 / trees)


@pytest.mark.some(1)
@pytest.mark.parametrize(("m", "matrix"), [(3, None), (8, None), (3, (1.0, 2.0, 3.0))])
def test_sums_over_cells_are_sums_over_pairs(m: int, matrix: tuple[float, ...] | None) -> None:
    rng = np.random.default_rng(5)
    g = predictions_like("tied", 60, m, rng)
    factor = ExponentialKernel(class_matrix=matrix).factor(m)
    found = Partitions.of(g, "euclidean", (1.0, 0.25, 0.01), factor, trees=5)
    labels = rng.integers(m, size=(80, 60))
    M = np.eye(m) if matrix is None else np.diag(matrix)
    for first in (0, 64):
        some = labels[first : first + 64]
        ours = found.pairs(found.in_order(some))
        for s, y in enumerate(some):
            r = np.eye(m)[y] - g
            h = r @ M @ r.T
            for level in range(3):
                total = 0.0
                for order, opens in zip(found.order, found.opens, strict=True):
                    cell = np.empty(60, int)
                    cell[found.cases[order]] = np.cumsum(opens <= level)
                    total += np.sum(np.triu(h * (cell[:, None] == cell[None]), 1))
                assert ours[level, s] == pytest.approx(total / 5, abs=1e-10)


@pytest.mark.parametrize("m", [3, 10])
@pytest.mark.parametrize("world", ["copies", "apart"])
def test_cells_count_more_cases_than_a_byte_holds(m: int, world: str) -> None:
    """Cells of just so many, of more, and such that end in another, at once or case by case."""
    rng = np.random.default_rng(8)
    sizes = [254, 255, 256, 257, 1, 2, 132, 300] if world == "copies" else [1] * 900
    n = sum(sizes)
    g = np.repeat(rng.dirichlet(np.ones(m), size=len(sizes)), sizes, axis=0)[rng.permutation(n)]
    bandwidths = (1.0, 0.25, 0.01) if world == "copies" else (50.0, 5.0, 0.5)
    found = Partitions.of(g, "euclidean", bandwidths, trees=3)
    labels = np.array([[rng.choice(m, p=row) for row in g], np.zeros(n, int), rng.integers(m, size=n)])
    ours = found.pairs(found.in_order(labels))
    for s, y in enumerate(labels):
        r = np.eye(m)[y] - g
        for level in range(3):
            total = 0.0
            for order, opens in zip(found.order, found.opens, strict=True):
                cell = np.empty(n, int)
                cell[found.cases[order]] = np.cumsum(opens <= level)
                for each in np.unique(cell):
                    inside = r[cell == each]
                    total += ((inside.sum(axis=0) ** 2).sum() - (inside**2).sum()) / 2
            assert ours[level, s] == pytest.approx(total / 3, rel=1e-9, abs=1e-7)
    largest = max(np.bincount(np.cumsum(opens <= 0)).max() for opens in found.opens)
    assert largest > 512


def test_over_many_classes_few_directions_stand_for_all() -> None:
    rng = np.random.default_rng(6)
    g = rng.dirichlet(np.full(40, 0.05), size=80)
    y = g.argmin(axis=1)
    found = Partitions.of(g, "euclidean", (10.0, 0.1), trees=6)
    assert found.directions is not None
    r = np.eye(40)[y] - g
    total = np.zeros(2)
    for order, opens, towards in zip(found.order, found.opens, found.directions, strict=True):
        h = (r @ towards) @ (r @ towards).T
        for level in range(2):
            cell = np.empty(80, int)
            cell[found.cases[order]] = np.cumsum(opens <= level)
            total[level] += np.sum(np.triu(h * (cell[:, None] == cell[None]), 1)) / 6
    assert_allclose(found.pairs(found.in_order(y[None]))[:, 0], total, rtol=1e-10)
    many = Partitions.of(g[:2], "euclidean", (1.0,), trees=2_000).directions
    assert many is not None
    assert_allclose(np.mean(many @ many.transpose(0, 2, 1), axis=0), np.eye(40), atol=0.05)


@pytest.mark.parametrize("world", ["copies", "apart"])
def test_signs_are_counted_beyond_what_a_byte_holds(world: str) -> None:
    rng = np.random.default_rng(9)
    sizes = [254, 255, 256, 257, 1, 2, 132] if world == "copies" else [1] * 700
    n = sum(sizes)
    g = np.repeat(rng.dirichlet(np.full(40, 0.3), size=len(sizes)), sizes, axis=0)[rng.permutation(n)]
    bandwidths = (1.0, 0.25, 0.01) if world == "copies" else (50.0, 5.0, 0.5)
    found = Partitions.of(g, "euclidean", bandwidths, trees=3)
    assert found.directions is not None
    assert max(np.bincount(np.cumsum(opens <= 0)).max() for opens in found.opens) > 512
    labels = rng.integers(40, size=(2, n))
    ours = found.pairs(found.in_order(labels))
    for s, y in enumerate(labels):
        total = np.zeros(3)
        for order, opens, towards in zip(found.order, found.opens, found.directions, strict=True):
            r = (np.eye(40)[y] - g) @ towards
            for level in range(3):
                cell = np.empty(n, int)
                cell[found.cases[order]] = np.cumsum(opens <= level)
                sums = np.column_stack([np.bincount(cell, column) for column in r.T])
                total[level] += ((sums**2).sum() - (r**2).sum()) / 2 / 3
        assert_allclose(ours[:, s], total, rtol=1e-9, atol=1e-7)


def test_partitions_stand_for_the_kernel_in_large_data() -> None:
    """Above PAIRS_UP_TO cases: the estimates are near the kernel's, measured by their spread under chance."""
    p = made(1_500, 3, 1.2)
    statistics = statistics_of(p, ExponentialKernel())
    assert statistics.how == "partitions"
    null = statistics.draw(p.probs, 320, np.random.default_rng(0))
    observed = statistics.evaluate(p.labels[None])[:, 0]
    for j, nu in enumerate(statistics.bandwidths[:3]):
        exact = SKCE(ExponentialKernel(nu))(p)
        assert abs(observed[j] - exact) <= 0.75 * null[j].std()


def test_confidence_is_that_of_its_lens() -> None:
    p = made(900, 4, 1.3)
    mine = statistics_of(p, ExponentialKernel()).evaluate(p.labels[None])[7:, 0]
    lens = statistics_of(TopKLens(1)(p), ExponentialKernel())
    theirs = lens.evaluate(TopKLens(1)(p).labels[None])[:, 0]
    assert_allclose(mine, theirs[list(OF_CONFIDENCE)], rtol=1e-10)


@pytest.mark.parametrize("m", [2, 3, 40])
def test_drawn_labels_follow_the_predictions(m: int) -> None:
    rng = np.random.default_rng(7)
    g = predictions_like("zeros", 50, m, rng)
    edges = _label_blocks.thresholds(g)
    counts = np.zeros((50, m))
    blocks = 400
    for _ in range(blocks):
        held = _label_blocks.drawn_block(edges, rng)
        for k in range(m):
            counts[:, k] += (held == k).sum(axis=1)
    share = counts / (blocks * held.shape[1])
    assert np.all(share[g == 0] == 0)
    draws = blocks * held.shape[1]
    assert np.all(np.abs(share - g) <= 5 * np.sqrt(g * (1 - g) / draws) + 5 / draws)
