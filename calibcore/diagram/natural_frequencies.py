"""What was said and what happened, counted: of so many cases told a probability, how many had the class."""

from dataclasses import dataclass, replace

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import bins_and_frequencies, diagram_order
from calibcore.diagram.reliability import Reliability, places_by_evidence
from calibcore.numerics.poisson_binomial import hits_distribution, quantile_of_counts
from calibcore.numerics.types import Int

FEWEST = 20
"""Cases: fewer are no natural frequency."""
MOST = 3
"""Groups of cases that are told."""


@dataclass(frozen=True)
class NaturalFrequency:
    """A group of cases that were told about the same probability of a class.

    Attributes
    ----------
    class_name : as the lens names it
    cases, predicted : how many, and what they were told on average
    happened : how many had it
    low, high : how many chance alone allows, at the levels of the diagram's interval
    outside : whether ``happened`` is beyond them
    everyone : whether all cases are one group, as no smaller one is large enough
    picked_of : of so many classes this is the one furthest off; what chance allows holds for all at once
    """

    class_name: str
    cases: int
    predicted: float
    happened: int
    low: int
    high: int
    outside: bool
    everyone: bool = False
    picked_of: int = 1


def natural_frequencies(
    looked_at: Predictions, binning: Binning, diagram: Reliability, rejected: bool
) -> tuple[NaturalFrequency, ...]:
    """The groups that say most, those that were told less first; none where no group has 20 cases.

    Where calibration was ``rejected`` they are the bins outside their bars that chance explains least, else
    the fullest. Of several classes it is one class of a bin. Bins that are all smaller make one group of all
    cases, and pairs of cases and classes none.

    looked_at : what the lens shows, of which ``diagram`` is

    Cost O(n log n) where chance has to be worked out.
    """
    chosen = _chosen(diagram, rejected)
    if chosen and len(diagram.class_names) == 2:
        groups = [_of_two(diagram, b) for b, _ in chosen]
    elif looked_at.pooled_from is not None or looked_at.n < FEWEST or not diagram.has_bars:
        groups = []
    elif not chosen:
        groups = [_of_all(looked_at, diagram)]
    else:
        bins, _ = bins_and_frequencies(looked_at, binning)
        rows, order = bins.groups, diagram_order(bins)
        groups = [_of_rows(looked_at, rows[order[b]], c, diagram) for b, c in chosen]
    return tuple(sorted(groups, key=lambda group: group.predicted))


def _chosen(diagram: Reliability, rejected: bool) -> list[tuple[int, int]]:
    """Bins with enough cases and a class of each, no bin twice."""
    enough = diagram.counts >= FEWEST
    if not diagram.has_bars:
        return []
    if rejected:
        places = [(b, c) for b, c in places_by_evidence(diagram) if enough[b]]
        first = {b: (b, c) for b, c in reversed(places)}
        if first:
            return list(dict.fromkeys(first[b] for b, _ in places))[:MOST]
    likeliest = diagram.mean_prediction.argmax(axis=1)
    classes = np.zeros_like(likeliest) if len(diagram.class_names) == 2 else likeliest
    return [(int(b), int(classes[b])) for b in diagram.fullest(FEWEST, MOST)]


def _of_two(diagram: Reliability, b: int) -> NaturalFrequency:
    cases, predicted = int(diagram.counts[b]), float(diagram.mean_prediction[b, 0])
    low, high = (round(cases * (predicted + float(end[b]))) for end in (diagram.low, diagram.high))
    happened = round(cases * float(diagram.observed[b, 0]))
    return NaturalFrequency(
        diagram.class_names[0], cases, predicted, happened, low, high, bool(diagram.outside[b])
    )


def _of_all(looked_at: Predictions, diagram: Reliability) -> NaturalFrequency:
    """All cases as one group, of the class that is off most for its standard error."""
    rows = np.arange(looked_at.n)
    classes = 1 if looked_at.m == 2 else looked_at.m
    every = [_of_rows(looked_at, rows, c, diagram, classes) for c in range(classes)]
    furthest = max(
        every,
        key=lambda group: abs(group.happened - group.cases * group.predicted) / (group.high - group.low + 1),
    )
    return replace(furthest, everyone=True)


def _of_rows(
    looked_at: Predictions, rows: Int, c: int, diagram: Reliability, picked_of: int = 1
) -> NaturalFrequency:
    law = hits_distribution(looked_at.chances[rows, c])
    below, above = diagram.interval
    low = quantile_of_counts(law, below / picked_of)
    high = quantile_of_counts(law, 1 - (1 - above) / picked_of)
    happened = int((looked_at.labels[rows] == c).sum())
    return NaturalFrequency(
        looked_at.class_names[c],
        len(rows),
        float(looked_at.probs[rows, c].mean()),
        happened,
        low,
        high,
        outside=not low <= happened <= high,
        picked_of=picked_of,
    )
