"""What takes long, of each question: a study, which is begun, or whose result is there already."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from calibcore import (
    Comparison,
    Diagnosis,
    DiagnosisSpec,
    MultiLabelPredictions,
    OverLabels,
    Plan,
    Predictions,
    Recalibration,
    TrainingRun,
    ask_each,
    compare,
    diagnose,
    recalibrate,
    survey,
    track_training,
)
from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.defaults import resamples_needed
from calibcore.data.several_labels import Cases
from calibcore.data.times import DayOrder
from calibcore.data.units import column_digest
from calibcore.diagram.binning import Binning
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import TARGET, Decisions, decide
from calibcore.questions.groups import (
    GroupDiagram,
    GroupSurvey,
    Worst,
    group_diagrams,
    survey_groups,
    worst_group,
)
from calibcore.questions.label_noise import WrongLabels, explain_by_wrong_labels
from calibcore.questions.monitor import Monitoring, monitor
from calibcore.questions.plan import plan_of_survey
from calibcore.questions.recalibrate import Look, Split, TemperatureCurve, look, split_of, temperature_curve
from calibcore.questions.without_bins import average_without_bins
from calibcore.sensitivity.class_screen import ClassScreen, screen_classes
from calibcore.transforms.lenses import Lens
from pages.server import compiling
from pages.work import costs, jobs
from pages.work.bundled import is_bundled, shipped
from pages.work.job import Job

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Study(Generic[T]):
    """Work of one ``kind``, told apart from other such work by its ``key``; see :func:`.jobs.start`.

    It is done ``at_once`` or, on a machine that compiles its loops for the first time, after that.
    """

    kind: str
    key: tuple[str, ...]
    work: Callable[[Job[T]], T]
    expected: costs.Estimate
    bundled: bool
    only_asked: bool = False
    at_once: bool = False

    def begun(self) -> Job[T]:
        """The session's job, begun if need be."""
        return jobs.start(self.kind, self.key, self._compiled, self.expected, self.only_asked, self.bundled)

    def finished(self) -> T | None:
        """The result, if it is there; nothing is begun."""
        job: Job[T] | None = jobs.finished(self.kind, self.key)
        return None if job is None else job.future.result()

    def _compiled(self, job: Job[T]) -> T:
        if not self.at_once:
            _wait_for_loops(job)
        return self.work(job)


def _wait_for_loops(job: Job[T]) -> None:
    """On a machine that compiles them for the first time. How much is left is told by the work alone."""
    if compiling.wait(job.report):
        job.worked = time.monotonic()


def study(
    kind: str,
    p: Predictions,
    spec: DiagnosisSpec,
    work: Callable[[Progress], T],
    seconds: Callable[[int], float],
    columns: Sequence[str] = (),
    *,
    subject: tuple[str, ...] = (),
    only_asked: bool = False,
    bundled: bool | None = None,
) -> Study[T]:
    """Work on these predictions, their ``columns`` and what else it is ``subject``, which takes so many
    ``seconds`` by the number of cases."""
    return Study(
        kind, _key(p, spec, columns, subject), lambda job: work(job.report), costs.Estimate(p.n, seconds),
        is_bundled(p) if bundled is None else bundled, only_asked,
    )  # fmt: skip


def _key(p: Cases, spec: DiagnosisSpec, columns: Sequence[str], subject: tuple[str, ...]) -> tuple[str, ...]:
    """What tells work from other work: neither fingerprint nor settings know what a column holds."""
    digests = [(name, column_digest(p, name)) for name in columns if name in p.metadata]
    return p.fingerprint, spec.to_json(), *of_unit(p, spec), repr(list(columns)), repr(digests), *subject


def of_unit(p: Cases, spec: DiagnosisSpec) -> tuple[str, ...]:
    """What tells the column of units from another one of that name, for the key of work."""
    return () if spec.unit is None else (column_digest(p, spec.unit),)


def diagnosis(p: Predictions, spec: DiagnosisSpec) -> Study[Diagnosis]:
    """The diagnosis of these predictions with these settings, without the other estimates."""
    return _diagnosed("diagnosis", p, replace(spec, estimates=()))


def estimates(p: Predictions, spec: DiagnosisSpec) -> Study[Diagnosis]:
    """The other estimates that the settings ask for, without its tests: the p-values come first."""
    return _diagnosed("estimates", p, replace(spec, tests=()))


