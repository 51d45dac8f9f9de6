"""The axis of probabilities: even from 0 to 100 %, or in log-odds where most predictions are nearly sure."""

from dataclasses import dataclass

import numpy as np

from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import NEAREST, Spread, log_odds
from calibcore.numerics.types import Float
from calibcore.words.phrases import exact_percent

TITLE = "Probability the model gave"
EDGE = 0.02
"""Room at either end, as a share of the axis."""
FEWEST_TICKS = 4
_TAILS = tuple(10.0**-k for k in range(6, 0, -1))
_BETWEEN = ((), (0.03, 0.003), (0.3, 0.2, 0.05, 0.02, 0.005, 0.002))
"""Ticks beside the powers of ten: more and more of them, until there are enough."""


@dataclass(frozen=True)
class ProbabilityAxis:
    """From the probability ``low`` to ``high``; in ``log_odds`` or even."""

    low: float = 0.0
    high: float = 1.0
    log_odds: bool = False

    def place(self, probs: Float) -> Float:
        """Where probabilities stand, in the units of the axis."""
        return log_odds(probs) if self.log_odds else np.asarray(probs)

    @property
    def ends(self) -> tuple[float, float]:
        """Of the axis with its room, in its units."""
        low, high = self.place(np.array([self.low, self.high])).tolist()
        room = EDGE * (high - low)
        return low - room, high + room

    @property
    def span(self) -> float:
        """From the place of ``low`` to that of ``high``."""
        low, high = self.place(np.array([self.low, self.high])).tolist()
        return float(high - low)

    @property
    def title(self) -> str:
        """What the axis says."""
        return f"{TITLE} (log-odds scale)" if self.log_odds else TITLE

    def ticks(self) -> tuple[list[float], list[str]]:
        """Places and words of an axis in log-odds."""
        ticks: list[float] = []
        for i in range(len(_BETWEEN)):
            tails = sorted({*_TAILS, *(tail for finer in _BETWEEN[: i + 1] for tail in finer)})
            ticks = [*tails, 0.5, *(1 - tail for tail in reversed(tails))]
            ticks = [tick for tick in ticks if self.low <= tick <= self.high]
            if len(ticks) >= FEWEST_TICKS:
                break
        return self.place(np.array(ticks)).tolist(), [exact_percent(tick) for tick in ticks]


def axis_of(diagram: Reliability, spread: Spread | None) -> ProbabilityAxis:
    """Even, or in log-odds around all crosses and the intervals of a ``spread``."""
    if spread is None:
        return ProbabilityAxis()
    means = diagram.mean_prediction[:, 0]
    low, high = min(spread.edges[0], means.min()), max(spread.edges[-1], means.max())
    return ProbabilityAxis(max(float(low), NEAREST), min(float(high), 1 - NEAREST), log_odds=True)
