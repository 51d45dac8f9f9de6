"""The threshold that keeps a promise: from where on answers are right as often as is asked for.

Whoever takes the lowest threshold above which the target was reached promises what chance gave. Here
hypotheses are tested in one fixed order, each at the whole risk, until the first that cannot be rejected
(Bauer 1991; Angelopoulos et al. 2021, Learn then Test): the risk holds for all of them together. The order
follows from the predictions alone.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import bdtr, bdtri, bdtrik

from calibcore.bounds import AtLeastOne, Count, Share, Within
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.settings.codec import Partly

TARGET, RISK = 0.95, 0.05
"""What is asked for where nobody says so: a choice."""
MOST_LOOKED_AT = 60
"""Numbers of accepted cases that are tested at most."""
POWER = 0.8
"""How often as many cases as are said to be needed would show it, if the model keeps its promise."""
DRAWN = 40
"""Places of even steps that a figure shows besides those that are tested."""
STEPS = 1_000
"""Thresholds are multiples of 1/STEPS: more digits would tell the probability of a case."""
MOST_NEEDED = 10_000_000
"""Of more cases no number is said."""
_SHARE = Annotated[float, Within(0, 1, strict=True)]


@dataclass(frozen=True)
class Accepted:
    """So many cases with the highest scores, and those among them that were wrong."""

    accepted: AtLeastOne
    wrong: Count

    @property
    def error(self) -> float:
        """The share of wrong ones."""
        return self.wrong / self.accepted

    def limit(self, risk: float) -> float:
        """No larger share explains so few wrong ones with a chance above ``risk``; of this number alone.

        The upper limit of Clopper & Pearson: below 1 − target where the target is shown to be kept.
        """
        return 1.0 if self.wrong == self.accepted else float(bdtri(self.wrong, self.accepted, risk))


@dataclass(frozen=True)
class Guarantee(Partly):
    """From which threshold on the target is kept, so far as these cases can show it.

    Attributes
    ----------
    target, risk : of the accepted at least the ``target`` are right, but for a chance of ``risk`` at most
    threshold : what is predicted so or higher is accepted, or, of what is ruled out, so or lower; None where
        no threshold can be shown to keep it
    accepted, wrong, n : cases from the threshold on, those among them that were wrong, all cases
    naive : the threshold that accepts most among those at which the target was reached in these cases, which
        promises nothing; None where there is none
    naive_counts : how many that one accepts
    curve : rising numbers of accepted cases, for a figure of wrong ones over the share that is accepted
    cases_needed : where no threshold can be shown: with about so many cases one would be in 8 of 10 data
        sets, if the model keeps what it promises; None where one was found, and where it promises too little.
        No more than ``n`` where these should have shown it: by chance they did not, or it keeps no promise
    """

    KEYS: ClassVar = (
        "target", "risk", "threshold", "accepted", "wrong", "share", "n", "naive", "cases_needed",
        "naive_counts", "curve",
    )  # fmt: skip
    OPTIONAL: ClassVar = ("naive_counts", "curve")

    target: _SHARE
    risk: _SHARE
    threshold: Share | None
    accepted: Count
    wrong: Count
    n: Count
    naive: Share | None
    cases_needed: Count | None
    naive_counts: Accepted | None = None
    curve: tuple[Accepted, ...] = ()

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if not self.wrong <= self.accepted <= self.n or (self.threshold is None) != (self.accepted == 0):
            raise InputError("More are accepted than there are, or more wrong than are accepted.")
        rising = [0, *(place.accepted for place in self.curve), self.n + 1]
        if any(a >= b for a, b in pairwise(rising)):
            raise InputError("The numbers of accepted cases do not rise, or are more than there are.")
        for place in self.places:
            if not place.wrong <= place.accepted <= self.n:
                raise InputError("More are accepted than there are, or more wrong than are accepted.")

    @property
    def shown(self) -> Accepted | None:
        """What the threshold accepts."""
        return None if self.threshold is None else Accepted(self.accepted, self.wrong)

    @property
    def places(self) -> tuple[Accepted, ...]:
        """All numbers of accepted cases that are known: those of the curve and of both thresholds."""
        return places_of(self.curve, self.shown, self.naive_counts)

    def share_of(self, place: Accepted) -> float:
        """Of all cases, those that are accepted there."""
        return place.accepted / self.n

    def error_of(self, place: Accepted) -> float:
        """The share of wrong ones among the accepted."""
        return place.error

    def limit_of(self, place: Accepted) -> float:
        """How large that may be in truth, see :meth:`Accepted.limit`."""
        return place.limit(self.risk)

    @property
    def share(self) -> float:
        """Of all cases, those that are accepted."""
        return self.accepted / self.n if self.n else 0.0


def places_of(curve: Iterable[Accepted], *thresholds: Accepted | None) -> tuple[Accepted, ...]:
    """The places of a curve and those of thresholds, by how many are accepted."""
    beside = {place for place in thresholds if place is not None}
    return tuple(sorted({*curve, *beside}, key=lambda place: (place.accepted, place.wrong)))


def guarantee_of(scores: Float, right: Int, target: float = TARGET, risk: float = RISK) -> Guarantee:
    """From which score on at least ``target`` of the accepted are right, but for a chance of ``risk``.

    For independent cases. Holds whatever the scores are worth: they set the order in which thresholds are
    tested, and nothing else. Cost O(n log n).

    Parameters
    ----------
    scores : (n,) what the model promises: the chance of being right
    right : (n,) 1 where it was
    target, risk : above 0 and below 1

    Raises
    ------
    InputError : a target or a risk that is none.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore.questions.decide.guarantee import guarantee_of
    >>> scores, right = np.repeat([0.99, 0.6], 200), np.concatenate([np.ones(200), np.zeros(200)])
    >>> kept = guarantee_of(scores, right.astype(int))
    >>> kept.threshold, kept.accepted, kept.wrong
    (0.99, 200, 0)
    """
    return _guarantee(scores, in_steps(scores), right, target, risk)


def ruled_out(chances: Float, hits: Int, target: float = TARGET, risk: float = RISK) -> Guarantee:
    """Up to which chance of an event ``target`` of the accepted or more have none: :func:`guarantee_of`."""
    return _guarantee(1 - chances, in_steps(-chances), 1 - hits, target, risk)


def in_steps(numbers: Float) -> Float:
    """The whole steps at or below each number."""
    steps = np.floor(numbers * STEPS)
    steps += (steps + 1) / STEPS <= numbers
    steps -= steps / STEPS > numbers
    return np.asarray(steps)


def _guarantee(scores: Float, steps: Float, right: Int, target: float, risk: float) -> Guarantee:
    """Of cases whose ``scores`` fall where their ``steps`` do; what is on one step enters together."""
    refuse_no_share(target, risk)
    n, order = len(scores), np.lexsort((-scores, -steps))
    falling, wrong, promised = steps[order], np.cumsum(1 - right[order]), np.cumsum(scores[order])
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True)) + 1 if n else np.zeros(0, np.int64)
    accepted: int | None = None
    for k in tested(ends, promised, target, risk):
        if bdtr(wrong[k - 1], k, 1 - target) > risk:
            break
        accepted = k
    reached = ends[wrong[ends - 1] <= (1 - target) * ends * (1 + 1e-12)]

    def counts(k: int) -> Accepted:
        return Accepted(k, int(wrong[k - 1]))

    def threshold(k: int) -> float:
        return abs(float(falling[k - 1])) / STEPS

    return Guarantee(
        target=target,
        risk=risk,
        threshold=None if accepted is None else threshold(accepted),
        accepted=accepted or 0,
        wrong=0 if accepted is None else int(wrong[accepted - 1]),
        n=n,
        naive=threshold(reached[-1]) if len(reached) else None,
        cases_needed=None if accepted is not None else cases_needed(ends, promised, target, risk),
        naive_counts=counts(int(reached[-1])) if len(reached) else None,
        curve=tuple(map(counts, _drawn(ends, target, risk).tolist())),
    )


def refuse_no_share(target: float, risk: float) -> None:
    """Raises :class:`InputError` for a target or a risk that is none."""
    for name, value in (("target", target), ("risk", risk)):
        if not 0 < value < 1:
            raise InputError(f"The {name} is {shown(value)}; expected a number above 0 and below 1.")


def _drawn(ends: Int, target: float, risk: float) -> Int:
    """Numbers of accepted cases for a figure."""
    if not len(ends):
        return ends
    n = int(ends[-1])
    first = min(fewest(target, risk), max(1, n // DRAWN))
    return next_of(ends, evenly(first, n))


def evenly(first: int, last: int) -> Float:
    """From ``first`` to ``last`` in even steps of the logarithm and of the number."""
    return np.append(np.geomspace(first, last, MOST_LOOKED_AT), np.linspace(first, last, DRAWN))


def next_of(ends: Int, wished: Float) -> Int:
    """The numbers that can be accepted next to those that are wished for, from above."""
    return np.unique(ends[np.minimum(np.searchsorted(ends, np.round(wished)), len(ends) - 1)])


def fewest(target: float, risk: float) -> int:
    """Cases of which none may be wrong: fewer show nothing. 59 for .95 and .05."""
    return math.ceil(math.log(risk) / math.log(target) * (1 - 1e-12))


def allowed(accepted: Int, target: float | Float, risk: float) -> Int:
    """The most wrong ones among so many accepted with P(Bin(k, 1 − target) ≤ wrong) ≤ risk; −1: none.

    accepted, target : (g,), or one target for all
    """
    near = np.nan_to_num(np.floor(bdtrik(risk, accepted, 1 - target)), nan=0.0)
    tried = np.clip(near + np.arange(1, -2, -1)[:, None], 0, accepted)  # the inverse may be off by one
    within = np.where(bdtr(tried, accepted, 1 - target) <= risk * (1 + 1e-9), tried, -1)
    return np.asarray(within.max(axis=0), np.int64)


def powers(accepted: Int, promised: Float, target: float, risk: float) -> Float:
    """How often each number of accepted cases would be shown to keep the target, by their mean promise."""
    most = allowed(accepted, target, risk)
    return np.asarray(
        np.where(most < 0, 0.0, bdtr(np.maximum(most, 0), accepted, np.clip(1 - promised, 0, 1)))
    )


def tested(ends: Int, promised: Float, target: float, risk: float) -> Iterator[int]:
    """The numbers of accepted cases, in the order in which they are tested; labels are not used.

    Those that the predictions themselves are surest of come first, and each accepts more than those before.

    ends : (g,) numbers that can be accepted, as equal scores enter together
    promised : (n,) sums of the falling scores
    """
    at_least, n = fewest(target, risk), len(promised)
    if n < at_least:
        return
    wished = np.geomspace(at_least, n, MOST_LOOKED_AT)
    grid = next_of(ends, wished)
    power = powers(grid, promised[grid - 1] / grid, target, risk)
    largest = 0
    for k in grid[np.lexsort((grid, -power))].tolist():
        if k > largest:
            largest = k
            yield k


def cases_needed(ends: Int, promised: Float, target: float, risk: float) -> int | None:
    """With how many cases of the same predictions some threshold would be shown to keep the target.

    ends, promised : as of :func:`tested`; cases with equal scores enter together, then as now
    None where the predictions promise too little, or more than :data:`MOST_NEEDED` would be needed.
    """
    n = len(promised)
    if not n:
        return None
    parts = next_of(ends, np.geomspace(1, n, MOST_LOOKED_AT))
    mean = promised[parts - 1] / parts

    def shows(cases: int) -> bool:
        accepted = np.round(parts / n * cases).astype(np.int64)
        enough = accepted >= fewest(target, risk)
        return bool((powers(accepted[enough], mean[enough], target, risk) >= POWER).any())

    high = max(n, fewest(target, risk))
    while not shows(high):
        high *= 2
        if high > MOST_NEEDED:
            return None
    low = high // 2
    while high - low > max(1, high // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high
