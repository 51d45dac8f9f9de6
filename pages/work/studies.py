"""Diagnoses and surveys as work in the background."""

from dataclasses import replace

from calibcore import Diagnosis, DiagnosisSpec, Predictions, diagnose, survey
from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.survey import resamples_needed
from calibcore.diagram.binning import Binning
from calibcore.numerics.progress import Progress
from calibcore.transforms.lenses import Lens
from pages.work import costs
from pages.work.bundled import is_bundled
from pages.work.job import Job
from pages.work.jobs import finished, start


def diagnosis(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The diagnosis of these predictions with these settings, without the other estimates."""
    first = replace(spec, estimates=())
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds(n, m, first))
    key = (p.fingerprint, first.to_json())
    return start(
        "diagnosis", key, lambda job: diagnose(p, first, job.report), expected, bundled=is_bundled(p)
    )


def estimates(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The other estimates that the settings ask for, without its tests: the p-values come first."""
    other = replace(spec, tests=())
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds(n, m, other))
    key = (p.fingerprint, other.to_json())
    return start(
        "estimates", key, lambda job: diagnose(p, other, job.report), expected, bundled=is_bundled(p)
    )


def together(tested: Diagnosis, estimated: Diagnosis) -> Diagnosis:
    """The whole out of :func:`diagnosis` and :func:`estimates`: each part draws from a stream of its own."""
    spec = replace(tested.spec, estimates=estimated.spec.estimates)
    return replace(tested, spec=spec, estimates=estimated.estimates)


def surveyed(p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning) -> Job[Assessment]:
    """The survey of these predictions and its verdicts; :class:`.SoFar` knows its ``parts``."""
    total = len(lenses)

    def work(job: Job[Assessment]) -> Assessment:
        def report(part: float, share: float, what: str) -> Progress:
            return lambda fraction, _words: job.report(
                part + share * fraction, f"{what}{min(total, int(fraction * total) + 1)} of {total}"
            )

        add = job.parts.append
        result = survey(p, spec, lenses, report(0.0, LOOKING, "lens "), binning_of_many=many, on_result=add)
        add(result)
        return assess(p, result, report(LOOKING, 1 - LOOKING, "what could have been seen, lens "), add)

    asked = replace(spec, resamples=max(spec.resamples, resamples_needed(total, spec.alpha)))
    classes = [costs.classes_through(lens, p) for lens in lenses]
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_survey(n, classes, asked))
    return start("survey", _of_survey(p, spec, lenses, many), work, expected, bundled=is_bundled(p))


def survey_there(
    p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning
) -> Assessment | None:
    """What :func:`surveyed` found, if it is there; nothing is begun."""
    job: Job[Assessment] | None = finished("survey", _of_survey(p, spec, lenses, many))
    return job.future.result() if job is not None else None


def _of_survey(
    p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning
) -> tuple[str, ...]:
    return p.fingerprint, spec.to_json(), repr(lenses), repr(many)
