"""How far the kernel test depends on its bandwidth: statistic above chance, and p, over one axis."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.bandwidths import (
    ABOVE,
    AXIS_TITLE,
    EXACT_P,
    OBSERVED,
    BandwidthChart,
    bandwidth_chart,
    strong_name,
)
from calibcore.painters.screen import canvas, marks
from calibcore.sensitivity.bandwidths import BandwidthSensitivity

HEIGHT = 520
UPPER, LOWER = (0.55, 0.93), (0.0, 0.38)
"""What the two panels take of the height."""


def bandwidth_figure(sensitivity: BandwidthSensitivity, theme: str = "light") -> go.Figure:
    """Above: the statistic among its redraws, the grey band; below: the exact p beside the level.

    Both over the bandwidth; the rules are upright lines, the one in use drawn through.
    """
    chart = bandwidth_chart(sensitivity)
    v, banded, alpha = chart.bandwidths, chart.banded, chart.alpha
    traces = [
        marks.band(v[banded], chart.low[banded], chart.high[banded], chart.chance),
        go.Scatter(
            x=v, y=chart.above, mode="lines+markers", name=OBSERVED,
            line={"color": style.OBSERVED, "width": 2}, marker={"size": 6},
            hovertemplate="bandwidth %{x:.3~g}<br>%{y:.1f} deviations above chance<extra></extra>",
        ),
        marks.stroke(v, chart.pvalue, style.CHANCE, 1, yaxis="y2", name="p"),
        *(_dots(chart, strong) for strong in (True, False) if (chart.strong == strong).any()),
    ]  # fmt: skip
    over_v = {"title": {"text": AXIS_TITLE}, "showgrid": False, "anchor": "y2"}
    layout = canvas.layout(HEIGHT) | {
        "showlegend": False,
        "shapes": [
            *(_upright(rule.value, rule.used) for rule in chart.rules),
            marks.level(alpha, "2", dash="dash") | {"xref": "paper", "layer": "below"},
        ],
        "annotations": [
            canvas.axis_label(ABOVE, UPPER[1] + 0.045),
            canvas.axis_label(EXACT_P, LOWER[1] + 0.01),
            _beside_band(chart, theme),
            *_rules(chart, theme),
            marks.level_name(chart.level, float(np.log10(alpha)), theme, "2", size=None) | {"xref": "paper"},
        ],
        "xaxis": canvas.AXIS | canvas.log_axis(*chart.across) | over_v,
        "yaxis": canvas.AXIS
        | {"domain": UPPER, "zeroline": True, "zerolinecolor": style.CHANCE, "nticks": 6},
        "yaxis2": canvas.AXIS | canvas.log_axis(*chart.p_ends) | {"domain": LOWER},
    }
    return go.Figure(traces, layout)


def _beside_band(chart: BandwidthChart, theme: str) -> dict[str, Any]:
    """What the band is, at its right end and on the side where the curve is not."""
    k = int(np.flatnonzero(~np.isnan(chart.above))[-1])
    low, high = float(chart.low[k]), float(chart.high[k])
    below = chart.above[k] > (low + high) / 2
    return marks.note(chart.chance, style.QUIET[theme]) | {
        "x": float(np.log10(chart.bandwidths[k])), "xref": "x", "xanchor": "right",
        "y": low if below else high, "yref": "y", "yanchor": "top" if below else "bottom",
    }  # fmt: skip


def _dots(chart: BandwidthChart, strong: bool) -> go.Scatter:
    chosen = np.flatnonzero(chart.strong == strong)
    return go.Scatter(
        x=chart.bandwidths[chosen],
        y=chart.pvalue[chosen],
        yaxis="y2",
        mode="markers",
        opacity=1 if strong else style.PALE_DOT,
        marker={"color": style.OBSERVED, "size": 9},
        name=strong_name(strong),
        customdata=[[canvas.hover([chart.hovers[k]])] for k in chosen.tolist()],
        hovertemplate="bandwidth %{x:.3~g}<br>%{customdata[0]}<extra></extra>",
    )


def _upright(x: float, used: bool) -> dict[str, Any]:
    return {
        "type": "line", "x0": x, "x1": x, "y0": 0, "y1": UPPER[1], "yref": "paper", "layer": "below",
        "line": {"color": style.CHANCE, "width": 2 if used else 1, "dash": "solid" if used else "dot"},
    }  # fmt: skip


def _rules(chart: BandwidthChart, theme: str) -> list[dict[str, Any]]:
    """The rules' names beside the tops of their lines."""
    return [
        marks.note(f"<b>{rule.name}</b>" if rule.used else rule.name, style.QUIET[theme])
        | {
            "x": float(np.log10(rule.value)), "xref": "x", "xanchor": rule.side, "y": UPPER[1],
            "yref": "paper", "yanchor": "bottom", "yshift": 14 if rule.side == "center" else 0,
        }
        for rule in chart.rising
    ]  # fmt: skip
