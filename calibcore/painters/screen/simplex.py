"""The triangle of three classes: an arrow a bin, from what was predicted to what happened (V19 Fig. 1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.arrows import Arrows, arrows_of, smooth_arrows_of
from calibcore.charts.triangle import (
    CORNERS,
    WHOLE,
    cloud_of,
    cuts_of,
    edges_of,
    ground_within,
    inset,
    numbers_of,
    projected,
    stubs,
)
from calibcore.diagram.binning import Binning
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.painters.screen import canvas, marks
from calibcore.painters.screen.arrows import bold_names, color_of, grows, hovers, key_traces

HEIGHT = 790
"""Pixels, of which the margins leave a triangle with sides of 675 where there is room beside it."""
MARGINS = {"l": 6, "r": 6, "t": 42, "b": 102}
"""Above the name of a corner; below numbers, two names and the key, in three lines on a phone."""
SIDE = 675.0
"""Pixels of a side where there is room; half of it on a phone, where heads stay as large."""
HEAD, HEAD_OF_WIDTH = 9.0, 1.3
"""Pixels across an arrow's head: so many, and so many times the width of its line."""
LENGTH = 0.75
"""How long a head is: plotly's triangle of a size, by that size."""
MOST_OF_ARROW, INSIDE = 0.7, 0.75
"""No head is longer than this share of its arrow. The line ends within the head, this share of it from the
tip: also at half the size the head is wider there than the line."""


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
    zoom: Zoom = WHOLE,
) -> go.Figure:
    """Arrows of true length, as wide as their bins are full; solid where they stand out, the others pale.

    binning : equally wide bins are outlined; for others the lines are 20 points apart, without ``cells``
    least : only arrows of bins with so many cases; their widths are shares of all cases
    tests, alpha : an arrow stands out with an adjusted p up to ``alpha``; without them if outside its bar
    cells : outlines of the bins
    lines : around the densest predictions, the innermost first; what they enclose is a faint blue
    chosen : the consistency region of one bin
    zoom : the part that is drawn, with the arrows that begin in it

    Every arrow's ``customdata`` is its hover and the number of its bin in ``diagram``.

    Raises
    ------
    InputError : another number of classes than three.
    """
    arrows = arrows_of(diagram, CORNERS, style.short(noun), least, tests, alpha, zoom)
    cuts = cuts_of(binning)
    shades = list(zip(cloud_of(lines, zoom), style.CLOUD, strict=False))
    beneath = [_cloud(walks, theme, opacity) for walks, opacity in reversed(shades) if walks]
    if chosen is not None:  # what chance allows it
        ground = projected(ground_within(chosen.vertices, zoom), zoom)
        if len(ground):
            beneath.append(_filled(np.concatenate([ground, ground[:1]]), style.CHANCE, 1.5))
    return _figure(arrows, edges_of(cells, cuts, zoom), cuts, beneath, zoom, theme)


def smooth_figure(
    smooth: SmoothArrows, noun: str = "case", theme: str = "light", zoom: Zoom = WHOLE
) -> go.Figure:
    """As :func:`simplex_figure`, of arrows without bins: solid where longer than chance allows anywhere.

    Raises
    ------
    InputError : another number of classes than three.
    """
    arrows, cuts = smooth_arrows_of(smooth, CORNERS, style.short(noun), zoom), cuts_of(None)
    return _figure(arrows, edges_of((), cuts, zoom), cuts, [], zoom, theme)


def _figure(
    arrows: Arrows, edges: Sequence[Float], cuts: int, beneath: list[go.Scatter], zoom: Zoom, theme: str
) -> go.Figure:
    """Hairlines, the sides and the numbers along them, what lies ``beneath`` the arrows, the arrows."""
    traces = [
        _hairs(edges, zoom, style.GRID, 1),
        _walked([CORNERS[[0, 1, 2, 0]]], style.CHANCE, 1),
        _walked(stubs(cuts, zoom), style.CHANCE, 1),
        _ticks(cuts, zoom, theme),
        *beneath,
        *(_inset(zoom, theme) if zoom != WHOLE else ()),
        *(trace for part in arrows.alike() for trace in _arrows(part, theme)),
        *key_traces("xy", arrows, theme),
    ]
    axis = canvas.AXIS | {"visible": False, "constrain": "domain"}
    layout = canvas.layout(HEIGHT, **MARGINS) | {
        "legend": canvas.KEY_BELOW,
        "dragmode": False,
        "annotations": _names(arrows.names, zoom, theme),
        "xaxis": axis | {"range": [-0.01, 1.01]},
        "yaxis": axis | {"range": [-0.055, 0.876], "scaleanchor": "x"},
    }
    return go.Figure(traces, layout)


def _names(classes: tuple[str, ...], zoom: Zoom, theme: str) -> list[dict[str, Any]]:
    """The classes at their corners, at those of a part with their probability there."""
    sides = ("left", "right", "center")
    named = zip(CORNERS.tolist(), bold_names(classes, zoom, (18, 18, 18)), sides, strict=True)
    return [
        marks.note(name, style.TEXT[theme], 14)
        | {
            "x": x, "y": y, "align": side, "xanchor": side,
            "yanchor": "bottom" if side == "center" else "top", "yshift": 4 if side == "center" else -18,
        }
        for (x, y), name, side in named
    ]  # fmt: skip


