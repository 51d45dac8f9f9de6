"""diagnose: look at predictions through one lens and write down everything found."""

from dataclasses import asdict
from typing import Any

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.units import FEWEST, one_row_a_unit, units_of
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
from calibcore.diagnose.plan import ORDERED, plan, why_not
from calibcore.diagnose.result import Diagnosis, NamedTest
from calibcore.diagram.bins import bins_of
from calibcore.diagram.gap_sizes import Frequencies, Interval, gaps_of
from calibcore.diagram.reliability import Reliability, redrawn_distances, reliability
from calibcore.errors import InputError
from calibcore.estimators import scores
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.intervals import bootstrap_interval
from calibcore.estimators.skce import block_terms, linear_terms, quadratic_estimates
from calibcore.hypothesis_tests import ExactTest, TestResult
from calibcore.hypothesis_tests.bins import BinPvalues, bin_pvalues, redraws_for_bins
from calibcore.hypothesis_tests.exact import of_redraws
from calibcore.hypothesis_tests.units import AcrossUnits, across_units
from calibcore.kernels import Kernel
from calibcore.limits import VERSION
from calibcore.numerics.distances import DEFAULT
from calibcore.numerics.progress import Progress, Report, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import Lens
from calibcore.transforms.nulls import Identity


def check_given(function: str, predictions: object, spec: object) -> None:
    """Raises :class:`TypeError` where ``function`` was given arrays, or another thing that it cannot take."""
    if not isinstance(predictions, Predictions):
        raise TypeError(
            f"{function} takes Predictions and was given an object of type {type(predictions).__name__}. "
            f"Make them of arrays first: {function}(Predictions.from_arrays(probs, labels))."
        )
    if not isinstance(spec, DiagnosisSpec | None):
        raise TypeError(
            f"{function} takes a DiagnosisSpec after the predictions and was given an object of type "
            f"{type(spec).__name__}. Labels belong to Predictions.from_arrays(probs, labels)."
        )


def independent_rows(predictions: Predictions, spec: DiagnosisSpec) -> Predictions:
    """The cases that are looked at: all, or one row of every unit that ``spec`` names."""
    return one_row_a_unit(predictions, spec.unit, spec.seed)


def reliability_for(
    predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None
) -> Reliability:
    """The diagram of a diagnosis alone, on the predictions as given; see :func:`diagnose`."""
    report = telling(progress, "redrawing outcomes for the bars")
    return _reliability(spec.lens(independent_rows(predictions, spec)), spec, report)


def bin_pvalues_for(
    predictions: Predictions, spec: DiagnosisSpec, n_bins: int, progress: Progress | None = None
) -> BinPvalues | None:
    """Exact p-values of the ``n_bins`` bins of a diagram, with redraws enough for one of them to stand out.

    ``spec.resamples`` of them or more, see :func:`~calibcore.hypothesis_tests.bins.redraws_for_bins`. None
    for weighted, cross-fitted or pooled cases, and with more bins than can be told apart.
    """
    report = telling(progress, "redrawing outcomes bin by bin")
    return _bin_pvalues(spec.lens(independent_rows(predictions, spec)), n_bins, spec, report)


def _bin_pvalues(induced: Predictions, n_bins: int, spec: DiagnosisSpec, report: Report) -> BinPvalues | None:
    redraws = redraws_for_bins(n_bins, induced.m, spec.resamples, spec.alpha)
    if redraws is None or not induced.rows_are_cases or induced.untested:
        return None
    rng = stream(spec.seed, "bins")
    return bin_pvalues(induced, spec.binning, redraws, rng, spec.bin_adjustment, report)


def gap_for(predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None) -> TestResult:
    """The ECE of a diagnosis alone with its redraws under calibration and its exact p; see :func:`diagnose`.

    Raises
    ------
    InputError : weighted or cross-fitted cases, which have no level by chance.
    """
    report = telling(progress, "redrawing outcomes for the gap")
    test = ExactTest(ECE(spec.binning, spec.distance), spec.resamples)
    return test(spec.lens(independent_rows(predictions, spec)), stream(spec.seed, "exact-ece"), report)


