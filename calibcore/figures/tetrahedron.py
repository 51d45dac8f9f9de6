"""The tetrahedron of four classes: an arrow a bin, from what was predicted to what happened.

Lines and one mesh of all heads: a frame takes as long for one arrow as for 500.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.outlines import Outline
from calibcore.diagram.reliability import Reliability
from calibcore.figures import style
from calibcore.figures.arrows import arrows_of, color_axis, colors_of, hovers
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float

_BASE = np.array([[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(3) / 2, 0], [0.5, np.sqrt(3) / 6, np.sqrt(2 / 3)]])
CORNERS = _BASE - _BASE.mean(axis=0)
"""Of the four classes, in their order; the middle is the origin, the sides have length 1."""
NARROW = 14
"""Characters in a line of a corner's name: on a phone and in a column the sides are near."""
HEIGHT = 480
"""Pixels: a higher drawing would be cut off at the sides of a phone, as its height sets the scale."""
SIDES = 5
"""Of a head, which has no base: faces are what takes time."""
HEAD = 0.045
"""Length of a head; of a short arrow it is at most 60 %."""


def projected(probs: Float) -> Float:
    """(…, 4) probabilities -> (…, 3) points of the tetrahedron of side 1."""
    return np.asarray(probs @ CORNERS)


def tetrahedron_figure(
    diagram: Reliability,
    noun: str = "case",
    theme: str = "light",
    least: int = 1,
    without: int | None = None,
    tests: BinPvalues | None = None,
    alpha: float = 0.05,
    chosen: Outline | None = None,
    most: float | None = None,
) -> go.Figure:
    """Arrows of true length; solid where they stand out, the others pale.

    least, tests, alpha, chosen, most : as in :func:`~calibcore.figures.simplex.simplex_figure`
    without : the class whose corner is farthest away: one looks straight at the face of the other three

    Raises
    ------
    InputError : another number of classes than four.
    """
    (noun,) = style.escaped((noun,))
    arrows = arrows_of(diagram, CORNERS, least, tests, alpha, most)
    tail, tip, colors = arrows.tail, arrows.tip, colors_of(arrows, theme)
    hover_texts = hovers(diagram, arrows.bins, noun, tests)
    shared = {"hovertemplate": "%{customdata[0]}<extra></extra>", "showlegend": False}
    twice = [row for row in hover_texts for _ in range(3)]
    figure = go.Figure(
        [
            *_edges(style.corner_names(diagram.class_names, NARROW), theme),
            go.Scatter3d(
                **_xyz(np.stack([tail, tip, np.full_like(tail, np.nan)], axis=1).reshape(-1, 3)),
                mode="lines",
                line={"color": [c for c in colors for _ in range(3)], "width": 5},
                customdata=twice,
                connectgaps=False,
                **shared,
            ),
            go.Scatter3d(
                **_xyz(tail), mode="markers", marker={"color": colors, "size": 3.5}, customdata=hover_texts,
                **shared
            ),
            heads(tail, tip, colors),
            go.Scatter3d(  # carries the scale of colours
                x=[None], y=[None], z=[None], mode="markers", showlegend=False, hoverinfo="skip",
                marker={"color": [0], "coloraxis": "coloraxis"},
            ),
        ]
    )  # fmt: skip
    if chosen is not None:
        figure.add_trace(_frame(chosen))
    style.laid_out(figure, HEIGHT)
    axis = {"visible": False, "range": [-0.72, 0.72]}
    figure.update_layout(
        coloraxis=color_axis(noun, arrows.most, theme),
        margin={"l": 0, "r": 0, "t": 8, "b": 60},
        scene={
            "xaxis": axis,
            "yaxis": axis,
            "zaxis": axis,
            "aspectmode": "cube",
            "dragmode": "orbit",
            "bgcolor": "rgba(0,0,0,0)",
            "camera": camera(without),
            "uirevision": str(without),  # how the figure was turned stays until another side is asked for
        },
    )
    return figure


def camera(without: int | None) -> dict[str, Any]:
    """Where the eye is: a little above and to the side, or straight before a face, a corner of it on top."""
    if without is None:
        eye, up = np.array([0.33, -1.28, 0.39]), np.array([0.0, 0.0, 1.0])
    else:
        away = -CORNERS[without] / np.linalg.norm(CORNERS[without])
        corner = CORNERS[3 if without != 3 else 2]
        eye, up = 1.35 * away, corner - (corner @ away) * away
    return {
        "eye": dict(zip("xyz", np.round(eye, 6).tolist(), strict=True)),
        "up": dict(zip("xyz", np.round(up, 6).tolist(), strict=True)),
        "center": {"x": 0, "y": 0, "z": 0.1 if without is None else 0},
    }


def _xyz(places: Float) -> dict[str, Float]:
    return dict(zip("xyz", places.T, strict=True))


def _edges(names: tuple[str, ...], theme: str) -> list[go.Scatter3d]:
    """The six edges, and the names beyond the corners."""
    walk = CORNERS[[0, 1, 2, 0, 3, 1, 2, 3]]
    return [
        go.Scatter3d(
            **_xyz(walk), mode="lines", line={"color": style.CHANCE, "width": 2},
            hoverinfo="skip", showlegend=False,
        ),
        go.Scatter3d(
            **_xyz(1.09 * CORNERS), mode="text", text=[f"<b>{name}</b>" for name in names],
            textfont={"color": style.TEXT[theme], "size": 14}, hoverinfo="skip", showlegend=False,
        ),
    ]  # fmt: skip


def _frame(outline: Outline) -> go.Scatter3d:
    """What chance allows the chosen arrow, as a frame of wires."""
    ends = projected(outline.vertices)[outline.edges]
    return go.Scatter3d(
        **_xyz(np.concatenate([ends, np.full_like(ends[:, :1], np.nan)], axis=1).reshape(-1, 3)),
        mode="lines", line={"color": style.CHANCE, "width": 3}, connectgaps=False,
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def heads(tail: Float, tip: Float, colors: list[str]) -> go.Mesh3d:
    """One mesh of all heads: cones with their points at ``tip``. Arrows of no length have none."""
    step = tip - tail
    length = np.linalg.norm(step, axis=1)
    long_enough = np.flatnonzero(length > 1e-9)
    ahead = step[long_enough] / length[long_enough, None]
    across = np.cross(ahead, np.eye(3)[np.abs(ahead).argmin(axis=1)])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    height = np.minimum(HEAD, 0.6 * length[long_enough])[:, None]
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
        **_xyz(corners.reshape(-1, 3)),
        **dict(zip("ijk", faces.reshape(3, -1), strict=True)),
        vertexcolor=[colors[b] for b in long_enough for _ in range(1 + SIDES)],
        flatshading=True,
        lighting={"ambient": 0.85, "diffuse": 0.3, "specular": 0.0},
        hoverinfo="skip",
        showlegend=False,
    )
