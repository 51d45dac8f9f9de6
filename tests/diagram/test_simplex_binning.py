"""The triangle cut into k² equal triangles, against exact fractions and against plane geometry."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import KDTree

from calibcore.diagram.binning import SimplexBinning
from tests.cases import each
from tests.oracles import literal_binning as literal


def centroids(k: int) -> np.ndarray:
    """(k², 3) centroids of the k(k+1)/2 triangles that point up and the k(k−1)/2 that point down."""
    ups = [(a, b, k - 1 - a - b) for a in range(k) for b in range(k - a)]
    downs = [(a, b, k - 2 - a - b) for a in range(k - 1) for b in range(k - 1 - a)]
    return np.concatenate([np.array(ups) + 1 / 3, (np.array(downs) + 2 / 3).reshape(-1, 3)]) / k


def grid(n: int) -> list[tuple[int, int, int]]:
    """All points of the simplex in n-ths."""
    return [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]


@pytest.mark.parametrize("k", [1, 2, 3, 5, 10, 31])
def test_centroids_lie_in_k_squared_distinct_bins(k: int):
    points = centroids(k)
    assert len(points) == k * k
    assert len(set(SimplexBinning(k).assign(points).tolist())) == k * k


@pytest.mark.parametrize("k", [1, 2, 5, 10, 31])
def test_a_case_is_in_the_triangle_whose_centroid_is_nearest(k: int):
    """In the plane of the simplex the triangles are the Voronoi cells of their centroids."""
    points = np.random.default_rng(k).dirichlet(np.ones(3), 4000)
    nearest = KDTree(centroids(k)).query(points)[1]
    assert (SimplexBinning(k).assign(points) == SimplexBinning(k).assign(centroids(k))[nearest]).all()


@pytest.mark.slow
@each("k", [1, 2, 3, 4, 5, 7, 10, 20, 25])
@each("n", [10, 20, 100])
def test_typed_decimals_on_any_edge_against_exact_fractions(k: int, n: int):
    points = grid(n)
    found = SimplexBinning(k).assign(np.array([[float(f"{w / n:.2f}") for w in point] for point in points]))
    meant = [literal.simplex([Fraction(w, n) for w in point], k) for point in points]
    assert [2 * (a * k + b) + (way == "down") for a, b, way in meant] == found.tolist()


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_never_more_than_k_squared_bins(k: int):
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.dirichlet(np.full(3, a), 5000) for a in (0.05, 1, 20)])
    points = np.concatenate(
        [points, np.array(grid(60)) / 60, np.eye(3), np.eye(3) * (1 + 1e-5), np.eye(3) * (1 - 1e-5)]
    )
    allowed = set(SimplexBinning(k).assign(centroids(k)).tolist())
    assert set(SimplexBinning(k).assign(points).tolist()) <= allowed
    assert len(allowed) == k * k


@pytest.mark.parametrize("k", [2, 5, 10])
def test_corners_lie_in_the_corner_triangles(k: int):
    corners = np.eye(3)
    inside = corners * (1 - 0.5 / k) + (1 - corners) * 0.25 / k
    bins = SimplexBinning(k).assign(corners)
    assert bins.tolist() == SimplexBinning(k).assign(inside).tolist()
    assert len(set(bins.tolist())) == 3


def test_all_triangles_have_the_same_area():
    k = 5
    points = np.random.default_rng(1).dirichlet(np.ones(3), 50_000)
    counts = np.unique(SimplexBinning(k).assign(points), return_counts=True)[1]
    assert len(counts) == k * k
    assert stats.chisquare(counts).pvalue > 0.001


def test_one_triangle_holds_everything():
    assert set(SimplexBinning(1).assign(np.array(grid(10)) / 10).tolist()) == {0}
