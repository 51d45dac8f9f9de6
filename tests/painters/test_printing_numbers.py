"""What is printed has the numbers that are on the screen, read back from the marks of both."""

import inspect
import json
import re
from functools import partial
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.container import BarContainer
from matplotlib.dates import date2num
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Polygon
from matplotlib.quiver import Quiver
from matplotlib.text import Text
from numpy.testing import assert_allclose

from calibcore.charts import style
from calibcore.charts.tetrahedron import CORNERS
from calibcore.charts.triangle import STUB
from calibcore.painters.paper.arrows import POINTS
from calibcore.painters.paper.tetrahedron import eye_and_plane, flat
from calibcore.painters.screen.tetrahedron import camera
from calibcore.questions.monitor.charts import CHANCE, EVIDENCE, GAP_NAME
from tests.painters.printed import NAMES, twice

RELIABILITY = [name for name in NAMES if name.startswith(("reliability", "classical", "many"))]
TRIANGLES = ["triangle", "triangle without bins", "triangle with all", "part of the triangle"]
TETRAHEDRA = {"tetrahedron": None, "side of the tetrahedron": 2}
NULLS = ["null distribution", "null distribution of the ECE"]


def columns(*parts: Any) -> np.ndarray:
    return np.column_stack([np.asarray(part, float) for part in parts])


def of_kind(where: Figure | Axes, kind: type) -> list[Any]:
    axes = where.axes if isinstance(where, Figure) else [where]
    return [artist for one in axes for artist in one.get_children() if isinstance(artist, kind)]


def labelled(figure: Figure, kind: type, label: str) -> list[Any]:
    return [artist for artist in of_kind(figure, kind) if artist.get_label() == label]


def bars_named(figure: Figure, label: str) -> np.ndarray:
    """(bars, 4) middle, width, lower and upper end."""
    found = [c for axes in figure.axes for c in axes.containers if c.get_label() == label]
    (bars,) = [c for c in found if isinstance(c, BarContainer)]
    boxes = [bar.get_bbox() for bar in bars]
    return np.array([[(b.x0 + b.x1) / 2, b.width, b.y0, b.y1] for b in boxes]).reshape(-1, 4)


def on_screen(trace: go.Bar) -> np.ndarray:
    base = np.zeros(len(trace.x)) if trace.base is None else np.asarray(trace.base, float)
    return columns(trace.x, np.broadcast_to(trace.width, len(trace.x)), base, base + trace.y)


@pytest.mark.some(2)
@pytest.mark.parametrize("name", RELIABILITY)
def test_crosses_bars_and_histogram(name: str) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    strong, pale = [trace for trace in screen.data if (trace.name or "").startswith("observed")]
    within, outside = labelled(paper, PathCollection, "observed")
    assert_allclose(within.get_offsets(), columns(pale.x, pale.y))
    assert_allclose(outside.get_offsets(), columns(strong.x, strong.y))
    assert outside.get_linewidths()[0] > 2 * within.get_linewidths()[0]
    bars = [trace for trace in screen.data if isinstance(trace, go.Bar)]
    assert len(bars) == (1 if name.startswith("many") else 2)
    for trace in bars:
        assert_allclose(bars_named(paper, trace.name), on_screen(trace), atol=1e-9)


@pytest.mark.parametrize("name", [name for name in RELIABILITY if "curve" in name])
def test_curve_and_band(name: str) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    (band,) = [trace for trace in screen.data if (trace.name or "").startswith("curve if")]
    (line,) = [trace for trace in screen.data if (trace.name or "").endswith(" curve")]
    (polygon,) = labelled(paper, Polygon, band.name)
    assert_allclose(polygon.get_xy()[:-1], columns(band.x, band.y))
    (drawn,) = labelled(paper, Line2D, line.name)
    assert_allclose(drawn.get_xydata(), columns(line.x, line.y))


