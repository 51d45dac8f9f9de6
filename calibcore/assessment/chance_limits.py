"""Whether the typical gap is small enough to be called consistent, and what calibrated models show of it."""

import math

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import Interval
from calibcore.diagram.typical_gap import TypicalGap, gaps_of
from calibcore.numerics.resampling import draw_labels

MOST_OF_TOLERANCE = math.sqrt(2)
"""How many times the tolerance the typical gap may be, by :func:`limit_of`, for "consistent"."""


def limits_fall(m: int) -> float:
    """Limits of calibrated models fall like this power of the number of cases, or faster.

    They go like √(√bins/n). Two classes have bins like n^0.6. More have parts of so many cases each: their
    number is like n, in steps. By simulation 0.23 to 0.39 from one size to the next, and less where parts
    have just been split: so it is better to simulate than to go by this.
    """
    return 0.35 if m == 2 else 0.25


def size_is_known(gap: Interval, tolerance: float) -> bool:
    """Whether the typical gap is small enough to be called consistent, whatever the shape of the error."""
    return limit_of(gap) <= MOST_OF_TOLERANCE * tolerance


def limit_of(gap: Interval) -> float:
    """What a verdict looks at: :func:`one_sided`, and the limit of errors linear in the probabilities.

    The latter is a mean total variation, as sizes that could have been seen are.
    """
    linear = gap.total_variation if isinstance(gap, TypicalGap) else None
    return max(one_sided(gap), linear or 0.0)


def one_sided(gap: Interval) -> float:
    """The one-sided 90 % limit of two and three classes; of more the upper end of the interval.

    The interval is to hold the gap in 9 of 10 files whatever the error is. A model that is off by more than
    is tolerated may be called consistent 2 times in 10, and what the test sees counts, too.
    """
    limit = gap.limit if isinstance(gap, TypicalGap) else None
    return gap.high if limit is None else limit


def limit_by_chance(induced: Predictions, rng: np.random.Generator, redrawn: int, share: float) -> float:
    """:func:`limit_of` the typical gap that a ``share`` of calibrated models of this kind stay within.

    Of labels that are ``redrawn`` so often. Cost: that of as many typical gaps.
    """
    every = np.arange(induced.n)
    again = (induced.with_cases(every, draw_labels(induced.probs, rng)) for _ in range(redrawn))
    limits = sorted(limit_of(gaps_of(redrawn)[0]) for redrawn in again)
    return limits[math.ceil(share * (redrawn + 1) - 1e-9) - 1]


def times_for_limit(limit: float, tolerance: float, m: int) -> float:
    """How many times the cases it takes for a limit of ``m`` classes to be as small as passes."""
    return math.pow(limit / (MOST_OF_TOLERANCE * tolerance), 1 / limits_fall(m))
