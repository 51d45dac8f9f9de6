"""The triangle shows the numbers of the result it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose
from plotly.colors import hex_to_rgb

from calibcore.charts import style
from calibcore.charts.arrows import PIXELS, THICKEST, THINNEST, widths_of
from calibcore.charts.triangle import CORNERS, projected
from calibcore.data.examples import load_example, v19_table1
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.painters.screen import canvas
from calibcore.painters.screen.simplex import INSIDE, LENGTH, MOST_OF_ARROW, SIDE, simplex_figure
from calibcore.transforms.lenses import TopKLens


@pytest.fixture(scope="module")
def wine() -> Reliability:
    rng = np.random.default_rng(0)
    return reliability(load_example("wine"), SimplexBinning(5), n_resamples=199, rng=rng)


def arrows(figure: go.Figure) -> list[go.Quiver]:
    return [trace for trace in figure.data if isinstance(trace, go.Quiver)]


def widths_drawn(figure: go.Figure) -> dict[int, float]:
    """Bin -> how wide its line is, which is drawn before its head and what a pointer finds."""
    return {
        int(b): figure.data[place - 2].line.width
        for place, trace in enumerate(figure.data)
        if isinstance(trace, go.Quiver)
        for _, b in trace.customdata
    }


def test_golden(wine: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("simplex-wine", simplex_figure(wine, "wine"))


def test_corners_are_the_classes_and_the_middle_is_the_middle() -> None:
    assert_allclose(projected(np.eye(3)), CORNERS)
    assert_allclose(projected(np.full(3, 1 / 3)), CORNERS.mean(axis=0))
    sides = np.linalg.norm(CORNERS - np.roll(CORNERS, 1, axis=0), axis=1)
    assert_allclose(sides, 1)


def ends(figure: go.Figure) -> dict[int, np.ndarray]:
    """Bin -> (2, 2) where its arrow begins and ends."""
    return {
        int(b): np.array([[x, y], [x + u, y + v]])
        for t in arrows(figure)
        for (_, b), x, y, u, v in zip(t.customdata, t.x, t.y, t.u, t.v, strict=True)
    }


def test_arrows_go_from_predicted_to_observed_in_true_length(wine: Reliability) -> None:
    figure = simplex_figure(wine)
    assert sorted(ends(figure)) == list(range(wine.n_bins))
    for b, (tail, tip) in ends(figure).items():
        assert_allclose(tail, projected(wine.mean_prediction[b]))
        assert_allclose(tip, projected(wine.observed[b]), atol=1e-12)
    assert all(t.lengthmode == "raw" and t.anchor == "tail" for t in arrows(figure))


def test_heads_are_filled_point_along_their_arrows_and_hide_where_the_lines_end(wine: Reliability) -> None:
    close = Predictions.from_arrays(np.tile([0.5, 0.5, 0.0], (100, 1)), [0] * 51 + [1] * 49, ("x", "y", "z"))
    for found, some_short in ((wine, False), (reliability(close, UniformBinning(1), n_resamples=9), True)):
        assert _short_heads(simplex_figure(found)) == some_short


def _short_heads(figure: go.Figure) -> bool:
    """Whether some are short for their arrows; looks at all."""
    short = 0
    for place, found in enumerate(figure.data):
        if not isinstance(found, go.Quiver):
            continue
        line, head = figure.data[place - 2 : place]
        step = np.column_stack([found.u, found.v])
        length = np.linalg.norm(step, axis=1)
        assert (head.marker.symbol, head.marker.color, head.hoverinfo) == (
            "triangle-up",
            line.line.color,
            "skip",
        )
        assert_allclose([head.x, head.y], [found.x + found.u, found.y + found.v])
        angle = np.radians(head.marker.angle)
        assert_allclose(np.column_stack([np.sin(angle), np.cos(angle)]) * length[:, None], step, atol=1e-12)
        assert_allclose(head.marker.standoff, np.array(head.marker.size) / 2)  # the tip, not the middle
        ends = np.column_stack([line.x[1::3], line.y[1::3]]).astype(float)
        missing = np.linalg.norm(np.column_stack([head.x, head.y]) - ends, axis=1)
        deep = LENGTH * np.array(head.marker.size) / SIDE
        assert_allclose(missing, INSIDE * deep, atol=1e-12)
        assert (deep <= MOST_OF_ARROW * length + 1e-12).all()
        long = deep < MOST_OF_ARROW * length - 1e-12
        # Half as large, as on a phone, the head is still as wide where the line ends.
        across = np.array(head.marker.size)[long] * 2 / np.sqrt(3)
        assert (INSIDE * across / 2 >= line.line.width - 0.5).all()
        short += int((~long).sum())
    return short > 0


def test_an_arrow_of_no_length_has_no_head() -> None:
    p = Predictions.from_arrays(np.tile([0.5, 0.5, 0.0], (4, 1)), [0, 1, 1, 0], ("x", "y", "z"))
    figure = simplex_figure(reliability(p, UniformBinning(1), n_resamples=9))
    (head,) = [t for t in figure.data if isinstance(t, go.Scatter) and t.marker.symbol == "triangle-up"]
    assert list(head.marker.size) == [0]
    assert np.isfinite(np.array(head.marker.angle)).all()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colour_is_the_evidence_and_dots_are_what_was_predicted(wine: Reliability, theme: str) -> None:
    figure = simplex_figure(wine, theme=theme)
    for trace in arrows(figure):
        bins = [int(b) for _, b in trace.customdata]
        strong = bool(wine.outside[bins[0]])
        assert (wine.outside[bins] == strong).all()
        assert trace.marker.color == (style.OBSERVED if strong else style.PALE_ARROW[theme])
    marks = [t for t in figure.data if isinstance(t, go.Scatter) and t.mode == "markers"]
    dots = [t for t in marks if not t.showlegend and t.marker.symbol is None]
    assert {dot.marker.color for dot in dots} == {style.PREDICTED[theme]}
    kinds = [t.marker.color == style.OBSERVED for t in arrows(figure)]
    assert kinds == sorted(kinds)  # those that stand out lie on top


def test_width_is_the_share_of_cases_on_one_scale(wine: Reliability) -> None:
    pixels = widths_drawn(simplex_figure(wine))
    for b, count in enumerate(wine.counts.tolist()):
        exact = np.clip(PIXELS * np.sqrt(count / wine.n_cases), THINNEST, THICKEST)
        assert pixels[b] == pytest.approx(exact, abs=0.25)
    assert widths_of(np.array([0.0, 0.0625, 0.25, 1.0])).tolist() == [THINNEST, 4.0, 8.0, THICKEST]


def test_the_key_says_in_words_what_is_drawn(wine: Reliability) -> None:
    figure = simplex_figure(wine, "wine")
    keys = {t.name.replace("\N{NO-BREAK SPACE}", " "): t for t in figure.data if t.showlegend}
    assert list(keys)[:3] == ["what the model said", "beyond chance", "could be chance"]
    assert keys["beyond chance"].line.color == style.OBSERVED
    for words, trace in list(keys.items())[3:]:
        share = float(words.split(" %")[0]) / 100
        assert trace.line.width == widths_of(np.array([share]))[0]
        assert words.endswith(" % of wines")
    assert len(keys) == 5
    assert [t for t in figure.data if t.showlegend and t.x[0] is not None] == []
    assert not figure.layout.legend.itemclick


def test_one_width_has_one_entry_in_the_key() -> None:
    found = reliability(load_example("wine"), MedianVarianceBinning(10), n_resamples=9)
    assert np.ptp(found.counts) > 0
    names = [t.name for t in simplex_figure(found, "wine").data if t.showlegend]
    assert names[3:] == ["each 12\N{NO-BREAK SPACE}% of wines"]


def brightness(color: str) -> float:
    """CIELAB lightness: what grey printing keeps."""
    linear = [((v / 255 + 0.055) / 1.055) ** 2.4 for v in hex_to_rgb(color)]
    return float(116 * np.cbrt(np.array(linear) @ [0.2126, 0.7152, 0.0722]) - 16)


@pytest.mark.parametrize(("theme", "seen"), [("light", 20), ("dark", 35)])
def test_evidence_is_told_apart_in_grey_and_from_the_page(theme: str, seen: float) -> None:
    strong, pale, page = map(brightness, (style.OBSERVED, style.PALE_ARROW[theme], style.BACKGROUND[theme]))
    assert abs(strong - page) - abs(pale - page) > 10
    assert abs(pale - page) > seen


def test_hover_says_what_was_predicted_and_what_happened() -> None:
    found = reliability(v19_table1(), UniformBinning(10), n_resamples=9)
    hovers = [h for t in arrows(simplex_figure(found, "day")) for h, _ in t.customdata]
    text = next(h for h in hovers if "Predicted: 3: 60" in h and "2: 30" in h).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "Happened: 3: 60 %, 1: 20 %, 2: 20 %" in text
    assert "10 days (16.7 %), 10.0 points apart" in text


def test_markup_in_class_names_is_shown_as_it_is() -> None:
    p = Predictions.from_arrays(np.tile([0.5, 0.3, 0.2], (4, 1)), [0, 1, 2, 0], ("<b>x</b>", "y", "z"))
    figure = simplex_figure(reliability(p, UniformBinning(1), n_resamples=9))
    assert "&lt;b&gt;x&lt;/b&gt;" in figure.layout.annotations[0].text


def test_another_number_of_classes_is_refused() -> None:
    found = reliability(TopKLens(1)(load_example("wine")), UniformBinning(5))
    with pytest.raises(InputError, match="2 classes; a triangle shows 3"):
        simplex_figure(found)


def test_few_cases_are_left_out_and_shares_stay_those_of_all(wine: Reliability) -> None:
    figure = simplex_figure(wine, least=5)
    kept = np.flatnonzero(wine.counts >= 5)
    assert 0 < len(kept) < wine.n_bins
    assert sorted(b for t in arrows(figure) for _, b in t.customdata) == kept.tolist()
    whole, widths = widths_drawn(simplex_figure(wine)), widths_drawn(figure)
    assert widths == {b: whole[b] for b in kept}


def test_no_arrow_is_left_where_every_bin_is_below() -> None:
    found = reliability(load_example("wine"), SimplexBinning(5), n_resamples=9)
    assert arrows(simplex_figure(found, least=10_000)) == []


@pytest.mark.parametrize(
    ("binning", "lines", "labels"),
    [
        (SimplexBinning(3), 6, ["33 %", "67 %"]),
        (UniformBinning(10), 27, ["20 %", "40 %", "60 %", "80 %"]),
        (MedianVarianceBinning(10), 12, ["20 %", "40 %", "60 %", "80 %"]),
        (SimplexBinning(50), 12, ["20 %", "40 %", "60 %", "80 %"]),
    ],
)
def test_lines_are_the_edges_of_equally_wide_bins(
    wine: Reliability, binning: Binning, lines: int, labels: list[str]
) -> None:
    hairlines, _, _, ticks = simplex_figure(wine, binning=binning).data[:4]
    ends = [(x, y) for x, y in zip(hairlines.x, hairlines.y, strict=True) if x is not None]
    assert len(ends) == 2 * lines
    assert [t.replace("\N{NO-BREAK SPACE}", " ") for t in ticks.text] == labels * 3


def test_the_numbers_along_a_side_rise_towards_their_corner(wine: Reliability) -> None:
    stubs, ticks = simplex_figure(wine).data[2:4]
    places = np.column_stack([ticks.x, ticks.y]).reshape(3, 4, 2)
    for corner, along in zip(CORNERS, places, strict=True):
        assert (np.diff(np.linalg.norm(along - corner, axis=1)) < 0).all()
        # Outside the triangle, a little beyond the side where the next corner has the rest.
        weights = np.linalg.solve(np.vstack([CORNERS.T, np.ones(3)]), np.vstack([along.T, np.ones(4)]))
        assert (weights.min(axis=0) < -0.005).all()
    # Each stands where a short line leads a hairline of its corner on, in the same direction.
    starts, ends = (np.column_stack([stubs.x[i::3], stubs.y[i::3]]).astype(float) for i in (0, 1))
    assert_allclose(ends.reshape(3, 4, 2), places)
    for corner, led in enumerate((ends - starts).reshape(3, 4, 2)):
        opposite = CORNERS[(corner + 1) % 3] - CORNERS[(corner + 2) % 3]
        assert_allclose(led @ opposite, np.linalg.norm(led, axis=1))


def test_weighted_cases_have_no_range_and_no_pale_arrows() -> None:
    p = load_example("wine")
    weights = np.linspace(1, 2, p.n)
    weighted = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=weights)
    figure = simplex_figure(reliability(weighted, SimplexBinning(3)))
    assert {t.marker.color for t in arrows(figure)} == {style.OBSERVED}
    hovers = [h for t in arrows(figure) for h, _ in t.customdata]
    assert not any("If calibrated" in h or "nan" in h for h in hovers)
    names = [t.name for t in figure.data if t.showlegend]
    assert "could be chance" not in names
    assert "leads to what happened" in names


def test_long_names_of_corners_are_two_lines() -> None:
    names = ("a" * 50, "one two three four five six seven eight", "short & sweet", "basal_cell_carcinoma")
    assert tuple(map(canvas.corner_name, names)) == (
        "aaaaaaaaaaaaaaaaaa<br>…",
        "one two three four<br>five six seven…",
        "short &amp; sweet",
        "basal_cell_<br>carcinoma",
    )
