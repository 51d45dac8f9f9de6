"""Scales of figures: that of well-filled bins, marks beyond it, thin bars, axes in log-odds, broken axes."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.charts import style
from calibcore.charts.deviation_scale import THINNEST, scale_of
from calibcore.charts.multiples import reach_of
from calibcore.charts.null_distribution import null_marks
from calibcore.charts.probability_axis import axis_of
from calibcore.charts.reliability import LARGEST, SMALLEST, cross_sizes
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagnose import NamedTest
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.diagram.spread import INTERVALS, Spread, log_odds, spread_binning, spread_of
from calibcore.hypothesis_tests import TestResult, monte_carlo_pvalue
from calibcore.hypothesis_tests.histogram import FAR
from calibcore.numerics.types import Float
from calibcore.painters.inline import reliability_svg
from calibcore.painters.paper import null_print, reliability_print
from calibcore.painters.screen import canvas
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.transforms.lenses import ClassLens, TopKLens
from calibcore.wording import percent
from calibcore.words.diagram import beyond_words
from calibcore.words.phrases import exact_percent


def two(x: Float, happened: Float) -> Predictions:
    return Predictions.from_arrays(np.column_stack([x, 1 - x]), 1 - happened.astype(int))


@pytest.fixture(scope="module")
def lonely() -> Reliability:
    """400 cases that are calibrated, and one of 91 % that did not happen."""
    rng = np.random.default_rng(1)
    x = rng.beta(2, 6, 400)
    return reliability(two(np.append(x, 0.91), np.append(rng.random(400) < x, 0)), UniformBinning(10))


@pytest.fixture(scope="module")
def sure() -> Predictions:
    """2,000 cases, nine in ten of them above 90 %."""
    rng = np.random.default_rng(2)
    x = 1 / (1 + np.exp(-rng.normal(5, 2, 2000)))
    return two(x, rng.random(2000) < x)


def marks(figure: go.Figure, start: str) -> Any:
    return next(trace for trace in figure.data if (trace.name or "").startswith(start) and len(trace.x))


def test_a_bin_of_one_case_does_not_set_the_scale(lonely: Reliability) -> None:
    scale = scale_of([lonely])
    filled = lonely.only(lonely.fullest(lonely.fewest_well_filled))
    assert lonely.deviation.min() == pytest.approx(-0.91)
    assert scale.low > -60
    for ends in (filled.low, filled.high, filled.deviation):
        assert not scale.beyond(100 * ends).any()
    assert -scale.low <= reach_of([lonely]) <= scale.span


@pytest.mark.parametrize(("n", "least"), [(60, 5), (700, 7), (10_000, 30), (1_000_000, 500)])
def test_how_many_cases_fill_a_bin_well(n: int, least: int) -> None:
    half = np.repeat([0.2, 0.7], n // 2)
    found = reliability(two(half, np.arange(n) % 2), UniformBinning(10))
    assert found.fewest_well_filled == least


def test_two_cases_have_a_scale() -> None:
    found = reliability(two(np.array([0.5, 0.5]), np.array([0, 1])), UniformBinning(1))
    assert found.fewest_well_filled == 2
    assert scale_of([found]).low < 0 < scale_of([found]).high
    certain = reliability(two(np.ones(3), np.ones(3)), UniformBinning(1))
    assert scale_of([certain]).span > 0


def test_what_lies_beyond_is_a_triangle_at_the_edge_and_the_key_says_how_far(lonely: Reliability) -> None:
    figure = reliability_figure(lonely, "patient")
    triangles = marks(figure, "beyond the scale")
    low, high = figure.layout.yaxis.range
    assert list(triangles.marker.symbol) == ["triangle-down"]
    assert low < triangles.y[0] < low + 0.1 * (high - low)
    assert triangles.name == "beyond the scale: −91.0 points (1 patient)"
    assert "0 of 1 patient" in triangles.text[0]
    assert int(triangles.customdata[0][0]) == lonely.n_bins - 1
    assert sum(len(t.x) for t in figure.data if str(t.name).startswith("observed")) == lonely.n_bins - 1


def test_the_key_counts_where_more_lie_beyond(lonely: Reliability) -> None:
    assert beyond_words(lonely, np.array([0, 7])) == (
        f"beyond the scale: 2 bins with {lonely.counts[0] + 1} cases, −91.0 to −4.2 points"
    )


def test_paper_marks_the_same_bin(lonely: Reliability) -> None:
    figure = reliability_print(lonely, "patient")
    above = figure.axes[0]
    (triangle,) = (dots for dots in above.collections if dots.get_label() == "beyond the scale")
    scale = scale_of([lonely])
    assert above.get_ylim() == pytest.approx((scale.low, scale.high))
    assert_allclose(triangle.get_offsets()[0], [0.91, scale.placed(np.array([-91.0]))[0]])
    assert any("beyond the scale" in text.get_text() for text in figure.legends[0].get_texts())


def test_nothing_is_cut_off_where_that_would_win_little() -> None:
    for key in ("digits-forest", "diabetes"):
        found = reliability(TopKLens(1)(load_example(key)), UniformBinning(10))
        assert not scale_of([found]).beyond(100 * found.deviation).any()
        assert not [t for t in reliability_figure(found).data if str(t.name).startswith("beyond")]


def test_a_cross_grows_with_the_share_of_its_bin(lonely: Reliability) -> None:
    sizes = cross_sizes(lonely)
    assert np.all(np.diff(sizes[np.argsort(lonely.counts)]) >= 0)
    assert_allclose(sizes**2, SMALLEST**2 + (LARGEST**2 - SMALLEST**2) * lonely.counts / 401)
    whole = reliability(two(np.full(9, 0.5), np.arange(9) % 2), UniformBinning(1))
    assert cross_sizes(whole)[0] == LARGEST
    drawn = marks(reliability_figure(whole), "observed")
    assert drawn.marker.size[0] == LARGEST
    assert drawn.marker.opacity == 1


def test_a_bar_is_never_too_thin_to_be_seen_and_the_hover_has_its_numbers() -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([np.full(50_000, 0.01), rng.uniform(0.3, 0.7, 400)])
    found = reliability(two(x, rng.random(len(x)) < x), UniformBinning(10))
    figure = reliability_figure(found)
    scale, bars = scale_of([found]), marks(figure, "if calibrated")
    true = 100 * (found.high - found.low)
    assert true[0] < THINNEST * scale.span
    assert_allclose(bars.y, np.maximum(true, THINNEST * scale.span))
    assert bars.base[0] + bars.y[0] / 2 == pytest.approx(50 * (found.low[0] + found.high[0]))
    hover = next(
        text for t in figure.data if str(t.name).startswith("observed") for text in t.text if "50,0" in text
    )
    assert "If calibrated: 0.9" in hover
    assert bars.width[0] > 1.2 * LARGEST / 1000  # wider than its cross on a panel of 1,000 pixels


def test_three_classes_begin_at_zero_and_mark_what_is_beyond() -> None:
    rng = np.random.default_rng(4)
    probs = np.concatenate([np.tile([0.5, 0.3, 0.2], (3000, 1)), [[0.04, 0.03, 0.93]]])
    labels = np.append(rng.choice(3, 3000, p=[0.5, 0.3, 0.2]), 0)
    found = reliability(Predictions.from_arrays(probs, labels), UniformBinning(10), n_resamples=49)
    figure = reliability_figure(found)
    assert figure.layout.yaxis.range[0] == 0
    assert "96.0 points (1 case)" in marks(figure, "beyond the scale").name


def test_most_cases_in_one_bin_that_differ_are_crowded(sure: Predictions) -> None:
    found = spread_of(sure)
    tenths = np.bincount(UniformBinning(10).assign(sure.probs), minlength=10)
    assert (found.crowded, found.tenth, found.together) == (True, 9, tenths[9])
    assert found.share == tenths[9] / 2000
    assert found.counts.sum() == 2000
    assert len(found.counts) == INTERVALS
    assert_allclose(np.diff(log_odds(found.edges)), np.diff(log_odds(found.edges))[0])
    inner = (sure.probs[:, 0] >= found.edges[1]) & (sure.probs[:, 0] < found.edges[-2])
    assert found.counts[1:-1].sum() == inner.sum()


@pytest.mark.parametrize(
    "x",
    [np.full(3000, 0.95), np.linspace(0, 1, 3000), np.linspace(0.9, 1, 60), np.array([1.0])],
    ids=["all alike", "even", "few", "one"],
)  # fmt: skip
def test_what_is_alike_even_or_few_is_not_crowded(x: Float) -> None:
    assert not spread_of(two(x, x > 0)).crowded


def test_which_bundled_examples_begin_in_log_odds() -> None:
    crowded = {}
    for key in ("digits-forest", "digits-naive-bayes", "digits-logistic", "breast-cancer", "wine", "clinic"):
        crowded[key] = spread_of(TopKLens(1)(load_example(key))).crowded
    assert crowded == {
        "digits-forest": False, "digits-naive-bayes": True, "digits-logistic": True, "breast-cancer": True,
        "wine": False, "clinic": False,
    }  # fmt: skip
    p = load_example("digits-forest")
    assert all(spread_of(ClassLens(name)(p)).crowded for name in p.class_names)


def _spread(sure: Predictions) -> tuple[Reliability, Spread]:
    return reliability(sure, spread_binning(spread_of(sure))), spread_of(sure)


def test_an_axis_in_log_odds_keeps_every_number(sure: Predictions) -> None:
    found, spread = _spread(sure)
    figure = reliability_figure(found, spread=spread)
    crosses = [trace for trace in figure.data if str(trace.name).startswith("observed") and len(trace.x)]
    x, y = (np.concatenate([trace[way] for trace in crosses]) for way in "xy")
    order = np.argsort(x)
    assert_allclose(1 / (1 + np.exp(-x[order])), found.mean_prediction[:, 0])
    assert_allclose(y[order], 100 * found.deviation)
    axis = figure.layout.xaxis
    places, words = axis_of(found, spread).ticks()
    assert (list(axis.tickvals), list(axis.ticktext)) == (places, words)
    assert "90\N{NO-BREAK SPACE}%" in words
    assert "99\N{NO-BREAK SPACE}%" in words
    assert all(axis.range[0] < place < axis.range[1] for place in [*places, *x])
    shares = marks(figure, "predicted")
    assert_allclose(np.sum(shares.y), 1)
    assert shares.text[0].startswith("up to")
    assert shares.text[-1].endswith("and more")


def test_more_bins_lie_where_most_cases_are(sure: Predictions) -> None:
    found, _ = _spread(sure)
    even = reliability(sure, UniformBinning(10))
    assert (found.mean_prediction[:, 0] > 0.9).sum() > 3 * (even.mean_prediction[:, 0] > 0.9).sum()
    assert found.counts.max() < 0.6 * even.counts.max()
    assert found.counts.min() >= 100


def test_on_a_wide_sheet_the_deviations_stand_beside_the_square(lonely: Reliability) -> None:
    paper = reliability_print(lonely, classical=True, width=183)
    square, _, deviations, _ = paper.axes
    assert deviations.get_position().x0 > square.get_position().x1
    assert deviations.get_position().width > 0.8 * square.get_position().width
    scale = scale_of([lonely])
    assert deviations.get_ylim() == pytest.approx((scale.low, scale.high))
    assert any("beyond the scale" in text.get_text() for text in paper.legends[0].get_texts())
    narrow = reliability_print(lonely, classical=True)
    assert len(narrow.axes) == 2
    assert not any("beyond the scale" in text.get_text() for text in narrow.legends[0].get_texts())


def made(null: Float, observed: float, estimator: str = "skce-unbiased") -> NamedTest:
    p = monte_carlo_pvalue(observed, null)
    return NamedTest("made", estimator, TestResult(observed, p, "made", "exact", null, len(null)))


@pytest.mark.parametrize(("observed", "broken"), [(0.5, False), (3.0, False), (30.0, True), (-30.0, True)])
def test_strong_evidence_breaks_the_axis_and_keeps_the_bars_wide(observed: float, broken: bool) -> None:
    test = made(np.linspace(-1, 1, 999), observed)
    null = null_marks(test, "total-variation")
    far = max(observed - null.edges[-1], null.edges[0] - observed)
    assert null.broken is broken is bool(far > FAR * (null.edges[-1] - null.edges[0]))
    screen, paper = null_figure(test), null_print(test)
    line = screen.data[2]
    assert_allclose(line.x, [observed] * 2)
    assert (line.xaxis, len(paper.axes)) == (("x2", 2) if broken else ("x", 1))
    if not broken:
        assert not screen.layout.shapes
        return
    bars, beside = screen.layout.xaxis, screen.layout.xaxis2
    assert bars.domain[1] - bars.domain[0] > 0.7
    assert beside.range[0] < observed < beside.range[1]
    assert bars.range[0] < null.edges[0] < null.edges[-1] < bars.range[1]
    assert list(beside.ticktext) == [null.words]
    inner = sorted([*bars.domain, *beside.domain])[1:3]
    assert len(screen.layout.shapes) == 2
    assert inner[0] < null.break_at < inner[1]
    left, right = (axes.get_position() for axes in paper.axes)
    assert left.width > 2 * right.width
    assert bool(left.x1 < right.x0) is (observed > 0)
    assert_allclose(paper.axes[1].lines[0].get_xdata(), [observed] * 2)
    assert len(paper.artists) == 2


def test_an_outcome_called_impossible_breaks_nothing() -> None:
    test = made(np.append(np.linspace(0, 1, 98), np.inf), np.inf, "omnibus")
    assert not null_marks(test, "total-variation").broken


def test_the_scale_of_two_is_that_of_both(lonely: Reliability) -> None:
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 1, 200)
    other = reliability(two(x, np.zeros(200)), UniformBinning(10))
    both = scale_of([lonely, other])
    draw = partial(reliability_figure, scale=both)
    assert draw(lonely).layout.yaxis.range == draw(other).layout.yaxis.range == (both.low, both.high)
    assert not both.beyond(100 * lonely.deviation).any()


def test_in_a_notebook_too_a_lonely_case_is_a_triangle_and_does_not_set_the_scale(
    lonely: Reliability,
) -> None:
    svg = reliability_svg(lonely, "what it shows", "patient")
    (triangle,) = re.findall(r'<path class="cross"[^>]*Z"><title>(.*?)</title>', svg)
    assert triangle.startswith("Beyond the scale. Predicted 91.0")
    assert "(1 patient)" in triangle
    lowest = min(
        int(tick.replace("−", "-")) for tick in re.findall(r'text-anchor="end">([−\d]+)</text>', svg)
    )
    assert -80 < lowest < 0


def rare(n: int, expected: float, seed: int) -> Predictions:
    """One class of a thousand through a sure network: nearly all of its ``n`` cases have next to nothing."""
    rng = np.random.default_rng(seed)
    own = rng.random(n) < expected / n
    x = rng.normal(size=n) + 4 * own
    chance = 1 / (1 + np.exp(-(4 * x - 8 + np.log(expected / n / (1 - expected / n)))))  # what Bayes says
    return two(chance, own)


@pytest.mark.parametrize("expected", [9, 25, 60, 300, 1500])
def test_most_crosses_of_a_rare_class_lie_within_the_scale(expected: int) -> None:
    p = rare(50_000, expected, expected)
    spread = spread_of(p)
    assert spread.rare
    for binning in (spread_binning(spread), UniformBinning(10)):
        found = reliability(p, binning)
        assert scale_of([found]).beyond(100 * found.deviation).mean() <= 0.5
    own = reliability(p, spread_binning(spread))
    between = (own.mean_prediction[:, 0] > 0.05) & (own.mean_prediction[:, 0] < 0.95)
    assert between.sum() >= 2
    assert scale_of([own]).beyond(100 * own.deviation).sum() <= 1


def test_bins_of_a_rare_class_expect_as_many_less_likely_outcomes() -> None:
    p = rare(50_000, 300, 0)
    spread = spread_of(p)
    assert spread.uncertain == pytest.approx(p.probs.min(axis=1).sum())
    bins = spread_binning(spread).assign(p.probs)
    expected = np.bincount(bins, weights=p.probs.min(axis=1))
    assert_allclose(expected, spread.uncertain / len(expected), atol=1.0)
    axis = axis_of(reliability(p, spread_binning(spread)), spread)
    assert p.probs[p.probs[:, 0] < axis.low].min(axis=1).sum() < 0.01 * spread.uncertain
    median = np.bincount(MedianVarianceBinning(100, 15).assign(p.probs), weights=p.probs.min(axis=1))
    assert median.max() > 2 * expected.max()  # what they are for


def test_a_bin_sets_the_scale_where_little_else_is_uncertain(lonely: Reliability) -> None:
    assert_allclose(lonely.well_filled, lonely.fullest(lonely.fewest_well_filled))
    found = reliability(rare(50_000, 60, 1), UniformBinning(10))
    full = found.fullest(found.fewest_well_filled)
    assert len(full) < len(found.well_filled) < found.n_bins
    assert found.counts[found.well_filled].min() >= 5


def test_figures_write_percent_as_texts_and_paper_do() -> None:
    assert canvas.PERCENTS["labelalias"]["40%"] == percent(0.4, 0) == exact_percent(0.4)
    for path in [path for module in (canvas, style) for path in Path(module.__file__).parent.glob("*.py")]:
        bare = re.findall(r"\.\d%|\dg?}%|ticksuffix\": \"%", path.read_text(encoding="utf-8"))
        assert bare == [".0%"] * (path.name == "canvas.py"), path.name
