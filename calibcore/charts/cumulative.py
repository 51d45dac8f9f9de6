"""Classes in order on a line of cumulative probabilities: an arrow a border, from predicted to observed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import Interval, share_of
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.wording import count, percent, plural

TITLE = "Probability of at most this class"
PREDICTED, OBSERVED = "predicted on average", "observed"
RANGE = 0.35
"""How much is seen of an interval, behind its arrow."""


@dataclass(frozen=True)
class CumulativeLine:
    """Some cases: how much lies up to each class but the last.

    name : which cases
    n : how many
    borders : the m − 1 classes
    predicted, observed : (m − 1,) mean P(class ≤ k), and the share of cases of class k at most
    ranges : (m − 1,) 95 % intervals of that share, exact for independent cases; none of weighted cases
    """

    name: str
    n: int
    borders: tuple[str, ...]
    predicted: tuple[float, ...]
    observed: tuple[float, ...]
    ranges: tuple[Interval, ...] = ()

    def range_words(self, k: int) -> str:
        """ "95 % interval 61.2 % to 70.4 %"; empty where there is none."""
        if not self.ranges:
            return ""
        low, high = percent(self.ranges[k].low), percent(self.ranges[k].high)
        return f"95\N{NO-BREAK SPACE}% interval {low} to {high}"

    def hover(self, k: int, noun: str) -> tuple[str, ...]:
        """What a hand that rests on an arrow reads."""
        words = (
            f"{self.name}: up to {self.borders[k]}",
            f"Model said {percent(self.predicted[k])} on average",
            f"Happened {percent(self.observed[k])} of {count(self.n, noun)}",
            self.range_words(k),
        )
        return tuple(filter(None, words))


def cumulative_lines(predictions: Predictions, noun: str = "case") -> tuple[CumulativeLine, ...]:
    """All cases, and those in which each class is the model's answer, if there are :data:`FEWEST` or more.

    The answer is the likeliest class, the lowest of equals. None for classes without an order. Cost O(nm).
    """
    p = predictions
    if not p.ordered or p.m < 3 or p.pooled_from is not None:
        return ()
    cumulative = p.probs.cumsum(axis=1)[:, :-1]
    happened = p.labels[:, None] <= np.arange(p.m - 1)
    answers = p.probs.argmax(axis=1)
    chosen = [(f"All {plural(noun)}", np.ones(p.n, bool))]
    chosen += [(f"Answer {name}", answers == k) for k, name in enumerate(p.class_names)]
    lines = []
    for name, rows in chosen:
        if (n := int(rows.sum())) < FEWEST:
            continue
        weights = None if p.weights is None else p.weights[rows]
        predicted, observed = (
            tuple(np.average(values[rows], axis=0, weights=weights).tolist())
            for values in (cumulative, happened)
        )
        hits = happened[rows].sum(axis=0)
        ranges = () if weights is not None else tuple(share_of(int(each), n) for each in hits)
        lines.append(CumulativeLine(name, n, p.class_names[:-1], predicted, observed, ranges))
    return tuple(lines)


def farthest(lines: Sequence[CumulativeLine]) -> str:
    """The longest arrow of all cases in a sentence; it says nothing of chance."""
    if not lines:
        return ""
    line = lines[0]
    k = int(np.argmax(np.abs(np.subtract(line.observed, line.predicted))))
    predicted, observed = percent(line.predicted[k]), percent(line.observed[k])
    between = f" ({line.range_words(k)})" if line.ranges else ""
    return (
        f"{line.name}: the longest arrow is up to '{line.borders[k]}': {predicted} predicted on average, "
        f"{observed} observed{between}."
    )
