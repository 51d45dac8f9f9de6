"""A survey as a table: one row a lens, with its verdict as soon as there is one."""

from calibcore.diagnose import Diagnosis
from calibcore.spec import to_words
from calibcore.survey import exact_pvalue
from calibcore.verdict import Interval, Verdict
from calibcore.words.looking import deviations, sentence_case
from calibcore.words.phrases import lens_words, number_p
from calibcore.words.sizes import on_average, size_beside, typical_words
from calibcore.words.verdicts import chip, chip_text

UNKNOWN = "…"
"""Stands where a verdict will be."""


def lens_row(diagnosis: Diagnosis, verdict: Verdict | None = None) -> dict[str, object]:
    """A lens as a person reads it; without a verdict as long as the others are looked through."""
    row: dict[str, object] = {
        "Lens": sentence_case(lens_words(diagnosis.spec.lens)),
        "Verdict": [UNKNOWN],
        "On average": UNKNOWN,
        "Typical gap": UNKNOWN,
        "Exact p": number_p(exact_pvalue(diagnosis)),
        "Adjusted p": UNKNOWN,
        "Smallest detectable": UNKNOWN,
        "Deviations": deviations(diagnosis.reliability),
    }
    if verdict is None:
        return row
    return row | {
        "Verdict": [chip_text(verdict)],
        "On average": on_average(verdict),
        "Typical gap": "{} ({})".format(*typical_words(verdict.typical_gap)),
        "Adjusted p": number_p(verdict.adjusted, alpha=verdict.alpha),
        "Smallest detectable": smallest_words(verdict),
    }


def smallest_words(verdict: Verdict) -> str:
    """D80: "3.1 points", "none" where even the largest could go unseen."""
    size = verdict.smallest_detectable
    return "none" if size is None else size_beside(size, verdict.tolerance)


def exact_lens_row(diagnosis: Diagnosis, verdict: Verdict) -> dict[str, object]:
    """The same in full precision, with the ECE and its level under calibration."""
    level, found = diagnosis.calibration_error, verdict.frequencies
    gap = found[0].gap if len(found) == 1 else Interval(*3 * (None,))  # type: ignore[arg-type]
    return {
        "lens": to_words(diagnosis.spec.lens),
        "verdict": chip(verdict).words,
        "n": verdict.n,
        "p": verdict.pvalue,
        "adjusted p": verdict.adjusted,
        **_interval("gap on average", gap),
        "gap on average, of": found[0].class_name if len(found) == 1 else None,
        **_interval("typical gap", verdict.typical_gap),
        "smallest detectable": verdict.smallest_detectable,
        "ECE": level["ece"],
        **{
            f"ECE if calibrated, {end}": level[f"ece_{end}"]
            for end in ("low", "high")
            if f"ece_{end}" in level
        },
    }


def _interval(name: str, found: Interval) -> dict[str, object]:
    return {name: found.value, f"{name}, low": found.low, f"{name}, high": found.high}
