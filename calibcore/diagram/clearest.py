"""Where a diagram speaks most clearly against calibration: the bin, and the class in it."""

from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from calibcore.diagram.reliability import Reliability

_SURE = 1e-12
"""Keeps apart from 0 what is divided by, where every case of a bin was given 0 or 1."""


class Place(NamedTuple):
    """A bin and a class of a diagram, by their places in it."""

    bin: int
    class_: int


def clearest(diagram: Reliability) -> Place | None:
    """The bin outside its bar, and the class in it, that chance explains least; None where none is outside.

    By the tail of a binomial law with the bin's mean prediction, at least as large as that of the exact law
    (Hoeffding 1956): a bin of few cases that is far off may be chance, a full one that is less far off is
    not. Of two classes it is the first. Tails too small for a number are told apart by deviations divided by
    their standard errors. Cost O(n_bins·m).
    """
    bins = np.flatnonzero(diagram.outside)
    if not len(bins):
        return None
    m = len(diagram.class_names)
    classes = 1 if m == 2 else m
    n = diagram.counts[bins, None]
    p = np.clip(diagram.mean_prediction[bins, :classes], 0.0, 1.0)
    hits = np.rint(n * diagram.observed[bins, :classes])
    tail = np.where(hits > n * p, binom.sf(hits - 1, n, p), binom.cdf(hits, n, p))
    errors = np.abs(hits - n * p) / np.sqrt(n * p * (1 - p) + _SURE)
    best = int(np.lexsort((-errors.ravel(), tail.ravel()))[0])
    return Place(int(bins[best // classes]), best % classes)
