"""What the columns of a survey say, how its verdicts come about, and three of its numbers at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.survey import verdict_test_name
from calibcore.assessment.verdict import Verdict
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens
from calibcore.wording import plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import PROMISES, VERDICT_TEST_NAMES, classes_words
from calibcore.words.sizes import gap_explained, most_words, smallest_words, tolerance_words
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
        "On balance: which way the model leans, beyond what chance allows. "
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
        f"larger and an error of {tolerance_words(spec.tolerance)} would have been seen. The upper "
        f"limit of the typical gap is then at most {most_words(spec.tolerance)}: one-sided, "
        "90\N{NO-BREAK SPACE}%, or of four and more classes the upper end of its interval.",
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


# --- at a glance ----------------------------------------------------------------------


@dataclass(frozen=True)
class Tile:
    """A number with its name above and a line below; ``term`` explains it in the glossary, where it does."""

    label: str
    value: str
    below: str
    term: str = ""


def tiles(overall: Verdict | None, predictions: Predictions, noun: str = "case") -> tuple[Tile, Tile, Tile]:
    """How far off, how much could have been seen, and what was looked at.

    ``overall`` is the verdict that stands for all; as long as there is none two of the numbers are open.
    """
    if overall is None:
        size, interval, smallest = UNKNOWN, "", UNKNOWN
    else:
        size, interval = gap_explained(overall.typical_gap, overall.unclear)
        smallest = smallest_words(overall) if overall.detectable else "not known"
    return (
        Tile("Typical gap", size, interval, "typical gap"),
        Tile("Smallest detectable", smallest, "would be seen 8 times in 10", "smallest detectable"),
        Tile(*_cases(overall, predictions, noun)),
    )


def _cases(overall: Verdict | None, p: Predictions, noun: str) -> tuple[str, str, str]:
    n = p.n if overall is None else overall.n
    label = "Units, one row of each" if n != p.n else sentence_case(plural(noun))
    if p.confidence_only:
        return label, f"{n:,}", classes_words(p.m, p.kind)
    event = CanonicalLens()(p).class_names[0]
    return label, f"{n:,}", f"the event is '{event}'" if p.m == 2 else f"{p.m:,} classes"


def checks_words(verdicts: Sequence[Verdict]) -> str:
    """How many checks found a problem of their own, in a line: "2 of 6 checks found a problem"."""
    rejected = sum(v.found for v in verdicts)
    return f"{rejected:,} of {len(verdicts):,} {'check' if len(verdicts) == 1 else 'checks'} found a problem"
