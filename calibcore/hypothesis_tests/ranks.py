r"""Of classes in order: are they given too high, or too low?

The rank of a class is its place from 1 to m. With $r_i$ the rank of what happened and
$\mathrm{E}\,r_i = \sum_k k\,g_{ik}$, the statistic is
$S = \sum_i (r_i - \mathrm{E}\,r_i)$: below 0 the model gives too high classes.
Its mean under calibration is 0. How far it lies from 0 by chance is known from labels that are redrawn, so
the p is exact at every number of cases.

It stands by itself: no other p is adjusted for it, nor it for them, and no verdict rests on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.bounds import AtLeastOne, Share
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import monte_carlo_pvalue
from calibcore.numerics.resampling import check_redraws
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float
from calibcore.transforms.redraws import redrawn_labels

Z = 1.959963984540054
"""Of a 95 % interval by the normal distribution."""
_SAME = 1e-9
"""Two sums of ranks that differ by no more are one: they are summed in another order."""


@dataclass(frozen=True)
class RankShift:
    """Mean ranks, from 1 for the lowest class to m.

    Attributes
    ----------
    predicted, observed : mean rank as the model has it, and of what happened
    low, high : approximate 95 % interval of observed minus predicted; None where all cases differ alike, as
        one case does: nothing is known then of how much they vary
    pvalue : two-sided, exact for independent cases
    n_resamples : redraws behind it
    """

    NAMES: ClassVar[Mapping[str, str]] = {"pvalue": "p_value"}

    predicted: float
    observed: float
    low: float | None
    high: float | None
    pvalue: Share
    n_resamples: AtLeastOne

    @property
    def shift(self) -> float:
        """Observed minus predicted: below 0 the classes are given too high."""
        return self.observed - self.predicted

    def direction(self, alpha: float) -> str:
        """ "high" where the classes are given too high, "low" where too low; empty where p is above alpha."""
        if self.pvalue > alpha:
            return ""
        return "high" if self.shift < 0 else "low"

    @property
    def at_floor(self) -> bool:
        """Whether these redraws allow no smaller p."""
        return self.pvalue <= 1 / (self.n_resamples + 1)


def rank_shift(predictions: Predictions, n_resamples: int = 999, rng: Seed = None) -> RankShift:
    """Whether classes in order are given too high or too low. Cost O(n·(m + n_resamples)).

    Raises
    ------
    InputError : classes without an order, weighted or pooled cases, no redraws.
    """
    check_redraws(n_resamples)
    refuse_untested(predictions)
    if not predictions.ordered or predictions.pooled_from is not None:
        raise InputError("The classes have no order, so that none is too high. Declare it: ordered=True.")
    rng = generator_of(rng)
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    expected = g @ np.arange(1.0, predictions.m + 1)
    ranks = predictions.labels + 1
    statistic = abs(float(ranks.sum() - expected.sum()))
    redrawn = [
        np.abs(labels.sum(axis=1, dtype=np.float64) + predictions.n - expected.sum())
        for labels in redrawn_labels(predictions, n_resamples, rng)
    ]
    pvalue = monte_carlo_pvalue(statistic - _SAME, np.concatenate(redrawn))
    low, high = _interval(ranks - expected)
    return RankShift(float(expected.mean()), float(ranks.mean()), low, high, pvalue, n_resamples)


def _interval(residuals: Float) -> tuple[float, float] | tuple[None, None]:
    if len(residuals) < 2 or np.ptp(residuals) <= _SAME:
        return None, None
    mean = float(residuals.mean())
    half = Z * float(residuals.std(ddof=1)) / len(residuals) ** 0.5
    return mean - half, mean + half
