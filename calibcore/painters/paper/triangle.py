"""The triangle of three classes on paper, by python-ternary: the only module that knows it.

It has no arrows; they are drawn on projected points. Its own way of projecting is ours
with the classes in another order.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from ternary import TernaryAxesSubplot

from calibcore.charts import style
from calibcore.charts.arrows import arrows_of, smooth_arrows_of
from calibcore.charts.triangle import (
    CORNERS,
    WHOLE,
    cloud_of,
    cuts_of,
    edges_of,
    ground_within,
    inset,
    levels_of,
    numbers_of,
    projected,
    shares_at_corners,
)
from calibcore.diagram.binning import Binning
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.painters.paper.arrows import KEYS, corner_words, draw_arrows, key_left, keys
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.sheets import (
    BODY,
    FILL,
    HAIRLINE,
    LINE,
    QUIET,
    SMALL,
    blank,
    on_paper,
    panel,
    sheet,
)
from calibcore.wording import percent

SIDE = 110.0
"""Millimetres of a side at most."""
GRID = style.PRINT_FILL
BESIDE, BELOW, ABOVE = 7.5, 10.5, 8.0
"""Millimetres around the triangle: numbers, and the names of the corners."""


@on_paper
def simplex_print(
    diagram: Reliability,
    noun: str = "case",
    binning: Binning | None = None,
    least: int = 1,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    cells: Sequence[Outline] = (),
    lines: Sequence[Isoline] = (),
    chosen: Outline | None = None,
    zoom: Zoom = WHOLE,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.painters.screen.simplex.simplex_figure`, ``width`` millimetres wide.

    Arrows that stand out are filled, the others hollow.

    Raises
    ------
    InputError : another number of classes than three, a width other than those of columns.
    """
    arrows = arrows_of(diagram, CORNERS, noun, least, tests, alpha, zoom)
    lowest = LINE if lines else 0.0
    figure, axes = _paper(width, lowest, cuts_of(binning), zoom, grid=not cells)
    if cells:
        _walks(axes, edges_of(cells, 0, zoom), zoom, GRID, HAIRLINE)
    for walks, shade in reversed(list(zip(cloud_of(lines, zoom), style.PRINT_CLOUD, strict=False))):
        _cloud(axes, walks, shade)
    if chosen is not None:
        ground = projected(ground_within(chosen.vertices, zoom), zoom)
        if len(ground):
            axes.fill(*ground.T, facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.8, zorder=1.5)
    draw_arrows(axes, arrows)
    _names(axes, arrows.names, zoom, _side(width))
    keys(figure, arrows, lowest)
    if lines:
        _said_of_lines(figure, lines)
    return figure


