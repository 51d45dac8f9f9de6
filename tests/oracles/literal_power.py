"""Power by its definition: labels drawn from q_λ, the whole test for each, bisection over λ."""

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Draw = Callable[[float], Array]
"""λ -> (S, n) label sets."""


def gram(g: Array, bandwidth: float) -> Array:
    """``exp(−‖g_i − g_j‖/ν)`` from all differences."""
    return np.exp(-np.sqrt(np.square(g[:, None] - g[None]).sum(axis=2)) / bandwidth)


def statistics(g: Array, labels: Array, bandwidth: float) -> Array:
    """(S,) the mean of ``h_ij`` over i ≠ j for each label set."""
    n, m = g.shape
    r = np.eye(m)[labels] - g
    h = gram(g, bandwidth) * np.einsum("sik,sjk->sij", r, r)
    return (h.sum(axis=(1, 2)) - np.trace(h, axis1=1, axis2=2)) / (n * (n - 1))


def power(g: Array, labels: Array, bandwidth: float, null: Array, level: float) -> float:
    """The share of label sets whose Monte Carlo p is at most the level."""
    rejected, slack = 0, 1e-9 * null.std()
    for t in statistics(g, labels, bandwidth):
        p = (1 + int((null >= t - slack).sum())) / (len(null) + 1)
        rejected += p <= level + 1e-12
    return rejected / len(labels)


def targets(g: Array) -> list[Array]:
    """τ of overconfidence, then of the bias towards each class."""
    return [g.mean(axis=0), *np.eye(g.shape[1])]


def size(g: Array, target: Array, share: float) -> float:
    """The mean total variation between predictions and alternative."""
    q = (1 - share) * g + share * target
    return float(
        np.mean([0.5 * sum(abs(a - b) for a, b in zip(x, z, strict=True)) for x, z in zip(g, q, strict=True)])
    )


def draws(g: Array, target: Array, size: int, rng: np.random.Generator) -> Draw:
    """Label sets that share their random numbers over λ: one that says from where, one for each source."""
    which, own, other = rng.random((3, size, len(g)))
    base = (own[..., None] >= g.cumsum(axis=1)[:, :-1]).sum(axis=2)
    towards = (other[..., None] >= target.cumsum()[:-1]).sum(axis=2)
    return lambda share: np.where(which < share, towards, base)


def smallest_share(reached: Callable[[float], bool], steps: int = 10) -> float | None:
    """The smallest λ from which on the power is reached, by bisection; None where 1 falls short."""
    if not reached(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
