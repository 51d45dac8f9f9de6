"""Outcomes that were called impossible: one refutes calibration by itself, whatever a test says.

Under the null hypothesis no outcome happens that was given probability 0. Probabilities that were rounded
say less: their 0 stands for anything below half a step (:func:`~calibcore.data.decimals.rounding_of`). The
number of such outcomes is then at most a sum of independent indicators with mean μ = ½·step·zeros, for which
``P(count ≥ k) ≤ P(Poisson(μ) ≥ k)`` where k ≥ μ + 1 (Hoeffding 1956; Anderson & Samuels 1967).

Tests by redraws through a lens leave the rows out whose outcome it shows at such a 0 (:attr:`.Predictions.
possible`): no redraw makes them, so that one alone would decide. The others
are calibrated through it if all are, but for rounding. Whatever else is made by redraws, and not judged
together with the count, leaves such rows out or as they are as long as rounding explains their number
(:attr:`.Predictions.kept`).
"""

from dataclasses import dataclass, replace
from typing import Annotated

from calibcore.bounds import Count, Nonnegative, Share, Within
from calibcore.data.decimals import expected_at_zero, rounding_pvalue
from calibcore.data.predictions import Predictions


@dataclass(frozen=True)
class Impossible:
    """What happened although it was given probability 0.

    Attributes
    ----------
    outcomes : how many cases
    expected : how many rounding explains at most on average, μ; 0 where probabilities were not rounded
    decimals : digits that they were rounded to, None if they were not
    adjusted : p for the number of hypotheses of a survey, None outside one
    """

    outcomes: Count
    expected: Nonnegative
    decimals: Annotated[int, Within(0, 400)] | None
    adjusted: Share | None = None

    @property
    def pvalue(self) -> float:
        """Of calibration: where nothing was rounded 0 if anything happened and else 1; otherwise a bound."""
        if self.decimals is None:
            return 0.0 if self.outcomes else 1.0
        return rounding_pvalue(self.outcomes, self.expected)

    def through(self, outcomes: int, hypotheses: int) -> "Impossible":
        """So many of them, as a lens shows; its p times the number of hypotheses holds for every lens.

        A lens shows no more of them than there are, and the mean stays a bound: where one is rejected so are
        all together, and looking through many lenses costs nothing.
        """
        impossible = replace(self, outcomes=outcomes)
        return replace(impossible, adjusted=min(1.0, hypotheses * impossible.pvalue))


def impossible(predictions: Predictions) -> Impossible:
    """Of predictions through any lens. Cost O(nm)."""
    rounding = predictions.rounding
    expected = expected_at_zero(predictions.cases.probs, rounding)
    return Impossible(predictions.impossible_outcomes, expected, rounding and rounding.decimals)


OF_COUNT = 0.1
"""Share of the level that the count has where it and a test make one p."""


def with_count(pvalue: float, of_count: float | None) -> float:
    """p of a test and of the count beside it: a tenth of the level is the count's (weighted Bonferroni)."""
    if of_count is None:
        return pvalue
    return min(1.0, pvalue / (1 - OF_COUNT), of_count / OF_COUNT)


def is_hypothesis(predictions: Predictions) -> bool:
    """Whether the number of impossible outcomes is one more hypothesis beside those of the lenses: where
    probabilities were rounded and some are 0. Looks at predictions only."""
    return predictions.rounding is not None and bool((predictions.cases.probs == 0).any())
