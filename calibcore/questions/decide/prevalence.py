"""Net benefit at another prevalence of the event than that of the cases.

Cases and controls that were collected apart say nothing of how frequent the event is. They do say how many
with the event lie at or above a threshold t (TPR), and how many without it (FPR). At a prevalence π the net
benefit is TPR·π − FPR·(1 − π)·t/(1 − t), as if each case had the weight of its class (Vickers & Elkin 2006).
The probabilities are taken as they are: what acting on them comes to.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.bounds import Count, Length, Share, Within
from calibcore.data.outside_text import shown
from calibcore.diagram.gap_sizes import NORMAL, Interval
from calibcore.errors import InputError
from calibcore.settings.codec import Partly

FEWEST_OF_EACH = 20
"""Cases with the event, and without it, that an interval needs: a choice."""


@dataclass(frozen=True)
class AtPrevalence(Partly):
    """One threshold: hits of the cases with the event, false alarms of those without it.

    Attributes
    ----------
    with_event, without : cases with the event and without it, which the design of the study fixed
    """

    KEYS: ClassVar = (
        "threshold", "prevalence", "hits", "with_event", "false_alarms", "without", "net_benefit", "ends",
        "treat_all", "minus_treat_all", "minus_treat_all_ends",
    )  # fmt: skip
    NAMES: ClassVar = {"ends": "net_benefit_interval", "minus_treat_all_ends": "minus_treat_all_interval"}

    threshold: Annotated[float, Within(0, 1, strict=True)]
    prevalence: Share
    hits: Count
    with_event: Annotated[int, Within(1, 10**15)]
    false_alarms: Count
    without: Annotated[int, Within(1, 10**15)]

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where more are treated than there are."""
        if self.hits > self.with_event or self.false_alarms > self.without or not 0 < self.threshold < 1:
            raise InputError("More are treated than there are.")

    @property
    def sensitivity(self) -> float:
        """Of the cases with the event, those that are treated (TPR)."""
        return self.hits / self.with_event

    @property
    def false_alarm_rate(self) -> float:
        """Of the cases without the event, those that are treated (FPR)."""
        return self.false_alarms / self.without

    @property
    def _weights(self) -> tuple[float, float]:
        odds = self.threshold / (1 - self.threshold)
        return self.prevalence, (1 - self.prevalence) * odds

    @property
    def net_benefit(self) -> float:
        """Of acting from the threshold on."""
        gain, loss = self._weights
        return gain * self.sensitivity - loss * self.false_alarm_rate

    @property
    def treat_all(self) -> float:
        """Of acting always."""
        gain, loss = self._weights
        return gain - loss

    @property
    def minus_treat_all(self) -> float:
        """What acting from the threshold on is worth more than acting always."""
        return self.net_benefit - self.treat_all

    @property
    def interval(self) -> Interval | None:
        """Approximate, 95 %: both rates have Wilson's interval, and differ independently (Newcombe 1998).

        None where there are too few cases with the event, or without it.
        """
        if min(self.with_event, self.without) < FEWEST_OF_EACH:
            return None
        gain, loss = self._weights
        hit, low_hit, high_hit = _wilson(self.hits, self.with_event)
        alarm, low_alarm, high_alarm = _wilson(self.false_alarms, self.without)
        down = math.hypot(gain * (hit - low_hit), loss * (high_alarm - alarm))
        up = math.hypot(gain * (high_hit - hit), loss * (alarm - low_alarm))
        return Interval(self.net_benefit, self.net_benefit - down, self.net_benefit + up)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval of the net benefit."""
        return None if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def minus_treat_all_ends(self) -> tuple[float, float] | None:
        """Of the interval of the difference to acting always, which is worth what it is for certain."""
        interval = self.interval
        return None if interval is None else (interval.low - self.treat_all, interval.high - self.treat_all)


def _wilson(hits: int, n: int) -> tuple[float, float, float]:
    """A share and its 95 % interval (Wilson 1927)."""
    share, z2 = hits / n, NORMAL**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return share, min(share, middle - half), max(share, middle + half)


AtEach = Annotated[tuple[AtPrevalence, ...], Length(1)]


def checked_prevalence(prevalence: float) -> float:
    """Raises :class:`InputError` for one that is none."""
    if not 0 < prevalence < 1:
        raise InputError(f"The prevalence is {shown(prevalence)}; expected a number above 0 and below 1.")
    return prevalence


def at_prevalence(
    treated: Sequence[NDArray[np.bool_]], event: NDArray[np.bool_], grid: Sequence[float], prevalence: float
) -> tuple[AtPrevalence, ...]:
    """What acting from each threshold on comes to at that ``prevalence``.

    Parameters
    ----------
    treated : of each threshold (n,) whether one acts
    event : (n,) whether it happened

    Raises
    ------
    InputError : a prevalence that is none; the event happened in all cases, or in none.
    """
    prevalence, n, events = checked_prevalence(prevalence), len(event), int(np.count_nonzero(event))
    if not 0 < events < n:
        raise InputError(
            f"The event happened in {events:,} of {n:,} cases. Another prevalence needs cases with it and "
            "cases without it."
        )
    return tuple(
        AtPrevalence(
            threshold=t,
            prevalence=prevalence,
            hits=int(np.count_nonzero(event & acts)),
            with_event=events,
            false_alarms=int(np.count_nonzero(~event & acts)),
            without=n - events,
        )
        for t, acts in zip(grid, treated, strict=True)
    )
