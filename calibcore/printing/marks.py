"""Marks that printed figures share, in the panel and in its key, so that what they look like stands once."""

from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from calibcore.figures import style
from calibcore.figures.log_axis import log_axis
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.letters import legible
from calibcore.printing.paper import FILL, QUIET, SMALL, panel, sheet

CHANCE: dict[str, Any] = {"facecolor": FILL, "edgecolor": style.CHANCE, "linewidth": 0.4}
"""What chance allows, of a bar or a band."""
INTERVAL: dict[str, Any] = {
    "facecolor": "none", "edgecolor": style.OBSERVED, "hatch": "......", "linewidth": 0.4
}  # fmt: skip
"""The interval of what was observed."""
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


def panel_with_key(width: float, high: float, entries: Entries) -> tuple[Figure, Axes]:
    """A sheet with one panel, ``high`` millimetres, and its key below."""
    key = key_height(entries, width)
    figure = sheet(width, key + FOOT + high + HEAD)
    axes = panel(figure, LEFT, key + FOOT, width - LEFT - RIGHT, high)
    draw_key(figure, entries, (LEFT, key))
    return figure, axes


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
    draw_key(figure, entries, (RIGHT, key))
    return figure, axes


def logarithmic(axes: Axes, which: Literal["x", "y"], low: float, high: float) -> None:
    """An axis with the ticks of the screen."""
    axes.set(**{f"{which}scale": "log"})
    axes.set(**{f"{which}lim": (low, high)})
    axis = axes.xaxis if which == "x" else axes.yaxis
    ticks = log_axis(low, high)
    axis.set_ticks(ticks["tickvals"], ticks["ticktext"])
    axis.set_minor_locator(NullLocator())


def level(axes: Axes, y: float, words: str, label: str = "level") -> None:
    """A dashed line from side to side, with what it is above its right end."""
    axes.annotate(
        words, (1, y), (0, 1), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
        va="bottom", color=QUIET, fontsize=SMALL,
    )  # fmt: skip
    axes.axhline(y, color=style.CHANCE, linewidth=0.7, linestyle="--", label=label)
