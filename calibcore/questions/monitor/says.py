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
from calibcore.questions.monitor.by_label import BY_LABEL
from calibcore.questions.monitor.charts import evidence_says
from calibcore.questions.monitor.windows import CASES, Window
from calibcore.wording import count, percent
from calibcore.words.looking import classes_in, name_shown_in, of_words
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


def says(result: Monitoring, noun: str = "case", shared: Monitoring | None = None) -> Answer:
    """The answer. ``shared``: the same without what belongs to single cases; all is of it."""
    shared = shared or result
    unnumbered = shared.stopped is not None and shared is not result
    table = windows_table(shared, noun)
    return Answer(
        (count(result.n, noun), classes_in(result)),
        name_shown_in(result),
        (
            Headline(monitoring.UNNUMBERED if unnumbered else monitoring.headline(shared, noun)),
            Sentences(tuple(monitoring.more(shared, noun))),
            Sentences((monitoring.windows_sentence(shared, noun),)),
            Fold("Windows", (table,)),
            Chart(
                name="evidence",
                title="Evidence and gap over time",
                says=evidence_says(shared, noun),
                screen="evidence.evidence_figure",
                paper="evidence_print",
                of=shared,
                noun=noun,
                table=table,
                term="evidence",
            ),
            Methods("How the model was watched in time", (monitoring.METHOD, monitoring.ORDER)),
            Notes((*shared.notes, monitoring.unit_sentence(shared), monitoring.order_sentence(shared))),
        ),
    )


def windows_table(monitoring: Monitoring, noun: str = "case") -> Table[Window]:
    """A row a window, in time. Of more than two classes it is of the likeliest, whatever the lens looks at,
    and says so itself."""
    times: tuple[Column[Window], ...] = ()
    if monitoring.time is not None:
        times = (Column("Time", ("start", "end"), lambda window: (window.start, window.end), _to),)
    columns: tuple[Column[Window], ...] = (
        Column("Cases", ("first", "last"), lambda window: (window.first, window.last), _numbers),
        *times,
        Column("Predicted", "said", lambda window: window.said, percent),
        Column("Observed", "happened", lambda window: window.happened, percent),
        Column("", "gap", lambda window: window.gap),
        Column("Observed minus predicted (points)", "", lambda window: window.deviation, _points),
        Column("If calibrated (points)", "", lambda window: window.chance, lambda ends: signed_range(*ends)),
        Column("Remark", "", lambda window: window.outside, lambda outside: "outside" if outside else ""),
        Column("", ("if calibrated, low", "if calibrated, high"), lambda window: (window.low, window.high)),
    )
    windows = tuple(monitoring.windows.listed)
    few = tuple(spread(windows, MOST_ROWS, lambda window: window.outside))
    left_out = f"The table has {len(few):,} of {len(windows):,} windows; the JSON has all."
    title = f"Observed minus predicted in windows of {count(monitoring.windows.size, noun)}"
    of_two = len(monitoring.class_names) == 2
    title = title if of_two else f"{title}: {of_words(monitoring)}"
    notes = (left_out,) if len(few) < len(windows) else ()
    return Table("windows", title, columns, windows, few, "windows", notes=notes, of_lens=of_two)


def _to(start: object, end: object) -> str:
    return f"{start} to {end}"


def _numbers(first: int, last: int) -> str:
    return f"{first:,} to {last:,}"


def _points(share: float) -> str:
    return signed(100 * share, 1)


def _named(monitoring: Monitoring, name: Callable[[str], str], line: Callable[[str], str]) -> Monitoring:
    return replace(
        monitoring, time=monitoring.time and name(monitoring.time), notes=tuple(map(line, monitoring.notes))
    )


def _document(monitoring: Monitoring, shared: Monitoring) -> dict[str, Any]:
    """An outcome of probability 0 has no number, nor has the last case, which it is."""
    document = shared.to_document()
    if shared.stopped is not None and shared is not monitoring:
        document["data"]["n"] = document["stopped"] = None
    return document


def monitoring_command(monitoring: Monitoring, origin: Reading | str, dates: DayOrder | None) -> Repeat:
    """The command that gives the same evidence again; after earlier files with the state of these."""
    command = Command("monitor", origin)
    time = monitoring.time
    command.column("--time", ROWS if time is None else f"{COLUMN}{time}" if time == ROWS else time)
    if monitoring.windows.size != CASES:
        command.flag("--window", str(monitoring.windows.size))
    if len(monitoring.files) > 1:
        command.words.append("--state")
        earlier = count(len(monitoring.files) - 1, "earlier file")
        command.stand_in("STATE", f"stands for the state after {earlier}.")
    if dates is not None:
        command.flag("--dates", dates)
    return command.repeat(as_asked(monitoring.spec), DECIDED)


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
    made_of=lambda monitoring: next(reversed(monitoring.files), ""),
    dated=True,
    against=monitoring.against,
    by_label=BY_LABEL,
)
