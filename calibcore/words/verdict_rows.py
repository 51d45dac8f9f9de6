"""A survey as a table, one row a check, and as three numbers at a glance."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calibcore.assessment.survey import exact_pvalue
from calibcore.assessment.verdict import OPEN, Verdict
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis
from calibcore.settings import lens_to_words
from calibcore.transforms.lenses import CanonicalLens
from calibcore.wording import plural
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import number_p
from calibcore.words.sizes import (
    balance_words,
    gap_cell,
    gap_explained,
    in_full,
    smallest_words,
    typical_digits,
)
from calibcore.words.tables import Cells, Row, Rows
from calibcore.words.verdicts import adjusted_p, chip, chip_text

UNKNOWN = "…"
"""Stands where a verdict will be."""
ALONE_SHORT = "(not adjusted yet)"
"""Behind a p in a cell, as long as not all checks are done."""


def survey_rows(
    diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict] = (), coming: Collection[int] = ()
) -> Rows:
    """One row a check as a person reads it; without verdicts as long as others are looked through.

    ``coming`` : places where the smallest detectable error is still being worked out
    """
    sized: Sequence[Verdict | Diagnosis] = verdicts or diagnoses
    digits = typical_digits([lenses.typical_gap for lenses in sized if lenses.typical_gap is not None])
    rows: Rows = [
        {
            "Check": sentence_case(name_of(d)),
            "Verdict": [UNKNOWN],
            "Typical gap": _typical(lenses, digits),
            "On balance": balance_words(d.spec.lens, lenses.frequencies),
            "Adjusted p": f"{number_p(exact_pvalue(d))} {ALONE_SHORT}",
            "Smallest detectable": UNKNOWN,
        }
        for d, lenses in zip(diagnoses, sized, strict=True)
    ]
    for place, (row, verdict) in enumerate(zip(rows, verdicts, strict=False)):
        row |= {
            "Verdict": [UNKNOWN if verdict.answer == OPEN else chip_text(verdict)],
            "Adjusted p": adjusted_p(verdict, short=True),
            "Smallest detectable": UNKNOWN if place in coming else smallest_words(verdict),
        }
    return rows


def survey_cells(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> Cells:
    """The same in letters alone, for a terminal and for paper."""
    rows = zip(survey_rows(diagnoses, verdicts), verdicts, strict=True)
    return [row | {"Verdict": chip_text(verdict)} for row, verdict in rows]


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


SMALLEST = '"(smallest)" beside a p: these redraws allow no smaller one.'


def _typical(lens: Verdict | Diagnosis, digits: int) -> str:
    if lens.typical_gap is None:
        return "–"
    return gap_cell(lens.typical_gap, digits)


def exact_lens_row(verdict: Verdict) -> Row:
    """A lens in full precision."""
    return {
        "lens": lens_to_words(verdict.lens),
        "verdict": chip(verdict).words,
        "n": verdict.n,
        "p": verdict.pvalue,
        "adjusted p": verdict.adjusted,
        **in_full("typical gap", verdict.typical_gap),
        "smallest detectable": verdict.smallest_detectable,
    }


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
    event = CanonicalLens()(p).class_names[0]
    return label, f"{n:,}", f"the event is '{event}'" if p.m == 2 else f"{p.m:,} classes"


def checks_words(verdicts: Sequence[Verdict]) -> str:
    """How many checks found a problem of their own, in a line: "2 of 6 checks found a problem"."""
    rejected = sum(v.found for v in verdicts)
    return f"{rejected:,} of {len(verdicts):,} {'check' if len(verdicts) == 1 else 'checks'} found a problem"
