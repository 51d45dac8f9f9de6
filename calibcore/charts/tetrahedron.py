"""The tetrahedron itself, whole or a part of it: corners, and from where it is seen."""

import numpy as np

from calibcore.charts.triangle import clipped
from calibcore.diagram.outlines import Outline
from calibcore.diagram.zoom import Zoom
from calibcore.numerics.types import Float

_BASE = np.array([[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(3) / 2, 0], [0.5, np.sqrt(3) / 6, np.sqrt(2 / 3)]])
CORNERS = _BASE - _BASE.mean(axis=0)
"""Of the four classes, in their order; the middle is the origin, the sides have length 1."""
WHOLE = Zoom((0.0,) * 4)
NARROW, WIDE = 11, 18
"""Characters in a line of a corner's name: on a phone and in a column the sides are near, and above the
fourth corner there is room for one line."""
SCALE, RANGE = 2.5, (-0.72, 0.72)
"""Size of the scene and range of its axes: a side is 0.87 of the height of the drawing."""
FAR = 3.0
"""From the middle to the eye, beyond all corners; in parallel projection it sets no size."""


def projected(probs: Float, zoom: Zoom = WHOLE) -> Float:
    """(…, 4) probabilities -> (…, 3) points of the tetrahedron of side 1, the whole or a part."""
    return np.asarray(zoom.within(probs) @ CORNERS)


def wires(outline: Outline, zoom: Zoom) -> Float:
    """(K, 2, 3) the ends of its edges within the part, as points of the drawing."""
    pieces = clipped(list(outline.vertices[outline.edges]), zoom)
    return projected(np.array(pieces).reshape(-1, 2, len(zoom.lowest)), zoom)


def view(without: int | None) -> dict[str, Float]:
    """The ``eye``, what is ``up`` and the ``center`` that is looked at, each (3,).

    A little above and to the side, or straight before the face ``without`` that class, a corner of it on top.
    Before the middle of what is seen; in parallel projection: a near arrow is no longer.
    """
    if without is None:
        away, up = np.array([0.33, -1.28, 0.39]), np.array([0.0, 0.0, 1.0])
        middle = 0.2 * up  # so that the name above and what is lowest while it turns fit on a phone
    else:
        away = -CORNERS[without] / np.linalg.norm(CORNERS[without])
        corner = CORNERS[3 if without != 3 else 2]
        up = corner - (corner @ away) * away
        middle = up / 4  # the corner is twice as far from the centre as the side below it
    center = middle * SCALE / np.ptp(RANGE)
    points = {"eye": center + FAR * away / np.linalg.norm(away), "up": up, "center": center}
    return {name: np.round(position, 6) for name, position in points.items()}
