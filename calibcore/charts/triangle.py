"""The triangle itself, whole or a part of it: corners, hairlines, and numbers along its sides.

Points of the drawing: the side of what is drawn has length 1, whatever part of the whole it is.
"""

from collections.abc import Sequence

import numpy as np

from calibcore.diagram.binning import Binning, SimplexBinning, UniformBinning
from calibcore.diagram.density import Isoline
from calibcore.diagram.outlines import Outline
from calibcore.diagram.zoom import Zoom
from calibcore.numerics.types import Float
from calibcore.wording import percent

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Of the first, second and third class: left, right, top."""
WHOLE = Zoom((0.0, 0.0, 0.0))
MOST_LINES = 20
"""Finer bins are not outlined: their lines would be a grey area."""
STUB = 0.016
"""Length of the line between a side and its number."""
INSET, INSET_AT = 0.15, np.array([0.0, 0.72])
"""The small triangle that shows where a part lies in the whole: its side, and its left corner."""


def projected(probs: Float, zoom: Zoom = WHOLE) -> Float:
    """(…, 3) probabilities -> (…, 2) points of the triangle of side 1."""
    return np.asarray(zoom.within(probs) @ CORNERS)


def cuts_of(binning: Binning | None) -> int:
    """Into how many parts the lines cut a side: where equally wide bins end, else into five."""
    match binning:
        case SimplexBinning(k=k) | UniformBinning(n_bins=k) if 2 <= k <= MOST_LINES:
            return k
    return 5


def levels_of(cuts: int, zoom: Zoom, k: int) -> Float:
    """Where hairlines of class k lie: where bins end in the whole, at the numbers in a part."""
    return np.arange(1, cuts) / cuts if zoom == WHOLE else zoom.levels(k)


def numbers_of(cuts: int, zoom: Zoom, k: int) -> list[tuple[float, str]]:
    """The levels with a number along the side that rises towards class k, five at most, and the number."""
    levels = levels_of(cuts, zoom, k)
    every = -(-cuts // 5) if zoom == WHOLE else 1
    labelled = levels[every - 1 :: every].tolist()
    return [(level, percent(level, decimals_of(zoom))) for level in labelled]


def decimals_of(zoom: Zoom) -> int:
    """Of percentages along the sides of a part."""
    return max(0, int(np.ceil(-np.log10(zoom.step) - 2 - 1e-9)))


def along(zoom: Zoom, k: int, level: float) -> Float:
    """(2, 3) ends of the line where class k has ``level``, on the two sides that meet in its corner."""
    pair = np.tile(np.array(zoom.lowest), (2, 1))
    rest = zoom.side - (level - zoom.lowest[k])
    pair[:, k] = level
    pair[0, (k + 1) % 3] += rest
    pair[1, (k + 2) % 3] += rest
    return pair


def grid(cuts: int, zoom: Zoom = WHOLE) -> list[Float]:
    """Hairlines, each (2, 3) probabilities."""
    return [along(zoom, k, level) for k in range(3) for level in levels_of(cuts, zoom, k).tolist()]


def around(outline: Outline) -> Float:
    """A closed walk, (V + 1, 3) probabilities."""
    return outline.vertices[[*range(len(outline.vertices)), 0]]


def edges_of(cells: Sequence[Outline], cuts: int, zoom: Zoom = WHOLE) -> list[Float]:
    """Walks of hairlines: around ``cells`` if there are any, else the grid; no further than the part."""
    if not cells:
        return grid(cuts, zoom)
    return clipped([around(cell) for cell in cells if len(cell.vertices)], zoom)


def clipped(walks: Sequence[Float], zoom: Zoom = WHOLE) -> list[Float]:
    """Walks, each (points, 3), no further than the part; as pieces of two points where it is one."""
    if zoom == WHOLE:
        return list(walks)
    pieces = np.concatenate([np.stack([walk[:-1], walk[1:]], axis=1) for walk in walks])
    start, step = pieces[:, 0] - np.array(zoom.lowest), pieces[:, 1] - pieces[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = -start / step  # where on the way each class has its least
    first = np.where(step > 0, crossing, np.where((step == 0) & (start < 0), np.inf, 0.0)).max(axis=1)
    last = np.where(step < 0, crossing, 1.0).min(axis=1)
    first, last = np.maximum(first, 0.0), np.minimum(last, 1.0)
    seen = first < last
    ways = np.stack([first, last], axis=1)[seen, :, None]
    return list(pieces[seen, :1] + ways * step[seen, None])


def ground_within(corners: Float, zoom: Zoom = WHOLE) -> Float:
    """(V, 3) the corners of what lies within a polygon of such ``corners`` and within the part (Sutherland &
    Hodgman 1974)."""
    for k, least in enumerate(zoom.lowest if zoom != WHOLE else ()):
        inside: list[Float] = []
        for corner, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            a, b = corner[k] - least, other[k] - least
            if a >= 0:
                inside.append(corner)
            if a * b < 0:
                inside.append(corner + a / (a - b) * (other - corner))
        corners = np.array(inside).reshape(-1, 3)
    return np.asarray(corners)


def stubs(cuts: int, zoom: Zoom = WHOLE) -> list[Float]:
    """Short lines, each (2, 2) points of the drawing, that lead each numbered hairline on to its number."""
    lines = []
    for k in range(3):
        for level, _ in numbers_of(cuts, zoom, k):
            end, other = projected(along(zoom, k, level), zoom)
            lines.append(np.stack([end, end + STUB * (end - other) / np.linalg.norm(end - other)]))
    return lines


def cloud_of(lines: Sequence[Isoline], zoom: Zoom = WHOLE) -> list[list[Float]]:
    """Of each line the polygons that it encloses, each (V, 2) points of the drawing and closed."""
    grounds = [[ground_within(walk, zoom) for walk in line.walks] for line in lines]
    return [[projected(g[[*range(len(g)), 0]], zoom) for g in inside if len(g)] for inside in grounds]


def shares_at_corners(zoom: Zoom) -> tuple[str, ...]:
    """Of each class at its own corner of a part: "2 %"; nothing in the whole, where it is 100 %."""
    if not sum(zoom.lowest):
        return ("",) * len(zoom.lowest)
    return tuple(f"{100 * high:g}\N{NO-BREAK SPACE}%" for high in np.diag(zoom.corners()).tolist())


def inset(zoom: Zoom) -> tuple[Float, Float]:
    """(4, 2) the sides of the small triangle, and the (3, 2) part in it, as points of the drawing."""
    full, part = np.eye(3)[[0, 1, 2, 0]], zoom.corners()
    return INSET_AT + INSET * projected(full), INSET_AT + INSET * projected(part)
