"""Labels and counts drawn from probabilities, which are row/sum: rows may sum to 1.000001."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from calibcore.errors import InputError
from calibcore.numerics import loops, picking
from calibcore.numerics.distances import total_variation
from calibcore.numerics.drawn_hits import drawn_hits
from calibcore.numerics.types import Float, Int, Labels

_CACHE_BYTES = 256_000
_CACHED = 100_000
"""Numbers that stay in a processor's cache."""
_TOGETHER, _AT_A_TIME = 512, 1 << 20
"""Redraws that share a case's edges while they are near, and numbers that are drawn for them at most."""


def check_redraws(n_resamples: int) -> None:
    """Raises :class:`InputError` for fewer than 1 redraw."""
    if n_resamples < 1:
        raise InputError(f"The number of redraws is {n_resamples}; expected 1 or more.")


def draw_labels(probs: Float, rng: np.random.Generator) -> Int:
    """(n, m) -> (n,) one label a row, drawn from row/sum."""
    return np.asarray(pick(class_edges(probs), rng.random((1, len(probs))))[0], np.int64)


def redrawn_counts(probs: Float, n_resamples: int, rng: np.random.Generator) -> Int:
    """(n, m) -> (B, m) how often each class happens in redraws of all n labels: Poisson-multinomial.

    Cost O(n m) a draw: 2.5 ns a case for 3 classes. Memory O(n m).
    """
    return drawn_hits(class_edges(probs), np.zeros(len(probs), np.int64), 1, n_resamples, rng)[:, 0]


def redrawn_distances(probs: Float, mean: Float, n_resamples: int, rng: np.random.Generator) -> Float:
    """(B,) total variation between how often classes happen in redraws of all n labels and ``mean (m,)``.

    Of the counts of :func:`redrawn_counts` with a generator in the same state, but over many classes without
    a table of them: O(n) a draw after O(nm), 10 ns a case.
    """
    n, m = probs.shape
    if m - 1 <= picking.FEW_EDGES:
        return total_variation(redrawn_counts(probs, n_resamples, rng) / n, mean)
    edges, distances = class_edges(probs), np.empty((n_resamples, 1))
    find = picking.pick if n_resamples < m else partial(picking.pick_guided, picking.guided(edges))
    rows, start, size = np.arange(n), np.zeros(1, np.int64), np.full(1, n)
    block = min(max(picking.LANES, min(_TOGETHER, _AT_A_TIME // n)), n_resamples)
    u, labels = np.empty((block, n)), np.empty((block, n), np.int16)
    for first in range(0, n_resamples, block):
        many = min(block, n_resamples - first)
        rng.random(out=u[:many])
        find(edges, u[:many], labels[:many])
        distances[first : first + many] = distances_of(labels[:many], rows, start, size, mean[None])
    return distances[:, 0]


def distances_of(labels: Labels, rows: Int, starts: Int, counts: Int, mean: Float) -> Float:
    """(S, n) labels -> (S, n_bins) total variation, as :func:`.loops.add_distances` takes many classes."""
    out, mean = np.empty((len(labels), len(counts))), loops.read_only(mean)
    loops.add_distances(loops.read_only(labels), rows, starts, counts, mean, mean.sum(axis=1), out)
    return 0.5 * out


def edges_in_threads(probs: Float) -> Float:
    """:func:`class_edges`, some rows at a time."""
    n, m = probs.shape
    edges = np.empty((n, m - 1))

    def fill(rows: slice) -> None:
        edges[rows] = class_edges(probs[rows])

    loops.in_threads(fill, loops.blocks(n, max(1, _CACHED // m)))
    return edges


def class_edges(probs: Float) -> Float:
    """(n, m − 1) inner edges of the classes on [0, 1]; exactly 1 from the last possible class on."""
    sums = np.cumsum(probs, axis=1)
    return np.asarray(sums[:, :-1] / sums[:, -1:])


def pick(edges: Float, u: Float) -> Labels:
    labels = np.empty(u.shape, np.int8 if edges.shape[1] < 127 else np.int16)
    # So few cases at a time that their edges stay in the cache over all redraws.
    cases = max(64, _CACHE_BYTES // (8 * edges.shape[1]))
    loops.in_threads(lambda part: picking.pick(edges, u, labels, part), loops.blocks(len(edges), cases))
    return labels


def first_class_chances(probs: Float) -> Float:
    """(n, m) -> (n,) the chance of the first class, from row/sum."""
    return np.asarray(probs[:, 0] / loops.row_sums(probs))


def drawn_counts(cumulated: Sequence[Float], n_resamples: int, rng: np.random.Generator) -> Int:
    """(n_resamples, L) counts from L cumulated laws, independent of each other."""
    u = rng.random((n_resamples, len(cumulated)))
    counts = np.empty(u.shape, np.int64)
    for b, law in enumerate(cumulated):
        last = np.searchsorted(law, law[-1])  # a product that rounds up goes no further
        counts[:, b] = np.minimum(np.searchsorted(law, u[:, b] * law[-1], side="right"), last)
    return counts
