"""``caliblens monitor FILE --time COLUMN``: evidence against calibration in time, month after month."""

import argparse
from collections.abc import Callable
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.files import files_of
from calibcore.cli.requests import Request
from calibcore.cli.running import asking, each_label
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress
from calibcore.questions.monitor import Monitoring, monitor
from calibcore.questions.over_labels import OverLabels
from calibcore.words.repeating import COLUMN, ROWS

PLACE = 100
EXAMPLES = (
    "monitor predictions.csv --time date",
    "monitor march.csv --time date --state state.json --fail-if alarm",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command, junit=True)
    group = command.add_argument_group("the monitoring")
    add = group.add_argument
    add(
        "--time",
        metavar="COLUMN",
        required=True,
        help=f"the column of dates or numbers that orders the cases, or {ROWS}: as the rows stand",
    )
    flags.dates_flag(group)
    add("--window", type=int, metavar="N", help="cases of a moving window: 200")
    add(
        "--state",
        metavar="FILE",
        type=Path,
        help="go on from what this file holds, and write it anew; where there is none, begin one (JSON)",
    )
    add("--fail-if", choices=("alarm",), help="exit code 1 where there is an alarm")


def ask(
    arguments: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Monitoring]:
    """The evidence in time; with ``--state`` on top of what came before."""
    dates, window = arguments.dates, arguments.window
    state = None if arguments.state is None else _state_of(arguments)

    def find(p: Predictions) -> Monitoring:
        time = column_of(arguments.time, p)
        monitoring = monitor(p, request.spec, progress, time=time, dates=dates, window=window, state=state)
        if arguments.state is not None:
            _write(arguments, monitoring.to_state())
        return monitoring

    return find


def _of_labels(
    arguments: argparse.Namespace, cases: MultiLabelPredictions, progress: Progress | None
) -> OverLabels:
    if arguments.state is not None:
        raise InputError("A state is of one label. Name it by --label, and a file of its own by --state.")
    return each_label(ask, arguments, cases, progress)


def _code(arguments: argparse.Namespace, monitoring: Monitoring | OverLabels) -> int:
    """1 where there is an alarm, and ``--fail-if`` names it."""
    return int(arguments.fail_if is not None and monitoring.alarm is not None)


run = asking(ask, code=_code, of_labels=_of_labels)


def column_of(word: str, predictions: Cases) -> str | None:
    """The name of the column that ``--time`` says, None for the order of the rows."""
    if word.startswith(COLUMN) and word not in predictions.metadata:
        return word.removeprefix(COLUMN)
    if word != ROWS:
        return word
    if ROWS in predictions.metadata:
        raise InputError(
            f"There is a column {ROWS!r}, and --time {ROWS} means the order of the rows. Say --time "
            f"{COLUMN}{ROWS} for the column, or give it another name."
        )
    return None


def _state_of(arguments: argparse.Namespace) -> Monitoring | None:
    path = str(arguments.state)
    try:
        text = files_of(arguments).text(path)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The state {shown(path)} cannot be read: expected a file of JSON text.") from error
    return Monitoring.from_state(text)


def _write(arguments: argparse.Namespace, text: str) -> None:
    path = str(arguments.state)
    try:
        files_of(arguments).write_whole(path, f"{text}\n".encode())
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise InputError(f"The state {shown(path)} cannot be written: {why}.") from error