def test_intervals_of_the_frequencies() -> None:
    both = twice()["classical with curve and intervals"]
    crosses = [trace for trace in both.screen().data if (trace.name or "").startswith("observed")]
    ends = [
        columns(t.x, t.y - np.asarray(t.error_y.arrayminus), t.y + np.asarray(t.error_y.array))
        for t in crosses
    ]
    (drawn,) = labelled(both.paper(), LineCollection, "interval")
    segments = np.array(drawn.get_segments())
    assert_allclose(segments[:, 0, 0], segments[:, 1, 0])
    found = columns(segments[:, 0, 0], segments[:, :, 1])
    together = np.concatenate(ends)
    assert_allclose(found[np.argsort(found[:, 0])], together[np.argsort(together[:, 0])])


def arrows(figure: Figure) -> list[Quiver]:
    """Those in the drawing, not those of its key; in groups of one width, all filled or all hollow."""
    return of_kind(figure.axes[0], Quiver)


def assert_true_lengths(drawn: list[Quiver]) -> None:
    for group in drawn:
        assert (group.angles, group.scale_units, group.scale, group.pivot) == ("xy", "xy", 1, "tail")
        assert group.axes.get_aspect() == 1


def filled(group: Quiver) -> bool:
    (color,) = np.unique(group.get_facecolors(), axis=0)
    return bool((color[:3] != 1).any())


def assert_one_scale(group: Quiver, pixels: float) -> None:
    assert group.width == pytest.approx(POINTS * pixels / 72)


@pytest.mark.parametrize("name", TRIANGLES)
def test_arrows_of_the_triangle(name: str) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    traces, drawn = [t for t in screen.data if isinstance(t, go.Quiver)], arrows(paper)
    assert_true_lengths(drawn)
    assert {t.marker.color == style.OBSERVED for t in traces} == {False, True}
    for trace, group in zip(traces, drawn, strict=True):
        places = columns(trace.x, trace.y, trace.u, trace.v)
        assert_allclose(columns(group.X, group.Y, group.U, group.V), places, atol=1e-12)
        assert filled(group) == (trace.marker.color == style.OBSERVED)
        line = screen.data[screen.data.index(trace) - 2]
        assert_one_scale(group, line.line.width)
    assert keys_on_paper(paper) == keys_on_screen(screen)


def keys_on_screen(screen: go.Figure) -> set[str]:
    return {t.name for t in screen.data if t.showlegend}


def keys_on_paper(paper: Figure) -> set[str]:
    return {text.get_text() for text in of_kind(paper.axes[1], Text)} - {""}


def segments_of(trace: go.Scatter) -> np.ndarray:
    """(pieces, 2, 2) of a walk that is broken at None."""
    walk = np.array([[np.nan if v is None else v for v in side] for side in (trace.x, trace.y)]).T
    pieces = np.stack([walk[:-1], walk[1:]], axis=1)
    return pieces[~np.isnan(pieces).any(axis=(1, 2))]


def pieces_of(walks: Any) -> np.ndarray:
    return np.concatenate([np.stack([w[:-1], w[1:]], axis=1) for w in map(np.asarray, walks)])


def in_order(pieces: np.ndarray) -> np.ndarray:
    """Pieces of lines whichever way they are walked, sorted."""
    ends = np.round(pieces, 9) + 0.0
    flat_ends = np.array([sorted(map(tuple, pair)) for pair in ends]).reshape(len(ends), -1)
    return flat_ends[np.lexsort(flat_ends.T)]


def lead_to_numbers(trace: go.Scatter) -> bool:
    """Whether these are the short lines between hairlines and their numbers, outside the triangle."""
    pieces = segments_of(trace)
    return len(pieces) > 0 and np.allclose(np.hypot(*np.diff(pieces, axis=1)[:, 0].T), STUB)


