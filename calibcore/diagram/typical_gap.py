"""How far off the probabilities typically are, in plain units: the typical gap with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy.special import ndtr, ndtri

from calibcore.bounds import Nonnegative
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.gap_bins import bins_along, number_of_bins, parts_by_mass
from calibcore.diagram.gap_sizes import NORMAL, ROUNDING, Frequencies, Interval, frequencies
from calibcore.diagram.linear_gap import linear_square
from calibcore.diagram.squares import Square, across_units, of_units
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.transforms.lenses import TopKLens

FEW_CLASSES = 10
"""Up to so many classes each of them, and errors that are linear in the probabilities, bound the gap too."""
ONE_SIDED = 1.2815515655446004
"""The 90 % quantile of the normal law."""
MOST_ONE_SIDED = 3
"""Up to so many classes. Among more, errors of two classes stay hidden that the test does not see either."""
_NUMBERS = 1 << 18
"""Probabilities of cases in bins that are looked at together."""
_TASKS = 4
"""Among so many the classes are shared out, whatever the number of threads."""


@dataclass(frozen=True)
class TypicalGap(Interval):
    """The typical gap with its approximate 95 % interval.

    total_variation : of 3 to 10 classes, an upper limit of the mean total variation of errors that are linear
        in the probabilities; over many classes it is larger than the root mean square
    limit : of two and three classes its one-sided 90 % limit, which verdicts look at; None for more, and in
        documents of earlier versions
    """

    total_variation: Nonnegative | None = None
    limit: Nonnegative | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where the limit of a document lies outside of its interval."""
        if self.limit is not None and not self.value - ROUNDING <= self.limit <= self.high + ROUNDING:
            raise InputError(
                f"The limit of the typical gap is {self.limit:g}; expected one from the gap, {self.value:g}, "
                f"to the upper end of its interval, {self.high:g}."
            )


def gaps_of(predictions: Predictions, unit: Int | None = None) -> tuple[TypicalGap, tuple[Frequencies, ...]]:
    """The typical gap of what a lens made, and the :func:`frequencies` of its classes."""
    classes = frequencies(predictions, unit)
    return typical_gap(predictions, classes, unit), classes


def typical_gap(
    predictions: Predictions, classes: Sequence[Frequencies] = (), unit: Int | None = None
) -> TypicalGap:
    """The root mean square over the cases of the gap between predicted and observed, in similar cases.

    Its square is the mean of ``½‖q_i − g_i‖²``, q_i the frequencies with which the classes happen at g_i.
    Each :class:`.Square` estimates it from below, in bins of its own (:mod:`.gap_bins`), and each sees what
    others look away from. Two classes have one, along their probability. Three and more have

    - all classes together, among cases that share the likeliest class,
    - half the sum over the classes, in equal-mass bins along the probability of each,
    - the confidence, as in its own lens: as a gap of one class is made up for by the others, its square
      counts m/(2(m − 1)) times,
    - up to 10 classes, each class along its probability, where others make up for it in proportion to theirs
      (:func:`_in_proportion`),
    - up to 10 classes, what is linear in the probabilities (:mod:`.linear_gap`).

    The estimate goes by the largest, drawn together where chance alone could set them apart
    (:func:`_larger`). The limits of the approximate 95 % interval are the largest of all, the lower ones
    adjusted for how many they are.

    A root mean square is no less than a mean: the estimate is at least the signed gap of two classes, and of
    more that of ``classes`` together (as from :func:`frequencies`) and of the confidence; the lower limit at
    least what the last is off by its own interval, the upper what any may be. Cost O(nm log n), for three and
    more classes O(nm·min(m, 40)) more, and up to 10 O(nm⁴).

    With ``unit``, as of :func:`frequencies`, pairs of rows of different units are looked at, and the variance
    is the jackknife's over units or, if larger, that of single rows. Pooled pairs have their cases as units.
    """
    refuse_weights(predictions)
    m = predictions.m
    unit = _units(predictions, unit)
    signed = list(classes)
    if m > 2:
        signed += frequencies(TopKLens(1)(predictions), unit)
    squares, ratio = squares_in(predictions, unit)
    few = squares[3:-1]
    best = reduce(_larger, squares[:3])
    total_variation = None
    if few:
        best = _larger(_larger(best, max(few, key=lambda square: square.value)), squares[-1])
        total_variation = min(1.0, ratio * _root(squares[-1].value + squares[-1].half))
    # A gap of one class is made up for by the others: ½‖gap‖² is at least ½·gap_c²·m/(m − 1).
    share = math.sqrt(m / (2 * (m - 1)))
    mean = share * max((abs(part.gap.value) for part in signed[-1:]), default=0.0)
    if m > 2:
        mean = max(mean, math.sqrt(sum(part.gap.value**2 for part in classes) / 2))
    least = share * max((max(part.gap.low, -part.gap.high) for part in signed[-1:]), default=0.0)
    most = share * max((max(-part.gap.low, part.gap.high) for part in signed), default=0.0)
    value = min(1.0, max(_root(best.value), mean))
    # Of several lower limits one is above by chance more often than each: Bonferroni's, together.
    wider = float(ndtri(1 - 0.025 / len(squares))) / NORMAL
    low = max(least, *(_root(square.value - wider * square.half) for square in squares))
    high = max(most, value, *(_root(square.value + square.half) for square in squares))
    limit = None
    if m <= MOST_ONE_SIDED:
        limits = (_root(square.value + ONE_SIDED * math.sqrt(square.variance)) for square in squares)
        limit = min(1.0, max(value, *limits))
    return TypicalGap(value, min(value, low), min(1.0, high), total_variation, limit)


