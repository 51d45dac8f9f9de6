"""Binning sensitivity: the ECE against the number of bins, a panel a scheme, on the band of chance."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import style
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
    panels = [kind for kind in sensitivity.schemes if kind != LEFT_CLOSED]
    height = HEAD + len(panels) * (PANEL + GAP) - GAP + FOOT + 8
    layout = style.layout(height)
    layout["margin"] |= {"t": HEAD}
    layout["legend"] |= {"y": 0, "yref": "container", "yanchor": "bottom", "traceorder": "normal"}
    traces: list[go.Scatter] = []
    notes = []
    for i, kind in enumerate(panels):
        axis = "" if i == 0 else str(i + 1)
        for scheme in (LEFT_CLOSED, kind) if kind == "uniform" and edges_matter(sensitivity) else (kind,):
            traces += _line(sensitivity, scheme, axis, i == 0, style.BACKGROUND[theme])
        bottom, top = _panel(i, height)
        layout[f"yaxis{axis}"] = style.AXIS | {
            "domain": [bottom, top], "anchor": f"x{axis}", "nticks": 4, "range": [0, _most(sensitivity)],
        }  # fmt: skip
        layout[f"xaxis{axis}"] = _x_axis(sensitivity) | {
            "anchor": f"y{axis}", "matches": "x" if axis else None, "showticklabels": i == len(panels) - 1,
        }  # fmt: skip
        words = f"<b>{SCHEMES[kind]}</b>"
        if i == 0:
            words = f"{axis_words(sensitivity)}<br>{words}"
        title = style.axis_label(words, 1.0, f"y{axis}") | {"align": "left"}
        notes.append(title | {"font": {"color": style.TEXT[theme]}})
    last = "" if len(panels) == 1 else str(len(panels))
    layout[f"xaxis{last}"]["title"] = {"text": "Number of bins", "standoff": 6}
    traces.append(_ring(sensitivity, panels))
    notes.append(_ring_label(sensitivity, panels, theme))
    return go.Figure(traces, layout | {"annotations": notes})


def _panel(i: int, height: int) -> tuple[float, float]:
    """Where the i-th panel from above lies, as shares of what the margins, 8 below, leave."""
    plot = height - HEAD - 8
    top = plot - i * (PANEL + GAP)
    return max(0.0, (top - PANEL) / plot), top / plot


def axis_words(sensitivity: BinningSensitivity) -> str:
    """What the axis of the ECE says."""
    return "Average gap (ECE)" + (", points" if _scale(sensitivity) == 100 else "")


def _scale(sensitivity: BinningSensitivity) -> float:
    return 100.0 if DISTANCES[sensitivity.distance].in_points else 1.0


def _most(sensitivity: BinningSensitivity) -> float:
    """The end of the scale."""
    return 1.1 * _scale(sensitivity) * max(max(way.ece, way.high) for way in sensitivity.ways) or 1.0


def edges_matter(sensitivity: BinningSensitivity) -> bool:
    """Whether the other edge rule gives a line that can be told apart from ours."""
    schemes, least = sensitivity.schemes, 0.01 * _most(sensitivity) / _scale(sensitivity)
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


def _line(
    sensitivity: BinningSensitivity, scheme: str, axis: str, first: bool, background: str
) -> list[go.Scatter]:
    """The band of a scheme, and its line with a mark a way; the other edge rule has no band of its own."""
    ways, scale = sensitivity.schemes[scheme], _scale(sensitivity)
    x = [way.number for way in ways]
    place = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    other = scheme == LEFT_CLOSED
    traces = [] if other else _band(ways, x, scale, place, first)
    for above in (True, False):
        chosen = [i for i, way in enumerate(ways) if (way.pvalue <= sensitivity.alpha) == above]
        traces.append(
            go.Scatter(
                x=[x[i] for i in chosen],
                y=[scale * ways[i].ece for i in chosen],
                mode="markers",
                marker={
                    "symbol": "diamond" if other else "circle",
                    "size": 5,
                    "color": style.OBSERVED if above else background,
                    "line": {"color": style.OBSERVED, "width": 1.5},
                },
                text=[_hover(ways[i], sensitivity) for i in chosen],
                hovertemplate="%{text}<extra></extra>",
                name="observed, above chance" if above else "observed, within chance",
                legendrank=1 if above else 2,
                showlegend=first and not other,
                **place,
            )
        )
    line = go.Scatter(
        x=x,
        y=[scale * way.ece for way in ways],
        mode="lines",
        line={"color": style.OBSERVED, "width": 1.5, "dash": "dot" if other else "solid"},
        name="a value on an edge in the bin above" if other else "observed",
        hoverinfo="skip",
        legendrank=4,
        showlegend=other,
        **place,
    )
    return [*traces[:-2], line, *traces[-2:]]


def _band(
    ways: tuple[Way, ...], x: list[int], scale: float, place: dict[str, str], first: bool
) -> list[go.Scatter]:
    common = {"mode": "lines", "line": {"color": style.CHANCE, "width": 1}, "hoverinfo": "skip"} | place
    return [
        go.Scatter(x=x, y=[scale * way.low for way in ways], showlegend=False, **common),
        go.Scatter(
            x=x, y=[scale * way.high for way in ways], fill="tonexty", fillcolor=style.CHANCE_FILL,
            name="if calibrated, 9 times in 10", showlegend=first, legendrank=3, **common,
        ),
    ]  # fmt: skip


def _hover(way: Way, sensitivity: BinningSensitivity) -> str:
    return (
        f"{way_words(way, sensitivity.m)}<br>ECE {error(way.ece, sensitivity.distance)}<br>"
        f"If calibrated: {error_level(way.low, way.high, sensitivity.distance)}<br>{way_p(sensitivity, way)}"
    )


def _axis_of_chosen(sensitivity: BinningSensitivity, panels: list[str]) -> str:
    place = panels.index(sensitivity.ways[sensitivity.chosen].binning.kind)
    return str(place + 1) if place else ""


def _ring(sensitivity: BinningSensitivity, panels: list[str]) -> go.Scatter:
    way, axis = sensitivity.ways[sensitivity.chosen], _axis_of_chosen(sensitivity, panels)
    return go.Scatter(
        x=[way.number],
        y=[_scale(sensitivity) * way.ece],
        mode="markers",
        marker={
            "symbol": "circle-open",
            "size": 15,
            "color": style.OBSERVED,
            "line": {"color": style.OBSERVED, "width": 2.5},
        },
        name="your bins",
        hoverinfo="skip",
        showlegend=False,
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )


def _ring_label(sensitivity: BinningSensitivity, panels: list[str], theme: str) -> dict[str, Any]:
    """What the ring says, beside the panel's title, where no line crosses it."""
    way, axis = sensitivity.ways[sensitivity.chosen], _axis_of_chosen(sensitivity, panels)
    words = f"◯ your bins: {error(way.ece, sensitivity.distance)}"
    return style.axis_label(words, 1.0, f"y{axis}") | {
        "x": 1, "xanchor": "right", "font": {"color": style.OBSERVED_TEXT[theme]},
    }  # fmt: skip
