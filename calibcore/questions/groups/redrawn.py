"""The statistics of groups: all groups see the same redraws."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators import Prepared
from calibcore.estimators._omnibus import Statistics, statistics_of
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.omnibus import log_tails, observed_components, omnibus_result
from calibcore.hypothesis_tests.result import TestResult
from calibcore.numerics.engine import look_up
from calibcore.numerics.progress import Report
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int, Labels
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.redraws import redrawn_labels

STATISTICS = ("exact-omnibus", "skce-unbiased")
_LABELS = 1 << 24
"""Labels that are held at a time."""


@dataclass(frozen=True, eq=False)
class GroupTest:
    """A group's statistic of the observed labels and of all redraws, ``values (1 + B,)``."""

    result: TestResult
    values: Float


def redrawn_tests(
    induced: Predictions, rows: Sequence[Int], spec: DiagnosisSpec, statistic: str, report: Report
) -> list[GroupTest]:
    """One entry a group; all see the same label sets, the observed one first."""
    some = [induced.with_rows(of) for of in rows]
    kernel = replace(spec.kernel, bandwidth=1.0)
    sources: list[Statistics | Prepared] = [
        statistics_of(p, kernel) if statistic == STATISTICS[0] else SKCE(spec.kernel).prepared(p)
        for p in some
    ]
    parts: list[list[Float]] = [[_observed(source, p)] for source, p in zip(sources, some, strict=True)]
    rng, done = stream(spec.seed, "groups"), 0
    many = max(1, _LABELS // induced.n)
    many -= many % min(many, 64)
    for block in redrawn_labels(induced, spec.resamples, rng):
        for start in range(0, len(block), many):
            labels = block[start : start + many]
            for part, source, of in zip(parts, sources, rows, strict=True):
                part.append(_evaluated(source, np.ascontiguousarray(labels[:, of])))
            done += len(labels)
            look_up()
            report(done / spec.resamples)
    found = []
    for source, p, part in zip(sources, some, parts, strict=True):
        components = np.hstack(part)
        if isinstance(source, Statistics):
            result = omnibus_result(source, p, components, log_tails(components))
            assert result.null_distribution is not None
            found.append(GroupTest(result, np.append(result.statistic, result.null_distribution)))
            continue
        values = components[0]
        found.append(GroupTest(of_redraws(float(values[0]), values[1:]), values))
    return found


def _observed(source: Statistics | Prepared, p: Predictions) -> Float:
    return (
        observed_components(source, p)
        if isinstance(source, Statistics)
        else _evaluated(source, p.labels[None])
    )


def _evaluated(source: Statistics | Prepared, labels: Labels) -> Float:
    """(C, S) components, or the one statistic."""
    if isinstance(source, Statistics):
        return source.evaluate(labels)
    return np.asarray(source(labels, None))[None]


def standardised(tests: Sequence[GroupTest]) -> Float:
    """(1 + B,) the largest of the groups' statistics, each less its mean and by its deviation over all label
    sets; those that cannot vary are left out."""
    best = np.full(len(tests[0].values) if tests else 1, -np.inf)
    for test in tests:
        finite = test.values[np.isfinite(test.values)]
        sd = float(finite.std())
        if sd > 0:
            best = np.maximum(best, (test.values - finite.mean()) / sd)
    return best
