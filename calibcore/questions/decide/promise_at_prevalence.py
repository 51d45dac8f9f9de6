"""The threshold that keeps a promise at another prevalence: exact where cases and controls were drawn apart.

Of the class for which one acts a share T of the cases is accepted, of the others a share F. Where that class
has the prevalence π, at least ``target`` of the accepted are right as long as

    F ≤ c·T,   c = π(1 − target) / ((1 − π)·target)

Each share is bounded at half the risk (Bonferroni). T is bounded from below at all thresholds at once
(Dvoretzky, Kiefer & Wolfowitz 1956; Massart 1990), so that thresholds and their order may follow from those
cases. Given them the others are independent: F is tested exactly, threshold by threshold in that order (see
:mod:`.guarantee`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtri

from calibcore.bounds import Count, Share, Within
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.questions.decide.guarantee import (
    DRAWN,
    MOST_LOOKED_AT,
    MOST_NEEDED,
    POWER,
    RISK,
    STEPS,
    TARGET,
    Accepted,
    allowed,
    evenly,
    in_steps,
    next_of,
    places_of,
    refuse_no_share,
)
from calibcore.questions.decide.prevalence import checked_prevalence
from calibcore.settings.codec import Partly

_SHARE = Annotated[float, Within(0, 1, strict=True)]
_SOME = Annotated[int, Within(1, 10**15)]
_SUREST = 1e-6
"""No score counts as surer than that: one case would say how rare the others are."""


@dataclass(frozen=True)
class GuaranteeAtPrevalence(Partly):
    """From which threshold on the target is kept where a class is as frequent as ``prevalence``.

    Attributes
    ----------
    target, risk : of the accepted at least the ``target`` are right there, but for a chance of ``risk``
    prevalence : how frequent the class is there for which one acts; of what is ruled out, how frequent all
        else is
    threshold : what is predicted so or higher is accepted, or, of what is ruled out, so or lower; None where
        no threshold can be shown to keep the target
    right, of_right : cases of that class that are accepted, and all of them
    wrong, of_wrong : the same of the others
    naive : the threshold that accepts most among those at which the target is reached by these shares,
        which promises nothing; None where there is none
    cases_needed : where no threshold can be shown: with about so many cases, of either kind the share that
        there is now, one would be in 8 of 10 data sets, if the model keeps what it promises; None where one
        was found, and where none would be
    naive_counts : of these cases those that the naive threshold accepts
    curve : rising numbers of accepted cases, for a figure of wrong ones over the share that is accepted
    """

    KEYS: ClassVar = (
        "target", "risk", "prevalence", "threshold", "right", "of_right", "wrong", "of_wrong", "share",
        "naive", "cases_needed", "naive_counts", "curve",
    )  # fmt: skip
    OPTIONAL: ClassVar = ("naive_counts", "curve")

    target: _SHARE
    risk: _SHARE
    prevalence: _SHARE
    threshold: Share | None
    right: Count
    of_right: _SOME
    wrong: Count
    of_wrong: _SOME
    naive: Share | None
    cases_needed: Count | None
    naive_counts: Accepted | None = None
    curve: tuple[Accepted, ...] = ()

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if self.right > self.of_right or self.wrong > self.of_wrong:
            raise InputError("More are accepted than there are.")
        if (self.threshold is None) != (self.right == 0):
            raise InputError("Something is accepted at no threshold, or nothing at one.")
        rising = [0, *(place.accepted for place in self.curve)]
        if any(a >= b for a, b in pairwise(rising)):
            raise InputError("The numbers of accepted cases do not rise.")
        for place in self.places:
            if place.wrong > self.of_wrong or not 0 <= place.accepted - place.wrong <= self.of_right:
                raise InputError("More are accepted than there are, or more wrong than are accepted.")

    @property
    def share(self) -> float:
        """Of all cases there, those that are accepted: estimated."""
        return self._share(self.right, self.wrong)

    @property
    def shown(self) -> Accepted | None:
        """What the threshold accepts of these cases."""
        return None if self.threshold is None else Accepted(self.right + self.wrong, self.wrong)

    @property
    def places(self) -> tuple[Accepted, ...]:
        """All numbers of accepted cases that are known: those of the curve and of both thresholds."""
        return places_of(self.curve, self.shown, self.naive_counts)

    def share_of(self, place: Accepted) -> float:
        """Of all cases there, those that would be accepted: estimated."""
        return self._share(place.accepted - place.wrong, place.wrong)

    def error_of(self, place: Accepted) -> float:
        """The share of wrong ones among those accepted there: estimated."""
        return (1 - self.prevalence) * place.wrong / self.of_wrong / self.share_of(place)

    def limit_of(self, place: Accepted) -> float:
        """How large that may be in truth, at this place alone: no more than 1 − target where it is shown.

        The share of the class is bounded at all places at once, that of the others by the limit of Clopper &
        Pearson, each at half the risk.
        """
        least = (place.accepted - place.wrong) / self.of_right - _within(self.of_right, self.risk)
        if least <= 0 or place.wrong == self.of_wrong:
            return 1.0
        most = (1 - self.prevalence) * float(bdtri(place.wrong, self.of_wrong, self.risk / 2))
        return most / (most + self.prevalence * least)

    def _share(self, right: int, wrong: int) -> float:
        return self.prevalence * right / self.of_right + (1 - self.prevalence) * wrong / self.of_wrong


def _within(cases: float, risk: float) -> float:
    """So far at most a share of so many cases lies from its true one, everywhere at once, but for a chance of
    half the ``risk``."""
    return math.sqrt(math.log(2 / risk) / (2 * cases))


def guarantee_at_prevalence(
    scores: Float, right: NDArray[np.bool_], prevalence: float, target: float = TARGET, risk: float = RISK
) -> GuaranteeAtPrevalence:
    """From which score on ``target`` of the accepted or more are right where a class has that ``prevalence``.

    For cases of both kinds that were drawn independently, each kind as it is where one acts. Holds whatever
    the scores are worth. Cost O(n log n).

    Parameters
    ----------
    scores : (n,) chances of the class for which one acts
    right : (n,) whether a case is of that class
    prevalence : how frequent the class is where one acts, above 0 and below 1
    target, risk : above 0 and below 1

    Raises
    ------
    InputError : a target, a risk or a prevalence that is none; only one kind of cases.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore.questions.decide.promise_at_prevalence import guarantee_at_prevalence
    >>> scores, ill = np.repeat([0.9, 0.1], [180, 3820]), np.arange(4000) < 200
    >>> kept = guarantee_at_prevalence(scores, ill, prevalence=0.1, target=0.9)
    >>> kept.threshold, kept.right, kept.wrong, round(kept.share, 3)
    (0.9, 180, 0, 0.09)
    """
    return _guarantee(scores, in_steps(scores), right, prevalence, target, risk)


def ruled_out_at_prevalence(
    chances: Float, event: NDArray[np.bool_], prevalence: float, target: float = TARGET, risk: float = RISK
) -> GuaranteeAtPrevalence:
    """Up to which chance of an event ``target`` of the accepted or more have none where the event has that
    ``prevalence``: :func:`guarantee_at_prevalence` of all without it."""
    return _guarantee(1 - chances, in_steps(-chances), ~event, 1 - prevalence, target, risk)


def _guarantee(
    scores: Float, steps: Float, right: NDArray[np.bool_], prevalence: float, target: float, risk: float
) -> GuaranteeAtPrevalence:
    checked_prevalence(prevalence)
    refuse_no_share(target, risk)
    of_right = int(np.count_nonzero(right))
    of_wrong = len(right) - of_right
    if not of_right or not of_wrong:
        raise InputError("All cases are of one kind; another prevalence needs cases of both.")
    order = np.lexsort((-scores[right], -steps[right]))
    falling, sure = steps[right][order], scores[right][order]
    rest = np.sort(-steps[~right])
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True)) + 1
    wrong = np.searchsorted(rest, -falling[ends - 1], side="right")  # of the others, as sure or surer
    odds = prevalence * (1 - target) / ((1 - prevalence) * target)
    sides = _Sides(ends, wrong, _promised(sure, ends), odds, of_right, of_wrong, risk)
    accepted: int | None = None
    for k, most in sides.tested():
        if wrong[k] > most:
            break
        accepted = k
    reached = np.flatnonzero(wrong / of_wrong <= odds * ends / of_right * (1 + 1e-12))

    def threshold(k: int) -> float:
        return abs(float(falling[ends[k] - 1])) / STEPS

    def counts(k: int) -> Accepted:
        return Accepted(int(ends[k] + wrong[k]), int(wrong[k]))

    return GuaranteeAtPrevalence(
        target=target,
        risk=risk,
        prevalence=prevalence,
        threshold=None if accepted is None else threshold(accepted),
        right=0 if accepted is None else int(ends[accepted]),
        of_right=of_right,
        wrong=0 if accepted is None else int(wrong[accepted]),
        of_wrong=of_wrong,
        naive=threshold(int(reached[-1])) if len(reached) else None,
        cases_needed=None if accepted is not None else sides.needed(wrong[-1] / of_wrong),
        naive_counts=counts(int(reached[-1])) if len(reached) else None,
        curve=_drawn(-falling, rest),
    )


def _drawn(own: Float, rest: Float) -> tuple[Accepted, ...]:
    """Places for a figure, of the steps of both kinds of cases, turned so that they rise."""
    steps = np.unique(np.concatenate([own, rest]))
    wrong = np.searchsorted(rest, steps, side="right")
    accepted = np.searchsorted(own, steps, side="right") + wrong
    n = int(accepted[-1])
    drawn = np.searchsorted(accepted, next_of(accepted, evenly(max(1, n // DRAWN), n)))
    return tuple(map(Accepted, accepted[drawn].tolist(), wrong[drawn].tolist()))


def _promised(sure: Float, ends: Int) -> Float:
    """The shares of the rest that the model itself promises to be as sure, by the cases of the class.

    Where P(class) = s, there are (1 − s)/s of the rest for each case of the class.
    """
    beside = np.cumsum((1 - sure) / np.maximum(sure, _SUREST))
    total = float(beside[-1])
    return np.asarray(np.minimum(beside[ends - 1] / total, 1.0) if total > 0 else np.zeros(len(ends)))


@dataclass(frozen=True)
class _Sides:
    """What is known of the thresholds before the others are looked at.

    ends : (g,) cases of the class from each threshold on, rising
    wrong : (g,) others from there on
    promised : (g,) shares of the others that the model promises
    odds : the share of the others may be so many times that of the class
    """

    ends: Int
    wrong: Int
    promised: Float
    odds: float
    of_right: int
    of_wrong: int
    risk: float

    def most(self, places: Int, times: float = 1.0) -> Int:
        """The most of the others that show the target there, of ``times`` as many cases; −1: none."""
        least = self.ends[places] / self.of_right - _within(times * self.of_right, self.risk)
        rates = np.clip(self.odds * least, 0.0, 1.0)
        n = round(times * self.of_wrong)
        most = allowed(np.full(len(rates), n), 1 - rates, self.risk / 2)
        return np.asarray(np.where(rates >= 1, n, np.where(rates > 0, most, -1)))

    def powers(self, places: Int, times: float = 1.0, beside: float = 1.0) -> Float:
        """How often that would be seen there, by what the model promises of so much of the others."""
        most, n = self.most(places, times), round(times * self.of_wrong)
        promised = beside * self.promised[places]
        return np.asarray(np.where(most < 0, 0.0, bdtr(np.maximum(most, 0), n, promised)))

    def tested(self) -> Iterator[tuple[int, int]]:
        """The places of thresholds in the order in which they are tested, and the most of the others that
        show the target there; the others are not used."""
        places = self._places(self.of_right * _within(self.of_right, self.risk))
        most, largest = self.most(places), -1
        for i in np.lexsort((places, -self.powers(places))).tolist():
            if places[i] > largest:
                largest = int(places[i])
                yield largest, int(most[i])

    def _places(self, fewest: float) -> Int:
        """From where on so many cases of the class are accepted up to where all are, in even steps of their
        logarithm."""
        if fewest >= self.of_right:
            return np.zeros(0, np.int64)
        wished = np.geomspace(max(1.0, fewest), self.of_right, MOST_LOOKED_AT)
        return np.asarray(np.searchsorted(self.ends, next_of(self.ends, wished)))

    def needed(self, beside: float) -> int | None:
        """About how many cases would show some threshold; None where too many would, or none.

        beside : the share of the others that is as sure as some case of the class. The promise is of these:
            what lies below all cases of the class, they say nothing of. The order of tests does without it,
            as it would depend on the others.
        """
        n, places = self.of_right + self.of_wrong, self._places(0.0)

        def shows(times: float) -> bool:
            return bool((self.powers(places, times, beside) >= POWER).any())

        high = 1.0
        while not shows(high):
            high *= 2
            if high * n > MOST_NEEDED:
                return None
        low = high / 2
        while high - low > 0.005 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if shows(middle) else (middle, high)
        return math.ceil(high * n)
