r"""Is the model too sure or too unsure? Exact, with the temperatures that would explain what happened.

$S = \sum_i \log g_i(y_i)$. Under calibration its mean is $\sum_{ik} g_{ik} \log g_{ik}$, and T = |S − mean|
is the score test of a temperature, exact by redraws. S falls stochastically as the temperature rises. So the
temperatures at which both one-sided p-values of S exceed α/2 form an interval: an exact confidence set within
"calibrated but for a temperature".

Where its ends lie is known beforehand from the saddlepoint approximation: the cumulants of S are differences
of $A(b) = \sum_i \log \sum_k g_{ik}^b$, b = 1/T. So a few temperatures are redrawn at each end in place of a
search. Of very many cases the approximation is closer than redraws are, and is taken itself.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, ClassVar

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from calibcore.bounds import Count, Share, Within
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.hypothesis_tests.result import monte_carlo_pvalue, none_as_extreme
from calibcore.numerics.draws import Draws
from calibcore.numerics.streams import stream
from calibcore.numerics.tempering import LEAST, MOST, Powers
from calibcore.numerics.types import Float
from calibcore.settings.codec import Partly

STREAM = "temperature-set"
NEAR = 0.001
"""How near an end is known, as a share of it."""
REDRAWN = 50_000_000
"""Labels of a temperature up to which the set's ends are redrawn; beyond, the approximation is closer."""
NOTHING = 1e-300
"""What a 0 counts as that is to stay one."""
_AIMED, _STEPS = 4, 24


@dataclass(frozen=True)
class TemperatureSet(Partly):
    """What speaks for a temperature.

    Attributes
    ----------
    estimate : the temperature of least log loss, fitted to all cases
    low, high : of the temperatures that the outcomes do not refute; at 1/20 or 20 there is no limit
    approximate_ends : True where these come from the approximation, of more than :data:`REDRAWN` labels; None
        where they come from redraws, and in documents of earlier versions
    empty : whether no temperature explains them
    score : Σ log g(y) less its mean under calibration: below 0 where the model is too sure
    pvalue : exact, of calibration
    at_floor : whether no redraw was as extreme
    """

    NAMES: ClassVar = {"pvalue": "p_value"}
    KEYS: ClassVar = (
        "estimate", "low", "high", "score", "n_resamples", "at_floor", "empty", "pvalue", "approximate_ends",
    )  # fmt: skip
    LATER: ClassVar = ("approximate_ends",)
    OPTIONAL: ClassVar = LATER

    estimate: Annotated[float, Within(LEAST, MOST)]
    low: Annotated[float, Within(LEAST, MOST)]
    high: Annotated[float, Within(LEAST, MOST)]
    pvalue: Share
    score: float
    n_resamples: Count
    at_floor: bool
    empty: bool = False
    approximate_ends: bool | None = None


def temperature_set(
    predictions: Predictions, n_resamples: int = 999, alpha: float = 0.05, seed: int = 0
) -> TemperatureSet:
    """The exact test and the confidence set. Cost: some 10 times O(nm + nB), 3 ns each; memory O(nm).

    Of surveys and of recalibration with the same redraws, so that both say the same. A probability of 0
    counts as the smallest positive one of all cases. Where probabilities were rounded it stays 0, and cases
    are left out whose outcome stands at one (:attr:`.Predictions.kept`).

    Raises
    ------
    InputError : weighted or cross-fitted predictions.
    """
    refuse_untested(predictions)
    powers, observed, n = powers_of(predictions)
    b = powers.fitted(observed)
    fitted = 1 / b
    draws = Draws(stream(seed, STREAM))

    @cache
    def sums(temperature: float) -> Float:
        """(B,) S of labels drawn at that temperature, of the same uniforms each time."""
        return powers.redrawn(1 / temperature, draws, n_resamples)

    at_one = sums(1.0)
    mean = powers.expected()
    pvalue = monte_carlo_pvalue(abs(observed - mean), np.abs(at_one - mean))

    saddle = _Saddlepoint(powers, observed, b)
    approximate = n * n_resamples > REDRAWN and saddle.inside
    if approximate:
        low, high = (saddle.edge(bound, alpha / 2) or bound for bound in (LEAST, MOST))
        empty = False
    else:

        def share(bound: float, temperature: float) -> float:
            """How often labels at that temperature speak as clearly for another one, towards the fitted."""
            sign = -1 if bound == LEAST else 1
            return monte_carlo_pvalue(sign * observed, sign * sums(temperature))

        empty = any(share(bound, fitted) <= alpha / 2 for bound in (LEAST, MOST))
        low = high = fitted
        if not empty:
            low, high = (
                _edge(partial(share, bound), fitted, bound, alpha / 2, saddle) for bound in (LEAST, MOST)
            )
    floor = none_as_extreme(pvalue, n_resamples)
    score = observed - mean
    return TemperatureSet(fitted, low, high, pvalue, score, n_resamples, floor, empty, approximate or None)


