"""Curves with their bands and whiskers over the reliability diagram show the numbers of the results."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.curves import KINDS, Curve, reliability_curve
from calibcore.diagram.frequency_intervals import FrequencyIntervals, frequency_intervals
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.painters.screen.reliability import bins_chosen, reliability_figure
from calibcore.transforms.lenses import ClassLens, PooledLens

Golden = Callable[[str, Any], None]
LENS = ClassLens("malignant")
every_view = pytest.mark.parametrize("classical", [False, True])


@pytest.fixture(scope="module")
def p() -> Predictions:
    return LENS(load_example("breast-cancer"))


@pytest.fixture(scope="module")
def found(p: Predictions) -> Reliability:
    return reliability(p, EqualMassBinning(6))


@pytest.fixture(scope="module")
def intervals(found: Reliability) -> FrequencyIntervals:
    return frequency_intervals(found, LENS)


@pytest.fixture(scope="module")
def twenty() -> tuple[Reliability, dict[str, Curve]]:
    """So few that the figures can be read as text."""
    x = np.repeat([0.1, 0.3, 0.6, 0.9], 5)
    p = Predictions.from_arrays(np.column_stack([x, 1 - x]), [1, 1, 1, 1, 0] * 2 + [0, 0, 0, 1, 0] * 2)
    return reliability(p, UniformBinning(3)), {kind: reliability_curve(p, kind) for kind in KINDS}


def named(figure: go.Figure, start: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if (trace.name or "").startswith(start)]


@every_view
@pytest.mark.parametrize("kind", KINDS)
def test_golden_with_a_curve(
    twenty: tuple[Reliability, dict[str, Curve]], kind: str, classical: bool, golden: Golden
) -> None:
    drawn, curves = twenty
    name = f"reliability-{kind}{'-classical' if classical else ''}"
    golden(name, reliability_figure(drawn, "patient", classical=classical, curve=curves[kind]))


def test_golden_classical_with_whiskers(twenty: tuple[Reliability, dict[str, Curve]], golden: Golden) -> None:
    drawn = twenty[0]
    intervals = frequency_intervals(drawn, LENS)
    figure = reliability_figure(drawn, "patient", classical=True, frequencies=intervals, whiskers=True)
    golden("reliability-whiskers", figure)


def test_golden_class_lens(found: Reliability, intervals: FrequencyIntervals, golden: Golden) -> None:
    golden("reliability-class", reliability_figure(found, "patient", "dark", frequencies=intervals))


def test_golden_weighted(golden: Golden) -> None:
    weighted = Predictions.from_arrays(
        [[0.2, 0.8], [0.3, 0.7], [0.9, 0.1]], [0, 1, 0], weights=[1.0, 2.0, 3.0]
    )
    drawn = reliability(weighted, UniformBinning(2))
    intervals = frequency_intervals(drawn, LENS)
    golden("reliability-weighted", reliability_figure(drawn, frequencies=intervals))


@every_view
def test_golden_one_bin_of_one_case(classical: bool, golden: Golden) -> None:
    one = Predictions.from_arrays([[0.7, 0.3]], [0])
    drawn = reliability(one, UniformBinning(10))
    figure = reliability_figure(
        drawn,
        classical=classical,
        curve=reliability_curve(one, "isotonic"),
        frequencies=frequency_intervals(drawn, LENS),
        whiskers=True,
    )
    golden(f"reliability-one-case{'-classical' if classical else ''}", figure)


@every_view
@pytest.mark.parametrize("kind", KINDS)
def test_curve_and_band_are_the_results_numbers(
    p: Predictions, found: Reliability, kind: str, classical: bool
) -> None:
    curve = reliability_curve(p, kind, (0.1, 0.9), n_resamples=99)
    figure = reliability_figure(found, classical=classical, curve=curve)
    (line,), (band,) = named(figure, f"{kind} curve"), named(figure, "curve if calibrated")
    base = 0 if classical else curve.predicted
    x = curve.predicted * (100 if classical else 1)
    assert_allclose(line.x, x)
    assert_allclose(line.y, 100 * (curve.observed - base))
    assert_allclose(band.x, [*x, *x[::-1]])
    assert_allclose(band.y, [*(100 * (curve.low - base)), *(100 * (curve.high - base))[::-1]])
    assert "about 80\N{NO-BREAK SPACE}% of the time" in band.name
    assert_allclose(
        line.customdata, 100 * np.column_stack([curve.predicted, curve.observed, curve.low, curve.high])
    )


@every_view
def test_a_point_of_a_curve_chooses_no_bin(p: Predictions, found: Reliability, classical: bool) -> None:
    curve = reliability_curve(p, "smooth", n_resamples=9)
    (line,) = named(reliability_figure(found, classical=classical, curve=curve), "smooth curve")
    assert bins_chosen([{"customdata": row} for row in line.customdata.tolist()]) == []


def test_bars_are_outlined_beside_a_band(p: Predictions, found: Reliability) -> None:
    curve = reliability_curve(p, "smooth", n_resamples=9)
    (plain,), (outlined,) = (
        named(reliability_figure(found, curve=c), "if calibrated") for c in (None, curve)
    )
    assert plain.marker.color != outlined.marker.color == "rgba(0,0,0,0)"
    tall = np.asarray(plain.y) > 1  # others are drawn as thick as can be seen on either scale
    assert tall.any()
    assert_allclose(plain.y[tall], outlined.y[tall])


def test_whiskers_end_at_the_intervals(found: Reliability, intervals: FrequencyIntervals) -> None:
    figure = reliability_figure(found, classical=True, frequencies=intervals, whiskers=True)
    crosses = [trace for trace in named(figure, "observed") if len(trace.x)]
    assert all(trace.name.endswith(" allows, 90\N{NO-BREAK SPACE}% interval") for trace in crosses)
    seen = []
    for trace in crosses:
        for i, (b,) in enumerate(trace.customdata):
            assert trace.y[i] + trace.error_y.array[i] == pytest.approx(100 * intervals.high[b])
            assert trace.y[i] - trace.error_y.arrayminus[i] == pytest.approx(100 * intervals.low[b])
            seen.append(b)
    assert sorted(seen) == list(range(found.n_bins))


def test_without_the_switch_or_where_withheld_there_are_no_whiskers(
    found: Reliability, intervals: FrequencyIntervals
) -> None:
    withheld = frequency_intervals(found, PooledLens())
    for figure in (
        reliability_figure(found, classical=True, frequencies=intervals),
        reliability_figure(found, frequencies=intervals, whiskers=True),
        reliability_figure(found, classical=True, frequencies=withheld, whiskers=True),
    ):
        assert all(trace.error_y.array is None for trace in named(figure, "observed"))
        assert "NaN" not in figure.to_json()


@every_view
def test_the_hover_says_the_interval(
    found: Reliability, intervals: FrequencyIntervals, classical: bool
) -> None:
    figure = reliability_figure(found, classical=classical, frequencies=intervals)
    texts = [text for trace in named(figure, "observed") for text in trace.text]
    assert len(texts) == found.n_bins
    assert all("<br>90\N{NO-BREAK SPACE}% interval of the frequency: " in text for text in texts)
    assert not any(
        "interval" in text for t in named(reliability_figure(found), "observed") for text in t.text
    )
