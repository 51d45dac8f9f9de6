"""Diagnoses and surveys as work in the background."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from calibcore import (
    Comparison,
    Diagnosis,
    DiagnosisSpec,
    Predictions,
    Recalibration,
    TrainingRun,
    compare,
    diagnose,
    recalibrate,
    survey,
    training,
)
from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.survey import resamples_needed
from calibcore.data.times import DayOrder
from calibcore.data.units import column_digest
from calibcore.diagram.binning import Binning
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import Decisions, decide
from calibcore.questions.groups import (
    GroupDiagram,
    GroupSurvey,
    Worst,
    group_diagrams,
    groups,
    worst_group,
)
from calibcore.questions.label_noise import WrongLabels, wrong_labels
from calibcore.questions.monitor import Monitoring, monitor
from calibcore.questions.recalibrate import Look, Split, TemperatureCurve, look, split_of, temperature_curve
from calibcore.questions.without_bins import without_bins
from calibcore.sensitivity.class_screen import ClassScreen, screen_classes
from calibcore.transforms.lenses import Lens
from pages.work import costs
from pages.work.bundled import is_bundled
from pages.work.job import Job
from pages.work.jobs import finished, start

T = TypeVar("T")


def diagnosis(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The diagnosis of these predictions with these settings, without the other estimates."""
    first = replace(spec, estimates=())
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds(n, m, first))
    return begun("diagnosis", p, first, lambda job: diagnose(p, first, job.report), expected)


