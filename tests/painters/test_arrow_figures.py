"""Arrows that stand out, bins, lines of density and consistency regions, in triangle and tetrahedron."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.charts import style, tetrahedron, triangle
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning
from calibcore.diagram.density import isolines
from calibcore.diagram.outlines import Outline, bin_outlines, consistency_outline
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.hypothesis_tests.bins import BinPvalues, bin_pvalues
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.painters.screen.tetrahedron import SIDES, tetrahedron_figure
from calibcore.transforms.lenses import TopKLens

BINS = MedianVarianceBinning(10)
WINE = load_example("wine")


@pytest.fixture(scope="module")
def wine() -> Reliability:
    return reliability(WINE, BINS, n_resamples=199, rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def tests() -> BinPvalues:
    return bin_pvalues(WINE, BINS, 1599, np.random.default_rng(1))


@pytest.fixture(scope="module")
def digits() -> tuple[Reliability, BinPvalues]:
    p, binning = TopKLens(3)(load_example("digits-logistic")), MedianVarianceBinning(50)
    rng = np.random.default_rng(0)
    return reliability(p, binning, n_resamples=99, rng=rng), bin_pvalues(p, binning, 999, rng)


def region(found: Reliability, b: int) -> Outline:
    return consistency_outline(found.mean_prediction[b], float(found.high[b]))


def drawn(figure: go.Figure) -> list[list[int]]:
    """The bins of the pale and of the strong arrows."""
    found: list[list[int]] = [[], []]
    for t in figure.data:
        if isinstance(t, go.Quiver):
            found[t.marker.color == style.OBSERVED] += [int(b) for _, b in t.customdata]
    return [sorted(bins) for bins in found]


def lines(figure: go.Figure, color: str) -> list[go.Scatter]:
    of_color = [t for t in figure.data if isinstance(t, go.Scatter) and t.line.color == color]
    return [t for t in of_color if not t.showlegend]


def test_golden(wine: Reliability, tests: BinPvalues, golden: Callable[[str, Any], None]) -> None:
    figure = simplex_figure(
        wine,
        "wine",
        binning=BINS,
        tests=tests,
        cells=bin_outlines(WINE.probs, BINS),
        lines=isolines(WINE.probs),
        chosen=region(wine, 3),
    )
    golden("simplex-wine-all", figure)


def test_golden_of_four(digits: tuple[Reliability, BinPvalues], golden: Callable[[str, Any], None]) -> None:
    found, tests = digits
    figure = tetrahedron_figure(found, "image", tests=tests, chosen=region(found, 0), without=2)
    golden("tetrahedron-logistic-all", figure)


def test_strong_arrows_are_those_significant_after_adjusting(wine: Reliability, tests: BinPvalues) -> None:
    outside = np.flatnonzero(wine.outside).tolist()
    for alpha in np.unique(tests.adjusted):
        strong = np.flatnonzero(tests.adjusted <= alpha).tolist()
        assert drawn(simplex_figure(wine, tests=tests, alpha=float(alpha)))[1] == strong
    assert len(drawn(simplex_figure(wine, tests=tests, alpha=float(tests.adjusted.min())))[1]) < len(outside)
    assert drawn(simplex_figure(wine))[1] == outside


def test_the_same_in_the_tetrahedron(digits: tuple[Reliability, BinPvalues]) -> None:
    found, _ = digits
    tests = BinPvalues(*2 * [np.where(np.arange(found.n_bins) == 4, 0.01, 0.5)], "holm", 99)

    def strong(alpha: float) -> list[int]:
        traces = tetrahedron_figure(found, tests=tests, alpha=alpha).data
        solid = [t for t in traces if isinstance(t, go.Scatter3d) and t.line.color == style.OBSERVED]
        return sorted(int(b) for t in solid if t.customdata is not None for _, b in t.customdata[::3])

    assert strong(0.05) == [4]
    assert strong(0.6) == list(range(found.n_bins))
    assert strong(0.001) == []


def test_the_hover_says_the_adjusted_p(wine: Reliability, tests: BinPvalues) -> None:
    least = int(tests.adjusted.argmin())
    for trace in simplex_figure(wine, tests=tests).data:
        if isinstance(trace, go.Quiver):
            for said, b in trace.customdata:
                assert "<br>Arrow's adjusted p " in said
                marked = ", the smallest possible" if tests.at_floor[b] else ""
                assert b != least or said.endswith(f"= {tests.adjusted[b]:.2g}{marked}")
    assert "adjusted" not in simplex_figure(wine).to_json()


def test_bins_of_any_shape_are_outlined_in_place_of_a_grid(wine: Reliability) -> None:
    cells = bin_outlines(WINE.probs, BINS)
    hairs = simplex_figure(wine, cells=cells).data[0]
    assert hairs.line.color == style.GRID
    assert sum(x is None for x in hairs.x) == len(cells) == wine.n_bins
    places = [p for p in zip(hairs.x, hairs.y, strict=True) if p[0] is not None]
    expected = np.concatenate([c.vertices[[*range(len(c.vertices)), 0]] for c in cells])
    assert_allclose(places, triangle.projected(expected))
    without = simplex_figure(wine, binning=BINS).data[0]
    assert sum(x is None for x in without.x) == 12  # every 20 points


def test_densest_predictions_are_a_faint_blue_ground_without_lines(wine: Reliability) -> None:
    found = isolines(WINE.probs)
    for theme in ("light", "dark"):
        outer, inner = lines(simplex_figure(wine, theme=theme, lines=found), style.PREDICTED[theme])
        for trace, line, opacity in zip((inner, outer), found, style.CLOUD, strict=True):
            assert (trace.fill, trace.line.width, trace.hoverinfo) == ("toself", 0, "skip")
            assert trace.fillcolor.endswith(f", {opacity:g})")
            places = [p for p in zip(trace.x, trace.y, strict=True) if p[0] is not None]
            walks = [walk[[*range(len(walk)), 0]] for walk in line.walks]
            assert_allclose(places, triangle.projected(np.concatenate(walks)))


def test_arrows_say_how_far_their_points_come(
    wine: Reliability, digits: tuple[Reliability, BinPvalues]
) -> None:
    """Taken back, every line is a point and every head is at the beginning of its arrow."""
    flat, deep = simplex_figure(wine), tetrahedron_figure(digits[0])
    for figure, found, m in ((flat, wine, 3), (deep, digits[0], 4)):
        corners = triangle.CORNERS if m == 3 else tetrahedron.CORNERS
        tails = {tuple(np.round(tail, 9)) for tail in found.mean_prediction @ corners}
        growing = [t for t in figure.data if t.meta is not None]
        assert growing
        for trace in growing:
            axes = [np.array(trace[name], float) for name in "xyz"[: m - 1]]
            begun = np.column_stack(axes) - np.array(trace.meta["grows"])
            if trace.type == "mesh3d":  # a cone: its point, the first of its corners
                begun = begun[:: 1 + SIDES]
            elif trace.mode == "lines":
                assert_allclose(begun[0::3], begun[1::3], atol=1e-12)
                begun = begun[0::3]
            assert {tuple(place) for place in np.round(begun, 9)} <= tails


def test_the_chosen_region_is_filled_grey_under_the_arrows(wine: Reliability) -> None:
    outline = region(wine, 3)
    figure = simplex_figure(wine, chosen=outline)
    (drawn_region,) = [t for t in figure.data if isinstance(t, go.Scatter) and t.fill]
    around = outline.vertices[[*range(len(outline.vertices)), 0]]
    assert_allclose(np.column_stack([drawn_region.x, drawn_region.y]), triangle.projected(around))
    assert (drawn_region.line.color, drawn_region.fillcolor) == (style.CHANCE, style.CHANCE_FILL)
    kinds = [isinstance(t, go.Quiver) for t in figure.data]
    assert figure.data.index(drawn_region) < kinds.index(True)
    assert "toself" not in simplex_figure(wine).to_json()


def test_the_chosen_region_of_four_is_a_frame(digits: tuple[Reliability, BinPvalues]) -> None:
    found, _ = digits
    outline = region(found, 2)
    without, with_frame = tetrahedron_figure(found), tetrahedron_figure(found, chosen=outline)
    assert len(with_frame.data) == len(without.data) + 1
    frame = with_frame.data[-1]
    places = np.column_stack([frame.x, frame.y, frame.z]).reshape(-1, 3, 3)
    assert np.isnan(places[:, 2].astype(float)).all()
    assert_allclose(places[:, :2].astype(float), tetrahedron.projected(outline.vertices)[outline.edges])


def test_how_a_tetrahedron_was_turned_stays_until_another_side_is_asked_for(
    digits: tuple[Reliability, BinPvalues],
) -> None:
    found, _ = digits
    kept = [tetrahedron_figure(found, least=n).layout.scene.uirevision for n in (1, 60)]
    assert kept[0] == kept[1]
    assert tetrahedron_figure(found, without=1).layout.scene.uirevision != kept[0]


def test_the_key_has_strong_arrows_also_where_there_are_none() -> None:
    p = Predictions.from_arrays([[0.5, 0.3, 0.2]] * 4, [0, 0, 1, 2])
    figure = simplex_figure(reliability(p, SimplexBinning(2), n_resamples=19))
    assert drawn(figure)[1] == []
    assert "beyond chance" in [t.name for t in figure.data if t.showlegend]


def test_the_key_says_what_p_stands_out(wine: Reliability, tests: BinPvalues) -> None:
    names = [t.name for t in simplex_figure(wine, tests=tests, alpha=0.1).data if t.showlegend]
    assert "stands out (p ≤ 0.1)" in names
