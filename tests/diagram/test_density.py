"""Lines around the densest predictions hold the share of the cases that they say."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.diagram.density import BANDWIDTHS, SIDE, Density, _lattice, density, isolines
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


@pytest.mark.parametrize("concentrations", [(0.2, 0.2, 0.2), (1, 1, 1), (2, 5, 3), (0.3, 2, 1)])
def test_the_lines_hold_the_share_that_they_say(concentrations: tuple[float, ...]) -> None:
    probs = spread(777, *concentrations)
    found = density(probs)
    at = found.at(probs)
    half, most = isolines(probs)
    for line in (half, most):
        assert line.share <= line.inside <= line.share + 1 / 777 + 1e-9
        level = found.at(line.segments.reshape(-1, 3))
        assert_allclose(level, level[0], rtol=1e-6)
        assert (at >= level[0] * (1 - 1e-6)).mean() == pytest.approx(line.inside, abs=2e-3)
    fresh = spread(20_000, *concentrations, seed=9)
    level = found.at(half.segments[0])[0]
    assert (found.at(fresh) >= level).mean() == pytest.approx(0.5, abs=0.12)


def test_lines_are_closed_or_end_at_a_side() -> None:
    (line,) = isolines(spread(300, 2, 3, 2), (0.8,))
    ends = line.segments.reshape(-1, 3)
    keys, counts = np.unique(np.round(ends, 9), axis=0, return_counts=True)
    loose = keys[counts == 1]
    assert len(ends) > 50
    assert (counts <= 2).all()
    assert_allclose(loose.min(axis=1), 0, atol=1e-9)


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
