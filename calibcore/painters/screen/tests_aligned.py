"""Every test of a diagnosis on one axis of p, grouped by what it promises."""

import math
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.tests_aligned import (
    AXIS_TITLE,
    HIGH,
    Row,
    heading_of,
    leftmost,
    line_of_bound,
    placed,
)
from calibcore.diagnose import Diagnosis
from calibcore.painters.screen import canvas, marks

ROW, HEADING = 40, 44
"""Pixels of a test, and of the promise above its tests."""
_LIFT = 18
"""From a mark up to its words."""
_ABOVE, _BELOW = 34, 60


def aligned_figure(diagnosis: Diagnosis, theme: str = "light") -> go.Figure:
    """One row a test: its name, its p in words, and its place on a logarithmic axis.

    Solid: p is at most the level. A triangle with a line to the left: an upper bound. A bar
    beside the mark: the smallest p that the redraws allow. Withheld tests have a row and no mark.
    """
    groups, height = placed(diagnosis, HEADING, ROW)
    height += 6
    rows = [row for *_, members in groups for row in members]
    alpha = diagnosis.spec.alpha
    low = leftmost(diagnosis)
    notes = [
        _words(f"<b>{heading_of(promise)}</b>", top + HEADING / 2, 0, style.TEXT[theme])
        for promise, top, _ in groups
    ]
    for row in rows:
        color = style.TEXT[theme] if row.strong(alpha) else style.QUIET[theme]
        notes.append(_words(row.name, _y(row) - _LIFT, 0, color))
        notes.append(_words(row.words, _y(row) - _LIFT, 1, color))
    notes.append(
        marks.note(f"level {alpha:g}", style.QUIET[theme])
        | {
            "x": math.log10(alpha), "xref": "x", "xanchor": "center",
            "y": 1, "yref": "paper", "yanchor": "bottom",
        }
    )  # fmt: skip
    traces = []
    for strong in (True, False):
        chosen = [row for row in rows if row.p is not None and row.strong(alpha) == strong]
        traces += _marks(chosen, low, strong)
    layout = canvas.layout(round(height + _ABOVE + _BELOW), r=8, t=_ABOVE, b=_BELOW) | {
        "showlegend": False,
        "shapes": [shape for row in rows for shape in (_track(_y(row), low), _level(_y(row), alpha))],
        "annotations": notes,
        "xaxis": canvas.AXIS
        | canvas.log_axis(low, HIGH)
        | {"title": {"text": AXIS_TITLE}, "showgrid": False},
        "yaxis": {"range": [height, 0], "visible": False, "fixedrange": True},
    }
    return go.Figure(traces, layout)


def _y(row: Row) -> float:
    """Where the mark of a test stands, in pixels."""
    return row.top + 0.7 * ROW


def _marks(rows: list[Row], low: float, strong: bool) -> list[go.Scatter]:
    """Dots, bounds with their lines, what lies beyond the end, and the bars of smallest possible values."""
    bounds = [row for row in rows if row.bound]
    rest = [row for row in rows if not row.bound]
    traces = [
        _scatter(chosen, low, strong, name, symbol, size)
        for name, symbol, size, chosen in (
            ("smallest possible", "line-ns", 15, [row for row in rest if row.smallest]),
            ("p", "circle", 12, [row for row in rest if row.p is not None and row.p > low]),
            ("beyond the end", "triangle-left", 12, [row for row in rest if (row.p or 0.0) <= low]),
            ("upper bound", "triangle-left-open", 12, bounds),
        )
        if chosen
    ]
    if bounds:
        traces.append(_lines(bounds, low, strong))
    return traces


def _scatter(rows: list[Row], low: float, strong: bool, name: str, symbol: str, size: int) -> go.Scatter:
    return go.Scatter(
        x=[max(row.p or 0.0, low) for row in rows],
        y=[_y(row) for row in rows],
        mode="markers",
        name=name,
        opacity=1 if strong else style.PALE_DOT,
        marker=marks.observed(2, symbol=symbol, size=size),
        cliponaxis=False,
        customdata=[[canvas.hover([words]) for words in row.hover] for row in rows],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
    )


def _lines(rows: list[Row], low: float, strong: bool) -> go.Scatter:
    """To the left of each bound."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row in rows:
        x += [*line_of_bound(row.p or 0.0, low), None]
        y += [_y(row), _y(row), None]
    opacity = 1 if strong else style.PALE_DOT
    return marks.stroke(x, y, style.OBSERVED, 2, "dot", opacity=opacity, name="p lies below")


def _track(y: float, low: float) -> dict[str, Any]:
    return {
        "type": "line", "x0": low, "x1": HIGH, "y0": y, "y1": y, "layer": "below",
        "line": {"color": style.GRID, "width": 1},
    }  # fmt: skip


def _level(y: float, alpha: float) -> dict[str, Any]:
    """One dash of the level's line a row, so that it touches no words."""
    return {
        "type": "line", "x0": alpha, "x1": alpha, "y0": y - 6, "y1": y + 10, "layer": "below",
        "line": {"color": style.CHANCE, "width": 1},
    }  # fmt: skip


def _words(text: str, y: float, side: int, color: str) -> dict[str, Any]:
    return marks.note(text, color) | {
        "xref": "paper", "x": side, "xanchor": "right" if side else "left", "y": y, "yanchor": "middle"
    }  # fmt: skip
