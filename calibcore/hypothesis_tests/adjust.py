"""p-values of several tests, adjusted for their number."""

from collections.abc import Sequence

import numpy as np

from calibcore.predictions import Float


def holm(pvalues: Sequence[float] | Float) -> Float:
    """Holm's adjusted p-values (1979): the k-th smallest of L times L − k + 1, kept rising, at most 1."""
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
