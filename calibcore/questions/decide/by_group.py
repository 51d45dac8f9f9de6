"""In which groups of the cases a promise can be kept: a threshold in each, all of them together.

Of G groups each is asked with the risk δ/G (Bonferroni). So all promises together fail with the chance δ at
most, whatever the groups have to do with each other.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Self

import numpy as np

from calibcore.bounds import Count, Length
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.questions.decide.guarantee import Guarantee, guarantee_of, ruled_out
from calibcore.questions.groups.columns import Column
from calibcore.questions.groups.differences import FEWEST
from calibcore.settings.codec import Partly


@dataclass(frozen=True)
class OfGroup(Partly):
    """What can be promised in one group.

    Attributes
    ----------
    value, n : what the group is called, and its cases
    guarantee, rule_out : as of all cases, at the risk of one group; no ``rule_out`` where none is asked for
    """

    value: str
    n: Count
    guarantee: Guarantee
    rule_out: Guarantee | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if self.guarantee.n != self.n:
            raise InputError("The promise of a group is of other cases than the group.")


@dataclass(frozen=True)
class ByGroup(Partly):
    """What can be promised in each group of a column, all of it at once.

    Attributes
    ----------
    column : which makes the groups
    groups : in the order of the column, each with a threshold of its own
    """

    column: str
    groups: Annotated[tuple[OfGroup, ...], Length(1)]

    def without_cases(self) -> Self | None:
        """None where a group is so small, or a case lies so alone, that single cases are told of."""
        for group in self.groups:
            asked = [promise for promise in (group.guarantee, group.rule_out) if promise is not None]
            if group.n < FEWEST or any(promise.n - promise.accepted == 1 for promise in asked):
                return None
        return self


def by_group(column: Column, chances: Float, hits: Int, answers: bool, target: float, risk: float) -> ByGroup:
    """A threshold in each group of ``column``, at the risk of all divided by their number.

    chances, hits : (n,) of the event through the lens
    answers : whether one acts on the model's own answer, so that nothing is ruled out
    """
    share = risk / len(column.values)
    groups = []
    for code, value in enumerate(column.values):
        rows = np.flatnonzero(column.codes == code)
        acting = _no_curve(guarantee_of(chances[rows], hits[rows], target, share))
        out = None if answers else _no_curve(ruled_out(chances[rows], hits[rows], target, share))
        groups.append(OfGroup(value, len(rows), acting, out))
    return ByGroup(column.name, tuple(groups))


def _no_curve(guarantee: Guarantee) -> Guarantee:
    """The figure is of all cases."""
    return replace(guarantee, curve=(), naive=None, naive_counts=None)