def typical_gap_for(predictions: Predictions, spec: DiagnosisSpec) -> Interval:
    """The typical gap of a diagnosis alone; see :func:`diagnose`. Raises :class:`InputError` for weights."""
    return sizes_for(predictions, spec)[0]


def sizes_for(all_rows: Predictions, spec: DiagnosisSpec) -> tuple[Interval, tuple[Frequencies, ...]]:
    """The gaps of a diagnosis: of all rows, with intervals over units where ``spec`` names them.

    Of one row of each where there are fewer than 20 units: of so few such intervals do not hold.
    """
    if spec.unit is None:
        return gaps_of(spec.lens(all_rows), spec.binning)
    induced, unit = _with_units(all_rows, spec)
    many = int(unit.max()) + 1
    if many == induced.n:
        return gaps_of(induced, spec.binning)
    if many < FEWEST or not induced.rows_are_cases:
        return gaps_of(spec.lens(independent_rows(all_rows, spec)), spec.binning)
    return gaps_of(induced, spec.binning, unit)


def _with_units(all_rows: Predictions, spec: DiagnosisSpec) -> tuple[Predictions, Int]:
    """All rows through the lens, and (n,) which unit each is of, numbered from 0 without a gap."""
    assert spec.unit is not None
    unit = units_of(all_rows, spec.unit)[0]
    if spec.lens.region:
        unit = unit[spec.lens.rows(all_rows)]
    return spec.lens(all_rows), np.unique(unit, return_inverse=True)[1].astype(np.int64)


def across_units_for(all_rows: Predictions, spec: DiagnosisSpec) -> AcrossUnits:
    """What all rows say where rows belong together, as ``spec`` says they do."""
    induced, unit = _with_units(all_rows, spec)
    if not induced.rows_are_cases:
        return AcrossUnits(all_rows.n, int(unit.max()) + 1, withheld="pairs of one case")
    return across_units(induced, unit, spec.kernel, spec.resamples, stream(spec.seed, "across-units"))


def stream_of_bars(m: int) -> str:
    """The stream of the redraws for the bars of ``m`` classes, which above two are those of ECE and MCE."""
    return "bars" if m == 2 else "exact-ece"


def _reliability(
    induced: Predictions, spec: DiagnosisSpec, report: Report, drawn: Float | None = None
) -> Reliability:
    rng = stream(spec.seed, stream_of_bars(induced.m))
    bars = spec.interval, spec.bars, spec.resamples
    return reliability(induced, spec.binning, *bars, rng, report, drawn=drawn)


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


_FEW_PAIRS = 5_000
"""Cases of three and more classes up to which the kernel error is estimated, asked for or not."""
_DIAGRAM, _ECE, _SKCE, _ESTIMATE, _INTERVAL = 4, 6, 8, 2, 4