def _diagnosed(kind: str, p: Predictions, spec: DiagnosisSpec) -> Study[Diagnosis]:
    m = costs.classes_through(spec.lens, p)
    return study(kind, p, spec, partial(diagnose, p, spec), lambda n: costs.seconds(n, m, spec))


def together(tested: Diagnosis, estimated: Diagnosis) -> Diagnosis:
    """The whole out of :func:`diagnosis` and :func:`estimates`: each part draws from a stream of its own."""
    spec = replace(tested.spec, estimates=estimated.spec.estimates)
    return replace(tested, spec=spec, estimates=estimated.estimates)


def surveyed(
    p: Cases, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning, *, anew: bool = False
) -> Study[Assessment]:
    """The survey of these cases and its verdicts; :class:`.SoFar` knows the ``parts`` of its job. ``anew``:
    what ships of a bundled example is not taken for it."""
    total, effort, of_example = len(lenses), jobs.effort(), is_bundled(p)

    def work(job: Job[Assessment]) -> Assessment:
        if of_example and not anew and (made := shipped(key)) is not None:
            return made
        _wait_for_loops(job)

        def report(part: float, share: float, what: str) -> Progress:
            return lambda fraction, _words: job.report(
                part + share * fraction, f"{what}{min(total, int(fraction * total) + 1)} of {total}"
            )

        add = job.parts.append
        looking = report(0.0, LOOKING, "check ")
        result = survey(p, spec, lenses, looking, binning_of_many=many, on_result=add, effort=effort)
        add(result.without_cases())  # parts are kept as long as the job
        return assess(p, result, report(LOOKING, 1 - LOOKING, "what could have been seen, check "), add)

    asked = replace(spec, resamples=max(spec.resamples, resamples_needed(total, spec.alpha, effort)))
    if isinstance(p, Predictions):
        classes, m = [costs.classes_through(lens, p) for lens in lenses], p.m
    else:
        classes, m = [2] * total, 0  # no temperature over all labels

    def seconds(n: int) -> float:
        tested = costs.seconds_of_survey(n, classes, asked)
        return tested + costs.seconds_of_temperature(n, m) if m else tested

    expected = costs.Estimate(p.n, seconds)
    key = _key(p, spec, (), (repr(lenses), repr(many), repr(effort)))
    return Study("survey", key, work, expected, of_example, at_once=of_example)


def over_labels(
    ask: Callable[..., object],
    p: MultiLabelPredictions,
    spec: DiagnosisSpec,
    seconds: Callable[[int, DiagnosisSpec], float],
    columns: Sequence[str] = (),
    **more: object,
) -> Study[OverLabels]:
    """A question asked of each of several labels, which takes so many ``seconds`` of one; begun when asked
    for. What it is asked with besides is told apart by what it reads as."""
    resamples = max(spec.resamples, resamples_needed(p.k, spec.alpha))
    only = replace(_of_verdicts(spec), lens=DiagnosisSpec().lens, resamples=resamples)
    return Study(
        "over labels",
        _key(p, only, columns, (getattr(ask, "__name__", ""), repr(sorted(more.items())))),
        lambda job: ask_each(ask, p, only, job.report, **more),
        costs.Estimate(p.n, lambda n: p.k * seconds(n, only)),
        bundled=False,
        only_asked=True,
    )


def compared_labels(models: Mapping[str, MultiLabelPredictions], spec: DiagnosisSpec) -> Study[OverLabels]:
    """The comparison of these models, label by label; begun when asked for."""
    first, k = next(iter(models.values())), len(models)
    resamples = max(spec.resamples, resamples_needed(first.k, spec.alpha))
    only = replace(_of_verdicts(spec), lens=DiagnosisSpec().lens, resamples=resamples)
    of_models = [(name, p.fingerprint, *of_unit(p, only)) for name, p in models.items()]
    return Study(
        "over labels",
        (first.fingerprint, "compare", repr(of_models), only.to_json()),
        lambda job: ask_each(compare, models, only, job.report),
        costs.Estimate(first.n, lambda n: first.k * costs.seconds_of_comparison(n, 2, 2, k, only)),
        bundled=False,
        only_asked=True,
    )


def screened(p: Predictions, spec: DiagnosisSpec) -> Study[ClassScreen]:
    """All classes in the order of their difference, at the seed in use."""
    only = replace(DiagnosisSpec(), seed=spec.seed, unit=spec.unit)
    work = partial(screen_classes, p, only.unit, only.seed)
    return study("classes", p, only, work, lambda n: costs.seconds_of_screen(n, p.m))


