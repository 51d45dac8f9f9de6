"""Label sets drawn from probabilities, some side by side: case after case, as compiled loops take them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.numerics import loops
from calibcore.numerics.resampling import class_edges
from calibcore.numerics.types import Float

CHUNK = 2_048
"""Cases whose random numbers are held at a time."""
NEVER = 2**32 - 1
_FEW_EDGES = 32


def thresholds(probs: Float) -> NDArray[np.uint32]:
    """(n, m) -> (n, m − 1) :func:`.class_edges` in steps of 2⁻³²; what has probability 0 is never drawn."""
    return np.minimum(np.ceil(class_edges(probs) * 2.0**32), NEVER).astype(np.uint32)


def drawn_block(edges: NDArray[np.uint32], rng: np.random.Generator) -> NDArray[Any]:
    """(n, BLOCK) labels of :data:`BLOCK` label sets, 32 random bits each. Cost O(nm) a set, 2 ns a label."""
    n = len(edges)
    out = np.empty((n, BLOCK), np.int8 if edges.shape[1] < 127 else np.int16)
    for start in range(0, n, CHUNK):
        some = edges[start : start + CHUNK]
        bits = rng.integers(2**64, size=len(some) * BLOCK // 2, dtype=np.uint64).view(np.uint32)
        place = _place if edges.shape[1] <= _FEW_EDGES else _find
        place(some, bits.reshape(len(some), BLOCK), out[start : start + CHUNK])
    return out


@loops.compiled
def _place(edges: Any, bits: Any, out: Any) -> None:
    """``out[i, s] = #{edges[i] ≤ bits[i, s]}``; the largest number of all stands for the one below."""
    places = np.empty(BLOCK, np.uint32)
    for i in range(len(edges)):
        for s in range(BLOCK):
            places[s] = 0
        for k in range(edges.shape[1]):
            edge = edges[i, k]
            for s in range(BLOCK):
                places[s] += (bits[i, s] >= edge) & (edge != np.uint32(NEVER))
        for s in range(BLOCK):
            out[i, s] = places[s]


@loops.compiled
def _find(edges: Any, bits: Any, out: Any) -> None:
    """:func:`_place` by halving."""
    for i in range(len(edges)):
        last = edges.shape[1]
        while last > 0 and edges[i, last - 1] == np.uint32(NEVER):
            last -= 1
        for s in range(BLOCK):
            low, high = 0, last
            while low < high:
                middle = (low + high) // 2
                if edges[i, middle] <= bits[i, s]:
                    low = middle + 1
                else:
                    high = middle
            out[i, s] = low
