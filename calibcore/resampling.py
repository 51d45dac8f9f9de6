"""Drawing labels from predictions, and the law of how many of them hit.

Under calibration the label of a case is a draw from its own prediction. Labels
are always drawn from row/sum, so that rows that sum to 1.000001 draw from a
probability.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from calibcore import _compiled, _counts, _laws
from calibcore.distances import total_variation
from calibcore.draws import Labels, uniform
from calibcore.nulls import Identity, Null
from calibcore.predictions import Float, InputError, Int, Predictions, pooled_labels

_BLOCK_BYTES = 32_000_000
_CACHE_BYTES = 256_000
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
    edges = _edges_in_threads(null.probs(cases))
    block = max(1, _BLOCK_BYTES // max(8 * cases.n, predictions.n))
    block -= block % min(block, _compiled.LANES)
    for start in range(0, n_resamples, block):
        labels = _pick(edges, uniform(rng, (min(block, n_resamples - start), cases.n)))
        yield labels if cases is predictions else pooled_labels(labels, cases.m)


def draw_labels(probs: Float, rng: np.random.Generator) -> Int:
    """(n, m) -> (n,) one label a row, drawn from row/sum."""
    return np.asarray(_pick(class_edges(probs), rng.random((1, len(probs))))[0], np.int64)


def redrawn_counts(probs: Float, n_resamples: int, rng: np.random.Generator) -> Int:
    """(n, m) -> (B, m) how often each class happens in redraws of all n labels: Poisson-multinomial.

    Cost O(n m) a draw: 3 ns a case for 3 classes. Memory O(n m), 1 MB for the draws or one draw.
    """
    n, m = probs.shape
    edges = np.ascontiguousarray(class_edges(probs).T)
    beyond = np.zeros((n_resamples, m + 1), np.int64)  # labels ≥ k
    beyond[:, 0] = n
    block = max(1, _CACHED // n)
    for start in range(0, n_resamples, block):
        u = rng.random((min(block, n_resamples - start), n))
        _counts.at_least(u, edges, beyond[start : start + block, 1:])
    return beyond[:, :-1] - beyond[:, 1:]


def redrawn_distances(probs: Float, mean: Float, n_resamples: int, rng: np.random.Generator) -> Float:
    """(B,) total variation between how often classes happen in redraws of all n labels and ``mean (m,)``.

    Of the counts of :func:`redrawn_counts` with a generator in the same state, but over many classes without
    a table of them: O(n log m) a draw, 20 ns a case for 1,000 classes.
    """
    n, m = probs.shape
    if m - 1 <= _compiled.FEW_EDGES:
        return total_variation(redrawn_counts(probs, n_resamples, rng) / n, mean)
    edges, found = class_edges(probs), np.empty((n_resamples, 1))
    rows, total = np.arange(n), mean.sum(keepdims=True)
    start, size = np.zeros(1, np.int64), np.full(1, n)
    block = max(_compiled.LANES, _CACHED // n)
    for first in range(0, n_resamples, block):
        u = rng.random((min(block, n_resamples - first), n))
        labels = np.empty(u.shape, np.int16)
        _compiled.pick(edges, u, labels)
        some = _compiled.read_only(labels), rows, start, size, _compiled.read_only(mean[None]), total
        _counts.add_distances(*some, found[first : first + block])
    return 0.5 * found[:, 0]


def _edges_in_threads(probs: Float) -> Float:
    """:func:`class_edges`, some rows at a time."""
    n, m = probs.shape
    edges = np.empty((n, m - 1))

    def fill(rows: slice) -> None:
        edges[rows] = class_edges(probs[rows])

    _compiled.in_threads(fill, _compiled.blocks(n, max(1, _CACHED // m)))
    return edges


def class_edges(probs: Float) -> Float:
    """(n, m − 1) inner edges of the classes on [0, 1]; exactly 1 from the last possible class on."""
    sums = np.cumsum(probs, axis=1)
    return np.asarray(sums[:, :-1] / sums[:, -1:])


def _pick(edges: Float, u: Float) -> Labels:
    labels = np.empty(u.shape, np.int8 if edges.shape[1] < 127 else np.int16)
    # So few cases at a time that their edges stay in the cache over all redraws.
    cases = max(64, _CACHE_BYTES // (8 * edges.shape[1]))
    _compiled.in_threads(
        lambda some: _compiled.pick(edges, u, labels, some),
        _compiled.blocks(len(edges), cases),
    )
    return labels


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
    first, window = _laws.hits_window(_compiled.read_only(p), 1e-14)
    law = np.zeros(len(p) + 1)
    law[first : first + len(window)] = window / window.sum()
    return law


def first_class_chances(probs: Float) -> Float:
    """(n, m) -> (n,) the chance of the first class, from row/sum."""
    return np.asarray(probs[:, 0] / probs.sum(axis=1))


def drawn_counts(cumulated: Sequence[Float], n_resamples: int, rng: np.random.Generator) -> Int:
    """(n_resamples, L) counts from L cumulated laws, independent of each other."""
    u = rng.random((n_resamples, len(cumulated)))
    counts = np.empty(u.shape, np.int64)
    for b, law in enumerate(cumulated):
        last = np.searchsorted(law, law[-1])  # a product that rounds up goes no further
        counts[:, b] = np.minimum(np.searchsorted(law, u[:, b] * law[-1], side="right"), last)
    return counts


def quantile_of_counts(law: Float, level: float) -> int:
    """The smallest k with P(S ≤ k) ≥ level; ``law`` as from :func:`hits_distribution`."""
    check_level(level)
    return min(int(np.searchsorted(np.cumsum(law), level - 1e-12)), len(law) - 1)


def check_level(level: float) -> None:
    """Raises :class:`InputError` unless 0 < level < 1."""
    if not 0 < level < 1:
        raise InputError(f"The level is {level:g}; expected a number between 0 and 1.")