@pytest.mark.parametrize("name", TRIANGLES)
def test_lines_of_the_triangle(name: str) -> None:
    """Edges of bins, sides, lines of density and the region of an arrow; python-ternary drew some of them."""
    screen, paper = twice()[name].screen(), twice()[name].paper()
    of_screen = [t for t in screen.data if isinstance(t, go.Scatter) and t.mode == "lines"]
    of_arrows = (style.OBSERVED, *style.PALE_ARROW.values())
    of_screen = [t for t in of_screen if not t.showlegend and t.line.color not in of_arrows]
    of_screen = [t for t in of_screen if not lead_to_numbers(t)]
    axes = paper.axes[0]
    walks = [line.get_xydata() for line in of_kind(axes, Line2D)]
    walks = [w for w in walks if (np.abs(w[:, 1]) > -1e-9).all()]
    collections = [c for c in of_kind(axes, LineCollection) if not isinstance(c, PolyCollection)]
    found = in_order(pieces_of([*walks, *(s for c in collections for s in c.get_segments())]))
    kept = {tuple(row) for row in np.round(found, 6).tolist()}
    for trace in of_screen:
        if trace.fill == "toself":
            regions = [in_order(pieces_of([region.get_xy()])) for region in of_kind(axes, Polygon)]
            clouds = [patch.get_path().to_polygons() for patch in of_kind(axes, PathPatch)]
            regions += [in_order(pieces_of(walks)) for walks in clouds if walks]
            wanted = in_order(segments_of(trace))
            assert any(r.shape == wanted.shape and np.allclose(r, wanted) for r in regions)
            continue
        assert {tuple(row) for row in np.round(in_order(segments_of(trace)), 6).tolist()} <= kept


def test_numbers_along_the_sides_are_those_of_the_screen() -> None:
    for name in TRIANGLES:
        screen, paper = twice()[name].screen(), twice()[name].paper()
        ticks = next(t for t in screen.data if t.mode == "text")
        texts = [t for t in of_kind(paper.axes[0], Text) if re.fullmatch(r"[\d.]+\s%", t.get_text())]
        assert len(texts) == len(ticks.text)
        for words, x, y in zip(ticks.text, ticks.x, ticks.y, strict=True):
            near = min(texts, key=lambda t: np.hypot(t.get_position()[0] - x, t.get_position()[1] - y))
            assert near.get_text() == words


@pytest.mark.parametrize(("name", "without"), TETRAHEDRA.items())
def test_arrows_of_the_tetrahedron(name: str, without: int | None) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    traces = [t for t in screen.data if isinstance(t, go.Scatter3d) and t.mode == "lines"]
    traces = [t for t in traces if t.customdata is not None]
    drawn, (eye, _) = arrows(paper), eye_and_plane(without)
    assert_true_lengths(drawn)
    for lines, group in zip(traces, drawn, strict=True):
        ends = columns(lines.x, lines.y, lines.z).reshape(-1, 3, 3)[:, :2]
        order = np.argsort(ends.sum(axis=1) @ eye, kind="stable")
        tail, tip = (flat(ends[order, i], without) for i in (0, 1))
        assert_allclose(columns(group.X, group.Y, group.U, group.V), columns(tail, tip - tail), atol=1e-12)
        assert filled(group) == (lines.line.color == style.OBSERVED)
        assert_one_scale(group, lines.line.width - 2)
    assert keys_on_paper(paper) == keys_on_screen(screen)


def test_paper_has_a_projection_onto_each_side_as_it_cannot_be_turned() -> None:
    both = twice()["tetrahedron"]
    lines = [t for t in both.screen().data if isinstance(t, go.Scatter3d) and t.mode == "lines"]
    traces = [t for t in lines if t.customdata is not None]
    _, _, *sides = both.paper().axes
    assert len(sides) == 4
    for without, axes in enumerate(sides):
        eye, _ = eye_and_plane(without)
        for trace, group in zip(traces, of_kind(axes, Quiver), strict=True):
            ends = columns(trace.x, trace.y, trace.z).reshape(-1, 3, 3)[:, :2]
            order = np.argsort(ends.sum(axis=1) @ eye, kind="stable")
            tail, tip = (flat(ends[order, i], without) for i in (0, 1))
            assert_allclose(
                columns(group.X, group.Y, group.U, group.V), columns(tail, tip - tail), atol=1e-12
            )
            assert filled(group) == (trace.line.color == style.OBSERVED)
        words = {text.get_text() for text in of_kind(axes, Text)}
        assert f"without {('1st', '2nd', '3rd', 'other')[without]}" in words
    assert len(twice()["side of the tetrahedron"].paper().axes) == 2  # that is one already


