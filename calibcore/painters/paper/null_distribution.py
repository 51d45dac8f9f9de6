"""What a test saw, on paper: the observed value among those that chance alone gives."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.charts.log_axis import power_words
from calibcore.charts.null_distribution import EXTREME, UPWARDS, NullMarks, null_marks
from calibcore.diagnose import NamedTest
from calibcore.numerics.distances import DEFAULT
from calibcore.painters.paper.marks import FOOT, LEFT, RIGHT
from calibcore.painters.paper.sheets import BODY, FILL, MM, QUIET, label_above, on_paper, panel, sheet

HEAD = 12.0
"""Millimetres above the panel: what was observed, and the label of the axis."""
SLASH = 0.5
"""Millimetres: half the width of a slash at a break."""


@on_paper
def null_print(test: NamedTest, distance: str = DEFAULT, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.null_distribution.null_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a test that made no redraws, a width other than those of columns.
    """
    marks = null_marks(test, distance)
    high = 38.0 if width < 100 else 55.0
    figure = sheet(width, FOOT + high + HEAD)
    inner = width - LEFT - RIGHT
    bars, line = marks.parts if marks.broken else ((0.0, 1.0), (0.0, 1.0))
    axes = panel(figure, LEFT + bars[0] * inner, FOOT, (bars[1] - bars[0]) * inner, high)
    beside = panel(figure, LEFT + line[0] * inner, FOOT, (line[1] - line[0]) * inner, high)
    if not marks.broken:
        beside.remove()
        beside = axes
    for chosen, hatch, name in (
        (~marks.beyond, None, marks.chance),
        (marks.beyond, "//////", EXTREME),
    ):
        axes.bar(
            marks.edges[:-1][chosen], marks.counts[chosen], np.diff(marks.edges)[chosen], align="edge",
            facecolor=FILL, linewidth=0.4, edgecolor=style.CHANCE,
            hatch=hatch, hatchcolor=style.OBSERVED, label=name,
        )  # fmt: skip
    beside.plot([marks.observed] * 2, [0, marks.top], color=style.OBSERVED, linewidth=1.8, label="observed")
    for part in (axes, beside):
        part.set_ylim(0, marks.top)
        part.grid(visible=False, axis="x")
        part.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        part.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlim(marks.ends())
    if marks.broken:
        _break(figure, marks, axes, beside)
    _x_axis(axes, marks.axis)
    label_above(axes if marks.left or not marks.broken else beside, UPWARDS)
    _write_words(axes, beside, marks)
    return figure


def _break(figure: Figure, marks: NullMarks, bars: Axes, line: Axes) -> None:
    """The second part of the axis has one number; slashes stand between the two."""
    line.set_xlim(marks.observed - 1, marks.observed + 1)
    line.set_xticks([marks.observed], [marks.words])
    inner = line if marks.left else bars
    inner.spines["left"].set_visible(False)
    inner.tick_params(left=False, labelleft=False)
    full_width, tall = figure.get_size_inches() / MM
    place, foot = LEFT + marks.break_at * (full_width - LEFT - RIGHT), FOOT
    for shift in (-SLASH, SLASH):
        ends = np.array(
            [[place + shift - SLASH, place + shift + SLASH], [foot - 2 * SLASH, foot + 2 * SLASH]]
        )
        figure.add_artist(Line2D(*(ends / [[full_width], [tall]]), color=style.CHANCE, linewidth=0.8))


def _x_axis(axes: Axes, words: str) -> None:
    """Numbers with few digits; a power of ten goes into the label."""
    axes.xaxis.set_major_locator(MaxNLocator(6))
    most = max(abs(end) for end in axes.get_xlim())
    power = int(np.floor(np.log10(most)))
    power = power if power < -2 else 0
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 10.0**power:.4g}".replace("-", "−"))
    axes.set_xlabel(words + (f", × {power_words(power)}" if power else ""))


def _write_words(axes: Axes, line: Axes, marks: NullMarks) -> None:
    """The observed value and its p above its line, what chance gives where no line crosses it."""
    low, high = line.get_xlim()
    line.set_xlim(low, high)
    common: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    above: dict[str, Any] = common | {"ha": marks.side(low, high), "va": "bottom"}
    point = (marks.observed, marks.top)
    line.annotate(f"observed {marks.words}", point, (0, 13 + BODY), fontweight="bold", **above)
    line.annotate(marks.p, point, (0, 10), **above)
    axes.annotate(
        marks.chance, (marks.beside, marks.top), (3, -2), ha="left", va="top", color=QUIET, **common
    )
