"""Where a diagram speaks most clearly against calibration: the bin, and the class in it."""

from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from calibcore.diagram.reliability import Reliability

_SURE = 1e-12
"""Keeps apart from 0 what is divided by, where every case of a bin was given 0 or 1."""


class Place(NamedTuple):
    """A bin and a class of a diagram, by their places in it."""

    bin: int
    class_: int


def clearest(diagram: Reliability) -> Place | None:
    """The first of :func:`places_by_evidence`; None where no bin is outside its bar."""
    return next(iter(places_by_evidence(diagram)), None)


def places_by_evidence(diagram: Reliability) -> list[Place]:
    """The bins outside their bars, and the classes in them, those first that chance explains least.

    By the tail of a binomial law with the bin's mean prediction, at least as large as that of the exact law
    (Hoeffding 1956): a bin of few cases that is far off may be chance, a full one that is less far off is
    not. Of two classes it is the first. Tails too small for a number are told apart by deviations divided by
    their standard errors. Cost O(n_bins·m).
    """
    bins = np.flatnonzero(diagram.outside)
    if not len(bins):
        return []
    m = len(diagram.class_names)
    classes = 1 if m == 2 else m
    n = diagram.counts[bins, None]
    p = np.clip(diagram.mean_prediction[bins, :classes], 0.0, 1.0)
    hits = np.rint(n * diagram.observed[bins, :classes])
    above = hits > n * p
    tail = np.where(
        above,
        betainc(np.where(above, hits, 1), n - hits + 1, p),
        np.where(hits < n, betainc(np.where(hits < n, n - hits, 1), hits + 1, 1 - p), 1.0),
    )
    errors = np.abs(hits - n * p) / np.sqrt(n * p * (1 - p) + _SURE)
    order = np.lexsort((-errors.ravel(), tail.ravel()))
    return [Place(int(bins[place // classes]), int(place % classes)) for place in order]
