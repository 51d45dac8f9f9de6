"""How many of some independent cases are hits: the Poisson-binomial law, convolved from halves."""

from typing import Any

import numpy as np

from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.loops import compiled, compiled_part
from calibcore.numerics.types import Float

_LEAF = 64


@compiled_part
def _trimmed(law: Float, first: Any, dropped: float) -> tuple[int, Float]:
    """Without the ends that hold at most ``dropped`` each."""
    low, high = 0, len(law)
    mass = law[0]
    while mass <= dropped and low < high - 1:
        low += 1
        mass += law[low]
    mass = law[high - 1]
    while mass <= dropped and high > low + 1:
        high -= 1
        mass += law[high - 1]
    return first + low, law[low:high].copy()


@compiled_part
def _leaf(p: Float) -> Float:
    """Case by case: the law of the hits among few."""
    law = np.zeros(len(p) + 1)
    law[0] = 1.0
    for i in range(len(p)):
        miss = 1.0 - p[i]
        for k in range(i + 1, 0, -1):
            law[k] = law[k] * miss + law[k - 1] * p[i]
        law[0] *= miss
    return law


@compiled_part
def _convolved(a: Float, b: Float) -> Float:
    out = np.zeros(len(a) + len(b) - 1)
    for i in range(len(a)):
        for j in range(len(b)):
            out[i + j] += a[i] * b[j]
    return out


@compiled
def hits_window(p: Float, dropped: float) -> tuple[int, Float]:
    """The smallest count that is kept, and the law from there: halves convolved, ends dropped each time."""
    firsts = [0]
    laws = [np.ones(1)]
    leaves = [np.int64(1 << 62)]  # how many leaves a waiting law is made of; the bottom is never merged
    n_leaves = (len(p) + _LEAF - 1) // _LEAF
    end = dropped / (4.0 * max(n_leaves, 1))
    for start in range(n_leaves):
        first, law = _trimmed(_leaf(p[start * _LEAF : (start + 1) * _LEAF]), np.int64(0), end)
        size = np.int64(1)
        while leaves[-1] == size or (start == n_leaves - 1 and len(leaves) > 1):
            first, law = _trimmed(_convolved(laws.pop(), law), firsts.pop() + first, end)
            size += leaves.pop()
        firsts.append(first)
        laws.append(law)
        leaves.append(size)
    return firsts[-1], laws[-1]


def hits_distribution(probabilities: Float) -> Float:
    """Law of the number of hits among independent cases: Poisson-binomial.

    Laws of neighbouring cases are convolved two by two, and each is cut to the counts around
    its mean that hold all but 1e-14 / (4 × number of leaves) of it at either end.

    Parameters
    ----------
    probabilities : (n,) probability of a hit, case by case

    Returns
    -------
    (n + 1,) P(S = 0), …, P(S = n), each, and each sum of them, within 1e-13. Cost O(n log n)
    time with windows of O(√n) counts, 0.1 s for a million; memory O(n).
    """
    # A law cut short lies below the true one everywhere, and so does what it is convolved to: what is
    # missing at the end is at most the sum of what was cut, 2 ends × 2 laws a leaf × 1e-14/(4 leaves).
    # Nothing is subtracted on the way, so every probability that is kept is right but for rounding.
    p = np.ascontiguousarray(probabilities, np.float64)
    first, window = hits_window(loops.read_only(p), 1e-14)
    law = np.zeros(len(p) + 1)
    law[first : first + len(window)] = window / window.sum()
    return law


def quantile_of_counts(law: Float, level: float) -> int:
    """The smallest k with P(S ≤ k) ≥ level; ``law`` as from :func:`hits_distribution`."""
    check_level(level)
    return min(int(np.searchsorted(np.cumsum(law), level - 1e-12)), len(law) - 1)


def check_level(level: float, name: str = "level") -> None:
    """Raises :class:`InputError` unless 0 < level < 1."""
    if not 0 < level < 1:
        raise InputError(f"The {name} is {level:g}; expected a number between 0 and 1.")
