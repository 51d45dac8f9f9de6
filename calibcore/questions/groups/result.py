"""What was found in groups of cases, and its one JSON document."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

from calibcore.assessment.verdict import Verdict
from calibcore.bounds import As, AtLeastOne, Count, Names, Nonnegative, OneOf, Share
from calibcore.display import WithFigure
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.questions.groups.between import Between
from calibcore.questions.groups.differences import ALIKE, CROSSED, FEWEST, NOT_KNOWN
from calibcore.settings.codec import Partly, write_object
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult


@dataclass(frozen=True, eq=False)
class Group(Partly):
    """The cases with one value of a column.

    Attributes
    ----------
    n : cases; with units, units; None where counts of the column are kept back
    pvalue : of the exact test of this group alone; None where it is withheld
    adjusted : for all groups of all columns (Holm), adjusted_in_column : for those of its column
    at_floor : whether the redraws allow no smaller adjusted p
    verdict : at the adjusted p, with the gap and what could have been seen; None where it is withheld
    withheld : why nothing is said; else empty
    units : with units, what all rows of the group say
    """

    NAMES: ClassVar = {"pvalue": "p_value"}
    LATER = OPTIONAL = ("units",)

    column: str
    value: str
    n: Count | None
    pvalue: Share | None = None
    adjusted: Share | None = None
    adjusted_in_column: Share | None = None
    at_floor: bool = False
    verdict: Verdict | None = None
    withheld: str = ""
    units: AcrossUnits | None = None

    def to_document(self) -> dict[str, Any]:
        """As it stands in the document of a survey."""
        document = write_object(self)
        if self.n is None and document["verdict"] is not None:
            del document["verdict"]["n"]
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; of a verdict whose cases are not told the number is 0."""
        verdict = document.get("verdict")
        if isinstance(verdict, Mapping):
            document = {**document, "verdict": {"n": 0, **verdict}}
        return super().from_document(document)

    @property
    def is_small(self) -> bool:
        """Whether it has fewer than 20 cases, so that nothing is said about it."""
        return self.n is not None and self.n < FEWEST

    def without_counts(self) -> "Group":
        """The same without how many cases there are, how many had what outcome, and what gives it away."""
        verdict = self.verdict and replace(self.verdict, n=0, frequencies=(), refuted=None)
        return replace(self, n=None, verdict=verdict, units=None)


@dataclass(frozen=True)
class _Part:
    """A column, some of its values, and whether the cases have these or others."""

    column: str
    values: tuple[str, ...]
    inside: bool


@dataclass(frozen=True)
class Worst(Partly):
    """Where a search over the columns found the largest error.

    Attributes
    ----------
    where : columns, some of their values, and whether the cases have these or others
    said, happened : mean prediction and share of ``class_name`` there, as found: the search chose where they
        differ, so fresh cases will differ less
    score : ``|Σ(y − g)|/√Σ g(1 − g)``
    pvalue : exact, as the whole search is made anew on every redraw
    kept_back : whether its numbers, beside those of all cases and of groups, tell of fewer than 20 cases
    """

    NAMES: ClassVar = {"pvalue": "p_value"}
    LATER = ("kept_back",)

    where: Annotated[
        tuple[tuple[str, tuple[str, ...], bool], ...],
        As(
            tuple[_Part, ...],
            lambda parts: tuple((part.column, part.values, part.inside) for part in parts),
            lambda where: tuple(_Part(*part) for part in where),
        ),
    ]
    n: AtLeastOne
    said: Share
    happened: Share
    score: Nonnegative
    at_floor: bool
    n_resamples: Count
    class_name: str
    pvalue: Share
    kept_back: bool | None = None

    @property
    def columns(self) -> frozenset[str]:
        """Those that say where."""
        return frozenset(name for name, *_ in self.where)


