"""Random numbers side by side for compiled loops: PCG64 in lanes, each a stream of its own (O'Neill 2014)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.numerics.drawn_hits import HIGH, LOW, UNIT, times_plus, word
from calibcore.numerics.loops import compiled_part

Lanes = NDArray[np.uint64]
"""(5, 4) halves of a state, and of what is added to it."""


def lanes(rng: np.random.Generator) -> Lanes:
    """Five lanes from where a generator stands."""
    out = rng.integers(2**64, size=(5, 4), dtype=np.uint64)
    out[:, 3] |= np.uint64(1)
    return out


@compiled_part
def next_words(lanes: Any, out: Any, further: Any) -> None:
    """``out (n, 4q)``, words of four lanes in turn, and ``further (n,)``, a word of the fifth a row."""
    h0, l0, a0, b0 = lanes[0, 0], lanes[0, 1], lanes[0, 2], lanes[0, 3]
    h1, l1, a1, b1 = lanes[1, 0], lanes[1, 1], lanes[1, 2], lanes[1, 3]
    h2, l2, a2, b2 = lanes[2, 0], lanes[2, 1], lanes[2, 2], lanes[2, 3]
    h3, l3, a3, b3 = lanes[3, 0], lanes[3, 1], lanes[3, 2], lanes[3, 3]
    h4, l4, a4, b4 = lanes[4, 0], lanes[4, 1], lanes[4, 2], lanes[4, 3]
    for i in range(len(out)):
        for j in range(0, out.shape[1], 4):
            h0, l0 = times_plus(h0, l0, HIGH, LOW, a0, b0)
            h1, l1 = times_plus(h1, l1, HIGH, LOW, a1, b1)
            h2, l2 = times_plus(h2, l2, HIGH, LOW, a2, b2)
            h3, l3 = times_plus(h3, l3, HIGH, LOW, a3, b3)
            out[i, j], out[i, j + 1] = word(h0, l0), word(h1, l1)
            out[i, j + 2], out[i, j + 3] = word(h2, l2), word(h3, l3)
        h4, l4 = times_plus(h4, l4, HIGH, LOW, a4, b4)
        further[i] = word(h4, l4)
    lanes[0, 0], lanes[0, 1], lanes[1, 0], lanes[1, 1] = h0, l0, h1, l1
    lanes[2, 0], lanes[2, 1], lanes[3, 0], lanes[3, 1] = h2, l2, h3, l3
    lanes[4, 0], lanes[4, 1] = h4, l4


@compiled_part
def number_at(seed: Any, place: Any) -> float:
    """A number between 0 and 1 of a word, one for each place (SplitMix64, Steele et al. 2014)."""
    z = seed + np.uint64(place + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * UNIT
