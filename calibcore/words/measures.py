"""The other measures of how far off a model is: beside the typical gap, scores, estimates, their parts."""

import math
from collections.abc import Iterable, Sequence

from calibcore.diagnose import Diagnosis, Estimate
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import lens_to_words
from calibcore.wording import percent
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import error, error_level, expected, kernel_error, number, points, redrawn_p
from calibcore.words.results import null_range
from calibcore.words.sizes import in_full, net_digits, net_gap
from calibcore.words.tables import Row, Rows

NET, ECE, MCE, SKCE = "Net gap", "Average gap (ECE)", "Largest bin error (MCE)", "Kernel error (SKCE)"
DIFFERS = {
    NET: "How far mean prediction and observed frequency are apart over all cases, and which way. A negative "
    "end of the interval lies the other way. Unlike in the typical gap, opposite errors cancel out.",
    ECE: "The gap of each bin, averaged over the cases. Unlike the typical gap, it includes chance.",
    MCE: "The gap of one bin, the one farthest off, often one of few cases.",
    SKCE: "A squared distance over pairs of similar cases, without bins and not in points.",
}
"""Measure -> how it differs."""


def rows_of_measures(diagnosis: Diagnosis, exact: bool = False) -> Rows:
    """One row a measure of a diagnosis; ``exact`` in full precision."""
    if exact:
        return _exact(diagnosis)
    errors, distance, diagram = diagnosis.calibration_error, diagnosis.spec.distance, diagnosis.reliability
    skce = diagnosis.skce
    rows = []
    if len(diagnosis.frequencies) == 1:
        rows.append((NET, net_gap(diagnosis.spec.lens, diagnosis.frequencies), "", DIFFERS[NET]))
    for name, key in ((ECE, "ece"), (MCE, "mce")):
        rows.append((name, error(errors[key], distance), level_words(diagnosis, key), DIFFERS[name]))
    for kind in ("unbiased", "biased", "linear"):
        if kind in skce:
            unbiased = kind == "unbiased"
            chance, differs = (null_range(diagnosis), DIFFERS[SKCE]) if unbiased else ("", "")
            rows.append((f"{SKCE}, {kind}", kernel_error(skce[kind]), chance, differs))
    if diagram.has_bars:
        outside = f"{diagram.outside.sum():,} of {diagram.n_bins:,}"
        chance = f"{expected(diagram.expected_outside)} on average"
        rows.append(("Bins outside", outside, chance, "How many bins lie outside their bars, not how far."))
    heads = ("Measure", "Value", "If calibrated, 9 times in 10", "How it differs")
    return [dict(zip(heads, row, strict=True)) for row in rows]


def _exact(diagnosis: Diagnosis) -> Rows:
    errors = diagnosis.calibration_error
    rows: list[tuple[str, float, float | None, float | None]] = []
    if len(diagnosis.frequencies) == 1:
        gap = diagnosis.frequencies[0].gap
        rows.append(("net gap", gap.value, None, None))
    rows += [
        (key, errors[key], errors.get(f"{key}_low"), errors.get(f"{key}_high")) for key in ("ece", "mce")
    ]
    rows += [(f"skce {kind}", value, None, None) for kind, value in diagnosis.skce.items()]
    heads = ("measure", "value", "if calibrated, low", "if calibrated, high")
    return [dict(zip(heads, row, strict=True)) for row in rows]


def measures_of_lenses(diagnoses: Sequence[Diagnosis], exact: bool = False) -> Rows:
    """One row a lens: the other measures beside what chance gives them; ``exact`` in full precision."""
    if exact:
        return [_exact_lens(diagnosis) for diagnosis in diagnoses]
    digits = net_digits([d.frequencies for d in diagnoses])
    regions = len({d.lens_n for d in diagnoses}) > 1
    unit = " (points)" if DISTANCES[diagnoses[0].spec.distance].in_points else ""
    return [
        {
            "Check": sentence_case(name_of(d)),
            **({"Cases": f"{d.lens_n:,}"} if regions else {}),
            f"{NET} (points)": net_gap(d.spec.lens, d.frequencies, digits, unit=False),
            f"ECE{unit}": _bare(error(d.calibration_error["ece"], d.spec.distance))
            if d.calibration_error
            else "–",
            "ECE if calibrated": _bare(level_words(d, "ece")) if d.calibration_error else "–",
        }
        for d in diagnoses
    ]


