"""How far the kernel test depends on its bandwidth: statistic above chance, and p, over one axis."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.log_axis import log_axis
from calibcore.numerics.types import Int
from calibcore.sensitivity.bandwidths import BandwidthSensitivity
from calibcore.words.sensitivity import bandwidth_p, chance_of, rule_words

HEIGHT = 520
UPPER, LOWER = (0.55, 0.93), (0.0, 0.38)
"""What the two panels take of the height."""
AXIS_TITLE = "Bandwidth: how far apart still counts as alike"
ABOVE = "How far above chance, in its standard deviations"


def bandwidth_figure(sensitivity: BandwidthSensitivity, theme: str = "light") -> go.Figure:
    """Above: the statistic among its redraws, the grey band; below: the exact p beside the level.

    Both over the bandwidth; the rules are upright lines, the one in use drawn through.
    """
    v, alpha = sensitivity.bandwidths, sensitivity.spec.alpha
    low, high = sensitivity.range
    some = ~np.isnan(low)
    floor = 1 / (sensitivity.n_resamples + 1)
    ends = float(v[0]) / 1.06, float(v[-1]) * 1.06
    traces = [
        marks.band(v[some], low[some], high[some], chance_of(sensitivity)),
        go.Scatter(
            x=v, y=sensitivity.above, mode="lines+markers", name="observed",
            line={"color": style.OBSERVED, "width": 2}, marker={"size": 6},
            hovertemplate="bandwidth %{x:.3~g}<br>%{y:.1f} deviations above chance<extra></extra>",
        ),
        marks.stroke(v, sensitivity.pvalue, style.CHANCE, 1, yaxis="y2", name="p"),
    ]  # fmt: skip
    for strong in (True, False):
        chosen = (sensitivity.pvalue <= alpha) == strong
        if chosen.any():
            traces.append(_dots(sensitivity, np.flatnonzero(chosen), strong))
    over_v = {"title": {"text": AXIS_TITLE}, "showgrid": False, "anchor": "y2"}
    layout = style.layout(HEIGHT) | {
        "showlegend": False,
        "shapes": [
            *(_upright(value, rule == sensitivity.in_use) for rule, value in sensitivity.rules.items()),
            marks.level(alpha, "2", dash="dash") | {"xref": "paper", "layer": "below"},
        ],
        "annotations": [
            style.axis_label(ABOVE, UPPER[1] + 0.045),
            style.axis_label("Exact p", LOWER[1] + 0.01),
            _beside_band(sensitivity, theme),
            *_rules(sensitivity, theme),
            marks.level_name(f"level {alpha:g}", float(np.log10(alpha)), theme, "2", size=None)
            | {"xref": "paper"},
        ],
        "xaxis": style.AXIS | log_axis(*ends) | over_v,
        "yaxis": style.AXIS | {"domain": UPPER, "zeroline": True, "zerolinecolor": style.CHANCE, "nticks": 6},
        "yaxis2": style.AXIS | log_axis(min(floor, 0.5 * alpha) * 0.7, 1.3) | {"domain": LOWER},
    }
    return go.Figure(traces, layout)


def _beside_band(sensitivity: BandwidthSensitivity, theme: str) -> dict[str, Any]:
    """What the band is, at its right end and on the side where the curve is not."""
    k = int(np.flatnonzero(~np.isnan(sensitivity.above))[-1])
    low, high = (float(end[k]) for end in sensitivity.range)
    below = sensitivity.above[k] > (low + high) / 2
    return marks.note(chance_of(sensitivity), style.QUIET[theme]) | {
        "x": float(np.log10(sensitivity.bandwidths[k])), "xref": "x", "xanchor": "right",
        "y": low if below else high, "yref": "y", "yanchor": "top" if below else "bottom",
    }  # fmt: skip


def _dots(sensitivity: BandwidthSensitivity, chosen: Int, strong: bool) -> go.Scatter:
    return go.Scatter(
        x=sensitivity.bandwidths[chosen],
        y=sensitivity.pvalue[chosen],
        yaxis="y2",
        mode="markers",
        opacity=1 if strong else style.PALE_DOT,
        marker={"color": style.OBSERVED, "size": 9},
        name="p at most the level" if strong else "p above the level",
        customdata=[[bandwidth_p(sensitivity, k)] for k in chosen.tolist()],
        hovertemplate="bandwidth %{x:.3~g}<br>%{customdata[0]}<extra></extra>",
    )


def _upright(x: float, used: bool) -> dict[str, Any]:
    return {
        "type": "line", "x0": x, "x1": x, "y0": 0, "y1": UPPER[1], "yref": "paper", "layer": "below",
        "line": {"color": style.CHANCE, "width": 2 if used else 1, "dash": "solid" if used else "dot"},
    }  # fmt: skip


def rules_of(sensitivity: BandwidthSensitivity) -> list[tuple[str, float, str, bool]]:
    """Each rule's name and bandwidth, on which side of that the name ends, and whether it is in use: names
    stand away from each other."""
    order = sorted(sensitivity.rules.items(), key=lambda rule: rule[1])
    sides = ["right", *["center"] * (len(order) - 2), "left"]
    return [
        (rule_words(rule), value, side, rule == sensitivity.in_use)
        for (rule, value), side in zip(order, sides, strict=True)
    ]


def _rules(sensitivity: BandwidthSensitivity, theme: str) -> list[dict[str, Any]]:
    """The rules' names beside the tops of their lines."""
    return [
        marks.note(f"<b>{words}</b>" if used else words, style.QUIET[theme])
        | {
            "x": float(np.log10(value)), "xref": "x", "xanchor": side, "y": UPPER[1], "yref": "paper",
            "yanchor": "bottom", "yshift": 14 if side == "center" else 0,
        }
        for words, value, side, used in rules_of(sensitivity)
    ]  # fmt: skip
