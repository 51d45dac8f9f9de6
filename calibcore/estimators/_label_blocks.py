"""Label sets side by side, given or drawn from probabilities: case by case, as compiled loops take them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.numerics import loops
from calibcore.numerics.resampling import class_edges
from calibcore.numerics.types import Float, Int, Labels

CHUNK = 2_048
"""Cases whose random numbers are held at a time."""
NEVER = 2**32 - 1
LabelBlock = NDArray[np.int8 | np.int16]
"""(n, BLOCK) labels of some label sets, case by case."""


@dataclass(frozen=True)
class RowByRow:
    """(n, m) probabilities that are made when rows are asked for: of many classes all take much memory."""

    rows: Callable[[slice | Int], Float]
    shape: tuple[int, ...]

    def whole(self) -> Float:
        """All of them."""
        out = np.empty(self.shape)

        def fill(rows: slice) -> None:
            out[rows] = self.rows(rows)

        loops.in_threads(fill, loops.cached_blocks(*out.shape))
        return out


def label_kind(m: int) -> type[np.int8] | type[np.int16]:
    """The smallest numbers that hold labels of m classes."""
    return np.int8 if m <= 127 else np.int16


def label_block(
    labels: Labels, order: NDArray[np.integer], kind: type[np.int8] | type[np.int16] = np.int16
) -> LabelBlock:
    """(S ≤ BLOCK, n) labels -> (n, BLOCK), the cases in that order; 0 in place of sets that are not there."""
    block = np.zeros((len(order), BLOCK), kind)
    block[:, : len(labels)] = labels.T[order]
    return block


def thresholds(probs: Float) -> NDArray[np.uint32]:
    """(n, m) -> (n, m − 1) :func:`.class_edges` in steps of 2⁻³²; what has probability 0 is never drawn."""
    return np.minimum(np.ceil(class_edges(probs) * 2.0**32), NEVER).astype(np.uint32)


def drawn_parts(edges: NDArray[np.uint32], rng: np.random.Generator) -> Iterator[tuple[slice, LabelBlock]]:
    """Labels of :data:`BLOCK` label sets, some cases at a time; 32 random bits each.

    Cost O(nm) a set, 2 ns a label.
    """
    for rows in loops.blocks(len(edges), CHUNK):
        part = edges[rows]
        bits = rng.integers(2**64, size=len(part) * BLOCK // 2, dtype=np.uint64).view(np.uint32)
        labels = np.empty((len(part), BLOCK), label_kind(edges.shape[1] + 1))
        _place(part, bits.reshape(labels.shape), np.empty(BLOCK, np.uint32), labels)
        yield rows, labels


def drawn_block(edges: NDArray[np.uint32], rng: np.random.Generator) -> LabelBlock:
    """(n, BLOCK) labels: all of :func:`drawn_parts`."""
    out = np.empty((len(edges), BLOCK), label_kind(edges.shape[1] + 1))
    for part, labels in drawn_parts(edges, rng):
        out[part] = labels
    return out


@loops.compiled
def _place(edges: Any, bits: Any, places: Any, out: Any) -> None:
    """``out[i, s] = #{edges[i] ≤ bits[i, s]}``; the largest number of all stands for the one below."""
    for i in range(len(edges)):
        for s in range(BLOCK):
            places[s] = 0
        for k in range(edges.shape[1]):
            edge = edges[i, k]
            if edge == np.uint32(NEVER):
                break
            for s in range(BLOCK):
                places[s] += bits[i, s] >= edge
        for s in range(BLOCK):
            out[i, s] = places[s]
