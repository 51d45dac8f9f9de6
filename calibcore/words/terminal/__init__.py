"""Whole answers as a person reads them on a terminal."""

from calibcore.words.terminal.looks import diagnosis_text, survey_text
from calibcore.words.terminal.questions import (
    comparison_text,
    decisions_text,
    groups_text,
    monitoring_text,
    plan_text,
    recalibration_text,
    training_text,
    wrong_labels_text,
)

__all__ = [
    "comparison_text",
    "decisions_text",
    "diagnosis_text",
    "groups_text",
    "monitoring_text",
    "plan_text",
    "recalibration_text",
    "survey_text",
    "training_text",
    "wrong_labels_text",
]
