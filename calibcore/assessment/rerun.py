"""A report's JSON read again: the settings that repeat its survey, and what was found then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import ANSWERS
from calibcore.assessment.verdict_tests import VERDICT_TEST, verdict_test_name
from calibcore.diagnose import Diagnosis
from calibcore.diagram.binning import Binning
from calibcore.errors import InputError
from calibcore.settings import DiagnosisSpec, lens_from_words, lens_to_words
from calibcore.settings.codec import Partly, from_entry
from calibcore.settings.documents import complete
from calibcore.settings.text import parsed
from calibcore.transforms.lenses import Lens

WHAT = "The report"
MOST_LENSES = 200
"""More than a person reads; a document with more would keep a server busy."""
_SAME = 1e-12
"""p-values are counts over redraws: a difference is at least 1e-6."""


@dataclass(frozen=True)
class LensResult:
    """What was found through one lens: the verdict's answer, p and adjusted p, and whether they could not
    have been smaller."""

    lens: str
    answer: str
    pvalue: float
    adjusted: float
    at_floor: bool = False

    def same(self, other: "LensResult") -> bool:
        """Whether another look found the same."""
        near = abs(self.pvalue - other.pvalue) <= _SAME and abs(self.adjusted - other.adjusted) <= _SAME
        return self.lens == other.lens and self.answer == other.answer and near


@dataclass(frozen=True)
class Repeatable:
    """Everything that a survey is repeated with, and what it found.

    Attributes
    ----------
    spec : the settings of the report
    two, many : the binnings of lenses of two and of more classes, None where no lens had so many
    lenses : all that were looked through, refused ones too: they count in the number of redraws
    looks : the settings of each lens that was tested, as they were used
    n, drawn_from : cases, and how many they were drawn from at random, None for all there were
    results : one entry a lens that was tested
    test : what the verdicts rest on, another one in reports of earlier versions
    """

    title: str
    date: str
    version: str
    fingerprint: str
    spec: DiagnosisSpec
    two: Binning | None
    many: Binning | None
    lenses: tuple[Lens, ...]
    looks: tuple[DiagnosisSpec, ...]
    results: tuple[LensResult, ...]
    n: int
    drawn_from: int | None
    test: str = VERDICT_TEST


@dataclass(frozen=True)
class _Heading(Partly):
    """What the document of a report says of itself."""

    title: str = ""
    date: str = ""


@dataclass(frozen=True)
class _Said:
    """What is read of a report beside the survey and its verdicts."""

    report: _Heading = _Heading()
    spec: DiagnosisSpec | None = None


def repeatable(text: str) -> Repeatable:
    """What ``report.json`` holds, or the JSON of ``survey --json``.

    Raises
    ------
    InputError : no such document, in one sentence.
    """
    document = parsed(text, WHAT)
    with complete(WHAT):
        return _repeatable(document)


def _repeatable(document: Mapping[str, Any]) -> Repeatable:
    if "lenses" not in document or "class_frequencies" not in document:
        raise InputError("This is no report of Caliblens; expected the JSON of a report.")
    assessment = Assessment.from_document(document)
    stated = from_entry(_Said, document)
    diagnoses = assessment.survey.diagnoses
    lenses = len(diagnoses) + len(assessment.survey.refused)
    if not diagnoses or lenses > MOST_LENSES:
        raise InputError(f"The report holds {lenses:,} lenses; expected 1 to {MOST_LENSES}.")
    for verdict in assessment.verdicts:
        if verdict.answer not in ANSWERS:
            allowed = ", ".join(ANSWERS)
            raise InputError(f"The report has the answer {verdict.answer!r:.60}; expected {allowed}.")
    first = diagnoses[0]
    if len({d.fingerprint for d in diagnoses}) > 1:
        raise InputError("The report speaks of different data; expected one fingerprint.")
    spec = stated.spec or first.spec
    lenses_found = lenses_of(assessment.survey)
    two, many = binnings_of(diagnoses)
    return Repeatable(
        stated.report.title,
        stated.report.date,
        first.version,
        first.fingerprint,
        spec,
        two,
        many,
        lenses_found,
        tuple(d.spec for d in diagnoses),
        lens_results(assessment),
        first.n,
        first.drawn_from,
        verdict_test_name(first),
    )


def lenses_of(survey: Survey) -> tuple[Lens, ...]:
    """All that were looked through, refused ones last."""
    refused = (lens_from_words(words) for words, _why in survey.refused)
    return *(d.spec.lens for d in survey.diagnoses), *refused


def binnings_of(diagnoses: Sequence[Diagnosis]) -> tuple[Binning | None, Binning | None]:
    """The binnings that were asked for, for lenses of two and of more classes; None where none had so many.

    One that does not fit a lens gave way to uniform:10 there.
    """
    instead = DiagnosisSpec().binning
    binnings: list[Binning | None] = []
    for two in (True, False):
        used = [d.spec.binning for d in diagnoses if (len(d.reliability.class_names) == 2) == two]
        binnings.append(next((b for b in used if b != instead), used[0] if used else None))
    return binnings[0], binnings[1]


def lens_results(assessment: Assessment) -> tuple[LensResult, ...]:
    """What a survey found, lens by lens, as it is compared."""
    return tuple(
        LensResult(lens_to_words(v.lens), v.answer, float(v.pvalue), float(v.adjusted), v.at_floor)
        for v in assessment.verdicts
    )


def differences(
    shared: Repeatable, assessment: Assessment
) -> tuple[tuple[LensResult | None, LensResult | None], ...]:
    """Then and now where they are not the same, None where a lens was not looked through; in the
    report's order. Empty if everything is the same."""
    now = {result.lens: result for result in lens_results(assessment)}
    pairs: list[tuple[LensResult | None, LensResult | None]] = [
        (then, now.pop(then.lens, None)) for then in shared.results
    ]
    pairs += [(None, other) for other in now.values()]
    return tuple((a, b) for a, b in pairs if a is None or b is None or not a.same(b))
