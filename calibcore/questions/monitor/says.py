"""The answer about time: where each of its sentences, its windows and its figure stands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from calibcore.answers.blocks import Answer, Chart, Fold, Headline, Methods, Notes, Sentences
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.data.times import DayOrder
from calibcore.io import Reading
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor import words as monitoring
from calibcore.questions.monitor.charts import evidence_says
from calibcore.questions.monitor.windows import CASES, Window
from calibcore.wording import count, percent
from calibcore.words.looking import name_shown_in
from calibcore.words.phrases import signed, signed_range
from calibcore.words.repeating import (
    COLUMN,
    DECIDED,
    ROWS,
    Command,
    Repeat,
    as_asked,
)
from calibcore.words.tables import spread

MOST_ROWS = 20
"""Windows of a table that is read."""


def says(found: Monitoring, noun: str = "case", told: Monitoring | None = None) -> Answer:
    """The answer. ``told``: the same without what belongs to single cases; all is of it."""
    told = told or found
    unnumbered = told.stopped is not None and told is not found
    table = windows_table(told, noun)
    return Answer(
        (count(found.n, noun), f"{len(found.class_names):,} classes"),
        name_shown_in(found),
        (
            Headline(monitoring.UNNUMBERED if unnumbered else monitoring.headline(told, noun)),
            Sentences(tuple(monitoring.more(told, noun))),
            Sentences((monitoring.windows_sentence(told, noun),)),
            Fold("Windows", (table,)),
            Chart(
                name="evidence",
                title="Evidence and gap over time",
                says=evidence_says(told, noun),
                screen="evidence.evidence_figure",
                paper="evidence_print",
                of=told,
                noun=noun,
                table=table,
                term="evidence",
            ),
            Methods("How the model was watched in time", (monitoring.METHOD, monitoring.ORDER)),
            Notes((*told.notes, monitoring.unit_sentence(told), monitoring.order_sentence(told))),
        ),
    )


def windows_table(found: Monitoring, noun: str = "case") -> Table[Window]:
    """A row a window, in time."""
    times: tuple[Column[Window], ...] = ()
    if found.time is not None:
        times = (Column("Time", ("start", "end"), lambda one: (one.start, one.end), _to),)
    columns: tuple[Column[Window], ...] = (
        Column("Cases", ("first", "last"), lambda one: (one.first, one.last), _numbers),
        *times,
        Column("Predicted", "said", lambda one: one.said, percent),
        Column("Observed", "happened", lambda one: one.happened, percent),
        Column("", "gap", lambda one: one.gap),
        Column("Observed minus predicted (points)", "", lambda one: one.deviation, _points),
        Column("If calibrated (points)", "", lambda one: one.chance, lambda ends: signed_range(*ends)),
        Column("Remark", "", lambda one: one.outside, lambda outside: "outside" if outside else ""),
        Column("", ("if calibrated, low", "if calibrated, high"), lambda one: (one.low, one.high)),
    )
    windows = tuple(found.windows.kept)
    few = tuple(spread(windows, MOST_ROWS, lambda one: one.outside))
    left_out = f"The table has {len(few):,} of {len(windows):,} windows; the JSON has all."
    title = f"Observed minus predicted in windows of {count(found.windows.size, noun)}"
    notes = (left_out,) if len(few) < len(windows) else ()
    return Table("windows", title, columns, windows, few, "windows", notes=notes)


def _to(start: object, end: object) -> str:
    return f"{start} to {end}"


def _numbers(first: int, last: int) -> str:
    return f"{first:,} to {last:,}"


def _points(share: float) -> str:
    return signed(100 * share, 1)


def _named(found: Monitoring, name: Callable[[str], str], line: Callable[[str], str]) -> Monitoring:
    return replace(found, time=found.time and name(found.time), notes=tuple(map(line, found.notes)))


def _document(found: Monitoring, told: Monitoring) -> dict[str, Any]:
    """An outcome of probability 0 has no number, nor has the last case, which it is."""
    document = told.to_document()
    if told.stopped is not None and told is not found:
        document["data"]["n"] = document["stopped"] = None
    return document


def monitoring_command(found: Monitoring, origin: Reading | str, dates: DayOrder | None) -> Repeat:
    """The command that gives the same evidence again; after earlier files with the state of these."""
    command = Command("monitor", origin)
    time = found.time
    command.column("--time", ROWS if time is None else f"{COLUMN}{time}" if time == ROWS else time)
    if found.windows.size != CASES:
        command.flag("--window", str(found.windows.size))
    if len(found.files) > 1:
        command.words.append("--state")
        earlier = count(len(found.files) - 1, "earlier file")
        command.stand_in("STATE", f"stands for the state after {earlier}.")
    if dates is not None:
        command.flag("--dates", dates)
    return command.repeat(as_asked(found.spec), DECIDED)


QUESTION = Question(
    name="monitoring",
    result=Monitoring,
    title="Evidence against calibration in time",
    help="whether the model stays calibrated in time",
    says=says,
    without_cases=Monitoring.without_cases,
    repeat=monitoring_command,
    again="And this one gives the same evidence in time:",
    named=_named,
    document=_document,
    place=40,
    what="The evidence in time is",
    made_of=lambda found: next(reversed(found.files), ""),
    dated=True,
)
