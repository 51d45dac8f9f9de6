"""How large a miscalibration is, in plain units: signed gaps, the typical gap, natural frequencies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.binning import Binning, MedianVarianceBinning
from calibcore.diagram.bins import bins_of
from calibcore.diagram.frequency_intervals import clopper_pearson
from calibcore.numerics import loops
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int
from calibcore.transforms.lenses import TopKLens

NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal law."""
_HALVINGS = 30
_TOGETHER, _LANES = 8, 16
SMALLEST_BIN = 20
"""Cases that splitting a bin of three and more classes leaves on either side, where there are enough."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval, as probabilities."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Frequencies:
    """How often a class of the lens was predicted and happened.

    Attributes
    ----------
    class_name : of the lens
    said, happened : mean prediction and observed share over all cases
    gap : said − happened with its interval; positive where the model says it too often
    hits, n : whole counts: it happened in ``hits`` of ``n`` cases
    """

    class_name: str
    said: float
    happened: float
    gap: Interval
    hits: int
    n: int

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Frequencies":
        """From JSON, as :func:`dataclasses.asdict` gives it."""
        return cls(**(dict(document) | {"gap": Interval(**document["gap"])}))


@dataclass(frozen=True)
class ClassFrequencies:
    """A class in whole cases, in both directions.

    Attributes
    ----------
    happened : cases in which it happened, of ``n``
    mean_prediction : over all cases
    called : cases whose most likely class it is, ties to the lower index
    called_and_happened : of these, cases in which it happened
    mean_when_called : mean prediction where it is called; None where it never is
    """

    class_name: str
    n: int
    happened: int
    mean_prediction: float
    called: int
    called_and_happened: int
    mean_when_called: float | None

    @property
    def right(self) -> Interval | None:
        """Of the cases called so the share that are, with its exact 95 % interval; None where none is."""
        return _share(self.called_and_happened, self.called)

    @property
    def found(self) -> Interval | None:
        """Of the cases that are so the share called so, with its exact 95 % interval; None where none is."""
        return _share(self.called_and_happened, self.happened)


def _share(hits: int, cases: int) -> Interval | None:
    """By Clopper & Pearson, for independent cases."""
    if not cases:
        return None
    low, high = clopper_pearson(np.array([hits]), np.array([cases]), (0.025, 0.975))
    return Interval(hits / cases, float(low[0]), float(high[0]))


def class_frequencies(predictions: Predictions) -> tuple[ClassFrequencies, ...]:
    """One entry a class. Cost O(nm). Raises :class:`InputError` for weighted predictions."""
    refuse_weights(predictions)
    g, y, m = predictions.probs, predictions.labels, predictions.m
    called = likeliest(g)
    counts = np.bincount(called, minlength=m)
    right = np.bincount(called[called == y], minlength=m)
    sums = np.bincount(called, g[np.arange(predictions.n), called], minlength=m)
    return tuple(
        ClassFrequencies(
            name,
            predictions.n,
            int(predictions.class_counts[c]),
            float(g[:, c].mean()),
            int(counts[c]),
            int(right[c]),
            float(sums[c] / counts[c]) if counts[c] else None,
        )
        for c, name in enumerate(predictions.class_names)
    )


def frequencies(predictions: Predictions, unit: Int | None = None) -> tuple[Frequencies, ...]:
    """One entry a class of what a lens made; of two classes the first alone. Cost O(nm).

    unit : (n,) which unit each row is of, where rows of one depend on each other: the variance is then that
        of sums over units, and 1.96 gives way to Student's t

    The gap's interval holds the gaps that the observed one lies within 1.96 standard errors of, the
    variance being that of the sample or, if larger, the one that this gap itself would give if all
    predictions were off alike: so a class that never happened has an interval, as in Wilson's for one
    proportion. Each class needs some 60 passes over its predictions.
    """
    refuse_weights(predictions)
    classes = range(1 if predictions.m == 2 else predictions.m)
    some = [classes[start : start + _TOGETHER] for start in range(0, len(classes), _TOGETHER)]
    return tuple(one for many in loops.in_threads(partial(_some, predictions, unit), some) for one in many)


def _some(predictions: Predictions, unit: Int | None, classes: range) -> list[Frequencies]:
    entries = []
    columns = np.ascontiguousarray(predictions.probs[:, classes.start : classes.stop].T)
    for c, p in zip(classes, columns, strict=True):
        hit = predictions.labels == c
        hits, n = int(np.count_nonzero(hit)), predictions.n
        predicted = float(p.mean())
        variance = float((p - hit).var(ddof=1)) / n if n > 1 else 0.0
        if unit is not None:
            variance = _of_unit_sums(p - hit, unit)
        low, high = (_farthest(p, predicted - hits / n, variance, sign) for sign in (-1, 1))
        interval = Interval(predicted - hits / n, low, high)
        entries.append(Frequencies(predictions.class_names[c], predicted, hits / n, interval, hits, n))
    return entries


def _of_unit_sums(off: Float, unit: Int) -> float:
    """The variance of a mean over rows by sums over units, in units in which 1.96 is Student's quantile."""
    sums, sizes = np.bincount(unit, off), np.bincount(unit)
    many = len(sizes)
    apart = sums - sizes * off.mean()
    return _wider(many) * many / (many - 1) * float(np.square(apart).sum()) / len(off) ** 2


def _wider(units: int) -> float:
    """How many times the variance is larger for so few units that 1.96 is too small."""
    return float(stdtrit(units - 1, 0.975) / NORMAL) ** 2


def _farthest(p: Float, observed: float, variance: float, sign: int) -> float:
    """The gap farthest below (−1) or above (1) the observed one that it is within 1.96 standard errors of."""
    n = len(p)

    def at(shift: float) -> tuple[float, bool]:
        moved, own = _shifted(p, shift)
        gap = moved / n
        return gap, sign * (gap - observed) <= NORMAL * math.sqrt(max(variance, own / n**2)) + 1e-12

    low, high = -1.0, 1.0  # where all predictions become 1, and 0
    if at(sign)[1]:
        return at(sign)[0]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        inside = at(middle)[1]
        if inside == (sign > 0):
            low = middle
        else:
            high = middle
    gap = at((low + high) / 2)[0]
    return max(gap, observed) if sign > 0 else min(gap, observed)


@loops.compiled
def _shifted(p: Float, shift: float) -> tuple[float, float]:
    """``Σ(p − q)`` and ``Σ q(1 − q)`` of ``q``, p less the shift, but from 0 to 1; in lanes, as vectors."""
    moved, own = np.zeros(_LANES), np.zeros(_LANES)
    for start in range(0, len(p), _LANES):
        for k in range(min(_LANES, len(p) - start)):
            q = p[start + k] - shift
            q = 0.0 if q < 0.0 else q
            q = 1.0 if q > 1.0 else q
            moved[k] += p[start + k] - q
            own[k] += q * (1.0 - q)
    return moved.sum(), own.sum()


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
    return u, _wider(many) * (many - 1) / many * float(np.square(apart).sum())


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