def powers_of(predictions: Predictions) -> tuple[Powers, float, int]:
    """The probabilities at every temperature, the sum of the logarithms of what happened, and how many cases
    these are of: see :func:`temperature_set`. Cost O(nm)."""
    cases = predictions.cases.without_kept
    # A 0 that was rounded stays 0 at every temperature: what happened among the others has their law.
    stays = cases.rounding is not None and not cases.impossible_outcomes
    powers = Powers.of(cases.probs, NOTHING if stays else None)
    return powers, powers.happened(cases.labels), cases.n


class _Saddlepoint:
    """Tails of S at any temperature by Barndorff-Nielsen's r*: relative error O(1/n)."""

    def __init__(self, powers: Powers, observed: float, b: float) -> None:
        self.observed, self.b = observed, b
        self.inside = LEAST < 1 / b < MOST
        self._powers = powers
        self._at_b, _, variance = powers.at(b)
        self._sd = math.sqrt(variance)

    def score(self, temperature: float) -> float:
        """r*: about standard normal; S ≥ what happened has the probability Φ(−r*)."""
        b = 1 / temperature
        t = self.b - b
        rest = t * self.observed - self._at_b + self._powers.at(b).value
        w, u = math.copysign(math.sqrt(max(0.0, 2 * rest)), t), t * self._sd
        return w + math.log(u / w) / w if w and u else 0.0

    def edge(self, bound: float, tail: float) -> float | None:
        """Where the tail towards the fitted temperature is as likely as that; None up to ``bound``."""
        if not self.inside or not self._sd:
            return None
        wanted = float(ndtri(tail)) * (1 if bound == LEAST else -1)
        start = 1 / self.b * (1.001 if bound > 1 / self.b else 0.999)

        def off(x: float) -> float:
            return self.score(math.exp(x)) - wanted

        ends = math.log(start), math.log(bound)
        if off(ends[0]) * off(ends[1]) >= 0:
            return None
        return math.exp(float(brentq(off, *ends, xtol=1e-6)))


def _edge(
    share: Callable[[float], float], inside: float, bound: float, tail: float, saddle: _Saddlepoint
) -> float:
    """The temperature at which ``share`` falls to ``tail``, on a scale of logarithms; ``bound`` if nowhere.

    From where it is expected: each share tells, by the normal law, how far the end still is. Where that does
    not find it soon, as of few cases, by halving.
    """
    a, end = math.log(inside), math.log(bound)
    outside: float | None = None
    guess = saddle.edge(bound, tail)
    x = end if guess is None else math.log(guess)
    way = math.copysign(1.0, end - a)
    per_step = float("nan") if guess is None else -float(ndtri(tail)) / abs(x - a)
    for step in range(_STEPS):
        value = share(math.exp(x))
        if value <= tail:
            outside = x
        elif x == end:
            return bound
        else:
            a = x
        if outside is not None and abs(outside - a) <= NEAR:
            break
        left = float(ndtri(value) - ndtri(tail)) / per_step  # how far outwards the end is
        aim = x + way * (left + (0.4 * NEAR if value > tail else -0.4 * NEAR))
        limit = end if outside is None else outside
        if step >= _AIMED or not math.isfinite(aim) or not min(a, limit) < aim < max(a, limit):
            aim = (a + limit) / 2 if outside is not None else end
        x = aim
    return math.exp((a + outside) / 2) if outside is not None else bound
