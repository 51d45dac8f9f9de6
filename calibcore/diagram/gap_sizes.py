"""How large a miscalibration is, in plain units: signed gaps and natural frequencies."""

import math
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.special import stdtrit

from calibcore.bounds import AtLeastOne, Count, Share
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.diagram.frequency_intervals import clopper_pearson
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int

NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal law."""
ROUNDING = 1e-9
MOST_SIZE = 10.0
_HALVINGS = 30
_TASKS = 8
"""Among so many the classes are shared out, whatever the number of threads."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval, as probabilities."""

    value: float
    low: float
    high: float


def check_size(gap: Interval) -> None:
    """Raises :class:`InputError` unless it is the size of a gap, with an interval around it."""
    if (
        math.copysign(1, gap.value) < 0
        or not 0 <= gap.low <= gap.value + ROUNDING
        or not gap.value - ROUNDING <= gap.high <= MOST_SIZE
    ):
        raise InputError(
            f"The typical gap is {gap.value:g}, from {gap.low:g} to {gap.high:g}; expected a size from 0 up "
            "within its interval."
        )


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
    said: Share
    happened: Share
    gap: Interval
    hits: Count
    n: AtLeastOne

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if self.hits > self.n:
            raise InputError(f"It happened in {self.hits:,} of {self.n:,} cases.")


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
    n: AtLeastOne
    happened: Count
    mean_prediction: Share
    called: Count
    called_and_happened: Count
    mean_when_called: Share | None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if max(self.happened, self.called) > self.n or self.called_and_happened > min(
            self.happened, self.called
        ):
            raise InputError("Some of the cases are more than all of them.")

    @property
    def right(self) -> Interval | None:
        """Of the cases called so the share that are, with its exact 95 % interval; None where none is."""
        return share_of(self.called_and_happened, self.called) if self.called else None

    @property
    def found(self) -> Interval | None:
        """Of the cases that are so the share called so, with its exact 95 % interval; None where none is."""
        return share_of(self.called_and_happened, self.happened) if self.happened else None


def share_of(hits: int, cases: int) -> Interval:
    """By Clopper & Pearson, for independent cases."""
    low, high = clopper_pearson(np.array([hits]), np.array([cases]), (0.025, 0.975))
    return Interval(hits / cases, float(low[0]), float(high[0]))


def class_frequencies(predictions: Predictions) -> tuple[ClassFrequencies, ...]:
    """One entry a class; none where only a confidence is known. Cost O(nm).

    Raises :class:`InputError` for weighted predictions.
    """
    refuse_weights(predictions)
    if predictions.confidence_only:
        return ()
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
        over units, and 1.96 gives way to Student's t

    The gap's interval holds the gaps that the observed one lies within 1.96 standard errors of, the
    variance being that of the sample or, if larger, the one that this gap itself would give if all
    predictions were off alike: so a class that never happened has an interval, as in Wilson's for one
    proportion. With units the sample's is the jackknife's over them, and the other as many times larger as
    that is than the sample's over rows. Each class is sorted once.
    """
    refuse_weights(predictions)
    classes = np.arange(1 if predictions.m == 2 else predictions.m)

    def of_part(part: Int) -> list[Frequencies]:
        columns = loops.columns(predictions.probs, part[0], part[-1] + 1)
        return [_of_class(predictions, unit, int(c), p) for c, p in zip(part, columns, strict=True)]

    parts = loops.in_threads(of_part, np.array_split(classes, min(len(classes), _TASKS)))
    return tuple(chain.from_iterable(parts))


def _of_class(predictions: Predictions, unit: Int | None, c: int, p: Float) -> Frequencies:
    hit, n = predictions.labels == c, predictions.n
    hits, predicted = int(np.count_nonzero(hit)), float(p.mean())
    variance, times = float((p - hit).var(ddof=1)) / n if n > 1 else 0.0, 1.0
    if unit is not None:
        rows, variance = variance, _of_unit_sums(p - hit, unit)
        times = max(1.0, variance / rows) if rows > 0 else 1.0
    gap = predicted - hits / n
    shifted = _Shifted.of(p)
    low, high = (_farthest(shifted, gap, variance, times, sign) for sign in (-1, 1))
    return Frequencies(predictions.class_names[c], predicted, hits / n, Interval(gap, low, high), hits, n)


def _of_unit_sums(off: Float, unit: Int) -> float:
    """The variance of a mean over rows by leaving out one unit after the other (CR3), in units in which 1.96
    is Student's quantile: of one degree of freedom fewer than equal units would be that tell as much."""
    sums, sizes = np.bincount(unit, off), np.bincount(unit)
    n, many = len(off), len(sizes)
    without = (off.sum() - sums) / (n - sizes)
    apart = without - without.mean()
    as_many = n**2 / float(np.square(sizes.astype(np.float64)).sum())
    return wider(as_many) * (many - 1) / many * float(np.square(apart).sum())


def wider(units: float) -> float:
    """How many times the variance is larger for so few units that 1.96 is too small."""
    return float(stdtrit(max(units - 1, 1.0), 0.975) / NORMAL) ** 2


@dataclass(frozen=True, eq=False)
class _Shifted:
    """Predictions (n,) that rise, and before each of them (n + 1,) the sums of all and of their squares."""

    rising: Float
    sums: Float
    squares: Float

    @classmethod
    def of(cls, p: Float) -> "_Shifted":
        rising = np.sort(p)
        sums, squares = (np.append(0.0, np.cumsum(terms)) for terms in (rising, rising * rising))
        return cls(rising, sums, squares)

    def by(self, shift: float) -> tuple[float, float]:
        """``Σ(p − q)`` and ``Σ q(1 − q)`` of ``q``, p less the shift, but from 0 to 1. Cost O(log n)."""
        n = len(self.rising)
        first, last = np.searchsorted(self.rising, (shift, 1 + shift)).tolist()
        within, total = last - first, float(self.sums[last] - self.sums[first])
        moved = float(self.sums[first]) + within * shift + float(self.sums[n] - self.sums[last]) - (n - last)
        square = float(self.squares[last] - self.squares[first])
        own = total - square + 2 * shift * total - within * (shift + shift * shift)
        return moved, max(own, 0.0)


def _farthest(p: _Shifted, observed: float, variance: float, times: float, sign: int) -> float:
    """The gap farthest below (−1) or above (1) the observed one that it is within 1.96 standard errors of.

    times : what the variance that a gap itself gives is multiplied by
    """
    n = len(p.rising)

    def outcome(shift: float) -> tuple[float, bool]:
        moved, own = p.by(shift)
        gap = moved / n
        return gap, sign * (gap - observed) <= NORMAL * math.sqrt(max(variance, times * own / n**2)) + 1e-12

    low, high = -1.0, 1.0  # where all predictions become 1, and 0
    if outcome(float(sign))[1]:
        return outcome(float(sign))[0]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        inside = outcome(middle)[1]
        if inside == (sign > 0):
            low = middle
        else:
            high = middle
    gap = outcome((low + high) / 2)[0]
    return max(gap, observed) if sign > 0 else min(gap, observed)