def _hairs(walks: Sequence[Float], zoom: Zoom, color: str, width: float) -> go.Scatter:
    """One trace of many lines, each (points, 3) probabilities."""
    return _walked([projected(walk, zoom) for walk in walks], color, width)


def _walked(walks: Sequence[Float], color: str, width: float) -> go.Scatter:
    """One trace of many lines, each (points, 2) points of the drawing."""
    flat = [place for walk in walks for place in [*walk.tolist(), [None, None]]]
    return marks.stroke([x for x, _ in flat], [y for _, y in flat], color, width, showlegend=False)


def _cloud(walks: Sequence[Float], theme: str, opacity: float) -> go.Scatter:
    """What lies within closed walks, each (points, 2) points of the drawing, in the blue of predictions."""
    red, green, blue = bytes.fromhex(style.PREDICTED[theme].removeprefix("#"))
    filled = _walked(walks, style.PREDICTED[theme], 0)
    return filled.update(fill="toself", fillcolor=f"rgba({red}, {green}, {blue}, {opacity:g})")


def _filled(walk: Float, color: str, width: float) -> go.Scatter:
    """What lies within a closed walk, (points, 2) points of the drawing."""
    x, y = walk.T.tolist()
    inside = {"fill": "toself", "fillcolor": style.CHANCE_FILL}
    return marks.stroke(x, y, color, width, showlegend=False, **inside)


def _inset(zoom: Zoom, theme: str) -> list[go.Scatter]:
    """Where the part lies in the whole; a dot in it, as it may be too small to be seen."""
    sides, part = inset(zoom)
    filled = _filled(part[[0, 1, 2, 0]], style.TEXT[theme], 1)
    (x, y) = part.mean(axis=0).tolist()
    dot = go.Scatter(
        x=[x], y=[y], mode="markers", marker={"size": 7, "color": style.TEXT[theme]},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    return [_walked([sides], style.CHANCE, 1), filled, dot]


def _ticks(cuts: int, zoom: Zoom, theme: str) -> go.Scatter:
    """Along each side the probability of the corner that they rise towards, at the ends of its lines."""
    places, texts, sides = [], [], []
    ends = iter(stubs(cuts, zoom))
    for k, side in enumerate(("bottom center", "middle right", "middle left")):
        for _, words in numbers_of(cuts, zoom, k):
            places.append(next(ends)[1])
            texts.append(words)
            sides.append(side)
    x, y = np.array(places).T
    return go.Scatter(
        x=x,
        y=y,
        text=texts,
        mode="text",
        textposition=sides,
        textfont={"size": 12, "color": style.QUIET[theme]},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )


def _arrows(arrows: Arrows, theme: str) -> list[go.Quiver | go.Scatter]:
    """Arrows that are alike: their lines, their heads and, at their tails, dots, so that an arrow of no
    length is seen. What a pointer finds are plotly's own arrows, not seen, as their heads are two strokes.
    """
    x, y = arrows.tail.T
    strong, width = bool(arrows.strong[0]), float(arrows.widths[0])
    color = color_of(strong, theme)
    common = {"name": arrows.keys[0 if strong else -1], "showlegend": False}
    sizes, line_ends = heads(arrows)
    walks = [np.stack(pair) for pair in zip(arrows.tail, line_ends, strict=True)]
    drawn = line_ends - arrows.tail
    still = np.zeros_like(drawn)
    line_grows = np.stack([still, drawn, still], axis=1).reshape(-1, 2)
    seen = {"mode": "markers", "hoverinfo": "skip"}  # or a click would choose them and not their arrow
    return [
        _walked(walks, color, width).update(meta=grows(line_grows)),
        go.Scatter(
            **common,
            meta=grows(arrows.step),
            **seen,
            x=arrows.tip[:, 0],
            y=arrows.tip[:, 1],
            marker={
                "symbol": "triangle-up",
                "color": color,
                "size": sizes,
                "angle": np.degrees(np.arctan2(arrows.step[:, 0], arrows.step[:, 1])),
                "standoff": sizes / 2,  # the tip at its place, not the middle
                "opacity": 1.0,
                "line": {"color": style.BACKGROUND[theme], "width": 0.75},  # two that meet are told apart
            },
            cliponaxis=False,
        ),
        go.Quiver(
            **common,
            x=x,
            y=y,
            customdata=hovers(arrows),
            hovertemplate="%{customdata[0]}<extra></extra>",
            u=arrows.step[:, 0],
            v=arrows.step[:, 1],
            lengthmode="raw",
            anchor="tail",
            marker={"color": color, "arrowsize": 1, "line": {"width": 0}},
        ),
        go.Scatter(
            **common,
            **seen,
            x=x,
            y=y,
            marker={
                "color": style.PREDICTED[theme],
                "opacity": 1.0 if strong else style.PALE_DOT,
                "size": max(5.0, width + 1),
            },
        ),
    ]


def heads(arrows: Arrows) -> tuple[Float, Float]:
    """(K,) pixels across the heads, less where the arrow is short, and (K, 2) where their lines end."""
    length = np.linalg.norm(arrows.step, axis=1)
    usual = HEAD + HEAD_OF_WIDTH * arrows.widths
    sizes = np.minimum(usual, MOST_OF_ARROW * SIDE * length / LENGTH)
    back = INSIDE * LENGTH * sizes / SIDE / np.where(length > 0, length, 1.0)
    return sizes, arrows.tip - back[:, None] * arrows.step