def squares_in(predictions: Predictions, unit: Int | None = None) -> tuple[list[Square], float]:
    """The mean square gap by each way of looking, in the order of :func:`typical_gap`.

    And how many times the root of the last one, where it is linear, the mean total variation usually is.
    """
    g, y, m = predictions.probs, predictions.labels, predictions.m
    unit = _units(predictions, unit)
    if m == 2:
        return [_along_one(g[:, 0], *_of_one(g[:, 0], y == 0), 1.0, unit)], 1.0
    top, share = TopKLens(1)(predictions), m / (2 * (m - 1))
    squares = [
        _in_parts(predictions, unit),
        _along_classes(predictions, unit),
        _along_one(top.probs[:, 0], *_of_one(top.probs[:, 0], top.labels == 0), share, unit),
    ]
    if m > FEW_CLASSES:
        return squares, 1.0
    single = loops.in_threads(lambda c: _along_one(g[:, c], *_in_proportion(g, y, c), 0.5, unit), range(m))
    linear, ratio = linear_square(predictions, unit)
    return [*squares, *single, linear], ratio


def _units(predictions: Predictions, unit: Int | None) -> Int | None:
    """Which rows belong together: those of a unit, or the pooled pairs of a case."""
    if unit is None and predictions.pooled_from is not None:
        return np.arange(predictions.n) // (predictions.n // predictions.cases.n)
    return unit


def _root(square: float) -> float:
    return math.sqrt(max(0.0, square))


def _larger(a: Square, b: Square) -> Square:
    """The larger of two: plainly where they are far apart, their mean where chance alone sets them apart.

    The larger of two estimates of one number lies above it, by 0.4 standard errors of their difference. Each
    therefore has the weight Φ of how many standard errors it is ahead, which leaves 0.28.
    """
    apart = math.sqrt(a.variance + b.variance)
    if apart == 0:
        return max(a, b, key=lambda square: square.value)
    weight = float(ndtr((a.value - b.value) / apart))
    return Square(weight * a.value + (1 - weight) * b.value, weight * a.variance + (1 - weight) * b.variance)


# --- along the probability of one class -----------------------------------------------


def _of_one(p: Float, hit: Int) -> tuple[Float, Float]:
    """(n,) residuals of one class, and their variance if it is calibrated."""
    return hit - p, p * (1 - p)


def _in_proportion(g: Float, y: Int, c: int) -> tuple[Float, Float]:
    """(n,) residuals along ``v = e_c − g_others/(1 − g_c)``, divided by ‖v‖, and their claimed variance.

    So an error goes that moves the log-odds of class c alone. Whatever the error is, the square of its part
    along a direction is no larger than its own. Of very sure models one class makes up for all of it, and
    m/(2(m − 1)) times the square of the gap of class c alone would be too little.
    """
    v = g.copy()
    v[:, c] = 0.0
    rest = v.sum(axis=1, keepdims=True)  # not 1 − g_c, whose last digits are lost where that is near 0
    v = np.divide(v, -rest, out=np.zeros_like(v), where=rest > 0)
    v[:, c] = 1.0
    v /= np.sqrt(np.square(v).sum(axis=1, keepdims=True))
    mean = (g * v).sum(axis=1)
    claimed = (g * np.square(v)).sum(axis=1) - np.square(mean)
    return v[np.arange(len(y)), y] - mean, np.maximum(claimed, 0.0)


def _along_one(p: Float, off: Float, claimed: Float, share: float, unit: Int | None) -> Square:
    """Of residuals along one probability; ``share`` is what their square counts."""
    off, claimed = loops.read_only(off), loops.read_only(claimed)
    order, starts = bins_along(p, number_of_bins(len(p)))
    alone, variance = _alone(off, claimed, order, starts)
    square = Square(share * alone, share**2 * variance)
    if unit is None:
        return square
    value, left_out = across_units(off[:, None], order, starts, unit)
    return of_units(square, share * value, share * left_out)


