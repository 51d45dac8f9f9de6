"""Binning sensitivity on paper: the ECE against the number of bins, a panel a scheme."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from calibcore.charts import style
from calibcore.charts.sensitivity import (
    ABOVE,
    ACROSS,
    CHANCE,
    LEFT_CLOSED,
    OTHER_EDGES,
    TICKS,
    WITHIN,
    axis_words,
    chosen_words,
    edges_matter,
    kinds_of,
    logarithmic,
    most_bins,
    most_shown,
    scale_of,
)
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import FOOT, HEAD, LEFT, RIGHT, Entries, draw_key, key_height
from calibcore.painters.paper.sheets import BODY, LINE, label_above, on_paper, panel, sheet
from calibcore.sensitivity.binnings import BinningSensitivity, Way
from calibcore.words.sensitivity import SCHEMES

HIGH = 22.0
"""Millimetres of a panel."""


@on_paper
def sensitivity_print(sensitivity: BinningSensitivity, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.sensitivity.sensitivity_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    kinds = kinds_of(sensitivity)
    entries = _entries(sensitivity)
    low = key_height(entries, width) + FOOT
    figure = sheet(width, low + len(kinds) * (HIGH + HEAD) + LINE)
    scale = scale_of(sensitivity)
    most = most_shown(sensitivity)
    chosen = sensitivity.ways[sensitivity.chosen]
    for i, kind in enumerate(reversed(kinds)):
        axes = panel(figure, LEFT, low + i * (HIGH + HEAD), width - LEFT - RIGHT, HIGH)
        _scheme(axes, sensitivity, sensitivity.schemes[kind], scale)
        if kind == "uniform" and edges_matter(sensitivity):
            _scheme(axes, sensitivity, sensitivity.schemes[LEFT_CLOSED], scale, other=True)
        label_above(axes, SCHEMES[kind], bold=True)
        axes.set_ylim(0, most)
        axes.yaxis.set_major_locator(MaxNLocator(4))
        _x_axis(axes, sensitivity)
        axes.tick_params(labelbottom=i == 0)
        if chosen.binning.kind == kind:
            _ring(axes, chosen, scale, chosen_words(sensitivity), most)
    figure.axes[0].set_xlabel(ACROSS)
    full_width, tall = figure.get_size_inches() * 72
    figure.text(2 / full_width, 1 - 2 / tall, axis_words(sensitivity), va="top")
    draw_key(figure, entries)
    return figure


def _x_axis(axes: Axes, sensitivity: BinningSensitivity) -> None:
    last = most_bins(sensitivity)
    if not logarithmic(sensitivity):
        axes.set_xlim(0, 1.02 * last)
        return
    axes.set_xscale("log")
    axes.set_xlim(last**-0.02, last**1.02)
    axes.set_xticks([tick for tick in TICKS if tick <= last])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _scheme(
    axes: Axes, sensitivity: BinningSensitivity, ways: tuple[Way, ...], scale: float, other: bool = False
) -> None:
    """Band, line and marks, full above chance; the ``other`` edge rule has no band and dots between."""
    x = [way.number for way in ways]
    if not other:
        axes.fill_between(
            x, [scale * way.low for way in ways], [scale * way.high for way in ways],
            label="if calibrated", **marks.CHANCE,
        )  # fmt: skip
    y = [scale * way.ece for way in ways]
    axes.plot(
        x, y, color=style.OBSERVED, linewidth=0.8, linestyle=":" if other else "-", label="line", zorder=2.4
    )
    above = np.array([way.pvalue <= sensitivity.alpha for way in ways])
    for strong in (False, True):
        chosen = above == strong
        axes.scatter(
            np.array(x)[chosen], np.array(y)[chosen], s=8, marker="D" if other else "o", linewidths=0.6,
            zorder=2.5 if other else 3,  # under the marks of the scheme itself
            facecolor=style.OBSERVED if strong else "white", edgecolor=style.OBSERVED, label="observed",
        )  # fmt: skip


def _ring(axes: Axes, way: Way, scale: float, words: str, most: float) -> None:
    y = scale * way.ece
    ring: dict[str, Any] = {"facecolor": "none", "edgecolor": style.OBSERVED, "linewidths": 1.3}
    axes.scatter([way.number], [y], s=55, zorder=4, label="your bins", **ring)
    low = y < 0.545 * most
    axes.annotate(
        words, (way.number, y), (0, 6 if low else -6), textcoords="offset points", ha="center", fontsize=BODY,
        va="bottom" if low else "top", fontweight="bold",
    )  # fmt: skip


def _entries(sensitivity: BinningSensitivity) -> Entries:
    def mark(fill: str, marker: str = "o", line: Any = "-") -> Line2D:
        return Line2D(
            [], [], color=style.OBSERVED, marker=marker, markerfacecolor=fill, markersize=3, linestyle=line,
            linewidth=0.8, markeredgewidth=0.6,
        )  # fmt: skip

    entries: Entries = [
        marks.chance_key(CHANCE),
        (mark(style.OBSERVED), ABOVE),
        (mark("white"), WITHIN),
    ]
    if edges_matter(sensitivity):
        entries.append((mark("white", "D", ":"), OTHER_EDGES))
    return entries