def diagnose(
    predictions: Predictions, spec: DiagnosisSpec | None = None, progress: Progress | None = None
) -> Diagnosis:
    """Look through ``spec.lens`` and estimate, draw and test what ``spec`` asks for.

    Each test and each estimate draws from a stream of its own, so that no result depends on
    which others are made; bars, ECE and MCE of three and more classes are of the same redraws.
    Cost O(n²(m + resamples)) with the kernel tests.

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
    >>> found = diagnose(p, DiagnosisSpec(lens=TopKLens(1), resamples=99))
    >>> round(found.calibration_error["ece"], 3), found.test("exact-ece").result.pvalue
    (0.4, 0.01)
    """
    check_given("diagnose", predictions, spec)
    spec = spec or DiagnosisSpec()
    all_rows, predictions = predictions, independent_rows(predictions, spec)
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
    diagram = _reliability(induced, spec, report, None if drawn is None else drawn[DEFAULT])
    report = steps.begin(_ECE, "redrawing outcomes for the calibration error")
    errors, exact_ece = _calibration_error(induced, spec, drawn, report)
    report = steps.begin(_SKCE, "estimating the kernel calibration error")
    in_order = induced
    if spec.shuffle:
        in_order = induced.with_cases(stream(spec.seed, "shuffle").permutation(induced.cases.n))
    skce = _in_order(in_order, kernel, spec)
    if _asks_pairs(spec, induced):
        skce = quadratic_estimates(induced, kernel, report, spec.precision) | skce

    tests = []
    # A lens may hide the order that the file is in.
    ordered = not spec.shuffle and (induced.labels_ordered or predictions.labels_ordered)
    for planned in plan(spec, kernel, induced.m, skce, exact_ece):
        report = steps.begin(planned.share, planned.words)
        result, note = None, why_not(planned, spec, induced, ordered)
        if not note:
            rng = stream(spec.seed, planned.name)
            try:
                result = planned.run(in_order if planned.uses_order else induced, rng, report)
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

    bin_tests = _bins(induced, diagram.n_bins, spec, steps.begin(_DIAGRAM, "redrawing outcomes bin by bin"))
    report = steps.begin(interval, "drawing cases again for the interval" if interval else "")
    ece_interval = _interval(induced, spec, report)
    if progress is not None:
        progress(1.0, "done")
    gap, frequencies = (None, ()) if induced.untested else sizes_for(all_rows, spec)
    means, standard_errors = scores.with_standard_errors(predictions)
    return Diagnosis(
        spec=spec,
        fingerprint=all_rows.fingerprint,
        version=VERSION,
        n=predictions.n,
        m=predictions.m,
        class_names=predictions.class_names,
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
        notes=predictions.notes,
        estimates=tuple(estimates),
        decompositions=decompositions(induced, spec.binning),
        recalibration=recalibration(induced),
        ece_interval=ece_interval,
        bin_pvalues=bin_tests,
        drawn_from=all_rows.drawn_from,
        units=None if spec.unit is None or induced.untested else across_units_for(all_rows, spec),
        typical_gap=gap,
        frequencies=frequencies,
    )


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
    estimators: dict[str, ECE | MCE] = {
        "ece": ECE(spec.binning, spec.distance),
        "mce": MCE(spec.binning, spec.distance),
    }
    errors: dict[str, float] = {}
    exact_ece = None
    for i, (name, estimator) in enumerate(estimators.items()):
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
    estimates = {"linear": float(linear_terms(in_order, kernel).mean())}
    if in_order.n >= spec.block_size:
        estimates["block"] = float(block_terms(in_order, kernel, spec.block_size).mean())
    return estimates


def _interval(induced: Predictions, spec: DiagnosisSpec, report: Report) -> dict[str, Any] | None:
    if not spec.bootstrap or not induced.rows_are_cases or induced.untested:
        return None
    ece, rng = ECE(spec.binning, spec.distance), stream(spec.seed, "interval-ece")
    return asdict(bootstrap_interval(ece, induced, spec.bootstrap, rng, progress=report))


def _asks_pairs(spec: DiagnosisSpec, induced: Predictions) -> bool:
    """Whether sums over all pairs are taken: for tests of the kernel error, and wherever they cost little.

    The omnibus test needs none.
    """
    few = induced.m == 2 or induced.n <= _FEW_PAIRS
    return few or bool(spec.estimates) or any(test != "exact-omnibus" for test in spec.tests)


def asks_exact(spec: DiagnosisSpec) -> bool:
    """Whether exact tests are asked for."""
    return any(test.startswith("exact") for test in spec.tests)


def _bins(induced: Predictions, n_bins: int, spec: DiagnosisSpec, report: Report) -> dict[str, Any] | None:
    """Exact p-values of the bins, as :func:`bin_pvalues_for`, where exact tests are asked for."""
    pvalues = _bin_pvalues(induced, n_bins, spec, report) if asks_exact(spec) else None
    return None if pvalues is None else bins_document(pvalues)
