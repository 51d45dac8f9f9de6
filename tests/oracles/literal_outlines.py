"""Slow, literal definitions: laws of a bin's frequencies, being inside an outline, densities on a lattice."""

from itertools import product

import numpy as np
from scipy.spatial import Delaunay


def law_of_frequencies(probs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, m) -> (m**n, m) frequencies of every possible outcome and (m**n,) its chance under calibration."""
    n, m = probs.shape
    frequencies, chances = [], []
    for labels in product(range(m), repeat=n):
        chances.append(np.prod([probs[i, y] for i, y in enumerate(labels)]))
        frequencies.append(np.bincount(labels, minlength=m) / n)
    return np.array(frequencies), np.array(chances)


def inside_hull(points: np.ndarray, vertices: np.ndarray) -> np.ndarray:
    """(n, m) probability vectors -> (n,) whether they lie in the convex hull of the vertices."""
    return np.asarray(Delaunay(vertices[:, :-1]).find_simplex(points[:, :-1], tol=1e-9) >= 0)


def kernel_density(probs: np.ndarray, at: np.ndarray, bandwidth: float, fine: int = 120) -> np.ndarray:
    """The kernel estimate at points of the triangle, over what evenly spread predictions would give there."""
    even = [
        [(3 * a + 1 + d) / (3 * fine), (3 * b + 1 + d) / (3 * fine)]
        for a in range(fine)
        for b in range(fine - a)
        for d in (0, 1)
        if a + b + d < fine
    ]
    grid = np.column_stack([even, 1 - np.sum(even, axis=1)])
    found = []
    for point in at:
        kernel, base = (
            np.mean(np.exp(-((some - point) ** 2).sum(axis=1) / 2 / (2 * bandwidth**2)))
            for some in (probs, grid)
        )
        found.append(kernel / base)
    return np.array(found)
