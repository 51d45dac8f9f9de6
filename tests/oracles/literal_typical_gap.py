"""The typical gap word by word, with loops over cases and pairs: slow, and nothing but its definition."""

import math
from collections.abc import Sequence
from fractions import Fraction

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


def bins_beside_ties(p: Float, k: int, least: int) -> list[list[int]]:
    """Values of more than n/k cases alone; between them equal mass; a small remainder joins what is near."""
    n = len(p)
    values = sorted(set(p.tolist()), reverse=bool(p.mean() > 0.5))
    cases = {v: [i for i in range(n) if p[i] == v] for v in values}
    parts: list[list[float]] = []  # a heavy value, or those between two heavy ones
    for v, before in zip(values, [None, *values], strict=False):
        if before is None or k * len(cases[v]) > n or k * len(cases[before]) > n:
            parts.append([])
        parts[-1].append(v)
    bins: list[list[float]] = []
    for part in parts:
        own = [v for v in part for _ in cases[v]]
        for number in range(max(1, len(own) * k // n), 0, -1):
            inside: dict[int, list[float]] = {}
            for v in part:
                middle = Fraction(2 * own.index(v) + len(cases[v]) - 1, 2)
                inside.setdefault(math.floor(number * middle / len(own)), []).append(v)
            if number == 1 or all(sum(len(cases[v]) for v in vs) >= least for vs in inside.values()):
                bins += inside.values()
                break

    def size(vs: list[float]) -> int:
        return sum(len(cases[v]) for v in vs)

    def mean(vs: list[float]) -> float:
        return sum(v * len(cases[v]) for v in vs) / size(vs)

    for small in sorted((vs for vs in bins if size(vs) < least), key=size):
        place = next((i for i, vs in enumerate(bins) if vs is small), None)
        if place is None:
            continue
        beside = [i for i in (place - 1, place + 1) if 0 <= i < len(bins)]
        beside = [i for i in beside if 2 * max(k, 10) * (size(bins[i]) + size(small)) <= 5 * n]
        beside = [i for i in beside if abs(mean(bins[i]) - mean(small)) <= 0.05 + 1e-9]
        if beside:
            other = min(beside, key=lambda i: abs(mean(bins[i]) - mean(small)))
            first, second = sorted((place, other))
            bins[first : second + 1] = [bins[first] + bins[second]]
    return [[i for v in vs for i in cases[v]] for vs in bins]


def parts_of(g: Float) -> list[list[int]]:
    """Bins that share the likeliest class, split nearest the median of mass: half cases, half uncertainty."""
    n, m = g.shape
    unsure = [1 - sum(x * x for x in row) for row in g]
    mass = [0.5 / n + 0.5 * (u / sum(unsure) if sum(unsure) > 0 else 1 / n) for u in unsure]
    least = max(2, min(12, n / 5)) / n
    first = [int(np.argmax(row)) for row in g]
    alone = [i for i in range(n) if first.count(first[i]) == 1]
    waiting = [[i for i in range(n) if first[i] == k and i not in alone] for k in range(m)]
    waiting, final = [rows for rows in [*waiting, alone] if rows], []

    def halves(rows: list[int]) -> tuple[list[int], list[int]] | None:
        whole = sum(mass[i] for i in rows)
        means = [sum(mass[i] * g[i, c] for i in rows) / whole for c in range(m)]
        spread = [sum(mass[i] * (g[i, c] - means[c]) ** 2 for i in rows) for c in range(m)]
        if max(spread) == 0:
            return None
        for c in sorted(range(m), key=lambda c: (-round(spread[c] / max(spread), 9), c)):
            found = []
            for x in sorted({g[i, c] for i in rows}):
                below = [i for i in rows if g[i, c] < x]
                above = [i for i in rows if g[i, c] >= x]
                if min(len(below), len(above)) < 4:
                    continue
                part = sum(mass[i] for i in below)
                if min(part, whole - part) < least - 1e-11:
                    continue
                found.append((round(abs(part / whole - 0.5), 9), x, below, above))
            if found:
                return min(found, key=lambda one: one[:2])[2:]
        return None

    while waiting:
        rows = waiting.pop()
        two = halves(rows)
        if two is None:
            final.append(rows)
        else:
            waiting += two
    return final


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
