"""The sentences that only a report has: its heads, its tables, what a row of numbers promises."""

import datetime
from collections.abc import Sequence
from typing import Any

from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import MOST_CLASSES
from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import ClassFrequencies
from calibcore.errors import InputError
from calibcore.wording import count, in_noun, percent
from calibcore.words.frequencies import frequencies_note, rows_of_frequencies
from calibcore.words.phrases import cases_words
from calibcore.words.verdict_rows import lens_notes
from calibcore.words.verdicts import promise_words, worst_class


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
    return " · ".join(filter(None, (model, cases_words(p.n, noun, p.drawn_from), f"{p.m:,} classes")))


def verdicts_note(assessment: Assessment, noun: str = "case") -> str:
    """Which class is furthest off, and what the columns of the table of lenses mean."""
    worst, adjustment = worst_class(assessment.verdicts), assessment.survey.diagnoses[0].spec.adjustment
    name = "" if worst is None else f"{worst[1]} "
    notes = in_noun(lens_notes(assessment.verdicts), noun)
    return f"{name}{notes} Adjusted p: {promise_words(adjustment, noun)}."


def class_rows(assessment: Assessment) -> list[dict[str, str]]:
    """One row a class, how often it happened and was called so; of many, those that happened most often."""
    unit = _unit(assessment)
    return [
        row
        | {
            "Happened": f"{classes.happened:,} ({percent(classes.happened / classes.n)})",
            "Predicted on average": percent(classes.mean_prediction),
        }
        for classes in _classes_shown(assessment)
        for row in rows_of_frequencies([classes], unit=unit)
    ]


def classes_table_note(assessment: Assessment) -> str:
    """What the brackets in the table of classes are, and what it leaves out."""
    brackets = frequencies_note(_unit(assessment))
    if len(assessment.frequencies) <= MOST_CLASSES:
        return brackets
    most = f"Of {len(assessment.frequencies):,} classes the {MOST_CLASSES} that happened most"
    return f"{brackets} {most}; the JSON has all."


def _unit(assessment: Assessment) -> str | None:
    return assessment.survey.diagnoses[0].spec.unit


def _classes_shown(assessment: Assessment) -> list[ClassFrequencies]:
    every = assessment.frequencies
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


COMPARISON_HEADING = "And this one the same comparison of models:"
DECISIONS_HEADING = "And this one says the same of decisions:"
GROUPS_HEADING = "And this one says the same of groups:"
MONITORING_HEADING = "And this one gives the same evidence in time:"
RECALIBRATION_HEADING = "And this one says the same of recalibration:"


def refused_lines(refused: Sequence[tuple[str, str]]) -> list[str]:
    """Lenses that could not be tested, with the reason."""
    return [f"{lens}: not tested. {reason}" for lens, reason in refused]
