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
from calibcore.figures.arrows import arrows_of
from calibcore.figures.simplex import CORNERS, cuts_of, projected
from calibcore.hypothesis_tests import BinPvalues
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
    arrows = arrows.only(np.argsort(arrows.strong, kind="stable"))  # filled ones on top
    side = min(SIDE, width - 2 * BESIDE)
    tall = side * np.sqrt(3) / 2
    lowest = LINE if lines else 0.0
    low = KEYS + lowest
    figure = sheet(width, low + BELOW + tall + ABOVE)
    left = (width - side) / 2
    axes = panel(figure, left - BESIDE, low, side + 2 * BESIDE, BELOW + tall + ABOVE)
    _triangle(axes, cuts_of(binning), side, grid=not cells)
    if cells:
        _walks(
            axes, [outline.vertices[[*range(len(outline.vertices)), 0]] for outline in cells], GRID, HAIRLINE
        )
    axes.set(
        xlim=(-BESIDE / side, 1 + BESIDE / side), ylim=(-BELOW / side, (tall + ABOVE) / side), aspect="equal"
    )
    for line, stroke in zip(lines, STROKES, strict=False):
        _walks(axes, line.segments, style.PREDICTED["light"], stroke)
    if chosen is not None:
        axes.fill(
            *projected(chosen.vertices).T, facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.8, zorder=1.5
        )
    draw_arrows(axes, arrows.tail, arrows.step, arrows)
    _names(axes, diagram.class_names, side)
    keys(figure, noun, arrows.most, key_words(diagram, tests, alpha), lowest)
    if lines:
        _said_of_lines(figure, lines)
    return figure


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
