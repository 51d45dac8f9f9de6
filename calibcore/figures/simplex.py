"""The triangle of three classes: an arrow a bin, from what was predicted to what happened (V19 Fig. 1)."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from calibcore.figures import style
from calibcore.predictions import Float, InputError
from calibcore.reliability import Reliability
from calibcore.words import arrow_words, count, percent, plural, points

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Of the first, second and third class: left, right, top."""
LINES = (0.2, 0.4, 0.6, 0.8)
_STOPS = np.linspace(0.12, 1.0, 12)
SHARES = [
    [float(at), color]
    for at, color in zip(
        np.linspace(0, 1, len(_STOPS)), sample_colorscale("cividis_r", _STOPS.tolist()), strict=True
    )
]
"""Cividis reversed, cut to 0.12–1: pale for few cases, dark for many, always visible on white."""
SHARES_DARK = [[at, color] for at, (_, color) in zip((s[0] for s in SHARES), SHARES[::-1], strict=True)]
"""On the dark theme the other way round: bright for many cases."""


def projected(probs: Float) -> Float:
    """(…, 3) probabilities -> (…, 2) points of the triangle of side 1."""
    return np.asarray(probs @ CORNERS)


def simplex_figure(found: Reliability, noun: str = "case", theme: str = "light") -> go.Figure:
    """Arrows of true length; solid where longer than chance allows, the others pale.

    Raises
    ------
    InputError : another number of classes than three.
    """
    if len(found.class_names) != 3:
        raise InputError(f"There are {len(found.class_names)} classes; a triangle shows 3.")
    tail = projected(found.mean_prediction)
    step = projected(found.observed) - tail
    share = found.counts / found.counts.sum()
    names = style.escaped(found.class_names)
    hovers = np.array([_hover(found, b, names, noun) for b in range(found.n_bins)])
    figure = go.Figure(_triangle())
    for outside, name in ((False, "within what chance allows"), (True, "longer than chance allows")):
        chosen = np.flatnonzero(found.outside == outside)
        figure.add_traces(_arrows(tail[chosen], step[chosen], share[chosen], hovers[chosen], outside, name))
    style.laid_out(figure, 560)
    figure.update_layout(
        coloraxis={
            "colorscale": SHARES if theme == "light" else SHARES_DARK,
            "cmin": 0,
            "cmax": float(share.max()),
            "colorbar": {
                "title": {"text": f"Share of {plural(noun)}", "side": "top"},
                "orientation": "h",
                "thickness": 10,
                "len": 0.5,
                "x": 0.5,
                "y": -0.02,
                "yanchor": "top",
                "tickformat": ".0%",
                "nticks": 4,
                "outlinewidth": 0,
            },
        },
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 28, "b": 70},
    )
    for (x, y), name, side in zip(CORNERS, names, ("left", "right", "center"), strict=True):
        figure.add_annotation(
            x=x,
            y=y,
            text=f"<b>{name}</b>",
            showarrow=False,
            xanchor=side,
            yanchor="bottom" if side == "center" else "top",
            yshift=6 if side == "center" else -6,
        )
    figure.update_xaxes(visible=False, range=[-0.04, 1.04], constrain="domain")
    figure.update_yaxes(visible=False, range=[-0.07, 0.94], scaleanchor="x", constrain="domain")
    return figure


def _triangle() -> list[go.Scatter]:
    """The sides, and hairlines where one class has 20, 40, 60 and 80 %."""
    sides = CORNERS[[0, 1, 2, 0]]
    inner = []
    for level in LINES:
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            ends = np.zeros((2, 3))
            ends[:, k] = level
            ends[0, i] = ends[1, j] = 1 - level
            inner += [*projected(ends).tolist(), [None, None]]
    return [
        go.Scatter(
            x=[p[0] for p in points_],
            y=[p[1] for p in points_],
            mode="lines",
            line={"color": color, "width": 1},
            hoverinfo="skip",
            showlegend=False,
        )
        for points_, color in ((inner, style.GRID), (sides.tolist(), style.CHANCE))
    ]


def _arrows(tail: Float, step: Float, share: Float, hovers: Any, outside: bool, name: str) -> list[Any]:
    """The arrows and, at their tails, dots: so that an arrow of no length is seen."""
    common = {
        "x": tail[:, 0],
        "y": tail[:, 1],
        "customdata": hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "opacity": 1.0 if outside else style.PALE,
        "name": name,
        "showlegend": False,
    }
    return [
        go.Quiver(
            **common,
            u=step[:, 0],
            v=step[:, 1],
            lengthmode="raw",
            anchor="tail",
            marker={"color": share, "coloraxis": "coloraxis", "arrowsize": 1.2, "line": {"width": 2.5}},
        ),
        go.Scatter(**common, mode="markers", marker={"color": share, "coloraxis": "coloraxis", "size": 6}),
    ]


def _hover(found: Reliability, b: int, names: tuple[str, ...], noun: str) -> str:
    said, seen = arrow_words(found, b, names)
    share = percent(float(found.counts[b] / found.counts.sum()))
    return (
        f"Predicted: {said}<br>Happened: {seen}<br>"
        f"{count(int(found.counts[b]), noun)} ({share}), {points(found.deviation[b])} apart<br>"
        f"If calibrated: {100 * found.low[b]:.1f} to {points(found.high[b])}"
    )
