"""The triangle shows the numbers of the result it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose
from plotly.colors import hex_to_rgb, unlabel_rgb

from calibcore.data.examples import load_example, v19_table1
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.figures import style
from calibcore.figures.arrows import SHARES, SHARES_DARK
from calibcore.figures.simplex import CORNERS, projected, simplex_figure
from calibcore.transforms.lenses import TopKLens


@pytest.fixture(scope="module")
def wine() -> Reliability:
    rng = np.random.default_rng(0)
    return reliability(load_example("wine"), SimplexBinning(5), n_resamples=199, rng=rng)


def arrows(figure: go.Figure) -> list[go.Quiver]:
    return [trace for trace in figure.data if isinstance(trace, go.Quiver)]


def test_golden(wine: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("simplex-wine", simplex_figure(wine, "wine"))


def test_corners_are_the_classes_and_the_middle_is_the_middle() -> None:
    assert_allclose(projected(np.eye(3)), CORNERS)
    assert_allclose(projected(np.full(3, 1 / 3)), CORNERS.mean(axis=0))
    sides = np.linalg.norm(CORNERS - np.roll(CORNERS, 1, axis=0), axis=1)
    assert_allclose(sides, 1)


def test_arrows_go_from_predicted_to_observed_in_true_length(wine: Reliability) -> None:
    traces = arrows(simplex_figure(wine))
    order = np.concatenate([np.flatnonzero(~wine.outside), np.flatnonzero(wine.outside)])
    tails = np.column_stack([np.concatenate([t[k] for t in traces]) for k in ("x", "y")])
    steps = np.column_stack([np.concatenate([t[k] for t in traces]) for k in ("u", "v")])
    assert_allclose(tails, projected(wine.mean_prediction[order]))
    assert_allclose(tails + steps, projected(wine.observed[order]), atol=1e-12)
    assert all(t.lengthmode == "raw" and t.anchor == "tail" for t in traces)


def test_long_arrows_are_solid_and_the_others_pale(wine: Reliability) -> None:
    figure = simplex_figure(wine)
    within, outside = arrows(figure)
    assert len(within.x) == (~wine.outside).sum()
    assert len(outside.x) == wine.outside.sum()
    # An arrow has no opacity in plotly: its scale of colours is mixed with the page.
    assert (within.marker.coloraxis, outside.marker.coloraxis) == ("coloraxis2", "coloraxis")
    strong, pale = figure.layout.coloraxis.colorscale, figure.layout.coloraxis2.colorscale
    for (_, one), (_, other) in zip(strong, pale, strict=True):
        assert_allclose(unlabel_rgb(other), 255 + style.PALE * (np.array(unlabel_rgb(one)) - 255), atol=0.51)
    assert figure.layout.coloraxis2.cmax == figure.layout.coloraxis.cmax


def test_colour_is_the_share_of_cases(wine: Reliability) -> None:
    figure = simplex_figure(wine)
    shares = np.concatenate([t.marker.color for t in arrows(figure)])
    assert shares.sum() == pytest.approx(1)
    assert figure.layout.coloraxis.cmax == pytest.approx(shares.max())
    assert [at for at, _ in SHARES] == sorted(at for at, _ in SHARES)


def brightness(color: str) -> float:
    """Relative luminance as the WCAG define it."""
    share = np.array(unlabel_rgb(color)) / 255
    linear = np.where(share <= 0.03928, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_an_arrow_of_few_cases_is_seen_on_the_dark_theme() -> None:
    page = brightness(f"rgb{hex_to_rgb(style.BACKGROUND['dark'])}")
    bright = [brightness(color) for _, color in SHARES_DARK]
    assert bright == sorted(bright)
    assert (bright[0] + 0.05) / (page + 0.05) > 3


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
    shares = np.concatenate([t.marker.color for t in arrows(figure)])
    assert shares.sum() == pytest.approx(wine.counts[kept].sum() / wine.counts.sum())


def test_no_arrow_is_left_where_every_bin_is_below() -> None:
    found = reliability(load_example("wine"), SimplexBinning(5), n_resamples=9)
    assert all(len(t.x) == 0 for t in arrows(simplex_figure(found, least=10_000)))


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
    hairlines, _, ticks = simplex_figure(wine, binning=binning).data[:3]
    ends = [(x, y) for x, y in zip(hairlines.x, hairlines.y, strict=True) if x is not None]
    assert len(ends) == 2 * lines
    assert [t.replace("\N{NO-BREAK SPACE}", " ") for t in ticks.text] == labels * 3


def test_the_numbers_along_a_side_rise_towards_their_corner(wine: Reliability) -> None:
    ticks = simplex_figure(wine).data[2]
    places = np.column_stack([ticks.x, ticks.y]).reshape(3, 4, 2)
    for corner, along in zip(CORNERS, places, strict=True):
        assert (np.diff(np.linalg.norm(along - corner, axis=1)) < 0).all()
        # Outside the triangle, a little beyond the side where the next corner has the rest.
        weights = np.linalg.solve(np.vstack([CORNERS.T, np.ones(3)]), np.vstack([along.T, np.ones(4)]))
        assert (weights.min(axis=0) < -0.03).all()


def test_weighted_cases_have_strong_arrows_and_no_range() -> None:
    p = load_example("wine")
    weights = np.linspace(1, 2, p.n)
    weighted = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=weights)
    within, outside = arrows(simplex_figure(reliability(weighted, SimplexBinning(3))))
    assert len(within.x) == 0 < len(outside.x)
    assert not any("If calibrated" in h or "nan" in h for h, _ in outside.customdata)


def test_long_names_of_corners_are_two_lines() -> None:
    names = ("a" * 50, "one two three four five six seven eight", "short & sweet")
    assert style.corner_names(names) == (
        "aaaaaaaaaaaaaaaaaa<br>…",
        "one two three four<br>five six seven…",
        "short &amp; sweet",
    )
