"""How far the data leave a bin's true frequency open: exact binomial intervals (Clopper & Pearson 1934).

A consistency bar asks where the frequency lies if the model is calibrated; this interval asks, whatever the
model said, which frequencies agree with the outcomes. With equal probabilities in the bin it covers the true
one at least as often as stated; with unequal ones the number of hits spreads less (Hoeffding 1956), and the
interval is wider than it need be.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from calibcore.diagram.bars import check_interval
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.transforms.lenses import Lens


@dataclass(frozen=True, eq=False)
class FrequencyIntervals:
    """(n_bins,) ``low`` and ``high`` of the first class's frequency in each bin of a diagram.

    interval : the two levels; a true frequency lies below ``low`` at most as often as the first says, above
        ``high`` at most as often as one less the second
    withheld : "" or why there are none, and low and high are NaN: "classes" (three or more), "weights",
        "cross-fitted", "pairs" and "labels" (pairs of one case are not independent)
    """

    low: Float
    high: Float
    interval: tuple[float, float]
    withheld: str = ""

    @property
    def level(self) -> float:
        """How often an interval covers the true frequency, at least."""
        return self.interval[1] - self.interval[0]


def clopper_pearson(
    hits: Int, counts: Int, interval: tuple[float, float] = (0.05, 0.95)
) -> tuple[Float, Float]:
    """(k,) hits among (k,) cases -> (k,) low and (k,) high ends of the exact interval for the frequency.

    Quantiles of beta laws, 0 and 1 where no case or every case is a hit. Cost O(k).
    Raises :class:`InputError` unless 0 ≤ hits ≤ counts and 0 < low < high < 1.
    """
    check_interval(interval)
    hits, counts = np.asarray(hits, np.int64), np.asarray(counts, np.int64)
    if np.any((hits < 0) | (hits > counts)):
        raise InputError("There are fewer hits than 0 or more than cases; expected a number between.")
    misses = counts - hits
    low = np.where(hits == 0, 0.0, betaincinv(np.maximum(hits, 1), misses + 1, interval[0]))
    high = np.where(misses == 0, 1.0, betaincinv(hits + 1, np.maximum(misses, 1), interval[1]))
    return low, high


def frequency_intervals(diagram: Reliability, lens: Lens) -> FrequencyIntervals:
    """The intervals of a diagram's observed frequencies, at the levels of its bars; or why there are none.

    ``lens`` is what the diagram was made through: pairs of one case are not independent.
    """
    if len(diagram.class_names) > 2:
        withheld = "classes"
    elif not diagram.has_bars:
        withheld = "weights" if diagram.bars == "none" else diagram.bars
    else:
        withheld = "pairs" if lens.pairs else ""
    if withheld:
        none = np.full(diagram.n_bins, np.nan)
        return FrequencyIntervals(none, none, diagram.interval, withheld)
    hits = np.rint(diagram.counts * diagram.observed[:, 0]).astype(np.int64)
    return FrequencyIntervals(*clopper_pearson(hits, diagram.counts, diagram.interval), diagram.interval)
