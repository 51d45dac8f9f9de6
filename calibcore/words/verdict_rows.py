"""What the columns of a survey say, and how its verdicts come about."""

from collections.abc import Sequence

from calibcore.assessment.verdict import Verdict
from calibcore.assessment.verdict_tests import verdict_test_name
from calibcore.diagnose import Diagnosis
from calibcore.settings import DiagnosisSpec
from calibcore.words.phrases import PROMISES, VERDICT_TEST_NAMES
from calibcore.words.sizes import most_words, tolerance_words
from calibcore.words.texts import paragraph

UNKNOWN = "…"
"""Stands where a verdict will be."""
ALONE_SHORT = "(not adjusted yet)"
"""Behind a p in a cell, as long as not all checks are done."""


def lens_notes(verdicts: Sequence[Verdict]) -> str:
    """What the columns say, for where no tooltip does."""
    notes = (
        "Typical gap: how far apart predicted and observed are among similar cases (root mean square), less "
        "what chance adds. Its 95\N{NO-BREAK SPACE}% interval is approximate. "
        "On balance: which way the model leans, beyond what chance allows in this check alone. That is not "
        "adjusted for the number of checks. "
        "Smallest detectable: overconfidence, a shift or uneven errors that would have been seen 8 times in "
        "10."
    )
    return f"{notes} {SMALLEST}" if any(verdict.at_floor for verdict in verdicts) else notes


SMALLEST = paragraph("remarks", "smallest p")


ADJUSTMENT_WORDS = {
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini–Hochberg, which needs tests that do not speak against each other "
    "(positive dependence)",
}


def verdict_methods(first: Diagnosis, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """How verdicts come about, what the columns of checks say, and what all of it was made with; ``first`` is
    any diagnosis of the survey."""
    spec = first.spec
    return (
        f"Verdict: miscalibrated if the adjusted p is {spec.alpha:g} or less. Consistent if it is "
        f"larger and an error of {tolerance_words(spec.tolerance)} would have been seen. The typical gap is "
        f"then at most {most_words(spec.tolerance)} by its one-sided 90\N{NO-BREAK SPACE}% limit. That lies "
        "below the upper end of the 95\N{NO-BREAK SPACE}% interval in the table, so that end may be larger. "
        "Of four and more classes it is that upper end.",
        lens_notes(verdicts),
        f"Adjusted p: {VERDICT_TEST_NAMES[verdict_test_name(first)][0]}, "
        f"{PROMISES['exact']} ({_redraws(spec)}, seed {spec.seed}). Adjusted for the number "
        f"of checks: {ADJUSTMENT_WORDS[spec.adjustment]}.",
        f"Caliblens {first.version}; fingerprint {first.fingerprint}.",
    )


def _redraws(spec: DiagnosisSpec) -> str:
    if spec.stop_at is None:
        return f"{spec.resamples:,} redraws"
    return f"up to {spec.resamples:,} redraws, fewer where {spec.stop_at:,} were as extreme before"


def refused_lines(refused: Sequence[tuple[str, str]]) -> list[str]:
    """Lenses that could not be tested, with the reason."""
    return [f"{lens}: not tested. {reason}" for lens, reason in refused]
