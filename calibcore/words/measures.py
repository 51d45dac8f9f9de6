"""The other measures of how far off a model is: beside the typical gap, scores, estimates, their parts."""

import math
from collections.abc import Iterable

from calibcore.diagnose import Diagnosis
from calibcore.wording import percent
from calibcore.words.phrases import error_level, kernel_error, points
from calibcore.words.texts import paragraph

NET, ECE, MCE, SKCE = "Net gap", "Average gap (ECE)", "Largest bin error (MCE)", "Kernel error (SKCE)"
DIFFERS = {
    NET: paragraph("remarks", "net gap"),
    ECE: paragraph("remarks", "average gap"),
    MCE: paragraph("remarks", "largest gap"),
    SKCE: paragraph("remarks", "kernel error"),
}
"""Measure -> how it differs."""


def measures_notes() -> list[str]:
    """What each column of measures of several lenses is, and how it differs from the typical gap."""
    differs = {NET: DIFFERS[NET], "ECE, the average gap": DIFFERS[ECE]}
    notes = [f"{name}: {words[0].lower()}{words[1:]}" for name, words in differs.items()]
    return [*notes, "If calibrated: where 9 in 10 values lie when outcomes are redrawn from the predictions."]


# --- scores ---------------------------------------------------------------------------


SCORES = {
    "accuracy": "Accuracy",
    "brier": "Brier score, summed over the classes",
    "log_loss": "Log loss",
    "spherical": "Spherical score",
    "rps": "Ranked probability score",
}
AS_GIVEN = paragraph("remarks", "scores as given")
OF_CONFIDENCE = paragraph("remarks", "scores of the confidence")
OF_LENS = paragraph("remarks", "parts of the scores")


def score_name(kind: str | None, name: str) -> str:
    """What a score is called, of predictions of this kind: of a confidence that of one number is spelled out,
    since it is summed over right and wrong."""
    if kind == "confidence" and name == "brier":
        return "Brier score of the confidence: mean of 2 (confidence − right)², right is 1 or 0"
    return SCORES[name]


def score_decimals(diagnoses: Iterable[Diagnosis], name: str) -> int:
    """Decimals of a Brier score or log loss down a column: two digits of its smallest standard error."""
    errors = [diagnosis.score_errors[name] for diagnosis in diagnoses]
    digits = [min(6, max(2, 1 - math.floor(math.log10(se)))) if 0 < se < math.inf else 4 for se in errors]
    return max(digits)


def score_words(diagnosis: Diagnosis, name: str, decimals: int | None = None) -> str:
    """Accuracy, Brier score or log loss with its standard error, to two digits if no ``decimals`` are given:
    "97.0 % ± 0.5", "0.104 ± 0.013"."""
    value, se = diagnosis.scores[name], diagnosis.score_errors[name]
    if name == "accuracy":
        return f"{percent(value)} ± {100 * se:.1f}"
    decimals = score_decimals([diagnosis], name) if decimals is None else decimals
    return f"{value:.{decimals}f} ± {se:.{decimals}f}"


# --- estimates ------------------------------------------------------------------------


ESTIMATE_NAMES = {
    "bias-reduced-brocker": "Squared calibration error, bias reduced (Bröcker)",
    "bias-reduced-pairwise": "Squared calibration error, bias reduced (pairs)",
    "smooth-ece": "Smooth ECE",
    "corp-miscalibration": "Miscalibration part of the Brier score (CORP)",
    "ici": "Mean distance to a smooth curve (ICI)",
    "e50": "Median distance to a smooth curve (E50)",
    "e90": "90 % quantile of that distance (E90)",
    "skce-block": "Kernel error (SKCE), blocks",
    "ucme": "Kernel error at test locations (UCME)",
    "classwise-ece": "Classwise ECE, mean over the classes",
    "top-label-ece": "Top-label ECE, given the predicted class",
    "mmce": "Maximum mean calibration error (MMCE)",
}
IN_POINTS = ("smooth-ece", "ici", "e50", "e90", "classwise-ece", "top-label-ece")
DECOMPOSITION_NAMES = {
    "brier-binned": "Brier score of the lens, by bins",
    "log-loss-binned": "Log loss of the lens, by bins",
    "brier-corp": "Brier score of the lens, by isotonic recalibration (CORP)",
    "log-loss-corp": "Log loss of the lens, by isotonic recalibration (CORP)",
    "rps-binned": "Ranked probability score, by bins",
    "rps-corp": "Ranked probability score, by isotonic recalibration (CORP)",
}
COEFFICIENT_NAMES = {
    "cox_intercept": "Cox intercept, fitted with the slope",
    "cox_slope": "Cox slope (1 if calibrated)",
    "intercept_with_slope_fixed_at_1": "Calibration in the large: intercept, slope fixed at 1",
}


def level_words(diagnosis: Diagnosis, name: str) -> str:
    """Where 90 % of the "ece" or "mce" lie under calibration; "–" for weighted cases."""
    errors = diagnosis.calibration_error
    if f"{name}_low" not in errors:
        return "–"
    return error_level(errors[f"{name}_low"], errors[f"{name}_high"], diagnosis.spec.distance)


def estimate_number(name: str, value: float) -> str:
    """An estimate as a person reads it, in points where it is a gap."""
    return points(value) if name in IN_POINTS else kernel_error(value)


def without_unit(words: str) -> str:
    """Without the unit, which stands in the head or behind the other end of a range."""
    return words.removesuffix("s").removesuffix(" point")


UNADJUSTED = paragraph("remarks", "not adjusted")