@on_paper
def smooth_print(smooth: SmoothArrows, noun: str = "case", zoom: Zoom = WHOLE, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.simplex.smooth_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : another number of classes than three, a width other than those of columns.
    """
    arrows = smooth_arrows_of(smooth, CORNERS, noun, zoom)
    figure, axes = _paper(width, 0.0, cuts_of(None), zoom, grid=True)
    draw_arrows(axes, arrows)
    _names(axes, arrows.names, zoom, _side(width))
    keys(figure, arrows)
    return figure


def _side(width: float) -> float:
    """Millimetres of a side of the triangle."""
    return min(SIDE, width - 2 * BESIDE)


def _paper(width: float, lowest: float, cuts: int, zoom: Zoom, grid: bool) -> tuple[Figure, Axes]:
    """A sheet with an empty triangle, and room for the keys, the last row ``lowest`` millimetres up."""
    side = _side(width)
    tall, low = side * np.sqrt(3) / 2, KEYS + lowest
    figure = sheet(width, low + BELOW + tall + ABOVE)
    left = (width - side) / 2
    axes = panel(figure, left - BESIDE, low, side + 2 * BESIDE, BELOW + tall + ABOVE)
    _triangle(axes, cuts, side, zoom, grid=grid)
    if zoom != WHOLE:
        _inset(axes, zoom)
    axes.set(
        xlim=(-BESIDE / side, 1 + BESIDE / side), ylim=(-BELOW / side, (tall + ABOVE) / side), aspect="equal"
    )
    return figure, axes


def _walks(axes: Axes, walks: Sequence[Float] | Float, zoom: Zoom, color: str, stroke: float) -> None:
    """Many lines, each (points, 3) probabilities."""
    places = [projected(walk, zoom) for walk in walks]
    axes.add_collection(LineCollection(places, colors=color, linewidths=stroke, zorder=1.7), autolim=False)


def _cloud(axes: Axes, walks: Sequence[Float], shade: str) -> None:
    """What lies within closed walks, each (points, 2) points of the drawing; below the grid."""
    if walks:
        cloud = Path.make_compound_path(*(Path(walk, closed=True) for walk in walks))
        axes.add_patch(PathPatch(cloud, facecolor=shade, edgecolor="none", zorder=0.5))


def _inset(axes: Axes, zoom: Zoom) -> None:
    """Where the part lies in the whole."""
    sides, part = inset(zoom)
    axes.plot(*sides.T, color=style.CHANCE, linewidth=0.6)
    axes.fill(*part.T, facecolor=FILL, edgecolor=style.TEXT["light"], linewidth=0.6)
    axes.plot(*part.mean(axis=0), "o", color=style.TEXT["light"], markersize=2.5)


def _said_of_lines(figure: Figure, lines: Sequence[Isoline]) -> None:
    """The lowest row: what the shades around the densest predictions hold."""
    inside = " and ".join(percent(line.inside, 0) for line in lines)
    key = blank(figure, key_left(figure), 1.2, 80, LINE)
    for i, shade in enumerate(style.PRINT_CLOUD[: len(lines)]):
        key.fill([0.3 + 3 * i, 3.3 + 3 * i, 3.3 + 3 * i, 0.3 + 3 * i], [0, 0, 2, 2], facecolor=shade)
    key.text(8, 1, f"densest: {inside} of the predictions", va="center", fontsize=SMALL)


def _triangle(axes: Axes, cuts: int, side: float, zoom: Zoom, grid: bool) -> None:
    """Sides, a ``grid`` of hairlines, and numbers along each side, rising towards its left corner."""
    drawing = TernaryAxesSubplot(ax=axes, scale=1.0)
    drawing.set_background_color("none")
    axes.grid(visible=False)
    axes.set_axis_off()
    # python-ternary's lines of the first, second and third of our classes, and the sides they rise along.
    lines = (drawing.left_parallel_line, drawing.right_parallel_line, drawing.horizontal_line)
    for k, line in enumerate(lines) if grid else ():
        for level in levels_of(cuts, zoom, k).tolist():
            line((level - zoom.lowest[k]) / zoom.side, color=GRID, linewidth=HAIRLINE, zorder=1)
    sides = dict.fromkeys("blr", style.QUIET["light"])
    drawing.boundary(axes_colors=sides, linewidth=0.8, zorder=2)
    for k, (name, align) in enumerate((("b", "center"), ("r", "left"), ("l", "right"))):
        numbers = numbers_of(cuts, zoom, k)
        drawing.ticks(
            ticks=[words for _, words in numbers],
            locations=[(level - zoom.lowest[k]) / zoom.side for level, _ in numbers],
            axis=name,
            clockwise=True,
            offset=1.2 / side,
            axes_colors=dict.fromkeys("blr", QUIET),
            fontsize=SMALL,
            linewidth=HAIRLINE,
        )
        for number in axes.texts[-len(numbers) :]:
            number.set(ha=align, va="baseline" if name == "b" else "center")
    drawing._redraw_labels()


def _names(axes: Axes, names: tuple[str, ...], zoom: Zoom, side: float) -> None:
    """Beyond the corners and clear of the numbers; python-ternary's own would be centred off the paper."""
    out, below, above = (BESIDE - 2) / side, -6.0 / side, np.sqrt(3) / 2 + 1.5 / side
    places = ((-out, below, "left"), (1 + out, below, "right"), (0.5, above, "center"))
    for name, share, (x, y, align) in zip(names, shares_at_corners(zoom), places, strict=True):
        axes.text(
            x, y, corner_words(legible(name), share), ha=align, ma=align,
            va="bottom" if align == "center" else "top", fontsize=BODY, fontweight="bold", linespacing=1.1,
        )  # fmt: skip
