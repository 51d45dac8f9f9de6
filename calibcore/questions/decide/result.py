"""What decisions at thresholds hold, and their one JSON document."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self, TypeVar

from calibcore.bounds import AtLeastOne, Length, Names, Nonnegative, Share
from calibcore.diagram.gap_sizes import Interval
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import none_as_extreme
from calibcore.questions.decide.by_group import ByGroup
from calibcore.questions.decide.guarantee import Guarantee
from calibcore.questions.decide.prevalence import AtEach
from calibcore.questions.decide.promise_at_prevalence import GuaranteeAtPrevalence
from calibcore.questions.decide.sets import Sets
from calibcore.questions.decide.thresholds import AtThreshold
from calibcore.settings import DiagnosisSpec
from calibcore.settings.codec import Partly
from calibcore.settings.faults import inside
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult


@dataclass(frozen=True)
class Listed(AtThreshold):
    """A threshold in a document. ``band``: the net benefits that chance allows if all are looked at."""

    NAMES: ClassVar = {
        "ends": "net_benefit_interval",
        "minus_treat_all_ends": "minus_treat_all_interval",
        "avoided": "interventions_avoided",
        "chance_range": "promised_by_chance",
        "band": "promised_by_chance_at_all",
        "pvalue": "p_value",
        "promised_rate": "promised_hit_rate",
        "promised_rate_by_chance": "promised_hit_rate_by_chance",
    }
    KEYS: ClassVar = (
        "threshold", "net_benefit", "ends", "treat_all", "minus_treat_all", "minus_treat_all_ends", "avoided",
        "promised", "chance_range", "band", "pvalue", "hit_rate", "missed_rate",
        "promised_rate", "promised_rate_by_chance", "treated", "untreated", "chance", "other",
    )  # fmt: skip

    band: tuple[float, float] = (0.0, 0.0)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval of the net benefit."""
        return _ends(self.interval)

    @property
    def minus_treat_all_ends(self) -> tuple[float, float] | None:
        """Of the interval of the difference to acting always."""
        return _ends(self.minus_treat_all_interval)


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


Promise = Guarantee | GuaranteeAtPrevalence
"""Of cases like these, or at another prevalence."""
P = TypeVar("P", Guarantee, GuaranteeAtPrevalence)


def _without_cases(guarantee: P | None, n: int, cases: list[int]) -> P | None:
    """None where one of n cases lies alone between its threshold and another, or beyond it.

    Neither does one lie alone between a place of its curve and the next, nor beside the naive threshold.
    """
    if guarantee is None:
        return None
    accepted = 0 if guarantee.shown is None else guarantee.shown.accepted
    if any(abs(accepted - beside) == 1 for beside in (*cases, n)):
        return None
    naive = guarantee.naive_counts
    if naive is not None and any(abs(naive.accepted - beside) == 1 for beside in (*cases, accepted, n)):
        guarantee, naive = replace(guarantee, naive=None, naive_counts=None), None
    apart = [0, accepted, n, 0 if naive is None else naive.accepted]
    curve = []
    for place in guarantee.curve:
        if all(abs(place.accepted - beside) != 1 for beside in apart):
            curve.append(place)
            apart.append(place.accepted)
    return replace(guarantee, curve=tuple(curve))


@dataclass(frozen=True)
class Commonest(Partly):
    """The class that most cases have, and how many: always answering it is right in so many."""

    class_name: str
    cases: AtLeastOne


