r"""What acting on a probability is worth at a threshold: net benefit, promised and achieved.

Who gives a false alarm the weight $w = t/(1-t)$ of a hit acts from the probability t on (Vickers & Elkin
2006). The net benefit is the mean of
$z_i = 1[p_i \ge t]\,(y_i - (1 - y_i)\,w) = 1[p_i \ge t]\,(y_i - t)/(1 - t)$. That of acting always is the
mean without the condition, that of never acting 0. The model promises the mean of
$z^*_i = 1[p_i \ge t]\,(p_i - t)/(1 - t)$, so what was achieved differs from what was promised by
(hits − promised hits)/(n(1 − t)) and by nothing else.

An interval is 1.96 √V around the mean, both with two hits and two misses more among the cases that count
(Agresti & Coull 1998). V is the variance of that mean by the sample or, if larger, by the model's claim for
the cases that there are: mean p(1 − p)·1[p ≥ t]/(1 − t)² and the sample variance of z*. Without the claim the
difference to acting always was covered .80 of the time where few cases lie below the threshold (n = 100,
t = .1). Without the four cases it was covered .51 to .94 where the model says too little of a rare event: its
claim is small, and the sample may not hold the event yet.
"""

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from calibcore.bounds import Count, Nonnegative, Share, Within
from calibcore.diagram.gap_sizes import NORMAL, Interval, share_of
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import none_as_extreme
from calibcore.settings.codec import Partly
from calibcore.settings.faults import misfit

BELOW_1 = math.nextafter(1, 0)
FEWEST = 20
"""Cases that an interval needs: a choice."""
ADDED = 2
"""Hits, and as many misses, that an interval adds to the cases that count (Agresti & Coull 1998)."""
FEWEST_ON_A_SIDE = 5
"""Cases at or above the threshold, and below it, that its intervals need: a choice that never sees labels."""


@dataclass(frozen=True)
class Counted:
    """Some of the cases.

    Attributes
    ----------
    cases, hits : how many, and in how many of them the first class happened
    promised, variance : the sums of p and of p(1 − p)
    """

    cases: Count
    hits: Count
    promised: Nonnegative
    variance: Nonnegative

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            self.cases + other.cases,
            self.hits + other.hits,
            self.promised + other.promised,
            self.variance + other.variance,
        )

    def benefit(self, n: int, threshold: float) -> float:
        """The net benefit, per case of all ``n``, of acting in these cases alone."""
        return (self.hits - threshold * self.cases) / (n * (1 - threshold))

    def promised_benefit(self, n: int, threshold: float) -> float:
        """The net benefit that the model promises of it."""
        return (self.promised - threshold * self.cases) / (n * (1 - threshold))

    def sample_variance(self, n: int, threshold: float) -> float:
        """Of :meth:`benefit`, by the sample."""
        t, scale = threshold, (1 - threshold) ** 2
        squares = self.hits * (1 - t) ** 2 + (self.cases - self.hits) * t**2
        return max(squares / scale - n * self.benefit(n, t) ** 2, 0.0) / (n - 1) / n

    def claimed_variance(self, n: int, threshold: float) -> float:
        """Of :meth:`benefit`, by the model's own probabilities."""
        t, scale = threshold, (1 - threshold) ** 2
        spread = self.promised - self.variance - 2 * t * self.promised + t**2 * self.cases  # Σ(p − t)²
        between = (spread / scale - n * self.promised_benefit(n, t) ** 2) / (n - 1)
        return (self.variance / (n * scale) + max(between, 0.0)) / n

    def interval(self, n: int, threshold: float) -> Interval:
        """:meth:`benefit` with its approximate 95 % interval: the middle is that with four cases more."""
        more = replace(self, cases=self.cases + 2 * ADDED, hits=self.hits + ADDED)
        every = n + 2 * ADDED
        variance = max(more.sample_variance(every, threshold), self.claimed_variance(n, threshold))
        middle, half = more.benefit(every, threshold), NORMAL * math.sqrt(variance)
        return Interval(self.benefit(n, threshold), middle - half, middle + half)


@dataclass(frozen=True)
class OtherModel:
    """Another model at the same threshold, on the same cases.

    treated, net_benefit : of the other model
    difference : the net benefit of this model less that of the other; approximate 95 % interval, None with
        too few cases that are treated by one of them alone
    """

    treated: Count
    net_benefit: float
    difference: float
    interval: Interval | None


