"""The triangle of three classes: an arrow a bin, from what was predicted to what happened (V19 Fig. 1)."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.binning import Binning, SimplexBinning, UniformBinning
from calibcore.figures import style
from calibcore.figures.arrows import color_axis, hovers, scale, solid
from calibcore.predictions import Float, InputError
from calibcore.reliability import Reliability
from calibcore.words import percent

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Of the first, second and third class: left, right, top."""
MOST_ARROWS = 2_000
"""Arrows drawn at most, those of the fullest bins: so many redraw in a tenth of a second."""
MOST_LINES = 20
"""Finer bins are not outlined: their lines would be a grey area."""


def projected(probs: Float) -> Float:
    """(…, 3) probabilities -> (…, 2) points of the triangle of side 1."""
    return np.asarray(probs @ CORNERS)


def simplex_figure(
    found: Reliability,
    noun: str = "case",
    theme: str = "light",
    binning: Binning | None = None,
    least: int = 1,
) -> go.Figure:
    """Arrows of true length; solid where longer than chance allows, the others pale.

    binning : equally wide bins are outlined; for others the lines are 20 points apart
    least : only arrows of bins with so many cases; their colours are shares of all cases

    Every arrow's ``customdata`` is its hover and the number of its bin in ``found``.

    Raises
    ------
    InputError : another number of classes than three.
    """
    if len(found.class_names) != 3:
        raise InputError(f"There are {len(found.class_names)} classes; a triangle shows 3.")
    tail = projected(found.mean_prediction)
    step = projected(found.observed) - tail
    share = found.counts / found.n_cases
    drawn, strong = found.fullest(least, MOST_ARROWS), solid(found)
    cuts = cuts_of(binning)
    figure = go.Figure([*_triangle(cuts), _ticks(cuts, theme)])
    for outside, name in ((False, "within what chance allows"), (True, "longer than chance allows")):
        chosen = drawn[strong[drawn] == outside]
        said = hovers(found, chosen, noun)
        figure.add_traces(_arrows(tail[chosen], step[chosen], share[chosen], said, outside, name))
    style.laid_out(figure, 560)
    figure.update_layout(
        coloraxis=color_axis(noun, float(share.max()), theme),
        coloraxis2={
            "colorscale": scale(theme, pale=True),
            "cmin": 0,
            "cmax": float(share.max()),
            "showscale": False,
        },
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 20, "b": 64},
        dragmode=False,
    )
    names = style.corner_names(found.class_names)
    for (x, y), name, side in zip(CORNERS, names, ("left", "right", "center"), strict=True):
        top = side == "center"
        figure.add_annotation(
            x=x,
            y=y,
            text=f"<b>{name}</b>",
            font={"color": style.TEXT[theme], "size": 13},
            align=side,
            showarrow=False,
            xanchor=side,
            yanchor="bottom" if top else "top",
            yshift=4 if top else -20,
        )
    figure.update_xaxes(visible=False, range=[-0.06, 1.06], constrain="domain")
    figure.update_yaxes(visible=False, range=[-0.12, 0.94], scaleanchor="x", constrain="domain")
    return figure


def cuts_of(binning: Binning | None) -> int:
    """Into how many parts the lines cut a side: where equally wide bins end, else into five."""
    match binning:
        case SimplexBinning(k=k) | UniformBinning(n_bins=k) if 2 <= k <= MOST_LINES:
            return k
    return 5


def _triangle(cuts: int) -> list[go.Scatter]:
    """The sides, and hairlines where one class has 1/cuts, 2/cuts, …"""
    sides = CORNERS[[0, 1, 2, 0]]
    inner = []
    for level in np.arange(1, cuts) / cuts:
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


def _ticks(cuts: int, theme: str) -> go.Scatter:
    """Along each side the probability of the corner that the numbers rise towards, five at most."""
    every = -(-cuts // 5)
    levels = np.arange(every, cuts, every) / cuts
    at, texts = [], []
    for k in range(3):
        place = np.zeros((len(levels), 3))
        place[:, k], place[:, (k + 1) % 3] = levels, 1 - levels
        outward = CORNERS.mean(axis=0) - CORNERS[(k + 2) % 3]
        at.append(projected(place) + 0.045 * outward / np.linalg.norm(outward))
        texts += [percent(float(level), 0) for level in levels]
    places = np.concatenate(at)
    return go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        text=texts,
        mode="text",
        textfont={"size": 10, "color": style.QUIET[theme]},
        unselected={"textfont": {"color": style.QUIET[theme]}},
        hoverinfo="skip",
        showlegend=False,
    )


def _arrows(tail: Float, step: Float, share: Float, said: Any, outside: bool, name: str) -> list[Any]:
    """The arrows and, at their tails, dots: so that an arrow of no length is seen."""
    axis = "coloraxis" if outside else "coloraxis2"
    common = {"x": tail[:, 0], "y": tail[:, 1], "name": name, "showlegend": False}
    return [
        go.Quiver(
            **common,
            customdata=said,
            hovertemplate="%{customdata[0]}<extra></extra>",
            u=step[:, 0],
            v=step[:, 1],
            lengthmode="raw",
            anchor="tail",
            marker={"color": share, "coloraxis": axis, "arrowsize": 1.2, "line": {"width": 2.5}},
        ),
        go.Scatter(
            **common,
            mode="markers",
            marker={"color": share, "coloraxis": axis, "size": 6},
            hoverinfo="skip",  # or a click would choose the dot and not its arrow
        ),
    ]
