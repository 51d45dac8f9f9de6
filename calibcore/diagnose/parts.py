"""Parts of a diagnosis, each as it is there, for whoever wants it alone."""

from dataclasses import replace

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.data.units import FEWEST, units_of
from calibcore.diagram.binning import default_binning
from calibcore.diagram.gap_sizes import Frequencies
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.diagram.spread import Spread, spread_binning, spread_of
from calibcore.diagram.typical_gap import TypicalGap, gaps_of
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests import ExactTest, TestResult
from calibcore.hypothesis_tests.bins import BinPvalues, bin_pvalues, redraws_for_bins
from calibcore.hypothesis_tests.units import AcrossUnits, across_units
from calibcore.numerics.progress import Progress, Report, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import TopKLens, cases_seen
from calibcore.wording import count

OF_ALL_LABELS = ("survey", "diagnose")
"""Functions that take several labels of a case as they are."""


def settings_for(function: str, predictions: object, spec: object) -> DiagnosisSpec:
    """The settings: the default ones where there are none, and where only a confidence is known the lens on
    that in place of the one on all classes.

    Raises :class:`TypeError` where ``function`` was given arrays, or another thing that it cannot take;
    :class:`InputError` for several labels where it asks about one.
    """
    if not isinstance(predictions, Predictions | MultiLabelPredictions):
        raise TypeError(
            f"{function} takes Predictions and was given an object of type {type(predictions).__name__}. "
            f"Make them of arrays first: {function}(Predictions.from_arrays(probs, labels))."
        )
    if not isinstance(spec, DiagnosisSpec | None):
        raise TypeError(
            f"{function} takes a DiagnosisSpec after the predictions and was given an object of type "
            f"{type(spec).__name__}. Labels belong to Predictions.from_arrays(probs, labels)."
        )
    given = spec or DiagnosisSpec()
    if isinstance(predictions, Predictions):
        return look_at(predictions, given)
    if function not in OF_ALL_LABELS:
        raise InputError(
            f"Each case has {predictions.k:,} labels, and {function} asks about one: {function}("
            f"p.label({predictions.label_names[0]!r})). ask_each({function}, …) asks it about each."
        )
    return given


def look_at(predictions: Predictions, spec: DiagnosisSpec) -> DiagnosisSpec:
    """``spec``; where only a confidence is known, through the lens on that in place of all classes."""
    return replace(spec, lens=TopKLens(1)) if predictions.confidence_only and spec.lens.whole else spec


def in_usual_bins(cases: Cases, spec: DiagnosisSpec) -> DiagnosisSpec:
    """``spec`` with the bins that a survey of the cases has through its lens, where nobody named any.

    Raises
    ------
    InputError : the lens does not fit the cases.
    """
    if isinstance(cases, Predictions):
        spec = look_at(cases, spec)
    m = spec.lens(cases_seen(cases, spec.lens)).m
    return replace(spec, binning=default_binning(m, cases.n))


def reliability_for(
    predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None
) -> Reliability:
    """The diagram of a diagnosis alone, on the predictions as given; see :func:`diagnose`."""
    report = telling(progress, "redrawing outcomes for the bars")
    return reliability_of(spec.induced(predictions), spec, report)


def bin_pvalues_for(
    predictions: Predictions, spec: DiagnosisSpec, n_bins: int, progress: Progress | None = None
) -> BinPvalues | None:
    """Exact p-values of the ``n_bins`` bins of a diagram, with redraws enough for one of them to stand out.

    ``spec.resamples`` of them or more, see :func:`~calibcore.hypothesis_tests.bins.redraws_for_bins`. None
    for weighted, cross-fitted or pooled cases, and with more bins than can be told apart.
    """
    report = telling(progress, "redrawing outcomes bin by bin")
    return bin_pvalues_of(spec.induced(predictions), n_bins, spec, report)


