"""A figure of plotly as the browser gets it: in the look of the page, and drawn once.

Streamlit hands every figure to plotly twice: as it comes, and at once again with its theme put on anew.
Plotly then draws all of it a second time unless it can see that nothing changed. It cannot see that of arrays
sent as bytes, of data without a revision, under a template, nor where Streamlit adds modes of its own. So a
figure has lists, a digest of its data, no template, and those modes from the start.

It also draws a figure again whose axes, with their numbers and words, or whose key need more room than its
margins. So there is room for usual ones from the start; for longer ones plotly still makes some. Nor has it
to find where axes end, see :mod:`calibcore.painters.screen.axis_ends`.
"""

import html
import math
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.painters.screen import axis_ends, canvas

FONT: dict[str, Any] = {"family": '"Source Sans", sans-serif', "size": 12}
"""Of the page, smaller."""
PAD = 8
"""Pixels between an axis and its numbers."""
STANDOFF = {"x": 20, "y": 24}
"""Pixels between the numbers of an axis and its words, unless the figure has its own."""
NUMBERS = {"l": 48, "r": 18, "b": 34}
"""Pixels that numbers take: left of an axis, beyond its right end, below it."""
WORDS, KEY = 14, 42
"""Pixels of the words below an axis, and of a key in one line."""
LETTER, BESIDE = 5.5, 16
"""Pixels of a small letter of a name beside an axis, and of what is left free beside the name."""
PHONE, LINE, MARK = 289, 19, 42
"""Pixels of a figure between its axes on a phone, of a further line of a key, of a mark before its name."""
KEY_LETTER, NARROW = 5.7, "fijlt.,:;'|!() "
"""Pixels of a letter of a key, and letters of which each takes two fifths less."""
BEYOND_BY_TOUCH = 21
"""Pixels beyond the right end of an axis there, whose last number stands at its end more often."""


class Dressed(go.Figure):  # type: ignore[misc]  # plotly has no types
    """A figure that is sent as it stands, and not checked and packed once more."""

    def __init__(self, figure: dict[str, Any]) -> None:
        super().__init__()
        self._as_sent = figure

    def to_dict(self) -> dict[str, Any]:
        """All of it, which is sent as JSON."""
        return self._as_sent


def dressed(chart: go.Figure, theme: str, *, chosen: bool = False, touch: bool = False) -> Dressed:
    """A figure for :func:`streamlit.plotly_chart`, whose own theme must be off.

    chosen : whether its marks can be chosen. Streamlit lets a finger on a phone pan such a figure: its axes
        stay.
    touch : whether a finger scrolls the page and must not zoom the figure. One in three dimensions says for
        itself that it is turned.
    """
    data = [canvas.listed(trace.to_plotly_json()) for trace in chart.data]
    layout = canvas.listed(chart.layout.to_plotly_json())
    layout.pop("template", None)
    layout["datarevision"] = blake2b(repr(data).encode(), digest_size=8).hexdigest()
    font = FONT | {"color": style.TEXT[theme]}
    box = {"bgcolor": style.BACKGROUND[theme], "bordercolor": style.CHANCE, "font": font}
    layout |= {
        "font": font,
        "hoverlabel": box | layout.get("hoverlabel", {}),
        "legend": {"valign": "top"} | layout.get("legend", {}),
        "margin": layout.get("margin", {}) | {"pad": PAD},
    }
    for name, axis in layout.items():
        if name.startswith(("xaxis", "yaxis")):
            axis["title"] = {"standoff": STANDOFF[name[0]]} | axis.get("title", {})
            if name.startswith("x"):
                axis.setdefault("showgrid", False)
            if touch and chosen:
                axis["fixedrange"] = True
    axis_ends.with_ends(layout, data)
    margin = layout["margin"]
    for side, room in _room(layout, data, touch):
        margin[side] = max(room, margin.get(side, 0))
    if chosen:
        layout |= {
            "clickmode": "event+select", "hovermode": "closest", "dragmode": layout.get("dragmode") or "pan",
        }  # fmt: skip
        for trace in data:
            _as_they_are(trace)
    elif touch:
        layout["dragmode"] = False
    for trace in data:
        if trace["type"] == "scatter" and "marker" in trace:
            trace["marker"]["line"] = {"width": 0} | trace["marker"].get("line", {})
    return Dressed({"data": data, "layout": layout})