@dataclass(frozen=True, eq=False, repr=False)
class Decisions(ReadableResult, WithFigure):
    """What a model's probabilities are worth at thresholds, through one lens of two classes.

    Attributes
    ----------
    class_names : of the model
    event : the first class of the lens, for which one acts
    thresholds : rising
    simultaneous_pvalue : exact, that the model keeps its promise at all thresholds, by the largest deviation
    critical : deviations from the promise, in standard deviations, that chance allows at all thresholds at
        once, at the level α
    sets : of a lens of sets, how large they are and how often they hold the truth
    guarantee : where a target is asked for, from which threshold on it is kept; None where none is
    rule_out : the same of one class, up to which threshold it may be ruled out
    at_prevalence : what each threshold is worth at another prevalence of the event; None where none is given
    by_group : where groups are asked for, the same in each of them
    guarantee_at_prevalence, rule_out_at_prevalence : in place of the two where a target is asked for at
        another prevalence
    commonest : where one acts on the model's own answer, what is right without a model; None where one acts
        for a class, and in documents of earlier versions

    >>> import numpy as np
    >>> from calibcore import Decisions, Predictions, decide
    >>> probs, labels = np.tile([[0.9, 0.1], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> Decisions.from_json(decide(p).to_json())
    Decisions(120 cases, 46 thresholds from 0.05 to 0.5 for 'well', p 0.001)
    """

    WHAT = "The decisions"
    HEAD = headed("decisions")
    NAMES: ClassVar = {"simultaneous_pvalue": "simultaneous_p_value", "entries": "thresholds"}
    KEYS: ClassVar = (
        "event",
        "simultaneous_pvalue",
        "critical",
        "entries",
        "sets",
        "guarantee",
        "rule_out",
        "at_prevalence",
        "by_group",
        "guarantee_at_prevalence",
        "rule_out_at_prevalence",
        "commonest",
    )
    READ: ClassVar = ("thresholds",)
    OPTIONAL: ClassVar = (
        "guarantee", "rule_out", "at_prevalence", "by_group", "guarantee_at_prevalence",
        "rule_out_at_prevalence", "commonest",
    )  # fmt: skip

    class_names: Names
    fingerprint: str
    event: str
    simultaneous_pvalue: Share
    critical: Nonnegative
    thresholds: Annotated[tuple[AtThreshold, ...], Length(1)]
    sets: Sets | None = None
    guarantee: Guarantee | None = None
    rule_out: Guarantee | None = None
    at_prevalence: AtEach | None = None
    by_group: ByGroup | None = None
    guarantee_at_prevalence: GuaranteeAtPrevalence | None = None
    rule_out_at_prevalence: GuaranteeAtPrevalence | None = None
    commonest: Commonest | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where thresholds of a document contradict each other."""
        if self.commonest is not None and (
            self.commonest.cases > self.n or self.commonest.class_name not in self.class_names
        ):
            raise InputError("The commonest class is none of the model's, or has more cases than there are.")
        if list(self.grid) != sorted(set(self.grid)) or len({point.n for point in self.thresholds}) > 1:
            raise InputError("The thresholds do not rise, or are not of the same cases.")
        weighted = self.at_prevalence
        if weighted is not None and tuple(point.threshold for point in weighted) != self.grid:
            raise InputError("At another prevalence the thresholds are others.")

    def __repr__(self) -> str:
        grid, p = self.grid, self.simultaneous_pvalue
        words = f"threshold {grid[0]:g}" if len(grid) == 1 else f"thresholds from {grid[0]:g} to {grid[-1]:g}"
        what = f"its {self.spec.lens.within.answers}" if self.spec.lens.within.answers else repr(self.event)
        many = "" if len(grid) == 1 else f"{len(grid):,} "
        return f"Decisions({self.n:,} cases, {many}{words} for {what}, p {p:.4g})"

    @property
    def n(self) -> int:
        """How many cases there are."""
        return self.thresholds[0].n

    @property
    def grid(self) -> tuple[float, ...]:
        """The thresholds as numbers."""
        return tuple(point.threshold for point in self.thresholds)

    @property
    def at_floor(self) -> bool:
        """Whether no redraw was as extreme at all thresholds together."""
        return none_as_extreme(self.simultaneous_pvalue, self.spec.resamples)

    @property
    def kept(self) -> bool:
        """Whether nothing speaks against the promise at all thresholds together."""
        return self.simultaneous_pvalue > self.spec.alpha

    def at(self, threshold: float) -> AtThreshold:
        """The threshold nearest to that number."""
        return min(self.thresholds, key=lambda point: abs(point.threshold - threshold))

    def band(self, point: AtThreshold) -> tuple[float, float]:
        """The net benefits that chance allows at one threshold if all are looked at: exact, simultaneous."""
        half = self.critical * point.deviation
        return point.promised - half, point.promised + half

    def rate_band(self, point: AtThreshold) -> tuple[float, float] | None:
        """The shares of hits among the treated that chance allows at one threshold if all are looked at.

        Exact, simultaneous; None where nobody is treated.
        """
        return point.rates_within(self.critical * math.sqrt(point.treated.variance))

    def without_cases(self) -> Self | None:
        """Without thresholds between which one case lies alone: the promises at both tell its probability.

        None where no threshold is left.
        """
        points: list[AtThreshold] = []
        above = 0
        for point in reversed(self.thresholds):
            if point.treated.cases - above != 1:
                points.append(point)
                above = point.treated.cases
        while points and points[-1].untreated.cases == 1:
            points.pop()
        if not points:
            return None
        treated, untreated = (
            [side.cases for side in sides]
            for sides in zip(*((point.treated, point.untreated) for point in points), strict=True)
        )
        return replace(
            self,
            thresholds=tuple(reversed(points)),
            at_prevalence=None
            if self.at_prevalence is None
            else tuple(
                weighted
                for weighted in self.at_prevalence
                if weighted.threshold in {p.threshold for p in points}
            ),
            guarantee=_without_cases(self.guarantee, self.n, treated),
            rule_out=_without_cases(self.rule_out, self.n, untreated),
            by_group=self.by_group and self.by_group.without_cases(),
            guarantee_at_prevalence=_without_cases(self.guarantee_at_prevalence, self.n, treated),
            rule_out_at_prevalence=_without_cases(self.rule_out_at_prevalence, self.n, untreated),
        )

    @property
    def ruling_in(self) -> Promise | None:
        """The promise from a threshold on, of cases like these or at another prevalence."""
        return self.guarantee or self.guarantee_at_prevalence

    @property
    def ruling_out(self) -> Promise | None:
        """The promise up to a threshold."""
        return self.rule_out or self.rule_out_at_prevalence

    @property
    def entries(self) -> "tuple[Listed, ...]":
        """The thresholds as the document lists them, with what follows from them."""
        return tuple(Listed(**vars(point), band=self.band(point)) for point in self.thresholds)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        with inside("spec"):
            resamples = DiagnosisSpec.from_document(document.get("spec")).resamples
        entries = document.get("thresholds")
        if isinstance(entries, list):
            entries = [
                {**entry, "n_resamples": resamples} if isinstance(entry, Mapping) else entry
                for entry in entries
            ]
        return super().from_document({**document, "thresholds": entries})
