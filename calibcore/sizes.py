"""How large a miscalibration is, in plain units: signed gaps, the typical gap, natural frequencies."""

import math
from dataclasses import dataclass

import numpy as np

from calibcore.binning import Binning, MedianVarianceBinning
from calibcore.bins import bins_of
from calibcore.predictions import Predictions
from calibcore.weighted import refuse_weights

NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal law."""
SMALLEST_BIN = 20
"""Cases that a bin of three and more classes holds at least."""


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


def class_frequencies(predictions: Predictions) -> tuple[ClassFrequencies, ...]:
    """One entry a class. Cost O(nm). Raises :class:`InputError` for weighted predictions."""
    refuse_weights(predictions)
    g, y, m = predictions.probs, predictions.labels, predictions.m
    called = g.argmax(axis=1)
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


def frequencies(predictions: Predictions) -> tuple[Frequencies, ...]:
    """One entry a class of what a lens made; of two classes the first alone. Cost O(nm).

    The gap's interval is ±1.96 standard errors of the mean of ``g_ic − 1[y_i = c]``. Its variance is
    that of the sample over n, but at least what calibration itself would have, ``Σ g(1 − g)/n²``: a
    class that never happened has no variance of its own.
    """
    refuse_weights(predictions)
    g, n = predictions.probs, predictions.n
    found = []
    for c in range(1 if predictions.m == 2 else predictions.m):
        p, hit = g[:, c], predictions.labels == c
        difference = p - hit
        gap = float(difference.mean())
        variance = float(difference.var(ddof=1)) / n if n > 1 else 0.0
        half = NORMAL * math.sqrt(max(variance, float((p * (1 - p)).sum()) / n**2))
        interval = Interval(gap, max(gap - half, -1.0), min(gap + half, 1.0))
        said, hits = float(p.mean()), int(np.count_nonzero(hit))
        found.append(Frequencies(predictions.class_names[c], said, hits / n, interval, hits, n))
    return tuple(found)


def typical_gap(predictions: Predictions, binning: Binning) -> Interval:
    """``√max(0, U/2)``, U the pairwise estimate of the squared binned error; its interval is approximate."""
    refuse_weights(predictions)
    if predictions.m > 2:
        binning = MedianVarianceBinning(SMALLEST_BIN)
    u, variance = _pairwise(predictions, binning)
    half = NORMAL * math.sqrt(variance)
    return Interval(*(math.sqrt(max(0.0, value) / 2) for value in (u, u - half, u + half)))


def _pairwise(predictions: Predictions, binning: Binning) -> tuple[float, float]:
    """U and an estimate of its variance."""
    r = predictions.onehot() - predictions.probs
    bins = bins_of(predictions.probs, binning)
    order = np.argsort(bins.index, kind="stable")
    u = variance = 0.0
    for rows in np.split(order, np.cumsum(bins.counts)[:-1]):
        size = len(rows)
        if size < 2:
            continue
        x = r[rows]
        total = x.sum(axis=0)
        share = size / predictions.n
        u += share * float(total @ total - np.square(x).sum()) / (size * (size - 1))
        covariance = np.atleast_2d(np.cov(x, rowvar=False))
        mean = total / size
        chance = float(np.square(covariance).sum())
        linear = max(0.0, float(mean @ covariance @ mean) - chance / size)
        variance += share**2 * (4 * linear / size + 2 * chance / (size * (size - 1)))
    return u, variance