def comparison(models: Mapping[str, Predictions], spec: DiagnosisSpec) -> Study[Comparison]:
    """The comparison of these models, by name, on the same cases; the first is the one in use."""
    spec, effort = _of_verdicts(spec), jobs.effort()
    first, k = next(iter(models.values())), len(models)
    m = costs.classes_through(spec.lens, first)
    of_models = [(p.fingerprint, name, *p.metadata, *of_unit(p, spec)) for name, p in models.items()]
    return Study(
        "comparison",
        (*(fingerprint for fingerprint, *_ in of_models), repr(of_models), spec.to_json(), repr(effort)),
        lambda job: compare(models, spec, job.report, effort=effort),
        costs.Estimate(first.n, lambda n: costs.seconds_of_comparison(n, m, first.m, k, spec)),
        bundled=all(map(is_bundled, models.values())),
    )


def _of_verdicts(spec: DiagnosisSpec) -> DiagnosisSpec:
    """What verdicts rest on, whatever is tested through one lens: the omnibus test of calibration."""
    return replace(spec, tests=("exact-omnibus",), estimates=(), null=DiagnosisSpec().null)


def trained(run: Mapping[int, Predictions], spec: DiagnosisSpec, bundled: bool) -> Study[TrainingRun]:
    """The epochs of a training run, one by one; ``bundled`` where it is an example."""
    spec = _of_verdicts(spec)
    first, epochs = next(iter(run.values())), len(run)
    m = costs.classes_through(spec.lens, first)
    return Study(
        "training",
        (*(p.fingerprint for p in run.values()), repr(list(run)), spec.to_json()),
        lambda job: track_training(run, spec, job.report),
        costs.Estimate(first.n, lambda n: costs.seconds_of_training(n, m, epochs, spec)),
        bundled,
    )


def decisions(
    p: Predictions,
    spec: DiagnosisSpec,
    thresholds: tuple[float, ...],
    target: float = TARGET,
    prevalence: float | None = None,
    groups: str | None = None,
    dates: DayOrder | None = None,
) -> Study[Decisions]:
    """What acting at these thresholds is worth, and from which one on the target is kept, whatever
    hypothesis is tested through one lens."""
    only = replace(_of_one_question(spec), kernel=DiagnosisSpec().kernel)  # it needs none
    work = partial(
        decide, p, only, thresholds, target=target, prevalence=prevalence, groups=groups, dates=dates
    )
    return study(
        "decisions",
        p,
        only,
        work,
        lambda n: costs.seconds_of_decisions(n, only),
        () if groups is None else (groups,),
        subject=(repr(thresholds), repr(target), repr(prevalence), repr(dates)),
    )


def planned(p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...]) -> Study[Plan]:
    """How many such cases would tell, of a survey through these lenses; begun only when asked for."""
    only = replace(_of_one_question(spec), lens=DiagnosisSpec().lens, tolerance=spec.tolerance)

    def work(progress: Progress | None = None) -> Plan:
        return plan_of_survey(p, only, lenses, progress)

    return study(
        "plan",
        p,
        only,
        work,
        lambda n: costs.seconds_of_plan(n, p.m),
        subject=(repr(lenses),),
        only_asked=True,
    )


def labels_explained(p: Predictions, spec: DiagnosisSpec) -> Study[WrongLabels]:
    """How many wrong labels would explain what happened; begun only when asked for."""
    only = _of_one_question(spec)
    m = costs.classes_through(spec.lens, p)
    work = partial(explain_by_wrong_labels, p, only)
    return study(
        "wrong labels", p, only, work, lambda n: costs.seconds_of_wrong_labels(n, m, only), only_asked=True
    )


def arrows_without_bins(p: Predictions, spec: DiagnosisSpec) -> Study[SmoothArrows]:
    """The smoothed arrows through the lens, with what chance allows at all places at once."""
    only = _of_one_question(spec)
    m = costs.classes_through(spec.lens, p)
    work = partial(average_without_bins, p, only)
    return study("smooth arrows", p, only, work, lambda n: costs.seconds_of_smooth_arrows(n, m, only))


def _of_one_question(spec: DiagnosisSpec) -> DiagnosisSpec:
    """The settings on which decisions, wrong labels and arrows rest; the others would begin them anew."""
    start_at = DiagnosisSpec()
    names = ("lens", "kernel", "resamples", "alpha", "seed", "unit")
    return replace(start_at, **{name: getattr(spec, name) for name in names}, tests=(), estimates=())


