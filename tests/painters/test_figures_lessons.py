"""The figures of the Learn page show the numbers they are given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.testing import assert_allclose

from calibcore import lessons
from calibcore.charts import style
from calibcore.lessons import Trial
from calibcore.lessons.findings import Together
from calibcore.painters.screen import lessons as figures
from calibcore.transforms.lenses import CanonicalLens

GAPS = [lessons.ChanceGap(100, 0.5, 0.47, 0.45, 0.49), lessons.ChanceGap(1_000, 0.41, 0.41, 0.4, 0.42)]
TRIALS = [Trial(0.005, 0.8), Trial(0.005, 0.05), Trial(0.3, 0.055)]


def test_golden(golden: Callable[[str, Any], None]) -> None:
    golden("lesson-promise", figures.promise_figure(lessons.promises(2.0)))
    golden("lesson-gaps", figures.gaps_figure(GAPS, 100))
    golden("lesson-trials", figures.trials_figure(TRIALS))


def test_crosses_stand_where_it_was_said_and_rained() -> None:
    found = lessons.promises(3.0)
    for theme in ("light", "dark"):
        line, gaps, crosses = figures.promise_figure(found, theme).data
        assert (line.x, line.y, line.line.color) == ((0, 1), (0, 1), style.PREDICTED[theme])
        assert_allclose(crosses.x, found.mean_prediction[:, 0])
        assert_allclose(crosses.y, found.observed[:, 0])
        assert_allclose(gaps.y[0::3], found.mean_prediction[:, 0])
        assert_allclose(gaps.y[1::3], found.observed[:, 0])


def test_what_the_model_is_asked_about_is_solid() -> None:
    found = lessons.sure()
    _, gaps, crosses = figures.sure_figure(found, 8).data
    assert_allclose(crosses.x, lessons.SAID)
    assert_allclose(crosses.y, found.observed[:, 0])
    assert_allclose(gaps.y[1::3], found.observed[:, 0])
    assert [place for place, seen in enumerate(crosses.marker.opacity) if seen == 1.0] == [8]
    assert crosses.marker.size[8] > crosses.marker.size[7]


def test_gaps_stand_on_what_chance_makes_and_the_chosen_one_is_solid() -> None:
    bars, crosses = figures.gaps_figure(GAPS, 1_000).data
    assert_allclose(bars.base, [45, 40])
    assert_allclose(np.add(bars.base, bars.y), [49, 42])
    assert_allclose(crosses.y, [50, 41])
    assert crosses.marker.opacity == (style.WITHIN, 1.0)
    assert crosses.marker.size[0] < crosses.marker.size[1]
    assert list(crosses.x) == ["100", "1,000"]


def test_the_triangle_of_the_toy_has_no_key_and_six_solid_arrows() -> None:
    figure = figures.triangle_figure(lessons.through(CanonicalLens()))
    assert figure.layout.showlegend is False
    arrows = [trace for trace in figure.data if isinstance(trace, go.Quiver) and len(trace.x)]
    assert [(len(trace.x), trace.marker.color) for trace in arrows] == [(6, style.OBSERVED)]


def test_rejections_are_crosses_left_of_the_line() -> None:
    figure = figures.trials_figure(TRIALS)
    for trace, expected in zip(figure.data, ([0.005, 0.005], [0.3], [0.05], [0.8, 0.055]), strict=True):
        assert_allclose(trace.x, expected)
        rejects = trace.marker.symbol == "x-thin"
        assert all((x <= lessons.ALPHA) == rejects for x in trace.x)
    assert len({*figure.data[0].y, *figure.data[1].y}) == 3
    assert min(figure.data[0].y) > 0.5 > max(figure.data[3].y)


def test_no_trial_yet_is_an_empty_figure() -> None:
    assert all(len(trace.x) == 0 for trace in figures.trials_figure([]).data)


def test_pooled_findings_stand_above_the_level_and_the_chosen_ones_are_solid() -> None:
    trials = [Together(0.0, 9, 8), Together(0.6, 80, 6)]
    figure = figures.together_figure(trials, 0.6)
    pooled, each = figure.data
    assert_allclose(pooled.y, [9 / 200, 80 / 200])
    assert_allclose(each.y, [8 / 200, 6 / 200])
    assert pooled.x == each.x == (0.0, 0.6)
    assert pooled.marker.opacity == (style.WITHIN, 1.0)
    assert figure.layout.shapes[0].y0 == lessons.ALPHA
