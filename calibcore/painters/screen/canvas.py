"""What every figure on the screen shares: its layout, axes and keys, and text that is safe in it."""

import html
import math
import re
from collections.abc import Iterable
from typing import Any

from calibcore.charts.log_axis import log_ticks
from calibcore.charts.style import CHANCE, GRID, OBSERVED, corner_lines, short

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": ["sendChartToCloud", "lasso2d", "select2d", "autoScale2d"],
    "responsive": True,
}
SELECTABLE = CONFIG | {
    "modeBarButtonsToRemove": [b for b in CONFIG["modeBarButtonsToRemove"] if b != "select2d"]
}
"""Where bins can be chosen in the figure."""

KEY_BELOW: dict[str, Any] = {
    "orientation": "h", "x": 0.5, "xanchor": "center", "y": 0, "yref": "container", "yanchor": "bottom",
    "itemclick": False, "itemdoubleclick": False, "itemsizing": "trace", "title": None,
}  # fmt: skip
"""A key at the lower edge of a figure, whose margin has room for it; nothing is hidden by a click on it."""

KEY_AT_FOOT: dict[str, Any] = {"y": 0, "yref": "container", "yanchor": "bottom"}
"""Of a key that may have several lines."""


_MAY_BE_READ = re.compile(r"&|[<>](?! \d)")
"""What plotly may read as HTML: no sign before a number, as in "< 1 %"."""


def escaped(text: str) -> str:
    """User text for a figure: plotly reads a little HTML, which must not come from outside."""
    return html.escape(short(text), quote=False)


def hover(lines: Iterable[str]) -> str:
    """Plain lines for a hand that rests on a mark."""
    return "<br>".join(_MAY_BE_READ.sub(lambda sign: html.escape(sign[0]), line) for line in lines)


def rgb(colour: str) -> str:
    """ "#5F6873" -> "rgb(95, 104, 115)", as the style sheet finds it, which lets it follow the theme."""
    return f"rgb({', '.join(str(part) for part in bytes.fromhex(colour.removeprefix('#')))})"


def rgba(colour: str, opacity: float) -> str:
    """ "#D55E00" of which so much is seen -> "rgba(213, 94, 0, 0.7)"."""
    return f"rgba({rgb(colour)[4:-1]}, {opacity:g})"


def corner_name(name: str, width: int = 18) -> str:
    """A class name for a corner of a figure on the screen; the hover has the rest of a long one."""
    return "<br>".join(map(escaped, corner_lines(name, width)))


AXIS: dict[str, Any] = {"gridcolor": GRID, "gridwidth": 1, "zeroline": False, "automargin": True}


PERCENTS: dict[str, Any] = {
    "tickformat": ".0%",
    "labelalias": {f"{percents}%": f"{percents}\N{NO-BREAK SPACE}%" for percents in range(101)},
}
"""Of an axis of shares: "40 %", as in every text; plotly alone would write "40%"."""


def axis_label(words: str, top: float, axis: str | None = None) -> dict[str, Any]:
    """The y axis in words, level and above its panel, whose upper edge is at ``top`` of the figure, or of
    the panel of the y axis ``axis``."""
    return {
        "text": words, "xref": "paper", "x": 0,
        "yref": "paper" if axis is None else f"{axis} domain", "y": top,
        "xanchor": "left", "yanchor": "bottom", "showarrow": False,
    }  # fmt: skip


def log_axis(low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis over ``low`` to ``high``."""
    ticks, words = log_ticks(low, high)
    ends = [math.log10(low), math.log10(high)]
    return {"type": "log", "range": ends, "tickvals": ticks, "ticktext": words}


def titled(words: str) -> dict[str, Any]:
    """An axis with words near its numbers."""
    return {"title": {"text": words, "standoff": 6}}


def layout(height: int, **margin: int) -> dict[str, Any]:
    """Transparent, no boxes; room for direct labels on top, unless another ``margin`` is given by side. A
    layout given whole is ten times as quick to make as one that is put together in a figure."""
    return {
        "height": height,
        # "100 %" at the end of a narrow axis is whole
        "margin": {"l": 8, "r": 14, "t": 28, "b": 8} | margin,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top", "title": None},
        "bargap": 0,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": CHANCE, "activecolor": OBSERVED},
    }


def listed(value: Any) -> Any:
    """A value with lists in place of arrays."""
    if isinstance(value, dict):
        return {name: listed(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [listed(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value