def _exact_lens(diagnosis: Diagnosis) -> Row:
    level, classes = diagnosis.calibration_error, diagnosis.frequencies
    only = classes[0] if len(classes) == 1 else None
    return {
        "lens": lens_to_words(diagnosis.spec.lens),
        "n": diagnosis.lens_n,
        **in_full("net gap", None if only is None else only.gap),
        "net gap, of": only and only.class_name,
        "ECE": level["ece"],
        "ECE if calibrated, low": level.get("ece_low"),
        "ECE if calibrated, high": level.get("ece_high"),
        "bins": diagnosis.reliability.n_bins,
    }


def _bare(words: str) -> str:
    """Without the unit, which stands in the head."""
    return words.removesuffix("s").removesuffix(" point")


def measures_notes() -> list[str]:
    """What each column of :func:`measures_of_lenses` is, and how it differs from the typical gap."""
    differs = {NET: DIFFERS[NET], "ECE, the average gap": DIFFERS[ECE]}
    notes = [f"{name}: {words[0].lower()}{words[1:]}" for name, words in differs.items()]
    return [*notes, "If calibrated: where 9 in 10 values lie when outcomes are redrawn from the predictions."]


# --- scores ---------------------------------------------------------------------------


SCORES = {
    "accuracy": "Accuracy",
    "brier": "Brier score, summed over the classes",
    "log_loss": "Log loss",
    "spherical": "Spherical score",
}
AS_GIVEN = "Scores of the predictions as given, with all their classes, whatever the lens."
OF_LENS = (
    "Parts of the scores of what the lens shows, with the classes of the lens: other numbers than the scores "
    "of the predictions as given."
)


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


def score_rows(diagnosis: Diagnosis, exact: bool = False) -> Rows:
    """The scores of the predictions as given, with their standard errors; ``exact`` in full precision."""
    names = {key: name for key, name in SCORES.items() if key in diagnosis.scores}
    if exact:
        errors = diagnosis.score_errors
        return [
            {"score": key, "value": diagnosis.scores[key], "standard error": errors[key]} for key in names
        ]
    return [
        {"Score": name, "Value ± standard error": score_words(diagnosis, key)} for key, name in names.items()
    ]


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


def rows_of_estimates(diagnosis: Diagnosis, exact: bool = False) -> Rows:
    """One row an estimate: value, where 9 in 10 lie under calibration, exact p-value, remark.

    ``exact`` gives them in full precision.
    """
    if exact:
        return [_exact_estimate(each) for each in diagnosis.estimates]
    return [_estimate_row(each, diagnosis.spec.resamples) for each in diagnosis.estimates]


def _exact_estimate(estimate: Estimate) -> Row:
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
        row["Exact p"] = redrawn_p(estimate.pvalue, n_resamples, short=True)
    return row | {"Remark": "; ".join(part for part in (origin, estimate.note) if part)}


def rows_of_recalibration(diagnosis: Diagnosis, exact: bool = False) -> Rows:
    """One row a coefficient with its 95 % interval; empty for more than two classes.

    ``exact`` gives them in full precision.
    """
    coefficients = diagnosis.recalibration
    rows: Rows = []
    for name, words in COEFFICIENT_NAMES.items():
        if name not in coefficients:
            continue
        coefficient: Row = coefficients[name] or {"estimate": None, "interval": (None, None)}
        value, (low, high) = coefficient["estimate"], coefficient["interval"]
        if exact:
            rows.append({"coefficient": name, "value": value, "low": low, "high": high})
            continue
        notes = coefficients["intercept_with_slope_fixed_at_1_notes" if "fixed" in name else "cox_notes"]
        rows.append(
            {
                "Coefficient": words,
                "Value": "–" if value is None else number(value, 3),
                "95 % interval": "–" if value is None else f"{number(low, 3)} to {number(high, 3)}",
                "Remark": " ".join(notes),
            }
        )
    return rows


def rows_of_decompositions(diagnosis: Diagnosis, exact: bool = False) -> Rows:
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
            "Value": number(value, 5),
        }
        for name, parts in diagnosis.decompositions.items()
        for part, value in parts.items()
    ]
