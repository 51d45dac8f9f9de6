"""The estimates beside ECE and SKCE, recalibration and decompositions, as rows and sentences."""

from typing import Any

from calibcore.diagnose import Diagnosis, Estimate
from calibcore.hypothesis_tests import none_as_extreme
from calibcore.words.phrases import error, error_level, exact_percent, kernel_error, p_words, points

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


def _number(name: str, value: float) -> str:
    return points(value) if name in IN_POINTS else kernel_error(value)


def rows_of_estimates(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, Any]]:
    """One row an estimate: value, where 9 in 10 lie under calibration, exact p-value, remark.

    ``exact`` gives them in full precision.
    """
    if exact:
        return [_exact_estimate(each) for each in diagnosis.estimates]
    return [_estimate_row(each, diagnosis.spec.resamples) for each in diagnosis.estimates]


def _exact_estimate(estimate: Estimate) -> dict[str, Any]:
    level = estimate.level or {}
    return {
        "estimate": estimate.name,
        "of": estimate.of,
        "value": estimate.value,
        "if calibrated, mean": level.get("mean"),
        "if calibrated, low": level.get("low"),
        "if calibrated, high": level.get("high"),
        "exact p": estimate.pvalue,
        "remark": estimate.note,
    }


UNADJUSTED = "These p-values are not adjusted for their number: the smallest of many is small by chance."


def _estimate_row(estimate: Estimate, n_resamples: int) -> dict[str, str]:
    origin = "" if estimate.of == "lens" else "of the predictions as given"
    row = {"Estimate": ESTIMATE_NAMES[estimate.name], "Value": "–", "If calibrated, 9 times in 10": "–"}
    if estimate.value is not None:
        row["Value"] = _number(estimate.name, estimate.value)
    if estimate.level is not None:
        low, high = (_number(estimate.name, estimate.level[key]) for key in ("low", "high"))
        row["If calibrated, 9 times in 10"] = f"{low.removesuffix('s').removesuffix(' point')} to {high}"
    row["Exact p"] = "–"
    if estimate.pvalue is not None:
        row["Exact p"] = p_words(estimate.pvalue, none_as_extreme(estimate.pvalue, n_resamples), short=True)
    return row | {"Remark": "; ".join(part for part in (origin, estimate.note) if part)}


def rows_of_recalibration(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, Any]]:
    """One row a coefficient with its 95 % interval; empty for more than two classes.

    ``exact`` gives them in full precision.
    """
    coefficients = diagnosis.recalibration
    if exact:
        return [
            _exact_coefficient(name, coefficients[name]) for name in COEFFICIENT_NAMES if name in coefficients
        ]
    rows: list[dict[str, Any]] = []
    for name, words in COEFFICIENT_NAMES.items():
        if name not in coefficients:
            continue
        notes = coefficients["intercept_with_slope_fixed_at_1_notes" if "fixed" in name else "cox_notes"]
        coefficient: dict[str, Any] | None = coefficients[name]
        row = {"Coefficient": words, "Value": "–", "95 % interval": "–"}
        if coefficient is not None:
            low, high = coefficient["interval"]
            row["Value"] = f"{coefficient['estimate']:.3f}".replace("-", "−")
            row["95 % interval"] = f"{low:.3f} to {high:.3f}".replace("-", "−")
        rows.append(
            {name: text.replace("-", "−") for name, text in row.items()} | {"Remark": " ".join(notes)}
        )
    return rows


def _exact_coefficient(name: str, coefficient: dict[str, Any] | None) -> dict[str, Any]:
    low, high = (None, None) if coefficient is None else coefficient["interval"]
    value = None if coefficient is None else coefficient["estimate"]
    return {"coefficient": name, "value": value, "low": low, "high": high}


def rows_of_decompositions(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, Any]]:
    """One row a part of a score, in the order in which they add up; ``exact`` in full precision."""
    if exact:
        return [
            {"score": name, "part": part, "value": value}
            for name, parts in diagnosis.decompositions.items()
            for part, value in parts.items()
        ]
    return [
        {
            "Score": DECOMPOSITION_NAMES[name],
            "Part": part.replace("_", " "),
            "Value": f"{value:.5f}".replace("-", "−"),
        }
        for name, parts in diagnosis.decompositions.items()
        for part, value in parts.items()
    ]


def interval_sentence(diagnosis: Diagnosis) -> str:
    """The bootstrap interval of the ECE with what it promises; empty where none was asked for."""
    interval = diagnosis.ece_interval
    if interval is None:
        return ""
    distance = diagnosis.spec.distance
    return (
        f"Bootstrap interval of the ECE: {error(interval['low'], distance).partition(' ')[0]} to "
        f"{error(interval['high'], distance)} ({exact_percent(interval['level'])}; {interval['label']})."
    )
