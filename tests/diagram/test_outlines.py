"""Consistency regions of bins, and the bins themselves, as outlines in the simplex."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, MeanVarianceBinning, MedianVarianceBinning, SimplexBinning
from calibcore.diagram.bins import bins_of, diagram_order
from calibcore.diagram.outlines import Outline, bin_outlines, consistency_outline
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.numerics.distances import total_variation
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.transforms.redraws import redrawn_labels
from tests.oracles.literal_outlines import inside_hull, law_of_frequencies


def lengths(outline: Outline) -> np.ndarray:
    ends = outline.vertices[outline.edges]
    return np.asarray(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1))


def test_far_from_the_sides_it_is_a_regular_hexagon_or_a_cuboctahedron() -> None:
    hexagon = consistency_outline(np.array([0.4, 0.3, 0.3]), 0.1)
    assert hexagon.vertices.shape == (6, 3)
    assert_allclose(lengths(hexagon), 0.1 * np.sqrt(2))
    solid = consistency_outline(np.full(4, 0.25), 0.1)
    assert (len(solid.vertices), len(solid.edges)) == (12, 24)
    assert_allclose(lengths(solid), 0.1 * np.sqrt(2))
    degrees = np.bincount(solid.edges.ravel())
    assert (degrees == 4).all()


def test_at_a_corner_it_is_the_tip_of_the_triangle_or_the_tetrahedron() -> None:
    tip = consistency_outline(np.array([1.0, 0.0, 0.0]), 0.2)
    assert_allclose(np.sort(tip.vertices[:, 0]), [0.8, 0.8, 1.0])
    solid = consistency_outline(np.array([0.0, 0.0, 1.0, 0.0]), 0.2)
    assert (len(solid.vertices), len(solid.edges)) == (4, 6)
    assert_allclose(lengths(solid), 0.2 * np.sqrt(2))


def test_a_sure_bin_has_a_point_and_a_wide_one_the_whole_simplex() -> None:
    assert_allclose(consistency_outline(np.array([0.0, 1.0, 0.0]), 0.0).vertices, [[0, 1, 0]])
    whole = consistency_outline(np.full(4, 0.25), 1.0)
    assert_allclose(whole.vertices[np.lexsort(whole.vertices.T)], np.eye(4)[np.lexsort(np.eye(4).T)])


@pytest.mark.parametrize("m", [3, 4])
def test_it_holds_exactly_what_is_no_farther_in_total_variation(m: int) -> None:
    rng = np.random.default_rng(m)
    for concentration in (0.3, 1.0, 5.0):
        center, radius = rng.dirichlet(np.full(m, concentration)), rng.uniform(0.05, 0.4)
        outline = consistency_outline(center, radius)
        assert_allclose(outline.vertices.sum(axis=1), 1)
        near = rng.dirichlet(1 + 8 * center, size=400)
        apart = total_variation(near, center)
        assert 0.02 < (apart <= radius).mean() < 0.99
        assert_array_equal(inside_hull(near, outline.vertices), apart <= radius)


def test_three_classes_are_walked_around() -> None:
    outline = consistency_outline(np.array([0.2, 0.1, 0.7]), 0.25)
    middle = outline.vertices.mean(axis=0)
    for i, j in outline.edges:  # every other corner lies on the same side of each edge
        a, b = (outline.vertices[k] - middle for k in (i, j))
        side = np.linalg.det([(b - a)[:2], (-a)[:2]])
        others = [np.linalg.det([(b - a)[:2], (v - middle - a)[:2]]) for v in outline.vertices]
        assert all(np.sign(side) * other > -1e-9 for other in others)


@pytest.mark.parametrize("m", [3, 4])
def test_under_calibration_frequencies_lie_inside_as_often_as_said_and_little_more(m: int) -> None:
    rng = np.random.default_rng(m)
    n = {3: 7, 4: 5}[m]
    probs = rng.dirichlet(np.ones(m), size=n)
    frequencies, chances = law_of_frequencies(probs)
    p = Predictions.from_arrays(probs, np.zeros(n, int))
    (radius,) = reliability(p, MedianVarianceBinning(n), n_resamples=20_000, rng=rng).high
    outline = consistency_outline(probs.mean(axis=0), radius)
    covered = chances[inside_hull(frequencies, outline.vertices)].sum()
    assert covered >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 20_000)
    smaller = chances[total_variation(frequencies, probs.mean(axis=0)) < radius - 1e-9].sum()
    assert smaller <= 0.95 + 3 * np.sqrt(0.05 * 0.95 / 20_000)  # the next smaller one would hold too little


def test_coverage_over_calibrated_data_sets() -> None:
    rng = np.random.default_rng(5)
    p = Predictions.from_arrays(rng.dirichlet([0.6, 0.9, 0.4], size=300), np.zeros(300, int))
    found = reliability(p, MedianVarianceBinning(30), n_resamples=2000, rng=rng)
    bins = bins_of(p.probs, MedianVarianceBinning(30))
    (labels,) = redrawn_labels(p, 1000, rng)
    inside = []
    for b, of_bin in enumerate(diagram_order(bins)):
        outline = consistency_outline(found.mean_prediction[b], found.high[b])
        inside.append(inside_hull(bins.frequencies(labels)[:, of_bin], outline.vertices).mean())
    assert min(inside) > 0.93
    assert 0.948 < np.mean(inside) < 0.975  # counts are whole, so a little more than 95 % lie inside


def test_outside_the_outline_is_outside_the_bar() -> None:
    found = reliability(load_example("wine"), SimplexBinning(5), n_resamples=199)
    assert found.outside.any()
    for b in range(found.n_bins):
        if found.high[b] > 1e-3:  # and room for rows that sum to 1 but for the last digit
            outline = consistency_outline(found.mean_prediction[b], found.high[b] + 1e-6)
            assert inside_hull(found.observed[b][None], outline.vertices)[0] == (not found.outside[b])


@pytest.mark.parametrize("binning", [MedianVarianceBinning(40), MeanVarianceBinning(90)])
def test_the_outlines_of_bins_hold_their_cases_and_fill_the_triangle(binning: Binning) -> None:
    probs = np.random.default_rng(1).dirichlet([0.5, 1.0, 0.8], size=1500)
    outlines, bins = bin_outlines(probs, binning), bins_of(probs, binning)
    assert len(outlines) == bins.n_bins > 10
    for outline, b in zip(outlines, diagram_order(bins), strict=True):
        assert inside_hull(probs[bins.index == b], outline.vertices).all()
    x, y = zip(*(o.vertices[:, :2].T for o in outlines), strict=True)
    areas = [abs(np.sum(a * np.roll(b, -1) - b * np.roll(a, -1))) / 2 for a, b in zip(x, y, strict=True)]
    assert sum(areas) == pytest.approx(0.5)


def test_cells_too_thin_for_rows_that_sum_to_one_but_for_the_last_digits_are_left_out() -> None:
    rng = np.random.default_rng(0)
    probs = np.round(rng.dirichlet(np.ones(3), size=600), 8)
    outlines = bin_outlines(probs, MedianVarianceBinning(2))
    assert len(outlines) > 100
    figure = simplex_figure(
        reliability(Predictions.from_arrays(probs, [0] * 600), MedianVarianceBinning(2), n_resamples=1),
        cells=outlines,
    )
    assert sum(x is None for x in figure.data[0].x) == sum(len(o.vertices) > 0 for o in outlines)
    assert bin_outlines(probs, MedianVarianceBinning(1)) == []  # more than 400


def test_bins_of_equal_width_have_their_grid_instead() -> None:
    assert bin_outlines(load_example("wine").probs, SimplexBinning(3)) == []


def test_five_classes_are_refused() -> None:
    with pytest.raises(InputError, match="5 classes; outlines are drawn for 3 or 4"):
        consistency_outline(np.full(5, 0.2), 0.1)
