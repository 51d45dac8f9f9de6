"""By how much classes happen more or less often than predicted by chance alone."""

import math
from statistics import NormalDist

import numpy as np

from calibcore.predictions import Float, Int
from calibcore.reliability import Reliability
from calibcore.resampling import hits_distribution, quantile_of_counts

MANY_HITS = 1_000
"""Variance of a number of hits above which its law is taken for normal."""


def shifts_by_chance(found: Reliability, level: float = 0.05) -> Float:
    """(m,) what :attr:`.Reliability.shifts` of a calibrated model exceed in ``level`` of the time, any class.

    Bonferroni over the classes. The law is that of cases which all have the mean prediction of their bin; it
    spreads at least as much as the true one, so the bound is a little wide. Cost O(mn log n) at most.
    """
    tail = level / (2 * len(found.class_names))
    limits = [_farthest(said, found.counts, tail) for said in found.mean_prediction.T]
    return np.asarray(limits) / found.n_cases


def _farthest(said: Float, counts: Int, tail: float) -> float:
    """How far the hits of (k,) bins lie from their mean but for ``tail`` of the time on either side."""
    variance = float(counts @ (said * (1 - said)))
    if variance > MANY_HITS:
        return NormalDist().inv_cdf(1 - tail) * math.sqrt(variance)
    law = hits_distribution(np.repeat(np.clip(said, 0.0, 1.0), counts))
    below, above = (quantile_of_counts(law, end) for end in (tail, 1 - tail))
    mean = float(counts @ said)
    return max(0.0, above - mean, mean - below)