def _as_they_are(trace: dict[str, Any]) -> None:
    """Marks and words that are not among those chosen stay as they are: paler they would say something else.

    plotly knows one opacity of all that are not chosen. So where each has its own, it is in their colours.
    """
    left: dict[str, Any] = {}
    if trace["type"] in ("scatter", "bar"):
        marker = trace.get("marker", {})
        opacity = marker.get("opacity", 1)
        if isinstance(opacity, list):
            for part in (marker, marker.get("line", {})):
                if isinstance(colour := part.get("color"), str):
                    part["color"] = [canvas.rgba(colour, share) for share in opacity]
            marker["opacity"] = opacity = 1
        left["marker"] = {"opacity": opacity}
    if "text" in trace.get("mode", "") and isinstance(colour := trace.get("textfont", {}).get("color"), str):
        left["textfont"] = {"color": colour}
    if left:
        trace["unselected"] = left


def _room(layout: dict[str, Any], data: Sequence[dict[str, Any]], touch: bool) -> Iterator[tuple[str, int]]:
    """Pixels at a side that axes and a key of several traces need; by ``touch`` as on a phone."""
    if "scene" in layout:  # a view in space, which its own margins fit
        return
    keyed, below = layout.get("showlegend", len(data) > 1), 0
    for name, axis in layout.items():
        if name[1:5] != "axis" or not all(axis.get(key, True) for key in ("visible", "showticklabels")):
            continue
        if not axis.get("automargin", False):  # the figure knows its margins
            continue
        if name.startswith("y"):
            yield "l", max(NUMBERS["l"], _names_room(axis.get("ticktext") or ()))
        else:
            words = axis["title"]
            below = NUMBERS["b"] + (WORDS + int(words["standoff"]) if words.get("text") else 0)
            yield "r", BEYOND_BY_TOUCH if touch else NUMBERS["r"]
            yield "b", below
    if keyed:
        lines = _lines([trace["name"] for trace in data if trace.get("showlegend", True) and "name" in trace])
        further = LINE * (lines - 1) if touch else 0
        yield "b", _key_room(layout, KEY + further)
        if touch and layout["legend"].get("yref") == "container":
            yield "b", below + KEY + further


def _lines(names: Sequence[str]) -> int:
    """Of a key on a phone: its names stand in columns, unless one line has room for all."""

    def width(name: str) -> float:
        text = html.unescape(re.sub("<.*?>", "", name))
        return MARK + KEY_LETTER * (style.letters(text) - 0.4 * sum(map(NARROW.count, text)))

    widths = list(map(width, names))
    if sum(widths) <= PHONE:
        return 1
    return math.ceil(len(names) / max(1, int(PHONE / max(widths))))


def _names_room(names: Sequence[str]) -> int:
    """Pixels of the longest line of names beside an axis."""
    lines = [re.sub("<.*?>", "", line) for name in names for line in name.split("<br>")]
    widths = (style.letters(html.unescape(line)) for line in lines)
    return BESIDE + math.ceil(LETTER * max(widths, default=0))


def _key_room(layout: dict[str, Any], key: int) -> int:
    """Pixels below the plot for a ``key`` that hangs there by a share of the plot's height."""
    down = -float(layout["legend"].get("y", 0))
    if down <= 0 or "height" not in layout:
        return 0
    below_top = int(layout["height"]) - int(layout["margin"].get("t", 0))
    return math.ceil((down * below_top + key) / (1 + down))
