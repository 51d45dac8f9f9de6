"""Power by its definition: labels drawn from q_λ, the whole test for each."""

from collections.abc import Callable

import numpy as np

from calibcore.hypothesis_tests.omnibus import log_tails

Array = np.ndarray
Draw = Callable[[float], Array]
"""λ -> (S, n) label sets."""


def power(values: Array, redraws: Array, level: float) -> float:
    """(C, S) statistics of label sets, (C, B) of redraws: the share whose exact p is at most the level.

    Tails are those that ``literal_omnibus`` checks: SciPy's would take minutes.
    """
    rejected = 0
    for s in range(values.shape[1]):
        combined = log_tails(np.column_stack([values[:, s], redraws])).max(axis=0)
        spread = combined[1:][np.isfinite(combined[1:])].std()
        as_extreme = int((combined[1:] >= combined[0] - 1e-9 * spread - 1e-14).sum())
        rejected += (1 + as_extreme) / (redraws.shape[1] + 1) <= level + 1e-12
    return rejected / values.shape[1]


def targets(g: Array) -> dict[tuple[str, str], Array]:
    """(n, m) τ of every pattern, classes called by their numbers."""
    n, m = g.shape
    found = {("overconfidence", ""): np.tile(g.mean(axis=0), (n, 1))}
    confidences = [max(row) for row in g]
    middle = float(np.median(confidences))
    uneven = np.zeros((n, m))
    for i, row in enumerate(g):
        first = int(np.argmax(row))
        if confidences[i] <= middle:
            uneven[i, first] = 1.0
            continue
        others = [k for k in range(m) if k != first]
        rest = sum(row[k] for k in others)
        for k in others:
            uneven[i, k] = row[k] / rest if rest > 0 else 1 / (m - 1)
    found["uneven", ""] = uneven
    for c in range(m):
        found["bias", str(c)] = np.tile(np.eye(m)[c], (n, 1))
    return found


def size(g: Array, target: Array, share: float) -> float:
    """The mean total variation between predictions and alternative."""
    q = (1 - share) * g + share * target
    return float(
        np.mean([0.5 * sum(abs(a - b) for a, b in zip(x, z, strict=True)) for x, z in zip(g, q, strict=True)])
    )


def draws(g: Array, target: Array, size: int, rng: np.random.Generator) -> Draw:
    """Label sets that share their random numbers over λ."""
    u = rng.random((size, len(g)))

    def drawn(share: float) -> Array:
        edges = ((1 - share) * g + share * target).cumsum(axis=1)[:, :-1]
        return (u[..., None] >= edges).sum(axis=2)

    return drawn
