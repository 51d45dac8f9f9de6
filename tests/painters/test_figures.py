"""Figures show the numbers of the result they are given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore import DiagnosisSpec, diagnose
from calibcore.charts import style
from calibcore.charts.deviation_scale import MOST_BINS_SHOWN
from calibcore.data.examples import load_cases, load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.painters.screen.reliability import bins_chosen, reliability_figure
from calibcore.transforms.lenses import CanonicalLens, ClassLens, LabelsLens, TopKLens
from calibcore.words.phrases import seen_noun


@pytest.fixture(scope="module")
def confidence() -> Reliability:
    return reliability(TopKLens(1)(load_example("digits-forest")), EqualMassBinning(15))


@pytest.fixture(scope="module")
def canonical() -> Reliability:
    p = load_example("digits-forest")
    return reliability(CanonicalLens()(p), UniformBinning(4), n_resamples=99, rng=np.random.default_rng(0))


def _crosses(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if str(trace.name).startswith("observed") and len(trace.x)]


def test_golden_two_classes(confidence: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("reliability-confidence", reliability_figure(confidence, "image"))


def test_golden_many_classes(canonical: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("reliability-canonical", reliability_figure(canonical, "image"))


def test_golden_all_labels(golden: Callable[[str, Any], None]) -> None:
    """All labels of the bundled findings in one diagram: pairs of an image and a label, no bars of chance."""
    lens = LabelsLens()
    pooled = diagnose(load_cases("chest-findings"), DiagnosisSpec(lens=lens, resamples=99)).reliability
    figure = reliability_figure(
        pooled, seen_noun(lens, "image"), frequencies=frequency_intervals(pooled, lens)
    )
    assert not any((trace.name or "").startswith("if calibrated") for trace in figure.data)
    golden("reliability-labels", figure)


def test_crosses_and_bars_are_the_results_numbers(confidence: Reliability) -> None:
    figure = reliability_figure(confidence)
    crosses = _crosses(figure)
    y = np.sort(np.concatenate([trace.y for trace in crosses]))
    assert_allclose(y, np.sort(100 * confidence.deviation))
    bars = next(trace for trace in figure.data if (trace.name or "").startswith("if calibrated"))
    base = np.asarray(bars.base, float)
    assert_allclose(base, 100 * confidence.low)
    assert_allclose(base + bars.y, 100 * confidence.high)


def test_bins_outside_are_solid_and_the_others_pale(confidence: Reliability) -> None:
    outside, within = _crosses(reliability_figure(confidence))
    assert len(outside.x) == confidence.outside.sum()
    assert len(within.x) == (~confidence.outside).sum()
    assert outside.opacity == 1 > within.opacity


def test_the_histogram_shows_shares_of_all_cases(confidence: Reliability) -> None:
    bars = next(trace for trace in reliability_figure(confidence).data if trace.name == "predicted")
    assert_allclose(np.sum(bars.y), 1)
    assert bars.marker.color == style.PREDICTED["light"]
    dark = reliability_figure(confidence, theme="dark")
    assert next(t for t in dark.data if t.name == "predicted").marker.color == style.PREDICTED["dark"]


def test_many_classes_show_the_fullest_bins_first(canonical: Reliability) -> None:
    figure = reliability_figure(canonical)
    shown = min(MOST_BINS_SHOWN, canonical.n_bins)
    assert sum(len(trace.x) for trace in _crosses(figure)) == shown
    by_rank = sorted(
        (x, text) for trace in _crosses(figure) for x, text in zip(trace.x, trace.text, strict=True)
    )
    fullest = int(canonical.counts.max())
    assert f"{fullest:,} cases" in by_rank[0][1]


def test_one_bin_of_one_case_can_be_drawn() -> None:
    p = Predictions.from_arrays([[0.7, 0.3]], [0])
    figure = reliability_figure(reliability(p, UniformBinning(10)))
    assert_allclose([y for trace in _crosses(figure) for y in trace.y], [30])


def test_markup_in_class_names_is_shown_as_it_is() -> None:
    names = ("<b>x</b>", '<a href="http://host/">y</a>', "z")
    p = Predictions.from_arrays(np.full((6, 3), 1 / 3), [0, 1, 2, 0, 1, 2], names)
    figure = reliability_figure(reliability(p, UniformBinning(3), n_resamples=9))
    texts = [text for trace in _crosses(figure) for text in trace.text]
    assert texts
    assert all("<b>" not in text and "<a" not in text for text in texts)
    assert all("&lt;" in text for text in texts)


def test_hover_says_counts_in_words() -> None:
    p = ClassLens("malignant")(load_example("breast-cancer"))
    found = reliability(p, UniformBinning(1))
    hover = _crosses(reliability_figure(found, "patient"))[0].text[0]
    assert "104 of 285 patients" in hover


def _weighted(m: int) -> Reliability:
    rng = np.random.default_rng(4)
    p = Predictions.from_arrays(
        rng.dirichlet(np.ones(m), 80), rng.integers(m, size=80), weights=rng.gamma(1.0, size=80) + 0.01
    )
    return reliability(p, UniformBinning(4))


@pytest.mark.parametrize("classical", [False, True])
@pytest.mark.parametrize("m", [2, 3])
def test_weighted_cases_are_drawn_without_bars(m: int, classical: bool) -> None:
    figure = reliability_figure(_weighted(m), classical=classical)
    assert not any((trace.name or "").startswith("if calibrated") for trace in figure.data)
    assert "NaN" not in figure.to_json()
    assert sum(len(trace.x) for trace in _crosses(figure)) == _weighted(m).n_bins
    assert all("weighted" in text or m > 2 for trace in _crosses(figure) for text in trace.text)


def test_golden_classical(confidence: Reliability, golden: Callable[[str, Any], None]) -> None:
    golden("reliability-classical", reliability_figure(confidence, "image", classical=True))


def test_the_classical_diagram_has_equal_scales_and_the_results_numbers(confidence: Reliability) -> None:
    figure = reliability_figure(confidence, classical=True)
    bars = next(trace for trace in figure.data if (trace.name or "").startswith("if calibrated"))
    base, said = np.asarray(bars.base, float), confidence.mean_prediction[:, 0]
    assert_allclose(bars.x, 100 * said)
    assert_allclose(base, 100 * (said + confidence.low))
    assert_allclose(base + bars.y, 100 * (said + confidence.high))
    y = np.sort(np.concatenate([trace.y for trace in _crosses(figure)]))
    assert_allclose(y, np.sort(100 * confidence.observed[:, 0]))
    diagonal = figure.data[0]
    assert tuple(diagonal.x) == tuple(diagonal.y) == (0, 100)
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.layout.xaxis.range == figure.layout.yaxis.range


@pytest.mark.parametrize("classical", [False, True])
def test_a_clicked_cross_names_its_bin(
    confidence: Reliability, canonical: Reliability, classical: bool
) -> None:
    for found in (confidence, canonical):
        figure = reliability_figure(found, classical=classical)
        seen = []
        for trace in _crosses(figure):
            for x, y, own in zip(trace.x, trace.y, trace.customdata, strict=True):
                (b,) = bins_chosen([{"x": x, "y": y, "customdata": list(own)}])
                shown = (
                    found.observed[b, 0] if classical and len(found.class_names) == 2 else found.deviation[b]
                )
                assert_allclose(y, 100 * shown)
                seen.append(b)
        assert len(set(seen)) == len(seen) == min(found.n_bins, MOST_BINS_SHOWN)


def test_what_is_no_cross_names_no_bin() -> None:
    histogram, as_object = {"customdata": [0.1, 0.125, 7]}, {"customdata": {"0": 5}}
    assert bins_chosen([as_object]) == [5]
    assert bins_chosen([histogram, {"x": 1}, {"customdata": [3]}, {"customdata": [1]}]) == [1, 3]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Melanocytic nevi", "Melanocytic nevi"),
        ("a" * 20, "a" * 20),
        ("a" * 21, "a" * 19 + "…"),
        ("W" * 21, "W" * 11 + "…"),
        ("黑" * 21, "黑" * 10 + "…"),
        ("😀" * 21, "😀" * 10 + "…"),
    ],
)
def test_a_name_of_wide_letters_has_fewer_of_them(name: str, short: str) -> None:
    assert style.shortened(name, 20) == short
