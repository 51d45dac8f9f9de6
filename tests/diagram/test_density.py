"""Lines around the densest predictions hold the share of the cases that they say."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.diagram.density import BANDWIDTHS, SIDE, Density, Isoline, _lattice, density, isolines
from calibcore.errors import InputError
from tests.oracles.literal_outlines import kernel_density


def spread(n: int, *concentrations: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(concentrations, size=n)


def test_the_lattice_is_the_triangle_cut_into_small_ones() -> None:
    nodes, triangles = _lattice()
    assert len(nodes) == (SIDE + 1) * (SIDE + 2) // 2
    assert len(triangles) == len({tuple(sorted(t)) for t in triangles.tolist()}) == SIDE**2
    corners = nodes[triangles]
    sides = np.abs(corners - np.roll(corners, 1, axis=1)).max(axis=(1, 2))
    assert_allclose(sides, 1 / SIDE)


def test_a_linear_function_is_read_off_exactly() -> None:
    nodes, _ = _lattice()
    points = np.vstack([spread(500, 0.4, 0.4, 0.4), np.eye(3), nodes])
    for k in range(3):
        assert_allclose(Density(nodes[:, k], 0.0).at(points), points[:, k], atol=1e-12)


def test_it_is_the_kernel_estimate_over_that_of_evenly_spread_predictions() -> None:
    probs = spread(400, 3, 2, 4)
    found = density(probs)
    nodes, _ = _lattice()
    some = np.random.default_rng(1).choice(len(nodes), 20, replace=False)
    literal = kernel_density(probs, nodes[some], found.bandwidth)
    # Cases are shared out among the corners of their small triangle, which blurs a little.
    assert_allclose(found.at_nodes[some], literal, atol=0.06 * literal.max())


def test_evenly_spread_predictions_have_density_one_up_to_the_sides() -> None:
    assert_allclose(density(spread(50_000, 1, 1, 1)).at_nodes, 1, atol=0.3)


def level_of(found: Density, line: Isoline) -> float:
    """The density along the line, which is higher only along a side of the triangle."""
    return float(found.at(np.concatenate(line.walks)).min())


@pytest.mark.some(1)
@pytest.mark.parametrize("concentrations", [(0.2, 0.2, 0.2), (1, 1, 1), (2, 5, 3), (0.3, 2, 1)])
def test_the_lines_hold_the_share_that_they_say(concentrations: tuple[float, ...]) -> None:
    probs = spread(777, *concentrations)
    found = density(probs)
    at = found.at(probs)
    half, most = isolines(probs)
    for line in (half, most):
        assert line.share <= line.inside <= line.share + 1 / 777 + 1e-9
        level = level_of(found, line)
        border = found.at(np.concatenate(line.walks))
        assert (border >= level * (1 - 1e-6)).all()  # along a side it is higher
        assert (at >= level * (1 - 1e-6)).mean() == pytest.approx(line.inside, abs=2e-3)
    fresh = spread(20_000, *concentrations, seed=9)
    assert (found.at(fresh) >= level_of(found, half)).mean() == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize("concentrations", [(0.2, 0.2, 0.2), (2, 3, 2)])
def test_what_the_walks_enclose_is_the_ground_above_the_level(concentrations: tuple[float, ...]) -> None:
    """Its area, holes taken off, beside evenly spread points."""
    probs = spread(300, *concentrations)
    found, points = density(probs), spread(50_000, 1, 1, 1)
    for line in isolines(probs):
        area = 0.0
        for walk in line.walks:
            (a, b, _), (c, d, _) = walk.T, np.roll(walk, -1, axis=0).T
            area += float(np.sum(a * d - b * c))  # of the whole triangle it is 1
            assert_allclose(walk.sum(axis=1), 1)
        assert area == pytest.approx((found.at(points) >= level_of(found, line)).mean(), abs=0.01)


def test_the_bandwidth_is_narrow_where_cases_crowd_and_wide_where_they_do_not() -> None:
    crowded = np.repeat(spread(10, 1, 1, 1), 50, axis=0)
    assert density(crowded).bandwidth == BANDWIDTHS[0]
    assert density(spread(40, 2, 2, 2)).bandwidth > BANDWIDTHS[1]


def test_equal_predictions_lie_inside_all_together() -> None:
    for line in isolines(np.tile([0.2, 0.5, 0.3], (9, 1))):
        assert line.inside == 1


def test_another_number_of_classes_is_refused() -> None:
    with pytest.raises(InputError, match="4 classes; lines of density are drawn for 3"):
        density(np.full((3, 4), 0.25))
