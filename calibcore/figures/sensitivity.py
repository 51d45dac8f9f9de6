"""Binning sensitivity: the ECE against the number of bins, a panel a scheme, on the band of chance."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.numerics.distances import DISTANCES
from calibcore.sensitivity.binnings import BinningSensitivity, Way
from calibcore.words.phrases import error, error_level
from calibcore.words.sensitivity import SCHEMES, way_p, way_words

LEFT_CLOSED = "uniform-left-closed"
HEAD, PANEL, GAP, FOOT = 50, 128, 30, 52
"""Pixels: what is above the first panel, a panel, what is between two, what is below the last."""
MOST_LINEAR = 64
"""Bins up to which the axis is linear."""
TICKS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


def sensitivity_figure(sensitivity: BinningSensitivity, theme: str = "light") -> go.Figure:
    """One panel a scheme, on shared scales; the other edge rule dashed in that of equally wide bins.

    A full mark stands above chance by its own test, an empty one does not; the settings' bins are ringed.
    """
    kinds = kinds_of(sensitivity)
    layout = style.layout(HEAD + len(kinds) * (PANEL + GAP) - GAP + FOOT + 8, t=HEAD)
    layout["legend"] |= style.KEY_AT_FOOT | {"traceorder": "normal"}
    words = [SCHEMES[kind] for kind in kinds]
    heights, y = [PANEL] * len(kinds), style.AXIS | {"nticks": 4, "range": [0, _most(sensitivity)]}
    notes = marks.stacked(layout, heights, GAP, words, theme, _x_axis(sensitivity), y, FOOT)
    traces: list[go.Scatter] = []
    for i, (kind, note) in enumerate(zip(kinds, notes, strict=True)):
        axis = "" if i == 0 else str(i + 1)
        for scheme in (LEFT_CLOSED, kind) if kind == "uniform" and edges_matter(sensitivity) else (kind,):
            traces += _line(sensitivity, scheme, axis, style.BACKGROUND[theme])
        note["align"] = "left"
    notes[0]["text"] = f"{axis_words(sensitivity)}<br>{notes[0]['text']}"
    layout[f"xaxis{len(kinds) if len(kinds) > 1 else ''}"] |= style.titled("Number of bins")
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
    words_of_ring = f"◯ your bins: {error(way.ece, sensitivity.distance)}"
    notes.append(
        style.axis_label(words_of_ring, 1.0, f"y{axis}")
        | {"x": 1, "xanchor": "right", "font": {"color": style.OBSERVED_TEXT[theme]}}
    )
    return go.Figure(traces, layout | {"annotations": notes})


def kinds_of(sensitivity: BinningSensitivity) -> list[str]:
    """The schemes that have a panel of their own."""
    return [kind for kind in sensitivity.schemes if kind != LEFT_CLOSED]


def axis_words(sensitivity: BinningSensitivity) -> str:
    """What the axis of the ECE says."""
    return "Average gap (ECE)" + (", points" if scale_of(sensitivity) == 100 else "")


def scale_of(sensitivity: BinningSensitivity) -> float:
    """What an ECE is multiplied by on the axis."""
    return 100.0 if DISTANCES[sensitivity.distance].in_points else 1.0


def _most(sensitivity: BinningSensitivity) -> float:
    """The end of the scale."""
    return 1.1 * scale_of(sensitivity) * max(max(way.ece, way.high) for way in sensitivity.ways) or 1.0


def edges_matter(sensitivity: BinningSensitivity) -> bool:
    """Whether the other edge rule gives a line that can be told apart from ours."""
    schemes, least = sensitivity.schemes, 0.01 * _most(sensitivity) / scale_of(sensitivity)
    ours = {way.number: way.ece for way in schemes["uniform"]}
    return any(abs(way.ece - ours[way.number]) > least for way in schemes.get(LEFT_CLOSED, ()))


def _log(sensitivity: BinningSensitivity) -> bool:
    return max(way.number for way in sensitivity.ways) > MOST_LINEAR


def _x_axis(sensitivity: BinningSensitivity) -> dict[str, Any]:
    most = max(way.number for way in sensitivity.ways)
    if not _log(sensitivity):
        return style.AXIS | {"range": [0, 1.02 * most], "nticks": 8}
    high = float(np.log10(most))
    room = 0.02 * high
    return style.AXIS | {
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
    name, dash = ("a value on an edge in the bin above", "dot") if other else ("observed", "solid")
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
                [_hover(ways[i], sensitivity) for i in chosen],
                name="observed, above chance" if above else "observed, within chance",
                legendrank=1 if above else 2,
                showlegend=first and not other,
                **place,
            )
        )
    return traces


def _band(ways: tuple[Way, ...], x: list[int], scale: float, place: dict[str, Any]) -> list[go.Scatter]:
    low, high = [scale * way.low for way in ways], [scale * way.high for way in ways]
    upper = {
        "fill": "tonexty", "fillcolor": style.CHANCE_FILL, "name": "if calibrated, 9 times in 10",
        "showlegend": place["xaxis"] == "x", "legendrank": 3,
    }  # fmt: skip
    return [
        marks.stroke(x, low, style.CHANCE, 1, showlegend=False, **place),
        marks.stroke(x, high, style.CHANCE, 1, **upper, **place),
    ]


def _hover(way: Way, sensitivity: BinningSensitivity) -> str:
    return (
        f"{way_words(way, sensitivity.m)}<br>ECE {error(way.ece, sensitivity.distance)}<br>"
        f"If calibrated: {error_level(way.low, way.high, sensitivity.distance)}<br>{way_p(sensitivity, way)}"
    )
