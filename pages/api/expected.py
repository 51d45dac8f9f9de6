"""How long a question may take, by what was read for it: as the pages reckon."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

from calibcore.assessment.defaults import default_lenses, resamples_needed
from calibcore.cli.requests import request_from
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.errors import InputError, Remedy
from calibcore.questions.groups.ask import lens_of_groups
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens, cases_seen
from calibcore.wording import count
from pages.work import cluster, costs

UNKNOWN = 3.0
"""A question that says no costs of its own may take so many times as long as a survey through its lens."""
Seconds = Callable[[int, int, Predictions, int, DiagnosisSpec, argparse.Namespace], float]
OF_QUESTIONS: dict[str, Seconds] = {
    "diagnose": lambda n, m, _p, _k, spec, _a: costs.seconds(n, m, spec),
    "compare": lambda n, m, p, k, spec, _a: costs.seconds_of_comparison(n, m, p.m, k, spec),
    "training": lambda n, m, _p, k, spec, _a: costs.seconds_of_training(n, m, k, spec),
    "decide": lambda n, _m, _p, _k, spec, _a: costs.seconds_of_decisions(n, spec),
    "plan": lambda n, _m, p, _k, _spec, _a: costs.seconds_of_plan(n, p.m),
    "label-noise": lambda n, m, _p, _k, spec, _a: costs.seconds_of_wrong_labels(n, m, spec),
    "recalibrate": lambda n, m, p, _k, spec, _a: costs.seconds_of_recalibration(n, p.m, m, spec),
    "monitor": lambda n, m, _p, _k, _spec, _a: costs.seconds_of_monitoring(n, m),
    "groups": lambda n, m, _p, _k, spec, a: (
        costs.seconds_of_groups(n, m, len(a.by), spec) + a.worst * costs.seconds_of_search(n, len(a.by))
    ),
}
"""Command -> seconds by cases, classes through the lens, predictions, models, settings and arguments."""


def estimate_of(arguments: argparse.Namespace, cases: Sequence[Cases]) -> costs.Estimate:
    """Of the question on these cases.

    Raises
    ------
    InputError : the server would end it before it is done, or a lens that does not fit.
    """
    if not cases:  # a sketch in place of a pilot
        return costs.Estimate(0, lambda n: costs.seconds_of_plan(n, 2))
    p, request = cases[0], request_from(arguments)
    if arguments.command == "survey":
        estimate = _of_survey(p, request.spec, tuple(request.lenses or default_lenses(p)))
    else:
        spec = request.spec
        if isinstance(p, Predictions) or spec.lens.within.of_all_labels:
            labels, of_one = 1, cases_seen(p, spec.lens)
        else:
            labels, of_one = p.k, p.label(p.known[0])
        if arguments.command == "groups" and arguments.lens is None and arguments.spec is None:
            spec = replace(spec, lens=lens_of_groups(of_one))
        if labels > 1:
            spec = replace(spec, resamples=max(spec.resamples, resamples_needed(labels, spec.alpha)))
        m = costs.classes_through(spec.lens, of_one)
        seconds = OF_QUESTIONS.get(arguments.command, _unknown)
        estimate = costs.Estimate(p.n, lambda n: labels * seconds(n, m, of_one, len(cases), spec, arguments))
    if estimate.too_long and not cluster.named():
        raise _refused(estimate)
    return estimate


def _of_survey(p: Cases, spec: DiagnosisSpec, lenses: Sequence[Lens]) -> costs.Estimate:
    classes = []
    for lens in lenses:
        try:
            classes.append(costs.classes_through(lens, cases_seen(p, lens)))
        except InputError:  # a survey names what it could not test
            continue
    m = p.m if isinstance(p, Predictions) else 2
    spec = replace(spec, resamples=max(spec.resamples, resamples_needed(len(lenses), spec.alpha)))
    return costs.Estimate(
        p.n, lambda n: costs.seconds_of_survey(n, classes, spec) + costs.seconds_of_temperature(n, m)
    )


def _unknown(
    n: int, m: int, _p: Predictions, models: int, spec: DiagnosisSpec, _arguments: argparse.Namespace
) -> float:
    return UNKNOWN * models * costs.seconds_of_survey(n, [m], spec)


def _refused(estimate: costs.Estimate) -> InputError:
    sample, most = estimate.sample(), costs.limit()
    fewer = Remedy(f"Look at {count(sample, 'case')}, drawn at random", {"sample": sample})
    return InputError(
        f"This may take {estimate.seconds:,.0f} seconds, and this server ends work after {most:,.0f}. Ask "
        "for a sample of the cases, fewer redraws or fewer checks.",
        [fewer] if sample else [],
    )
