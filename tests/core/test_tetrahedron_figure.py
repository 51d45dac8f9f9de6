"""The tetrahedron shows the numbers of the result it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose
from plotly.colors import unlabel_rgb

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.figures.formats import MOST_ARROWS
from calibcore.figures.tetrahedron import (
    CORNERS,
    HEAD,
    SIDES,
    camera,
    heads,
    projected,
    tetrahedron_figure,
)
from calibcore.transforms.lenses import TopKLens


@pytest.fixture(scope="module")
def digits() -> Reliability:
    p = TopKLens(3)(load_example("digits-forest"))
    return reliability(p, MedianVarianceBinning(50), n_resamples=99, rng=np.random.default_rng(0))


def lines(figure: go.Figure) -> np.ndarray:
    """(arrows, 2, 3) tails and tips."""
    trace = figure.data[2]
    return np.column_stack([trace.x, trace.y, trace.z]).reshape(-1, 3, 3)[:, :2]


def test_golden(digits: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("tetrahedron-digits", tetrahedron_figure(digits, "image"))


def test_corners_are_the_classes_all_equally_far_apart_around_the_middle() -> None:
    assert_allclose(projected(np.eye(4)), CORNERS)
    assert_allclose(projected(np.full(4, 0.25)), 0, atol=1e-15)
    apart = np.linalg.norm(CORNERS[:, None] - CORNERS, axis=2)
    assert_allclose(apart, 1 - np.eye(4))


def test_arrows_go_from_predicted_to_observed_in_true_length(digits: Reliability) -> None:
    found = lines(tetrahedron_figure(digits))
    assert_allclose(found[:, 0], projected(digits.mean_prediction))
    assert_allclose(found[:, 1], projected(digits.observed), atol=1e-15)


def test_all_heads_are_one_mesh_of_cones_that_end_at_the_tips() -> None:
    rng = np.random.default_rng(1)
    tail, tip = rng.normal(size=(2, 7, 3))
    tip[3] = tail[3]  # no length, no head
    tip[4] = tail[4] + [0, 0, 0.01]  # short
    mesh = heads(tail, tip, [f"rgb({i}, 0, 0)" for i in range(7)])
    kept = [0, 1, 2, 4, 5, 6]
    corners = np.column_stack([mesh.x, mesh.y, mesh.z]).reshape(6, 1 + SIDES, 3)
    assert_allclose(corners[:, 0], tip[kept])
    height = np.array([HEAD, HEAD, HEAD, 0.006, HEAD, HEAD])
    step = tip[kept] - tail[kept]
    ahead = step / np.linalg.norm(step, axis=1, keepdims=True)
    base = tip[kept] - height[:, None] * ahead
    assert_allclose(corners[:, 1:].mean(axis=1), base)
    ring = corners[:, 1:] - base[:, None]
    assert_allclose(np.linalg.norm(ring, axis=2), 0.4 * height[:, None] * np.ones(SIDES))
    assert_allclose(np.einsum("ask,ak->as", ring, ahead), 0, atol=1e-12)
    assert list(mesh.vertexcolor[:: 1 + SIDES]) == [f"rgb({i}, 0, 0)" for i in kept]
    faces = np.column_stack([mesh.i, mesh.j, mesh.k]).reshape(6, SIDES, 3)
    assert (faces // (1 + SIDES) == np.arange(6)[:, None, None]).all()  # within one arrow
    local = faces % (1 + SIDES)
    assert (local[..., 0] == 0).all()
    assert (local[..., 2] % SIDES == (local[..., 1] + 1) % SIDES).all()  # round the ring
    assert (np.sort(local[..., 1], axis=1) == 1 + np.arange(SIDES)).all()


def test_one_mesh_whatever_the_number_of_arrows(digits: Reliability) -> None:
    assert sum(isinstance(trace, go.Mesh3d) for trace in tetrahedron_figure(digits).data) == 1


def test_long_arrows_are_strong_and_the_others_pale(digits: Reliability) -> None:
    assert 0 < digits.outside.sum() < digits.n_bins
    colors = np.array([unlabel_rgb(c) for c in tetrahedron_figure(digits).data[2].line.color[::3]])
    dark = tetrahedron_figure(digits, theme="dark")
    assert colors[~digits.outside].mean() > colors[digits.outside].mean() + 40  # nearer to white
    on_dark = np.array([unlabel_rgb(c) for c in dark.data[2].line.color[::3]])
    assert on_dark[~digits.outside].mean() < on_dark[digits.outside].mean() - 40


def test_few_cases_are_left_out_and_shares_stay_those_of_all(digits: Reliability) -> None:
    least = int(np.sort(digits.counts)[3])
    figure = tetrahedron_figure(digits, least=least)
    kept = np.flatnonzero(digits.counts >= least)
    assert 0 < len(kept) < digits.n_bins
    assert [b for _, b in figure.data[3].customdata] == kept.tolist()
    assert figure.layout.coloraxis.cmax == pytest.approx(digits.counts.max() / 1079)


def test_so_many_arrows_as_turn_smoothly_are_drawn_at_most() -> None:
    rng = np.random.default_rng(2)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(4), size=5000), rng.integers(4, size=5000), "abcd")
    found = reliability(p, UniformBinning(12), n_resamples=9)
    drawn = [b for _, b in tetrahedron_figure(found).data[3].customdata]
    assert found.n_bins > len(drawn) == MOST_ARROWS[4]
    assert found.counts[drawn].min() >= np.delete(found.counts, drawn).max()


@pytest.mark.parametrize("without", range(4))
def test_the_eye_is_straight_before_a_face(without: int) -> None:
    seen = camera(without)
    eye, up = (np.array([seen[name][axis] for axis in "xyz"]) for name in ("eye", "up"))
    others = np.delete(CORNERS, without, axis=0)
    assert np.ptp(others @ eye) < 1e-5  # the three are equally far
    assert (CORNERS[without] @ eye) < (others @ eye).min()
    assert abs(up @ eye) < 1e-5
    low, also, top = np.sort(others @ up)  # a corner on top, the two others level
    assert low == pytest.approx(also, abs=1e-5)
    assert top > 0.3 > low


def test_another_number_of_classes_is_refused() -> None:
    found = reliability(load_example("wine"), UniformBinning(5), n_resamples=9)
    with pytest.raises(InputError, match="3 classes; a tetrahedron shows 4"):
        tetrahedron_figure(found)
