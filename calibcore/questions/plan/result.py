"""How many cases to collect."""

import math
from dataclasses import dataclass
from typing import ClassVar

from calibcore.assessment.enough import Check
from calibcore.bounds import AtLeastOne, Names, Share
from calibcore.display import Displayed
from calibcore.settings.codec import Partly
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult


@dataclass(frozen=True)
class Event(Partly):
    """The rarer of two outcomes, and its mean probability."""

    name: str
    mean: Share


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ReadableResult, Displayed):
    """How many cases to collect.

    Attributes
    ----------
    pilot : how many predictions the pilot has, or the words of the sketch
    fingerprint : of the pilot as it was given; None of a sketch, and in documents of earlier versions
    hypotheses : that are tested together, each at the level ``spec.alpha`` over so many: those of a
        survey, or 1 for this lens alone. None in documents of earlier versions, which planned for 1
    cases : to collect, so that an error of ``spec.tolerance`` is seen 8 times in 10
    share : of the cases that the lens looks at: less than 1 in a region
    check : the simulation at ``cases_to_see`` or next to it
    cases_to_see : so many see that error; ``cases`` is more, so that a survey of a calibrated model finds it
        consistent, about 8 times in 10: it then knows that it would have seen that error, and that the
        typical gap is small
    checks : lenses of the survey that is planned for; one hypothesis more is of the outcomes given 0. None
        where somebody said how many hypotheses there are, and in documents of earlier versions
    label_of : the label of several that the pilot is of; else None
    event : of two outcomes the rarer; None of more, where one looks at answers, and in earlier documents

    >>> from calibcore import DiagnosisSpec, Plan, plan
    >>> result = plan("beta:2,5", DiagnosisSpec(tolerance=0.1))
    >>> Plan.from_json(result.to_json()).cases == result.cases
    True
    """

    WHAT = "The plan"
    HEAD = headed("plan")
    DATA = ("pilot", "class_names", "fingerprint")
    KEYS: ClassVar = (
        "cases", "tolerance", "share", "extrapolated", "check", "cases_to_see", "hypotheses",
        "checks", "label_of", "event",
    )  # fmt: skip
    LATER = ("cases_to_see", "hypotheses", "fingerprint")
    OPTIONAL: ClassVar = ("checks", "label_of", "event")

    pilot: AtLeastOne | str
    class_names: Names
    cases: AtLeastOne
    share: Share
    check: Check
    cases_to_see: AtLeastOne | None = None
    hypotheses: AtLeastOne | None = None
    fingerprint: str | None = None
    checks: AtLeastOne | None = None
    label_of: str | None = None
    event: Event | None = None

    def __repr__(self) -> str:
        return f"Plan({self.cases:,} cases for an error of {self.spec.tolerance:g})"

    @property
    def level(self) -> float:
        """Of the test."""
        return self.spec.alpha / (self.hypotheses or 1)

    @property
    def extrapolated(self) -> bool:
        """Whether so many cases were not simulated, only fewer."""
        return self.check.size > self.spec.tolerance

    def detectable(self, n: float) -> float:
        """D80 with ``n`` cases, as it falls like 1/√n."""
        return self.spec.tolerance * math.sqrt((self.cases_to_see or self.cases) / n)

    @property
    def tolerance(self) -> float:
        """The error that is to be seen."""
        return self.spec.tolerance
