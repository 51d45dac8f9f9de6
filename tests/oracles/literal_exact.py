"""Early stopping, adjusted p-values, pooling and weights, by their definitions."""

from collections.abc import Sequence
from itertools import product

Rows = Sequence[Sequence[float]]


def besag_clifford(statistic: float, draws: Sequence[float], h: int) -> tuple[float, int]:
    """p and the number of draws used, one draw after the other (Besag & Clifford 1991, §3)."""
    extreme = 0
    for used, t in enumerate(draws, start=1):
        extreme += t >= statistic
        if extreme == h:
            return h / used, used
    return (extreme + 1) / (len(draws) + 1), len(draws)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The smallest level at which the step-up procedure rejects each hypothesis."""
    L = len(p)
    return [min(1.0, *(q * L / sum(r <= q for r in p) for q in p if q >= mine)) for mine in p]


def step_down_min_p(statistics: Rows) -> list[float]:
    """Westfall & Young 1993, algorithm 2.8: of those not yet rejected, who has a p as small by chance."""
    columns = range(len(statistics[0]))
    p = [[sum(u >= t for u in row) / len(row) for t in row] for row in statistics]
    adjusted: list[float] = []
    for mine in p:
        # Rejected before this one: all with a smaller p; the adjusted p is the largest on the way.
        steps = []
        for q in {other[0] for other in p if other[0] <= mine[0]}:
            left = [other for other in p if other[0] >= q]
            steps.append(sum(min(other[b] for other in left) <= q for b in columns) / len(columns))
        adjusted.append(max(steps))
    return adjusted


def pooled(g: Rows, y: Sequence[int]) -> tuple[list[list[float]], list[int]]:
    """All pairs, case by case: probability of the class and of any other, 0 where it happened."""
    probs = [[row[k], sum(row[c] for c in range(len(row)) if c != k)] for row in g for k in range(len(row))]
    return probs, [0 if label == k else 1 for row, label in zip(g, y, strict=True) for k in range(len(row))]


def pooled_hits(g: Rows, bin_of_pair: Sequence[int], b: int) -> list[float]:
    """Law of the hits in one bin of pooled pairs, over every way in which the outcomes can come out."""
    n, m = len(g), len(g[0])
    law = [0.0] * (n + 1)
    for labels in product(range(m), repeat=n):
        chance = 1.0
        for row, label in zip(g, labels, strict=True):
            chance *= row[label]
        law[sum(bin_of_pair[i * m + label] == b for i, label in enumerate(labels))] += chance
    return law


def weighted_ece(g: Rows, y: Sequence[int], w: Sequence[float], bins: Sequence[int]) -> float:
    """Total variation between the weighted means in each bin, by its share of the weight."""
    total = 0.0
    for b in set(bins):
        rows = [i for i in range(len(g)) if bins[i] == b]
        mass = sum(w[i] for i in rows)
        predicted = [sum(w[i] * g[i][k] for i in rows) / mass for k in range(len(g[0]))]
        happened = [sum(w[i] * (y[i] == k) for i in rows) / mass for k in range(len(g[0]))]
        total += mass / sum(w) * sum(abs(a - c) for a, c in zip(predicted, happened, strict=True)) / 2
    return total


def weighted_skce(H: Rows, w: Sequence[float]) -> dict[str, float]:
    """``Σ w_i w_j h_ij / Σ w_i w_j``, over all pairs and over those of different cases."""
    n = len(w)
    everything = [(i, j) for i in range(n) for j in range(n)]
    pairs = {"biased": everything, "unbiased": [(i, j) for i, j in everything if i != j]}
    return {
        name: sum(w[i] * w[j] * H[i][j] for i, j in chosen) / sum(w[i] * w[j] for i, j in chosen)
        for name, chosen in pairs.items()
    }
