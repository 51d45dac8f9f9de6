"""The block estimate of the SKCE (linear: blocks of two) of redrawn labels, a slice of cases at a time."""

from dataclasses import dataclass

import numpy as np

from calibcore import _compiled
from calibcore.estimators._redraws import within_blocks
from calibcore.kernels import Kernel
from calibcore.predictions import Float, Int
from calibcore.resampling import Labels


@dataclass(frozen=True, eq=False)
class BlockPairs:
    """What does not see labels: as in :func:`calibcore.estimators._redraws.in_blocks`, block by block.

    kappa : (blocks, s(s−1)/2) κ of the pairs of a block, those of neighbours first
    kappa_g : (cases, m) ``Σ_j κ_ij M g_j`` over the block's other cases j
    own : (blocks,) ``Σ_{i<j} κ_ij ⟨g_i, M g_j⟩``
    """

    size: int
    kappa: Float
    kappa_g: Float
    own: Float
    matrix: Float
    identity: bool

    @classmethod
    def of(cls, g: Float, kernel: Kernel, size: int) -> "BlockPairs":
        """Of the whole blocks of ``size`` cases that ``g`` begins with; cost O(c·size·m)."""
        blocks, m = len(g) // size, g.shape[1]
        last = blocks * size
        M = kernel.matrix_array(m)
        weighted = g if M is None else g @ M
        kappa = np.empty((blocks, size * (size - 1) // 2))
        kappa_g, own = np.zeros((last, m)), np.zeros(blocks)
        at = 0
        for lag in range(1, size):
            left = within_blocks(last, size, lag)
            found = kernel.paired(g[left], g[left + lag])
            kappa_g[left] += found[:, None] * weighted[left + lag]
            kappa_g[left + lag] += found[:, None] * weighted[left]
            products = found * np.einsum("ij,ij->i", g[left], weighted[left + lag])
            own += products.reshape(blocks, size - lag).sum(axis=1)
            kappa[:, at : at + size - lag] = found.reshape(blocks, size - lag)
            at += size - lag
        return cls(size, kappa, kappa_g, own, np.eye(m) if M is None else M, M is None)

    @property
    def cases(self) -> int:
        """Cases in whole blocks."""
        return len(self.kappa_g)

    def sums(self, cases: slice, labels: Labels) -> Float:
        """(R, c) labels of ``cases``, which are whole blocks -> (R,) ``Σ h_ij`` over their pairs."""
        blocks = slice(cases.start // self.size, cases.stop // self.size)
        out = np.full(len(labels), self.own[blocks].sum())
        _add_sums(self.size, self.kappa[blocks], self.kappa_g[cases], self.matrix, self.identity, labels, out)
        return out

    def terms(self, labels: Int) -> Float:
        """(cases,) labels -> (blocks,) the unbiased estimate of each block."""
        out = self.own.copy()
        _add_terms(self.size, self.kappa, self.kappa_g, self.matrix, labels, out)
        return out / (self.size * (self.size - 1) / 2)


@_compiled.compiled
def _add_terms(size: int, kappa: Float, kappa_g: Float, M: Float, labels: Int, out: Float) -> None:
    for block in range(kappa.shape[0]):
        start, at = block * size, 0
        for i in range(start, start + size):
            out[block] -= kappa_g[i, labels[i]]
        for lag in range(1, size):
            for i in range(start, start + size - lag):
                out[block] += kappa[block, at] * M[labels[i], labels[i + lag]]
                at += 1


@_compiled.compiled
def _add_sums(
    size: int, kappa: Float, kappa_g: Float, M: Float, identity: bool, labels: Labels, out: Float
) -> None:
    for b in range(labels.shape[0]):
        total = 0.0
        for i in range(labels.shape[1]):
            total -= kappa_g[i, labels[b, i]]
        for block in range(kappa.shape[0]):
            start, at = block * size, 0
            for lag in range(1, size):
                for i in range(start, start + size - lag):
                    if identity:
                        total += kappa[block, at] if labels[b, i] == labels[b, i + lag] else 0.0
                    else:
                        total += kappa[block, at] * M[labels[b, i], labels[b, i + lag]]
                    at += 1
        out[b] += total


def pairs_in_blocks(n: int, size: int) -> int:
    """Pairs within the whole blocks of ``n`` cases."""
    return (n - n % size) * (size - 1) // 2
