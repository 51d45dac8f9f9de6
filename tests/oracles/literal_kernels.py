"""Kernels and bandwidth rules from their formulas, one pair at a time."""

import math
from collections.abc import Sequence
from statistics import median

from calibcore.kernels import KERNELS
from tests.oracles.strategies import oracle_of

Row = Sequence[float]


def distance(metric: str, p: Row, q: Row) -> float:
    """Two classes: from the first component alone, as if both rows summed to exactly 1."""
    if len(p) == 2:
        p, q = (p[0], 1 - p[0]), (q[0], 1 - q[0])
    if metric == "euclidean":
        return math.sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)))
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def kappa(kind: str, metric: str, bandwidth: float, p: Row, q: Row) -> float:
    """The shape of the kernel in ``strategies.py``, at this distance."""
    return float(oracle_of(KERNELS, kind)(distance(metric, p, q) / bandwidth))


def bandwidth(rule: str, metric: str, g: Sequence[Row]) -> float:
    """Median over pairs i < j, or over all n² ordered pairs; mean over pairs i < j."""
    n = len(g)
    if rule == "median-with-diagonal":
        return float(median(distance(metric, g[i], g[j]) for i in range(n) for j in range(n)))
    pairs = [distance(metric, g[i], g[j]) for i in range(n) for j in range(i + 1, n)]
    return float(median(pairs)) if rule == "median" else sum(pairs) / len(pairs)
