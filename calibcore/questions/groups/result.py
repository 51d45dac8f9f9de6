"""What was found in groups of cases, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from calibcore.assessment.verdict import Verdict
from calibcore.bounds import AtLeastOne, Count, Names, Nonnegative, OneOf, Share
from calibcore.display import WithFigure
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.questions.documents import Entry, ReadableAnswer
from calibcore.spec.codec import inside, read


@dataclass(frozen=True, eq=False)
class Group(Entry):
    """The cases with one value of a column.

    Attributes
    ----------
    n : cases; with units, units
    pvalue : of the exact test of this group alone; None where it is withheld
    adjusted : for all groups of all columns (Holm), adjusted_in_column : for those of its column
    at_floor : whether the redraws allow no smaller adjusted p
    verdict : at the adjusted p, with the gap and what could have been seen; None where it is withheld
    withheld : why nothing is said; else empty
    units : with units, what all rows of the group say
    """

    NAMES: ClassVar = {"pvalue": "p_value"}
    LATER = ("units",)

    column: str
    value: str
    n: Count
    pvalue: Share | None = None
    adjusted: Share | None = None
    adjusted_in_column: Share | None = None
    at_floor: bool = False
    verdict: Verdict | None = None
    withheld: str = ""
    units: AcrossUnits | None = None

    def to_document(self) -> dict[str, Any]:
        """As it stands in the document of a survey."""
        document = super().to_document()
        if self.units is None:
            del document["units"]
        return document


@dataclass(frozen=True)
class _Part:
    """A column, some of its values, and whether the cases have these or others."""

    column: str
    values: tuple[str, ...]
    inside: bool


_PARTS = ("column", "values", "inside")


@dataclass(frozen=True)
class Worst(Entry):
    """Where a search over the columns found the largest error.

    Attributes
    ----------
    where : columns, some of their values, and whether the cases have these or others
    said, happened : mean prediction and share of ``class_name`` there, as found: the search chose where they
        differ, so fresh cases will differ less
    score : ``|Σ(y − g)|/√Σ g(1 − g)``
    pvalue : exact, as the whole search is made anew on every redraw
    """

    NAMES: ClassVar = {"pvalue": "p_value"}

    where: tuple[tuple[str, tuple[str, ...], bool], ...]
    n: AtLeastOne
    said: Share
    happened: Share
    score: Nonnegative
    at_floor: bool
    n_resamples: Count
    class_name: str
    pvalue: Share

    def to_document(self) -> dict[str, Any]:
        """As it stands in the document of a survey."""
        where = [dict(zip(_PARTS, part, strict=True)) for part in super().to_document()["where"]]
        return super().to_document() | {"where": where}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`."""
        with inside("where"):
            parts = read(document.get("where"), tuple[_Part, ...])
        where = [(part.column, part.values, part.inside) for part in parts]
        return super().from_document({**document, "where": where})


@dataclass(frozen=True, eq=False, repr=False)
class GroupSurvey(ReadableAnswer, WithFigure):
    """Calibration group by group.

    Attributes
    ----------
    n, rows : cases that were looked at, and rows they are of where ``spec.unit`` names units, else None
    columns : name -> how it became groups: "text", "numbers", "quartiles" or "months"
    statistic : "exact-omnibus" or "skce-unbiased"
    global_pvalue : of calibration in every group that was tested, exact; None where none was
    worst : what a search found; None where none was asked for or no set is large enough

    >>> import numpy as np
    >>> from calibcore import Predictions, groups
    >>> probs, labels = np.tile([[0.8, 0.2], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    >>> site = np.repeat(["A", "B"], 60)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"], {"site": site})
    >>> groups(p, ["site"])
    GroupSurvey(120 cases, 2 groups of 'site', p 0.001)
    """

    WHAT = "The survey of groups"
    DATA = ("n", "rows", "class_names", "fingerprint")
    NAMES: ClassVar = {"global_pvalue": "global_p_value"}

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

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.columns))
        p = "" if self.global_pvalue is None else f", p {self.global_pvalue:.4g}"
        return f"GroupSurvey({self.n:,} cases, {len(self.groups)} groups of {names}{p})"

    @property
    def tested(self) -> tuple[Group, ...]:
        """Groups that were large enough."""
        return tuple(group for group in self.groups if group.pvalue is not None)

    def group(self, column: str, value: str) -> Group:
        """The group of that column and value."""
        return next(g for g in self.groups if (g.column, g.value) == (column, value))
