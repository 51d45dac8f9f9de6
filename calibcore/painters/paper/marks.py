"""What printed figures share, so that what it looks like stands once: panels, their marks and their keys."""

from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION
from calibcore.charts.log_axis import log_ticks
from calibcore.charts.probability_axis import TITLE
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.sheets import FILL, LINE, MM, QUIET, SMALL, label_above, panel, percents, sheet

LEFT, RIGHT = 10.0, 3.5
"""Millimetres beside a panel: numbers on the left, half a number on the right."""
FOOT, HEAD, STRIP = 10.5, 5.5, 10.0
"""Millimetres: numbers and label below a panel; label above it; height of the histogram."""
Entries = list[tuple[Patch | Line2D, str]]
"""Of a key: a mark and what it is."""
CHANCE: dict[str, Any] = {"facecolor": FILL, "edgecolor": style.CHANCE, "linewidth": 0.4}
"""What chance allows, of a bar or a band."""
INTERVAL: dict[str, Any] = {
    "facecolor": "none", "edgecolor": style.OBSERVED, "hatch": "......", "linewidth": 0.4
}  # fmt: skip
"""The interval of what was observed."""
PAIR = (("o", style.OBSERVED), ("D", "white"))
"""Of the first and of the second of two diagrams: a shape and what fills it."""
ROW, ABOVE = 7.0, 3.0
"""Millimetres: of a row with a name, and above the first."""
NAMES = 0.34
"""Share of the width that names have."""


def chance_key(words: str) -> tuple[Patch, str]:
    """The entry of a key for :data:`CHANCE`."""
    return Patch(**CHANCE), words


def dot(marker: str, fill: str, size: float = 3.6, color: str = style.OBSERVED) -> Line2D:
    """A mark alone, for a key."""
    return Line2D([], [], linestyle="none", marker=marker, markersize=size, color=color, markerfacecolor=fill)


def key_height(entries: Entries, width: float) -> float:
    """Millimetres of a key below a figure."""
    return LINE * -(-len(entries) // _columns(entries, width))


def _columns(entries: Entries, width: float) -> int:
    if width < 100 or not entries:
        return 1
    return len(entries) if len(entries) <= 3 else 2


def draw_key(figure: Figure, entries: Entries, left: float = LEFT) -> None:
    """At the foot of a figure, so many millimetres from its edge."""
    full_width, high = figure.get_size_inches() / MM
    figure.legend(
        [mark for mark, _ in entries],
        [legible(words) for _, words in entries],
        loc="upper left",
        bbox_to_anchor=(left / full_width, key_height(entries, full_width) / high),
        ncols=_columns(entries, full_width),
        borderpad=0,
        borderaxespad=0,
        labelspacing=0.35,
        handlelength=1.2,
        handleheight=0.7,
        handletextpad=0.6,
        columnspacing=1.6,
    )


def panels(
    width: float, heights: Sequence[float], entries: Entries, left: float = LEFT, above: float = 0
) -> tuple[Figure, list[Axes]]:
    """A sheet with panels one below the other and, if there are ``entries``, a key below.

    heights, above : millimetres of each panel, from above, and of more room over the first
    """
    low = key_height(entries, width) + FOOT
    figure = sheet(width, low + sum(heights) + HEAD * len(heights) + above)
    axes = []
    for i, high in enumerate(heights, start=1):
        bottom = low + sum(heights[i:]) + HEAD * len(heights[i:])
        axes.append(panel(figure, left, bottom, width - left - RIGHT, high))
    if entries:
        draw_key(figure, entries)
    return figure, axes


def deviation_axes(axes: Axes) -> None:
    """What stands around the deviations of two diagrams over probabilities."""
    axes.margins(y=0.08)
    axes.axhline(0, color=style.CHANCE, linewidth=0.7)
    axes.set_xlim(-0.01, 1.02)
    axes.set_xlabel(TITLE)
    percents(axes, "x")
    label_above(axes, DEVIATION)


def named_rows(width: float, names: Sequence[str], entries: Entries) -> tuple[Figure, Axes]:
    """A sheet with one row a name from above, and the key below."""
    left = NAMES * width
    key = key_height(entries, width)
    figure = sheet(width, key + FOOT + ROW * len(names) + ABOVE)
    axes = panel(figure, left, key + FOOT, width - left - RIGHT, ROW * len(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    lines = ["\n".join(style.corner_lines(legible(name), int(left / 1.35))) for name in names]
    axes.set_yticks(range(len(names)), lines)
    axes.tick_params(axis="y", length=0, labelsize=SMALL)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    draw_key(figure, entries, RIGHT)
    return figure, axes


def logarithmic(axes: Axes, which: Literal["x", "y"], low: float, high: float) -> None:
    """An axis with the ticks of the screen."""
    axes.set(**{f"{which}scale": "log"})
    axes.set(**{f"{which}lim": (low, high)})
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_ticks(*log_ticks(low, high))
    axis.set_minor_locator(NullLocator())


def level(axes: Axes, y: float, words: str, label: str = "level") -> None:
    """A dashed line from side to side, with what it is above its right end."""
    axes.annotate(
        words, (1, y), (0, 1), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
        va="bottom", color=QUIET, fontsize=SMALL,
    )  # fmt: skip
    axes.axhline(y, color=style.CHANCE, linewidth=0.7, linestyle="--", label=label)
