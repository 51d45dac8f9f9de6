"""The part of a report that says what decisions at thresholds are worth."""

from dataclasses import replace

from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.report.parts import Part
from calibcore.report.plates import Plate, plate_of
from calibcore.words import deciding
from calibcore.words.looking import name_in
from calibcore.words.repeating import decisions_command
from calibcore.words.reporting import DECISIONS_HEADING

METHODS_HEAD = "How decisions were judged"


def decided_part(
    found: Decisions, origin: Reading | str, noun: str = "case", with_rows: bool = False
) -> Part | None:
    """What a report says of decisions; ``origin`` says how the file was read. None where all of it would be
    about single cases, and no rows are wanted."""
    shown = found if with_rows else without_cases(found)
    if not shown.thresholds:
        return None
    rows = deciding.threshold_rows(shown, deciding.MOST_ROWS)
    return Part(
        "decisions",
        shown.to_document(),
        _plate(found, shown, noun),
        (("decisions", _title(shown), rows, deciding.BEFOREHAND),),
        (METHODS_HEAD, deciding.METHOD),
        DECISIONS_HEADING,
        decisions_command(found, origin),
    )


def without_cases(found: Decisions) -> Decisions:
    """Without thresholds between which one case lies alone: the promises at both tell its probability."""
    kept: list[AtThreshold] = []
    above = 0
    for one in reversed(found.thresholds):
        if one.treated.cases - above != 1:
            kept.append(one)
            above = one.treated.cases
    while kept and kept[-1].untreated.cases == 1:
        kept.pop()
    return replace(found, thresholds=tuple(reversed(kept)))


def _title(found: Decisions) -> str:
    return f"Net benefit in 100, {name_in(found)}"


def _plate(found: Decisions, shown: Decisions, noun: str) -> Plate:
    """The sentence on the p is about all thresholds, the figure about those that are shown."""
    return plate_of(
        "decisions",
        "What decisions at a threshold are worth",
        (deciding.headline(found), deciding.decisions_summary(shown, noun)),
        deciding.threshold_rows(shown, deciding.MOST_ROWS),
        on_screen("decisions.decision_figure", shown, noun=noun),
        on_paper("decision_print", shown, noun),
    )
