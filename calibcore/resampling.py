"""Drawing labels from predictions, and the law of how many of them hit.

Under calibration the label of a case is a draw from its own prediction. Labels
are always drawn from row/sum, so that rows that sum to 1.000001 draw from a
probability.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, rfft

from calibcore.nulls import Identity, Null
from calibcore.predictions import Float, InputError, Int, Predictions, pooled_labels

Labels = NDArray[np.int8] | NDArray[np.int16]
_BLOCK_BYTES = 32_000_000
_CACHED = 100_000
"""Numbers that stay in a processor's cache."""


def redrawn_labels(
    predictions: Predictions, n_resamples: int, rng: np.random.Generator, null: Null = Identity()
) -> Iterator[Labels]:
    """Labels drawn from the fixed predictions, in blocks (b, n) that add up to ``n_resamples`` rows.

    ``null`` says from which probabilities. Of pooled predictions the cases' labels are drawn and then
    pooled. The draws do not depend on the size of the blocks. Cost O(n m) a draw, memory 32 MB or one draw.
    """
    cases = predictions.cases
    edges = _cumulative(null.probs(cases))
    block = max(1, _BLOCK_BYTES // max(8 * cases.n, predictions.n))
    for start in range(0, n_resamples, block):
        labels = _pick(edges, rng.random((min(block, n_resamples - start), cases.n)))
        yield labels if cases is predictions else pooled_labels(labels, cases.m)


def draw_labels(probs: Float, rng: np.random.Generator) -> Int:
    """(n, m) -> (n,) one label a row, drawn from row/sum."""
    return np.asarray(_pick(_cumulative(probs), rng.random((1, len(probs))))[0], np.int64)


def redrawn_counts(probs: Float, n_resamples: int, rng: np.random.Generator) -> Int:
    """(n, m) -> (B, m) how often each class happens in redraws of all n labels: Poisson-multinomial.

    Cost O(n m) a draw: 3 ns a case for 3 classes. Memory O(n m), 1 MB for the draws or one draw.
    """
    n, m = probs.shape
    edges = _cumulative(probs)
    beyond = np.zeros((n_resamples, m + 1), np.int64)  # labels ≥ k
    beyond[:, 0] = n
    block = max(1, _CACHED // n)
    for start in range(0, n_resamples, block):
        u = rng.random((min(block, n_resamples - start), n))
        for k, edge in enumerate(edges, start=1):
            beyond[start : start + block, k] = np.count_nonzero(u >= edge, axis=1)
    return beyond[:, :-1] - beyond[:, 1:]


def _cumulative(probs: Float) -> Float:
    """(m − 1, n) inner edges of the classes on [0, 1]; exactly 1 from the last possible class on."""
    edges = np.cumsum(probs, axis=1)
    edges /= edges[:, -1:]
    return np.ascontiguousarray(edges[:, :-1].T)


def _pick(edges: Float, u: Float) -> Labels:
    labels = np.zeros(u.shape, np.int8 if len(edges) < 127 else np.int16)
    for edge in edges:
        labels += u >= edge
    return labels


def hits_distribution(probabilities: Float) -> Float:
    """Law of the number of hits among independent cases: Poisson-binomial, exact.

    Products of the cases' generating polynomials, two by two, by FFT.

    Parameters
    ----------
    probabilities : (n,) probability of a hit, case by case

    Returns
    -------
    (n + 1,) P(S = 0), …, P(S = n), each within about 1e-15. Cost O(n log² n).
    """
    n = len(probabilities)
    size = 1 << max(0, n - 1).bit_length()
    p = np.zeros(size)
    p[:n] = probabilities
    rows = np.column_stack([1 - p, p])
    while len(rows) > 1:
        left, right = rows[0::2], rows[1::2]
        width = left.shape[1] + right.shape[1] - 1
        padded = 1 << (width - 1).bit_length()
        rows = irfft(rfft(left, padded) * rfft(right, padded), padded)[:, :width]
    law = np.clip(rows[0, : n + 1], 0.0, 1.0)
    return np.asarray(law / law.sum())


def quantile_of_counts(law: Float, level: float) -> int:
    """The smallest k with P(S ≤ k) ≥ level; ``law`` as from :func:`hits_distribution`."""
    check_level(level)
    return min(int(np.searchsorted(np.cumsum(law), level - 1e-12)), len(law) - 1)


def check_level(level: float) -> None:
    """Raises :class:`InputError` unless 0 < level < 1."""
    if not 0 < level < 1:
        raise InputError(f"The level is {level:g}; expected a number between 0 and 1.")
