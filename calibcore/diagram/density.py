"""Where predictions lie in the triangle of three classes: ground that holds a share of the cases.

The density is a Gaussian kernel estimate on a lattice of small triangles, linear within each, so that its
isolines are segments, and a case lies inside a line exactly if the density at the case is high enough.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

SIDE = 50
"""Small triangles along a side."""
BANDWIDTHS = (0.02, 0.03, 0.05, 0.08, 0.12)
"""Of which the one is taken under which left-out cases are most likely; the side of the triangle is 1."""
MOST_LEFT_OUT = 10_000
"""Cases left out one by one to choose it, evenly picked from all."""


@dataclass(frozen=True, eq=False)
class Isoline:
    """``inside`` is the share of cases in the region of highest density that the ``walks`` bound.

    Each walk, (s, 3), is a polygon with the region on its left; around a hole it runs the other way, so that
    they can be filled together. ``inside`` is at least the ``share`` asked for, and larger only where cases
    share a density.
    """

    share: float
    inside: float
    walks: tuple[Float, ...]


@dataclass(frozen=True, eq=False)
class Density:
    """``at_nodes`` of the lattice, 1 where predictions are spread evenly; ``bandwidth`` that was taken."""

    at_nodes: Float
    bandwidth: float

    def at(self, probs: Float) -> Float:
        """(n, 3) -> (n,)."""
        corners, weights = _place(probs)
        return np.asarray((self.at_nodes[corners] * weights).sum(axis=1))


def density(probs: Float) -> Density:
    """(n, 3) predictions -> their density, corrected at the sides: evenly spread ones give 1 everywhere.

    The bandwidth is the best of :data:`BANDWIDTHS` by leave-one-out likelihood. Cost O(n), 0.1 s.

    Raises
    ------
    InputError : another number of classes than three.
    """
    if probs.shape[1] != 3:
        raise InputError(f"There are {probs.shape[1]} classes; lines of density are drawn for 3.")
    nodes, triangles = _lattice()
    corners, weights = _place(probs)
    n = len(probs)
    thinned = slice(None, None, -(-n // MOST_LEFT_OUT))
    mass = np.bincount(corners.ravel(), weights.ravel(), len(nodes)) / n
    area = np.bincount(triangles.ravel(), minlength=len(nodes)) / triangles.size
    lengths = np.square(nodes).sum(axis=1) / 2
    apart = lengths[:, None] + lengths - nodes @ nodes.T  # squared; corners of the triangle are 1 apart
    best, best_likelihood = Density(np.ones(len(nodes)), BANDWIDTHS[-1]), -np.inf
    for bandwidth in BANDWIDTHS:
        kernel = np.exp(-apart / (2 * bandwidth**2))
        even = kernel @ area
        estimate = Density(kernel @ mass / even, bandwidth)
        c, w = corners[thinned], weights[thinned]
        own = kernel[c[:, :, None], c[:, None]] / even[c][:, :, None]
        of_itself = np.einsum("ia,iab,ib->i", w, own, w)
        left_out = (n * estimate.at(probs[thinned]) - of_itself) / max(1, n - 1)
        likelihood = float(np.log(np.maximum(left_out, 1e-12)).mean())
        if likelihood > best_likelihood:
            best, best_likelihood = estimate, likelihood
    return best


def isolines(probs: Float, shares: tuple[float, ...] = (0.5, 0.9)) -> tuple[Isoline, ...]:
    """(n, 3) predictions -> the lines around the densest parts that hold these shares of the cases."""
    estimate = density(probs)
    at_cases = estimate.at(probs)
    falling = np.sort(at_cases)[::-1]
    lines = []
    for share in shares:
        level = float(falling[int(np.ceil(share * len(falling) - 1e-9)) - 1]) * (1 - 1e-12)
        walks = _closed(_segments(estimate.at_nodes, level))
        lines.append(Isoline(share, float((at_cases >= level).mean()), walks))
    return tuple(lines)


def _segments(values: Float, level: float) -> list[Float]:
    """(2, 3) each: the border of where the piecewise linear function is ``level`` and more, that to its left.

    Of each small triangle its part of that; what two of them have in common, once in either direction, is
    not a border.
    """
    nodes, triangles = _lattice()
    above = values >= level
    borders: dict[tuple[bytes, bytes], Float] = {}
    for corners in triangles[above[triangles].any(axis=1)].tolist():
        part: list[Float] = []
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            if above[a]:
                part.append(nodes[a])
            if above[a] != above[b]:
                part.append(_crossing(nodes, values, level, min(a, b), max(a, b)))
        keys = [_key(place) for place in part]
        for (p, start), (q, end) in pairwise(zip([*part, part[0]], [*keys, keys[0]], strict=True)):
            if start == end:
                continue
            if (end, start) in borders:
                del borders[end, start]
            else:
                borders[start, end] = np.stack([p, q])
    return list(borders.values())


def _crossing(nodes: Float, values: Float, level: float, a: int, b: int) -> Float:
    """(3,) where the function has the level between two nodes: the same to the last bit from either side."""
    position = (level - values[a]) / (values[b] - values[a])
    return np.asarray((1 - position) * nodes[a] + position * nodes[b])


def _key(place: Float) -> bytes:
    return np.round(place + 0.0, 12).tobytes()


def _closed(segments: list[Float]) -> tuple[Float, ...]:
    """Segments joined end to start into polygons."""
    after: dict[bytes, list[Float]] = {}
    for segment in segments:
        after.setdefault(_key(segment[0]), []).append(segment)
    walks = []
    while after:
        place, walk = next(iter(after)), []
        while place in after:
            segment = after[place].pop()
            if not after[place]:
                del after[place]
            walk.append(segment[0])
            place = _key(segment[1])
        walks.append(np.array(walk))
    return tuple(walks)


def _number(a: Int, b: Int) -> Int:
    """The number of the lattice node (a/SIDE, b/SIDE, rest): row by row of a."""
    return a * (SIDE + 1) - a * (a - 1) // 2 + b


def _corners(a: Int, b: Int, down: Int | int) -> Int:
    """(n, 3) the nodes of the small triangles at (a, b), those where ``down`` is 1 upside down."""
    return np.column_stack(
        [_number(a + down, b + down), _number(a + 1 - down, b + down), _number(a + down, b + 1 - down)]
    )


def _lattice() -> tuple[Float, Int]:
    """(nodes, 3) as probabilities and (SIDE², 3) the nodes of each small triangle, all in one direction."""
    a, b = np.indices((SIDE + 1, SIDE + 1)).reshape(2, -1)
    inside = a + b <= SIDE
    nodes = np.column_stack([a[inside], b[inside], SIDE - a[inside] - b[inside]]) / SIDE
    up, down = a + b < SIDE, a + b < SIDE - 1
    return nodes, np.concatenate([_corners(a[up], b[up], 0), _corners(a[down], b[down], 1)])


def _place(probs: Float) -> tuple[Int, Float]:
    """(n, 3) the nodes of the small triangle that each prediction lies in, and its weights there."""
    scaled = SIDE * probs[:, :2] / probs.sum(axis=1, keepdims=True)
    a = np.minimum(scaled[:, 0].astype(np.int64), SIDE - 1)
    b = np.minimum(scaled[:, 1].astype(np.int64), SIDE - 1 - a)
    f, g = scaled[:, 0] - a, scaled[:, 1] - b
    down = (f + g > 1) & (a + b < SIDE - 1)
    corners = np.minimum(_corners(a, b, down.astype(np.int64)), (SIDE + 1) * (SIDE + 2) // 2 - 1)
    weights = np.where(
        down[:, None], np.column_stack([f + g - 1, 1 - f, 1 - g]), np.column_stack([1 - f - g, f, g])
    )
    return corners, np.maximum(weights, 0.0)