def recalibration(p: Predictions, spec: DiagnosisSpec) -> Study[Recalibration]:
    """What each way to recalibrate these predictions would do."""
    spec = _of_verdicts(spec)
    m = costs.classes_through(spec.lens, p)
    return study(
        "recalibration", p, spec, lambda report: recalibrate(p, spec=spec, progress=report),
        lambda n: costs.seconds_of_recalibration(n, p.m, m, spec), subject=tuple(p.metadata),
    )  # fmt: skip


def method_in_full(p: Predictions, recalibration: Recalibration, kind: str) -> Study[Look]:
    """One of the methods that were tried: before and after, and what it does to some cases."""
    return study(
        "method", p, recalibration.spec, lambda _: look(p, recalibration, kind),
        lambda n: costs.seconds_of_method(n, p.m, kind), subject=(kind, *p.metadata),
    )  # fmt: skip


def split_by(p: Predictions, recalibration: Recalibration, kind: str, by: str | None) -> Study[Split | None]:
    """Whether a method's map is itself off: fitted to one part of the cases, judged on the other."""
    spec, kinds = recalibration.spec, tuple(method.kind for method in recalibration.methods)
    m = costs.classes_through(spec.lens, p)
    work = partial(split_of, p, kinds, spec, by, folds=recalibration.folds, asked=kind)
    return study(
        "split", p, spec, lambda _: work(),
        lambda n: costs.seconds_of_split(n, p.m, m, kinds, spec), () if by is None else (by,),
        subject=(kind, *sorted(kinds)),
    )  # fmt: skip


def curve_of_temperature(p: Predictions, recalibration: Recalibration) -> Study[TemperatureCurve]:
    """The log loss over temperatures."""
    return study(
        "temperature-curve", p, recalibration.spec, lambda _: temperature_curve(p, recalibration),
        lambda n: costs.seconds_of_curve_of_temperature(n, p.m),
    )  # fmt: skip


def grouped(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> Study[GroupSurvey]:
    """The groups of these columns, each with its verdict."""
    spec, effort = _of_verdicts(spec), jobs.effort()
    m = costs.classes_through(spec.lens, p)
    return study(
        "groups", p, spec, partial(survey_groups, p, by, spec, dates=dates, effort=effort),
        lambda n: costs.seconds_of_groups(n, m, len(by), spec), by, subject=(str(dates), repr(effort)),
    )  # fmt: skip


def diagrams_of_groups(
    p: Predictions, survey: GroupSurvey, dates: DayOrder | None
) -> Study[tuple[GroupDiagram, ...]]:
    """The diagrams of the groups that were tested."""
    only, many = replace(survey.spec, tests=(), estimates=()), len(survey.columns)
    return study(
        "group diagrams", p, survey.spec, partial(group_diagrams, p, survey, dates=dates),
        lambda n: many * costs.seconds(n, 2, only), tuple(survey.columns), subject=(str(dates),),
    )  # fmt: skip


def worst(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> Study[Worst | None]:
    """Where among these columns the model is off most; begun only when it is asked for."""
    spec = _of_verdicts(spec)
    return study(
        "worst", p, spec, partial(worst_group, p, by, spec, dates=dates),
        lambda n: costs.seconds_of_search(n, len(by)), by, subject=(str(dates),), only_asked=True,
    )  # fmt: skip


def finished_groups(
    p: Predictions, by: Sequence[str], spec: DiagnosisSpec, dates: DayOrder | None
) -> GroupSurvey | None:
    """What :func:`grouped` found, with what :func:`worst` did, if it is there; nothing is begun."""
    survey = grouped(p, by, spec, dates).finished()
    searched = worst(p, by, spec, dates).finished()
    return survey if survey is None or searched is None else replace(survey, worst=searched)


def monitored(
    p: Predictions, spec: DiagnosisSpec, time: str | None, dates: DayOrder | None, before: Monitoring | None
) -> Study[Monitoring]:
    """The evidence in the order of the column ``time``, or of the rows; on top of what was ``before``."""
    spec = _of_verdicts(spec)
    m = costs.classes_through(spec.lens, p)
    files = () if before is None else (*before.files, before.spec.to_json(), str(before.n))
    return study(
        "monitoring", p, spec, partial(monitor, p, spec, time=time, dates=dates, state=before),
        lambda n: costs.seconds_of_monitoring(n, m), () if time is None else (time,),
        subject=(str(dates), *files), bundled=is_bundled(p) and before is None,
    )  # fmt: skip
