"""The sentences that only a report has: its heads, its tables, what a row of numbers promises."""

import datetime
from collections.abc import Sequence
from typing import Any

from calibcore.diagnose import Diagnosis
from calibcore.judged import Judged
from calibcore.predictions import InputError, Predictions
from calibcore.verdict import ClassFrequencies
from calibcore.words.estimates import level_words
from calibcore.words.frequencies import rows_of_frequencies
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import count, error, kernel_error, lens_words, percent
from calibcore.words.results import null_range, score_words
from calibcore.words.verdict_rows import lens_row
from calibcore.words.verdicts import chip_text, promise_words

MOST_CLASSES = 25
"""Rows of the table of classes: more would fill pages."""
SCORES = {
    "accuracy": "Accuracy",
    "brier": "Brier score, summed over the classes",
    "log_loss": "Log loss",
    "spherical": "Spherical score",
}


def date_words(date: str) -> str:
    """ "2026-11-21" -> "21 November 2026".

    Raises
    ------
    InputError : no date of the calendar in this form.
    """
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError as error:
        raise InputError(f"The date is {date!r:.30}; expected one as 2026-11-21.") from error
    if day.isoformat() != date:
        raise InputError(f"The date is {date!r:.30}; expected one as 2026-11-21.")
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def subtitle(model: str, p: Predictions, noun: str) -> str:
    """Model, cases and classes: "densenet121 · 10,000 images · 10 classes"."""
    return " · ".join(filter(None, (model, count(p.n, noun), f"{p.m:,} classes")))


def verdict_rows(found: Judged) -> list[dict[str, str]]:
    """One row a lens: the verdict, how far off with its interval, the adjusted p, what could be seen."""
    names = ("On average", "Typical gap", "Adjusted p", "Smallest detectable")
    rows = []
    for diagnosis, verdict in zip(found.survey.diagnoses, found.verdicts, strict=True):
        row = lens_row(diagnosis, verdict)
        rows.append(
            {"Lens": str(row["Lens"]), "Verdict": chip_text(verdict)}
            | {name: str(row[name]) for name in names}
        )
    return rows


def verdicts_note(adjustment: str = "holm", noun: str = "case") -> str:
    """What the columns of :func:`verdict_rows` mean."""
    return (
        "On average: what was said less what happened. Typical gap: in a typical bin, less what chance adds, "
        "with an approximate 95\N{NO-BREAK SPACE}% interval, in points. "
        f"Adjusted p: {promise_words(adjustment, noun)}. "
        "Smallest detectable: overconfidence or a shift that would have been seen 8 times in 10."
    )


def number_rows(found: Judged) -> list[dict[str, str]]:
    """One row a lens: bins, average gap and kernel error beside what chance gives, bandwidth."""
    return [
        {
            "Lens": sentence_case(lens_words(d.spec.lens)),
            "Cases": f"{d.lens_n:,}",
            "Bins": f"{d.reliability.n_bins:,}",
            "ECE": error(d.calibration_error["ece"], d.spec.distance),
            "ECE if calibrated": level_words(d, "ece"),
            "SKCE": _together(kernel_error(d.skce["unbiased"])),
            "SKCE if calibrated": _together(null_range(d)),
            "Bandwidth": f"{d.bandwidth.value:.3g}",
        }
        for d in found.survey.diagnoses
    ]


def _together(words: str) -> str:
    """No line ends before or after ×."""
    return words.replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


NUMBERS_NOTE = (
    "ECE: the average gap, which has no scale of its own. SKCE: the unbiased squared kernel calibration "
    "error, which may be negative. "
    "If calibrated: where 9 in 10 values lie when outcomes are redrawn from the predictions."
)


def score_rows(diagnosis: Diagnosis) -> list[dict[str, str]]:
    """The scores of the predictions as given, with their standard errors."""
    return [
        {"Score": name, "Value ± standard error": score_words(diagnosis, key)}
        for key, name in SCORES.items()
        if key in diagnosis.scores
    ]


def class_rows(found: Judged) -> list[dict[str, str]]:
    """One row a class, how often it happened and was called so; of many, those that happened most often."""
    return [
        row
        | {
            "Happened": f"{of.happened:,} ({percent(of.happened / of.n)})",
            "Predicted on average": percent(of.mean_prediction),
        }
        for of in _shown(found)
        for row in rows_of_frequencies([of])
    ]


def classes_table_note(found: Judged) -> str:
    """What the table of classes leaves out; empty where it leaves out nothing."""
    if len(found.frequencies) <= MOST_CLASSES:
        return ""
    return f"Of {len(found.frequencies):,} classes the {MOST_CLASSES} that happened most; the JSON has all."


def _shown(found: Judged) -> list[ClassFrequencies]:
    every = found.frequencies
    most = sorted(range(len(every)), key=lambda i: -every[i].happened)[:MOST_CLASSES]
    return [every[i] for i in sorted(most)]


def prediction_rows(p: Predictions) -> list[dict[str, Any]]:
    """One row a case: the probability of each class and its label, in full precision."""
    names = [f"p_{name}" for name in p.class_names]
    return [
        dict(zip(names, row, strict=True)) | {"label": p.class_names[label]}
        for row, label in zip(p.probs.tolist(), p.labels.tolist(), strict=True)
    ]


def left_out_words(bins: int, noun: str = "case") -> str:
    """Why bins of one case are missing; empty where there are none."""
    if not bins:
        return ""
    verb = "is" if bins == 1 else "are"
    return f"{count(bins, 'bin')} of one {noun} {verb} not drawn, but counted in all numbers."


def repeat_heading(version: str) -> str:
    """What stands above the command that repeats a report."""
    return f"With Caliblens {version} this command gives the same p-values and verdicts:"


def refused_lines(refused: Sequence[tuple[str, str]]) -> list[str]:
    """Lenses that could not be tested, with the reason."""
    return [f"{lens}: not tested. {reason}" for lens, reason in refused]
