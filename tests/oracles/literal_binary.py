"""Estimators for two classes, classwise ones and decompositions, as loops over their definitions.

Written from the papers' formulas alone, in plain Python, one case at a time, so that nothing is
shared with the code they judge. ``x`` are predictions of the first class, ``hits`` whether it happened.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from scipy.optimize import brentq

Rows = Sequence[Sequence[float]]


def groups(keys: Sequence[Hashable]) -> list[list[int]]:
    """The rows of each key."""
    rows: dict[Hashable, list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        rows[key].append(i)
    return list(rows.values())


def bias_reduced(method: str, bins: Sequence[int], g: Rows, y: Sequence[int]) -> float:
    """Bröcker 2011, Ferro & Fricker 2012; or all pairs of different cases in a bin."""
    n, m = len(g), len(g[0])
    total = 0.0
    for rows in groups(bins):
        size = len(rows)
        if size == 1:
            continue
        if method == "pairwise":
            pairs = [(i, j) for i in rows for j in rows if i != j]
            inner = sum(
                sum(((k == y[i]) - g[i][k]) * ((k == y[j]) - g[j][k]) for k in range(m)) for i, j in pairs
            )
            error = inner / len(pairs)
        else:
            error = 0.0
            for k in range(m):
                seen = sum(y[i] == k for i in rows) / size
                said = sum(g[i][k] for i in rows) / size
                error += (seen - said) ** 2 - seen * (1 - seen) / (size - 1)
        total += size / n * error
    return total


def gap(rows: Sequence[int], x: Sequence[float], hits: Sequence[bool]) -> float:
    return abs(sum(hits[i] for i in rows) / len(rows) - sum(x[i] for i in rows) / len(rows))


def binned_gap(bins: Sequence[Hashable], x: Sequence[float], hits: Sequence[bool]) -> float:
    """ECE of one probability."""
    return sum(len(rows) / len(x) * gap(rows, x, hits) for rows in groups(bins))


def uniform_bin(p: float, n_bins: int) -> int:
    """The smallest k from 1 on with p ≤ k/b, within rounding."""
    return next(k for k in range(1, n_bins + 1) if p <= k / n_bins + 1e-12 or k == n_bins)


def classwise(n_bins: int, g: Rows, y: Sequence[int]) -> float:
    m = len(g[0])
    found = []
    for k in range(m):
        x = [row[k] for row in g]
        found.append(binned_gap([uniform_bin(p, n_bins) for p in x], x, [c == k for c in y]))
    return sum(found) / m


def top_label(n_bins: int, g: Rows, y: Sequence[int]) -> float:
    best = [max(range(len(row)), key=lambda k, row=row: (row[k], -k)) for row in g]
    x = [row[k] for row, k in zip(g, best, strict=True)]
    keys = [(k, uniform_bin(p, n_bins)) for k, p in zip(best, x, strict=True)]
    return binned_gap(keys, x, [k == c for k, c in zip(best, y, strict=True)])


def smooth_ece_at(sigma: float, x: Sequence[float], hits: Sequence[bool], points: int = 4000) -> float:
    """``∫|1/n Σ (y − x) K_σ(x, t)| dt``, the reflected kernel as its images, by the midpoint rule."""
    t = (np.arange(points) + 0.5) / points
    images = range(-math.ceil(5 * sigma) - 1, math.ceil(5 * sigma) + 2)
    smooth = np.zeros(points)
    for p, hit in zip(x, hits, strict=True):
        for j in images:
            for image in (2 * j + p, 2 * j - p):
                density = np.exp(-((t - image) ** 2) / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))
                smooth += (hit - p) * density / len(x)
    return float(np.abs(smooth).mean())


def smooth_ece(x: Sequence[float], hits: Sequence[bool], points: int = 4000) -> float:
    """The fixed point, between 1e-3 and 1, which rounding may exceed."""
    return float(brentq(lambda s: smooth_ece_at(s, x, hits, points) - s, 1e-3, 1.001, xtol=1e-7))


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Max-min formula of isotonic regression: ``max_{a ≤ i} min_{b ≥ i} mean(a..b)``."""
    n = len(values)

    def mean(a: int, b: int) -> float:
        pairs = list(zip(values[a : b + 1], weights[a : b + 1], strict=True))
        return sum(v * w for v, w in pairs) / sum(w for _, w in pairs)

    return [max(min(mean(a, b) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


def corp(
    x: Sequence[float], hits: Sequence[bool], score: Callable[[float, bool], float]
) -> tuple[float, float, float, float]:
    """Score, miscalibration, discrimination, uncertainty; ``score(p, hit)`` of one case."""
    distinct = sorted(set(x))
    counts = [x.count(v) for v in distinct]
    seen = [sum(h for p, h in zip(x, hits, strict=True) if p == v) for v in distinct]
    fitted = isotonic([s / c for s, c in zip(seen, counts, strict=True)], counts)
    after = [fitted[distinct.index(p)] for p in x]
    base = [sum(hits) / len(x)] * len(x)
    means = [sum(score(p, h) for p, h in zip(q, hits, strict=True)) / len(x) for q in (x, after, base)]
    return means[0], means[0] - means[1], means[2] - means[1], means[2]


def brier_of_two(p: float, hit: bool) -> float:
    return 2 * (hit - p) ** 2


def log_loss_of_two(p: float, hit: bool) -> float:
    return -math.log(p if hit else 1 - p)


def binned_brier(bins: Sequence[int], g: Rows, y: Sequence[int]) -> list[float]:
    """Stephenson, Coelho & Jolliffe 2008, class by class: REL, RES, UNC, WBV, WBC."""
    n, parts = len(g), [0.0] * 5
    for k in range(len(g[0])):
        seen = [float(c == k) for c in y]
        base = sum(seen) / n
        parts[2] += base * (1 - base)
        for rows in groups(bins):
            said = sum(g[i][k] for i in rows) / len(rows)
            happened = sum(seen[i] for i in rows) / len(rows)
            parts[0] += len(rows) / n * (said - happened) ** 2
            parts[1] += len(rows) / n * (happened - base) ** 2
            parts[3] += sum((g[i][k] - said) ** 2 for i in rows) / n
            parts[4] += 2 * sum((g[i][k] - said) * (seen[i] - happened) for i in rows) / n
    return parts


def lowess_at(x0: float, x: Sequence[float], hits: Sequence[bool], span: float) -> float:
    """Cleveland 1979, degree 1, no robustness steps: tricube weights on the ⌊span·n⌋ nearest, a line."""
    k = max(min(2, len(x)), int(span * len(x) + 1e-7))
    h = sorted(abs(p - x0) for p in x)[k - 1]
    if h == 0:
        at = [hit for p, hit in zip(x, hits, strict=True) if p == x0]
        return sum(at) / len(at)
    w = np.array([max(0.0, 1 - (abs(p - x0) / h) ** 3) ** 3 for p in x])
    design = np.column_stack([np.ones(len(x)), np.array(x) - x0])
    normal = design.T @ (w[:, None] * design)
    return float(np.linalg.solve(normal, design.T @ (w * np.array(hits, float)))[0])
