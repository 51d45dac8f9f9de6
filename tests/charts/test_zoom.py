"""Parts of the simplex are exact: a smaller simplex with its own corners, numbers and hairlines."""

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.charts import style
from calibcore.charts.triangle import (
    CORNERS,
    WHOLE,
    along,
    clipped,
    edges_of,
    grid,
    ground_within,
    numbers_of,
    projected,
)
from calibcore.data.examples import load_example
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning
from calibcore.diagram.outlines import bin_outlines, consistency_outline
from calibcore.diagram.reliability import reliability
from calibcore.diagram.zoom import FEWEST, Zoom, zooms
from calibcore.numerics.types import Float
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.words.arrows import zoom_label, zoom_sentence

PARTS = [
    WHOLE,
    Zoom((0.98, 0.0, 0.0)),
    Zoom((0.0, 0.0, 0.6)),
    Zoom((0.2, 0.35, 0.1)),
    Zoom((0.0, 0.998, 0.0)),
]


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("zoom", PARTS)
def test_a_part_is_a_smaller_simplex_of_the_same_shape(zoom: Zoom) -> None:
    assert_allclose(projected(zoom.corners(), zoom), CORNERS, atol=1e-12)
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.ones(3), size=(2, 50))
    whole, part = ((projected(p, z) - projected(q, z)) for z in (WHOLE, zoom))
    assert_allclose(part, whole / zoom.side, rtol=1e-9)  # directions stay, lengths grow alike
    inside = zoom.holds(p)
    assert (inside == (p >= zoom.lowest).all(axis=1)).all()
    assert_allclose(zoom.within(p).sum(axis=1), 1)
    assert ((zoom.within(p) >= -1e-9).all(axis=1) == inside).all()


@pytest.mark.parametrize("zoom", PARTS)
def test_numbers_along_a_side_are_the_probabilities_there(zoom: Zoom) -> None:
    for k in range(3):
        numbers = numbers_of(5, zoom, k)
        assert 2 <= len(numbers) <= 6
        for level, words in numbers:
            assert float(plain(words).removesuffix(" %")) / 100 == pytest.approx(level, abs=1e-12)
            assert zoom.lowest[k] < level < zoom.lowest[k] + zoom.side
            line = along(zoom, k, level)
            assert_allclose(line.sum(axis=1), 1)
            assert_allclose(line[:, k], level)
            # Both ends lie on a side of the part: another class has its least there.
            assert_allclose([line[0, (k + 2) % 3], line[1, (k + 1) % 3]],
                            [zoom.lowest[(k + 2) % 3], zoom.lowest[(k + 1) % 3]])  # fmt: skip


@pytest.mark.parametrize("zoom", PARTS)
def test_what_chance_allows_is_drawn_within_the_part(zoom: Zoom) -> None:
    """Of a dense grid of the part, those in the whole outline are those in what is drawn of it."""
    outline = consistency_outline(np.array(zoom.lowest) + zoom.side / 3, 0.15)
    ground = ground_within(outline.vertices, zoom)
    assert len(ground) >= 3
    assert (ground >= np.array(zoom.lowest) - 1e-12).all()
    rng = np.random.default_rng(1)
    points = zoom.lowest + zoom.side * rng.dirichlet(np.ones(3), 400)

    def holds(corners: Float, places: Float) -> Float:
        ends = np.roll(corners, -1, axis=0) - corners
        to = places[:, None] - corners
        turns = ends[:, 0] * to[..., 1] - ends[:, 1] * to[..., 0]
        return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1))

    flat, part = projected(outline.vertices), projected(ground)
    assert (holds(flat, projected(points)) == holds(part, projected(points))).mean() > 0.99


def test_walks_are_cut_at_the_sides_of_the_part() -> None:
    zoom = Zoom((0.5, 0.0, 0.1))
    walk = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    (piece,) = clipped([walk], zoom)  # the second piece lies outside
    assert_allclose(piece, [[0.9, 0.0, 0.1], [0.5, 0.0, 0.5]])
    assert clipped([walk], WHOLE)[0] is walk
    wine, binning = load_example("wine"), MedianVarianceBinning(10)
    pieces = edges_of(bin_outlines(wine.probs, binning), 5, zoom)
    assert len(pieces)
    for ends in pieces:
        assert zoom.holds(ends).all()
    assert all(zoom.holds(line).all() for line in grid(5, zoom))


