"""What a plan holds, and its one JSON document."""

import math
from dataclasses import dataclass
from typing import Any

from calibcore.assessment.verdict import Verdict
from calibcore.display import Displayed
from calibcore.questions.documents import ReadableAnswer


@dataclass(frozen=True)
class Check:
    """What was found by simulation with ``n`` cases through the lens.

    size : of the error, the tolerance unless fewer cases were simulated than are planned
    power : how often it is seen, of the ``pattern`` that is the hardest to see, towards ``class_name``
    """

    n: int
    size: float
    power: float
    pattern: str
    class_name: str


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ReadableAnswer, Displayed):
    """How many cases to collect.

    Attributes
    ----------
    pilot : how many predictions the pilot has, or the words of the sketch
    cases : to collect, so that an error of ``spec.tolerance`` is seen 8 times in 10
    share : of the cases that the lens looks at: less than 1 in a region
    check : the simulation at ``cases`` or next to it

    >>> from calibcore import DiagnosisSpec, Plan, plan
    >>> found = plan("beta:2,5", DiagnosisSpec(tolerance=0.1))
    >>> Plan.from_json(found.to_json()).cases == found.cases
    True
    """

    WHAT = "The plan"
    DATA = ("pilot", "class_names")

    pilot: int | str
    class_names: tuple[str, ...]
    cases: int
    share: float
    check: Check

    def __repr__(self) -> str:
        return f"Plan({self.cases:,} cases for an error of {self.spec.tolerance:g})"

    @property
    def extrapolated(self) -> bool:
        """Whether so many cases were not simulated, only fewer."""
        return self.check.size > self.spec.tolerance

    def detectable(self, n: int) -> float:
        """D80 with ``n`` cases, as it falls like 1/√n."""
        return self.spec.tolerance * math.sqrt(self.cases / n)

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``plan --json`` prints."""
        sizes = {"tolerance": self.spec.tolerance} | self.entry("share", "extrapolated", "check")
        return self.headed("cases") | sizes


def cases_that_would_tell(verdict: Verdict) -> int | None:
    """With how many such cases the verdict would no longer be "cannot tell", to two digits; no simulation.

    None where it is another verdict, or where even the largest error could go unseen.
    """
    return cases_for(verdict) if verdict.answer == "cannot-tell" else None


def cases_for(verdict: Verdict) -> int | None:
    """With how many such cases D80 would be the tolerance, whatever the verdict; None as above."""
    if verdict.smallest_detectable is None or not verdict.smallest_detectable > 0:
        return None
    return about(verdict.n * (verdict.smallest_detectable / verdict.tolerance) ** 2)


def detectable_with(verdict: Verdict, n: float) -> float:
    """D80 with ``n`` such cases, as it falls like 1/√n; 1 at most.

    Raises
    ------
    ValueError : D80 is not known of these cases.
    """
    if verdict.smallest_detectable is None:
        raise ValueError("What these cases could have shown is not known.")
    return min(1.0, verdict.smallest_detectable * math.sqrt(verdict.n / n))


def about(cases: float) -> int:
    """Up to two digits: 1,823 -> 1,900."""
    step: int = 10 ** max(0, math.floor(math.log10(max(cases, 1))) - 1)
    return int(math.ceil(cases / step - 1e-9) * step)
