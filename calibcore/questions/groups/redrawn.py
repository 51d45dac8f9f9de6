"""The statistics of groups: all groups see the same redraws."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators._omnibus import statistics_of
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.omnibus import log_tails, observed_components, omnibus_result
from calibcore.hypothesis_tests.result import TestResult
from calibcore.numerics.engine import look_up
from calibcore.numerics.progress import Report
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int, Labels
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.redraws import redrawn_labels

STATISTICS = ("exact-omnibus", "skce-unbiased")
_TENTH = 0.1
"""Share of the label sets beyond which a tail is exponential."""
_LABELS = 1 << 24
"""Labels that are held at a time."""


class _Source(NamedTuple):
    """A group's C statistics: of (S, n) labels (C, S), of what happened (C, 1), and the test they make."""

    evaluate: Callable[[Labels], Float]
    observed: Float
    tested: Callable[[Float], TestResult]


def redrawn_tests(
    induced: Predictions, rows: Sequence[Int], spec: DiagnosisSpec, statistic: str, report: Report
) -> list[TestResult]:
    """One entry a group; all see the same label sets, the observed one first."""
    source_of = _omnibus if statistic == STATISTICS[0] else _skce
    sources = [source_of(induced.with_rows(of_group), spec) for of_group in rows]
    parts = [[source.observed] for source in sources]
    rng, done = stream(spec.seed, "groups"), 0
    many = max(1, _LABELS // induced.n)
    many -= many % min(many, 64)
    for block in redrawn_labels(induced, spec.resamples, rng):
        for start in range(0, len(block), many):
            labels = block[start : start + many]
            for part, source, of_group in zip(parts, sources, rows, strict=True):
                part.append(source.evaluate(np.ascontiguousarray(labels[:, of_group])))
            done += len(labels)
            look_up()
            report(done / spec.resamples)
    return [source.tested(np.hstack(part)) for source, part in zip(sources, parts, strict=True)]


def _omnibus(p: Predictions, spec: DiagnosisSpec) -> _Source:
    statistics = statistics_of(p, replace(spec.kernel, bandwidth=1.0))
    observed = observed_components(statistics, p)

    def tested(components: Float) -> TestResult:
        return omnibus_result(statistics, p, components, log_tails(components))

    return _Source(statistics.evaluate, observed, tested)


def _skce(p: Predictions, spec: DiagnosisSpec) -> _Source:
    prepared = SKCE(spec.kernel).prepared(p)

    def evaluate(labels: Labels) -> Float:
        return np.asarray(prepared(labels, None))[None]

    return _Source(evaluate, evaluate(p.labels[None]), _monte_carlo)


def _monte_carlo(values: Float) -> TestResult:
    return of_redraws(float(values[0, 0]), values[0, 1:])


def rarest(tests: Sequence[TestResult]) -> Float:
    """(1 + B,) of each label set how rare its group is that stands out most: the largest −log of a tail.

    The tail of a group's statistic is that of its own values over all label sets, the observed one among
    them: by rank up to the highest tenth, and exponential beyond, so that none of several groups is held
    back by how few the redraws are. All sets are treated alike. Groups that cannot vary are left out.
    """
    best = np.full(tests[0].n_resamples + 1 if tests else 1, -np.inf)
    for test in tests:
        assert test.null_distribution is not None
        values = np.append(test.statistic, test.null_distribution)
        finite = np.sort(values[np.isfinite(values)])
        if len(finite) and finite[-1] > finite[0]:
            best = np.maximum(best, _log_tail(values, finite))
    return best


def _log_tail(values: Float, finite: Float) -> Float:
    """−log of the tail of ``values`` by the rising ``finite`` ones; infinite for those that are."""
    start = finite[max(0, len(finite) - 1 - math.ceil(_TENTH * len(finite)))]
    above = finite[finite > start]
    as_large = len(finite) - np.searchsorted(finite, np.minimum(values, finite[-1]))
    out: Float = -np.log(as_large / len(finite))
    far = values > start
    if len(above):  # else more than a tenth are as large as the largest
        out[far] = math.log(len(finite) / len(above)) + (values[far] - start) / (above.mean() - start)
    out[np.isinf(values)] = np.inf
    return out
