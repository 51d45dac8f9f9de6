"""Classes in order on lines of cumulative probabilities, on the screen."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.cumulative import OBSERVED, PREDICTED, RANGE, TITLE, CumulativeLine
from calibcore.painters.screen import canvas, marks

HEAD, ROW, FOOT = 40, 52, 90
"""Pixels."""
NAME = 20
"""Characters of a name on one line, of two."""


def cumulative_figure(lines: Sequence[CumulativeLine], noun: str = "case", theme: str = "light") -> go.Figure:
    """A row a line: an arrow a border between classes, from what was predicted to what happened."""
    layout = canvas.layout(HEAD + ROW * len(lines) + FOOT, t=HEAD, b=FOOT, r=24)
    layout["yaxis"] = marks.named_rows([canvas.corner_name(line.name, NAME) for line in lines])
    layout["xaxis"] = canvas.AXIS | canvas.titled(TITLE) | canvas.PERCENTS | {"range": [-0.01, 1.01]}
    layout["legend"] |= canvas.KEY_AT_FOOT
    places = [(row, k) for row, line in enumerate(lines) for k in range(len(line.borders))]
    tracks = [
        marks.stroke([0, 1], [row, row], style.CHANCE, 1, showlegend=False) for row in range(len(lines))
    ]
    tracks += [
        marks.stroke([share.low, share.high], [row, row], style.OBSERVED, 5, opacity=RANGE, showlegend=False)
        for row, line in enumerate(lines)
        for share in line.ranges
    ]
    ends: dict[str, list[float]] = {
        PREDICTED: [lines[row].predicted[k] for row, k in places],
        OBSERVED: [lines[row].observed[k] for row, k in places],
    }
    texts = [canvas.hover(map(canvas.escaped, lines[row].hover(k, noun))) for row, k in places]
    markers: dict[str, dict[str, Any]] = {
        PREDICTED: {"symbol": "circle-open", "size": 10, "color": style.QUIET[theme], "line": {"width": 2}},
        OBSERVED: {"symbol": "circle", "size": 7, "color": style.OBSERVED},
    }
    dots = [
        marks.dots(ends[what], [row for row, _ in places], markers[what], texts, name=what)
        for what in (PREDICTED, OBSERVED)
    ]
    layout["annotations"] = [
        _arrow(lines[row].predicted[k], lines[row].observed[k], row) for row, k in places
    ] + [_border(line.borders[k], line.predicted[k]) for line in lines[:1] for k in range(len(line.borders))]
    return go.Figure([*tracks, *dots], layout)


def _arrow(tail: float, tip: float, row: int) -> dict[str, Any]:
    return {
        "x": tip, "y": row, "ax": tail, "ay": row, "xref": "x", "yref": "y", "axref": "x", "ayref": "y",
        "text": "", "showarrow": True, "arrowhead": 2, "arrowwidth": 2, "arrowcolor": style.OBSERVED,
    }  # fmt: skip


def _border(name: str, x: float) -> dict[str, Any]:
    """Above the first line: up to which class."""
    return {
        "x": x, "y": 0, "text": f"≤ {canvas.corner_name(name, 12)}", "showarrow": False, "yshift": 14,
        "yanchor": "bottom",
    }  # fmt: skip
