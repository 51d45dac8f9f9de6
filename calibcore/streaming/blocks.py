"""The block estimate of the SKCE (linear: blocks of two) of redrawn labels, some cases at a time."""

from dataclasses import dataclass

import numpy as np

from calibcore.estimators._compiled import compiled
from calibcore.kernels import Kernel
from calibcore.numerics.types import Float, Int, Labels


@dataclass(frozen=True, eq=False)
class BlockPairs:
    """What does not see labels, as in :func:`calibcore.estimators._redraws.in_blocks`, for whole blocks.

    kappa : (size − 1, cases) κ of a case and the one ``1 + lag`` after it; 0 where that is another block's
    kappa_g : (cases, m) ``Σ_j κ_ij M g_j`` over the block's other cases j
    own : (cases,) the same times g_i, of the cases j after i
    """

    size: int
    kappa: Float
    kappa_g: Float
    own: Float
    matrix: Float | None

    @classmethod
    def of(cls, g: Float, kernel: Kernel, size: int) -> "BlockPairs":
        """Of cases in whole blocks of ``size``; cost O(c·size·m)."""
        n, m = g.shape
        M = kernel.matrix_array(m)
        weighted = g if M is None else g @ M
        kappa, kappa_g, own = np.zeros((size - 1, n)), np.zeros((n, m)), np.zeros(n)
        place = np.arange(n) % size
        for lag in range(1, size):
            values = kernel.paired(g[:-lag], g[lag:])
            values[place[:-lag] >= size - lag] = 0.0
            kappa[lag - 1, :-lag] = values
            kappa_g[:-lag] += values[:, None] * weighted[lag:]
            kappa_g[lag:] += values[:, None] * weighted[:-lag]
            own[:-lag] += values * np.einsum("ij,ij->i", g[:-lag], weighted[lag:])
        return cls(size, kappa, kappa_g, own, M)

    def sums(self, labels: Labels) -> Float:
        """(R, c) labels -> (R,) ``Σ h_ij`` over the pairs i < j of the blocks."""
        out = np.full(len(labels), self.own.sum())
        _add_picked(self.kappa_g, labels, out)
        _add_agreements(self.kappa, self.matrix, labels, out)
        return out

    def terms(self, labels: Int) -> Float:
        """(c,) labels -> (blocks,) the unbiased estimate of each block."""
        sums = self.own - self.kappa_g[np.arange(len(labels)), labels]
        M = np.eye(self.kappa_g.shape[1]) if self.matrix is None else self.matrix
        for lag in range(1, self.size):
            sums[:-lag] += self.kappa[lag - 1, :-lag] * M[labels[:-lag], labels[lag:]]
        return np.asarray(sums.reshape(-1, self.size).sum(axis=1) / (self.size * (self.size - 1) / 2))


@compiled
def _add_picked(values: Float, labels: Labels, out: Float) -> None:
    for b in range(labels.shape[0]):
        total = 0.0
        if values.shape[1] == 2:  # without looking up, so that many cases are added at a time
            for i in range(labels.shape[1]):
                total += values[i, 1] if labels[b, i] else values[i, 0]
        else:
            for i in range(labels.shape[1]):
                total += values[i, labels[b, i]]
        out[b] -= total


@compiled
def _add_agreements(kappa: Float, M: Float | None, labels: Labels, out: Float) -> None:
    for b in range(labels.shape[0]):
        total = 0.0
        for lag in range(1, kappa.shape[0] + 1):
            if M is None:  # decided when it is compiled
                for i in range(labels.shape[1] - lag):
                    total += kappa[lag - 1, i] if labels[b, i] == labels[b, i + lag] else 0.0
            else:
                for i in range(labels.shape[1] - lag):
                    total += kappa[lag - 1, i] * M[labels[b, i], labels[b, i + lag]]
        out[b] += total
