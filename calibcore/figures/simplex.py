"""The triangle of three classes: an arrow a bin, from what was predicted to what happened (V19 Fig. 1)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.binning import Binning, SimplexBinning, UniformBinning
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.figures import style
from calibcore.figures.arrows import (
    Arrows,
    arrows_of,
    color_axis,
    hovers,
    scale,
    smooth_arrows_of,
    smooth_hovers,
)
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.wording import percent

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Of the first, second and third class: left, right, top."""
MOST_LINES = 20
"""Finer bins are not outlined: their lines would be a grey area."""
HEIGHT = 560


def projected(probs: Float) -> Float:
    """(…, 3) probabilities -> (…, 2) points of the triangle of side 1."""
    return np.asarray(probs @ CORNERS)


def simplex_figure(
    diagram: Reliability,
    noun: str = "case",
    theme: str = "light",
    binning: Binning | None = None,
    least: int = 1,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    cells: Sequence[Outline] = (),
    lines: Sequence[Isoline] = (),
    chosen: Outline | None = None,
    most: float | None = None,
) -> go.Figure:
    """Arrows of true length; solid where they stand out, the others pale.

    binning : equally wide bins are outlined; for others the lines are 20 points apart, without ``cells``
    least : only arrows of bins with so many cases; their colours are shares of all cases
    tests, alpha : an arrow stands out with an adjusted p up to ``alpha``; without them if outside its bar
    cells : outlines of the bins
    lines : around the densest predictions, the innermost first
    chosen : the consistency region of one bin
    most : the share of cases at the end of the scale of colours; the largest share if left out

    Every arrow's ``customdata`` is its hover and the number of its bin in ``found``.

    Raises
    ------
    InputError : another number of classes than three.
    """
    (noun,) = style.escaped((noun,))
    arrows = arrows_of(diagram, CORNERS, least, tests, alpha, most)
    cuts = cuts_of(binning)
    edges = _around(cells) if cells else _grid(cuts)
    traces: list[Any] = [*_triangle(edges), _ticks(cuts, theme)]
    for line, width in zip(lines, (2.5, 1.2), strict=False):
        traces.append(_hairs(list(line.segments), style.PREDICTED[theme], width))
    if chosen is not None:
        traces.append(_region(chosen))
    return _figure(
        traces, arrows, lambda some: hovers(diagram, some.bins, noun, tests), diagram.class_names, noun, theme
    )


def smooth_figure(
    found: SmoothArrows, noun: str = "case", theme: str = "light", most: float | None = None
) -> go.Figure:
    """As :func:`simplex_figure`, of arrows without bins: solid where longer than chance allows anywhere.

    Raises
    ------
    InputError : another number of classes than three.
    """
    (noun,) = style.escaped((noun,))
    arrows, cuts = smooth_arrows_of(found, CORNERS, most), cuts_of(None)
    traces: list[Any] = [*_triangle(_grid(cuts)), _ticks(cuts, theme)]
    return _figure(
        traces, arrows, lambda some: smooth_hovers(found, some.bins), found.class_names, noun, theme
    )


def _figure(
    traces: list[Any],
    arrows: Arrows,
    hovers_of: Callable[[Arrows], Any],
    class_names: tuple[str, ...],
    noun: str,
    theme: str,
) -> go.Figure:
    for outside, name in ((False, "within what chance allows"), (True, "longer than chance allows")):
        some = arrows.only(arrows.strong == outside)
        traces += _arrows(some, hovers_of(some), outside, name)
    layout = style.layout(HEIGHT) | {
        "coloraxis": color_axis(noun, arrows.most, theme),
        "coloraxis2": {
            "colorscale": scale(theme, pale=True),
            "cmin": 0,
            "cmax": arrows.most,
            "showscale": False,
        },
        "showlegend": False,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 64},
        "dragmode": False,
        "annotations": _names(class_names, theme),
        "xaxis": style.AXIS | {"visible": False, "range": [-0.06, 1.06], "constrain": "domain"},
        "yaxis": style.AXIS
        | {"visible": False, "range": [-0.12, 0.94], "scaleanchor": "x", "constrain": "domain"},
    }
    return go.Figure([*traces, _scale_carrier()], layout)