def _alone(off: Float, claimed: Float, order: Int, starts: Int) -> tuple[float, float]:
    """U of residuals, and its variance: in each bin a U-statistic's, by the sample or by calibration."""
    bins = _Sums.of(off[order], starts)
    mean, size = bins.mean, bins.size
    spread = np.maximum(bins.sample, bins.added(claimed[order]) / size)
    linear = np.maximum(0.0, mean * mean * spread - spread * spread / size)
    variance = bins.share**2 * (4 * linear / size + 2 * spread * spread / bins.pairs)
    return bins.value, float(variance.sum())


@dataclass(frozen=True, eq=False)
class _Sums:
    """Of residuals that stand in the order of their bins: per bin how many, their sum and that of squares."""

    starts: Int
    size: Float
    total: Float
    squares: Float

    @classmethod
    def of(cls, off: Float, starts: Int) -> "_Sums":
        first = starts[:-1]
        sums = np.add.reduceat(off, first), np.add.reduceat(off * off, first)
        return cls(first, np.diff(starts).astype(np.float64), *sums)

    def added(self, values: Float) -> Float:
        """What the same cases add up to in each bin."""
        return np.asarray(np.add.reduceat(values, self.starts))

    @property
    def share(self) -> Float:
        """Of all cases; 0 of a bin of one, which has no pair."""
        return np.asarray(np.where(self.size > 1, self.size / self.size.sum(), 0.0))

    @property
    def pairs(self) -> Float:
        """How many ordered ones."""
        return np.asarray(np.maximum(self.size * (self.size - 1), 1.0))

    @property
    def mean(self) -> Float:
        """Of the residuals."""
        return np.asarray(self.total / self.size)

    @property
    def sample(self) -> Float:
        """The variance of a residual."""
        return np.asarray((self.squares - self.size * self.mean**2) / np.maximum(self.size - 1, 1.0))

    @property
    def value(self) -> float:
        """U."""
        return float((self.share * (self.total**2 - self.squares) / self.pairs).sum())


def _along_classes(predictions: Predictions, unit: Int | None) -> Square:
    """Half the sum over the classes, each in equal-mass bins along its own probability."""
    g, y, n, m = predictions.probs, predictions.labels, predictions.n, predictions.m
    k = number_of_bins(n)
    own = np.square(g).sum(axis=1)

    def sums_of(classes: Int) -> tuple[Float, Float, float, Float | None]:
        terms, sums, value, left_out = np.zeros(3), np.zeros((3, n)), 0.0, None
        for c, column in zip(classes, loops.columns(g, classes[0], classes[-1] + 1), strict=True):
            p, hit = loops.read_only(column), loops.read_only(y == c)
            rest = loops.read_only(np.sqrt(np.maximum(own - np.square(p), 0.0)))
            order, starts = bins_along(p, k, by_cases=1.0)
            terms += _along(p, hit, rest, order, starts, sums)
            if unit is not None:
                of_class, left = across_units((hit - p)[:, None], order, starts, unit)
                value, left_out = value + of_class, left if left_out is None else left_out + left
        return terms, sums, value, left_out

    parts = loops.in_threads(sums_of, np.array_split(np.arange(m), min(m, _TASKS)))
    terms = sum((part[0] for part in parts), np.zeros(3))
    sums = parts[0][1]
    for part in parts[1:]:
        sums += part[1]
    square = _square(n, terms, sums, 0.5)
    if unit is None:
        return square
    left_out = sum((part[3] for part in parts if part[3] is not None), np.zeros(int(unit.max()) + 1))
    return of_units(square, 0.5 * sum(part[2] for part in parts), 0.5 * left_out)


def _square(n: int, terms: Sequence[float] | Float, sums: Float, share: float) -> Square:
    """Of what :func:`_along` adds up: U and its variance, that of U-statistics in fixed bins.

    The jackknife's part, 4·share²·Σ(μ·(r − μ))²/n² with each bin's mean gap μ, is that of the sample or of
    calibration, whichever is larger. Twice the part of pairs is noise of μ in it, and is taken off.
    """
    value, pairs, most_pairs = (float(term) for term in terms)
    linear = max(float(np.square(sums[0]).sum()), float((sums[1] - np.square(sums[2])).sum()))
    variance = max(0.0, 4 * linear / n**2 - 2 * pairs) + most_pairs
    return Square(share * value, share**2 * variance)


