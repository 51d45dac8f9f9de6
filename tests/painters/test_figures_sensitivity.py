"""The figures of other bins and of all classes: the results' numbers, and goldens to review."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.charts import style
from calibcore.charts.sensitivity import LEFT_CLOSED
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import MeanVarianceBinning, UniformBinning
from calibcore.painters.screen.multiples import multiples_figure, panel_chosen
from calibcore.painters.screen.sensitivity import sensitivity_figure
from calibcore.sensitivity.binnings import BinningSensitivity, binning_sensitivity
from calibcore.sensitivity.each_class import ClassesByEvidence, classes_by_evidence
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.words.classes import class_titles

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=99)


@pytest.fixture(scope="module")
def confidence() -> BinningSensitivity:
    return binning_sensitivity(load_example("diabetes"), SPEC)


@pytest.fixture(scope="module")
def canonical() -> BinningSensitivity:
    return binning_sensitivity(load_example("wine"), replace(SPEC, lens=CanonicalLens()))


def surveyed(p: Predictions) -> ClassesByEvidence:
    return classes_by_evidence(assess(p, survey(p, replace(SPEC, alpha=0.5))))


@pytest.fixture(scope="module")
def classes() -> ClassesByEvidence:
    return surveyed(load_example("wine"))


def _rounded() -> Predictions:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 21, size=200) / 20
    return Predictions.from_arrays(np.column_stack([x, 1 - x]), rng.integers(2, size=200))


def _on(figure: go.Figure, axis: str, mode: str) -> list[go.Scatter]:
    return [t for t in figure.data if t.yaxis == axis and t.mode == mode and t.name != "your bins"]


# --- other bins -------------------------------------------------------------


def test_golden_two_classes(confidence: BinningSensitivity, golden: Callable[[str, Any], None]) -> None:
    golden("sensitivity-diabetes", sensitivity_figure(confidence))


def test_golden_more_classes(canonical: BinningSensitivity, golden: Callable[[str, Any], None]) -> None:
    golden("sensitivity-wine-canonical", sensitivity_figure(canonical))


@pytest.mark.parametrize("fixture", ["confidence", "canonical"])
def test_lines_marks_and_bands_are_the_results_numbers(fixture: str, request) -> None:
    found: BinningSensitivity = request.getfixturevalue(fixture)
    figure = sensitivity_figure(found)
    schemes = {kind: ways for kind, ways in found.schemes.items() if kind != LEFT_CLOSED}
    for i, ways in enumerate(schemes.values()):
        axis = f"y{i + 1 if i else ''}"
        low, high, line = _on(figure, axis, "lines")
        assert_allclose(low.y, [100 * way.low for way in ways])
        assert_allclose(high.y, [100 * way.high for way in ways])
        assert_allclose(line.y, [100 * way.ece for way in ways])
        assert list(line.x) == [way.number for way in ways]
        full, empty = _on(figure, axis, "markers")
        assert_allclose(full.y, [100 * way.ece for way in ways if way.pvalue <= found.alpha])
        assert_allclose(empty.y, [100 * way.ece for way in ways if way.pvalue > found.alpha])
        assert empty.marker.color != full.marker.color == style.OBSERVED


def test_all_panels_have_one_scale_that_holds_everything(confidence: BinningSensitivity) -> None:
    figure = sensitivity_figure(confidence)
    axes = [figure.layout[name] for name in figure.layout if name.startswith("yaxis")]
    assert len({axis.range for axis in axes}) == 1
    assert axes[0].range[0] == 0
    assert axes[0].range[1] >= 100 * max(max(way.high, way.ece) for way in confidence.ways)
    ends = sorted((axis.domain for axis in axes), reverse=True)
    assert all(above[0] > below[1] for above, below in pairwise(ends))


@pytest.mark.parametrize("binning", [UniformBinning(10), UniformBinning(300), MeanVarianceBinning(40)])
def test_the_ring_is_on_the_chosen_bins(binning) -> None:
    found = binning_sensitivity(load_example("wine"), replace(SPEC, binning=binning, resamples=29))
    ring = next(t for t in sensitivity_figure(found).data if t.name == "your bins")
    way = found.ways[found.chosen]
    assert (ring.x[0], ring.y[0]) == (way.number, 100 * way.ece)
    panels = [kind for kind in found.schemes if kind != LEFT_CLOSED]
    assert ring.yaxis == f"y{panels.index(binning.kind) + 1}".replace("y1", "y")


def test_the_other_edge_rule_is_drawn_where_it_can_be_told_apart(confidence: BinningSensitivity) -> None:
    def dotted(found: BinningSensitivity) -> list[go.Scatter]:
        return [t for t in sensitivity_figure(found).data if t.mode == "lines" and t.line.dash == "dot"]

    assert not dotted(confidence)
    found = binning_sensitivity(_rounded(), replace(SPEC, lens=CanonicalLens()))
    (line,) = dotted(found)
    assert_allclose(line.y, [100 * way.ece for way in found.schemes[LEFT_CLOSED]])
    assert line.yaxis == "y"


def test_a_squared_distance_is_drawn_as_it_is() -> None:
    found = binning_sensitivity(_rounded(), replace(SPEC, lens=CanonicalLens(), distance="squared-euclidean"))
    ring = next(t for t in sensitivity_figure(found).data if t.name == "your bins")
    assert ring.y[0] == found.ways[found.chosen].ece


@pytest.mark.parametrize("m", [2, 3])
def test_one_case_can_be_drawn(m: int) -> None:
    p = Predictions.from_arrays(np.eye(m)[[0]], [0])
    figure = sensitivity_figure(binning_sensitivity(p, replace(SPEC, lens=CanonicalLens())))
    assert "NaN" not in figure.to_json()
    assert figure.layout.yaxis.range == (0, 1)


# --- all classes ------------------------------------------------------------


def _marks(figure: go.Figure) -> list[go.Scatter]:
    return [t for t in figure.data if t.name == "observed"]


def test_golden_classes(classes: ClassesByEvidence, golden: Callable[[str, Any], None]) -> None:
    golden("multiples-wine", multiples_figure(classes, 0, 2, "wine"))


def test_panels_are_the_classes_numbers(classes: ClassesByEvidence) -> None:
    figure = multiples_figure(classes, 0, 5)
    reach = figure.layout.yaxis.range[1]
    bars = [t for t in figure.data if t.name == "if calibrated"]
    titles = [note.text for note in figure.layout.annotations]
    rows = zip(classes.classes, _marks(figure), bars, titles, class_titles(classes), strict=True)
    for c, marks, bar, title, below in rows:
        shown = np.abs(100 * c.diagram.deviation) <= reach
        assert_allclose(marks.x, c.diagram.mean_prediction[:, 0])
        assert_allclose(np.array(marks.y)[shown], 100 * c.diagram.deviation[shown])
        base = np.asarray(bar.base, float)
        assert_allclose(base, 100 * c.diagram.low)
        assert_allclose(base + bar.y, 100 * c.diagram.high)
        assert f"<b>{c.name}</b>" in title
        assert all(line in title for line in below)
        strong = np.array(marks.marker.opacity) == 1
        assert (strong == c.diagram.outside).all()


def test_rows_share_their_scale_and_width(classes: ClassesByEvidence) -> None:
    first, second = multiples_figure(classes, 0, 2), multiples_figure(classes, 2, 2)
    assert len(_marks(first)) == 2
    assert len(_marks(second)) == 1
    assert first.layout.yaxis.range == second.layout.yaxis.range
    assert first.layout.xaxis.domain == second.layout.xaxis.domain
    assert first.layout.xaxis2.domain[1] == pytest.approx(1)


def test_a_click_names_the_place_of_the_class(classes: ClassesByEvidence) -> None:
    for first in (0, 2):
        for i, marks in enumerate(_marks(multiples_figure(classes, first, 2))):
            assert panel_chosen([{"customdata": list(marks.customdata[0])}]) == first + i
    assert panel_chosen([{"customdata": {"0": 3}}]) == 3
    assert panel_chosen([]) is None
    assert panel_chosen([{"x": 1}]) is None


@pytest.mark.slow
def test_a_bin_of_few_cases_far_off_is_a_triangle_at_the_edge() -> None:
    g = np.repeat([[0.06, 0.47, 0.47]], 4000, axis=0)
    g[0] = [0.9, 0.05, 0.05]
    y = np.random.default_rng(0).choice(3, size=4000, p=[0.06, 0.47, 0.47])
    y[0] = 1
    found = surveyed(Predictions.from_arrays(g, y))
    figure = multiples_figure(found, 0, 3)
    reach = figure.layout.yaxis.range[1]
    symbols = [s for marks in _marks(figure) for s in marks.marker.symbol]
    assert (symbols.count("triangle-down"), symbols.count("triangle-up")) == (2, 1)
    assert all(abs(y) <= reach for marks in _marks(figure) for y in marks.y)
    assert reach < 10


@pytest.mark.slow
def test_markup_in_class_names_is_shown_as_it_is_and_long_names_are_cut() -> None:
    names = ("<b>x</b>", "a name of more than twenty characters", "z")
    p = Predictions.from_arrays(np.full((30, 3), 1 / 3), [0, 1, 2] * 10, names)
    figure = multiples_figure(surveyed(p), 0, 3)
    texts = [note.text for note in figure.layout.annotations]
    assert any("&lt;b&gt;x&lt;/b&gt;" in text for text in texts)
    assert any("a name of more tha…" in text for text in texts)
    hovers = [text for marks in _marks(figure) for text in marks.text]
    assert any("a name of more than twenty characters" in text for text in hovers)
    assert not any("<b>x</b>" in text for text in hovers)
