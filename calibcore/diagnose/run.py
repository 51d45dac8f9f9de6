"""diagnose: look at predictions through one lens and write down everything found."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibcore.diagnose.result import Diagnosis, NamedTest
from calibcore.estimators import scores
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE, linear_terms, quadratic_estimates
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactTest,
    TestResult,
    monte_carlo_pvalue,
    redrawn_statistics,
)
from calibcore.kernels import Kernel
from calibcore.lenses import Lens, RegionLens, TopKLens, top_k_ties
from calibcore.limits import VERSION
from calibcore.predictions import Float, InputError, Predictions
from calibcore.reliability import Reliability, reliability
from calibcore.spec import DiagnosisSpec

Progress = Callable[[float, str], None]
"""Is told the fraction done and what is being done; may raise :class:`Cancelled`."""
Report = Callable[[float], None]
Run = Callable[[Predictions, np.random.Generator, Report], TestResult]

ORDERED = (
    "withheld: the labels stand in a visible order and this test needs rows in random order; "
    "shuffle the rows to run it"
)


class Cancelled(Exception):
    """Raised by a progress callback to stop the work."""


def stream(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each (seed, name), whatever else is drawn."""
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "little")])


def reliability_for(predictions: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The diagram of a diagnosis alone, on the predictions as given; see :func:`diagnose`."""
    return _reliability(spec.lens(predictions), spec)


def _reliability(induced: Predictions, spec: DiagnosisSpec) -> Reliability:
    return reliability(
        induced, spec.binning, spec.interval, spec.bars, spec.resamples, stream(spec.seed, "bars")
    )


def _looked_at(predictions: Predictions, lens: Lens) -> Predictions:
    """The predictions as given, only the cases that a region lets through."""
    while isinstance(lens, RegionLens):
        predictions, lens = predictions.with_rows(lens.rows(predictions)), lens.lens
    return predictions


def _ties(predictions: Predictions, lens: Lens) -> int:
    """Rows in which exact ties decide what a top-k lens sees."""
    seen = _looked_at(predictions, lens)
    while isinstance(lens, RegionLens):
        lens = lens.lens
    return top_k_ties(seen.probs, lens.k) if isinstance(lens, TopKLens) else 0


@dataclass(frozen=True)
class _Planned:
    """A test that will be run: its name and estimator, its share of the work, and how."""

    name: str
    estimator: str
    share: int
    words: str
    run: Run
    uses_order: bool = False


def _plan(
    spec: DiagnosisSpec, kernel: Kernel, skce: dict[str, float], exact_ece: TestResult
) -> list[_Planned]:
    """The tests that ``spec`` asks for. The bounds reuse the estimates that are there already."""
    exact = ExactTest(SKCE(kernel), spec.resamples)
    consistency = ConsistencyTest(ECE(spec.binning, spec.distance), spec.resamples)
    linear = AsymptoticBlockSKCETest(SKCE(kernel, "linear"))
    bootstrap = AsymptoticSKCETest(SKCE(kernel), spec.resamples)

    def bound(estimator: str, given_predictions: bool = False) -> Run:
        test = DistributionFreeSKCETest(SKCE(kernel, estimator), given_predictions)
        return lambda p, _rng, _report: test.of_statistic(p, skce[estimator])

    free = "distribution-free"
    families = {
        "exact": [
            _Planned("exact-ece", "ece", 0, "", lambda _p, _rng, _report: exact_ece),
            _Planned("exact-skce", "skce-unbiased", 50, "redrawing outcomes for the kernel test", exact),
        ],
        "consistency": [
            _Planned("consistency-ece", "ece", 25, "resampling predictions and outcomes", consistency),
        ],
        free: [
            _Planned(f"{free}-biased", "skce-biased", 0, "", bound("biased")),
            _Planned(f"{free}-unbiased", "skce-unbiased", 0, "", bound("unbiased")),
            _Planned(f"{free}-linear", "skce-linear", 0, "", bound("linear"), uses_order=True),
            _Planned(f"{free}-given-predictions", "skce-biased", 0, "", bound("biased", True)),
        ],
        "asymptotic": [
            _Planned(
                "asymptotic-linear", "skce-linear", 0, "", lambda p, rng, _: linear(p, rng), uses_order=True
            ),
            _Planned("asymptotic-unbiased", "skce-unbiased", 25, "bootstrapping the kernel test", bootstrap),
        ],
    }
    return [planned for family in families if family in spec.tests for planned in families[family]]


class _Steps:
    """Turns the fraction of one step into the fraction of the whole."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def begin(self, share: int, words: str) -> Report:
        start, self._done = self._done, self._done + share

        def report(fraction: float) -> None:
            if self._progress is not None and words:
                self._progress((start + share * fraction) / self._total, words)

        report(0.0)
        return report


_DIAGRAM, _ECE, _SKCE = 4, 6, 8
_TESTS = {"exact": 50, "consistency": 25, "distribution-free": 0, "asymptotic": 25}


def diagnose(
    predictions: Predictions, spec: DiagnosisSpec | None = None, progress: Progress | None = None
) -> Diagnosis:
    """Look through ``spec.lens`` and estimate, draw and test what ``spec`` asks for.

    Each test draws from a stream of its own, so that no result depends on which
    other tests run. Cost O(n²(m + resamples)) with the kernel tests.

    Raises
    ------
    InputError : the lens, the binning or the kernel does not fit the predictions.
    Cancelled : whatever ``progress`` raises passes through.
    """
    spec = spec or DiagnosisSpec()
    steps = _Steps(progress, _DIAGRAM + _ECE + _SKCE + sum(_TESTS[name] for name in spec.tests))

    steps.begin(_DIAGRAM, "drawing the diagram")
    induced = spec.lens(predictions)
    if induced.n < 2:
        raise InputError(f"There is {induced.n} case to look at; a diagnosis needs at least 2.")
    diagram = _reliability(induced, spec)

    report = steps.begin(_ECE, "redrawing outcomes for the calibration error")
    errors, levels = redrawn_statistics(
        [ECE(spec.binning, spec.distance), MCE(spec.binning, spec.distance)],
        induced,
        spec.resamples,
        stream(spec.seed, "exact-ece"),
        report,
    )
    exact_ece = TestResult(
        float(errors[0]),
        monte_carlo_pvalue(float(errors[0]), levels[0]),
        "exact Monte Carlo",
        "exact",
        levels[0],
        spec.resamples,
    )

    report = steps.begin(_SKCE, "estimating the kernel calibration error")
    kernel, bandwidth = spec.kernel.resolved(induced.probs)
    in_order = induced
    if spec.shuffle:
        in_order = induced.with_rows(stream(spec.seed, "shuffle").permutation(induced.n))
    # A lens may hide the order that the file is in.
    ordered = not spec.shuffle and (induced.labels_ordered or predictions.labels_ordered)
    skce = quadratic_estimates(induced, kernel, report) | {
        "linear": float(linear_terms(in_order, kernel).mean())
    }

    tests = []
    for planned in _plan(spec, kernel, skce, exact_ece):
        report = steps.begin(planned.share, planned.words)
        result, note = None, ORDERED
        if not (planned.uses_order and ordered):
            rng = stream(spec.seed, planned.name)
            try:
                result, note = planned.run(in_order if planned.uses_order else induced, rng, report), ""
            except InputError as error:
                note = f"withheld: {error}"
        tests.append(NamedTest(planned.name, planned.estimator, result, note))

    if progress is not None:
        progress(1.0, "done")
    means, standard_errors = scores.with_standard_errors(predictions)
    return Diagnosis(
        spec=spec,
        fingerprint=predictions.fingerprint,
        version=VERSION,
        n=predictions.n,
        m=predictions.m,
        class_names=predictions.class_names,
        scores=means,
        score_errors=standard_errors,
        lens_n=induced.n,
        ties=_ties(predictions, spec.lens),
        impossible_outcomes=_looked_at(predictions, spec.lens).impossible_outcomes,
        calibration_error=_with_levels(errors, levels),
        skce=skce,
        bandwidth=bandwidth,
        tests=tuple(tests),
        reliability=diagram,
        notes=predictions.notes,
    )


def _with_levels(errors: Float, levels: Float) -> dict[str, float]:
    """ECE and MCE, and each one's mean, standard deviation, 5 % and 95 % quantile under calibration."""
    found: dict[str, float] = {}
    for name, error, level in zip(("ece", "mce"), errors, levels, strict=True):
        sd = float(level.std(ddof=1)) if len(level) > 1 else 0.0
        low, high = np.quantile(level, (0.05, 0.95), method="inverted_cdf")
        found |= {name: float(error), f"{name}_mean": float(level.mean()), f"{name}_sd": sd}
        found |= {f"{name}_low": float(low), f"{name}_high": float(high)}
    return found
