"""diagnose: look at predictions through one lens and write down everything found."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.data.units import notes_beside
from calibcore.diagnose.documents import bins_document
from calibcore.diagnose.estimates import (
    OF_ORDER,
    Estimate,
    decompositions,
    estimate,
    names_for,
    recalibration,
    with_level,
)
from calibcore.diagnose.parts import (
    across_units_for,
    bin_pvalues_of,
    in_usual_bins,
    left_out_note,
    reliability_of,
    settings_for,
    sizes_for,
    sizes_of_pairs,
    stream_of_bars,
)
from calibcore.diagnose.result import Diagnosis, NamedTest
from calibcore.diagram.bars import redrawn_distances
from calibcore.diagram.bins import bins_of
from calibcore.errors import InputError
from calibcore.estimators import scores
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.intervals import bootstrap_interval
from calibcore.estimators.skce import block_terms, quadratic_estimates
from calibcore.hypothesis_tests import ExactTest, TestResult
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.families import FAMILIES, Planned, Setup
from calibcore.hypothesis_tests.ranks import RankShift, rank_shift
from calibcore.kernels import Kernel
from calibcore.limits import VERSION
from calibcore.numerics.blas import in_one_thread
from calibcore.numerics.distances import DEFAULT
from calibcore.numerics.progress import Progress, Report
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens, cases_seen
from calibcore.transforms.nulls import Identity


def _in_region(predictions: Predictions, lens: Lens) -> Predictions:
    """The predictions as given, only the cases that a region lets through."""
    return predictions.with_rows(lens.rows(predictions)) if lens.region else predictions


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


ORDERED = (
    "withheld: the labels stand in a visible order and this test needs rows in random order; "
    "shuffle the rows to run it"
)
_FEW_PAIRS = 5_000
"""Cases of three and more classes up to which the kernel error is estimated, asked for or not."""
_DIAGRAM, _ECE, _SKCE, _ESTIMATE, _INTERVAL = 4, 6, 8, 2, 4


def diagnose(
    predictions: Cases, spec: DiagnosisSpec | None = None, progress: Progress | None = None
) -> Diagnosis:
    """Look through ``spec.lens`` and estimate, draw and test what ``spec`` asks for.

    Each test and each estimate draws from a stream of its own, so that no result depends on
    which others are made; bars, ECE and MCE of three and more classes are of the same redraws.
    Cost O(n²(m + resamples)) with the kernel tests. Of several labels ``spec.lens`` names the one that is
    looked at; its scores, and all that is found, are of the cases whose outcome is known. Of all their pairs,
    through :class:`.LabelsLens`, there are the diagram and gaps with intervals over cases, and no tests.

    Raises
    ------
    InputError : the lens, the binning or the kernel does not fit the predictions.
    TypeError : arrays in place of predictions.
    Cancelled : whatever ``progress`` raises passes through.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import DiagnosisSpec, Predictions, TopKLens, diagnose
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> diagnosis = diagnose(p, DiagnosisSpec(lens=TopKLens(1), resamples=99))
    >>> round(diagnosis.calibration_error["ece"], 3), diagnosis.test("exact-ece").result.pvalue
    (0.4, 0.01)
    """
    by_default = spec is None
    spec = settings_for("diagnose", predictions, spec)
    if by_default:
        spec = in_usual_bins(predictions, spec)
    with in_one_thread():  # as in a survey, so that both give the same to the last digit
        return _diagnose(predictions, spec, progress)


def _diagnose(predictions: Cases, spec: DiagnosisSpec, progress: Progress | None) -> Diagnosis:
    """:func:`diagnose` with all settings."""
    if isinstance(predictions, MultiLabelPredictions):
        data = predictions
        of_label = diagnose(cases_seen(data, spec.lens), spec, progress)
        return replace(
            of_label,
            fingerprint=data.fingerprint,
            n=data.n,
            m=data.k,
            class_names=data.label_names,
            kind=data.kind,
        )
    all_rows, predictions = predictions, spec.independent(predictions)
    induced = spec.lens(predictions)
    if induced.n < 2:
        raise InputError(f"There is {induced.n} case to look at; a diagnosis needs at least 2.")
    kernel, bandwidth = spec.kernel.resolved(induced.probs)
    given = _in_region(predictions, spec.lens)
    names = [] if induced.untested else names_for(spec, induced.m)
    shares = sum(planned.share for planned in plan(spec, kernel, induced.m, {}, None))
    interval = _INTERVAL if spec.bootstrap else 0
    steps = _Steps(progress, 2 * _DIAGRAM + _ECE + _SKCE + _ESTIMATE * len(names) + shares + interval)

    report = steps.begin(_DIAGRAM, "drawing the diagram")
    drawn = _distances(induced, spec, report)
    diagram = reliability_of(induced, spec, report, None if drawn is None else drawn[DEFAULT])
    report = steps.begin(_ECE, "redrawing outcomes for the calibration error")
    errors, exact_ece = _calibration_error(induced, spec, drawn, report)
    report = steps.begin(_SKCE, "estimating the kernel calibration error")
    in_order = induced
    if spec.shuffle:
        in_order = induced.with_cases(stream(spec.seed, "shuffle").permutation(induced.cases.n))
    skce = _in_order(in_order, kernel, spec)
    if _asks_pairs(spec, induced):
        skce = quadratic_estimates(induced, kernel, report, spec.precision) | skce

    report = steps.begin(_DIAGRAM, "redrawing outcomes bin by bin")
    exact = any(test.startswith("exact") for test in spec.tests)
    bin_tests = bin_pvalues_of(induced, diagram.n_bins, spec, report) if exact else None
    report = steps.begin(interval, "drawing cases again for the interval" if interval else "")
    ece_interval = _interval(induced, spec, report)
    if induced.case_of is not None:
        gap, frequencies = sizes_of_pairs(induced)
    else:
        gap, frequencies = (None, ()) if induced.untested else sizes_for(all_rows, spec, induced)
    means, standard_errors = scores.with_standard_errors(predictions)
    decomposed, slopes, ranks = (
        decompositions(induced, spec.binning),
        recalibration(induced),
        _ranks(induced, spec),
    )

    # Last what all threads share: what one thread does is done while other lenses are at work.
    tests, tested = list[NamedTest](), spec.tested(induced)
    # A lens may hide the order that the file is in.
    ordered = not spec.shuffle and (induced.labels_ordered or predictions.labels_ordered)
    for planned in plan(spec, kernel, induced.m, skce, exact_ece):
        report = steps.begin(planned.share, planned.words)
        result, note = None, _why_not(planned, spec, induced, ordered)
        if not note:
            rng = stream(spec.seed, planned.name)
            try:
                cases = tested if planned.only_possible else in_order if planned.uses_order else induced
                if planned.without_kept and isinstance(spec.null, Identity):
                    cases = cases.without_kept
                result = planned.run(cases, rng, report)
            except InputError as error:
                note = f"withheld: {error}"
        tests.append(NamedTest(planned.name, planned.estimator, result, note))
    estimates = []
    for name in names:
        report = steps.begin(_ESTIMATE, "redrawing outcomes for other estimates")
        if name in OF_ORDER and ordered:
            estimates.append(Estimate(name, "lens", None, note=ORDERED))
            continue
        looked_at = in_order if name in OF_ORDER else induced
        estimates.append(estimate(name, looked_at, given, kernel, spec, stream(spec.seed, name), report))

    if progress is not None:
        progress(1.0, "done")
    return Diagnosis(
        spec=spec,
        fingerprint=all_rows.fingerprint,
        version=VERSION,
        n=predictions.n,
        m=predictions.m,
        class_names=predictions.class_names,
        kind=predictions.kind,
        scores=means,
        score_errors=standard_errors,
        lens_n=induced.n,
        ties=spec.lens.ties(predictions),
        impossible_outcomes=_in_region(all_rows, spec.lens).impossible_outcomes,
        calibration_error=errors,
        skce=skce,
        bandwidth=bandwidth,
        tests=tuple(tests),
        reliability=diagram,
        notes=(*notes_beside(spec.unit, predictions.notes), *left_out_note(induced.cases.n - tested.cases.n)),
        estimates=tuple(estimates),
        decompositions=decomposed,
        recalibration=slopes,
        ece_interval=ece_interval,
        bin_pvalues=None if bin_tests is None else bins_document(bin_tests),
        drawn_from=all_rows.drawn_from,
        units=None if spec.unit is None or induced.untested else across_units_for(all_rows, spec),
        typical_gap=gap,
        frequencies=frequencies,
        ranks=ranks,
    )


def _ranks(induced: Predictions, spec: DiagnosisSpec) -> RankShift | None:
    if not induced.ordered or induced.untested:
        return None
    return rank_shift(induced, spec.resamples, stream(spec.seed, "ranks"))


def plan(
    spec: DiagnosisSpec,
    kernel: Kernel,
    m: int,
    skce: Mapping[str, float],
    exact_ece: TestResult | None,
) -> list[Planned]:
    """The tests that ``spec`` asks for through a lens with ``m`` classes.

    The bounds reuse the estimates ``skce``, and so does the exact test of the ECE if it is there already.
    """
    setup = Setup(
        ece=ECE(spec.binning, spec.distance),
        kernel=kernel,
        m=m,
        resamples=spec.resamples,
        stop_at=spec.stop_at,
        null=spec.null,
        block_size=spec.block_size,
        locations=spec.locations,
        precision=spec.precision,
        seed=spec.seed,
        skce=skce,
        exact_ece=exact_ece,
    )
    return [
        planned for kind, family in FAMILIES.items() if kind in spec.tests for planned in family.tests(setup)
    ]


def _why_not(planned: Planned, spec: DiagnosisSpec, induced: Predictions, ordered: bool) -> str:
    """Why a test is withheld; empty if it can be run."""
    if induced.untested:
        return f"withheld: {induced.untested}"
    if planned.uses_order and ordered:
        return ORDERED
    if induced.m == 2 and planned.not_of_two:
        return planned.not_of_two
    if planned.of_calibration and not isinstance(spec.null, Identity):
        return "withheld: only the exact tests can test another null hypothesis than calibration"
    return ""


def _distances(induced: Predictions, spec: DiagnosisSpec, report: Report) -> dict[str, Float] | None:
    """Of three and more classes (B, n_bins) distances: of the bars, and of ECE and MCE."""
    if induced.m == 2 or induced.untested:
        return None
    names = {DEFAULT: None, spec.distance: None}
    rng = stream(spec.seed, stream_of_bars(induced.m))
    return redrawn_distances(
        induced, bins_of(induced.probs, spec.binning), names, spec.resamples, rng, report
    )


def _calibration_error(
    induced: Predictions, spec: DiagnosisSpec, drawn: dict[str, Float] | None, report: Report
) -> tuple[dict[str, float], TestResult | None]:
    """ECE and MCE with their levels under calibration; the exact test of the ECE, if it is the same work."""
    errors: dict[str, float] = {}
    exact_ece = None
    for i, name in enumerate(("ece", "mce")):
        estimator = (ECE if name == "ece" else MCE)(spec.binning, spec.distance)
        if induced.untested:
            errors[name] = estimator(induced)
            continue

        def half(fraction: float, i: int = i) -> None:
            report((i + fraction) / 2)

        if drawn is None:
            rng = stream(spec.seed, f"exact-{name}")
            test = ExactTest(estimator, spec.resamples)(induced, rng, half)
        else:
            counts = bins_of(induced.probs, spec.binning).counts
            test = of_redraws(estimator(induced), estimator.summary(drawn[spec.distance], counts))
        errors |= with_level(name, test)
        if name == "ece" and spec.stop_at is None and isinstance(spec.null, Identity):
            exact_ece = test
    return errors, exact_ece


def _in_order(in_order: Predictions, kernel: Kernel, spec: DiagnosisSpec) -> dict[str, float]:
    """The estimates that use the order of the rows, where rows are cases and there are enough of them."""
    if not in_order.rows_are_cases:
        return {}
    estimates = {"linear": float(block_terms(in_order, kernel, 2).mean())}
    if in_order.n >= spec.block_size:
        estimates["block"] = float(block_terms(in_order, kernel, spec.block_size).mean())
    return estimates


def _interval(induced: Predictions, spec: DiagnosisSpec, report: Report) -> dict[str, Any] | None:
    of_labels = induced.case_of is not None and induced.weights is None
    if not spec.bootstrap or not (of_labels or (induced.rows_are_cases and not induced.untested)):
        return None
    ece, rng = ECE(spec.binning, spec.distance), stream(spec.seed, "interval-ece")
    return asdict(bootstrap_interval(ece, induced, spec.bootstrap, rng, progress=report))


def _asks_pairs(spec: DiagnosisSpec, induced: Predictions) -> bool:
    """Whether sums over all pairs are taken: for tests of the kernel error, and wherever they cost little.

    The omnibus test needs none. Never of pairs of a case and a label, which would need pairs of cases.
    """
    if induced.case_of is not None:
        return False
    few = induced.m == 2 or induced.n <= _FEW_PAIRS
    return few or bool(spec.estimates) or any(test != "exact-omnibus" for test in spec.tests)
