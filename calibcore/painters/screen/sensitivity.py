"""Binning sensitivity: the ECE against the number of bins, a panel a scheme, on the band of chance."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

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
    hover,
    kinds_of,
    logarithmic,
    most_bins,
    most_shown,
    scale_of,
)
from calibcore.painters.screen import canvas, marks
from calibcore.sensitivity.binnings import BinningSensitivity, Way
from calibcore.words.sensitivity import SCHEMES

HEAD, PANEL, GAP, FOOT = 50, 128, 30, 52
"""Pixels: what is above the first panel, a panel, what is between two, what is below the last."""


def sensitivity_figure(sensitivity: BinningSensitivity, theme: str = "light") -> go.Figure:
    """One panel a scheme, on shared scales; the other edge rule dashed in that of equally wide bins.

    A full mark stands above chance by its own test, an empty one does not; the settings' bins are ringed.
    """
    kinds = kinds_of(sensitivity)
    layout = canvas.layout(HEAD + len(kinds) * (PANEL + GAP) - GAP + FOOT + 8, t=HEAD)
    layout["legend"] |= canvas.KEY_AT_FOOT | {"traceorder": "normal"}
    words = [SCHEMES[kind] for kind in kinds]
    heights, y = [PANEL] * len(kinds), canvas.AXIS | {"nticks": 4, "range": [0, most_shown(sensitivity)]}
    notes = marks.stacked(layout, heights, GAP, words, theme, _x_axis(sensitivity), y, FOOT)
    traces: list[go.Scatter] = []
    for i, (kind, note) in enumerate(zip(kinds, notes, strict=True)):
        axis = "" if i == 0 else str(i + 1)
        for scheme in (LEFT_CLOSED, kind) if kind == "uniform" and edges_matter(sensitivity) else (kind,):
            traces += _line(sensitivity, scheme, axis, style.BACKGROUND[theme])
        note["align"] = "left"
    notes[0]["text"] = f"{axis_words(sensitivity)}<br>{notes[0]['text']}"
    layout[f"xaxis{len(kinds) if len(kinds) > 1 else ''}"] |= canvas.titled(ACROSS)
    # Ringed, and said beside the panel's title, where no line crosses it.
    way = sensitivity.ways[sensitivity.chosen]
    place = kinds.index(way.binning.kind)
    axis = str(place + 1) if place else ""
    ring = marks.observed(2.5, symbol="circle-open", size=15)
    traces.append(
        go.Scatter(
            x=[way.number], y=[scale_of(sensitivity) * way.ece], mode="markers", marker=ring,
            name="your bins", hoverinfo="skip", showlegend=False, xaxis=f"x{axis}", yaxis=f"y{axis}",
        )
    )  # fmt: skip
    notes.append(
        canvas.axis_label(f"◯ {chosen_words(sensitivity)}", 1.0, f"y{axis}")
        | {"x": 1, "xanchor": "right", "font": {"color": style.OBSERVED_TEXT[theme]}}
    )
    return go.Figure(traces, layout | {"annotations": notes})


def _x_axis(sensitivity: BinningSensitivity) -> dict[str, Any]:
    most = most_bins(sensitivity)
    if not logarithmic(sensitivity):
        return canvas.AXIS | {"range": [0, 1.02 * most], "nticks": 8}
    high = float(np.log10(most))
    room = 0.02 * high
    return canvas.AXIS | {
        "type": "log", "range": [-room, high + room], "tickvals": TICKS,
        "ticktext": [f"{tick:,}" for tick in TICKS],
    }  # fmt: skip


def _line(sensitivity: BinningSensitivity, scheme: str, axis: str, background: str) -> list[go.Scatter]:
    """The band of a scheme, and its line with a mark a way; the other edge rule has no band of its own."""
    ways, scale = sensitivity.schemes[scheme], scale_of(sensitivity)
    x = [way.number for way in ways]
    place = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    other, first = scheme == LEFT_CLOSED, not axis
    y = [scale * way.ece for way in ways]
    name, dash = (OTHER_EDGES, "dot") if other else ("observed", "solid")
    traces = [] if other else _band(ways, x, scale, place)
    traces.append(
        marks.stroke(x, y, style.OBSERVED, 1.5, dash, name=name, legendrank=4, showlegend=other, **place)
    )
    for above in (True, False):
        chosen = [i for i, way in enumerate(ways) if (way.pvalue <= sensitivity.alpha) == above]
        marker = {
            "symbol": "diamond" if other else "circle",
            "size": 5,
            "color": style.OBSERVED if above else background,
            "line": {"color": style.OBSERVED, "width": 1.5},
        }
        traces.append(
            marks.dots(
                [x[i] for i in chosen],
                [y[i] for i in chosen],
                marker,
                [canvas.hover(hover(ways[i], sensitivity)) for i in chosen],
                name=ABOVE if above else WITHIN,
                legendrank=1 if above else 2,
                showlegend=first and not other,
                **place,
            )
        )
    return traces


def _band(ways: tuple[Way, ...], x: list[int], scale: float, place: dict[str, Any]) -> list[go.Scatter]:
    low, high = [scale * way.low for way in ways], [scale * way.high for way in ways]
    upper = {
        "fill": "tonexty", "fillcolor": style.CHANCE_FILL, "name": CHANCE,
        "showlegend": place["xaxis"] == "x", "legendrank": 3,
    }  # fmt: skip
    return [
        marks.stroke(x, low, style.CHANCE, 1, showlegend=False, **place),
        marks.stroke(x, high, style.CHANCE, 1, **upper, **place),
    ]
