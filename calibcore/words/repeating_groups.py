"""The commands that repeat a look at groups, and at evidence in time."""

from dataclasses import replace

from calibcore.data.times import DayOrder
from calibcore.io import Reading
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.groups.redrawn import STATISTICS
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.windows import CASES
from calibcore.spec import DiagnosisSpec
from calibcore.wording import count
from calibcore.words.repeating import (
    COMPARED,
    DECIDED,
    IN_PYTHON,
    PROGRAM,
    Repeat,
    can_be_typed,
    flagged,
    named_data,
    setting_flags,
)

ROWS = "order"
"""What ``--time`` says for the order of the rows."""
COLUMN = "column:"
"""What stands before a column of that name."""
NAME, STATE = "COLUMN", "STATE"
"""What stands for a column that cannot be typed, and for a state."""
UNTYPED = f"{NAME} stands for a name that cannot be typed."


def groups_command(
    found: GroupSurvey, origin: Reading | str = IN_PYTHON, dates: DayOrder | None = None
) -> Repeat:
    """The command that looks at the same groups again; ``dates`` says how dates that fit twice were read."""
    words, notes = named_data(origin)
    for column in found.columns:
        typed, more = _column(column)
        words += flagged("--by", typed)
        notes += more
    if found.worst is not None:
        words.append("--worst")
    if found.statistic != STATISTICS[0]:
        words += flagged("--statistic", found.statistic)
    return _command("groups", words, notes, found.spec, COMPARED, dates)


def monitoring_command(
    found: Monitoring, origin: Reading | str = IN_PYTHON, dates: DayOrder | None = None
) -> Repeat:
    """The command that gives the same evidence again; after earlier files with the state of these."""
    words, notes = named_data(origin)
    if found.time is None:
        words += flagged("--time", ROWS)
    else:
        typed, more = _column(found.time)
        words += flagged("--time", f"{COLUMN}{typed}" if typed == ROWS else typed)
        notes += more
    if found.windows.size != CASES:
        words += flagged("--window", str(found.windows.size))
    if len(found.files) > 1:
        words += flagged("--state", STATE)
        notes.append(f"{STATE} stands for the state after {count(len(found.files) - 1, 'earlier file')}.")
    return _command("monitor", words, notes, found.spec, DECIDED, dates)


def _column(name: str) -> tuple[str, list[str]]:
    return (name, []) if can_be_typed(name) else (NAME, [UNTYPED])


def _command(
    name: str,
    words: list[str],
    notes: list[str],
    spec: DiagnosisSpec,
    always: tuple[str, ...],
    dates: DayOrder | None,
) -> Repeat:
    start = DiagnosisSpec()
    settings = replace(spec, tests=start.tests, estimates=start.estimates)
    if dates is not None:
        words += flagged("--dates", dates)
    return Repeat((PROGRAM, name, *words, *setting_flags(settings, always)), tuple(dict.fromkeys(notes)))
