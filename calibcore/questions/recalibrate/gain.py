r"""How much better would recalibration make the predictions? Cross-fitted, with an exact p-value.

Each fold is mapped by what was fitted to the other folds. The gain is the mean loss before less that after.
Its p is exact: labels are redrawn from the original predictions and all folds are fitted anew each time, so
that under calibration the observed gain is one of B + 1 exchangeable numbers. No test is ever made on
cross-fitted predictions: after isotonic regression the errors of the folds cancel and no test can reject.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from scipy.special import stdtrit

from calibcore.bounds import Count, Nonnegative, OneOf, Share
from calibcore.data.cross_fitted import CROSS_FITTED
from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests.result import monte_carlo_pvalue, none_as_extreme
from calibcore.numerics import loops
from calibcore.numerics.streams import stream
from calibcore.numerics.tempering import smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps import RecalibrationMap
from calibcore.questions.recalibrate.maps.map import losses
from calibcore.transforms.redraws import redrawn_labels

MOST_BRIER = 2.0
"""What no Brier score exceeds."""
_TASK = 8
"""Redraws of a task."""


@dataclass(frozen=True)
class Gain:
    """The mean loss before less that after, above 0 where recalibration helps.

    low, high : approximate 95 % interval, may be short: it covered .84 to .94 of the time, simulated
    before : the mean loss before
    """

    value: float
    low: float
    high: float
    before: float

    @property
    def cautious(self) -> float:
        """About a standard error below the gain: halfway to the low end of its interval."""
        return (self.value + self.low) / 2


@dataclass(frozen=True)
class GainTest:
    """The exact test of the gain.

    score : "log_loss" or "brier", whichever is tested
    pvalue, n_resamples, at_floor : exact, of calibration of the original model
    low_by_chance, high_by_chance : where the gain lies 9 times in 10 under calibration
    deviation : of the gain under calibration; None in documents of earlier versions
    """

    score: Annotated[str, OneOf("log_loss", "brier")]
    pvalue: Share
    n_resamples: Count
    at_floor: bool
    low_by_chance: float
    high_by_chance: float
    deviation: Nonnegative | None = None


def folds_of(n: int, folds: int, seed: int) -> Int:
    """(n,) the fold of each case: equally many in each, by ``seed`` alone."""
    return np.asarray(stream(seed, "folds").permutation(np.arange(n) % folds), np.int64)


def gain(before: Float, after: Float, labels: Int, log_loss: bool) -> Gain:
    """Of predictions before and after, case by case. Cost O(nm)."""
    first = np.maximum(before, smallest_of(before)) if log_loss else before
    loss = losses(first, labels, log_loss)
    d = loss - losses(after, labels, log_loss)
    value, n = float(d.mean()), len(d)
    half = float(stdtrit(n - 1, 0.975)) * math.sqrt(float(d.var(ddof=1)) / n)
    return Gain(value, value - half, value + half, float(loss.mean()))


def widened(tested: Gain, test: GainTest | None, n: int) -> float:
    """How many times as wide the interval of the gain that is tested has to be, 1 or more.

    Half of it is at least t times the deviation of the gain over the redraws. Cases vary little where a map
    does next to nothing. But the map itself varies from one set of cases to the next, which they do not show.
    """
    half = tested.high - tested.value
    if test is None or test.deviation is None or half <= 0:
        return 1.0
    return max(1.0, float(stdtrit(n - 1, 0.975)) * test.deviation / half)


def wider(gain: Gain, times: float) -> Gain:
    """The same gain, its interval so many times as wide."""
    half = times * (gain.high - gain.value)
    return gain if times == 1 else replace(gain, low=gain.value - half, high=gain.value + half)


def possible(gain: Gain, log_loss: bool) -> Gain:
    """The same gain, its interval cut to what can be: no loss is below 0, and no Brier score above 2."""
    low = gain.low if log_loss else max(gain.low, gain.before - MOST_BRIER)
    return replace(gain, low=low, high=min(gain.high, gain.before))


def gain_test(
    predictions: Predictions,
    method: type[RecalibrationMap],
    folds: Int,
    n_resamples: int,
    seed: int,
    report: Callable[[float], None],
) -> GainTest | None:
    """Exact for independent cases; None of a method that is not redrawn.

    Cost: B cross-fits, or what :meth:`.RecalibrationMap.gain_of_labels` makes of them.
    """
    if not method.redrawn:
        return None
    gains = method.gain_of_labels(predictions.probs, folds)
    observed = float(gains(predictions.labels[None])[0])
    parts, done = [], [0]
    for block in redrawn_labels(predictions, n_resamples, stream(seed, f"gain-{method.kind}")):

        def gains_of_rows(rows: slice, block: Labels = block) -> Float:
            values = gains(block[rows])
            done[0] += len(values)
            report(done[0] / n_resamples)
            return values

        parts += loops.in_threads(gains_of_rows, loops.blocks(len(block), _TASK))
    redrawn = np.concatenate(parts)
    pvalue = monte_carlo_pvalue(observed, redrawn)
    low, high = np.quantile(redrawn, (0.05, 0.95), method="inverted_cdf")
    return GainTest(
        "log_loss" if method.has_log_loss else "brier",
        pvalue,
        n_resamples,
        none_as_extreme(pvalue, n_resamples),
        float(low),
        float(high),
        float(redrawn.std(ddof=1)) if n_resamples > 1 else None,
    )


def with_probabilities(predictions: Predictions, probs: Float, mark: str = "") -> Predictions:
    """The same cases with other probabilities, marked as cross-fitted by the map ``mark``."""
    columns = dict(predictions.metadata)
    if mark:
        columns[CROSS_FITTED] = np.full(predictions.n, mark)
    made = Predictions.from_arrays(
        probs, predictions.labels, predictions.class_names, columns, renormalise=True
    )
    p = predictions
    return replace(made, confidence_only=p.confidence_only, label_of=p.label_of, ordered=p.ordered)
