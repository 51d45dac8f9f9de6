"""Distances between two predictions, from their formulas."""

import math
from collections.abc import Callable, Sequence

Row = Sequence[float]


def total_variation(p: Row, q: Row) -> float:
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def cityblock(p: Row, q: Row) -> float:
    return sum(abs(a - b) for a, b in zip(p, q, strict=True))


def squared_euclidean(p: Row, q: Row) -> float:
    return sum((a - b) ** 2 for a, b in zip(p, q, strict=True))


def euclidean(p: Row, q: Row) -> float:
    return math.sqrt(squared_euclidean(p, q))


DISTANCES: dict[str, Callable[[Row, Row], float]] = {
    "total-variation": total_variation,
    "squared-euclidean": squared_euclidean,
    "euclidean": euclidean,
    "cityblock": cityblock,
}
