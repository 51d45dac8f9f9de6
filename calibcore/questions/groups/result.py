"""What was found in groups of cases, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import SCHEMA, Documented, check_schema
from calibcore.display import WithFigure
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.spec import DiagnosisSpec


@dataclass(frozen=True, eq=False)
class Group:
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

    column: str
    value: str
    n: int
    pvalue: float | None = None
    adjusted: float | None = None
    adjusted_in_column: float | None = None
    at_floor: bool = False
    verdict: Verdict | None = None
    withheld: str = ""
    units: AcrossUnits | None = None


@dataclass(frozen=True)
class Worst:
    """Where a search over the columns found the largest error.

    Attributes
    ----------
    where : columns, some of their values, and whether the cases have these or others
    said, happened : mean prediction and share of ``class_name`` there, as found: the search chose where they
        differ, so fresh cases will differ less
    score : ``|Σ(y − g)|/√Σ g(1 − g)``
    pvalue : exact, as the whole search is made anew on every redraw
    """

    where: tuple[tuple[str, tuple[str, ...], bool], ...]
    n: int
    said: float
    happened: float
    score: float
    pvalue: float
    at_floor: bool
    n_resamples: int
    class_name: str


@dataclass(frozen=True, eq=False, repr=False)
class GroupSurvey(Documented, WithFigure):
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

    spec: DiagnosisSpec
    fingerprint: str
    n: int
    rows: int | None
    class_names: tuple[str, ...]
    columns: Mapping[str, str]
    statistic: str
    groups: tuple[Group, ...]
    global_pvalue: float | None
    global_at_floor: bool
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

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``groups --json`` prints."""
        return {
            "schema": SCHEMA,
            "spec": self.spec.to_document(),
            "data": {
                "n": self.n,
                "rows": self.rows,
                "class_names": list(self.class_names),
                "fingerprint": self.fingerprint,
            },
            "columns": dict(self.columns),
            "statistic": self.statistic,
            "global_p_value": self.global_pvalue,
            "global_at_floor": self.global_at_floor,
            "groups": [_group_document(group) for group in self.groups],
            "worst": self.worst and _worst_document(self.worst),
            "notes": list(self.notes),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, cls.WHAT)
        data, worst = document["data"], document["worst"]
        return cls(
            DiagnosisSpec.from_document(document["spec"]),
            data["fingerprint"],
            data["n"],
            data["rows"],
            tuple(data["class_names"]),
            document["columns"],
            document["statistic"],
            tuple(map(_group_of, document["groups"])),
            document["global_p_value"],
            document["global_at_floor"],
            worst and _worst_of(worst),
            tuple(document["notes"]),
        )


def _group_document(group: Group) -> dict[str, Any]:
    verdict = group.verdict
    return {
        "column": group.column,
        "value": group.value,
        "n": group.n,
        "p_value": group.pvalue,
        "adjusted": group.adjusted,
        "adjusted_in_column": group.adjusted_in_column,
        "at_floor": group.at_floor,
        "verdict": verdict and verdict.to_document(),
        "withheld": group.withheld,
    } | ({} if group.units is None else {"units": group.units.to_document()})


def _group_of(entry: Mapping[str, Any]) -> Group:
    return Group(
        entry["column"],
        entry["value"],
        entry["n"],
        entry["p_value"],
        entry["adjusted"],
        entry["adjusted_in_column"],
        entry["at_floor"],
        entry["verdict"] and Verdict.from_document(entry["verdict"]),
        entry["withheld"],
        AcrossUnits.from_document(units) if (units := entry.get("units")) else None,
    )


def _worst_document(worst: Worst) -> dict[str, Any]:
    document = asdict(worst)
    document["p_value"] = document.pop("pvalue")
    document["where"] = [
        {"column": column, "values": list(values), "inside": inside} for column, values, inside in worst.where
    ]
    return document


def _worst_of(entry: Mapping[str, Any]) -> Worst:
    where = tuple((one["column"], tuple(one["values"]), one["inside"]) for one in entry["where"])
    rest = {name: value for name, value in entry.items() if name not in ("where", "p_value")}
    return Worst(where=where, pvalue=entry["p_value"], **rest)
