"""How far the kernel test depends on its bandwidth: statistic above chance, and p, over one axis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.numerics.types import Float
from calibcore.sensitivity.bandwidths import BandwidthSensitivity
from calibcore.words.sensitivity import bandwidth_p, chance_of, rule_words

AXIS_TITLE = "Bandwidth: how far apart still counts as alike"
ABOVE = "How far above chance, in its standard deviations"
EXACT_P = "Exact p"
OBSERVED = "observed"


@dataclass(frozen=True)
class Rule:
    """A rule for the bandwidth: its name and value, on which side of that the name ends, and whether it is
    the one in use."""

    name: str
    value: float
    side: str
    used: bool


@dataclass(frozen=True, eq=False)
class BandwidthChart:
    """What is drawn over ``bandwidths`` (K,).

    above (K,), low, high (K,) : the statistic among its redraws, in their standard deviations; NaN where
        redraws do not differ
    chance : what the band between ``low`` and ``high`` is
    pvalue, strong (K,), hovers : the exact p, whether it is at most the level, and p in words
    across, p_ends : ends of the axes of bandwidths and of p
    """

    bandwidths: Float
    above: Float
    low: Float
    high: Float
    chance: str
    pvalue: Float
    strong: NDArray[np.bool_]
    hovers: list[str]
    alpha: float
    across: tuple[float, float]
    p_ends: tuple[float, float]
    rules: list[Rule]

    @property
    def banded(self) -> NDArray[np.bool_]:
        """(K,) where there is a band."""
        return np.asarray(~np.isnan(self.low))

    @property
    def rising(self) -> list[Rule]:
        """The rules by their values."""
        return sorted(self.rules, key=lambda rule: rule.value)

    @property
    def level(self) -> str:
        """What the level of p is called."""
        return f"level {self.alpha:g}"


def bandwidth_chart(sensitivity: BandwidthSensitivity) -> BandwidthChart:
    """The chart of a sensitivity analysis; names of rules stand away from each other."""
    v, alpha = sensitivity.bandwidths, sensitivity.spec.alpha
    order = sorted(sensitivity.rules, key=lambda rule: sensitivity.rules[rule])
    sides = dict(zip(order, ["right", *["center"] * (len(order) - 2), "left"], strict=True))
    return BandwidthChart(
        v,
        sensitivity.above,
        *sensitivity.range,
        chance_of(sensitivity),
        sensitivity.pvalue,
        sensitivity.pvalue <= alpha,
        [bandwidth_p(sensitivity, k) for k in range(len(v))],
        alpha,
        (float(v[0]) / 1.06, float(v[-1]) * 1.06),
        (min(1 / (sensitivity.n_resamples + 1), 0.5 * alpha) * 0.7, 1.3),
        [
            Rule(rule_words(rule), value, sides[rule], rule == sensitivity.in_use)
            for rule, value in sensitivity.rules.items()
        ],
    )


def strong_name(strong: bool) -> str:
    """What marks of p are."""
    return "p at most the level" if strong else "p above the level"
