"""Whatever a figure draws of a frequency lies between 0 and 1, and what it draws of several in the simplex.

Looked at are the numbers that figures are given and those that they draw, of predictions of every shape.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from calibcore import DiagnosisSpec, average_without_bins
from calibcore.assessment.assess import assess
from calibcore.charts import style
from calibcore.charts.tetrahedron import CORNERS as CORNERS_4
from calibcore.charts.tetrahedron import SCALE
from calibcore.charts.triangle import CORNERS, STUB
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import (
    Binning,
    EquallyUncertainBinning,
    EqualMassBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.diagram.curves import KINDS, reliability_curve
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.outlines import bin_outlines, consistency_outline
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.painters.screen.simplex import simplex_figure, smooth_figure
from calibcore.painters.screen.smooth_curve import smooth_curve_figure
from calibcore.painters.screen.tetrahedron import tetrahedron_figure
from calibcore.questions.compare import bins_of_both
from calibcore.questions.compare.charts import APART, place_in_bin
from calibcore.questions.groups.charts import groups_rows
from calibcore.questions.monitor import monitor
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, PooledLens, TopKLens
from tests.painters.printed import NAMES, twice
from tests.quick import survey, survey_groups

SLACK = 1e-9
_LENSES: tuple[Lens, ...] = (TopKLens(1), ClassLens("0"), PooledLens())
_BINNINGS: tuple[Binning, ...] = (
    UniformBinning(10),
    EqualMassBinning(7),
    MedianVarianceBinning(12),
    EquallyUncertainBinning(6),
)


def shaped(shape: str, m: int, n: int, seed: int) -> Predictions:
    """Predictions of a shape, and outcomes that do not heed them much."""
    rng = np.random.default_rng([seed, m])
    probs = {
        "even": lambda: rng.dirichlet(np.ones(m), n),
        "sure": lambda: rng.dirichlet(np.full(m, 0.05), n),
        "rare": lambda: rng.dirichlet(np.r_[0.05, np.full(m - 1, 4.0)], n),
        "few values": lambda: rng.dirichlet(np.full(m, 0.4), 4)[rng.integers(4, size=n)],
        "tenths": lambda: rng.multinomial(10, rng.dirichlet(np.full(m, 0.5), n)) / 10,
        "certain": lambda: np.eye(m)[rng.integers(m, size=n)],
    }[shape]()
    mixed = 0.5 * probs + 0.5 * rng.dirichlet(np.full(m, 0.2), n)
    labels = (rng.random((n, 1)) >= np.cumsum(mixed, axis=1)[:, :-1]).sum(axis=1)
    where = {"site": rng.choice(list("ab"), n), "when": np.arange(n)}
    return Predictions.from_arrays(probs, labels, [f"{k}" for k in range(m)], metadata=where)


SHAPES = ("even", "sure", "rare", "few values", "tenths", "certain")
ALL = [pytest.param(shape, m, id=f"{shape}-{m}") for shape in SHAPES for m in (2, 3, 4)]


def between(values: object, low: float = 0.0, high: float = 1.0) -> bool:
    array = np.asarray(values, float)
    array = array[np.isfinite(array)]
    return bool((array >= low - SLACK).all() and (array <= high + SLACK).all())


def in_simplex(rows: Float) -> bool:
    return between(rows) and bool((np.abs(rows.sum(axis=1) - 1) < 1e-6).all())


def inside(places: Float, corners: Float) -> bool:
    """Whether points of a drawing lie among its corners."""
    system = np.vstack([corners.T, np.ones(len(corners))])
    targets = np.column_stack([places, np.ones(len(places))]).T
    return between(np.linalg.solve(system, targets))


def marks_of(figure: go.Figure) -> Iterator[tuple[Float, Float]]:
    """Where traces of the upper panel stand across, and what they draw there."""
    for trace in figure.data:
        if trace.xaxis == "x2" or trace.yaxis == "y2" or not trace.showlegend is not False:
            continue
        x = np.array([np.nan if v is None else v for v in trace.x], float)
        y = np.array([np.nan if v is None else v for v in trace.y], float)
        if isinstance(trace, go.Bar):
            base = np.broadcast_to(np.asarray(trace.base, float), y.shape)
            yield x, base
            yield x, base + y
        else:
            yield x, y


def assert_two(diagram: Reliability, p: Predictions, lens: Lens) -> None:
    """Deviations stand within what is left below and above the prediction, frequencies between 0 and 1."""
    said = diagram.mean_prediction[:, 0]
    for ends in (diagram.deviation, diagram.low, diagram.high):
        assert between(said + ends)
    intervals = frequency_intervals(diagram, lens)
    if not intervals.withheld:
        assert between(intervals.low)
        assert between(intervals.high)
    curves = [None]
    if diagram.has_bars and not lens.pairs:
        curves += [reliability_curve(p, kind, n_resamples=39) for kind in KINDS]
    for curve in curves:
        if curve is not None:
            assert all(between(values) for values in (curve.observed, curve.low, curve.high))
        for x, y in marks_of(reliability_figure(diagram, curve=curve)):
            assert between(100 * x + y, 0, 100)
        for _, y in marks_of(reliability_figure(diagram, classical=True, curve=curve)):
            assert between(y, 0, 100)


@pytest.mark.some(2)
@pytest.mark.parametrize(("shape", "m"), ALL)
def test_reliability(shape: str, m: int) -> None:
    p = shaped(shape, m, 150, 1)
    for number, lens in enumerate(_LENSES):
        seen = lens(p)
        for binning in (_BINNINGS[number], _BINNINGS[3]):
            assert_two(reliability(seen, binning, n_resamples=39), seen, lens)
    if m > 2:
        for binning in (UniformBinning(3), MedianVarianceBinning(9)):
            diagram = reliability(p, binning, n_resamples=39)
            assert in_simplex(diagram.mean_prediction)
            assert in_simplex(diagram.observed)
            assert all(between(ends) for ends in (diagram.deviation, diagram.high))
            assert all(between(y, 0, 100) for _, y in marks_of(reliability_figure(diagram)))


def lead_to_numbers(places: list[tuple[float, float]]) -> bool:
    """Whether these are short lines that begin in the triangle: their numbers stand outside."""
    if len(places) % 2:
        return False
    ends = np.array(places, float).reshape(-1, 2, 2)
    short = np.allclose(np.hypot(*np.diff(ends, axis=1)[:, 0].T), STUB)
    return short and bool(inside(ends[:, 0], CORNERS))


def assert_arrows(figure: go.Figure) -> None:
    """Arrows of the triangle lie in it, with their lines, heads and outlines."""
    for trace in figure.data:
        if isinstance(trace, go.Quiver):
            tail = np.column_stack([trace.x, trace.y])
            assert inside(tail, CORNERS)
            assert inside(tail + np.column_stack([trace.u, trace.v]), CORNERS)
        elif trace.mode in ("lines", "markers"):
            places = [pair for pair in zip(trace.x, trace.y, strict=True) if None not in pair]
            if trace.line.color == style.CHANCE and lead_to_numbers(places):
                continue
            assert not places or inside(np.array(places, float), CORNERS)


@pytest.mark.some(4)
@pytest.mark.parametrize("shape", SHAPES)
def test_triangle_and_tetrahedron(shape: str) -> None:
    three, four = (shaped(shape, m, 150, 2) for m in (3, 4))
    for binning in (SimplexBinning(5), MedianVarianceBinning(12)):
        diagram = reliability(three, binning, n_resamples=39)
        cells = bin_outlines(three.probs, binning)
        for b in range(diagram.n_bins):
            chosen = consistency_outline(diagram.mean_prediction[b], float(diagram.high[b]))
            assert in_simplex(chosen.vertices)
        assert_arrows(simplex_figure(diagram, cells=cells, chosen=chosen))
    diagram = reliability(four, MedianVarianceBinning(12), n_resamples=39)
    for trace in tetrahedron_figure(diagram).data:
        if isinstance(trace, go.Scatter3d) and trace.customdata is not None:
            places = np.array([row for row in zip(trace.x, trace.y, trace.z, strict=True) if None not in row])
            assert inside(places.astype(float) / SCALE, CORNERS_4)


@pytest.mark.some(8)
@pytest.mark.parametrize(("shape", "m"), [one for one in ALL if one.values[1] < 4])
def test_without_bins(shape: str, m: int) -> None:
    p = shaped(shape, m, 400, 3)
    try:
        found = average_without_bins(p, DiagnosisSpec(lens=CanonicalLens(), resamples=39))
    except InputError:  # too few cases alike
        assert shape in ("sure", "rare", "certain", "even")
        return
    assert isinstance(found, SmoothArrows)
    assert in_simplex(found.predicted)
    assert in_simplex(found.observed)
    if m == 3:
        assert_arrows(smooth_figure(found))
        return
    assert between(found.predicted[:, 0] + np.array(found.chance))
    assert all(between(100 * x + y, 0, 100) for x, y in marks_of(smooth_curve_figure(found)))


@pytest.mark.some(3)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_groups_pairs_of_models_and_sizes(shape: str) -> None:
    p, other = shaped(shape, 2, 240, 4), shaped("even", 2, 240, 4)
    spec = DiagnosisSpec(lens=ClassLens("0"), resamples=39, alpha=0.4)
    watched = monitor(p, spec=spec, time="when", window=40)
    for one in watched.windows.kept:
        assert between([one.said, one.happened, *(one.said + end for end in one.chance)])
    found = survey_groups(p, ["site"], spec)
    for row in groups_rows(found):
        assert between([row.value, row.low, row.high], 0, 100)
    verdicts = [group.verdict for group in found.tested if group.verdict is not None]
    verdicts += assess(p, survey(p, spec, [TopKLens(1), ClassLens("0")])).verdicts
    for verdict in verdicts:
        assert between([verdict.typical_gap.value, verdict.typical_gap.low, verdict.typical_gap.high])
        for classes in verdict.frequencies:
            gap = classes.gap
            assert between([classes.said, classes.happened])
            assert between([classes.said - end for end in (gap.value, gap.low, gap.high)])
    in_bin = partial(between, low=-1, high=1)
    for shared in bins_of_both(p, Predictions.from_arrays(other.probs, p.labels, p.class_names)):
        for which, side in enumerate((shared.a, shared.b)):
            if side is not None and (place := place_in_bin(shared, which)) is not None:
                assert abs(place - side.predicted) <= APART
                assert in_bin([side.deviation, side.low, side.high])
                assert between([place + end for end in (0, side.deviation, side.low, side.high)])


DEVIATIONS = (
    "bins of two models",
    "before and after",
    "classes",
    "groups side by side",
    "reliability",
    "reliability with a curve",
    "curve without bins",
)
"""Figures that draw observed minus predicted, in points, over what was predicted."""
RUNS_OFF = ("if calibrated", "accept all", "treat all")
"""Bars of thin bins and the curve of treating all go on beyond the edge: their figures say so."""
OF_A_TARGET = ("what is ruled out",)
"""Figures that show what is near a target: what is far above it goes on beyond the edge."""
OF_ITS_OWN = ("tetrahedron", "side of the tetrahedron")


def drawn(figure: go.Figure) -> Iterator[tuple[str, dict[str, Float], dict[str, Any]]]:
    """Of each trace in the plane its name, what it draws along x and y, and its axes there."""
    layout = figure.layout
    for trace in figure.data:
        if isinstance(trace, go.Scatter | go.Bar):
            ends: dict[str, Float] = {}
            axes: dict[str, Any] = {}
            for along in "xy":
                values = trace[along]
                if values is None or any(isinstance(v, str) for v in values):
                    continue
                array = np.array([np.nan if v is None else v for v in values], float)
                if isinstance(trace, go.Bar) and along == "y" and trace.base is not None:
                    base = np.broadcast_to(np.asarray(trace.base, float), array.shape)
                    array = np.column_stack([base, base + array]).ravel()
                number = (trace[f"{along}axis"] or along)[1:]
                ends[along], axes[along] = array, layout[f"{along}axis{number}"]
            yield str(trace.name), ends, axes


@pytest.mark.some(3)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_ITS_OWN])
def test_every_figure_draws_within_its_axes_and_no_frequency_outside_0_to_1(name: str) -> None:
    figure = twice()[name].screen()
    for of, ends, axes in drawn(figure):
        for along, values in ends.items():
            axis = axes[along]
            seen = values[np.isfinite(values)]
            if axis.range is None or any(isinstance(end, str) for end in axis.range) or not len(seen):
                continue
            low, high = sorted(axis.range)
            seen = np.log10(seen) if axis.type == "log" else seen
            room = 1e-6 * (high - low)
            outside = (seen < low - room) | (seen > high + room)
            cut = of.startswith(RUNS_OFF) or (name in OF_A_TARGET and along == "y")
            assert not outside.any() or cut, (of, along, seen[outside], (low, high))
        if name in DEVIATIONS and len(ends) == 2:
            assert_frequencies(ends, axes)


def assert_frequencies(ends: dict[str, Float], axes: dict[str, Any]) -> None:
    """Predicted plus deviation is a frequency, where an axis of points stands over one of probabilities."""
    x, y = ends["x"], ends["y"]
    x = np.repeat(x, len(y) // len(x)) if len(y) != len(x) else x
    if axes["y"].labelalias is None and axes["x"].range is not None:  # no axis of shares
        assert between(100 * x + y, 0, 100)
