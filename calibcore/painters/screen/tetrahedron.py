"""The tetrahedron of four classes: an arrow a bin, from what was predicted to what happened.

Lines and one mesh of all heads: a frame takes as long for one arrow as for 500.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.arrows import Arrows, arrows_of
from calibcore.charts.tetrahedron import CORNERS, NARROW, RANGE, SCALE, WHOLE, WIDE, view, wires
from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float
from calibcore.painters.screen import canvas
from calibcore.painters.screen.arrows import bold_names, color_of, grows, hovers, key_traces

HEIGHT = 830
"""Pixels, for sides as long as those of the triangle; the height of the drawing sets its scale."""
MARGINS = {"l": 0, "r": 0, "t": 8, "b": 60}
SIDES = 5
"""Of a head, which has no base: faces are what takes time."""
HEAD = 0.02
"""Length of a head, and more for a wide arrow; of a short arrow it is at most 60 %."""
WIDER = 0.002
"""Length that a pixel of an arrow's width adds to its head."""


def tetrahedron_figure(
    diagram: Reliability,
    noun: str = "case",
    theme: str = "light",
    least: int = 1,
    without: int | None = None,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    chosen: Outline | None = None,
    zoom: Zoom = WHOLE,
) -> go.Figure:
    """Arrows of true length, as wide as their bins are full; solid where they stand out, the others pale.

    least, tests, alpha, chosen, zoom : as in :func:`~calibcore.painters.screen.simplex.simplex_figure`
    without : the class whose corner is farthest away: one looks straight at the face of the other three.
        Without it the figure asks to be turned: a page may turn it until it is touched

    Raises
    ------
    InputError : another number of classes than four.
    """
    arrows = arrows_of(diagram, CORNERS, style.short(noun), least, tests, alpha, zoom)
    colors = [color_of(strong, theme) for strong in arrows.strong.tolist()]
    axis = {"visible": False, "range": list(RANGE)}
    layout = canvas.layout(HEIGHT, **MARGINS) | {
        "legend": canvas.KEY_BELOW,
        "meta": {"turns": without is None},
        "scene": {
            "xaxis": axis,
            "yaxis": axis,
            "zaxis": axis,
            "aspectmode": "manual",
            "aspectratio": dict.fromkeys("xyz", SCALE),
            "dragmode": "orbit",
            "bgcolor": "rgba(0,0,0,0)",
            "camera": camera(without),
            "uirevision": str(without),  # how the figure was turned stays until another side is asked for
        },
    }
    return go.Figure(
        [
            *_edges(diagram.class_names, zoom, theme),
            *(_lines(part, theme) for part in arrows.alike()),
            go.Scatter3d(
                **_xyz(arrows.tail), mode="markers", customdata=hovers(arrows),
                marker={"color": style.PREDICTED[theme], "size": 4}, **_HOVER,
            ),
            heads(arrows.tail, arrows.tip, colors, HEAD + WIDER * arrows.widths),
            *key_traces("xyz", arrows, theme),
            *([] if chosen is None else [_frame(chosen, zoom)]),
        ],
        layout,
    )  # fmt: skip


_HOVER: dict[str, Any] = {"hovertemplate": "%{customdata[0]}<extra></extra>", "showlegend": False}


def _lines(arrows: Arrows, theme: str) -> go.Scatter3d:
    """Arrows that are alike, without their heads."""
    ends = np.stack([arrows.tail, arrows.tip, np.full_like(arrows.tail, np.nan)], axis=1)
    still = np.zeros_like(arrows.step)
    return go.Scatter3d(
        meta=grows(np.stack([still, arrows.step, still], axis=1).reshape(-1, 3)),
        **_xyz(ends.reshape(-1, 3)),
        mode="lines",
        line={"color": color_of(bool(arrows.strong[0]), theme), "width": 2 + float(arrows.widths[0])},
        customdata=[row for row in hovers(arrows) for _ in range(3)],
        connectgaps=False,
        **_HOVER,
    )


def camera(without: int | None) -> dict[str, Any]:
    """Where the eye is, in parallel projection: the size of the scene is in :data:`SCALE`."""
    points = {name: position.tolist() for name, position in view(without).items()}
    return {
        **{name: dict(zip("xyz", position, strict=True)) for name, position in points.items()},
        "projection": {"type": "orthographic"},
    }


def _xyz(places: Float) -> dict[str, Float]:
    return dict(zip("xyz", places.T, strict=True))


def _edges(names: tuple[str, ...], zoom: Zoom, theme: str) -> list[go.Scatter3d]:
    """The six edges, and the names beyond the corners."""
    walk = CORNERS[[0, 1, 2, 0, 3, 1, 2, 3]]
    return [
        go.Scatter3d(
            **_xyz(walk), mode="lines", line={"color": style.CHANCE, "width": 2},
            hoverinfo="skip", showlegend=False,
        ),
        go.Scatter3d(
            **_xyz(1.07 * CORNERS), mode="text",
            text=bold_names(names, zoom, (NARROW, NARROW, NARROW, WIDE)),
            textfont={"color": style.TEXT[theme], "size": 14}, hoverinfo="skip", showlegend=False,
        ),
    ]  # fmt: skip


def _frame(outline: Outline, zoom: Zoom) -> go.Scatter3d:
    """What chance allows the chosen arrow, as a frame of wires; no further than the part."""
    ends = wires(outline, zoom)
    return go.Scatter3d(
        **_xyz(np.concatenate([ends, np.full_like(ends[:, :1], np.nan)], axis=1).reshape(-1, 3)),
        mode="lines", line={"color": style.CHANCE, "width": 3}, connectgaps=False,
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def heads(tail: Float, tip: Float, colors: list[str], long: Float) -> go.Mesh3d:
    """One mesh of all heads, so ``long (K,)`` where arrows are: cones with their points at ``tip``.

    Arrows of no length have none.
    """
    step = tip - tail
    length = np.linalg.norm(step, axis=1)
    long_enough = np.flatnonzero(length > 1e-9)
    ahead = step[long_enough] / length[long_enough, None]
    across = np.cross(ahead, np.eye(3)[np.abs(ahead).argmin(axis=1)])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    height = np.minimum(long, 0.6 * length)[long_enough, None]
    base = tip[long_enough] - height * ahead
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = np.cos(turn)[:, None] * across[:, None] + np.sin(turn)[:, None] * np.cross(ahead, across)[:, None]
    corners = np.concatenate(
        [tip[long_enough][:, None], base[:, None] + 0.4 * height[:, None] * ring], axis=1
    )
    here = np.arange(SIDES)
    mantle = np.stack([np.zeros(SIDES, int), 1 + here, 1 + (here + 1) % SIDES])  # (3, SIDES)
    faces = mantle[:, None] + (1 + SIDES) * np.arange(len(long_enough))[:, None]
    return go.Mesh3d(
        meta=grows(np.repeat(step[long_enough], 1 + SIDES, axis=0)),
        **_xyz(corners.reshape(-1, 3)),
        **dict(zip("ijk", faces.reshape(3, -1), strict=True)),
        vertexcolor=[colors[b] for b in long_enough for _ in range(1 + SIDES)],
        flatshading=True,
        lighting={"ambient": 0.85, "diffuse": 0.3, "specular": 0.0},
        hoverinfo="skip",
        showlegend=False,
    )
