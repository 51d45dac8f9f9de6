"""The tetrahedron shows the numbers of the result it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.charts import style
from calibcore.charts.arrows import widths_of
from calibcore.charts.formats import MOST_ARROWS
from calibcore.charts.tetrahedron import CORNERS, RANGE, SCALE, projected
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.diagram.zoom import Zoom
from calibcore.errors import InputError
from calibcore.painters.screen.tetrahedron import HEAD, SIDES, camera, heads, tetrahedron_figure
from calibcore.transforms.lenses import TopKLens


@pytest.fixture(scope="module")
def digits() -> Reliability:
    p = TopKLens(3)(load_example("digits-forest"))
    return reliability(p, MedianVarianceBinning(50), n_resamples=99, rng=np.random.default_rng(0))


def groups(figure: go.Figure) -> list[go.Scatter3d]:
    """The lines of arrows, those of one width and colour together."""
    found = [t for t in figure.data if isinstance(t, go.Scatter3d) and t.mode == "lines"]
    return [t for t in found if t.customdata is not None]


def drawn(figure: go.Figure) -> list[int]:
    return sorted(int(b) for t in groups(figure) for _, b in t.customdata[::3])


def lines(figure: go.Figure) -> dict[int, np.ndarray]:
    """Bin -> (2, 3) tail and tip."""
    return {
        int(b): ends[:2]
        for t in groups(figure)
        for (_, b), ends in zip(
            t.customdata[::3], np.column_stack([t.x, t.y, t.z]).reshape(-1, 3, 3), strict=True
        )
    }


def test_golden(digits: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("tetrahedron-digits", tetrahedron_figure(digits, "image"))


def test_corners_are_the_classes_all_equally_far_apart_around_the_middle() -> None:
    assert_allclose(projected(np.eye(4)), CORNERS)
    assert_allclose(projected(np.full(4, 0.25)), 0, atol=1e-15)
    apart = np.linalg.norm(CORNERS[:, None] - CORNERS, axis=2)
    assert_allclose(apart, 1 - np.eye(4))


def test_arrows_go_from_predicted_to_observed_in_true_length(digits: Reliability) -> None:
    found = lines(tetrahedron_figure(digits))
    assert sorted(found) == list(range(digits.n_bins))
    for b, (tail, tip) in found.items():
        assert_allclose(tail, projected(digits.mean_prediction[b]))
        assert_allclose(tip, projected(digits.observed[b]), atol=1e-15)


def test_all_heads_are_one_mesh_of_cones_that_end_at_the_tips() -> None:
    rng = np.random.default_rng(1)
    tail, tip = rng.normal(size=(2, 7, 3))
    tip[3] = tail[3]  # no length, no head
    tip[4] = tail[4] + [0, 0, 0.01]  # short
    mesh = heads(tail, tip, [f"rgb({i}, 0, 0)" for i in range(7)], np.full(7, HEAD))
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colour_is_the_evidence_and_width_the_share(digits: Reliability, theme: str) -> None:
    assert 0 < digits.outside.sum() < digits.n_bins
    for trace in groups(tetrahedron_figure(digits, theme=theme)):
        bins = [int(b) for _, b in trace.customdata[::3]]
        strong = bool(digits.outside[bins[0]])
        assert (digits.outside[bins] == strong).all()
        assert trace.line.color == (style.OBSERVED if strong else style.PALE_ARROW[theme])
        assert (widths_of(digits.counts[bins] / digits.n_cases) + 2 == trace.line.width).all()


def test_few_cases_are_left_out(digits: Reliability) -> None:
    least = int(np.sort(digits.counts)[3])
    kept = np.flatnonzero(digits.counts >= least)
    assert 0 < len(kept) < digits.n_bins
    assert drawn(tetrahedron_figure(digits, least=least)) == kept.tolist()


def test_it_asks_to_be_turned_unless_one_side_is_asked_for(digits: Reliability) -> None:
    assert tetrahedron_figure(digits).layout.meta == {"turns": True}
    assert tetrahedron_figure(digits, without=0).layout.meta == {"turns": False}


def test_a_part_is_the_same_tetrahedron_of_fewer_arrows(digits: Reliability) -> None:
    zoom = Zoom((0.5, 0.1, 0.0, 0.0))
    figure = tetrahedron_figure(digits, zoom=zoom)
    inside = np.flatnonzero(zoom.holds(digits.mean_prediction))
    assert 0 < len(inside) < digits.n_bins
    found = lines(figure)
    assert sorted(found) == inside.tolist()
    for b, (tail, tip) in found.items():
        assert_allclose(tip - tail, projected(digits.observed[b] - digits.mean_prediction[b]) / 0.4)
        assert_allclose(tail, (digits.mean_prediction[b] - zoom.lowest) / 0.4 @ CORNERS)
    names = next(t for t in figure.data if isinstance(t, go.Scatter3d) and t.mode == "text")
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in names.text] == [
        "<b>1st</b> 90 %", "<b>2nd</b> 50 %", "<b>3rd</b> 40 %", "<b>other</b> 40 %",
    ]  # fmt: skip


def test_so_many_arrows_as_turn_smoothly_are_drawn_at_most() -> None:
    rng = np.random.default_rng(2)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(4), size=5000), rng.integers(4, size=5000), "abcd")
    found = reliability(p, UniformBinning(12), n_resamples=9)
    bins = drawn(tetrahedron_figure(found))
    assert found.n_bins > len(bins) == MOST_ARROWS[4]
    assert found.counts[bins].min() >= np.delete(found.counts, bins).max()


@pytest.mark.parametrize("without", range(4))
def test_the_eye_is_straight_before_a_face(without: int) -> None:
    seen = camera(without)
    at, up, center = (np.array([seen[name][axis] for axis in "xyz"]) for name in ("eye", "up", "center"))
    eye = at - center
    assert seen["projection"] == {"type": "orthographic"}  # a near arrow is no longer than a far one
    others = np.delete(CORNERS, without, axis=0)
    assert np.ptp(others @ eye) < 1e-5  # the three are equally far
    assert (CORNERS[without] @ eye) < (others @ eye).min()
    assert abs(up @ eye) < 1e-5
    low, also, top = np.sort(others @ up)  # a corner on top, the two others level
    assert low == pytest.approx(also, abs=1e-5)
    assert top > 0.3 > low


def test_the_names_fit_on_a_phone_while_it_turns() -> None:
    """Of a drawing 265 pixels tall, a side 0.87 of it; a name stands above its point, a line of 14 pixels."""
    seen = camera(None)
    at, center = (np.array([seen[name][axis] for axis in "xyz"]) for name in ("eye", "center"))
    away = (at - center) / np.linalg.norm(at - center)
    scale = SCALE / np.ptp(RANGE)  # (points of the scene) to (units of the eye)
    for angle in np.linspace(0, 2 * np.pi, 60):
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        above = np.array([0, 0, 1]) - away[2] * away
        up = above / np.linalg.norm(above)
        heights = (CORNERS @ turn.T * 1.07 - center / scale) @ up * 0.87 * 265
        assert heights.max() + 24 < 265 / 2
        assert heights.min() > -265 / 2 - 4


def test_another_number_of_classes_is_refused() -> None:
    found = reliability(load_example("wine"), UniformBinning(5), n_resamples=9)
    with pytest.raises(InputError, match="3 classes; a tetrahedron shows 4"):
        tetrahedron_figure(found)
