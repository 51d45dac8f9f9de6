"""How often classes happen in redrawn labels, and what is made of it without keeping it: compiled."""

import numpy as np

from calibcore.numerics.loops import compiled
from calibcore.numerics.types import Float, Int, Labels


@compiled
def add_distances(
    labels: Labels, rows: Int, starts: Int, counts: Int, mean: Float, totals: Float, out: Float
) -> None:
    """``out[s, b] = Σ_k |hits_k/counts_b − mean_bk|`` of the set s of ``labels (S, n)``.

    Only classes that happened in a bin are looked at; ``totals (n_bins,)`` is what ``mean`` adds up to.
    ``rows (n,)`` are the cases, bin after bin.
    """
    hits = np.zeros(mean.shape[1], np.int64)
    for b in range(len(counts)):
        for s in range(labels.shape[0]):
            for i in range(starts[b], starts[b] + counts[b]):
                hits[labels[s, rows[i]]] += 1
            far = totals[b]
            for i in range(starts[b], starts[b] + counts[b]):
                k = labels[s, rows[i]]
                if hits[k] > 0:
                    far += abs(hits[k] / counts[b] - mean[b, k]) - mean[b, k]
                    hits[k] = 0
            out[s, b] = far