@dataclass(frozen=True, eq=False, repr=False)
class GroupSurvey(ReadableResult, WithFigure):
    """Calibration group by group.

    Attributes
    ----------
    n, rows : cases that were looked at, and rows they are of where ``spec.unit`` names units, else None
    columns : name -> how it became groups: "text", "numbers", "quartiles" or "months"
    statistic : "exact-omnibus" or "skce-unbiased"
    global_pvalue : of calibration in every group that was tested, exact; None where none was
    worst : what a search found; None where none was asked for or no set is large enough
    kept_back : column -> why no counts of it are handed on, see :meth:`without_cases`; None where an earlier
        version did not look
    global_withheld : why nothing is said of all groups together, and no search is made, if so: rows of the
        same cases stand in several groups, as those of several models below each other do
    between : of each column with two groups that were tested whether these differ from each other; None where
        an earlier version did not look

    >>> import numpy as np
    >>> from calibcore import Predictions, survey_groups
    >>> probs, labels = np.tile([[0.8, 0.2], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    >>> site = np.repeat(["A", "B"], 60)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"], {"site": site})
    >>> survey_groups(p, ["site"])
    GroupSurvey(120 cases, 2 groups of 'site', p 0.001)
    """

    WHAT = "The survey of groups"
    HEAD = headed("groups")
    DATA = ("n", "rows", "class_names", "fingerprint")
    NAMES: ClassVar = {"global_pvalue": "global_p_value"}
    LATER = ("kept_back", "global_withheld")
    OPTIONAL = ("between",)

    n: AtLeastOne
    rows: Count | None
    class_names: Names
    fingerprint: str
    columns: Mapping[str, Annotated[str, OneOf("text", "numbers", "quartiles", "months")]]
    statistic: Annotated[str, OneOf("exact-omnibus", "skce-unbiased")]
    global_pvalue: Share | None
    global_at_floor: bool
    groups: tuple[Group, ...]
    worst: Worst | None
    notes: tuple[str, ...] = ()
    kept_back: Mapping[str, str] | None = None
    global_withheld: str | None = None
    between: tuple[Between, ...] | None = None

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.columns))
        p = "" if self.global_pvalue is None else f", p {self.global_pvalue:.4g}"
        return f"GroupSurvey({self.n:,} cases, {len(self.groups)} groups of {names}{p})"

    @property
    def tested(self) -> tuple[Group, ...]:
        """Groups that were large enough."""
        return tuple(group for group in self.groups if group.pvalue is not None)

    def beside(self, columns: Collection[str]) -> "GroupSurvey":
        """The same where some ``columns`` cross with something else that is handed on.

        Their counts, and where it is worst by one of them, are kept back.
        """
        worst, why = self.worst, self.kept_back
        if worst is not None and worst.columns & {*columns}:
            worst = replace(worst, kept_back=True)
        if why is not None:
            why = {name: CROSSED for name in columns if name in self.columns} | {**why}
        return replace(self, worst=worst, kept_back=why)

    def without_cases(self) -> "GroupSurvey":
        """As it is handed on: without small groups, and without what tells of them by a difference.

        Groups of fewer than 20 cases are left out. Of a column where fewer than 20 cases are left, or that
        crosses with others in so few, no counts are given: neither cases, nor shares, nor net gaps. Tests,
        typical gaps and verdicts stay what they are, unless all predictions are alike.
        """
        shared = self.without_counts()
        return replace(shared, groups=tuple(group for group in shared.groups if not group.is_small))

    def without_counts(self) -> "GroupSurvey":
        """The same without the counts that are kept back; small groups stay as they are."""
        why = dict.fromkeys(self.columns, NOT_KNOWN) if self.kept_back is None else dict(self.kept_back)
        shown = []
        for group in self.groups:
            if group.is_small or group.column not in why:
                shown.append(group)
            elif why[group.column] == ALIKE:
                shown.append(Group(group.column, group.value, None, withheld=ALIKE))
            else:
                shown.append(group.without_counts())
        worst = None if self.worst is None or self.worst.kept_back is not False else self.worst
        apart = self.between and tuple(between for between in self.between if between.column not in why)
        return replace(self, groups=tuple(shown), worst=worst, kept_back=why, between=apart)

    def group(self, column: str, value: str) -> Group:
        """The group of that column and value."""
        return next(g for g in self.groups if (g.column, g.value) == (column, value))
