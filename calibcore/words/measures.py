"""The other measures of how far off a model is, each with how it differs from the typical gap."""

from collections.abc import Sequence
from typing import Any

from calibcore.diagnose import Diagnosis
from calibcore.numerics.distances import DISTANCES
from calibcore.spec import lens_to_words
from calibcore.words.estimates import level_words
from calibcore.words.lens_names import name_of
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import error, expected, kernel_error
from calibcore.words.results import null_range
from calibcore.words.sizes import in_full, net_digits, net_gap

NET, ECE, MCE, SKCE = "Net gap", "Average gap (ECE)", "Largest bin error (MCE)", "Kernel error (SKCE)"
DIFFERS = {
    NET: "How far mean prediction and observed frequency are apart over all cases, and which way. A negative "
    "end of the interval lies the other way. Unlike in the typical gap, opposite errors cancel out.",
    ECE: "The gap of each bin, averaged over the cases. Unlike the typical gap, it includes chance.",
    MCE: "The gap of one bin, the one farthest off, often one of few cases.",
    SKCE: "A squared distance over pairs of similar cases, without bins and not in points.",
}
"""Measure -> how it differs."""


def rows_of_measures(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, Any]]:
    """One row a measure of a diagnosis; ``exact`` in full precision."""
    return _exact(diagnosis) if exact else _rows(diagnosis)


def _rows(diagnosis: Diagnosis) -> list[dict[str, Any]]:
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


def _exact(diagnosis: Diagnosis) -> list[dict[str, Any]]:
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


def measures_of_lenses(diagnoses: Sequence[Diagnosis], exact: bool = False) -> list[dict[str, Any]]:
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
            f"ECE{unit}": _bare(error(d.calibration_error["ece"], d.spec.distance)),
            "ECE if calibrated": _bare(level_words(d, "ece")),
        }
        for d in diagnoses
    ]


def _exact_lens(diagnosis: Diagnosis) -> dict[str, Any]:
    level, classes = diagnosis.calibration_error, diagnosis.frequencies
    one = classes[0] if len(classes) == 1 else None
    return {
        "lens": lens_to_words(diagnosis.spec.lens),
        "n": diagnosis.lens_n,
        **in_full("net gap", None if one is None else one.gap),
        "net gap, of": one and one.class_name,
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