@dataclass(frozen=True)
class AtThreshold(Partly):
    """What acting from one threshold on is worth.

    Attributes
    ----------
    threshold : t, between 0 and 1
    treated, untreated : cases with p ≥ t and with p < t
    chance : hits among the treated may differ by so much from the promise before chance is a poor explanation
        at the level α, for this threshold alone
    pvalue, n_resamples : exact, of the hits among the treated against the promised ones, for this threshold
        alone
    """

    NAMES: ClassVar = {"pvalue": "p_value"}

    threshold: Annotated[float, Within(0, BELOW_1, strict=True)]
    treated: Counted
    untreated: Counted
    chance: Nonnegative
    pvalue: Share
    n_resamples: Count
    other: OtherModel | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if self.n < 2:
            raise InputError(f"It is of {self.n:,} cases; expected 2 at least.")
        for name, side in (("treated", self.treated), ("untreated", self.untreated)):
            if side.hits > side.cases or side.promised > side.cases * (1 + 1e-9):
                raise misfit(side.hits, "no more hits than cases").inside("hits").inside(name)

    @property
    def all(self) -> Counted:
        """All cases."""
        return self.treated + self.untreated

    @property
    def n(self) -> int:
        """How many cases there are."""
        return self.treated.cases + self.untreated.cases

    @property
    def at_floor(self) -> bool:
        """Whether no redraw was as extreme."""
        return none_as_extreme(self.pvalue, self.n_resamples)

    @property
    def net_benefit(self) -> float:
        """Net true positives a case: hits less false alarms times t/(1 − t), over all cases."""
        return self.treated.benefit(self.n, self.threshold)

    @property
    def treat_all(self) -> float:
        """The net benefit of acting always; that of never acting is 0."""
        return self.all.benefit(self.n, self.threshold)

    @property
    def promised(self) -> float:
        """The net benefit that the model promises."""
        return self.treated.promised_benefit(self.n, self.threshold)

    @property
    def chance_range(self) -> tuple[float, float]:
        """The net benefits that chance allows around the promise, for this threshold alone."""
        half = self.chance / (self.n * (1 - self.threshold))
        return self.promised - half, self.promised + half

    @property
    def deviation(self) -> float:
        """The standard deviation of the net benefit under calibration."""
        return math.sqrt(self.treated.variance) / (self.n * (1 - self.threshold))

    @property
    def few(self) -> bool:
        """Whether there are too few cases for an interval of the net benefit."""
        return self.n < FEWEST or self.treated.cases < FEWEST_ON_A_SIDE

    @property
    def interval(self) -> Interval | None:
        """The net benefit with its approximate 95 % interval; None with too few treated cases."""
        return None if self.few else self.treated.interval(self.n, self.threshold)

    @property
    def minus_treat_all(self) -> float:
        """The net benefit less that of acting always: what leaving out the cases below t is worth."""
        return 0.0 if not self.untreated.cases else -self.untreated.benefit(self.n, self.threshold)

    @property
    def minus_treat_all_interval(self) -> Interval | None:
        """With its approximate 95 % interval; None with too few cases below t."""
        if self.n < FEWEST or self.untreated.cases < FEWEST_ON_A_SIDE:
            return None
        interval = self.untreated.interval(self.n, self.threshold)
        return Interval(-interval.value, -interval.high, -interval.low)

    @property
    def avoided(self) -> float:
        """Treatments avoided a case, net of hits that are missed, against treating all (Vickers & Elkin)."""
        return self.minus_treat_all * (1 - self.threshold) / self.threshold

    @property
    def avoided_interval(self) -> Interval | None:
        """With its approximate 95 % interval."""
        interval, scale = self.minus_treat_all_interval, (1 - self.threshold) / self.threshold
        return interval and Interval(interval.value * scale, interval.low * scale, interval.high * scale)

    @property
    def share_treated(self) -> float:
        """The share of cases with p ≥ t: the coverage, where the model may decline to answer."""
        return self.treated.cases / self.n

    @property
    def hit_rate(self) -> Interval | None:
        """The share of hits among the treated; None where nobody is treated.

        The 95 % interval is Clopper & Pearson's: of cases with unequal chances it covers their mean chance at
        least as often as it says (Hoeffding 1956).
        """
        return share_of(self.treated.hits, self.treated.cases) if self.treated.cases else None

    @property
    def missed_rate(self) -> Interval | None:
        """The share of hits among the untreated, as :attr:`hit_rate`; None where all are treated."""
        return share_of(self.untreated.hits, self.untreated.cases) if self.untreated.cases else None

    @property
    def promised_rate(self) -> float | None:
        """The share of hits among the treated that the model promises."""
        return self.treated.promised / self.treated.cases if self.treated.cases else None

    @property
    def promised_rate_by_chance(self) -> tuple[float, float] | None:
        """Where chance lets the share of hits among the treated lie, for this threshold alone."""
        return self.rates_within(self.chance)

    def rates_within(self, hits: float) -> tuple[float, float] | None:
        """Shares of hits among the treated, so many hits around the promise; None where nobody is treated."""
        promised, n = self.treated.promised, self.treated.cases
        return (max(0.0, (promised - hits) / n), min(1.0, (promised + hits) / n)) if n else None
