"""Which classes are confused, sum by sum over cases and over every choice of classes."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

Rows = Sequence[Sequence[float]]


def overlap(g: Rows, a: int, b: int, weights: Sequence[float] | None = None) -> float:
    """Σᵢ wᵢ g_ia g_ib."""
    return sum((1 if weights is None else weights[i]) * row[a] * row[b] for i, row in enumerate(g))


def confusable(g: Rows, k: int, weights: Sequence[float] | None = None) -> tuple[int, ...]:
    """Of all k classes those whose pairs overlap most."""
    return max(
        combinations(range(len(g[0])), k),
        key=lambda chosen: sum(overlap(g, a, b, weights) for a, b in combinations(chosen, 2)),
    )


def groups(g: Rows, k: int, weights: Sequence[float] | None = None) -> list[list[int]]:
    """Join the two groups whose least alike classes are most alike, until k are left."""

    def alike(a: int, b: int) -> float:
        return overlap(g, a, b, weights) / sqrt(overlap(g, a, a, weights) * overlap(g, b, b, weights))

    found = [[c] for c in range(len(g[0]))]
    while len(found) > k:
        one, other = max(
            combinations(found, 2), key=lambda pair: min(alike(a, b) for a in pair[0] for b in pair[1])
        )
        found = [group for group in found if group not in (one, other)] + [sorted(one + other)]
    return sorted(found)