def test_the_frame_of_a_chosen_arrow_is_that_of_the_screen() -> None:
    both = twice()["side of the tetrahedron"]
    trace = both.screen().data[-1]
    ends = columns(trace.x, trace.y, trace.z).reshape(-1, 3, 3)[:, :2]
    (frame,) = of_kind(both.paper().axes[0], LineCollection)
    assert_allclose(np.array(frame.get_segments()), flat(ends, 2), atol=1e-12)


@pytest.mark.parametrize("without", [None, 0, 1, 2, 3])
def test_the_paper_is_straight_before_the_eye(without: int | None) -> None:
    eye, plane = eye_and_plane(without)
    basis = np.vstack([plane, eye])
    assert_allclose(basis @ basis.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(basis) == pytest.approx(1)  # no mirror
    up = np.array([camera(without)["up"][axis] for axis in "xyz"])
    assert plane[0] @ up == pytest.approx(0, abs=1e-12)
    assert plane[1] @ up > 0
    if without is not None:
        sides = flat(np.delete(CORNERS, without, axis=0), without)
        assert_allclose(np.linalg.norm(sides - np.roll(sides, 1, axis=0), axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("name", NULLS)
def test_redraws(name: str) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    body, tail, line = screen.data
    assert sum(tail.y) > 0 or name != NULLS[0]
    for trace in (body, tail):
        assert_allclose(bars_named(paper, trace.name), on_screen(trace), atol=1e-12)
    (drawn,) = labelled(paper, Line2D, "observed")
    assert_allclose(drawn.get_xydata(), columns(line.x, line.y))
    hatches = [c.patches[0].get_hatch() for c in paper.axes[0].containers if c.patches]
    assert hatches[0] is None
    assert all(hatches[1:])


@pytest.mark.some(2)
@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_those_of_the_screen(name: str) -> None:
    """Labels of axes, names of corners, what was observed: all that stands in the figure on the screen."""
    screen, paper = twice()[name].screen(), twice()[name].paper()
    paper.draw_without_rendering()
    printed = " ".join(text.get_text() for text in paper.findobj(lambda a: hasattr(a, "get_text")))
    printed = " ".join(printed.split())
    layout = screen.layout
    words = [note.text for note in layout.annotations]
    words += [axis.title.text for axis in (*screen.select_xaxes(), *screen.select_yaxes())]
    words += [t for trace in screen.data if trace.type == "scatter3d" and trace.text for t in trace.text]
    for said in filter(None, words):
        for line in re.sub(r"<(?!br)[^>]+>", "", said).split("<br>"):
            assert " ".join(line.lstrip("◯✕✓? ").split()) in printed  # signs that no font for paper has


def test_the_decision_curve() -> None:
    both = twice()["decisions"]
    screen, paper = both.screen(), both.paper()
    for name in ("delivered", "promised", "treat all", "treat none"):
        (trace,) = [trace for trace in screen.data if trace.name == name]
        (line,) = labelled(paper, Line2D, name)
        assert_allclose(line.get_xydata(), columns(trace.x, trace.y))
    for name in ("if the promise holds", "95 % interval"):
        (trace,) = [trace for trace in screen.data if trace.name == name]
        (band,) = labelled(paper, PolyCollection, name)
        drawn = band.get_paths()[0].vertices
        around = columns(trace.x, trace.y)
        for corner in around:
            assert np.abs(drawn - corner).sum(axis=1).min() < 1e-9
    assert screen.layout.yaxis.range == paper.axes[0].get_ylim()


def along(values: Any) -> np.ndarray:
    """Places on the paper: dates as its axis counts them."""
    return np.array([date2num(np.datetime64(v)) if isinstance(v, str) else v for v in values], float)


@pytest.mark.parametrize("name", ["evidence", "evidence of rows"])
def test_the_evidence_in_time(name: str) -> None:
    screen, paper = twice()[name].screen(), twice()[name].paper()
    line, band, gaps = screen.data
    for trace, label in ((line, EVIDENCE), (gaps, GAP_NAME)):
        (drawn,) = labelled(paper, Line2D, label)
        assert_allclose(
            columns(drawn.get_xdata(orig=False), drawn.get_ydata()), columns(along(trace.x), trace.y)
        )
    (chance,) = labelled(paper, PolyCollection, CHANCE)
    vertices = chance.get_paths()[0].vertices
    for corner in columns(along(band.x), band.y):
        assert np.abs(vertices - corner).sum(axis=1).min() < 1e-9
    (outside,) = labelled(paper, Line2D, "outside")
    assert list(outside.get_ydata()) == [
        y for y, size in zip(gaps.y, gaps.marker.size, strict=True) if size > 4
    ]
    levels = [line.get_ydata()[0] for line in labelled(paper, Line2D, "level")]
    assert_allclose(levels, [shape.y0 for shape in screen.layout.shapes[:2]])
    moments = [
        line.get_xdata(orig=False)[0]
        for label in ("alarm", "since")
        for line in labelled(paper, Line2D, label)
    ]
    assert_allclose(moments, along([shape.x0 for shape in screen.layout.shapes[2:]]))
    assert len(moments) >= 2  # each across both panels
    assert list(screen.layout.yaxis.range) == list(paper.axes[0].get_ylim())


def test_the_forest_of_groups() -> None:
    both = twice()["groups"]
    screen, paper = both.screen(), both.paper()
    marks = next(trace for trace in screen.data if trace.name == "size")
    whiskers = next(trace for trace in screen.data if trace.mode == "lines")
    drawn = labelled(paper, Line2D, "size")
    assert_allclose(np.concatenate([mark.get_xydata() for mark in drawn]), columns(marks.x, marks.y))
    lines = [line.get_xydata() for line in labelled(paper, Line2D, "interval")]
    assert_allclose(np.array(lines), segments_of(whiskers))
    shapes = {"circle": "o", "diamond": "D", "square": "s"}
    assert [mark.get_marker() for mark in drawn] == [shapes[symbol] for symbol in marks.marker.symbol]
    assert len(set(marks.marker.symbol)) > 1
    names = [text.get_text().replace("\n", " ") for text in paper.axes[0].get_yticklabels()]
    assert names == [name.replace("<br>", " ") for name in screen.layout.yaxis.ticktext]


def test_the_groups_side_by_side() -> None:
    both = twice()["groups side by side"]
    screen, paper = both.screen(), both.paper()
    crosses = [trace for trace in screen.data if str(trace.name).startswith("observed")]
    assert len(crosses) == len(paper.axes) == 8
    for trace, axes in zip(crosses, paper.axes, strict=True):
        drawn = [c.get_offsets() for c in of_kind(axes, PathCollection) if len(c.get_offsets())]
        points = np.concatenate(drawn)
        expected = columns(trace.x, trace.y)
        assert_allclose(points[np.lexsort(points.T)], expected[np.lexsort(expected.T)])
    ranges = {axes.get_ylim() for axes in paper.axes}
    assert ranges == {tuple(screen.layout.yaxis.range)}


@pytest.mark.slow
def test_what_a_case_is_called_is_text_on_the_screen() -> None:
    tried = 0
    for name, both in twice().items():
        drawn = cast("partial[go.Figure]", both.screen)
        given = inspect.signature(drawn.func).bind(*drawn.args, **drawn.keywords)
        if "noun" in inspect.signature(drawn.func).parameters:
            given.arguments["noun"] = "<i>x</i>"
            texts = json.dumps(json.loads(drawn.func(*given.args, **given.kwargs).to_json()))
            assert "<i>x" not in texts, name
            tried += "&lt;i&gt;x" in texts
    assert tried > 15
