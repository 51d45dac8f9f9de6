"""How far off the probabilities typically are, in plain units: the typical gap with its interval."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import Binning, MedianVarianceBinning
from calibcore.diagram.bins import bins_of
from calibcore.diagram.gap_sizes import NORMAL, Frequencies, Interval, frequencies, wider
from calibcore.numerics import loops
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int
from calibcore.transforms.lenses import TopKLens

SMALLEST_BIN = 20
"""Cases that splitting a bin of three and more classes leaves on either side, where there are enough."""


def gaps_of(
    predictions: Predictions, binning: Binning, unit: Int | None = None
) -> tuple[Interval, tuple[Frequencies, ...]]:
    """The typical gap of what a lens made, and the :func:`frequencies` of its classes."""
    classes = frequencies(predictions, unit)
    return typical_gap(predictions, binning, classes, unit), classes


def typical_gap(
    predictions: Predictions, binning: Binning, classes: Sequence[Frequencies], unit: Int | None = None
) -> Interval:
    """``√max(0, U/2)``, U the pairwise estimate of the squared binned error; its interval is approximate.

    Of three and more classes cases share a bin only if the model ranks the same class first: else what it
    says too often of one class would be made up for by what it says of another. Within those they are
    median-variance bins of 20 cases or more (of fewer than 100 cases a fifth), split between equal values
    too: in bins of single cases nothing can be seen. The variance of U is that of U-statistics in fixed
    bins, with the covariance of the sample or, if larger, of calibration. The upper limit is at least what
    the signed gaps of ``classes``, as from :func:`frequencies`, and that of the confidence may be by their
    intervals; the lower at least what the confidence, or the one gap of two classes, is off by its own, as a
    root mean square is no less than a mean. Cost O(nm log n), and O(nm·min(m, cases in a bin)) for three and
    more classes.

    With ``unit``, as of :func:`frequencies`, U is of pairs of different units, which what rows of one have in
    common does not bias, and its variance is the jackknife's over units or, if larger, that of single rows.
    """
    refuse_weights(predictions)
    m = predictions.m
    signed = list(classes)
    if m > 2:
        signed += frequencies(TopKLens(1)(predictions), unit)
    parts = gap_bins(predictions, binning)
    u, variance = _pairwise(predictions, parts)
    if unit is not None:
        u, of_units = _across_units(predictions, parts, unit)
        variance = max(variance, of_units)
    half = NORMAL * math.sqrt(variance)
    value, low, high = (math.sqrt(max(0.0, x) / 2) for x in (u, u - half, u + half))
    # A gap of one class is made up for by the others: ½‖gap‖² is at least ½·gap_c²·m/(m − 1).
    share = math.sqrt(m / (2 * (m - 1)))
    most = share * max(max(-one.gap.low, one.gap.high) for one in signed)
    least = share * max(signed[-1].gap.low, -signed[-1].gap.high)
    return Interval(value, min(value, max(low, least)), min(1.0, max(value, high, most)))


def gap_bins(predictions: Predictions, binning: Binning) -> Sequence[Int]:
    """The rows of each bin that the :func:`typical_gap` looks at; ``binning`` makes those of two classes."""
    if predictions.m == 2:
        return bins_of(predictions.probs, binning).groups
    return _parts(predictions.probs, smallest_bin(predictions.n))


def smallest_bin(n: int) -> int:
    """Cases that splitting a bin of three and more classes leaves on either side, of ``n``."""
    return max(2, min(SMALLEST_BIN, n // 5))


def _parts(probs: Float, least: int) -> list[Int]:
    """The rows of each bin of three or more classes. Classes that are first but once share a bin."""
    first = likeliest(probs)
    alone = np.bincount(first, minlength=probs.shape[1])[first] == 1
    first[alone] = -1
    order = np.argsort(first, kind="stable")
    alike = np.split(order, np.flatnonzero(np.diff(first[order])) + 1)
    return [rows[part] for rows in alike for part in _split(probs[rows], least)]


def _split(probs: Float, least: int) -> list[Int]:
    """The rows of median-variance bins, and of their parts where equal values at the median stopped them."""
    waiting, final = bins_of(probs, MedianVarianceBinning(least)).groups, []
    while waiting:
        rows = waiting.pop()
        below = _side(probs[rows], least)
        if below is None:
            final.append(rows)
        else:
            waiting += [rows[below], rows[~below]]
    return final


def _side(g: Float, least: int) -> NDArray[np.bool_] | None:
    """(n,) which side of a split beside the median, of the widest component that leaves ``least`` on both."""
    n = len(g)
    if n < 2 * least:
        return None
    for c in np.argsort(-g.var(axis=0), kind="stable"):
        median = np.partition(g[:, c], n // 2)[n // 2]
        for below in (g[:, c] < median, g[:, c] <= median):
            if least <= np.count_nonzero(below) <= n - least:
                return np.asarray(below)
    return None


def _pairwise(predictions: Predictions, parts: Sequence[Int]) -> tuple[float, float]:
    """U and an estimate of its variance."""
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    u = variance = 0.0
    for rows in parts:
        size = len(rows)
        if size < 2:
            continue
        share = size / predictions.n
        pairs, chance, linear = _of_bin(g, y, rows)
        u += share * pairs
        linear = max(0.0, linear - chance / size)
        variance += share**2 * (4 * linear / size + 2 * chance / (size * (size - 1)))
    return u, variance


def _across_units(predictions: Predictions, parts: Sequence[Int], unit: Int) -> tuple[float, float]:
    """U over pairs of rows of different units, and its variance by leaving out one unit after the other.

    Shares of bins stay those of all rows.
    """
    off = predictions.onehot() - predictions.probs
    many = int(unit.max()) + 1
    u, left_out = 0.0, np.zeros(many)
    for rows in parts:
        share = len(rows) / predictions.n
        there, of = np.unique(unit[rows], return_inverse=True)
        sums, sizes = np.zeros((len(there), predictions.m)), np.bincount(of).astype(np.float64)
        np.add.at(sums, of, off[rows])
        total, own = sums.sum(axis=0), np.square(sums).sum(axis=1)
        pairs = float(total @ total - own.sum())
        number = len(rows) ** 2 - float(np.square(sizes).sum())
        if number <= 0:
            continue
        u += share * pairs / number
        without = np.square(total - sums).sum(axis=1) - (own.sum() - own)
        left = (len(rows) - sizes) ** 2 - (np.square(sizes).sum() - np.square(sizes))
        found = np.divide(without, left, out=np.full(len(there), pairs / number), where=left > 0)
        left_out[there] += share * (found - pairs / number)
    apart = left_out - left_out.mean()
    return u, wider(many) * (many - 1) / many * float(np.square(apart).sum())


@loops.compiled
def _of_bin(g: Float, y: Int, rows: Int) -> tuple[float, float, float]:
    """The pairwise estimate in a bin, and ‖C‖² and meanᵀC mean of the larger of two covariances.

    They are that of the sample and ``Σ_i (diag(p_i) − p_i p_iᵀ)/size``.
    """
    size, m = len(rows), g.shape[1]
    p, off = np.empty((size, m)), np.empty((size, m))
    total, said, squares = np.zeros(m), np.zeros(m), np.zeros(m)
    own = 0.0
    for i in range(size):
        for k in range(m):
            p[i, k] = g[rows[i], k]
            off[i, k] = -p[i, k]
            said[k] += p[i, k]
            squares[k] += p[i, k] ** 2
        off[i, y[rows[i]]] += 1.0
        for k in range(m):
            total[k] += off[i, k]
            own += off[i, k] ** 2
    mean, said = total / size, said / size
    sample = expected = 0.0
    for i in range(size):
        along = shared = 0.0
        for k in range(m):
            off[i, k] -= mean[k]
            along += off[i, k] * mean[k]
            shared += p[i, k] * mean[k]
        sample += along**2
        expected += shared**2
    pairs = ((total**2).sum() - own) / (size * (size - 1))
    chance = max(
        _gram(off) / (size - 1) ** 2,
        (said**2).sum() - 2 * (squares * said).sum() / size + _gram(p) / size**2,
    )
    return pairs, chance, max(sample / (size - 1), (said * mean**2).sum() - expected / size)


@loops.compiled
def _gram(x: Float) -> float:
    """``‖xᵀx‖² = ‖xxᵀ‖²``, by the smaller of the two."""
    small = np.dot(x, x.T) if x.shape[0] < x.shape[1] else np.dot(x.T, x)
    return float((small**2).sum())
