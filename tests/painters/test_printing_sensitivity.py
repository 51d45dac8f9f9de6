"""Other bins, bandwidths, classes and tests: the printed numbers are those on the screen."""

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection, PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from numpy.testing import assert_allclose

from calibcore.painters.paper import printable
from calibcore.words.verdicts import CHIP_TEXTS
from tests.painters.printed import twice
from tests.painters.test_printing_numbers import columns, labelled, of_kind


def in_order(points: np.ndarray) -> np.ndarray:
    points = np.round(np.asarray(points, float), 9) + 0.0
    return points[np.lexsort(points.T)]


def test_the_ece_with_other_bins() -> None:
    screen, paper = twice()["other bins"].screen(), twice()["other bins"].paper()
    marks = [t for t in screen.data if t.mode == "markers" and (t.name or "").startswith("observed")]
    drawn = labelled(paper, PathCollection, "observed")
    assert_allclose(
        in_order(np.concatenate([c.get_offsets() for c in drawn])),
        in_order(np.concatenate([columns(t.x, t.y) for t in marks])),
    )
    full = [c for c in drawn if not (c.get_facecolors()[:, :3] == 1).all()]
    above = [t for t in marks if t.name == "observed, above chance"]
    assert sum(len(c.get_offsets()) for c in full) == sum(len(t.x) for t in above)
    lows = [t for t in screen.data if t.mode == "lines" and t.line.color == "#8A94A0" and t.fill is None]
    highs = [t for t in screen.data if t.fill == "tonexty"]
    bands = of_kind(paper, FillBetweenPolyCollection)
    assert len(bands) == len(lows) == len(highs) > 1
    for low, high, band in zip(lows, highs, reversed(bands), strict=True):
        corners = {tuple(row) for row in np.round(band.get_paths()[0].vertices, 9)}
        for trace in (low, high):
            assert {tuple(row) for row in np.round(columns(trace.x, trace.y), 9)} <= corners
    (ring,) = labelled(paper, PathCollection, "your bins")
    (circle,) = [t for t in screen.data if t.name == "your bins"]
    assert_allclose(ring.get_offsets(), columns(circle.x, circle.y))


def test_small_diagrams_say_their_verdict_with_its_sign() -> None:
    for name in ("classes", "groups side by side"):
        for axes in twice()[name].paper().axes:
            lines = [text.get_text() for text in axes.texts]
            assert any(line in CHIP_TEXTS for line in lines), (name, lines)
            assert all(map(printable, lines)), lines


def test_the_kernel_test_at_other_bandwidths() -> None:
    screen, paper = twice()["bandwidths"].screen(), twice()["bandwidths"].paper()
    band, line, p = screen.data[:3]
    (polygon,) = labelled(paper, Polygon, band.name)
    assert_allclose(polygon.get_xy()[:-1], columns(band.x, band.y))
    for trace in (line, p):
        (drawn,) = labelled(paper, Line2D, trace.name)
        assert_allclose(drawn.get_xydata(), columns(trace.x, trace.y))
    for trace in screen.data[3:]:
        (dots,) = labelled(paper, PathCollection, trace.name)
        assert_allclose(dots.get_offsets(), columns(trace.x, trace.y))
    ends = [np.asarray(line.get_xdata(), float)[[0, -1]] for line in of_kind(paper, Line2D)]
    upright = {left for left, right in ends if left == right}
    assert {shape.x0 for shape in screen.layout.shapes if shape.x0 == shape.x1} <= upright


def test_every_class_by_itself() -> None:
    screen, paper = twice()["classes"].screen(), twice()["classes"].paper()
    bars, crosses = ([t for t in screen.data if t.name == name] for name in ("if calibrated", "observed"))
    assert len(paper.axes) == len(bars) == 3
    for axes, bar, cross in zip(paper.axes, bars, crosses, strict=True):
        boxes = [patch.get_bbox() for patch in axes.containers[0]]
        found = np.array([[(b.x0 + b.x1) / 2, b.y0, b.y1] for b in boxes])
        assert_allclose(found, columns(bar.x, bar.base, np.add(bar.base, bar.y)))
        offsets = np.concatenate([c.get_offsets() for c in of_kind(axes, PathCollection)])
        assert_allclose(in_order(offsets), in_order(columns(cross.x, cross.y)))
        assert axes.get_ylim() == pytest.approx(tuple(screen.layout.yaxis.range))


def test_every_test_on_one_axis() -> None:
    screen, paper = twice()["tests"].screen(), twice()["tests"].paper()
    for name in ("p", "upper bound", "smallest possible"):
        of_screen = sorted(x for t in screen.data if t.name == name for x in t.x)
        assert_allclose(sorted(float(m.get_xdata()[0]) for m in labelled(paper, Line2D, name)), of_screen)
    lines = [t for t in screen.data if t.name == "p lies below"]
    ends = sorted((a, b) for t in lines for a, b in zip(t.x[::3], t.x[1::3], strict=True))
    assert_allclose(sorted(tuple(m.get_xdata()) for m in labelled(paper, Line2D, "p lies below")), ends)
    full = [m for m in labelled(paper, Line2D, "p") if m.get_markerfacecolor() != "white"]
    solid = [x for t in screen.data if t.name == "p" and t.opacity == 1 for x in t.x]
    assert len(full) == len(solid) > 0