def _names(classes: tuple[str, ...], theme: str) -> list[dict[str, Any]]:
    """The classes at their corners."""
    sides = ("left", "right", "center")
    return [
        {
            "x": x,
            "y": y,
            "text": f"<b>{name}</b>",
            "font": {"color": style.TEXT[theme], "size": 13},
            "align": side,
            "showarrow": False,
            "xanchor": side,
            "yanchor": "bottom" if side == "center" else "top",
            "yshift": 4 if side == "center" else -20,
        }
        for (x, y), name, side in zip(CORNERS, style.corner_names(classes), sides, strict=True)
    ]


def cuts_of(binning: Binning | None) -> int:
    """Into how many parts the lines cut a side: where equally wide bins end, else into five."""
    match binning:
        case SimplexBinning(k=k) | UniformBinning(n_bins=k) if 2 <= k <= MOST_LINES:
            return k
    return 5


def _grid(cuts: int) -> list[Float]:
    """Where one class has 1/cuts, 2/cuts, …"""
    ends = []
    for level in np.arange(1, cuts) / cuts:
        for k in range(3):
            pair = np.zeros((2, 3))
            pair[:, k] = level
            pair[0, (k + 1) % 3] = pair[1, (k + 2) % 3] = 1 - level
            ends.append(pair)
    return ends


def _around(outlines: Sequence[Outline]) -> list[Float]:
    walks = (outline.vertices for outline in outlines)
    return [walk[[*range(len(walk)), 0]] for walk in walks if len(walk)]


def _hairs(walks: Sequence[Float], color: str, width: float) -> go.Scatter:
    """One trace of many lines, each (points, 3) probabilities."""
    places = [[*projected(walk).tolist(), [None, None]] for walk in walks]
    flat = [place for walk in places for place in walk]
    return go.Scatter(
        x=[x for x, _ in flat],
        y=[y for _, y in flat],
        mode="lines",
        line={"color": color, "width": width},
        hoverinfo="skip",
        showlegend=False,
    )


def _triangle(edges: Sequence[Float]) -> list[go.Scatter]:
    """The edges of the bins as hairlines, and the sides."""
    return [_hairs(edges, style.GRID, 1), _hairs([np.eye(3)[[0, 1, 2, 0]]], style.CHANCE, 1)]


def _region(outline: Outline) -> go.Scatter:
    """What chance allows the chosen arrow: filled, under the arrows."""
    (walk,) = _around([outline])
    region = _hairs([walk], style.CHANCE, 1.5)
    region.x, region.y = region.x[:-1], region.y[:-1]
    region.fill, region.fillcolor = "toself", style.CHANCE_FILL
    return region


def _ticks(cuts: int, theme: str) -> go.Scatter:
    """Along each side the probability of the corner that the numbers rise towards, five at most."""
    every = -(-cuts // 5)
    levels = np.arange(every, cuts, every) / cuts
    ends, texts = [], []
    for k in range(3):
        place = np.zeros((len(levels), 3))
        place[:, k], place[:, (k + 1) % 3] = levels, 1 - levels
        outward = CORNERS.mean(axis=0) - CORNERS[(k + 2) % 3]
        ends.append(projected(place) + 0.045 * outward / np.linalg.norm(outward))
        texts += [percent(float(level), 0) for level in levels]
    places = np.concatenate(ends)
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


def _scale_carrier() -> go.Scatter:
    """Shows the scale of colours, also where no arrow is strong."""
    return go.Scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"color": [0], "coloraxis": "coloraxis"},
        hoverinfo="skip",
        showlegend=False,
    )


def _arrows(arrows: Arrows, hover_texts: Any, outside: bool, name: str) -> list[Any]:
    """The arrows and, at their tails, dots: so that an arrow of no length is seen."""
    axis = "coloraxis" if outside else "coloraxis2"
    x, y = arrows.tail.T
    common = {"x": x, "y": y, "name": name, "showlegend": False}
    marker = {"color": arrows.share, "coloraxis": axis}
    return [
        go.Quiver(
            **common,
            customdata=hover_texts,
            hovertemplate="%{customdata[0]}<extra></extra>",
            u=arrows.step[:, 0],
            v=arrows.step[:, 1],
            lengthmode="raw",
            anchor="tail",
            marker=marker | {"arrowsize": 1.2, "line": {"width": 2.5}},
        ),
        go.Scatter(
            **common,
            mode="markers",
            marker=marker | {"size": 6},
            hoverinfo="skip",  # or a click would choose the dot and not its arrow
        ),
    ]