def estimates(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The other estimates that the settings ask for, without its tests: the p-values come first."""
    other = replace(spec, tests=())
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds(n, m, other))
    return begun("estimates", p, other, lambda job: diagnose(p, other, job.report), expected)


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
        result = survey(p, spec, lenses, report(0.0, LOOKING, "check "), binning_of_many=many, on_result=add)
        add(result)
        return assess(p, result, report(LOOKING, 1 - LOOKING, "what could have been seen, check "), add)

    asked = replace(spec, resamples=max(spec.resamples, resamples_needed(total, spec.alpha)))
    classes = [costs.classes_through(lens, p) for lens in lenses]
    expected = costs.Estimate(
        p.n, lambda n: costs.seconds_of_survey(n, classes, asked) + costs.seconds_of_temperature(n, p.m)
    )
    return begun("survey", p, spec, work, expected, of=_of_survey(lenses, many))


def screened(p: Predictions, spec: DiagnosisSpec) -> Job[ClassScreen]:
    """All classes in the order of their difference, at the seed in use."""
    only = _of_screen(spec)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_screen(n, p.m))
    work = partial(screen_classes, p, only.unit, only.seed)
    return begun("classes", p, only, lambda job: work(job.report), expected)


def finished_screen(p: Predictions, spec: DiagnosisSpec) -> ClassScreen | None:
    """What :func:`screened` found, if it is there; nothing is begun."""
    done: ClassScreen | None = _finished("classes", p, _of_screen(spec))
    return done


def _of_screen(spec: DiagnosisSpec) -> DiagnosisSpec:
    return replace(DiagnosisSpec(), seed=spec.seed, unit=spec.unit)


def comparison(models: Mapping[str, Predictions], spec: DiagnosisSpec) -> Job[Comparison]:
    """The comparison of these models, by name, on the same cases; the first is the one in use."""
    spec = _of_verdicts(spec)
    first, k = next(iter(models.values())), len(models)
    m = costs.classes_through(spec.lens, first)
    expected = costs.Estimate(first.n, lambda n: costs.seconds_of_comparison(n, m, first.m, k, spec))
    return start(
        "comparison",
        _of_comparison(models, spec),
        lambda job: compare(models, spec, job.report),
        expected,
        bundled=all(map(is_bundled, models.values())),
    )


def _of_verdicts(spec: DiagnosisSpec) -> DiagnosisSpec:
    """What verdicts rest on, whatever is tested through one lens: the omnibus test of calibration."""
    return replace(spec, tests=("exact-omnibus",), estimates=(), null=DiagnosisSpec().null)


def finished_comparison(models: Mapping[str, Predictions], spec: DiagnosisSpec) -> Comparison | None:
    """What :func:`comparison` found, if it is there; nothing is begun."""
    job: Job[Comparison] | None = finished("comparison", _of_comparison(models, _of_verdicts(spec)))
    return job.future.result() if job is not None else None


def _of_comparison(models: Mapping[str, Predictions], spec: DiagnosisSpec) -> tuple[str, ...]:
    of_models = [(p.fingerprint, name, *p.metadata, *of_unit(p, spec)) for name, p in models.items()]
    return *(fingerprint for fingerprint, *_ in of_models), repr(of_models), spec.to_json()


def trained(run: Mapping[int, Predictions], spec: DiagnosisSpec, bundled: bool) -> Job[TrainingRun]:
    """The epochs of a training run, one by one; ``bundled`` where it is an example."""
    spec = _of_verdicts(spec)
    first, epochs = next(iter(run.values())), len(run)
    m = costs.classes_through(spec.lens, first)
    expected = costs.Estimate(first.n, lambda n: costs.seconds_of_training(n, m, epochs, spec))
    key = (*(p.fingerprint for p in run.values()), repr(list(run)), spec.to_json())
    return start("training", key, lambda job: training(run, spec, job.report), expected, bundled=bundled)


def decisions(p: Predictions, spec: DiagnosisSpec, thresholds: tuple[float, ...]) -> Job[Decisions]:
    """What acting at these thresholds is worth, whatever hypothesis is tested through one lens."""
    only = _decided(spec)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_decisions(n, only))
    of = (repr(thresholds),)
    return begun("decisions", p, only, lambda job: decide(p, only, thresholds, job.report), expected, of=of)


def finished_decisions(
    p: Predictions, spec: DiagnosisSpec, thresholds: tuple[float, ...]
) -> Decisions | None:
    """What :func:`decisions` found, if it is there and there is anything to decide; nothing is begun."""
    done: Decisions | None = _finished("decisions", p, _decided(spec), of=(repr(thresholds),))
    return done


def _decided(spec: DiagnosisSpec) -> DiagnosisSpec:
    """Decisions need no kernel."""
    return replace(_of_one_question(spec), kernel=DiagnosisSpec().kernel)


def labels_explained(p: Predictions, spec: DiagnosisSpec) -> Job[WrongLabels]:
    """How many wrong labels would explain what happened; begun only when asked for."""
    only = _of_one_question(spec)
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_wrong_labels(n, m, only))
    return begun(
        "wrong labels", p, only, lambda job: wrong_labels(p, only, job.report), expected, only_asked=True
    )


def arrows_without_bins(p: Predictions, spec: DiagnosisSpec) -> Job[SmoothArrows]:
    """The smoothed arrows through the lens, with what chance allows at all places at once."""
    only = _of_one_question(spec)
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_smooth_arrows(n, m, only))
    return begun("smooth arrows", p, only, lambda job: without_bins(p, only, job.report), expected)


def _of_one_question(spec: DiagnosisSpec) -> DiagnosisSpec:
    """The settings on which decisions, wrong labels and arrows rest; the others would begin them anew."""
    start_at = DiagnosisSpec()
    names = ("lens", "kernel", "resamples", "alpha", "seed", "unit")
    return replace(start_at, **{name: getattr(spec, name) for name in names}, tests=(), estimates=())


def recalibration(p: Predictions, spec: DiagnosisSpec) -> Job[Recalibration]:
    """What each way to recalibrate these predictions would do."""
    spec = _of_verdicts(spec)
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_recalibration(n, p.m, m, spec))
    return begun(
        "recalibration", p, spec, lambda job: recalibrate(p, spec=spec, progress=job.report), expected,
        of=tuple(p.metadata),
    )  # fmt: skip


def finished_recalibration(p: Predictions, spec: DiagnosisSpec) -> Recalibration | None:
    """What :func:`recalibration` found, if it is there; nothing is begun."""
    done: Recalibration | None = _finished("recalibration", p, _of_verdicts(spec), of=tuple(p.metadata))
    return done


def method_in_full(p: Predictions, found: Recalibration, kind: str) -> Job[Look]:
    """One of the methods that were tried: before and after, and what it does to some cases."""
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_method(n, p.m, kind))
    of = (kind, *p.metadata)
    return begun("method", p, found.spec, lambda _: look(p, found, kind), expected, of=of)


def split_by(p: Predictions, found: Recalibration, kind: str, by: str | None) -> Job[Split | None]:
    """Whether a method's map may be believed: fitted to one part of the cases, judged on the other."""
    spec = found.spec
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_survey(n, [m], spec))
    columns = () if by is None else (by,)
    return begun("split", p, spec, lambda _: split_of(p, kind, spec, by), expected, columns, of=(kind,))


def curve_of_temperature(p: Predictions, found: Recalibration) -> Job[TemperatureCurve]:
    """The log loss over temperatures."""
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_curve_of_temperature(n, p.m))
    return begun("temperature-curve", p, found.spec, lambda _: temperature_curve(p, found), expected)


def finished_survey(
    p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning
) -> Assessment | None:
    """What :func:`surveyed` found, if it is there; nothing is begun."""
    done: Assessment | None = _finished("survey", p, spec, of=_of_survey(lenses, many))
    return done


def _of_survey(lenses: tuple[Lens, ...], many: Binning) -> tuple[str, ...]:
    return repr(lenses), repr(many)


