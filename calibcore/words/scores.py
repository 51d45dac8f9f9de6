"""Proper scores and accuracy of the predictions as given; their parts are of what a lens shows."""

import math
from collections.abc import Iterable
from typing import Any

from calibcore.diagnose import Diagnosis
from calibcore.wording import percent

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


def score_rows(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, Any]]:
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
