"""The typical gap word by word, with loops over cases and pairs: slow, and nothing but its definition."""

import math
from collections.abc import Sequence

import numpy as np

from calibcore.numerics.types import Float, Int


def bins_of(p: Float, k: int, by_cases: float) -> list[list[int]]:
    """Half of the bins by cases, half by uncertainty: the bin of a case by the cases before it."""
    n = len(p)
    falling = sum(p) / n > 0.5
    unsure = [min(x, 1 - x) for x in p]
    bins: dict[int, list[int]] = {}
    for i in range(n):
        before = [j for j in range(n) if (p[j] > p[i] if falling else p[j] < p[i])]
        share = by_cases * len(before) / n
        if sum(unsure) > 0:
            share += (1 - by_cases) * sum(unsure[j] for j in before) / sum(unsure)
        bins.setdefault(math.floor(k * share + 1e-9), []).append(i)
    return list(bins.values())


def square_of(residuals: Float, bins: Sequence[Sequence[int]], unit: Int | None = None) -> float:
    """Σ_b (n_b/n)·mean of r_i·r_j over the pairs of a bin, of different units where there are units."""
    n, found = len(residuals), 0.0
    for rows in bins:
        pairs = [
            float(residuals[i] @ residuals[j])
            for i in rows
            for j in rows
            if (i != j if unit is None else unit[i] != unit[j])
        ]
        if pairs:
            found += len(rows) / n * sum(pairs) / len(pairs)
    return found


def linear_square(g: Float, y: Int) -> float:
    """b·G⁺b over pairs, of features J r ⊗ g and their Gram matrix."""
    n, m = g.shape
    J = [np.diag(row) - np.outer(row, row) for row in g]
    gram = sum(np.kron(j @ j, np.outer(row, row)) for j, row in zip(J, g, strict=True)) / n
    inverse = np.linalg.pinv(gram, rcond=1e-7, hermitian=True)
    features = [np.kron(j @ (np.eye(m)[c] - row), row) for j, row, c in zip(J, g, y, strict=True)]
    pairs = [float(features[i] @ inverse @ features[j]) for i in range(n) for j in range(n) if i != j]
    return sum(pairs) / (n * (n - 1))