def _along(p: Float, hit: Int, rest: Float, order: Int, starts: Int, sums: Float) -> tuple[float, ...]:
    """U of one class, and its variance between pairs: of itself, and at most with the classes beside it.

    ``rest (n,)`` is the root of the sum of the squares of the other probabilities. To ``sums (3, n)`` are
    added, case by case, μ·(r − μ), p·μ² and p·μ.
    """
    p = p[order]
    off = hit[order] - p
    bins = _Sums.of(off, starts)
    claimed, beside = bins.added(p * (1 - p)), bins.added(p * rest[order])
    of_pairs = 2 * (bins.share * np.maximum(bins.sample, claimed / bins.size)) ** 2 / bins.pairs
    ratio = np.divide(beside, claimed, out=np.zeros_like(beside), where=claimed > 0)
    mean = np.repeat(np.where(bins.size > 1, bins.mean, 0.0), np.diff(starts))
    sums[0, order] += mean * (off - mean)
    sums[1, order] += p * mean * mean
    sums[2, order] += p * mean
    return bins.value, float(of_pairs.sum()), float((of_pairs * (1 + ratio**2)).sum())


# --- all classes together ---------------------------------------------------------------


def _in_parts(predictions: Predictions, unit: Int | None) -> Square:
    """Of all classes together, in bins of cases that share the likeliest one."""
    parts = parts_by_mass(predictions.probs)
    n, m = predictions.n, predictions.m
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    several = [rows for rows in parts if len(rows) > 1]
    sizes = np.array([len(rows) for rows in several], np.int64)
    number = np.cumsum(sizes) // max(1, _NUMBERS // m)

    def of_batch(bins: list[Int]) -> Float:
        return np.stack(_of_bins(g, y, bins))

    together = np.split(np.arange(len(several)), np.flatnonzero(np.diff(number)) + 1)
    batches = [[several[i] for i in bins] for bins in together if len(bins)]
    pairs, chance, linear = np.hstack([np.zeros((3, 0)), *loops.in_threads(of_batch, batches)])
    share = sizes / n
    linear = np.maximum(0.0, linear - chance / sizes)
    variance = share**2 * (4 * linear / sizes + 2 * chance / (sizes * (sizes - 1)))
    square = Square(float(share @ pairs) / 2, float(variance.sum()) / 4)
    if unit is None:
        return square
    starts = np.append(0, np.cumsum([len(rows) for rows in parts]))
    off = predictions.onehot() - predictions.probs
    value, left_out = across_units(off, np.concatenate(parts), starts, unit)
    return of_units(square, value / 2, left_out / 2)


def _of_bins(g: Float, y: Int, bins: Sequence[Int]) -> tuple[Float, Float, Float]:
    """The pairwise estimate in each bin, and ‖C‖² and meanᵀC mean of the larger of two covariances.

    They are that of the sample and ``Σ_i (diag(p_i) − p_i p_iᵀ)/size``.
    """
    rows, counts = np.concatenate(bins), np.array([len(bin_rows) for bin_rows in bins])
    first, size = np.cumsum(counts) - counts, counts.astype(np.float64)

    def added(values: Float) -> Float:
        return np.asarray(np.add.reduceat(values, first, axis=0))

    p = g[rows]
    off = -p
    off[np.arange(len(rows)), y[rows]] += 1.0
    own, total = added(np.einsum("ik,ik->i", off, off)), added(off)
    each = size[:, None]
    predicted, squares, mean = added(p) / each, added(np.square(p)), total / each
    of_case = np.repeat(mean, counts, axis=0)
    off -= of_case
    along, shared = np.einsum("ik,ik->i", off, of_case), np.einsum("ik,ik->i", p, of_case)
    pairs = (np.square(total).sum(axis=1) - own) / (size * (size - 1))
    chance = np.maximum(
        _grams(off, first) / (size - 1) ** 2,
        (np.square(predicted) - 2 * squares * predicted / each).sum(axis=1) + _grams(p, first) / size**2,
    )
    linear = np.maximum(
        added(np.square(along)) / (size - 1),
        (predicted * np.square(mean)).sum(axis=1) - added(np.square(shared)) / size,
    )
    return pairs, chance, linear


def _grams(x: Float, first: Int) -> Float:
    """``‖xᵀx‖² = ‖xxᵀ‖²`` of each bin's rows: of many classes by the smaller of the two."""
    if x.shape[1] > FEW_CLASSES:
        return np.array([_gram(part) for part in np.split(x, first[1:])])
    out = np.zeros(len(first))
    for k, column in enumerate(x.T):
        products = np.add.reduceat(column[:, None] * x[:, k:], first, axis=0)
        out += 2 * np.square(products).sum(axis=1) - np.square(products[:, 0])
    return out


def _gram(x: Float) -> float:
    small = x @ x.T if x.shape[0] < x.shape[1] else x.T @ x
    return float(np.square(small).sum())
