"""Each class against all others as a survey judged it, those that speak most against calibration first."""

from dataclasses import dataclass

from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import by_evidence
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError


@dataclass(frozen=True, eq=False)
class ClassEvidence:
    """One class against all others: its diagram, and the verdict with its size and p."""

    name: str
    diagram: Reliability
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class ClassesByEvidence:
    """The classes of a survey, smallest adjusted p first, then the largest typical gap; ``left_out`` in their
    own order. p is adjusted for all ``lenses`` of the survey, and all else that it tested: ``hypotheses``."""

    classes: tuple[ClassEvidence, ...]
    left_out: tuple[str, ...]
    lenses: int
    hypotheses: int

    @property
    def noun(self) -> str:
        """What they are: "class", or "label" where each case has several."""
        return "class" if self.classes[0].verdict.lens.within.of_label is None else "label"


def classes_by_evidence(assessment: Assessment) -> ClassesByEvidence:
    """What a survey found through its lenses of one class. Nothing is computed but their order.

    Raises
    ------
    InputError : it looked through no single class.
    """
    classes = [
        ClassEvidence(name, diagnosis.reliability, verdict)
        for diagnosis, verdict in zip(assessment.survey.diagnoses, assessment.verdicts, strict=True)
        if (name := verdict.lens.one_class) is not None
    ]
    if not classes:
        raise InputError("The survey looks through no single class. With two, one says all about the other.")
    every, names = assessment.survey.diagnoses[0].class_names, {c.name for c in classes}
    return ClassesByEvidence(
        tuple(sorted(classes, key=lambda c: by_evidence(c.verdict))),
        tuple(name for name in every if name not in names),
        len(assessment.verdicts),
        assessment.survey.hypotheses,
    )
