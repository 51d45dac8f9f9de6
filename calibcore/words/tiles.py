"""The answer at a glance: three numbers, each with what it means in a line, beside the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.verdict import Verdict
from calibcore.data.predictions import Predictions
from calibcore.transforms.lenses import CanonicalLens
from calibcore.wording import plural
from calibcore.words.detectable import smallest_words
from calibcore.words.looking import sentence_case
from calibcore.words.sizes import gap_explained
from calibcore.words.verdict_rows import UNKNOWN


@dataclass(frozen=True)
class Tile:
    """A number with its name above and a line below; ``term`` explains it in the glossary, where it does."""

    label: str
    value: str
    below: str
    term: str = ""


def tiles(whole: Verdict | None, predictions: Predictions, noun: str = "case") -> tuple[Tile, Tile, Tile]:
    """How far off, how much could have been seen, and what was looked at.

    ``whole`` is the verdict that stands for all; as long as there is none two of the numbers are open.
    """
    if whole is None:
        size, interval, smallest = UNKNOWN, "", UNKNOWN
    else:
        size, interval = gap_explained(whole.typical_gap, whole.unclear)
        smallest = smallest_words(whole) if whole.detectable else "not known"
    return (
        Tile("Typical gap", size, interval, "typical gap"),
        Tile("Smallest detectable", smallest, "would be seen 8 times in 10", "smallest detectable"),
        Tile(*_cases(whole, predictions, noun)),
    )


def _cases(whole: Verdict | None, p: Predictions, noun: str) -> tuple[str, str, str]:
    n = p.n if whole is None else whole.n
    label = "Units, one row of each" if n != p.n else sentence_case(plural(noun))
    event = CanonicalLens()(p).class_names[0]
    return label, f"{n:,}", f"the event is '{event}'" if p.m == 2 else f"{p.m:,} classes"


def checks_words(verdicts: Sequence[Verdict]) -> str:
    """How many checks found a problem of their own, in a line: "2 of 6 checks found a problem"."""
    found = sum(v.found for v in verdicts)
    return f"{found:,} of {len(verdicts):,} {'check' if len(verdicts) == 1 else 'checks'} found a problem"