def test_arrows_of_a_part_are_those_that_begin_there() -> None:
    found = reliability(load_example("wine"), SimplexBinning(5), n_resamples=19)
    zoom = Zoom((0.0, 0.0, 0.6))
    inside = np.flatnonzero(found.mean_prediction[:, 2] >= 0.6)
    assert 0 < len(inside) < found.n_bins
    figure = simplex_figure(found, zoom=zoom)
    seen = {
        int(b): (x, y, u, v)
        for t in figure.data if isinstance(t, go.Quiver)
        for (_, b), x, y, u, v in zip(t.customdata, t.x, t.y, t.u, t.v, strict=True)
    }  # fmt: skip
    assert sorted(seen) == inside.tolist()
    for b, (x, y, u, v) in seen.items():
        assert_allclose((x, y), (found.mean_prediction[b] - zoom.lowest) / 0.4 @ CORNERS)
        assert_allclose((u, v), (found.observed[b] - found.mean_prediction[b]) / 0.4 @ CORNERS, atol=1e-12)
    names = [plain(note.text) for note in figure.layout.annotations]
    assert names == ["<b>grower 1</b> 40 %", "<b>grower 2</b> 40 %", "<b>grower 3</b> 100 %"]
    (region,) = [t for t in figure.data if isinstance(t, go.Scatter) and t.fill == "toself"]
    sides = [np.hypot(region.x[i] - region.x[i - 1], region.y[i] - region.y[i - 1]) for i in (1, 2)]
    assert_allclose(sides, 0.4 * 0.15)  # the small triangle shows how small the part is
    assert region.fillcolor == style.CHANCE_FILL


def crowd(n: int, corner: int, spread: float) -> np.ndarray:
    rng = np.random.default_rng(corner)
    aside = spread * rng.random((n, 2))
    probs = np.empty((n, 3))
    probs[:, corner] = 1 - aside.sum(axis=1)
    probs[:, [(corner + 1) % 3, (corner + 2) % 3]] = aside
    return probs


def test_corners_are_offered_where_most_arrows_crowd_them() -> None:
    spread = np.random.default_rng(0).dirichlet(np.full(3, 5.0), size=6)
    tail = np.concatenate([crowd(20, 0, 0.004), crowd(10, 2, 0.02), crowd(2, 1, 0.001), spread])
    tip = np.clip(tail + 0.001, 0, 1)
    found = zooms(tail, tip)
    assert [part.corner for part in found] == [0, 2]  # two arrows are no crowd
    for part, corner in zip(found, (0, 2), strict=True):
        near = tail[:, corner] >= 0.9
        whole = part.holds(tail[near]) & (tip[near, corner] >= part.lowest[corner])
        assert whole.mean() >= 0.5
    assert found[0].side < found[1].side


def test_nothing_is_offered_where_arrows_are_spread_or_few() -> None:
    rng = np.random.default_rng(1)
    tail = rng.dirichlet(np.ones(3), size=40)
    assert zooms(tail, tail) == ()
    assert zooms(crowd(FEWEST - 1, 0, 0.01), crowd(FEWEST - 1, 0, 0.01)) == ()
    assert zooms(np.empty((0, 3)), np.empty((0, 3))) == ()


def test_predictions_that_are_all_alike_have_one_part_around_them() -> None:
    rng = np.random.default_rng(2)
    tail = np.array([0.3, 0.4, 0.3]) + rng.uniform(-0.04, 0.04, (20, 1)) * np.array([1, -1, 0])
    (part,) = zooms(tail, tail)
    assert part == Zoom((0.25, 0.35, 0.3))
    assert part.holds(tail).all()
    assert part.corner is None
    assert zoom_label(part, "abc") == "Where the predictions are"
    four = zooms(np.column_stack([tail / 2, np.full(20, 0.5)]), np.column_stack([tail / 2, np.full(20, 0.5)]))
    assert len(four) == 1
    assert four[0].holds(np.column_stack([tail / 2, np.full(20, 0.5)])).all()


def test_sure_predictions_and_exact_corners_bring_no_error() -> None:
    sure = np.repeat(np.eye(3), 4, axis=0)
    found = zooms(sure, np.roll(sure, 1, axis=0))
    assert [part.corner for part in found] == [0, 1, 2]
    assert all(0 < part.side < 0.5 for part in found)


def test_a_part_is_told_in_words() -> None:
    assert zoom_label(Zoom((0.0, 0.98, 0.0)), ("cat", "dog", "fox")) == "Near 'dog'"
    said = plain(zoom_sentence(Zoom((0.0, 0.98, 0.0)), ("cat", "dog", "fox"), 30, 64))
    assert said.startswith(
        "Drawn 50 times as large: the part with at least 'dog' 98 %. 30 of 64 arrows begin"
    )
    both = plain(zoom_sentence(Zoom((0.25, 0.35, 0.0)), ("cat", "dog", "fox"), 1, 1))
    assert "at least 'cat' 25 % and 'dog' 35 %. 1 of 1 arrow begins here." in both
