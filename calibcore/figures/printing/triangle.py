"""The triangle of three classes on paper, by python-ternary: the only module that knows it.

It has no arrows; they are drawn on projected points. Its own way of projecting is ours
with the classes in another order.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from ternary import TernaryAxesSubplot

from calibcore.binning import Binning
from calibcore.figures import style
from calibcore.figures.arrows import solid
from calibcore.figures.printing.arrows import KEYS, drawn_arrows, keys
from calibcore.figures.printing.paper import BODY, HAIRLINE, QUIET, SMALL, legible, on_paper, panel, sheet
from calibcore.figures.simplex import MOST_ARROWS, cuts_of, projected
from calibcore.predictions import InputError
from calibcore.reliability import Reliability
from calibcore.words import percent

SIDE = 110.0
"""Millimetres of a side at most."""
BESIDE, BELOW, ABOVE = 7.5, 10.5, 8.0
"""Millimetres around the triangle: numbers, and the names of the corners."""


@on_paper
def simplex_print(
    found: Reliability,
    noun: str = "case",
    binning: Binning | None = None,
    least: int = 1,
    width: float = 89,
) -> Figure:
    """As :func:`calibcore.figures.simplex.simplex_figure`, ``width`` millimetres wide.

    Arrows longer than chance allows are filled, the others hollow.

    Raises
    ------
    InputError : another number of classes than three, a width other than those of columns.
    """
    if len(found.class_names) != 3:
        raise InputError(f"There are {len(found.class_names)} classes; a triangle shows 3.")
    side = min(SIDE, width - 2 * BESIDE)
    tall = side * np.sqrt(3) / 2
    figure = sheet(width, KEYS + BELOW + tall + ABOVE)
    left = (width - side) / 2
    axes = panel(figure, left - BESIDE, KEYS, side + 2 * BESIDE, BELOW + tall + ABOVE)
    _triangle(axes, cuts_of(binning), side)
    axes.set(
        xlim=(-BESIDE / side, 1 + BESIDE / side), ylim=(-BELOW / side, (tall + ABOVE) / side), aspect="equal"
    )
    tail = projected(found.mean_prediction)
    step = projected(found.observed) - tail
    share, strong = found.counts / found.n_cases, solid(found)
    drawn = found.fullest(least, MOST_ARROWS)
    drawn = np.concatenate([drawn[~strong[drawn]], drawn[strong[drawn]]])  # filled ones on top
    most = float(share.max())
    drawn_arrows(axes, tail[drawn], step[drawn], share[drawn], most, strong[drawn])
    _names(axes, found.class_names, side)
    keys(figure, noun, most, found.bars != "none")
    return figure


def _triangle(axes: Axes, cuts: int, side: float) -> None:
    """Sides, hairlines, and the numbers along each side, which rise towards the corner on its left."""
    drawing = TernaryAxesSubplot(ax=axes, scale=1.0)
    drawing.set_background_color("none")
    axes.grid(visible=False)
    axes.set_axis_off()
    grid = {"color": "#D5D9DD", "linewidth": HAIRLINE, "zorder": 1}
    for level in np.arange(1, cuts) / cuts:
        drawing.horizontal_line(level, **grid)
        drawing.left_parallel_line(level, **grid)
        drawing.right_parallel_line(level, **grid)
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
