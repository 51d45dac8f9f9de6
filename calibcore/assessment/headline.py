"""The check of a survey whose figure carries the answer: for the app, the report and the notebook alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import Diagnosis
from calibcore.transforms.lenses import TopKLens, order_decides

_ROUNDING = 1e-12
"""Adjusted p that differ by less are one."""


@dataclass(frozen=True, eq=False)
class Headline:
    """The check that stands first: what it looked at, and its verdict."""

    diagnosis: Diagnosis
    verdict: Verdict

    @property
    def found(self) -> bool:
        """Whether this check found a problem."""
        return self.verdict.found

    @property
    def by_order(self) -> bool:
        """Of its diagnosis :func:`is_by_order`."""
        return is_by_order(self.diagnosis)


def is_by_order(diagnosis: Diagnosis) -> bool:
    """Whether which way it leans may be the order of the columns, as likeliest classes are tied."""
    return order_decides(diagnosis.ties, diagnosis.lens_n)


def headline(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> Headline:
    """The check with the strongest evidence of a problem, or the main one where none was found.

    The strongest has the smallest adjusted p. Of several with that p, those of two classes come first, as
    their figure says in percent what is wrong; then the largest typical gap. One whose lean ties may decide
    gives way to any other that found a problem.
    Whether all classes together are miscalibrated by other checks alone does not count.

    Where no check found a problem the main one is the one that most people ask about and that looks at every
    case: of two classes the event, of more whether the model is as sure as it is right; else the first of two
    classes. Cost: nothing.
    """
    checks = [Headline(d, v) for d, v in zip(diagnoses, verdicts, strict=True)]
    problems = [check for check in checks if check.found]
    if problems:
        return min(problems, key=lambda check: (check.by_order, by_evidence(check.verdict)))
    return max(checks, key=_main)


def by_evidence(verdict: Verdict) -> tuple[float, bool, float]:
    """What verdicts are put in order by, the strongest evidence first: the adjusted p, then those of two
    classes, then the largest gap.

    The one order of every list of checks, classes or groups that begins with the strongest or is cut.
    """
    several = len(verdict.frequencies) > 1
    return round(_evidence(verdict) / _ROUNDING) * _ROUNDING, several, -verdict.typical_gap.value


def _evidence(verdict: Verdict) -> float:
    """The adjusted p, or that of outcomes that were called impossible."""
    refuted = verdict.refuted
    return verdict.adjusted if refuted is None else min(verdict.adjusted, refuted.adjusted or 0.0)


def _two(check: Headline) -> bool:
    return len(check.diagnosis.reliability.class_names) == 2


def _main(check: Headline) -> tuple[bool, bool, bool, bool]:
    lens, two = check.verdict.lens, _two(check)
    return two and lens.whole, lens == TopKLens(1), two, lens.whole
