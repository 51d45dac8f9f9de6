"""The aligned tests and the bandwidth curve show the numbers of their results."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore import Diagnosis, DiagnosisSpec, diagnose
from calibcore.charts.log_axis import tick_words
from calibcore.charts.tests_aligned import LEAST
from calibcore.data.examples import load_example
from calibcore.diagnose import NamedTest
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import names_of
from calibcore.kernels import ExponentialKernel
from calibcore.painters.screen.bandwidths import bandwidth_figure
from calibcore.painters.screen.canvas import log_axis
from calibcore.painters.screen.tests_aligned import aligned_figure
from calibcore.sensitivity.bandwidths import BandwidthSensitivity, bandwidth_sensitivity
from calibcore.transforms.lenses import TopKLens
from calibcore.words.phrases import pvalue
from calibcore.words.testing import row_words

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199, estimates=())


@pytest.fixture(scope="module")
def wine() -> Diagnosis:
    return diagnose(load_example("wine"), SPEC)


@pytest.fixture(scope="module")
def curve() -> BandwidthSensitivity:
    return bandwidth_sensitivity(load_example("digits-logistic"), SPEC)


def marks(figure: go.Figure, *names: str) -> dict[str, tuple[float, float, bool]]:
    """Test -> where its mark stands, and whether it is strong."""
    return {
        own[0]: (x, y, trace.opacity == 1)
        for trace in figure.data
        if trace.mode == "markers" and (not names or trace.name in names)
        for x, y, own in zip(trace.x, trace.y, trace.customdata, strict=True)
    }


def test_golden_aligned(wine: Diagnosis, golden: Callable[[str, Any], None]) -> None:
    golden("tests-aligned-wine", aligned_figure(wine))


def test_golden_bandwidths(curve: BandwidthSensitivity, golden: Callable[[str, Any], None]) -> None:
    golden("bandwidths-digits", bandwidth_figure(curve))


def test_each_mark_stands_at_its_p(wine: Diagnosis) -> None:
    figure = aligned_figure(wine)
    found = marks(figure, "p", "upper bound", "beyond the end")
    run = {t.name: t.result for t in wine.tests if t.result is not None}
    assert set(found) == {names_of(name).full for name in run}
    low = 10 ** figure.layout.xaxis.range[0]
    for name, result in run.items():
        x, _, strong = found[names_of(name).full]
        assert_allclose(x, max(result.pvalue, low))
        assert strong == (result.pvalue <= 0.05)
    bounds = marks(figure, "upper bound")
    assert set(bounds) == {names_of(name).full for name in run if run[name].promise == "bound"}


def test_each_row_has_its_name_and_p_beside_its_mark(wine: Diagnosis) -> None:
    figure = aligned_figure(wine)
    found = marks(figure, "p", "upper bound", "beyond the end")
    words = {(a.x, a.y): a.text for a in figure.layout.annotations}
    for test in wine.tests:
        if test.result is None:
            assert "withheld" in words.values()
            continue
        _, y, _ = found[names_of(test.name).full]
        beside = {text for (_, at), text in words.items() if 0 < y - at < 20}
        assert beside == {names_of(test.name).short, row_words(test)}
    order = [a.text for a in figure.layout.annotations if a.text.startswith("<b>")]
    assert order[0] == "<b>Exact for independent cases</b>"
    assert order[-1] == "<b>No guarantee; for comparison</b>"


def test_the_smallest_possible_is_marked_and_what_lies_beyond_the_end(wine: Diagnosis) -> None:
    tests = (
        NamedTest("exact-skce", "skce-unbiased", TestResult(1.0, 0.005, "made", "exact", None, 199)),
        NamedTest("exact-ece", "ece", TestResult(1.0, 0.01, "made", "exact", None, 199)),
        NamedTest("asymptotic-linear", "skce-linear", TestResult(1.0, 1e-9, "made", "asymptotic")),
        NamedTest("asymptotic-block", "skce-block", TestResult(1.0, float("nan"), "made", "asymptotic")),
        NamedTest("distribution-free-biased", "skce-biased", TestResult(1.0, 1e-9, "made", "bound")),
    )
    figure = aligned_figure(replace(wine, tests=tests))
    assert set(marks(figure, "smallest possible")) == {names_of("exact-skce").full}
    assert set(marks(figure, "beyond the end")) == {names_of("asymptotic-linear").full}
    assert set(marks(figure, "upper bound")) == {names_of("distribution-free-biased").full}
    assert names_of("asymptotic-block").full not in marks(figure)
    assert 10 ** figure.layout.xaxis.range[0] < LEAST
    assert "not defined" in [a.text for a in figure.layout.annotations]


def test_more_redraws_make_the_axis_longer(wine: Diagnosis) -> None:
    result = TestResult(1.0, 1e-6, "made", "exact", None, 999_999)
    figure = aligned_figure(replace(wine, tests=(NamedTest("exact-skce", "skce-unbiased", result),)))
    assert_allclose(marks(figure, "p")[names_of("exact-skce").full][0], 1e-6)
    assert pvalue(result) == "p < 0.0001, the smallest possible"


def test_the_level_is_a_line(wine: Diagnosis, curve: BandwidthSensitivity) -> None:
    for alpha in (0.05, 0.01):
        figure = aligned_figure(replace(wine, spec=replace(SPEC, alpha=alpha)))
        dashes = [s for s in figure.layout.shapes if s.x0 == s.x1]
        rows = {s.y0 for s in figure.layout.shapes if s.y0 == s.y1}
        assert len(dashes) == len(rows) == len(wine.tests)
        assert all(s.x0 == alpha for s in dashes)
        words = [a.y for a in figure.layout.annotations if a.y > 1]  # 12 pixels high, around their middle
        assert all(y + 6 < s.y0 or s.y1 < y - 6 for s in dashes for y in words)
        (label,) = [a for a in figure.layout.annotations if a.text == f"level {alpha:g}"]
        assert_allclose(label.x, np.log10(alpha))
        (line,) = [
            s
            for s in bandwidth_figure(replace(curve, spec=replace(SPEC, alpha=alpha))).layout.shapes
            if s.line.dash == "dash"
        ]
        assert line.y0 == line.y1 == alpha


def test_strong_marks_follow_the_level(wine: Diagnosis) -> None:
    test = NamedTest("exact-skce", "skce-unbiased", TestResult(1.0, 0.3, "made", "exact", None, 199))
    for alpha in (0.29, 0.3):
        figure = aligned_figure(replace(wine, tests=(test,), spec=replace(SPEC, alpha=alpha)))
        assert marks(figure)[names_of("exact-skce").full][2] == (alpha == 0.3)


def test_the_bands_name_stands_where_the_curve_is_not(curve: BandwidthSensitivity) -> None:
    for sign in (1, -1):
        found = replace(curve, statistic=curve.null_mean + sign * 9 * curve.null_sd)
        (label,) = [a for a in bandwidth_figure(found).layout.annotations if a.text == "if calibrated"]
        assert label.yanchor == ("top" if sign > 0 else "bottom")
        assert_allclose(label.y, found.range[0 if sign > 0 else 1][-1])


def test_no_tests_no_marks(wine: Diagnosis) -> None:
    assert not aligned_figure(replace(wine, tests=())).data


def test_the_curve_is_the_results_numbers(curve: BandwidthSensitivity) -> None:
    figure = bandwidth_figure(curve)
    named = {trace.name: trace for trace in figure.data}
    assert_allclose(named["observed"].x, curve.bandwidths)
    assert_allclose(named["observed"].y, curve.above)
    low, high = curve.range
    assert_allclose(named["if calibrated"].y, np.concatenate([low, high[::-1]]))
    strong, pale = named["p at most the level"], named["p above the level"]
    assert_allclose(strong.y, curve.pvalue[curve.pvalue <= 0.05])
    assert_allclose(pale.x, curve.bandwidths[curve.pvalue > 0.05])
    assert strong.opacity == 1 > pale.opacity


@pytest.mark.parametrize("rule", ["median", "mean", "median-with-diagonal", 0.5])
def test_rules_are_upright_lines_and_the_one_in_use_is_drawn_through(rule: str | float) -> None:
    spec = replace(SPEC, kernel=ExponentialKernel(rule), resamples=19)
    found = bandwidth_sensitivity(load_example("wine"), spec)
    figure = bandwidth_figure(found)
    upright = {s.x0: s.line.dash for s in figure.layout.shapes if s.x0 == s.x1}
    assert set(upright) == set(found.rules.values())
    assert [x for x, dash in upright.items() if dash == "solid"] == [found.rules[found.in_use]]
    (bold,) = [a for a in figure.layout.annotations if a.text.startswith("<b>")]
    assert_allclose(10**bold.x, found.rules[found.in_use])


def test_what_is_not_defined_leaves_a_gap(curve: BandwidthSensitivity) -> None:
    sd = np.where(curve.bandwidths < curve.rules["median"], 0.0, curve.null_sd)
    figure = bandwidth_figure(replace(curve, null_sd=sd))
    band = next(trace for trace in figure.data if trace.name == "if calibrated")
    assert not np.isnan(np.asarray(band.y, float)).any()
    assert len(band.x) == 2 * np.count_nonzero(sd)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.028, 2.8, ["0.05", "0.1", "0.2", "0.5", "1", "2"]),
        (1e-4, 1, ["0.0001", "0.001", "0.01", "0.1", "1"]),
        (1e-6, 1e-3, ["10⁻⁶", "10⁻⁵", "0.0001", "0.001"]),
        (500, 20_000, ["500", "1,000", "2,000", "5,000", "10,000", "20,000"]),
    ],
)
def test_ticks_are_numbers_that_people_write(low: float, high: float, words: list[str]) -> None:
    axis = log_axis(low, high)
    assert axis["ticktext"] == words
    assert_allclose(axis["range"], np.log10([low, high]))
    assert tick_words(5e-6) == "5·10⁻⁶"


def test_words_are_legible_on_both_themes(wine: Diagnosis, curve: BandwidthSensitivity) -> None:
    for draw, found in ((aligned_figure, wine), (bandwidth_figure, curve)):
        light, dark = (
            {a.font.color for a in draw(found, theme).layout.annotations if a.font.color}  # type: ignore[operator]
            for theme in ("light", "dark")
        )
        assert not light & dark
