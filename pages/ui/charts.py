"""A figure of plotly as the browser gets it: in the look of the page, and drawn once.

Streamlit hands every figure to plotly twice: as it comes, and at once again with its theme put on anew.
Plotly then draws all of it a second time unless it can see that nothing changed. It cannot see that of arrays
sent as bytes, of data without a revision, under a template, nor where Streamlit adds modes of its own. So a
figure has lists, a digest of its data, no template, and those modes from the start.
"""

from hashlib import blake2b
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import style

FONT: dict[str, Any] = {"family": '"Source Sans", sans-serif', "size": 12}
"""Of the page, smaller."""
PAD = 8
"""Pixels between an axis and its numbers."""
STANDOFF = {"x": 20, "y": 24}
"""Pixels between the numbers of an axis and its words, unless the figure has its own."""


class Dressed(go.Figure):  # type: ignore[misc]  # plotly has no types
    """A figure that is sent as it stands, and not checked and packed once more."""

    def __init__(self, whole: dict[str, Any]) -> None:
        super().__init__()
        self._whole = whole

    def to_dict(self) -> dict[str, Any]:
        """All of it, which is sent as JSON."""
        return self._whole


def dressed(chart: go.Figure, theme: str, *, chosen: bool = False, touch: bool = False) -> Dressed:
    """A figure for :func:`streamlit.plotly_chart`, whose own theme must be off.

    chosen : whether its marks can be chosen. Streamlit lets a finger on a phone pan such a figure: its axes
        stay.
    touch : whether a finger scrolls the page and must not zoom the figure. One in three dimensions says for
        itself that it is turned.
    """
    data = [_listed(trace.to_plotly_json()) for trace in chart.data]
    layout = _listed(chart.layout.to_plotly_json())
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
    if chosen:
        layout |= {
            "clickmode": "event+select", "hovermode": "closest", "dragmode": layout.get("dragmode") or "pan",
        }  # fmt: skip
    elif touch:
        layout["dragmode"] = False
    for trace in data:
        if trace["type"] == "scatter" and "marker" in trace:
            trace["marker"]["line"] = {"width": 0} | trace["marker"].get("line", {})
    return Dressed({"data": data, "layout": layout})


def _listed(value: Any) -> Any:
    """A value with lists in place of arrays."""
    if isinstance(value, dict):
        return {name: _listed(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value
