"""A survey and what it comes to: the verdict on each lens, the frequencies of each class; one document."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from calibcore.assessment.impossible import Impossible
from calibcore.assessment.survey import Survey
from calibcore.assessment.survey_document import Look, Refusals, Surveyed
from calibcore.assessment.temperature_set import TemperatureSet, temperature_set
from calibcore.assessment.verdict import OPEN, Verdict, answered, decided, judge
from calibcore.assessment.verdict_tests import exact_pvalue
from calibcore.bounds import Count
from calibcore.data.mismatch import Mismatch, mismatch
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_sizes import ClassFrequencies, class_frequencies
from calibcore.errors import InputError
from calibcore.numerics.engine import looking_up
from calibcore.numerics.progress import Progress
from calibcore.settings.codec import Partly, from_entry
from calibcore.settings.documents import Documented, check_head
from calibcore.settings.faults import inside
from calibcore.settings.layout import headed

LOOKING = 0.5
"""Share of the work of a survey that is looking through the lenses; then come the verdicts."""


@dataclass(frozen=True, eq=False)
class Assessment(Documented):
    """A survey, the verdicts on its lenses in the same order, and one entry a class of the predictions.

    ``mismatch`` says where labels and columns probably do not belong together, ``temperature`` whether the
    model is too sure or too unsure, beside the verdicts; None in documents of earlier versions.
    """

    WHAT = "The survey"
    HEAD = headed("survey")
    ALSO = ("report",)
    NAMES: ClassVar = {"looks": "lenses", "frequencies": "class_frequencies"}
    KEYS: ClassVar = (*Survey.KEYS, "frequencies", "mismatch", "temperature")
    OPTIONAL: ClassVar = Survey.OPTIONAL

    survey: Survey
    verdicts: tuple[Verdict, ...]
    frequencies: tuple[ClassFrequencies, ...]
    mismatch: Mismatch | None = None
    temperature: TemperatureSet | None = None

    def at(self, tolerance: float) -> "Assessment":
        """The same with another tolerance: nothing is tested or simulated anew, as that uses none."""
        tolerances = {d.spec.tolerance for d in self.survey.diagnoses} | {v.tolerance for v in self.verdicts}
        if tolerances == {tolerance}:
            return self
        rejecting = [v for v in self.verdicts if v.found]
        highest = max((v.typical_gap.high for v in rejecting), default=0.0)
        diagnoses = tuple(
            replace(d, spec=replace(d.spec, tolerance=tolerance)) for d in self.survey.diagnoses
        )
        verdicts = tuple(_at(verdict, tolerance, highest) for verdict in self.verdicts)
        survey = replace(self.survey, diagnoses=diagnoses).without_cases(verdicts)
        return replace(self, survey=survey, verdicts=verdicts)

    @property
    def data(self) -> Surveyed | None:
        """As of the survey."""
        return self.survey.data

    @property
    def adjustment(self) -> str:
        """How p is adjusted for the number of hypotheses."""
        return self.survey.adjustment

    @property
    def looks(self) -> "tuple[JudgedLook, ...]":
        """One a lens, as the document has them."""
        each = zip(self.survey.looks, self.verdicts, strict=True)
        return tuple(JudgedLook(**vars(look), verdict=verdict) for look, verdict in each)

    @property
    def refuted(self) -> tuple[Count, ...]:
        """As of the survey, one a lens."""
        return self.survey.refuted

    @property
    def impossible(self) -> Impossible | None:
        """As of the survey."""
        return self.survey.impossible

    @property
    def at_rounded(self) -> tuple[Count, ...]:
        """As of the survey, one a lens."""
        return self.survey.at_rounded

    @property
    def counted(self) -> tuple[Impossible, ...] | None:
        """As of the survey, one a label."""
        return self.survey.counted

    @property
    def refused(self) -> Refusals:
        """As of the survey."""
        return self.survey.refused

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_head(document, cls.WHAT, cls.HEAD["document"], *cls.ALSO)
        entry, survey = from_entry(_Entry, document), Survey.from_document(document)
        made = cls(
            survey,
            tuple(look.verdict for look in entry.looks),
            entry.frequencies,
            entry.mismatch,
            entry.temperature,
        )
        made.check_agreement()
        return replace(made, survey=survey.without_cases(made.verdicts))

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        for i, (verdict, diagnosis) in enumerate(zip(self.verdicts, self.survey.diagnoses, strict=True)):
            with inside("lenses", i, "verdict"):
                if verdict.lens != diagnosis.spec.lens:
                    raise InputError("It is of another lens than its diagnosis.")
        of_all = self.survey.diagnoses[0]
        names = of_all.class_names if of_all.kind in (None, "probabilities") else ()
        if tuple(of_class.class_name for of_class in self.frequencies) != names:
            raise InputError("The class frequencies are of other classes than the survey.")


@dataclass(frozen=True)
class JudgedLook(Look):
    """A lens with its verdict, as the document has it."""

    verdict: Verdict


@dataclass(frozen=True)
class _Read(Partly):
    """What is read of a lens beside the survey."""

    verdict: Verdict


@dataclass(frozen=True)
class _Entry:
    """What is read of the document beside the survey."""

    NAMES: ClassVar = {"looks": "lenses", "frequencies": "class_frequencies"}

    looks: tuple[_Read, ...]
    frequencies: tuple[ClassFrequencies, ...]
    mismatch: Mismatch | None = None
    temperature: TemperatureSet | None = None


@dataclass(frozen=True, eq=False)
class SoFar:
    """What is there of a survey and its verdicts while others are worked at.

    Attributes
    ----------
    diagnoses : those that came, in the order in which they came
    verdicts : as far as they are decided, one a diagnosis; none before all lenses were tested
    coming : places of the verdicts whose smallest detectable error is not known yet
    hypotheses : how many p will be adjusted together; 0 where that is not known
    """

    diagnoses: tuple[Diagnosis, ...]
    verdicts: tuple[Verdict, ...] = ()
    coming: frozenset[int] = frozenset()
    hypotheses: int = 0

    @classmethod
    def of(
        cls, parts: Sequence[Diagnosis | Survey | Verdict], tolerance: float, hypotheses: int = 0
    ) -> "SoFar":
        """Of diagnoses, then the survey that they make, then verdicts, as far as they have come."""
        surveys = [part for part in parts if isinstance(part, Survey)]
        if not surveys:
            diagnoses = tuple(part for part in parts if isinstance(part, Diagnosis))
            return cls(diagnoses, hypotheses=hypotheses)
        came = {part.lens: part for part in parts if isinstance(part, Verdict)}
        so_far = decided(surveys[0])
        verdicts = tuple(came.get(verdict.lens, verdict) for verdict in so_far)
        coming = frozenset(i for i, verdict in enumerate(so_far) if verdict.lens not in came)
        assessment = Assessment(surveys[0], verdicts, ()).at(tolerance)
        return cls(assessment.survey.diagnoses, assessment.verdicts, coming, hypotheses)

    @property
    def first_rejecting(self) -> Diagnosis | None:
        """While tests go on the clearest check that finds a problem whatever the others will: its p times the
        number of all is at most α, which is enough by either adjustment."""
        waiting = self.diagnoses if self.hypotheses and not self.verdicts else ()
        certain = [each for each in waiting if exact_pvalue(each) * self.hypotheses <= each.spec.alpha]
        return min(certain, key=exact_pvalue, default=None)

    @property
    def whole(self) -> tuple[Verdict, ...]:
        """The verdicts of which the answer on the whole can be told already; else none."""
        known = tuple(verdict for verdict in self.verdicts if verdict.answer != OPEN)
        rejected = any(verdict.answer == "miscalibrated" for verdict in known)
        canonical = any(verdict.lens.whole for verdict in known)
        return known if rejected or canonical or len(known) == len(self.verdicts) else ()


def _at(verdict: Verdict, tolerance: float, highest: float) -> Verdict:
    if verdict.answer == OPEN:
        return replace(verdict, tolerance=tolerance)
    changed = answered(verdict, verdict.detectable, tolerance)
    if verdict.answer != "miscalibrated":
        return changed
    shown = highest if verdict.lens.whole else 0.0
    return replace(changed, small=max(verdict.typical_gap.high, shown) < tolerance)


def assess(
    predictions: Cases,
    survey: Survey,
    progress: Progress | None = None,
    on_result: Callable[[Verdict], None] | None = None,
) -> Assessment:
    """What a survey of these predictions comes to. Cost: as :func:`.judge` and :func:`.temperature_set`.

    Of several labels there is nothing beside the verdicts: no temperature is asked for that all share.

    ``on_result`` is given each verdict as it comes.

    Raises
    ------
    InputError : other predictions; weighted predictions.
    """
    judged = judge(predictions, survey, progress, on_result)
    if not isinstance(predictions, Predictions):
        return Assessment(survey.without_cases(judged), judged, ())
    spec = survey.diagnoses[0].spec
    cases = spec.independent(predictions)
    with looking_up(lambda: progress(1.0, "the temperature") if progress is not None else None):
        temperature = temperature_set(cases, alpha=spec.alpha, seed=spec.seed)
    return Assessment(
        survey.without_cases(judged),  # who keeps what it comes to need not keep the cases
        judged,
        class_frequencies(predictions),
        mismatch(cases),
        temperature,
    )
