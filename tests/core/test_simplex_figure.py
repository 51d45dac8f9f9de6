"""The triangle shows the numbers of the result it is given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.binning import SimplexBinning, UniformBinning
from calibcore.examples import load_example, v19_table1
from calibcore.figures import style
from calibcore.figures.arrows import SHARES
from calibcore.figures.simplex import CORNERS, projected, simplex_figure
from calibcore.lenses import TopKLens
from calibcore.predictions import InputError, Predictions
from calibcore.reliability import Reliability, reliability


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
    within, outside = arrows(simplex_figure(wine))
    assert len(within.x) == (~wine.outside).sum()
    assert len(outside.x) == wine.outside.sum()
    assert (within.opacity, outside.opacity) == (style.PALE, 1.0)


def test_colour_is_the_share_of_cases(wine: Reliability) -> None:
    figure = simplex_figure(wine)
    shares = np.concatenate([t.marker.color for t in arrows(figure)])
    assert shares.sum() == pytest.approx(1)
    assert figure.layout.coloraxis.cmax == pytest.approx(shares.max())
    assert [at for at, _ in SHARES] == sorted(at for at, _ in SHARES)


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
