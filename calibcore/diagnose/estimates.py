"""The estimates beside ECE, MCE and SKCE, each with its level under calibration."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from calibcore.bounds import Holds, OneOf, Share
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators import Estimator
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.corp import SCORES, CORPMiscalibration, corp_decomposition
from calibcore.estimators.decompositions import binned_brier, binned_log_loss
from calibcore.estimators.ici import E50, E90, ICI
from calibcore.estimators.mmce import MMCE
from calibcore.estimators.recalibration import calibration_in_the_large, cox_intercept_slope
from calibcore.estimators.skce import SKCE
from calibcore.estimators.smooth_ece import SmoothECE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import ExactTest, TestResult
from calibcore.hypothesis_tests.result import needs_independent_rows
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Report
from calibcore.numerics.types import Float
from calibcore.settings import ESTIMATES, DiagnosisSpec
from calibcore.transforms.lenses.ordered import cumulative

LEVELS = ("mean", "sd", "low", "high")
"""Of an estimate with labels redrawn from the predictions; low and high are the 5 % and 95 % quantiles."""
OF_ORDER = ("skce-block",)
"""These use the order of the rows, and rows that are cases."""
OF_PREDICTIONS = ("classwise-ece", "top-label-ece", "mmce")
"""These look at the predictions as given, whatever the lens; a region is kept."""


@dataclass(frozen=True)
class Estimate:
    """An estimate, its level under calibration and its exact p-value; None where ``note`` says why not.

    NAMES : field -> its name in a document
    """

    NAMES: ClassVar[Mapping[str, str]] = {"level": "under_calibration", "pvalue": "p_value"}

    name: Annotated[str, OneOf(*ESTIMATES)]
    of: Annotated[str, OneOf("lens", "predictions")]
    """"lens" or "predictions": what it was made from."""
    value: float | None
    level: Annotated[Mapping[str, float], Holds(*LEVELS)] | None = None
    pvalue: Share | None = None
    note: str = ""


def level_of(null_distribution: Float) -> dict[str, float]:
    """(B,) -> the :data:`LEVELS` of an estimate under calibration."""
    low, high = np.quantile(null_distribution, (0.05, 0.95), method="inverted_cdf")
    sd = float(null_distribution.std(ddof=1)) if len(null_distribution) > 1 else 0.0
    return {"mean": float(null_distribution.mean()), "sd": sd, "low": float(low), "high": float(high)}


def with_level(name: str, result: TestResult) -> dict[str, float]:
    """The statistic under ``name`` and, under ``name_mean`` and so on, its :func:`level_of`."""
    assert result.null_distribution is not None
    level = level_of(result.null_distribution)
    return {name: result.statistic} | {f"{name}_{key}": value for key, value in level.items()}


def names_for(spec: DiagnosisSpec, m: int) -> list[str]:
    """The estimates that ``spec`` asks for and that a lens with ``m`` classes has."""
    makers = _makers(spec, spec.kernel)
    return [n for n in spec.estimates if m == 2 or not makers[n].two_classes_only]


def estimate(
    name: str,
    induced: Predictions,
    given: Predictions,
    kernel: Kernel,
    spec: DiagnosisSpec,
    rng: np.random.Generator,
    report: Report,
) -> Estimate:
    """One estimate. ``induced`` is what the lens makes of ``given``; the kernel has a number as bandwidth."""
    origin = "predictions" if name in OF_PREDICTIONS else "lens"
    p = given if origin == "predictions" else induced
    estimator = _makers(spec, kernel)[name]
    if given.confidence_only and origin == "predictions":
        return Estimate(name, origin, None, note="withheld: it needs the probabilities of all classes")
    try:
        if name in OF_ORDER:
            needs_independent_rows(p, "block")
        test = ExactTest(estimator, spec.resamples)(p, rng, report)
    except InputError as error:
        return Estimate(name, origin, None, note=f"not made: {error}")
    assert test.null_distribution is not None
    return Estimate(name, origin, test.statistic, level_of(test.null_distribution), test.pvalue)


def _makers(spec: DiagnosisSpec, kernel: Kernel) -> dict[str, Estimator]:
    binning: Binning = spec.binning if spec.binning.fits(2) else UniformBinning(10)
    return {
        "bias-reduced-brocker": BiasReducedECE(spec.binning, "brocker"),
        "bias-reduced-pairwise": BiasReducedECE(spec.binning, "pairwise"),
        "smooth-ece": SmoothECE(),
        "corp-miscalibration": CORPMiscalibration(),
        "ici": ICI(),
        "e50": E50(),
        "e90": E90(),
        "skce-block": SKCE(kernel, "block", spec.block_size, spec.precision),
        "ucme": UCME(kernel, spec.locations, spec.seed),
        "classwise-ece": ClasswiseECE(binning),
        "top-label-ece": TopLabelECE(binning),
        "mmce": MMCE(),
    }


def decompositions(induced: Predictions, binning: Binning) -> dict[str, dict[str, float]]:
    """Brier score and log loss split by bins and, for two classes, by isotonic recalibration (CORP)."""
    if induced.weights is not None:
        return {}
    scores: dict[str, Any] = {
        "brier-binned": binned_brier(induced, binning),
        "log-loss-binned": binned_log_loss(induced, binning),
    }
    if induced.m == 2:
        scores |= {f"{score}-corp": corp_decomposition(induced, score) for score in SCORES}
    parts = {name: asdict(parts) for name, parts in scores.items()}
    return parts | (_of_ranks(induced, binning) if induced.ordered else {})


def _of_ranks(predictions: Predictions, binning: Binning) -> dict[str, dict[str, float]]:
    """The ranked probability score is half the sum of the Brier scores of "up to a class", and so are its
    parts."""
    of_two = binning if binning.fits(2) else UniformBinning(10)
    cuts = [lens(predictions) for lens in cumulative(predictions)]
    binned = [asdict(binned_brier(cut, of_two)) for cut in cuts]
    corp = [asdict(corp_decomposition(cut)) for cut in cuts]
    return {
        name: {part: sum(of_cut[part] for of_cut in of_cuts) / 2 for part in of_cuts[0]}
        for name, of_cuts in (("rps-binned", binned), ("rps-corp", corp))
    }


def recalibration(induced: Predictions) -> dict[str, Any]:
    """Cox's intercept and slope, and the intercept with the slope fixed at 1; two classes only."""
    if induced.m != 2 or not induced.rows_are_cases or induced.untested:
        return {}
    cox, large = cox_intercept_slope(induced), calibration_in_the_large(induced)
    return {
        "cox_intercept": _plain(cox.cox_intercept),
        "cox_slope": _plain(cox.cox_slope),
        "cox_notes": list(cox.notes),
        "intercept_with_slope_fixed_at_1": _plain(large.intercept_with_slope_fixed_at_1),
        "intercept_with_slope_fixed_at_1_notes": list(large.notes),
    }


def _plain(coefficient: Any) -> dict[str, Any] | None:
    return None if coefficient is None else asdict(coefficient) | {"interval": list(coefficient.interval)}
