"""The tetrahedron of four classes on paper: the screen's view, in parallel projection."""

import math
from itertools import combinations
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from calibcore.charts import style
from calibcore.charts.arrows import Arrows, arrows_of
from calibcore.charts.tetrahedron import CORNERS, NARROW, WHOLE, WIDE, view, wires
from calibcore.charts.triangle import shares_at_corners
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float
from calibcore.painters.paper.arrows import KEYS, corner_words, draw_arrows, keys
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.sheets import BODY, SMALL, on_paper, panel, sheet

MARGIN, BESIDE = 9.0, 14.0
"""Millimetres above and below, and beside the drawing, for the names of the corners."""
LENGTH = 98.0
"""Millimetres of an edge that lies in the paper, at most."""
ASIDE, BENEATH, OVER = 5.0, 8.0, 10.5
"""Millimetres around a small projection, for the names of its corners and of the one that is behind."""
SMALLER = 0.6
"""Widths of lines in it, for those of the large drawing."""


@on_paper
def tetrahedron_print(
    diagram: Reliability,
    noun: str = "case",
    least: int = 1,
    without: int | None = None,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    chosen: Outline | None = None,
    zoom: Zoom = WHOLE,
    width: float = 89,
    sides: bool = True,
) -> Figure:
    """As :func:`calibcore.painters.screen.tetrahedron.tetrahedron_figure`, ``width`` millimetres wide.

    Arrows that stand out are filled, the others hollow; near ones lie above far ones. Edges
    behind the body are dashed. Lengths are true in the plane of the paper. As paper cannot be turned, small
    projections onto the four ``sides`` stand below, unless one side is asked for.

    Raises
    ------
    InputError : another number of classes than four, a width other than those of columns.
    """
    arrows = arrows_of(diagram, CORNERS, noun, least, tests, alpha, zoom)
    names = [legible(name) for name in arrows.names]
    shares = shares_at_corners(zoom)
    corners = flat(CORNERS, without)
    low, high = corners.min(axis=0), corners.max(axis=0)
    length = min(LENGTH, (width - 2 * BESIDE) / float(high[0] - low[0]))
    extent = length * (high - low)
    cell = _cell(width)
    rows = 0 if without is not None or not sides else -(-len(CORNERS) // _across(width))
    bottom = KEYS + rows * cell[1]
    figure = sheet(width, bottom + 2 * MARGIN + float(extent[1]))
    left = (width - float(extent[0])) / 2 - BESIDE
    axes = panel(figure, left, bottom, float(extent[0]) + 2 * BESIDE, float(extent[1]) + 2 * MARGIN)
    beside, beyond = BESIDE / length, MARGIN / length
    axes.set(
        xlim=(low[0] - beside, high[0] + beside), ylim=(low[1] - beyond, high[1] + beyond), aspect="equal"
    )
    frame = None if chosen is None else wires(chosen, zoom)
    _body(axes, arrows, without, frame)
    for i, (name, share) in enumerate(zip(names, shares, strict=True)):
        _name(axes, name, share, corners[i], corners[i] - corners.mean(axis=0), WIDE if i == 3 else NARROW)
    keys(figure, arrows)
    for c in range(4 if rows else 0):
        row, column = divmod(c, _across(width))
        place = column * cell[0], KEYS + (rows - 1 - row) * cell[1], *cell
        _side(panel(figure, *place), arrows, c, frame, names, shares, width)
    return figure


def _across(width: float) -> int:
    """Projections in a row."""
    return 4 if width > 100 else 2


def _edge(width: float) -> float:
    """Millimetres of an edge of a projection; two rows of them leave the figure lower than a page of text."""
    return min(width / _across(width) - 2 * ASIDE, 12.0 * _across(width))


def _cell(width: float) -> tuple[float, float]:
    """Millimetres of one projection with its words."""
    return width / _across(width), _edge(width) * math.sqrt(3) / 2 + BENEATH + OVER


def _body(axes: Axes, arrows: Arrows, without: int | None, frame: Float | None, scale: float = 1.0) -> None:
    """Edges, those behind the body dashed; the region of an arrow; arrows, near ones above far ones."""
    axes.set_axis_off()
    corners = flat(CORNERS, without)
    for pair, behind in _hidden(without).items():
        ends = corners[list(pair)]
        axes.plot(
            *ends.T, color=style.QUIET["light"], linewidth=0.8 * scale,
            linestyle=(0, (3, 2)) if behind else "-",
        )  # fmt: skip
    if frame is not None:
        ends = flat(frame, without)
        axes.add_collection(LineCollection(list(ends), colors=style.CHANCE, linewidths=1), autolim=False)
    nearer = np.argsort((arrows.tail + arrows.tip) @ eye_and_plane(without)[0], kind="stable")
    ordered = arrows.only(nearer)
    tail, tip = flat(ordered.tail, without), flat(ordered.tip, without)
    draw_arrows(axes, ordered, tail, tip - tail, scale)


def _side(
    axes: Axes,
    arrows: Arrows,
    without: int,
    frame: Float | None,
    names: list[str],
    shares: tuple[str, ...],
    width: float,
) -> None:
    """A small projection straight onto the side without one class, whose corner lies behind the middle."""
    corners = np.delete(flat(CORNERS, without), without, axis=0)
    rest = [c for c in range(4) if c != without]
    low, high = corners.min(axis=0), corners.max(axis=0)
    mm, half = float(high[0] - low[0]) / _edge(width), width / _across(width) / 2
    axes.set(xlim=(-half * mm, half * mm), ylim=(low[1] - BENEATH * mm, high[1] + OVER * mm), aspect="equal")
    _body(axes, arrows, without, frame, SMALLER)
    for c, (x, y) in zip(rest, corners.tolist(), strict=True):
        top = y > low[1] + 0.1
        align: Literal["left", "right", "center"] = "center" if top else "left" if x < 0 else "right"
        axes.text(
            x if top else x + (ASIDE - 2) * mm * (-1 if x < 0 else 1), y + mm * (1 if top else -1.2),
            corner_words(names[c], shares[c], WIDE if top else NARROW), ha=align, ma=align,
            va="bottom" if top else "top", fontsize=SMALL, linespacing=1.1,
        )  # fmt: skip
    title = " ".join(style.corner_lines(f"without {names[without]}", 30))
    axes.text(
        0, high[1] + (OVER - 0.5) * mm, title, ha="center", va="top", fontsize=SMALL,
        color=style.QUIET["light"],
    )  # fmt: skip


def _name(axes: Axes, name: str, share: str, place: Float, outward: Float, width: int) -> None:
    """Away from the middle; a corner that is seen near it has its name between its edges."""
    far = float(np.linalg.norm(outward))
    x, y = 4 * outward / far if far > 0.3 else np.array([3.0, 4.0])
    aside = abs(x) > 1.5
    text = axes.annotate(
        corner_words(name, share, width), (place[0], place[1]), (x, y), textcoords="offset points",
        fontsize=BODY, fontweight="bold", linespacing=1.1, annotation_clip=False,
        ha=("left" if x > 0 else "right") if aside else "center",
        va="center" if abs(y) < 1.5 else "bottom" if y > 0 else "top",
    )  # fmt: skip
    text.set_path_effects([withStroke(linewidth=1.5, foreground="white")])
    over = _over(text)
    if over:  # back onto the sheet, below or above its corner
        text.xyann = (x - over, 4 if y > 0 else -4)
        text.set_verticalalignment("bottom" if y > 0 else "top")


def _over(annotation: Annotation) -> float:
    """How far words reach over the right edge of the sheet, in points; over the left one below 0."""
    figure = annotation.get_figure(root=True)
    assert figure is not None
    box, right = annotation.get_window_extent(), figure.bbox.width
    edge = figure.dpi / 25.4  # a millimetre
    return float(max(0.0, box.x1 - right + edge) + min(0.0, box.x0 - edge)) * 72 / figure.dpi


def eye_and_plane(without: int | None) -> tuple[Float, Float]:
    """The direction (3,) towards the eye of :func:`view`; right and up (2, 3) in the paper before it."""
    seen = view(without)
    eye, up, center = (seen[name] for name in ("eye", "up", "center"))
    eye = (eye - center) / np.linalg.norm(eye - center)
    right = np.cross(up, eye)
    right /= np.linalg.norm(right)
    return eye, np.array([right, np.cross(eye, right)])


def flat(places: Float, without: int | None) -> Float:
    """(…, 3) points of the tetrahedron -> (…, 2) points of the paper."""
    return np.asarray(places @ eye_and_plane(without)[1].T)


def _hidden(without: int | None) -> dict[tuple[int, int], bool]:
    """Each edge, and whether both faces that meet in it look away from the eye."""
    eye = eye_and_plane(without)[0]
    away = -CORNERS @ eye <= 1e-9  # the face without that corner looks against it
    return {
        (i, j): bool(away[[k for k in range(4) if k not in (i, j)]].all())
        for i, j in combinations(range(4), 2)
    }
