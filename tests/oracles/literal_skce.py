"""The estimators, bounds and resampling schemes as loops over the definitions.

Written from the formulas alone (W19 = Widmann et al. 2019, Table 1 and Lemma 2;
V19 = Vaicenavicius et al. 2019, eq. 6; the reference documentation of
CalibrationTests.jl for the bootstrap), one case at a time and in plain Python,
so that nothing is shared with the code they judge.
"""

import math
from collections.abc import Sequence

import numpy as np

from tests.oracles.literal_distances import DISTANCES as DISTANCES
from tests.oracles.literal_kernels import bandwidth as bandwidth
from tests.oracles.literal_kernels import kappa as kappa

Row = Sequence[float]
Rows = Sequence[Row]
Kernel = tuple[str, str, float]
"""Kind, metric, bandwidth."""


def h(kernel: Kernel, p: Row, y: int, q: Row, z: int, M: Rows | None = None) -> float:
    """``(e_y − p)ᵀ κ(p, q)·M (e_z − q)``, W19 §5; M = I unless given."""
    m = len(p)
    M = np.eye(m).tolist() if M is None else M
    inner = sum(((a == y) - p[a]) * M[a][b] * ((b == z) - q[b]) for a in range(m) for b in range(m))
    return kappa(*kernel, p, q) * inner


def h_matrix(kernel: Kernel, g: Rows, y: Sequence[int]) -> list[list[float]]:
    n = len(g)
    return [[h(kernel, g[i], y[i], g[j], y[j]) for j in range(n)] for i in range(n)]


def skce(
    estimator: str, kernel: Kernel, g: Rows, y: Sequence[int], M: Rows | None = None, size: int = 2
) -> float:
    """W19 Table 1; "block": the mean of the unbiased estimates of consecutive blocks."""
    n = len(g)
    if estimator == "biased":
        return sum(h(kernel, g[i], y[i], g[j], y[j], M) for i in range(n) for j in range(n)) / n**2
    if estimator == "unbiased":
        total = sum(h(kernel, g[i], y[i], g[j], y[j], M) for i in range(n) for j in range(i + 1, n))
        return total / (n * (n - 1) / 2)
    size = 2 if estimator == "linear" else size
    starts = range(0, n - size + 1, size)
    blocks = [skce("unbiased", kernel, g[a : a + size], y[a : a + size], M) for a in starts]
    return sum(blocks) / len(blocks)


def low_rank_pairs(K: Rows, pivots: Sequence[int], r: Rows) -> tuple[float, float]:
    """``Σ_{i<j} κ′_ij⟨r_i, r_j⟩`` with κ projected, ``K_nP K_PP⁻¹ K_Pn``, and the trace left."""
    K, r = np.array(K), np.array(r)
    projected = K[:, pivots] @ np.linalg.solve(K[np.ix_(pivots, pivots)], K[pivots])
    pairs = sum(
        projected[i, j] * float(np.dot(r[i], r[j])) for i in range(len(r)) for j in range(i + 1, len(r))
    )
    return pairs, 1 - float(np.trace(projected)) / len(r)


def bin_distances(bins: Sequence[int], distance: str, g: Rows, y: Sequence[int]) -> list[tuple[float, float]]:
    """(share of the cases, distance of observed frequency and mean prediction) of every bin."""
    n, m = len(g), len(g[0])
    found = []
    for b in sorted(set(bins)):
        rows = [i for i in range(n) if bins[i] == b]
        observed = [sum(y[i] == k for i in rows) / len(rows) for k in range(m)]
        predicted = [sum(g[i][k] for i in rows) / len(rows) for k in range(m)]
        found.append((len(rows) / n, DISTANCES[distance](observed, predicted)))
    return found


def ece(bins: Sequence[int], distance: str, g: Rows, y: Sequence[int]) -> float:
    return sum(share * d for share, d in bin_distances(bins, distance, g, y))


def mce(bins: Sequence[int], distance: str, g: Rows, y: Sequence[int]) -> float:
    return max(d for _, d in bin_distances(bins, distance, g, y))


def uniform_bins(b: int, g: Rows) -> list[int]:
    """The smallest k ≥ 1 with p ≤ k/b, per component; two classes by the first component."""
    used = [row[:1] if len(row) == 2 else row for row in g]
    tuples = [tuple(next(k for k in range(1, b + 1) if p <= k / b + 1e-12) for p in row) for row in used]
    return [sorted(set(tuples)).index(t) for t in tuples]


def monte_carlo_pvalue(statistic: float, null: Sequence[float]) -> float:
    return (1 + sum(t >= statistic for t in null)) / (len(null) + 1)


def label_at(g: Row, u: float) -> int:
    """The class in which u falls when [0, 1] is cut in proportion to the probabilities."""
    total, reached = sum(g), 0.0
    for k in range(len(g) - 1):
        reached += g[k]
        if u < reached / total:
            return k
    return len(g) - 1


def consistency_null(n_resamples: int, n_bins: int, g: Rows, rng: np.random.Generator) -> list[float]:
    """ECEs of resampled predictions with labels drawn from them (Bröcker & Smith 2007)."""
    n, null = len(g), []
    for _ in range(n_resamples):
        again = [g[i] for i in rng.integers(n, size=n)]
        drawn = [label_at(row, u) for row, u in zip(again, rng.random(n), strict=True)]
        null.append(ece(uniform_bins(n_bins, again), "total-variation", again, drawn))
    return null


def bootstrap_statistic(H: Sequence[Sequence[float]], resampled: Sequence[int]) -> float:
    """T′ of CalibrationTests.jl `AsymptoticSKCETest`, over explicit resampled pairs."""
    n = len(H)
    pairs = sum(H[resampled[i]][resampled[j]] for i in range(n) for j in range(i + 1, n))
    cross = sum(H[resampled[i]][r] for i in range(n) for r in range(n))
    return 2 / (n * (n - 1)) * pairs - 2 / n**2 * cross


def distribution_free(estimator: str, n: int, t: float) -> float:
    """W19 Lemma 2 with B = 2K = 2."""
    B = 2.0
    if estimator == "biased":
        return math.exp(-0.5 * max(0.0, math.sqrt(n * t / B) - 1) ** 2)
    return math.exp(-math.floor(n / 2) * t**2 / (2 * B**2)) if t > 0 else 1.0


def given_predictions(g: Rows, t: float) -> float:
    """``exp(−n max(0, √t − √(V/n))²)`` with ``V = mean(1 − ‖g_i‖²)``."""
    n = len(g)
    V = sum(1 - sum(p * p for p in row) for row in g) / n
    return math.exp(-n * max(0.0, math.sqrt(t) - math.sqrt(V / n)) ** 2)


def holm(pvalues: Sequence[float]) -> list[float]:
    """Adjusted p_j: the largest, over hypotheses i with p_i ≤ p_j, of p_i times how many are ≥ it in rank."""
    ranked = sorted(range(len(pvalues)), key=lambda i: pvalues[i])
    adjusted = [0.0] * len(pvalues)
    for position, i in enumerate(ranked):
        candidates = [pvalues[ranked[k]] * (len(pvalues) - k) for k in range(position + 1)]
        adjusted[i] = min(1.0, max(candidates))
    return adjusted
