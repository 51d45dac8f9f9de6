"""The part of a report that follows the evidence in time."""

from dataclasses import replace

from calibcore.data.times import DayOrder
from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.monitor import Monitoring
from calibcore.report.cleaning import LONGEST_NAME, one_line
from calibcore.report.parts import Part
from calibcore.report.plates import Plate, plate_of
from calibcore.wording import count
from calibcore.words import monitoring
from calibcore.words.looking import name_shown_in
from calibcore.words.repeating import monitoring_command
from calibcore.words.reporting import MONITORING_HEADING

METHODS_HEAD = "How the model was watched in time"
MOST_ROWS = 24
"""Windows of a table that is read."""
UNNUMBERED = "An outcome was given probability 0, and it happened: that alone refutes the model."


def monitored_part(
    found: Monitoring,
    origin: Reading | str,
    noun: str = "case",
    dates: DayOrder | None = None,
    with_rows: bool = False,
) -> Part:
    """What a report says of the evidence in time; ``origin`` says how the file was read, ``dates`` how dates
    were."""
    shown = _named(found if with_rows else without_cases(found))
    document = shown.to_document()
    if shown.stopped is not None and not with_rows:
        document["data"]["n"] = document["stopped"] = None
    rows = _rows(shown)
    below = (
        monitoring.windows_sentence(shown, noun),
        _left_out(len(shown.windows.kept), len(rows)),
        monitoring.order_sentence(shown),
        monitoring.unit_sentence(shown),
        *shown.notes,
    )
    return Part(
        "monitoring",
        document,
        _plate(shown, noun, rows, with_rows),
        (("windows", _title(shown, noun), rows, " ".join(filter(None, below))),) if rows else (),
        (METHODS_HEAD, f"{monitoring.METHOD} {monitoring.ORDER}"),
        MONITORING_HEADING,
        monitoring_command(found, origin, dates),
    )


def without_cases(found: Monitoring) -> Monitoring:
    """Without what is about one case: the evidence step by step, and a last case that no window holds.

    The evidence before and after a case tells its probability and its outcome, so it is told half a window
    apart, and never at the last case but one. An outcome of probability 0 has no number.
    """
    evidence, apart = found.evidence, found.windows.size // 2
    cases, logs = [0], [0.0]
    for case, log in zip(evidence.cases, evidence.logs, strict=True):
        if case == found.stopped or found.n - case == 1:
            continue
        if case - cases[-1] >= (apart if case < found.n else 2):
            cases.append(case)
            logs.append(log)
    cases, logs = cases[1:], logs[1:]
    windows = [one for one in found.windows.kept if found.n - one.last != 1]
    crossed = {level: case for level, case in found.crossed.items() if case != found.stopped}
    return replace(
        found,
        evidence=replace(evidence, cases=cases, logs=logs),
        windows=replace(found.windows, kept=windows),
        crossed=crossed,
        point_times={case: time for case, time in found.point_times.items() if case in set(cases)},
    )


def _named(found: Monitoring) -> Monitoring:
    """With a name of the column that a report can show."""
    time = None if found.time is None else one_line(found.time, LONGEST_NAME)
    return replace(found, time=time, notes=tuple(map(one_line, found.notes)))


def _title(found: Monitoring, noun: str) -> str:
    return f"Observed minus predicted in windows of {count(found.windows.size, noun)}"


def _rows(found: Monitoring) -> list[dict[str, str]]:
    """The windows as a person reads them, evenly spaced to the last."""
    rows = monitoring.window_rows(found)
    every = -(-len(rows) // MOST_ROWS) or 1
    return rows[::-1][::every][::-1]


def _left_out(windows: int, rows: int) -> str:
    return f"The table has {rows:,} of {windows:,} windows; the JSON has all." if rows < windows else ""


def _plate(found: Monitoring, noun: str, rows: list[dict[str, str]], with_rows: bool) -> Plate:
    stopped = found.stopped is not None
    head = UNNUMBERED if stopped and not with_rows else monitoring.headline(found, noun)
    sentences = (head, *monitoring.more(found, noun), monitoring.grave_sentence(found, noun))
    return plate_of(
        "monitoring",
        f"Evidence against calibration in time: {name_shown_in(found)}",
        sentences,
        rows,
        on_screen("evidence.evidence_figure", found, noun=noun),
        on_paper("evidence_print", found, noun),
        caption="evidence",
    )