def bin_pvalues_of(
    induced: Predictions, n_bins: int, spec: DiagnosisSpec, report: Report
) -> BinPvalues | None:
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
    return test(spec.induced(predictions), stream(spec.seed, "exact-ece"), report)


def typical_gap_for(predictions: Predictions, spec: DiagnosisSpec) -> TypicalGap:
    """The typical gap of a diagnosis alone; see :func:`diagnose`. Raises :class:`InputError` for weights."""
    return sizes_for(predictions, spec)[0]


def sizes_for(
    all_rows: Predictions, spec: DiagnosisSpec, induced: Predictions | None = None
) -> tuple[TypicalGap, tuple[Frequencies, ...]]:
    """The gaps of a diagnosis: of all rows, with intervals over units where ``spec`` names them.

    Of one row of each where there are fewer than 20 units: of so few such intervals do not hold. ``induced``
    are the rows of independent cases through the lens, where they are known.
    """
    if all_rows.case_of is not None:
        gap, classes = sizes_of_pairs(spec.induced(all_rows))
        if gap is None:
            raise InputError(
                f"There are weights, or fewer than {FEWEST} cases; expected more for an interval."
            )
        return gap, classes
    if spec.unit is None:
        return gaps_of(spec.lens(all_rows) if induced is None else induced)
    induced, unit = _with_units(all_rows, spec)
    many = int(unit.max()) + 1
    if many == induced.n:
        return gaps_of(induced)
    if many < FEWEST or not induced.rows_are_cases:
        return gaps_of(spec.induced(all_rows))
    return gaps_of(induced, unit)


def sizes_of_pairs(pairs: Predictions) -> tuple[TypicalGap | None, tuple[Frequencies, ...]]:
    """The gaps of pairs of a case and a label, with intervals over cases, or units of them.

    None where these are weighted, and where there are fewer than 20: of so few such intervals do not hold.
    """
    assert pairs.case_of is not None
    case_of = np.unique(pairs.case_of, return_inverse=True)[1].astype(np.int64)
    if pairs.weights is not None or int(case_of.max()) + 1 < FEWEST:
        return None, ()
    return gaps_of(pairs, case_of)


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


def left_out_note(rows: int) -> tuple[str, ...]:
    """What is said of ``rows`` whose outcome stands at a rounded 0; nothing where there is none."""
    if not rows:
        return ()
    are = "is" if rows == 1 else "are"
    return (
        f"{count(rows, 'row')} whose outcome stands at a rounded 0 {are} left out of the omnibus test. "
        "Verdicts judge the number of such rows by itself. As many as rounding explains are left out of the "
        "other tests, too, or are in every redraw what they are.",
    )


def stream_of_bars(m: int) -> str:
    """The stream of the redraws for the bars of ``m`` classes, which above two are those of ECE and MCE."""
    return "bars" if m == 2 else "exact-ece"


def reliability_of(
    induced: Predictions, spec: DiagnosisSpec, report: Report, drawn: Float | None = None
) -> Reliability:
    """:func:`reliability_for` of what a lens made; ``drawn`` as of :func:`.reliability`."""
    rng = stream(spec.seed, stream_of_bars(induced.m))
    bars = spec.interval, spec.bars, spec.resamples
    return reliability(induced, spec.binning, *bars, rng, report, drawn=drawn)


def spread_for(predictions: Predictions, spec: DiagnosisSpec) -> Spread | None:
    """How predictions are spread through the lens, where it has two classes and most crowd; else None."""
    induced = spec.induced(predictions)
    spread = spread_of(induced) if induced.m == 2 else None
    return spread if spread and spread.crowded else None


def spread_bins(spec: DiagnosisSpec, spread: Spread) -> DiagnosisSpec:
    """With bins that show crowded predictions, in place of the usual ones; others were chosen and stay."""
    usual = spec.binning == DiagnosisSpec().binning
    return replace(spec, binning=spread_binning(spread)) if usual else spec