def of_unit(p: Predictions, spec: DiagnosisSpec) -> tuple[str, ...]:
    """What tells the column of units from another one of that name, for the key of work."""
    return () if spec.unit is None else (column_digest(p, spec.unit),)


def grouped(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> Job[GroupSurvey]:
    """The groups of these columns, each with its verdict."""
    spec = _of_verdicts(spec)
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_groups(n, m, len(by), spec))
    return begun(
        "groups", p, spec, lambda job: groups(p, by, spec, job.report, dates=dates), expected, by,
        of=(str(dates),),
    )  # fmt: skip


def diagrams_of_groups(
    p: Predictions, found: GroupSurvey, dates: DayOrder | None
) -> Job[tuple[GroupDiagram, ...]]:
    """The diagrams of the groups that were tested."""
    only, many = replace(found.spec, tests=(), estimates=()), len(found.columns)
    expected = costs.Estimate(p.n, lambda n: many * costs.seconds(n, 2, only))
    return begun(
        "group diagrams", p, found.spec, lambda job: group_diagrams(p, found, job.report, dates=dates),
        expected, tuple(found.columns), of=(str(dates),),
    )  # fmt: skip


def finished_groups(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> GroupSurvey | None:
    """What :func:`grouped` found, with what :func:`worst` did, if it is there; nothing is begun."""
    spec, of = _of_verdicts(spec), (str(dates),)
    found: GroupSurvey | None = _finished("groups", p, spec, by, of=of)
    searched: Worst | None = _finished("worst", p, spec, by, of=of)
    return found if found is None or searched is None else replace(found, worst=searched)


def worst(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> Job[Worst | None]:
    """Where among these columns the model is off most; begun only when it is asked for."""
    spec = _of_verdicts(spec)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_search(n, len(by)))
    return begun(
        "worst", p, spec, lambda job: worst_group(p, by, spec, job.report, dates=dates), expected, by,
        of=(str(dates),), only_asked=True,
    )  # fmt: skip


def monitored(
    p: Predictions, spec: DiagnosisSpec, time: str | None, dates: DayOrder | None, before: Monitoring | None
) -> Job[Monitoring]:
    """The evidence in the order of the column ``time``, or of the rows; on top of what was ``before``."""
    spec = _of_verdicts(spec)
    m = costs.classes_through(spec.lens, p)
    return begun(
        "monitoring", p, spec,
        lambda job: monitor(p, spec, job.report, time=time, dates=dates, state=before),
        costs.Estimate(p.n, lambda n: costs.seconds_of_monitoring(n, m)),
        () if time is None else (time,), of=(str(dates), *_files(before)),
        bundled=is_bundled(p) and before is None,
    )  # fmt: skip


def finished_monitoring(
    p: Predictions, spec: DiagnosisSpec, time: str | None, dates: DayOrder | None, before: Monitoring | None
) -> Monitoring | None:
    """What :func:`monitored` found, if it is there; nothing is begun."""
    columns = () if time is None else (time,)
    of = str(dates), *_files(before)
    done: Monitoring | None = _finished("monitoring", p, _of_verdicts(spec), columns, of=of)
    return done


def _files(before: Monitoring | None) -> tuple[str, ...]:
    """What tells apart from what it goes on."""
    return () if before is None else (*before.files, before.spec.to_json(), str(before.n))


def begun(
    kind: str,
    p: Predictions,
    spec: DiagnosisSpec,
    work: Callable[[Job[T]], T],
    expected: costs.Estimate,
    columns: Sequence[str] = (),
    *,
    of: tuple[str, ...] = (),
    only_asked: bool = False,
    bundled: bool | None = None,
) -> Job[T]:
    """The session's work of that kind on these predictions, their ``columns`` and what else it is ``of``."""
    key = _key(p, spec, columns, of)
    return start(kind, key, work, expected, only_asked, is_bundled(p) if bundled is None else bundled)


def _finished(
    kind: str,
    p: Predictions,
    spec: DiagnosisSpec,
    columns: Sequence[str] = (),
    *,
    of: tuple[str, ...] = (),
) -> Any:
    """What :func:`begun` found, if it is there; nothing is begun."""
    job = finished(kind, _key(p, spec, columns, of))
    return None if job is None else job.future.result()


def _key(p: Predictions, spec: DiagnosisSpec, columns: Sequence[str], of: tuple[str, ...]) -> tuple[str, ...]:
    """What tells work from other work: neither fingerprint nor settings know what a column holds."""
    told = [(name, column_digest(p, name)) for name in columns if name in p.metadata]
    return p.fingerprint, spec.to_json(), *of_unit(p, spec), repr(list(columns)), repr(told), *of
