"""The law of how many of some cases are hits, convolved from halves: compiled."""

import numpy as np

from calibcore.numerics.loops import compiled
from calibcore.numerics.types import Float

_LEAF = 64


@compiled
def _trimmed(law: Float, first: int, dropped: float) -> tuple[int, Float]:
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


@compiled
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


@compiled
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
        first, law = _trimmed(_leaf(p[start * _LEAF : (start + 1) * _LEAF]), 0, end)
        size = np.int64(1)
        while leaves[-1] == size or (start == n_leaves - 1 and len(leaves) > 1):
            first, law = _trimmed(_convolved(laws.pop(), law), firsts.pop() + first, end)
            size += leaves.pop()
        firsts.append(first)
        laws.append(law)
        leaves.append(size)
    return firsts[-1], laws[-1]
