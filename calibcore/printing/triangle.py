"""The triangle of three classes on paper, by python-ternary: the only module that knows it.

It has no arrows; they are drawn on projected points. Its own way of projecting is ours
with the classes in another order.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from ternary import TernaryAxesSubplot

from calibcore.diagram.binning import Binning
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.figures import style
from calibcore.figures.arrows import Arrows, arrows_of, smooth_arrows_of
from calibcore.figures.simplex import CORNERS, cuts_of, projected
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.printing.arrows import KEYS, draw_arrows, key_left, key_words, keys
from calibcore.printing.letters import legible
from calibcore.printing.paper import BODY, FILL, HAIRLINE, LINE, QUIET, SMALL, blank, on_paper, panel, sheet
from calibcore.wording import percent

SIDE = 110.0
"""Millimetres of a side at most."""
GRID = style.PRINT_FILL
STROKES = (1.4, 0.7)
"""Points: of the lines around the densest predictions, the innermost first."""
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
    most: float | None = None,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.figures.simplex.simplex_figure`, ``width`` millimetres wide.

    Arrows that stand out are filled, the others hollow.

    Raises
    ------
    InputError : another number of classes than three, a width other than those of columns.
    """
    arrows = arrows_of(diagram, CORNERS, least, tests, alpha, most)
    lowest = LINE if lines else 0.0
    figure, axes = _paper(width, lowest, cuts_of(binning), grid=not cells)
    if cells:
        _walks(
            axes, [outline.vertices[[*range(len(outline.vertices)), 0]] for outline in cells], GRID, HAIRLINE
        )
    for line, stroke in zip(lines, STROKES, strict=False):
        _walks(axes, line.segments, style.PREDICTED["light"], stroke)
    if chosen is not None:
        axes.fill(
            *projected(chosen.vertices).T, facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.8, zorder=1.5
        )
    _filled(axes, arrows, diagram.class_names, width)
    keys(figure, noun, arrows.most, key_words(diagram, tests, alpha), lowest)
    if lines:
        _said_of_lines(figure, lines)
    return figure


@on_paper
def smooth_print(
    found: SmoothArrows, noun: str = "case", most: float | None = None, width: float = 89
) -> Figure:
    """As :func:`calibcore.figures.simplex.smooth_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : another number of classes than three, a width other than those of columns.
    """
    arrows = smooth_arrows_of(found, CORNERS, most)
    figure, axes = _paper(width, 0.0, cuts_of(None), grid=True)
    _filled(axes, arrows, found.class_names, width)
    keys(figure, noun, arrows.most, ("longer than chance allows", "within what chance allows"))
    return figure


def _side(width: float) -> float:
    """Millimetres of a side of the triangle."""
    return min(SIDE, width - 2 * BESIDE)


def _paper(width: float, lowest: float, cuts: int, grid: bool) -> tuple[Figure, Axes]:
    """A sheet with an empty triangle, and room for the keys, the last row ``lowest`` millimetres up."""
    side = _side(width)
    tall, low = side * np.sqrt(3) / 2, KEYS + lowest
    figure = sheet(width, low + BELOW + tall + ABOVE)
    left = (width - side) / 2
    axes = panel(figure, left - BESIDE, low, side + 2 * BESIDE, BELOW + tall + ABOVE)
    _triangle(axes, cuts, side, grid=grid)
    axes.set(
        xlim=(-BESIDE / side, 1 + BESIDE / side), ylim=(-BELOW / side, (tall + ABOVE) / side), aspect="equal"
    )
    return figure, axes


def _filled(axes: Axes, arrows: Arrows, names: tuple[str, ...], width: float) -> None:
    """The arrows, filled ones on top, and the corners."""
    ordered = arrows.only(np.argsort(arrows.strong, kind="stable"))
    draw_arrows(axes, ordered.tail, ordered.step, ordered)
    _names(axes, names, _side(width))


def _walks(axes: Axes, walks: Sequence[Float] | Float, color: str, stroke: float) -> None:
    """Many lines, each (points, 3) probabilities."""
    places = [projected(walk) for walk in walks]
    axes.add_collection(LineCollection(places, colors=color, linewidths=stroke, zorder=1.7), autolim=False)


def _said_of_lines(figure: Figure, lines: Sequence[Isoline]) -> None:
    """The lowest row: what the lines around the densest predictions hold."""
    inside = " and ".join(percent(line.inside, 0) for line in lines)
    key = blank(figure, key_left(figure), 1.2, 80, LINE)
    for i, stroke in enumerate(STROKES[: len(lines)]):
        key.plot([0.3, 6.3], [1.6 - 1.2 * i] * 2, color=style.PREDICTED["light"], linewidth=stroke)
    key.text(8, 1, f"densest: {inside} of the predictions lie inside", va="center", fontsize=SMALL)


def _triangle(axes: Axes, cuts: int, side: float, grid: bool) -> None:
    """Sides, a ``grid`` of hairlines, and numbers along each side, rising towards its left corner."""
    drawing = TernaryAxesSubplot(ax=axes, scale=1.0)
    drawing.set_background_color("none")
    axes.grid(visible=False)
    axes.set_axis_off()
    for level in np.arange(1, cuts) / cuts if grid else ():
        for line in (drawing.horizontal_line, drawing.left_parallel_line, drawing.right_parallel_line):
            line(level, color=GRID, linewidth=HAIRLINE, zorder=1)
    sides = dict.fromkeys("blr", style.QUIET["light"])
    drawing.boundary(axes_colors=sides, linewidth=0.8, zorder=2)
    every = -(-cuts // 5)
    levels = (np.arange(every, cuts, every) / cuts).tolist()
    for name, align in (("b", "center"), ("l", "right"), ("r", "left")):
        drawing.ticks(
            ticks=[percent(level, 0) for level in levels],
            locations=levels,
            axis=name,
            clockwise=True,
            offset=1.2 / side,
            axes_colors=dict.fromkeys("blr", QUIET),
            fontsize=SMALL,
            linewidth=HAIRLINE,
        )
        for number in axes.texts[-len(levels) :]:
            number.set(ha=align, va="baseline" if name == "b" else "center")
    drawing._redraw_labels()


def _names(axes: Axes, names: tuple[str, ...], side: float) -> None:
    """Beyond the corners and clear of the numbers; python-ternary's own would be centred off the paper."""
    out, below, above = (BESIDE - 2) / side, -6.0 / side, np.sqrt(3) / 2 + 1.5 / side
    places = ((-out, below, "left"), (1 + out, below, "right"), (0.5, above, "center"))
    for name, (x, y, align) in zip(names, places, strict=True):
        axes.text(
            x, y, "\n".join(style.corner_lines(legible(name))), ha=align, ma=align,
            va="bottom" if align == "center" else "top", fontsize=BODY, fontweight="bold", linespacing=1.1,
        )  # fmt: skip
