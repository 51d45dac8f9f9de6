"""By how much classes happen more or less often than predicted by chance alone."""

import math
from statistics import NormalDist

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.numerics.poisson_binomial import hits_distribution, quantile_of_counts
from calibcore.numerics.types import Float

MANY_HITS = 1_000
"""Variance of a number of hits above which its law is taken for normal."""


def corner_shifts(predictions: Predictions) -> Float | None:
    """:func:`shifts_by_chance` where arrows are drawn: three or four classes, cases that are tested."""
    has_figure = predictions.m in (3, 4) and not predictions.untested
    return shifts_by_chance(predictions.probs) if has_figure else None


def shifts_by_chance(probs: Float, level: float = 0.05) -> Float:
    """(n, m) -> (m,) how far a calibrated model's classes may be from happening as often as predicted.

    Observed less predicted frequency over all cases exceeds this, for any class, in at most ``level`` of the
    time: Bonferroni over the classes, each with the Poisson-binomial law of its hits. Cost O(mn log n).
    """
    n, m = probs.shape
    tail = level / (2 * m)
    return np.array([_farthest(clipped, tail) / n for clipped in np.clip(probs, 0.0, 1.0).T])


def _farthest(predicted: Float, tail: float) -> float:
    """How far the hits of (n,) cases lie from their mean but for ``tail`` of the time on either side."""
    variance = float((predicted * (1 - predicted)).sum())
    if variance > MANY_HITS:
        return NormalDist().inv_cdf(1 - tail) * math.sqrt(variance)
    law = hits_distribution(predicted)
    below, above = (quantile_of_counts(law, end) for end in (tail, 1 - tail))
    mean = float(predicted.sum())
    return max(0.0, above - mean, mean - below)
