"""Outlines in the simplex of three or four classes: consistency regions of bins, and the bins themselves.

A region is a polytope {r : Σr = 1, r ≥ 0, normals·r ≤ bounds}.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from calibcore.diagram.binning import Binning, Cuts, Splitting
from calibcore.diagram.bins import bins_of, diagram_order
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

MOST_CELLS = 400
"""More bins are not outlined: their lines would be a grey area."""
_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Outline:
    """``vertices (V, m)``, of three classes in the order of a walk around; ``edges (E, 2)`` join them."""

    vertices: Float
    edges: Int


def consistency_outline(mean_prediction: Float, radius: float) -> Outline:
    """Where a bin's observed frequencies lie under calibration: no further than ``radius`` from its mean
    prediction in total variation.

    The statistic of the bin's test and of its bar, so with the bar's upper end as ``radius``
    (:attr:`Reliability.high`, a quantile over redraws of the bin's own labels) the observed frequencies
    are outside the outline exactly where the bin is outside its bar. In V19 §4.4 such regions are named and
    left out. A hexagon clipped to the triangle; for four classes a cuboctahedron clipped to the tetrahedron.

    Raises
    ------
    InputError : another number of classes than three or four.
    """
    center = np.asarray(mean_prediction, np.float64)
    bounds = _sums(len(center))
    return _outline(bounds, bounds.own @ (center / center.sum()) + radius)


def bin_outlines(probs: Float, binning: Binning) -> list[Outline]:
    """(n, 3) predictions -> the cells of bins that were split by the data, in the order of a diagram.

    Empty for other binnings, whose edges are a grid, and for more than :data:`MOST_CELLS` bins. Where rows
    sum to 1 but for the last digits, a cell may be too thin to have vertices.
    """
    if not isinstance(binning, Splitting):
        return []
    cells, m = binning.cuts(probs), probs.shape[1]
    if len(cells) > MOST_CELLS:
        return []
    return [_cell(cells[b], m) for b in diagram_order(bins_of(probs, binning))]


def _cell(cuts: Cuts, m: int) -> Outline:
    low, high = np.zeros(m), np.ones(m)
    for component, value, below in cuts:
        if below:
            high[component] = min(high[component], value)
        else:
            low[component] = max(low[component], value)
    return _outline(_intervals(m), np.concatenate([high, -low]))


@dataclass(frozen=True, eq=False)
class _Normals:
    """Which way bounds look: ``own (k, m)``, and r ≥ 0 with them in ``all``.

    Every m − 1 of them that are independent, ``chosen``, meet on Σr = 1 where ``inverses`` say.
    """

    own: Float
    all: Float
    chosen: Int
    inverses: Float


def _normals(own: Float) -> _Normals:
    m = own.shape[1]
    if m not in (3, 4):
        raise InputError(f"There are {m} classes; outlines are drawn for 3 or 4.")
    both = np.concatenate([own, -np.eye(m)])
    chosen = np.array(list(combinations(range(len(both)), m - 1)))
    systems = np.concatenate([both[chosen], np.ones((len(chosen), 1, m))], axis=1)
    independent = np.abs(np.linalg.det(systems)) > _SLACK
    return _Normals(own, both, chosen[independent], np.linalg.inv(systems[independent]))


@cache
def _sums(m: int) -> _Normals:
    """Sums of some of the components."""
    sets = (subset for size in range(1, m) for subset in combinations(range(m), size))
    return _normals(np.array([[float(k in subset) for k in range(m)] for subset in sets]))


@cache
def _intervals(m: int) -> _Normals:
    """Each component from above and from below."""
    return _normals(np.concatenate([np.eye(m), -np.eye(m)]))


def _outline(directions: _Normals, bounds: Float) -> Outline:
    """Vertices are where m − 1 independent bounds meet on Σr = 1 and no other is broken."""
    normals, m = directions.all, directions.all.shape[1]
    bounds = np.concatenate([bounds, np.zeros(m)])
    right = np.column_stack([bounds[directions.chosen], np.ones(len(directions.chosen))])
    points = (directions.inverses @ right[..., None])[..., 0]
    points = points[(points @ normals.T <= bounds + _SLACK).all(axis=1)]
    if not len(points):
        return Outline(points, np.empty((0, 2), np.int64))
    vertices = points[np.sort(np.unique(np.round(points, 8), axis=0, return_index=True)[1])]
    if m == 3:
        from_middle = (vertices - vertices.mean(axis=0))[:, :2]
        vertices = vertices[np.argsort(np.arctan2(from_middle[:, 1], from_middle[:, 0]))]
        here = np.arange(len(vertices))
        return Outline(vertices, np.column_stack([here, np.roll(here, -1)]))
    meets = np.abs(vertices @ normals.T - bounds) <= 10 * _SLACK
    edges = [
        (i, j)
        for i, j in combinations(range(len(vertices)), 2)
        if np.linalg.matrix_rank(np.vstack([normals[meets[i] & meets[j]], np.ones(m)])) >= m - 1
    ]
    return Outline(vertices, np.array(edges, np.int64).reshape(-1, 2))
